// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/timestamp.h"

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// One session that holds or awaits a lock on a target, or runs a statement on it.
struct BackendActivity {
    int pid = 0;
    QString user;
    QString application;
    QString client;
    QString state; ///< empty where the server hides it (traps 9)
    QString waitEvent;
    QString query; ///< first 1,000 characters, or "<insufficient privilege>"
    std::optional<Timestamp> transactionStart;
    std::optional<Timestamp> queryStart;
    QStringList locks; ///< "RowExclusiveLock on app.idempotency_request (granted)"
    QList<int> blockedBy;
};

struct ActivityReport {
    QList<BackendActivity> backends;
    Timestamp now;
    bool complete = true; ///< false: some sessions' facts are hidden from this user
};

} // namespace idemdesk::sql
