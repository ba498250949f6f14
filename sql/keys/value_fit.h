// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/target.h"

namespace idemdesk::sql {

/// Nothing where the type will take this text, as far as can be told without the server; else what it wants instead,
/// as the end of a sentence ("a uuid such as …").
std::optional<QString> misfit(const ExpressionType &type, const QString &text);

bool isIntegerType(const ExpressionType &type);
bool isNumberType(const ExpressionType &type);
/// text, varchar or another type whose range search and LIKE work on it as it is.
bool isPlainText(const ExpressionType &type);

/// The raw text of a boolean as a person writes it ("true") and as the server prints it ("t") mean the same.
QStringList rawAlternatives(const ExpressionType &type, const QString &raw);

} // namespace idemdesk::sql
