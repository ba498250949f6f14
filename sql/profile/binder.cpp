// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/binder.h"

#include "sql/json/json_tree.h"
#include "sql/profile/binder_parts.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/expression_judge.h"
#include "sql/profile/expression_plan.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/reader_rights.h"
#include "sql/types/tr.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Collects a profile's expressions, has them planned, and leaves in the target what may be used.
class Binder
{
public:
    Binder(Session &session, const Profile &profile)
        : m_session(session)
    {
        m_target.profile = profile;
    }

    Result<Target> run();

private:
    using Keep = std::function<void(const TypeFacts &, quint32)>;

    void add(const QString &path, const QString &sql, Wanted wanted, Keep keep, std::function<void()> drop,
        bool essential = false);
    /// The profile's own text within what was added last.
    void isMadeOf(const QStringList &parts, SqlForm form = SqlForm::Expression);
    void addTime(
        const QString &path, const Expression &expression, const Keep &keep, const std::function<void()> &drop);
    ExpressionType typeOf(const Expression &expression, const TypeFacts &facts) const;
    Result<void> bindIdentity();
    void collectColumns();
    void collectRoles();
    void collectRules(const QString &path, QList<TimeRule> *rules, QSet<qsizetype> *bad);
    void collectRetry();
    void collectRest();
    void removeDropped();
    Result<void> judgeRules();
    void noteRelation();
    Result<void> noteTablesBeside();
    /// What owners run so that this login may read all that the profile names: statements, empty where nothing is known
    /// to lack.
    QString missingGrants(bool schemasOnly = false);
    void noteGrants(const QList<PlanFault> &faults);

    Session &m_session;
    Target m_target;
    QList<PlannedExpression> m_expressions;
    QSet<Role> m_badRoles;
    QSet<qsizetype> m_badAliases;
    QSet<qsizetype> m_badFields;
    QSet<qsizetype> m_badStale;
    QSet<qsizetype> m_badPurge;
    QSet<qsizetype> m_badOrders;
    bool m_badRetry = false;
};

void Binder::add(
    const QString &path, const QString &sql, Wanted wanted, Keep keep, std::function<void()> drop, bool essential)
{
    m_expressions.append(
        { path, renderNow(sql, u"pg_catalog.now()"_s), wanted, essential, std::move(keep), std::move(drop) });
}

void Binder::isMadeOf(const QStringList &parts, SqlForm form)
{
    PlannedExpression &expression = m_expressions.last();
    expression.form = form;
    for (const QString &part : parts) {
        if (!part.isEmpty()) {
            expression.parts.append(renderNow(part, u"pg_catalog.now()"_s));
        }
    }
}

void Binder::addTime(
    const QString &path, const Expression &expression, const Keep &keep, const std::function<void()> &drop)
{
    add(path, expression.sql, wantedOf(expression.form), keep, drop);
    if (expression.form != TimeForm::Native || !expression.when.isEmpty()) {
        add(path, timestamptzSql(expression), Wanted::Timestamptz, {}, drop);
        isMadeOf({ expression.sql, expression.when });
    }
}

ExpressionType Binder::typeOf(const Expression &expression, const TypeFacts &facts) const
{
    ExpressionType type;
    type.castType = facts.castType;
    type.typeName = facts.name;
    type.category = facts.category;
    type.operatorSchema = facts.operatorSchema;
    type.enumLabels = facts.enumLabels;
    if (const ColumnFacts *column = m_target.relation.column(expression.column)) {
        type.codePointOrder = column->codePointOrder;
    }
    return type;
}

