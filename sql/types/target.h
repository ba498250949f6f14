// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"
#include "sql/types/relation_facts.h"

#include <QMap>
#include <QString>
#include <QStringList>

namespace idemdesk::sql {

/// The type PostgreSQL gives an expression, as a cast for bound texts.
struct ExpressionType {
    QString castType; ///< quoted, schema-qualified: "pg_catalog.uuid"
    QString typeName; ///< typname: "uuid", "timestamptz", "citext"
    QChar category; ///< typcategory
    QString operatorSchema; ///< of its default btree operators
    QStringList enumLabels;
    bool codePointOrder = false; ///< texts compare by code point
};

/// One thing a person should know about a target, as a whole sentence, with the place in the profile.
struct Finding {
    enum class Severity { Note, Warning, Problem };
    Severity severity = Severity::Note;
    QString jsonPath; ///< "$.roles.expires_at", or empty
    QString text;
};

/// A profile bound to the live table: facts and types looked up, every expression planned once.
struct Target {
    Profile profile;
    RelationFacts relation;
    QMap<Role, ExpressionType> roleTypes;
    QList<ExpressionType> scopeTypes; ///< by profile.scope
    ExpressionType keyType;
    QList<ExpressionType> aliasTypes; ///< by profile.aliases
    QList<ExpressionType> fieldTypes; ///< by profile.fields
    QList<ExpressionType> identityTypes; ///< by profile.identity
    bool identityUnique = false; ///< a valid, non-partial unique index over just these columns, all NOT NULL
    QList<Finding> findings;
    QStringList hiddenBeside; ///< tables beside its own, quoted, that it reads and of which row security hides rows
    QString readable; ///< where some rows cannot be read: a condition over t that holds for the others; else empty
    QString trial; ///< where states are asked whole: true for each row, an error where an expression fails; else empty
    bool registered = false; ///< from idemdesk.target; else shipped, detected, or a file
    bool confirmed = true; ///< the person confirmed the SQL shown (DESIGN 3); shipped profiles count as confirmed
};

} // namespace idemdesk::sql
