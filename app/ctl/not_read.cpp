// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/not_read.h"

#include "app/ctl/context.h"
#include "sql/console/console_schema.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/types/tr.h"

#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

void noteNotRead(const QList<models::TargetProblem> &problems)
{
    for (const models::TargetProblem &problem : problems) {
        note(models::problemText(problem));
        if (outputStyle().verbose && !problem.error.detail.isEmpty()) {
            note(problem.error.detail);
        }
    }
}

QJsonArray jsonOf(const QList<models::TargetProblem> &problems)
{
    QJsonArray items;
    for (const models::TargetProblem &problem : problems) {
        const sql::Error &error = problem.error;
        items.append(QJsonObject { { u"target"_s, textOrNull(problem.profileName) },
            { u"error"_s,
                QJsonObject { { u"what"_s, error.what }, { u"why"_s, textOrNull(error.why) },
                    { u"todo"_s, textOrNull(error.todo) }, { u"sqlstate"_s, textOrNull(error.sqlState) } } } });
    }
    return items;
}

bool noteHidden(const sql::Target &target)
{
    if (target.relation.rowSecurity) {
        note(sql::rowsHiddenNote());
    }
    return target.relation.rowSecurity;
}

QStringList notLookedAt(sql::Session &session, const sql::Target &target, const QString &usedIn)
{
    QStringList notes = sql::unseenNotes(target);
    const auto unreadable = sql::findUnreadable(session, target, usedIn);
    if (!unreadable) {
        notes += unreadable.error().line();
    } else if (unreadable->count > 0) {
        notes += unreadable->note();
    }
    return notes;
}

bool noteNotInstalled(sql::Session &session, const QString &so)
{
    const auto status = sql::readConsoleStatus(session);
    const bool missing = status && status->installedVersion == 0;
    if (missing) {
        note(Tr::tr("The console schema is not installed in this database, %1. “idemdeskctl console status” says more.")
                 .arg(so));
    }
    return missing;
}

void noteNoneRegistered(sql::Session &session)
{
    if (!noteNotInstalled(session, Tr::tr("so no table is known to look at"))) {
        note(Tr::tr("No target is registered in this database, so nothing was looked at. "
                    "Register one with “idemdeskctl targets add”, or name one with --target."));
    }
}

void noteIfRestored(sql::Session &session)
{
    const auto restored = sql::consoleIsRestored(session);
    if (restored && *restored) {
        note(Tr::tr(
            "This database was restored from a dump, so its tables are new ones to the console. Until they are adopted "
            "nobody may act on them, or read what rows were. An idemdesk_admin runs “idemdeskctl console adopt "
            "--reason "
            "REASON”; another person approves it."));
    }
}

} // namespace idemdesk::app