Result<void> Binder::bindIdentity()
{
    Error error;
    error.what = Tr::tr("The profile %1 cannot be used on %2.").arg(m_target.profile.name, m_target.relation.sql);
    for (const QString &name : std::as_const(m_target.profile.identity)) {
        const ColumnFacts *column = m_target.relation.column(name);
        if (column == nullptr) {
            error.kind = ErrorKind::MissingObject;
            error.why = Tr::tr("Its identity names the column “%1”, which the table does not have.").arg(name);
            error.todo = Tr::tr("Correct “identity” in the profile.");
            error.where = u"$.identity"_s;
            return error;
        }
        if (!column->selectable) {
            error.kind = ErrorKind::Privilege;
            error.why = Tr::tr("You have no SELECT right on the column “%1”, which is part of its identity.").arg(name);
            const QString others = missingGrants();
            error.todo
                = Tr::tr("Its owner runs: %1")
                      .arg(!others.isEmpty() ? others
                                             : u"GRANT SELECT (%1) ON %2 TO %3;"_s.arg(quoteIdentifier(name),
                                                 m_target.relation.sql, quoteIdentifier(m_session.facts().user)));
            error.where = u"$.identity"_s;
            return error;
        }
        TypeFacts facts;
        facts.castType = column->castType;
        facts.name = column->typeName;
        facts.category = column->typeCategory;
        facts.operatorSchema = column->operatorSchema;
        facts.enumLabels = column->enumLabels;
        Expression expression;
        expression.column = name;
        m_target.identityTypes.append(typeOf(expression, facts));
    }
    m_target.identityUnique = identityIsUnique(m_target.relation, m_target.profile.identity);
    return {};
}

/// Fills in Expression::column where a profile that was built in code, not loaded, left it out.
void Binder::collectColumns()
{
    Profile &profile = m_target.profile;
    const auto complete = [](Expression *expression) {
        if (expression->column.isEmpty()) {
            expression->column = plainColumn(expression->sql);
        }
    };
    complete(&profile.key);
    for (LabelledExpression &part : profile.scope) {
        complete(&part.value);
    }
    for (LabelledExpression &alias : profile.aliases) {
        complete(&alias.value);
    }
    for (FieldSpec &field : profile.fields) {
        complete(&field.value);
    }
    for (Expression &role : profile.roles) {
        complete(&role);
    }
    for (OrderSpec &order : profile.orders) {
        complete(&order.value);
    }
}

void Binder::collectRoles()
{
    Profile &profile = m_target.profile;
    add(
        u"$.key"_s, profile.key.sql, Wanted::Comparable,
        [this](const TypeFacts &facts, quint32) { m_target.keyType = typeOf(m_target.profile.key, facts); }, {}, true);
    m_target.scopeTypes.resize(profile.scope.size());
    for (qsizetype i = 0; i < profile.scope.size(); ++i) {
        add(
            u"$.scope[%1]"_s.arg(i), profile.scope.at(i).value.sql, Wanted::Comparable,
            [this, i](const TypeFacts &facts, quint32) {
                m_target.scopeTypes[i] = typeOf(m_target.profile.scope.at(i).value, facts);
            },
            {}, true);
    }
    m_target.aliasTypes.resize(profile.aliases.size());
    for (qsizetype i = 0; i < profile.aliases.size(); ++i) {
        add(
            u"$.aliases[%1]"_s.arg(i), profile.aliases.at(i).value.sql, Wanted::Comparable,
            [this, i](const TypeFacts &facts, quint32) {
                m_target.aliasTypes[i] = typeOf(m_target.profile.aliases.at(i).value, facts);
            },
            [this, i] { m_badAliases.insert(i); });
    }
    m_target.fieldTypes.resize(profile.fields.size());
    for (qsizetype i = 0; i < profile.fields.size(); ++i) {
        const FieldSpec &field = profile.fields.at(i);
        const Wanted wanted = field.type == FieldType::Time ? Wanted::Timestamptz
            : field.type == FieldType::Number               ? Wanted::Number
                                                            : Wanted::Comparable;
        add(
            u"$.fields[%1]"_s.arg(i), field.value.sql, wanted,
            [this, i](const TypeFacts &facts, quint32) {
                m_target.fieldTypes[i] = typeOf(m_target.profile.fields.at(i).value, facts);
            },
            [this, i] { m_badFields.insert(i); });
    }
    for (auto it = profile.roles.cbegin(); it != profile.roles.cend(); ++it) {
        const Role role = it.key();
        const Keep keep = [this, role](const TypeFacts &facts, quint32) {
            m_target.roleTypes.insert(role, typeOf(m_target.profile.role(role), facts));
        };
        const auto drop = [this, role] { m_badRoles.insert(role); };
        const QString path = u"$.roles."_s + roleName(role);
        if (isTimeRole(role)) {
            addTime(path, it.value(), keep, drop);
        } else {
            const Wanted wanted = role == Role::Attempts ? Wanted::Number
                : role == Role::Status                   ? Wanted::Comparable
                                                         : Wanted::Anything;
            add(path, it.value().sql, wanted, keep, drop);
        }
    }
}

