// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/profile_maker.h"

#include "sql/detect/words.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

class ProfileMaker
{
public:
    ProfileMaker(const TableEvidence &table, const Guess &guess)
        : m_table(table)
        , m_guess(guess)
    {
    }

    Profile make()
    {
        head();
        states();
        stale();
        guard();
        actions();
        purge();
        orders();
        m_profile.policies.append(PolicySpec { {}, u"external"_s, {}, {}, {} });
        return m_profile;
    }

private:
    Expression expressionOf(const QString &name) const
    {
        for (const ColumnEvidence &column : m_table.columns) {
            if (column.facts.name == name) {
                return column.expression();
            }
        }
        return {};
    }
    const ColumnFacts *facts(Role role) const { return m_table.relation.column(m_guess.roles.columns.value(role)); }
    bool hasState(KeyState state) const
    {
        return m_profile.otherStates == state
            || std::any_of(m_profile.states.begin(), m_profile.states.end(),
                [state](const auto &entry) { return entry.second == state; });
    }
    QString rawOf(KeyState state) const
    {
        for (const auto &[raw, mapped] : m_profile.states) {
            if (mapped == state) {
                return raw;
            }
        }
        return {};
    }

    void head()
    {
        static const QRegularExpression other(u"[^A-Za-z0-9._-]+"_s);
        QString name = m_table.relation.schema + u'-' + m_table.relation.name;
        name.replace(other, u"-"_s);
        name.remove(QRegularExpression(u"^[^A-Za-z0-9]+"_s));
        m_profile.name = name.isEmpty() ? u"detected"_s : name.left(63);
        m_profile.title = m_table.relation.name;
        m_profile.kind = m_guess.kind;
        m_profile.relation = m_table.relation.sql;
        m_profile.identity = m_guess.key.identity;
        m_profile.key = expressionOf(m_guess.key.key);
        QSet<QString> labels;
        for (const QString &column : m_guess.key.scope) {
            QString label = scopeLabel(column);
            for (int n = 2; labels.contains(label); ++n) {
                label = scopeLabel(column) + u'_' + QString::number(n);
            }
            labels.insert(label);
            m_profile.scope.append({ label, expressionOf(column) });
        }
        for (auto it = m_guess.roles.columns.cbegin(); it != m_guess.roles.columns.cend(); ++it) {
            m_profile.roles.insert(it.key(), expressionOf(it.value()));
        }
        if (!m_guess.status.sql.isEmpty()) {
            Expression status;
            status.sql = m_guess.status.sql;
            status.column = m_guess.status.column;
            m_profile.roles.insert(Role::Status, status);
        }
    }

    void states()
    {
        m_profile.states = m_guess.status.states;
        m_profile.otherStates = m_guess.status.others;
        const bool claims = std::any_of(m_profile.states.begin(), m_profile.states.end(),
            [](const auto &entry) { return entry.second == KeyState::InProgress; });
        if (m_guess.kind == TargetKind::Request && !claims) {
            // A request's row is written when its work begins: what is not finished is under way.
            for (auto &[raw, state] : m_profile.states) {
                state = state == KeyState::Pending ? KeyState::InProgress : state;
            }
        }
        if (m_guess.status.sql.isEmpty()) {
            const bool done = m_guess.roles.has(Role::CompletedAt) || m_guess.kind == TargetKind::Inbox
                || m_guess.kind == TargetKind::Request;
            m_profile.otherStates = done ? KeyState::Succeeded : KeyState::Unknown;
        } else if (m_profile.states.isEmpty() && !m_profile.otherStates) {
            m_profile.otherStates = KeyState::Unknown;
        }
    }

    void stale()
    {
        QList<TimeRule> rules;
        const auto add
            = [&rules](KeyState state, const Expression &by, const QString &after, const QString &when = {}) {
                  rules.append(TimeRule { { state }, {}, by, after, when });
              };
        if (hasState(KeyState::InProgress)) {
            if (m_profile.has(Role::LeaseUntil)) {
                add(KeyState::InProgress, m_profile.role(Role::LeaseUntil), u"0s"_s);
            } else if (m_profile.has(Role::HeartbeatAt)) {
                add(KeyState::InProgress, m_profile.role(Role::HeartbeatAt), u"5m"_s);
                if (m_profile.has(Role::CreatedAt) && !facts(Role::HeartbeatAt)->notNull) {
                    add(KeyState::InProgress, m_profile.role(Role::CreatedAt), u"5m"_s,
                        m_profile.role(Role::HeartbeatAt).sql + u" IS NULL"_s);
                }
            } else if (m_profile.has(Role::ClaimedAt)) {
                add(KeyState::InProgress, m_profile.role(Role::ClaimedAt), u"5m"_s);
            } else if (m_profile.has(Role::CreatedAt)) {
                add(KeyState::InProgress, m_profile.role(Role::CreatedAt), u"15m"_s);
            }
        }
        const bool waits = m_guess.kind == TargetKind::Inbox || m_guess.kind == TargetKind::Outbox;
        if (waits && hasState(KeyState::Pending) && m_profile.has(Role::CreatedAt)) {
            add(KeyState::Pending, m_profile.role(Role::CreatedAt), u"15m"_s);
        }
        if (!rules.isEmpty()) {
            m_profile.stale = rules;
        }
    }

