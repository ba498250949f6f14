// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/action_id.h"

#include "app/ctl/out/output.h"
#include "sql/actions/action_gateway.h"
#include "sql/types/tr.h"

#include <QRegularExpression>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostLooked = 10'000; // actions, the newest first

} // namespace

sql::Result<QString> wholeActionId(sql::Session &session, const QString &written)
{
    constexpr qsizetype kLeast = 4; // letters
    if (!QUuid(written).isNull()) {
        return QUuid(written).toString(QUuid::WithoutBraces);
    }
    static const QRegularExpression beginning(u"^[0-9a-fA-F-]+$"_s);
    if (written.size() < kLeast || !beginning.match(written).hasMatch()) {
        return usageError(Tr::tr("“%1” is not an action's id.").arg(written),
            Tr::tr("Give the id or its first letters, at least four. “idemdeskctl actions” lists them."));
    }
    sql::ActionFilter filter;
    filter.limit = kMostLooked;
    TRY(const auto actions, sql::readActions(session, filter));
    QStringList ids;
    for (const sql::ActionRecord &action : actions) {
        if (action.id.startsWith(written, Qt::CaseInsensitive)) {
            ids += action.id;
        }
    }
    if (ids.size() == 1) {
        return ids.constFirst();
    }
    return ids.isEmpty() ? usageError(
               Tr::tr("No action's id begins with “%1”.").arg(written), Tr::tr("“idemdeskctl actions” lists them."))
                         : usageError(Tr::tr("Several actions' ids begin with “%1”.").arg(written),
                             Tr::tr("Give more of it: %1.").arg(ids.mid(0, 5).join(u", "_s)));
}

} // namespace idemdesk::app
