// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/sql/attacks/machine/chance.h"

#include <QByteArray>
#include <QMap>
#include <QStringList>

namespace idemdesk::tests::machine {

/// A rule of the profile, as the model knows it. Their order is that of the registration.
struct PlannedRule {
    QString verb;
    QStringList from;
    QString to; ///< "absent": the row is deleted
    QStringList columns; ///< that it sets
    bool needsEffect = false;
    bool live = false;
};

/// One table to attack: how it is made, the profile it is registered with, and how the model reads its rows.
/// Columns have the same names everywhere (s scope, k key, st status, lk lease, ex expiry, att, res, up,
/// note, r, x1…), and other types each time.
struct TargetPlan {
    QString name;
    QString schema;
    QString owner;
    QString table() const { return schema + QLatin1Char('.') + name; }

    QStringList statements; ///< as its owner, in this order
    QByteArray profile;
    QList<PlannedRule> rules;
    QStringList identity;
    QStringList guard;
    QStringList touched;
    QStringList features; ///< what is unusual about it, for the count of what was refused
    QMap<QString, QString> raw; ///< canonical state -> what the status column has
    QString keyLiteral; ///< SQL of a key; %1 is its number
    QString keyOf(int number) const;
    QString scopeLiteral;
    QString lease; ///< SQL that stores the timestamptz %1
    QString expiry;
    QString leaseRead; ///< SQL over t that reads it back
    QString expiryRead;
    QString after; ///< how long past its expiry a row stays
    QStringList extras; ///< "x1 = literal" for later changes
    QStringList partitions;
    int base = 0; ///< number of its first key
    int rows = 0;
    bool purges = false;
    bool children = false; ///< rows of other tables point at its own

    /// INSERT INTO model.target … for this table.
    QString modelRow() const;
};

/// A random table. plain: without what registration would refuse.
TargetPlan planTarget(
    Chance &chance, const QString &name, const QString &schema, const QString &owner, int base, bool plain);

/// Adds triggers, rules, keys and policies of the hostile kind; in hostile_code.cpp.
void addHostileCode(Chance &chance, TargetPlan *plan, bool plain);
/// A trigger that somebody makes later: statements for the owner.
QStringList laterTrigger(Chance &chance, const TargetPlan &plan, int number);

} // namespace idemdesk::tests::machine