    void guard()
    {
        QStringList columns { m_guess.status.column };
        for (const Role role : { Role::LeaseUntil, Role::ClaimedAt, Role::HeartbeatAt, Role::Attempts, Role::UpdatedAt,
                 Role::CompletedAt }) {
            columns.append(m_guess.roles.columns.value(role));
        }
        for (const QString &column : std::as_const(columns)) {
            if (!column.isEmpty() && !m_profile.guard.contains(column)) {
                m_profile.guard.append(column);
            }
        }
        for (const ColumnEvidence &column : m_table.columns) {
            if (column.integer() && column.words == QStringList { u"version"_s }) {
                m_profile.guard.append(column.facts.name);
            }
        }
    }

    /// A rule that writes a status; lets go of the claim and notes the time where the columns allow it.
    ActionRule writes(const QList<KeyState> &from, KeyState to)
    {
        ActionRule rule;
        rule.from = from;
        rule.to = to;
        rule.set.append({ m_guess.status.column, quoteLiteral(rawOf(to)).trimmed() });
        const QList<Role> freed = m_profile.has(Role::LeaseUntil) ? QList<Role> { Role::LeaseUntil, Role::Owner }
                                                                  : QList<Role> { Role::ClaimedAt, Role::Owner };
        for (const Role role : freed) {
            const ColumnFacts *column = facts(role);
            if (column != nullptr && !column->notNull && !column->generated
                && (role != Role::Owner || to == KeyState::Pending)) {
                rule.set.append({ column->name, u"NULL"_s });
            }
        }
        const ColumnFacts *updated = facts(Role::UpdatedAt);
        if (updated != nullptr && updated->typeName == u"timestamptz" && !updated->generated) {
            rule.set.append({ updated->name, u"$now"_s });
        }
        if (m_profile.guard.contains(u"version"_s)) {
            rule.set.append({ u"version"_s, u"t.version + 1"_s });
        }
        return rule;
    }

    void actions()
    {
        ActionRule frees;
        frees.deletes = true;
        const bool writable = !m_guess.status.column.isEmpty() && !m_table.relation.isView();
        if (m_table.relation.isView()) {
            return;
        }
        const bool queue = m_guess.kind != TargetKind::Request;
        if (writable && hasState(KeyState::InProgress)) {
            for (const KeyState to : { KeyState::FailedRetryable, KeyState::Pending, KeyState::FailedFinal }) {
                if (!rawOf(to).isEmpty() && rawOf(KeyState::InProgress) != rawOf(to)) {
                    m_profile.recover.append(writes({ KeyState::InProgress }, to));
                }
            }
        }
        QList<KeyState> failed;
        for (const KeyState state : { KeyState::FailedRetryable, KeyState::FailedFinal }) {
            if (!rawOf(state).isEmpty()) {
                failed.append(state);
            }
        }
        if (writable && queue && !failed.isEmpty() && !rawOf(KeyState::Pending).isEmpty()) {
            m_profile.requeue.append(writes(failed, KeyState::Pending));
        } else if (m_guess.kind == TargetKind::Inbox && hasState(KeyState::Succeeded)) {
            frees.from = QList<KeyState> { KeyState::Succeeded };
            m_profile.requeue.append(frees);
        }
    }

    void purge()
    {
        QList<KeyState> finished;
        for (const KeyState state : { KeyState::Succeeded, KeyState::FailedFinal }) {
            if (hasState(state)) {
                finished.append(state);
            }
        }
        if (finished.isEmpty()) {
            return;
        }
        const std::pair<Role, QString> candidates[] { { Role::ExpiresAt, u"0s"_s }, { Role::CompletedAt, u"90d"_s },
            { Role::CreatedAt, u"90d"_s } };
        for (const auto &[role, after] : candidates) {
            if (m_profile.has(role)) {
                m_profile.purge.append(TimeRule { finished, {}, m_profile.role(role), after, {} });
                return;
            }
        }
    }

    void orders()
    {
        const std::pair<Role, QString> candidates[] { { Role::ExpiresAt, u"expiry"_s },
            { Role::CreatedAt, u"created"_s }, { Role::CompletedAt, u"completed"_s } };
        for (const auto &[role, label] : candidates) {
            const ColumnFacts *column = facts(role);
            for (const IndexFacts &index : m_table.relation.indexes) {
                const bool serves = column != nullptr && index.method == u"btree" && index.valid
                    && index.predicate.isEmpty() && !index.columns.isEmpty()
                    && index.columnNumbers.first() == column->number;
                if (serves) {
                    OrderSpec order;
                    order.label = label;
                    order.value = expressionOf(column->name);
                    order.descending = index.descending.first();
                    order.nullsLast = !index.nullsFirst.first();
                    order.nullsWritten = !column->notNull;
                    m_profile.orders.append(order);
                    break;
                }
            }
        }
    }

    const TableEvidence &m_table;
    const Guess &m_guess;
    Profile m_profile;
};

} // namespace

Profile makeProfile(const TableEvidence &table, const Guess &guess)
{
    return ProfileMaker(table, guess).make();
}

} // namespace idemdesk::sql
