// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"

namespace idemdesk::sql {

// SQL that hashes a row of a target to 64 bits, the same on every server for the same texts. The hash of each part has
// a seed of its own, so that no part passes for another one, and NULL is none of the texts.

/// What a row gave back: the result's type, id and code; where it names neither type nor id, its stored answer.
QString resultHash(Render &render);
/// Of the key alone.
QString keyHash(Render &render);
/// Of all else that must be the same on both sides: scope, status as it is stored, fingerprint, the error's code and
/// the result. byType: parts of some types are hashed as they are, not as their texts; only between sides whose parts
/// have the same types (sameTypes).
QString restHash(Render &render, bool byType);
/// Of the whole row, from these two, which are SQL.
QString rowHash(const QString &key, const QString &rest);
/// Texts of scope and key, in this order.
QStringList keyTexts(const Target &target);
/// A value that differs where a server computes such hashes differently.
QString probeHash();

/// Whether the parts that are hashed have the same types in both.
bool sameTypes(const Target &one, const Target &other);
/// What is compared, as "role: SQL": two sides whose profiles differ in it cannot be.
QStringList comparedSql(const Profile &profile);

} // namespace idemdesk::sql
