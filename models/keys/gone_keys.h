// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/actions/action_gateway.h"
#include "sql/session/session.h"
#include "sql/types/target.h"

#include <QMap>

namespace idemdesk::models {

/// A key in one scope of a table, and what this console did to its row: the newest first.
struct GoneKey {
    sql::Cells scope;
    QList<sql::KeyTouch> touches;
};

/// What the trail tells of a key that the registered table does not have any more. Its row is known by its identity, so
/// this is empty where that is more than key and scope. Parts of the scope that are not given are those that the newest
/// 50 purges took rows of, 200 scopes at most.
sql::Result<QList<GoneKey>> readGoneKeys(sql::Session &session, const sql::Target &target,
    const QString &registeredName, const QString &key, const QMap<QString, std::optional<QString>> &scope = {});

/// "create_order: purged by …, in action …. Reason: ….", in whole sentences; of a trail that could not be read, that.
QStringList goneSentences(const sql::Result<QList<GoneKey>> &keys);

} // namespace idemdesk::models
