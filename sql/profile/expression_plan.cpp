// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/expression_plan.h"

#include "sql/driver/pg_driver.h"
#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QString kProbe = u"idemdesk_probe"_s;

bool connectionTrouble(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::ConnectionLost:
    case ErrorKind::Cancelled:
    case ErrorKind::Superseded:
    case ErrorKind::Timeout:
    case ErrorKind::LockTimeout:
    case ErrorKind::StandbyConflict:
        return true;
    default:
        return false;
    }
}

QString selectList(const QList<PlannedExpression> &expressions, const QList<qsizetype> &indexes)
{
    QStringList parts;
    for (const qsizetype i : indexes) {
        parts.append(u"("_s + expressions.at(i).sql + u") AS c"_s + QString::number(i));
    }
    return parts.join(u", "_s);
}

QString typeFault(Wanted wanted, const TypeFacts &type)
{
    const QString is = type.schema == u"pg_catalog" ? type.name : type.schema + u'.' + type.name;
    switch (wanted) {
    case Wanted::Anything:
        return {};
    case Wanted::Comparable:
        return type.ordered ? QString() : Tr::tr("Its type %1 cannot be compared; cast it to text.").arg(is);
    case Wanted::Timestamptz:
        return type.name == u"timestamptz" ? QString()
                                           : Tr::tr("Its type is %1, not timestamptz; say with “as” how the time is "
                                                    "kept (utc, zone:…, epoch_ms, epoch_s, iso).")
                                                 .arg(is);
    case Wanted::Timestamp:
        return type.name == u"timestamp" ? QString()
                                         : Tr::tr("Its type is %1, not timestamp without time zone.").arg(is);
    case Wanted::Number:
        return type.category == u'N' ? QString() : Tr::tr("Its type is %1, not a number.").arg(is);
    case Wanted::Integer:
        return type.name == u"int2" || type.name == u"int4" || type.name == u"int8"
            ? QString()
            : Tr::tr("Its type is %1, not a whole number.").arg(is);
    case Wanted::LockNumber: // one bigint, or the two integers of pg_advisory_lock(int, int)
        return type.name == u"_int4" || type.name == u"_int2" ? QString()
                                                              : typeFault(Wanted::Integer, type)
                + (typeFault(Wanted::Integer, type).isEmpty() ? QString()
                                                              : u' ' + Tr::tr("Two are written ARRAY[a, b]."));
    case Wanted::Text:
        return type.category == u'S' ? QString() : Tr::tr("Its type is %1, not a text.").arg(is);
    case Wanted::Interval:
        return type.name == u"interval" ? QString() : Tr::tr("Its type is %1, not an interval.").arg(is);
    case Wanted::Boolean:
        return type.name == u"bool" ? QString() : Tr::tr("Its type is %1, not true or false.").arg(is);
    }
    return {};
}

/// Plans the expressions in a subquery and looks whether it was merged into its parent. PostgreSQL merges a subquery
/// unless its columns hold a volatile, aggregate, window or set-returning function, wherever it hides (an operator, a
/// cast, a domain, a nested query): the planner itself is asked, no name is looked up. Gives true where it was not.
/// The outer join keeps a relation that is known to be empty from hiding the rest of the plan. EXPLAIN also checks the
/// rights on every table and column, and runs nothing.
Result<bool> standsApart(Session &session, const QString &relation, const QList<PlannedExpression> &expressions,
    const QList<qsizetype> &indexes)
{
    Statement statement;
    // The constant in front keeps the subquery's node visible; the columns after it keep nested queries, whose rights
    // are checked too.
    statement.sql = u"EXPLAIN (COSTS OFF) SELECT 1, "_s + kProbe + u".* FROM (SELECT "_s
        + selectList(expressions, indexes) + u" FROM (VALUES (1)) AS idemdesk_one LEFT JOIN "_s + relation
        + u" AS t ON true) AS "_s + kProbe;
    bool apart = false;
    const auto read = session.each(statement, [&apart](const Row &row) {
        // Only a node's own line can be this; conditions have a label in front of them.
        const QString line = row.text(0).trimmed();
        apart = apart || line == u"Subquery Scan on "_s + kProbe || line == u"->  Subquery Scan on "_s + kProbe;
        return true;
    });
    if (!read) {
        return read.error();
    }
    return apart;
}

class Planner
{
public:
    Planner(Session &session, const QString &relation, const QList<PlannedExpression> &expressions)
        : m_session(session)
        , m_relation(relation)
        , m_expressions(expressions)
        , m_ownTransaction(!session.driver().inTransaction())
    {
    }

    ~Planner() { leave(); }
    Planner(const Planner &) = delete;
    Planner &operator=(const Planner &) = delete;

    Result<QList<PlanFault>> run()
    {
        checkText();
        if (m_trouble) {
            return *m_trouble;
        }
        for (const auto step : { &Planner::describeAll, &Planner::probeAll }) {
            (this->*step)();
            if (m_trouble) {
                return *m_trouble;
            }
        }
        checkTypes();
        if (m_trouble) {
            return *m_trouble;
        }
        return m_faults;
    }

private:
    void fault(qsizetype index, const QString &reason, const Error &error = {})
    {
        m_faults.append({ index, reason, error });
        m_good.removeAll(index);
    }

