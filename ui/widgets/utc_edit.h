// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDateTimeEdit;

namespace idemdesk::ui {

/// Lets an edit take any time of day: on this computer's own clock an hour is missing in spring. Typed with its
/// separators a time stays what was typed: a full part goes on to the next by itself, and the separator after it would
/// leave out that one.
void showInUtc(QDateTimeEdit *edit);

} // namespace idemdesk::ui
