// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace idemdesk::sql {

/// The names and places a JSON pointer goes through: "/items/0/a~1b" is items, 0, a/b.
QStringList pointerSteps(const QString &pointer);

/// SQL of a jsonb value without these fields; `payload` is SQL of a jsonb value. A field that is not there, or that
/// would lie in a value of another kind, is no error. Pointers with "*" cannot be taken out so and are passed over.
QString payloadWithout(const QString &payload, const QStringList &pointers);

} // namespace idemdesk::sql