void Binder::collectRules(const QString &path, QList<TimeRule> *rules, QSet<qsizetype> *bad)
{
    for (qsizetype i = 0; i < rules->size(); ++i) {
        const TimeRule &rule = rules->at(i);
        const QString place = u"%1[%2]"_s.arg(path).arg(i);
        const auto drop = [bad, i] { bad->insert(i); };
        if (rule.by.present()) {
            addTime(place + u".by"_s, rule.by, {}, drop);
        }
        if (!rule.after.isEmpty() && !isDuration(rule.after)) {
            add(place + u".after"_s, rule.after, Wanted::Interval, {}, drop);
        }
        if (!rule.when.isEmpty()) {
            add(place + u".when"_s, rule.when, Wanted::Boolean, {}, drop);
        }
    }
}

void Binder::collectRetry()
{
    for (const auto &[path, sql] : m_target.profile.retryExpressions()) {
        const Wanted wanted = path.endsWith(u".when"_s) ? Wanted::Boolean
            : path.endsWith(u".until"_s)                ? Wanted::Timestamptz
                                                        : Wanted::Number;
        add(path, sql, wanted, {}, [this] { m_badRetry = true; });
    }
}

void Binder::collectRest()
{
    Profile &profile = m_target.profile;
    if (profile.stale) {
        collectRules(u"$.stale"_s, &*profile.stale, &m_badStale);
    }
    collectRules(u"$.purge"_s, &profile.purge, &m_badPurge);
    collectRetry();
    for (qsizetype i = 0; i < profile.orders.size(); ++i) {
        const OrderSpec &order = profile.orders.at(i);
        const auto drop = [this, i] { m_badOrders.insert(i); };
        const QString path = u"$.orders[%1]"_s.arg(i);
        if (order.value.form == TimeForm::Native) {
            add(path, order.value.sql, Wanted::Comparable, {}, drop);
        } else {
            addTime(path, order.value, {}, drop);
        }
    }
    for (qsizetype i = 0; i < profile.effects.size(); ++i) {
        // Kept all the same: evidence that cannot be read must be seen to be unreadable, or it would pass for absent.
        add(u"$.effects[%1].sql"_s.arg(i), effectProbe(profile.effects.at(i)), Wanted::Anything, {}, [] {});
        isMadeOf({ profile.effects.at(i).sql }, SqlForm::Query);
    }
    for (qsizetype i = 0; i < profile.policies.size(); ++i) {
        const PolicySpec &policy = profile.policies.at(i);
        const QString path = u"$.policies[%1]"_s.arg(i);
        bool number = false;
        policy.maxAttempts.toLongLong(&number);
        if (!policy.maxAttempts.isEmpty() && !number) {
            add(path + u".max_attempts"_s, policy.maxAttempts, Wanted::Number, {}, [this, i] {
                m_target.profile.policies[i].maxAttempts = u"NULL"_s;
                m_badRetry = true; // a limit that cannot be told, not none
            });
        }
        if (!policy.staleAfter.isEmpty() && !isDuration(policy.staleAfter)) {
            add(path + u".stale_after"_s, policy.staleAfter, Wanted::Interval, {}, [this, i] {
                m_target.profile.policies[i].staleAfter.clear();
                m_badRetry = true;
            });
        }
    }
    if (!profile.advisoryLock.isEmpty()) {
        add(u"$.advisory_lock"_s, profile.advisoryLock, Wanted::LockNumber, {},
            [this] { m_target.profile.advisoryLock.clear(); });
    }
    // Kept where they do not plan: the features that use them look for the finding, and say what could not be done.
    const bool nativeTime = profile.provider && profile.provider->at.form == TimeForm::Native;
    for (const auto &[path, sql] : profile.sideExpressions()) {
        const Wanted wanted = path == u"$.provider.amount"             ? Wanted::Number
            : path == u"$.provider.at.when"                            ? Wanted::Boolean
            : path == u"$.provider.at" && nativeTime                   ? Wanted::Timestamptz
            : path.startsWith(u"$.provider.") && !path.endsWith(u"at") ? Wanted::Comparable
                                                                       : Wanted::Anything;
        add(path, sql, wanted, {}, [] {});
    }
}

