// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/duplicate.h"
#include "sql/types/key_record.h"
#include "sql/types/target.h"

namespace idemdesk::models {

/// One key of a group.
struct DuplicateKey {
    QString key;
    sql::Cells scope; ///< by the profile's parts
    std::optional<sql::KeyRecord> record = {}; ///< nothing: not read, or not found
    QString amount = {}; ///< "10.50 EUR", where its request or response tells it
};

/// The first keys of a group, their rows not read; `most`: so many of them.
QList<DuplicateKey> keysOf(const sql::DuplicateGroup &group, qsizetype most = 10);
/// The same keys with their rows and amounts, the earliest first. Runs on a lane's thread.
sql::Result<QList<DuplicateKey>> readDuplicateKeys(
    sql::Session &session, const sql::Target &target, QList<DuplicateKey> keys);
std::optional<sql::Timestamp> duplicateBegan(const DuplicateKey &key);
/// The amount that all keys tell alike ("10.5 EUR" is "10.50 EUR"); empty where one does not, or they differ.
QString sharedAmount(const QList<DuplicateKey> &keys);

} // namespace idemdesk::models
