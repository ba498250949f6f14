// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/filter/filter_parser.h"

namespace idemdesk::models {

/// True if the filter text has this term ("state:stale"), however it is quoted.
bool filterHasTerm(const QString &text, const QString &term);
/// The text with the term at its end; unchanged where it has it already.
QString filterWithTerm(const QString &text, const QString &term);
/// The text without any occurrence of the term.
QString filterWithoutTerm(const QString &text, const QString &term);
/// The text without the terms of this field ("created"), whatever they ask of it.
QString filterWithoutField(const QString &text, const QString &field);
/// One of the two: what a quick chip does when pressed.
QString filterToggled(const QString &text, const QString &term);

} // namespace idemdesk::models
