// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/expression_judge.h"

#include "sql/profile/expression_sql.h"

#include <QSet>

#include <mutex>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kMostKept = 10'000;

/// What was found good, by the server's version: the parser's answer depends on nothing else. Asked for at every
/// connect.
std::mutex judgedMutex;
QSet<QString> judgedGood;

/// The text by itself ends where the statement ends; in parentheses it may not reach beyond them. What passes both is
/// one.
QStringList statementsFor(const QString &sql, SqlForm form)
{
    const QString returns = u"CREATE FUNCTION pg_temp.idemdesk_judged() RETURNS pg_catalog.int4 RETURN "_s;
    const QString alone = form == SqlForm::Expression ? returns : u"CREATE TEMPORARY VIEW idemdesk_judged AS "_s;
    return { alone + sql, returns + u'(' + sql + u')' };
}

} // namespace

Result<QString> judgeSql(Session &session, const QString &sql, SqlForm form)
{
    if (const QString wrong = expressionFault(sql); !wrong.isEmpty()) {
        return wrong;
    }
    if (form == SqlForm::Expression && !plainColumn(sql).isEmpty()) {
        return QString(); // t.name is what it looks like
    }
    const QString known = u"%1 %2 %3"_s.arg(session.facts().versionNumber).arg(int(form)).arg(sql);
    {
        const std::scoped_lock lock(judgedMutex);
        if (judgedGood.contains(known)) {
            return QString();
        }
    }
    for (const QString &statement : statementsFor(sql, form)) {
        const auto parsed = session.describe(statement);
        if (parsed) {
            continue;
        }
        if (parsed.error().kind == ErrorKind::Syntax || parsed.error().sqlState.startsWith(u"42"_s)
            || parsed.error().sqlState.startsWith(u"22"_s)) {
            return parsed.error().detail.section(u'\n', 0, 0);
        }
        return parsed.error();
    }
    const std::scoped_lock lock(judgedMutex);
    if (judgedGood.size() >= kMostKept) {
        judgedGood.clear();
    }
    judgedGood.insert(known);
    return QString();
}

} // namespace idemdesk::sql
