// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/timestamp.h"

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// A session that holds, or waits for, what stands for one key: its row, or the advisory lock that its service takes.
struct KeyLock {
    enum class What { Row, Advisory };
    What what = What::Row;
    bool granted = true; ///< false: it waits
    int pid = 0; ///< 0: a prepared transaction, which no session holds any more
    QString user; ///< empty where the server hides it (traps 9)
    QString application;
    QString mode; ///< "ExclusiveLock"
    QString advisory; ///< of an advisory lock, its number
    std::optional<Timestamp> since; ///< when its transaction began; nothing: hidden, or not in one
};

/// What was seen. That no lock is named does not say that there is none: of a row that several sessions share no holder
/// is found.
struct KeyLocks {
    QList<KeyLock> locks; ///< holders first
    QStringList notRead; ///< a sentence for each kind of lock that could not be looked at
};

} // namespace idemdesk::sql