    bool give(const Error &error)
    {
        if (connectionTrouble(error)) {
            m_trouble = error;
        }
        return m_trouble.has_value();
    }

    void checkText()
    {
        for (qsizetype i = 0; i < m_expressions.size(); ++i) {
            m_good.append(i);
            const PlannedExpression &expression = m_expressions.at(i);
            for (const QString &part : expression.parts.isEmpty() ? QStringList { expression.sql } : expression.parts) {
                const auto wrong = judgeSql(m_session, part, expression.form);
                if (!wrong) {
                    m_trouble = wrong.error();
                    return;
                }
                if (!wrong->isEmpty()) {
                    fault(i, Tr::tr("It is not one expression: %1").arg(*wrong));
                    break;
                }
            }
        }
    }

    /// Planning runs what claims to be immutable, and reading a constant may run its domain's checks. Even a read-only
    /// transaction can leave something behind (traps 12), so that each is taken back.
    Result<void> enter()
    {
        if (m_entered || !m_ownTransaction) {
            return {};
        }
        const auto begun = m_session.begin();
        m_entered = begun.ok();
        return begun;
    }

    void leave()
    {
        if (std::exchange(m_entered, false)) {
            m_session.rollback();
        }
    }

    Result<bool> apart(const QList<qsizetype> &indexes)
    {
        TRY(enter());
        const auto answer = standsApart(m_session, m_relation, m_expressions, indexes);
        if (!answer) {
            leave();
        }
        return answer;
    }

    Result<QList<quint32>> describe(const QList<qsizetype> &indexes)
    {
        TRY(enter());
        const auto described = m_session.describe(
            u"SELECT "_s + selectList(m_expressions, indexes) + u" FROM "_s + m_relation + u" AS t"_s);
        if (!described) {
            leave();
            return described.error();
        }
        if (described->columnTypes.size() != indexes.size()) {
            Error error;
            error.kind = ErrorKind::Syntax;
            error.detail = Tr::tr("It makes more than one column.");
            return error;
        }
        return described->columnTypes;
    }

    void describeAll()
    {
        m_types = QList<quint32>(m_expressions.size(), 0);
        if (m_good.isEmpty()) {
            return;
        }
        const auto together = describe(m_good);
        if (together) {
            for (qsizetype k = 0; k < m_good.size(); ++k) {
                m_types[m_good.at(k)] = together->at(k);
            }
            return;
        }
        if (give(together.error())) {
            return;
        }
        const QList<qsizetype> each = m_good;
        for (const qsizetype i : each) {
            const auto alone = describe({ i });
            if (alone) {
                m_types[i] = alone->first();
            } else if (give(alone.error())) {
                return;
            } else {
                fault(i, Tr::tr("The server cannot plan it: %1").arg(alone.error().detail.section(u'\n', 0, 0)),
                    alone.error());
            }
        }
    }

    void probeAll()
    {
        if (m_good.isEmpty()) {
            return;
        }
        const auto together = apart(m_good);
        if (together.ok() && !*together) {
            return;
        }
        if (!together && give(together.error())) {
            return;
        }
        const QList<qsizetype> each = m_good;
        for (const qsizetype i : each) {
            const auto alone = apart({ i });
            if (!alone) {
                if (give(alone.error())) {
                    return;
                }
                const bool rights = alone.error().kind == ErrorKind::Privilege;
                fault(i,
                    (rights ? Tr::tr("You may not read what it needs: %1") : Tr::tr("The server cannot plan it: %1"))
                        .arg(alone.error().detail.section(u'\n', 0, 0)),
                    alone.error());
            } else if (*alone) {
                fault(i,
                    Tr::tr("It contains a volatile, aggregate or set-returning function. Only functions that cannot "
                           "change anything may be read."));
            }
        }
    }

    void checkTypes()
    {
        QList<quint32> oids;
        for (const qsizetype i : std::as_const(m_good)) {
            if (!oids.contains(m_types.at(i))) {
                oids.append(m_types.at(i));
            }
        }
        const auto types = readTypes(m_session, oids);
        if (!types) {
            m_trouble = types.error();
            return;
        }
        const QList<qsizetype> each = m_good;
        for (const qsizetype i : each) {
            const TypeFacts type = types->value(m_types.at(i));
            const QString wrong = typeFault(m_expressions.at(i).wanted, type);
            if (!wrong.isEmpty()) {
                fault(i, wrong);
            } else if (m_expressions.at(i).keep) {
                m_expressions.at(i).keep(type, m_types.at(i));
            }
        }
    }

    Session &m_session;
    QString m_relation;
    const QList<PlannedExpression> &m_expressions;
    QList<qsizetype> m_good;
    QList<quint32> m_types;
    QList<PlanFault> m_faults;
    std::optional<Error> m_trouble;
    const bool m_ownTransaction; ///< else the caller's is taken back
    bool m_entered = false;
};

} // namespace

Result<QList<PlanFault>> planExpressions(
    Session &session, const QString &relation, const QList<PlannedExpression> &expressions)
{
    return Planner(session, relation, expressions).run();
}

} // namespace idemdesk::sql
