// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_record.h"
#include "sql/types/target.h"

#include <optional>

namespace idemdesk::models {

/// The charge that a row tells of, in its stored answer and its request. What it does not tell is empty.
struct StoredCharge {
    QString customer; ///< who paid: named there, else by a part of the scope
    QString amount; ///< "10.50 EUR"
    QString number; ///< what tells it from another one
    std::optional<sql::Timestamp> at; ///< when its key began

    /// Both tell of one customer and amount, within an hour, and of different charges: a suspicion, for somebody may
    /// well buy twice.
    bool repeats(const StoredCharge &other) const;
    /// They tell of different customers or amounts, so that they are different matters.
    bool differs(const StoredCharge &other) const;
};

/// masked: names of columns, roles and parts of the scope that are not to be told.
StoredCharge storedCharge(const sql::Target &target, const sql::KeyRecord &record, const QStringList &masked);

/// "ord-1 and ord-2 hold two charges …" of the first two of these charges that repeat each other; empty where none do.
QString repeatedCharge(const QList<std::pair<QString, StoredCharge>> &named);

} // namespace idemdesk::models