template <typename T> void removeAt(QList<T> *list, const QSet<qsizetype> &bad)
{
    for (qsizetype i = list->size() - 1; i >= 0; --i) {
        if (bad.contains(i)) {
            list->removeAt(i);
        }
    }
}

void Binder::removeDropped()
{
    Profile &profile = m_target.profile;
    for (const Role role : std::as_const(m_badRoles)) {
        profile.roles.remove(role);
        m_target.roleTypes.remove(role);
    }
    if (m_badRoles.contains(Role::Status)) {
        // Without its status no row's state is known; "*" was meant for other statuses, not for none.
        profile.states.clear();
        profile.nullState.reset();
        profile.otherStates = KeyState::Unknown;
    }
    removeAt(&profile.aliases, m_badAliases);
    removeAt(&m_target.aliasTypes, m_badAliases);
    removeAt(&profile.fields, m_badFields);
    removeAt(&m_target.fieldTypes, m_badFields);
    removeAt(&profile.purge, m_badPurge);
    removeAt(&profile.orders, m_badOrders);
    if (profile.stale && !m_badStale.isEmpty()) {
        // A rule that is gone would make stale rows look fresh: nothing is said of any.
        profile.stale.reset();
    }
    // The next rule would answer for one that is gone, or that goes by what is gone.
    if (m_badRetry || !m_badStale.isEmpty() || m_badRoles.contains(Role::Status)
        || m_badRoles.contains(Role::LeaseUntil) || m_badRoles.contains(Role::ExpiresAt)
        || m_badRoles.contains(Role::Attempts)) {
        profile.retry.reset();
    }
}

/// What rules write runs on the server alone, once registered; a text that is more than one expression is a finding
/// here, and with it nothing is registered.
Result<void> Binder::judgeRules()
{
    const Profile &profile = m_target.profile;
    const QString null = u"NULL"_s;
    const QMap<QString, QString> variables { { u"reason"_s, null }, { u"action"_s, null }, { u"effect_id"_s, null },
        { u"effect_type"_s, null } };
    const std::pair<QString, const QList<ActionRule> *> kinds[] { { u"recover"_s, &profile.recover },
        { u"requeue"_s, &profile.requeue }, { u"reclassify"_s, &profile.reclassify }, { u"align"_s, &profile.align } };
    for (const auto &[name, rules] : kinds) {
        for (qsizetype i = 0; i < rules->size(); ++i) {
            const QString place = jsonPath(jsonPath(u"$.actions"_s, name), i);
            QList<std::pair<QString, QString>> written;
            for (const auto &[column, expression] : rules->at(i).set) {
                written.append({ jsonPath(place + u".set"_s, column), expression });
            }
            if (const std::optional<SecondRow> &second = rules->at(i).second) {
                written.append({ place + u".second.match"_s, second->match });
                for (const auto &[column, expression] : second->set) {
                    written.append({ jsonPath(place + u".second.set"_s, column), expression });
                }
            }
            for (const auto &[path, expression] : std::as_const(written)) {
                TRY(const auto wrong,
                    judgeSql(m_session, renderVariables(renderNow(expression, u"pg_catalog.now()"_s), variables)));
                if (!wrong.isEmpty()) {
                    m_target.findings.append(
                        { Finding::Severity::Problem, path, Tr::tr("It is not one expression: %1").arg(wrong) });
                }
            }
        }
    }
    return {};
}

