// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/resolve.h"
#include "sql/keys/unreadable.h"
#include "sql/profile/binder.h"

#include "sql/json/json_tree.h"
#include "sql/profile/effect_links.h"
#include "sql/profile/evidence_trial.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/relation_name.h"
#include "sql/profile/sample_sql.h"
#include "sql/types/tr.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kCheckedRows = 5000;

/// A value from the database in a sentence: shortened, so that a large one does not fill the page.
QString shown(const QString &value)
{
    return u"“"_s + (value.size() > 60 ? value.left(59) + u'…' : value) + u"”"_s;
}

/// Does an index without a condition begin with this column in this direction, or wholly turned?
bool indexServes(const RelationFacts &relation, const OrderSpec &order)
{
    const bool nullsFirst = !order.nullsLast;
    const ColumnFacts *column = relation.column(order.value.column);
    for (const IndexFacts &index : relation.indexes) {
        if (index.method != u"btree" || !index.valid || !index.predicate.isEmpty() || index.columns.isEmpty()) {
            continue;
        }
        const bool same = !order.value.column.isEmpty() && index.columnNumbers.first() != 0
            && index.columns.first() == order.value.column;
        const bool forward = index.descending.first() == order.descending && index.nullsFirst.first() == nullsFirst;
        const bool backward = index.descending.first() != order.descending && index.nullsFirst.first() != nullsFirst;
        if (same && (forward || backward || (column != nullptr && column->notNull))) {
            return true;
        }
    }
    return false;
}

class Validator
{
public:
    Validator(Session &session, const Profile &profile)
        : m_session(session)
        , m_profile(profile)
    {
    }

    Result<QList<Finding>> run()
    {
        TRY(auto bound, bindTarget(m_session, m_profile));
        m_target = bound;
        m_findings = m_target.findings;
        checkLabels();
        checkOrders();
        checkMissing();
        for (const auto step : { &Validator::checkZones, &Validator::checkStates, &Validator::checkDoubles,
                 &Validator::checkActions, &Validator::checkEvidence, &Validator::checkProvider }) {
            const Result<void> done = (this->*step)();
            if (!done) {
                return done.error();
            }
        }
        return m_findings;
    }

private:
    using Severity = Finding::Severity;

    void note(Severity severity, const QString &path, const QString &text)
    {
        m_findings.append({ severity, path, text });
    }
    bool mapped(const QString &raw) const
    {
        return m_profile.otherStates.has_value()
            || std::any_of(m_profile.states.begin(), m_profile.states.end(),
                [&raw](const auto &entry) { return entry.first == raw; });
    }

    void checkLabels()
    {
        const QStringList labels = m_target.roleTypes.value(Role::Status).enumLabels;
        if (labels.isEmpty()) {
            return;
        }
        for (const auto &[raw, state] : m_profile.states) {
            if (!labels.contains(raw)) {
                note(Severity::Warning, jsonPath(u"$.states"_s, raw),
                    Tr::tr("The status type has no label %1; it has %2.").arg(shown(raw), labels.join(u", "_s)));
            }
        }
        for (const QString &label : labels) {
            if (!mapped(label)) {
                note(Severity::Warning, u"$.states"_s,
                    Tr::tr("The status type's label %1 is not mapped: rows with it show as unknown.")
                        .arg(shown(label)));
            }
        }
    }

    void checkOrders()
    {
        for (qsizetype i = 0; i < m_profile.orders.size(); ++i) {
            const OrderSpec &order = m_profile.orders.at(i);
            const QString path = jsonPath(u"$.orders"_s, i);
            if (!indexServes(m_target.relation, order)) {
                note(Severity::Note, path,
                    Tr::tr("No index serves the order %1: it sorts the whole table, so it asks before it runs.")
                        .arg(shown(order.label)));
            }
            const ColumnFacts *column = m_target.relation.column(order.value.column);
            if (!order.nullsWritten && (column == nullptr || !column->notNull) && !m_target.relation.isView()) {
                note(Severity::Note, path,
                    Tr::tr("The order %1 can be NULL; say with “nulls” where those rows stand.")
                        .arg(shown(order.label)));
            }
        }
    }

