// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

#include <QMap>
#include <QStringList>

namespace idemdesk::sql {

/// What the catalogue says of a type. Of a domain, what it says of the type below it, so that a filter's value is
/// compared and not checked against the domain.
struct TypeFacts {
    QString castType; ///< quoted and schema-qualified
    QString schema;
    QString name;
    QChar category;
    QString operatorSchema;
    QStringList enumLabels;
    bool ordered = false; ///< has default btree operators, so that = and < work
};

/// Facts of several types in one round trip.
Result<QMap<quint32, TypeFacts>> readTypes(Session &session, const QList<quint32> &oids);

/// A PostgreSQL array text of numbers, to be bound and cast: {1,2}.
QString oidArray(const QList<quint32> &oids);
/// The texts of a JSON array the server made with json_agg; empty for NULL.
QStringList jsonTexts(const QString &json);

} // namespace idemdesk::sql
