// SPDX-License-Identifier: GPL-3.0-or-later
// The values of which profiles are made: texts, durations, expressions, states.
#pragma once

#include "sql/profile/codec.h"
#include "sql/types/profile.h"

namespace idemdesk::sql::codec {

/// Any text that is not blank.
Codec<QString> text();
/// One that `fits`; `schema` says what JSON Schema can say of it beside that it is a text.
Codec<QString> textThat(
    const std::function<bool(const QString &)> &fits, const QString &words, const QByteArray &schema = text().schema);
/// Each once; `filled`: at least one.
Codec<QStringList> texts(bool filled = false);
/// True or false; false is left out.
Codec<bool> flag();
/// A number that is not negative, as its text.
Codec<QString> number();
/// "90s"; where `negatable` also "-90s".
Codec<QString> duration(bool negatable = false);
/// A duration, or an SQL expression of an interval.
Codec<QString> span();
/// Texts under names that the author chose.
Codec<QMap<QString, QString>> textMap(const QString &words);
/// The names of those states, each at most once, and at least one.
Codec<QList<KeyState>> states(const QList<KeyState> &allowed);
Codec<KeyState> state(const QList<KeyState> &allowed);
/// The states that a rule can name: all but unknown.
const QList<KeyState> &knownStates();

/// An SQL expression over t that may name these variables.
Codec<QString> sqlText(const QStringList &variables = { QStringLiteral("now") });
/// The same, which also knows its column where it is a plain one.
Codec<Expression> expression();
/// A time: an expression of a timestamptz, or an object of a column or SQL, the form it is kept in, "plus" and "when".
Codec<Expression> timeExpression();
/// The keys of such an object, without "when".
QList<Field<Expression>> timeFields();
/// One of them must be there, and not both.
void checkEither(ProfileReading &reading, const JsonNode &node, const QString &one, const QString &other);
QByteArray eitherSchema(const QByteArray &one, const QByteArray &other);

} // namespace idemdesk::sql::codec