    void checkMissing()
    {
        if (!m_profile.stale) {
            note(Severity::Note, u"$.stale"_s,
                Tr::tr("There is no rule “stale”: the console cannot say which rows are stuck."));
        }
        for (qsizetype i = 0; i < m_profile.purge.size(); ++i) {
            if (!m_profile.purge.at(i).by.present()) {
                note(Severity::Note, jsonPath(u"$.purge"_s, i),
                    Tr::tr("The rule has no “by”: a purge has no bound to walk by, and retention is not checked."));
            }
        }
        const auto deletes = [](const ActionRule &rule) { return rule.deletes; };
        const bool any = !m_profile.purge.isEmpty()
            || std::any_of(m_profile.recover.begin(), m_profile.recover.end(), deletes)
            || std::any_of(m_profile.requeue.begin(), m_profile.requeue.end(), deletes);
        for (const ForeignKeyFacts &key : m_target.relation.foreignKeys) {
            if (any && key.incoming && key.onDelete != u'a' && key.onDelete != u'r') {
                note(Severity::Warning, u"$.purge"_s,
                    Tr::tr("Deleting a row also deletes or changes rows of %1 (foreign key %2).")
                        .arg(key.table, shown(key.name)));
            }
        }
    }

    Result<void> checkZones()
    {
        QStringList zones;
        for (const Expression &role : m_profile.roles) {
            if (role.form == TimeForm::Zone && !zones.contains(role.zone)) {
                zones.append(role.zone);
            }
        }
        for (const QString &zone : zones) {
            Statement statement;
            const QString bound = statement.bind(zone);
            statement.sql = u"SELECT pg_catalog.now() AT TIME ZONE "_s + bound + u"::pg_catalog.text"_s;
            const auto known = m_session.one(statement);
            if (!known && known.error().kind != ErrorKind::InvalidValue) {
                return known.error();
            }
            if (!known) {
                note(Severity::Problem, u"$.roles"_s, Tr::tr("The server knows no time zone %1.").arg(shown(zone)));
            }
        }
        return {};
    }

    /// States that occur but are not mapped, from a bounded sample.
    Result<void> checkStates()
    {
        if (!m_target.profile.has(Role::Status)) {
            return {};
        }
        const QString status = renderNow(m_target.profile.role(Role::Status).sql, u"pg_catalog.now()"_s);
        Statement statement;
        statement.sql = u"SELECT s.status, pg_catalog.count(*) FROM ("_s
            + sampleSql(m_target.relation, u"("_s + status + u")::pg_catalog.text AS status"_s, kCheckedRows)
            + u") AS s GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50"_s;
        const auto rows = m_session.all(statement);
        if (!rows) {
            if (isRowsFault(rows.error())) { // such a row counts as unknown, and costs the others nothing
                note(Severity::Warning, u"$.roles.status"_s,
                    Tr::tr("The status fails on some rows, which count as unknown: %1")
                        .arg(rows.error().detail.section(u'\n', 0, 0)));
                return {};
            }
            return rows.error();
        }
        for (const Cells &row : *rows) {
            const qint64 count = row.at(1).text.toLongLong();
            if (row.at(0).null && !m_profile.nullState) {
                note(Severity::Warning, u"$.states"_s,
                    Tr::tr("The status is NULL in %1 sampled rows and “null” is not mapped: they show as unknown.")
                        .arg(count));
            } else if (!row.at(0).null && !mapped(row.at(0).text)) {
                note(Severity::Warning, u"$.states"_s,
                    Tr::tr("The status %1 occurs in %2 sampled rows and is not mapped: they show as unknown.")
                        .arg(shown(row.at(0).text))
                        .arg(count));
            }
        }
        return {};
    }

    /// Where no index proves the identity, looks for doubles in a bounded part of the table.
    Result<void> checkDoubles()
    {
        if (m_target.identityUnique) {
            return {};
        }
        QStringList columns;
        for (const QString &name : std::as_const(m_profile.identity)) {
            columns.append(u"t."_s + quoteIdentifier(name));
        }
        Statement statement;
        statement.sql = u"SELECT pg_catalog.count(*) FROM (SELECT 1 FROM (SELECT "_s + columns.join(u", "_s)
            + u" FROM "_s + m_target.relation.sql + u" AS t LIMIT 100000) AS t GROUP BY "_s + columns.join(u", "_s)
            + u" HAVING pg_catalog.count(*) > 1 LIMIT 1000) AS d"_s;
        TRY(const auto row, m_session.one(statement));
        const qint64 doubles = row.first().text.toLongLong();
        if (doubles > 0) {
            note(Severity::Problem, u"$.identity"_s,
                Tr::tr("The identity is not unique: %1 of the values looked at occur more than once.").arg(doubles));
        }
        return {};
    }

    Result<void> checkActions()
    {
        const std::pair<QString, const QList<ActionRule> *> kinds[] { { u"recover"_s, &m_profile.recover },
            { u"requeue"_s, &m_profile.requeue }, { u"reclassify"_s, &m_profile.reclassify },
            { u"align"_s, &m_profile.align } };
        for (const auto &[name, rules] : kinds) {
            for (qsizetype i = 0; i < rules->size(); ++i) {
                const auto done = checkRule(jsonPath(jsonPath(u"$.actions"_s, name), i), rules->at(i));
                if (!done) {
                    return done;
                }
            }
        }
        return {};
    }