void Binder::noteRelation()
{
    const RelationFacts &relation = m_target.relation;
    const auto note = [this](Finding::Severity severity, const QString &path, const QString &text) {
        m_target.findings.append({ severity, path, text });
    };
    if (relation.rowSecurity) {
        const QString policy = readersPolicy(relation, m_session.facts().user);
        note(Finding::Severity::Warning, u"$.relation"_s,
            Tr::tr("Row security applies to you on this table. You may see only part of its rows, and counts may be "
                   "too small.")
                + (policy.isEmpty() ? QString() : u' ' + Tr::tr("To show you all, the owner runs: %1").arg(policy)));
    }
    if (relation.isView()) {
        note(Finding::Severity::Note, u"$.relation"_s,
            Tr::tr("This is a view: it can be read, and no action is offered on it."));
    }
    if (relation.unlogged) {
        note(Finding::Severity::Warning, u"$.relation"_s,
            Tr::tr(
                "This table is unlogged: it is empty after a crash of the server, and cannot be read on a standby."));
    }
    if (!m_target.identityUnique) {
        note(relation.isView() ? Finding::Severity::Warning : Finding::Severity::Problem, u"$.identity"_s,
            Tr::tr(
                "No valid unique index covers just the identity (%1), all NOT NULL: two rows could be taken for one.")
                .arg(m_target.profile.identity.join(u", "_s)));
    }
    for (qsizetype i = 0; i < m_target.profile.guard.size(); ++i) {
        const QString name = m_target.profile.guard.at(i);
        const ColumnFacts *column = relation.column(name);
        if (column == nullptr || !column->selectable) {
            note(Finding::Severity::Problem, u"$.guard[%1]"_s.arg(i),
                column == nullptr ? Tr::tr("The table has no column “%1”.").arg(name)
                                  : Tr::tr("You have no SELECT right on the column “%1”.").arg(name));
        }
    }
    const Profile &profile = m_target.profile;
    for (qsizetype i = 0; i < profile.masking.size(); ++i) {
        const QString &name = profile.masking.at(i);
        if (name == u"key" || profile.key.column == name || profile.identity == QStringList { name }) {
            note(Finding::Severity::Problem, u"$.masking[%1]"_s.arg(i),
                Tr::tr("The key names the case, so that case files show it all the same."));
        }
        const auto isPart = [&name](const LabelledExpression &part) { return part.label == name; };
        const auto isRole = [&name](Role role) { return roleName(role) == name; };
        const QList<Role> roles = profile.roles.keys();
        if (relation.column(name) == nullptr && std::none_of(profile.scope.cbegin(), profile.scope.cend(), isPart)
            && std::none_of(roles.cbegin(), roles.cend(), isRole)) {
            note(Finding::Severity::Problem, u"$.masking[%1]"_s.arg(i),
                Tr::tr("“%1” is not a column, a role or a part of the scope. Case files leave nothing out for it.")
                    .arg(name));
        }
    }
}

Result<void> Binder::noteTablesBeside()
{
    TRY(m_target.hiddenBeside, tablesHiddenBeside(m_session, m_target.profile));
    for (const QString &table : std::as_const(m_target.hiddenBeside)) {
        m_target.findings.append({ Finding::Severity::Warning, u"$"_s,
            Tr::tr("Row security hides rows of %1 from you: what the profile looks up there may be missing.").arg(table)
                + u' '
                + Tr::tr("To show you all, the owner runs: %1").arg(readersPolicy(table, m_session.facts().user)) });
    }
    return {};
}

QString Binder::missingGrants(bool schemasOnly)
{
    const auto rights = lackingReaderRights(m_session, m_target.profile);
    QStringList statements;
    for (const LackingRight &right : rights ? *rights : QList<LackingRight>()) {
        statements += schemasOnly && !right.onSchema ? QStringList() : QStringList { right.sql + u';' };
    }
    return statements.join(u' ');
}

/// All at once: whoever gives one right and binds again meets the next one.
void Binder::noteGrants(const QList<PlanFault> &faults)
{
    const auto refused = [](const PlanFault &fault) { return fault.error.kind == ErrorKind::Privilege; };
    const RelationFacts &relation = m_target.relation;
    const auto elsewhere = [&relation](const ColumnFacts &column) {
        return column.typeSchema != u"pg_catalog" && column.typeSchema != relation.schema;
    };
    // Where all was planned, only the types' own schemas can lack: a value is cast to a column's type by name.
    const bool any = std::any_of(faults.cbegin(), faults.cend(), refused);
    const bool types = std::any_of(relation.columns.cbegin(), relation.columns.cend(), elsewhere);
    const QString grants = any || types ? missingGrants(!any) : QString();
    if (!grants.isEmpty()) {
        m_target.findings.append({ Finding::Severity::Problem, kRightsPath,
            Tr::tr("This login may not read all that the profile names. The owners run: %1").arg(grants) });
    }
}

