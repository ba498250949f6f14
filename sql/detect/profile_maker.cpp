// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/profile_maker.h"

#include "sql/detect/words.h"
#include "sql/profile/profile_codec.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

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
        fields();
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
    /// The word for a state that says just that: "available" rather than "scheduled", "discarded" than "cancelled".
    QString rawOf(KeyState state) const
    {
        static const QStringList special { u"scheduled"_s, u"suspended"_s, u"paused"_s, u"delayed"_s, u"version"_s,
            u"waiting"_s, u"cancelled"_s, u"canceled"_s, u"expired"_s, u"rejected"_s, u"interrupted"_s, u"timed"_s,
            u"ignored"_s, u"skipped"_s };
        QString found;
        for (const auto &[raw, mapped] : m_profile.states) {
            if (mapped == state && !hasAny(wordsOf(raw), special)) {
                return raw;
            }
            found = mapped == state && found.isEmpty() ? raw : found;
        }
        return found;
    }
    static bool isVersion(const ColumnEvidence &column)
    {
        static const QList<QStringList> names { { u"version"_s }, { u"row"_s, u"version"_s },
            { u"lock"_s, u"version"_s } };
        return column.integer() && !column.facts.generated && names.contains(column.words);
    }
    /// Whoever took the row last: one who comes later with an older one is refused.
    static bool isFence(const ColumnEvidence &column)
    {
        return column.uuid() && column.facts.notNull && !column.facts.generated && column.words.size() <= 2
            && hasAny(column.words, { u"token"_s, u"fence"_s, u"fencing"_s });
    }
    /// A row's presence alone: it was handled, it waits to be sent and goes then, or somebody holds it.
    KeyState stateOfPresence() const
    {
        const bool waits = (m_guess.kind == TargetKind::Outbox || m_guess.kind == TargetKind::Job)
            && m_guess.roles.has(Role::RequestPayload);
        return m_guess.kind == TargetKind::Lease ? KeyState::InProgress
            : m_guess.roles.has(Role::CompletedAt) || m_guess.kind == TargetKind::Inbox
                || m_guess.kind == TargetKind::Request
            ? KeyState::Succeeded
            : waits ? KeyState::Pending
                    : KeyState::Unknown;
    }
    /// How long a claim holds: what the row says, else what such stamps usually mean. A lock is held for minutes; work
    /// that was started may take an hour.
    QString spanOfClaim() const
    {
        static const QStringList about { u"timeout"_s, u"lease"_s, u"lock"_s, u"claim"_s, u"visibility"_s };
        static const std::pair<QStringList, QString> units[] { { { u"ms"_s, u"millis"_s, u"milliseconds"_s },
                                                                   u"millisecond"_s },
            { { u"s"_s, u"sec"_s, u"secs"_s, u"seconds"_s }, u"second"_s },
            { { u"min"_s, u"mins"_s, u"minutes"_s }, u"minute"_s } };
        for (const ColumnEvidence &column : m_table.columns) {
            if (column.used || !column.facts.notNull || !hasAny(column.words, about)) {
                continue;
            }
            if (column.facts.typeName == u"interval") {
                return column.expression().sql;
            }
            for (const auto &[words, unit] : units) {
                if (column.integer() && hasAny(column.words, words)) {
                    return column.expression().sql + u" * interval '1 "_s + unit + u'\'';
                }
            }
        }
        static const QStringList locks { u"lock"_s, u"locked"_s, u"lease"_s, u"leased"_s, u"claim"_s, u"claimed"_s,
            u"reserved"_s };
        return hasAny(wordsOf(m_guess.roles.columns.value(Role::ClaimedAt)), locks) ? u"5m"_s : u"1h"_s;
    }
    /// $now as the column keeps its times; empty where it cannot be written so.
    QString nowFor(Role role) const
    {
        const ColumnFacts *column = facts(role);
        if (column == nullptr || column->generated) {
            return {};
        }
        switch (m_profile.role(role).form) {
        case TimeForm::Native:
            return column->typeName == u"timestamptz" ? u"$now"_s : QString();
        case TimeForm::Utc:
            return u"$now AT TIME ZONE 'UTC'"_s;
        case TimeForm::Zone:
            return u"$now AT TIME ZONE "_s + quoteLiteral(m_profile.role(role).zone).trimmed();
        case TimeForm::EpochMs:
            return u"(extract(epoch FROM $now) * 1000)::pg_catalog.int8"_s;
        case TimeForm::EpochS:
            return u"extract(epoch FROM $now)::pg_catalog.int8"_s;
        case TimeForm::Iso:
            break;
        }
        return {};
    }
    /// Does a CHECK tie this column to the state?
    bool tied(const QString &column) const
    {
        return std::any_of(
            m_table.relation.checks.begin(), m_table.relation.checks.end(), [&](const CheckFacts &check) {
                return check.definition.contains(column) && check.definition.contains(m_guess.status.column);
            });
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
        for (const QString &column : m_guess.key.identity) {
            if (column != m_guess.status.column) {
                m_profile.identityStable.append(column);
            }
        }
        if (m_profile.identityStable == m_profile.identity) {
            m_profile.identityStable.clear();
        }
        for (const QString &column : m_guess.key.aliases) {
            m_profile.aliases.append({ scopeLabel(column), expressionOf(column) });
        }
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

    /// Columns without a role that people ask for all the same: when a row is due, how urgent it is, what it is about,
    /// and what ties it to a trace.
    void fields()
    {
        constexpr qsizetype kMostFields = 6; // a list of all columns would be no list
        static const QStringList due { u"next"_s, u"due"_s, u"available"_s, u"scheduled"_s, u"schedule"_s, u"visible"_s,
            u"run"_s, u"eligible"_s, u"retry"_s };
        static const QStringList amounts { u"priority"_s, u"latency"_s, u"duration"_s };
        static const QStringList about { u"queue"_s, u"topic"_s, u"channel"_s, u"type"_s, u"kind"_s, u"correlation"_s,
            u"trace"_s, u"span"_s, u"region"_s, u"requested"_s, u"requester"_s, u"actor"_s };
        static const QRegularExpression form(u"^[\\p{L}_][\\p{L}\\p{N}_.-]*$"_s);
        QStringList taken = takenFieldLabels(m_profile);
        for (const ColumnEvidence &column : m_table.columns) {
            const QString &name = column.facts.name;
            const bool time = column.time == TimeForm::Native && column.facts.typeName == u"timestamptz"
                && hasAny(column.words, due);
            const bool number = !column.time && column.facts.typeCategory == u'N' && hasAny(column.words, amounts);
            const bool text = (column.text() || column.uuid()) && !column.time && hasAny(column.words, about);
            const bool inUse = column.used || m_guess.key.identity.contains(name) || m_guess.key.scope.contains(name)
                || m_guess.key.aliases.contains(name) || name == m_guess.key.key || name == m_guess.status.column;
            if (inUse || (!time && !number && !text) || taken.contains(name, Qt::CaseInsensitive)
                || !form.match(name).hasMatch() || m_profile.fields.size() == kMostFields) {
                continue;
            }
            taken += name;
            m_profile.fields.append({ name, column.expression(),
                time         ? FieldType::Time
                    : number ? FieldType::Number
                             : FieldType::Text });
        }
    }

    void states()
    {
        m_profile.states = m_guess.status.states;
        m_profile.otherStates = m_guess.status.others;
        m_profile.nullState = m_guess.status.ofNull;
        if (m_guess.status.constrained && !m_profile.otherStates) {
            for (const QString &raw : m_guess.status.unmapped) {
                m_profile.states.append({ raw, KeyState::Unknown }); // said, not left out
            }
        } else if (m_guess.status.shown) {
            m_profile.otherStates = KeyState::Unknown;
        }
        const bool claims = std::any_of(m_profile.states.begin(), m_profile.states.end(),
            [](const auto &entry) { return entry.second == KeyState::InProgress; });
        if (m_guess.kind == TargetKind::Request && !claims) {
            // A request's row is written when its work begins: what is not finished is under way.
            for (auto &[raw, state] : m_profile.states) {
                state = state == KeyState::Pending ? KeyState::InProgress : state;
            }
            m_profile.nullState = m_profile.nullState == KeyState::Pending ? KeyState::InProgress : m_profile.nullState;
        }
        if (m_guess.status.sql.isEmpty()) {
            m_profile.otherStates = stateOfPresence();
        } else if (m_profile.states.isEmpty() && !m_profile.otherStates) {
            m_profile.otherStates = KeyState::Unknown;
        }
    }

    void stale()
    {
        QList<TimeRule> rules;
        const bool byClock = m_guess.status.byClock; // what is past its time is not held any more
        const auto add
            = [&rules](KeyState state, const Expression &by, const QString &after, const QString &when = {}) {
                  rules.append(TimeRule { { state }, {}, by, after, when });
              };
        if (hasState(KeyState::InProgress) && !byClock) {
            if (m_guess.expiryIsLease) {
                add(KeyState::InProgress, m_profile.role(Role::ExpiresAt), u"0s"_s);
            } else if (m_profile.has(Role::LeaseUntil)) {
                add(KeyState::InProgress, m_profile.role(Role::LeaseUntil), u"0s"_s);
            } else if (m_profile.has(Role::HeartbeatAt)) {
                add(KeyState::InProgress, m_profile.role(Role::HeartbeatAt), u"5m"_s);
                if (m_profile.has(Role::CreatedAt) && !facts(Role::HeartbeatAt)->notNull) {
                    add(KeyState::InProgress, m_profile.role(Role::CreatedAt), u"5m"_s,
                        m_profile.role(Role::HeartbeatAt).sql + u" IS NULL"_s);
                }
            } else if (m_profile.has(Role::ClaimedAt)) {
                add(KeyState::InProgress, m_profile.role(Role::ClaimedAt), spanOfClaim());
            } else if (m_profile.has(Role::UpdatedAt)) {
                add(KeyState::InProgress, m_profile.role(Role::UpdatedAt), u"15m"_s);
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
        QStringList columns { m_guess.status.column, m_guess.status.document };
        for (const StatusGuess::Part &part : m_guess.status.parts) {
            columns.append(part.column);
        }
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
            if ((isVersion(column) || isFence(column)) && !m_profile.guard.contains(column.facts.name)) {
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
        addFreed(to, &rule);
        const ColumnFacts *completed = facts(Role::CompletedAt);
        if (completed != nullptr && !completed->notNull && !completed->generated && tied(completed->name)) {
            const bool ends = to == KeyState::FailedFinal || to == KeyState::Succeeded;
            rule.set.append({ completed->name, ends ? nowFor(Role::CompletedAt) : u"NULL"_s });
        }
        addNoted(&rule);
        return rule;
    }

    void addFreed(KeyState to, ActionRule *rule) const
    {
        const QList<Role> freed = m_profile.has(Role::LeaseUntil) ? QList<Role> { Role::LeaseUntil, Role::Owner }
                                                                  : QList<Role> { Role::ClaimedAt, Role::Owner };
        for (const Role role : freed) {
            const ColumnFacts *column = facts(role);
            if (column != nullptr && !column->notNull && !column->generated
                && (role != Role::Owner || to == KeyState::Pending)) {
                rule->set.append({ column->name, u"NULL"_s });
            }
        }
    }

    /// What every writer of the row notes: the time, a version, a token.
    void addNoted(ActionRule *rule) const
    {
        if (const QString now = nowFor(Role::UpdatedAt); !now.isEmpty()) {
            rule->set.append({ facts(Role::UpdatedAt)->name, now });
        }
        for (const ColumnEvidence &column : m_table.columns) {
            if (isVersion(column)) {
                rule->set.append({ column.facts.name, column.expression().sql + u" + 1"_s });
            } else if (isFence(column)) {
                rule->set.append({ column.facts.name, u"$action::uuid"_s });
            }
        }
    }

    void actions()
    {
        const ColumnFacts *status = m_table.relation.column(m_guess.status.column);
        if (m_table.relation.isView()) {
            return;
        }
        const bool queue = m_guess.kind != TargetKind::Request;
        if (status != nullptr && !status->generated) {
            writtenActions(queue);
        } else if (m_guess.status.derived && !m_guess.status.byClock) {
            derivedActions();
        }
        const bool frees = m_guess.kind == TargetKind::Inbox && hasState(KeyState::Succeeded) && !m_guess.payloadKept
            && m_guess.cascades.isEmpty();
        if (m_profile.requeue.isEmpty() && frees) {
            ActionRule rule;
            rule.deletes = true;
            rule.from = QList<KeyState> { KeyState::Succeeded };
            m_profile.requeue.append(rule);
        }
    }

    void writtenActions(bool queue)
    {
        if (hasState(KeyState::InProgress)) {
            for (const KeyState to : { KeyState::FailedRetryable, KeyState::Pending, KeyState::FailedFinal }) {
                if (!rawOf(to).isEmpty() && !rawOf(KeyState::InProgress).isEmpty()) {
                    m_profile.recover.append(writes({ KeyState::InProgress }, to));
                }
            }
        }
        QList<KeyState> failed;
        QStringList raws;
        bool willed = false;
        for (const auto &[raw, state] : m_profile.states) {
            if (state != KeyState::FailedRetryable && state != KeyState::FailedFinal) {
                continue;
            }
            // Ended by somebody's will: nobody asked for it to be done after all.
            if (hasAny(wordsOf(raw), { u"cancelled"_s, u"canceled"_s, u"rejected"_s, u"revoked"_s })) {
                willed = true;
                continue;
            }
            raws.append(raw);
            failed += failed.contains(state) ? QList<KeyState>() : QList<KeyState> { state };
        }
        if (queue && !failed.isEmpty() && !rawOf(KeyState::Pending).isEmpty()) {
            ActionRule rule = writes(failed, KeyState::Pending);
            rule.status = willed ? raws : QStringList();
            m_profile.requeue.append(rule);
        }
    }

    /// What booleans and times say is taken back: the claim of work that hangs, the mark of work that failed.
    void derivedActions()
    {
        const auto takesBack = [this](KeyState state, QList<ActionRule> *rules) {
            ActionRule rule;
            rule.from = QList<KeyState> { state };
            rule.to = KeyState::Pending;
            for (const StatusGuess::Part &part : m_guess.status.parts) {
                const ColumnFacts *column = m_table.relation.column(part.column);
                if (part.state == state && column != nullptr && !column->generated) {
                    rule.set.append({ part.column, part.boolean ? u"false"_s : u"NULL"_s });
                }
            }
            if (!rule.set.isEmpty()) {
                for (const StatusGuess::Part &part : m_guess.status.parts) {
                    if (part.state == KeyState::InProgress && state != KeyState::InProgress) {
                        rule.set.append({ part.column, part.boolean ? u"false"_s : u"NULL"_s });
                    }
                }
                addNoted(&rule);
                rules->append(rule);
            }
        };
        takesBack(KeyState::InProgress, &m_profile.recover);
        takesBack(KeyState::FailedRetryable, &m_profile.requeue);
        takesBack(KeyState::FailedFinal, &m_profile.requeue);
    }

    void purge()
    {
        QList<KeyState> finished;
        for (const KeyState state : { KeyState::Succeeded, KeyState::FailedFinal }) {
            if (hasState(state)) {
                finished.append(state);
            }
        }
        if (finished.isEmpty() || !m_guess.cascades.isEmpty()) {
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

/// The middle of what is left of the expiry when rows are made, in milliseconds, over rows in these states.
std::optional<qint64> middleSpan(const TableEvidence &table, const Guess &guess, const QList<KeyState> &states)
{
    constexpr qsizetype least = 3;
    const auto place = [&table](const QString &name) {
        const auto found = std::find_if(table.columns.begin(), table.columns.end(),
            [&name](const ColumnEvidence &column) { return column.facts.name == name; });
        return found == table.columns.end() ? qsizetype(-1) : found - table.columns.begin();
    };
    const qsizetype status = place(guess.status.column);
    const qsizetype created = place(guess.roles.columns.value(Role::CreatedAt));
    const qsizetype expires = place(guess.roles.columns.value(Role::ExpiresAt));
    if (status < 0 || created < 0 || expires < 0) {
        return std::nullopt;
    }
    QList<qint64> spans;
    for (const Cells &row : table.rows) {
        const auto from = sampledTime(table.columns.at(created), row.at(created));
        const auto to = sampledTime(table.columns.at(expires), row.at(expires));
        const bool wanted = std::any_of(guess.status.states.begin(), guess.status.states.end(), [&](const auto &entry) {
            return !row.at(status).null && row.at(status).text == entry.first && states.contains(entry.second);
        });
        if (wanted && from && to) {
            spans.append(*to - *from);
        }
    }
    if (spans.size() < least) {
        return std::nullopt;
    }
    std::sort(spans.begin(), spans.end());
    return spans.at(spans.size() / 2);
}

} // namespace

void weigh(const TableEvidence &table, Guess *guess)
{
    const RoleGuess &roles = guess->roles;
    const bool claims = roles.has(Role::LeaseUntil) || roles.has(Role::ClaimedAt) || roles.has(Role::HeartbeatAt);
    const auto open = middleSpan(table, *guess, { KeyState::InProgress, KeyState::Pending });
    const auto closed = middleSpan(table, *guess, { KeyState::Succeeded, KeyState::FailedFinal });
    guess->expiryIsLease = !claims && open && closed && *open * 4 < *closed;
    guess->staleAssumed = !guess->expiryIsLease && !roles.has(Role::LeaseUntil);
    for (const ForeignKeyFacts &key : table.relation.foreignKeys) {
        if (key.incoming && key.onDelete != u'a' && key.onDelete != u'r') {
            guess->cascades = key.table;
        }
    }
    const QList<Role> others { Role::ResponseBody, Role::ErrorMessage };
    guess->payloadKept = std::any_of(table.columns.begin(), table.columns.end(), [&](const ColumnEvidence &column) {
        const bool other = std::any_of(
            others.begin(), others.end(), [&](Role role) { return roles.columns.value(role) == column.facts.name; });
        const bool kept = column.facts.name == roles.columns.value(Role::RequestPayload);
        const bool unread = (column.document() || column.bytes()) && !column.used;
        return kept || (unread && !other && column.facts.name != guess->key.key);
    });
}

Profile makeProfile(const TableEvidence &table, const Guess &guess)
{
    return ProfileMaker(table, guess).make();
}

} // namespace idemdesk::sql