    /// Whether each proving query finds an effect before its key is marked.
    Result<void> checkEvidence()
    {
        for (qsizetype i = 0; i < m_target.profile.effects.size(); ++i) {
            for (const QString &name : m_target.profile.effects.at(i).optional) {
                if (m_target.relation.column(name) == nullptr) {
                    note(Severity::Problem, u"$.effects[%1].optional"_s.arg(i),
                        Tr::tr("The table has no column %1.").arg(shown(name)));
                }
            }
        }
        TRY(const auto trials, tryEvidence(m_session, m_target));
        for (const EvidenceTrial &trial : trials) {
            m_findings += evidenceFindings(m_target, trial);
        }
        // Those that only forbid or settle something are looked for by the same words.
        const WholeRows whole(m_session);
        for (qsizetype i = 0; i < m_target.profile.effects.size(); ++i) {
            if (!m_target.profile.effects.at(i).proves && effectFault(m_target, i).isEmpty()) {
                TRY(const bool anything, answersAnything(m_session, m_target, i));
                m_findings += anything ? QList { answersAnythingFinding(m_target, i) } : QList<Finding>();
            }
        }
        return {};
    }

    /// Declared, and nothing was found against it.
    bool effectReads(const QString &type) const
    {
        const QList<EffectSpec> &effects = m_target.profile.effects;
        for (qsizetype i = 0; i < effects.size(); ++i) {
            const QString place = u"$.effects[%1]"_s.arg(i);
            if (effects.at(i).type == type) {
                return std::none_of(m_target.findings.cbegin(), m_target.findings.cend(),
                    [&place](const Finding &finding) { return finding.jsonPath.startsWith(place); });
            }
        }
        return false;
    }

    /// What a statement's comparison costs, and which statuses say nothing of the provider.
    Result<void> checkProvider()
    {
        const auto &provider = m_profile.provider;
        const QString path = u"$.provider"_s;
        const auto judged = [&path](const Finding &finding) { return finding.jsonPath.startsWith(path); };
        if (!provider || std::any_of(m_findings.cbegin(), m_findings.cend(), judged)) {
            return {};
        }
        if (!m_target.relation.isView() && !indexLeads(m_target.relation, plainColumn(provider->reference), true)) {
            note(Severity::Note, path + u".reference"_s,
                Tr::tr(
                    "No index leads with the reference: to compare a provider's statement the whole table is read."));
        }
        Statement statement;
        statement.sql = u"SELECT s.status, pg_catalog.count(*) FROM ("_s
            + sampleSql(m_target.relation,
                u"("_s + renderNow(provider->status, u"pg_catalog.now()"_s) + u")::pg_catalog.text AS status"_s,
                kCheckedRows)
            + u") AS s GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50"_s;
        const auto rows = m_session.all(statement);
        if (!rows) {
            return isRowsFault(rows.error()) ? Result<void>() : Result<void>(rows.error());
        }
        for (const Cells &row : *rows) {
            const Cell &raw = row.first();
            if (provider->stateOf(raw.null ? std::nullopt : std::optional(raw.text)) == ProviderState::Unknown) {
                note(Severity::Warning, path + u".states"_s,
                    Tr::tr("The status %1 occurs in %2 sampled rows and is not mapped: it counts as not settled.")
                        .arg(raw.null ? u"NULL"_s : shown(raw.text), row.at(1).text));
            }
        }
        return {};
    }