Result<Target> Binder::run()
{
    TRY(auto relation, readRelation(m_session, m_target.profile.relation));
    m_target.relation = relation;
    Error error;
    error.what = Tr::tr("The profile %1 cannot be used on %2.").arg(m_target.profile.name, relation.sql);
    if (!relation.selectable) {
        error.kind = ErrorKind::Privilege;
        error.why = Tr::tr("You have no SELECT right on it or on its schema.");
        const QString user = quoteIdentifier(m_session.facts().user);
        const QString all = missingGrants();
        error.todo = Tr::tr("Its owner runs: %1")
                         .arg(!all.isEmpty() ? all
                                             : u"GRANT USAGE ON SCHEMA %1 TO %3; GRANT SELECT ON %2 TO %3;"_s.arg(
                                                 quoteIdentifier(relation.schema), relation.sql, user));
        return error;
    }
    TRY(bindIdentity());
    collectColumns();
    collectRoles();
    collectRest();
    TRY(const auto faults, planExpressions(m_session, relation.sql, m_expressions));
    for (const PlanFault &fault : faults) {
        const PlannedExpression &expression = m_expressions.at(fault.index);
        if (expression.essential) {
            error.kind = fault.error.kind == ErrorKind::None ? ErrorKind::Usage : fault.error.kind;
            error.sqlState = fault.error.sqlState;
            error.detail = fault.error.detail;
            error.why = Tr::tr("At %1: %2").arg(expression.path, fault.reason);
            const QString grants = error.kind == ErrorKind::Privilege ? missingGrants() : QString();
            error.todo = grants.isEmpty() ? Tr::tr("Correct the profile, or bind it to another table.")
                                          : Tr::tr("Its owner runs: %1").arg(grants);
            error.where = expression.path;
            return error;
        }
        m_target.findings.append({ Finding::Severity::Problem, expression.path, fault.reason });
        if (expression.drop) {
            expression.drop();
        }
    }
    noteGrants(faults);
    removeDropped();
    TRY(judgeRules());
    noteRelation();
    TRY(noteTablesBeside());
    return m_target;
}

} // namespace

Wanted wantedOf(TimeForm form)
{
    switch (form) {
    case TimeForm::Native:
        return Wanted::Timestamptz;
    case TimeForm::EpochMs:
    case TimeForm::EpochS:
        return Wanted::Number;
    case TimeForm::Utc:
    case TimeForm::Zone:
        return Wanted::Timestamp;
    case TimeForm::Iso:
        return Wanted::Text;
    }
    return Wanted::Anything;
}

QString effectProbe(const EffectSpec &effect)
{
    return u"(SELECT (e.id)::pg_catalog.text || (e.at)::pg_catalog.timestamptz::pg_catalog.text || "
           "(e.state)::pg_catalog.text FROM ("_s
        + effect.sql + u") AS e LIMIT 1)"_s;
}

bool identityIsUnique(const RelationFacts &relation, const QStringList &identity)
{
    const QSet<QString> wanted(identity.begin(), identity.end());
    for (const QString &name : identity) {
        const ColumnFacts *column = relation.column(name);
        if (column == nullptr || !column->notNull) {
            return false;
        }
    }
    for (const IndexFacts &index : relation.indexes) {
        const QStringList keys = index.columns.mid(0, index.keyColumns);
        const bool plain = !index.columnNumbers.mid(0, index.keyColumns).contains(0);
        if (index.unique && index.valid && index.predicate.isEmpty() && plain
            && QSet<QString>(keys.begin(), keys.end()) == wanted) {
            return true;
        }
    }
    return false;
}

Result<Target> bindTarget(Session &session, const Profile &profile)
{
    return Binder(session, profile).run();
}

} // namespace idemdesk::sql
