// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/format/lock_words.h"

#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString lockLabel(const sql::SessionLock &lock)
{
    const QString what = lock.type == u"advisory" ? Tr::tr("%1 on advisory lock %2").arg(lock.mode, lock.object)
        : lock.type == u"tuple"                   ? Tr::tr("%1 on a row of %2").arg(lock.mode, lock.object)
                                                  : Tr::tr("%1 on %2").arg(lock.mode, lock.object);
    return lock.granted ? what : Tr::tr("waits for %1").arg(what);
}

QStringList lockLabels(const QList<sql::SessionLock> &locks)
{
    QStringList labels;
    for (const sql::SessionLock &lock : locks) {
        labels.append(lockLabel(lock));
    }
    return labels;
}

} // namespace idemdesk::models