    Result<void> checkRule(const QString &path, const ActionRule &rule)
    {
        for (const QString &type : { rule.needsEffect, rule.forbidsEffect }) {
            if (!type.isEmpty() && !effectReads(type)) {
                note(Severity::Problem, path,
                    Tr::tr("The rule asks for the effect %1, which cannot be read.").arg(shown(type)));
            }
        }
        if (rule.deletes || m_target.relation.isView()) {
            return {};
        }
        const QMap<QString, QString> variables { { u"reason"_s, u"NULL::pg_catalog.text"_s },
            { u"action"_s, u"NULL::pg_catalog.uuid"_s }, { u"effect_id"_s, u"NULL::pg_catalog.text"_s },
            { u"effect_type"_s, u"NULL::pg_catalog.text"_s } };
        for (const QString &column : rule.copy) {
            const ColumnFacts *facts = m_target.relation.column(column);
            if (facts == nullptr || facts->generated || m_profile.identity.contains(column)) {
                note(Severity::Problem, path + u".copy"_s,
                    facts == nullptr ? Tr::tr("The table has no column %1.").arg(shown(column))
                        : facts->generated
                        ? Tr::tr("The column %1 is generated and cannot be written.").arg(shown(column))
                        : Tr::tr("The column %1 is part of the identity.").arg(shown(column)));
            }
        }
        for (const auto &[column, expression] : rule.set) {
            const QString place = jsonPath(path + u".set"_s, column);
            const ColumnFacts *facts = m_target.relation.column(column);
            if (facts == nullptr || facts->generated) {
                note(Severity::Problem, place,
                    facts == nullptr ? Tr::tr("The table has no column %1.").arg(shown(column))
                                     : Tr::tr("The column %1 is generated and cannot be written.").arg(shown(column)));
                continue;
            }
            const auto judged = [&place](const Finding &finding) { return finding.jsonPath == place; };
            if (std::any_of(m_findings.cbegin(), m_findings.cend(), judged)) {
                continue; // not even one expression
            }
            // Parse and Describe alone: the statement is checked, never run.
            const auto planned
                = m_session.describe(u"UPDATE "_s + m_target.relation.sql + u" AS t SET "_s + quoteIdentifier(column)
                    + u" = ("_s + renderVariables(renderNow(expression, u"pg_catalog.now()"_s), variables) + u")"_s);
            if (!planned) {
                if (planned.error().kind == ErrorKind::ConnectionLost) {
                    return planned.error();
                }
                note(Severity::Problem, place,
                    Tr::tr("The server cannot plan it: %1").arg(planned.error().detail.section(u'\n', 0, 0)));
            } else if (column == m_target.profile.role(Role::Status).column) {
                checkPromise(place, expression, rule);
            }
        }
        return rule.second ? checkSecond(path + u".second"_s, *rule.second) : Result<void>();
    }

    /// Whether the server can plan what a rule does to the row of a second table; parsed, and never run.
    Result<void> checkSecond(const QString &path, const SecondRow &second)
    {
        const auto judged = [&path](const Finding &finding) { return finding.jsonPath.startsWith(path); };
        const auto name = parseRelationName(second.relation);
        if (!name || std::any_of(m_findings.cbegin(), m_findings.cend(), judged)) {
            if (!name) {
                note(Severity::Problem, path + u".relation"_s,
                    Tr::tr("“%1” is no table's name.").arg(shown(second.relation)));
            }
            return {};
        }
        const QString null = u"NULL::pg_catalog.text"_s;
        const QMap<QString, QString> variables { { u"reason"_s, null }, { u"action"_s, u"NULL::pg_catalog.uuid"_s } };
        const auto sql = [&variables](const QString &expression) {
            return u"("_s + renderVariables(renderNow(expression, u"pg_catalog.now()"_s), variables) + u")"_s;
        };
        QStringList set;
        for (const auto &[column, expression] : second.set) {
            set += quoteIdentifier(column) + u" = "_s + sql(expression);
        }
        const QString table
            = (name->schema.isEmpty() ? QString() : quoteIdentifier(name->schema) + u'.') + quoteIdentifier(name->name);
        const auto planned = m_session.describe(u"UPDATE "_s + table + u" AS s SET "_s + set.join(u", "_s) + u" FROM "_s
            + m_target.relation.sql + u" AS t WHERE "_s + sql(second.match));
        if (!planned && planned.error().kind == ErrorKind::ConnectionLost) {
            return planned.error();
        }
        if (!planned) {
            note(Severity::Problem, path,
                Tr::tr("The server cannot plan it: %1").arg(planned.error().detail.section(u'\n', 0, 0)));
        }
        return {};
    }

    /// A rule that writes a constant status must reach the state it promises.
    void checkPromise(const QString &place, const QString &expression, const ActionRule &rule)
    {
        static const QRegularExpression constant(u"^'((?:[^'\\\\]|'')*)'$"_s);
        const auto match = constant.match(expression.trimmed());
        if (!match.hasMatch() || !rule.to) {
            return;
        }
        const QString raw = match.captured(1).replace(u"''"_s, u"'"_s);
        const KeyState reached = m_profile.stateOf(raw);
        if (reached != *rule.to) {
            note(Severity::Problem, place,
                Tr::tr("It writes the status %1, which means %2, but the rule says that the key becomes %3.")
                    .arg(shown(raw), stateName(reached), stateName(*rule.to)));
        }
    }

    Session &m_session;
    const Profile &m_profile;
    Target m_target;
    QList<Finding> m_findings;
};

} // namespace

Result<QList<Finding>> validateTarget(Session &session, const Profile &profile)
{
    return Validator(session, profile).run();
}

} // namespace idemdesk::sql
