// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/registration.h"

#include "sql/actions/compile.h"
#include "sql/actions/runner_rights.h"
#include "sql/keys/render.h"
#include "sql/profile/binder.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

Error asAdmin(Error error)
{
    if (error.sqlState == u"42501") {
        error.why = Tr::tr("This login is not a member of idemdesk_admin.");
        error.todo = Tr::tr("Ask an administrator of the database for that role, or connect as somebody who has it.");
    }
    return error;
}

QList<Registration::Item> itemsOf(const QJsonArray &written)
{
    QList<Registration::Item> items;
    for (const QJsonValue &value : written) {
        items.append({ value[u"severity"_s].toString(), value[u"code"_s].toString(), value[u"text"_s].toString(), value[u"sql"_s].toString() });
    }
    return items;
}

QList<Finding> findingsOf(const QByteArray &json)
{
    QList<Finding> findings;
    const QList<Registration::Item> items = itemsOf(QJsonDocument::fromJson(json).array());
    for (const Registration::Item &item : items) {
        const bool note = item.severity == u"note"_s;
        const auto severity = note ? Finding::Severity::Note
            : item.severity == u"warning"_s ? Finding::Severity::Warning : Finding::Severity::Problem;
        findings.append({ severity, QString(), item.text });
    }
    return findings;
}

} // namespace

namespace {
Result<void> nameOwners(Session &session, QList<Registration::Item> *items);
} // namespace

Result<QList<Registration::Item>> checkedFindings(Session &session, const Profile &profile)
{
    const auto found = validateTarget(session, profile);
    if (!found) {
        return found.error();
    }
    QList<Registration::Item> items;
    for (const Finding &finding : *found) {
        const QString severity = finding.severity == Finding::Severity::Problem ? u"problem"_s
            : finding.severity == Finding::Severity::Warning                    ? u"warning"_s
                                                                                : u"note"_s;
        items.append({ severity, u"check"_s, finding.text, {}, finding.jsonPath });
    }
    if (refuses(items)) {
        const auto rights = missingReaderRights(session, profile);
        if (!rights) {
            return rights.error();
        }
        items += *rights;
        if (const auto named = nameOwners(session, &items); !named) {
            return named.error();
        }
    }
    return items;
}

namespace {

/// What a GRANT or CREATE POLICY is about: the text between ON and TO, outside of quoted names.
QString grantedOn(const QString &sql)
{
    qsizetype from = -1;
    bool quoted = false;
    for (qsizetype i = 0; i < sql.size(); ++i) {
        quoted = sql.at(i) == u'"' ? !quoted : quoted;
        const auto at = [&](const QString &word) { return !quoted && QStringView(sql).sliced(i).startsWith(word); };
        if (from < 0 && at(u" ON "_s)) {
            from = i + 4;
        } else if (from >= 0 && at(u" TO "_s)) {
            return sql.sliced(from, i - from);
        }
    }
    return {};
}

/// Who owns each thing; the names are as format() writes them.
const QString kOwnersSql = uR"(
SELECT o.name, pg_catalog.pg_get_userbyid(o.owner) FROM (
    SELECT 'SCHEMA ' || pg_catalog.format('%I', n.nspname) AS name, n.nspowner AS owner FROM pg_catalog.pg_namespace n
    UNION ALL SELECT 'DATABASE ' || pg_catalog.format('%I', d.datname), d.datdba FROM pg_catalog.pg_database d
    UNION ALL SELECT pg_catalog.format('%I.%I', n.nspname, c.relname), c.relowner
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
    UNION ALL SELECT 'FUNCTION ' || pg_catalog.format('%I.%I(%s)', n.nspname, p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid)), p.proowner
      FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname <> 'pg_catalog'
    UNION ALL SELECT 'TYPE ' || pg_catalog.format('%I.%I', n.nspname, y.typname), y.typowner
      FROM pg_catalog.pg_type y JOIN pg_catalog.pg_namespace n ON n.oid = y.typnamespace WHERE n.nspname <> 'pg_catalog') o
 WHERE o.name = ANY ($1::pg_catalog.text[]))"_s;

/// Each statement gets the role that may run it, for these may be several people.
Result<void> nameOwners(Session &session, QList<Registration::Item> *items)
{
    QStringList things;
    for (const Registration::Item &item : std::as_const(*items)) {
        if (!item.sql.isEmpty() && item.code != u"runner") {
            things += grantedOn(item.sql);
        }
    }
    if (things.isEmpty()) {
        return {};
    }
    Statement statement { kOwnersSql, {} };
    statement.bind(arrayLiteral(things));
    const auto owners = session.all(statement);
    if (!owners) {
        return owners.error();
    }
    for (Registration::Item &item : *items) {
        const QString thing = item.sql.isEmpty() || item.code == u"runner" ? QString() : grantedOn(item.sql);
        for (const Cells &owner : *owners) {
            if (owner.at(0).text == thing) {
                item.by = owner.at(1).text;
            }
        }
    }
    return {};
}

} // namespace

bool refuses(const QList<Registration::Item> &findings)
{
    return std::any_of(findings.cbegin(), findings.cend(), [](const Registration::Item &item) {
        return item.severity == u"problem" || item.severity == u"grant";
    });
}

Result<Registration> registerTarget(Session &session, const Target &target, const QByteArray &profileJson,
    const RegistrationSettings &settings, bool store)
{
    const QString what = Tr::tr("The target could not be registered.");
    // What could not be bound was left out of the target; registered like this it would be less than its profile says.
    Registration unbound;
    for (const Finding &finding : target.findings) {
        if (finding.severity == Finding::Severity::Problem) {
            unbound.findings.append({ u"problem"_s, u"not_bound"_s, finding.text, {}, finding.jsonPath });
        }
    }
    if (!unbound.findings.isEmpty()) {
        return unbound;
    }
    const auto compiled = compileTarget(session, target);
    if (!compiled) {
        return failed(what, compiled.error());
    }
    QJsonObject chosen;
    if (settings.approvalAbove) {
        chosen.insert(u"approval_above"_s, *settings.approvalAbove);
    }
    if (!settings.undoWindow.isEmpty()) {
        chosen.insert(u"undo_window"_s, settings.undoWindow);
    }
    if (settings.imageLimit) {
        chosen.insert(u"image_limit"_s, *settings.imageLimit);
    }
    Statement statement { u"SELECT idemdesk.register_target($1::pg_catalog.text, $2::pg_catalog.text, $3::pg_catalog.jsonb, "
                          "$4::pg_catalog.text[], $5::pg_catalog.jsonb, $6::pg_catalog.bool)"_s, {} };
    statement.bind(target.profile.name);
    statement.bind(QString::fromUtf8(profileJson));
    statement.bind(QString::fromUtf8(compiled->json));
    statement.bind(arrayLiteral(settings.searchPath.isEmpty() ? QStringList { target.relation.schema } : settings.searchPath));
    statement.bind(QString::fromUtf8(QJsonDocument(chosen).toJson(QJsonDocument::Compact)));
    statement.bind(store ? u"true"_s : u"false"_s);
    // What only looks is taken back, whatever it ran.
    if (const auto begun = store ? Result<void>() : session.begin(); !begun) {
        return failed(what, begun.error());
    }
    const auto answer = session.one(statement);
    if (!store) {
        session.rollback();
    }
    if (!answer) {
        return failed(what, asAdmin(answer.error()));
    }
    const QJsonObject json = QJsonDocument::fromJson(answer->constFirst().text.toUtf8()).object();
    Registration registration;
    registration.registered = json.value(u"registered"_s).toBool();
    registration.findings = itemsOf(json.value(u"findings"_s).toArray());
    if (registration.registered) {
        return registration;
    }
    // All rights at once: the server's own list ends at the table, and its trial at the first one that is missing.
    const auto lacking = missingRunnerRights(session, target, *compiled);
    if (!lacking) {
        return failed(what, lacking.error());
    }
    for (const Registration::Item &item : *lacking) {
        const auto told = [&item](const Registration::Item &other) { return other.sql == item.sql; };
        if (std::none_of(registration.findings.cbegin(), registration.findings.cend(), told)) {
            registration.findings.append(item);
        }
    }
    const bool tried = std::any_of(registration.findings.cbegin(), registration.findings.cend(), [](const Registration::Item &item) {
        return item.code == u"proven" || item.code == u"unproven" || item.code == u"trial";
    });
    if (!tried) {
        registration.findings.append({ u"note"_s, u"untried"_s,
            refuses(registration.findings)
                ? Tr::tr("No rule was tried: what refuses the table comes first.")
                : Tr::tr("No rule was tried; each is tried on some rows, and taken back, when the target is registered."),
            {} });
    }
    if (const auto named = nameOwners(session, &registration.findings); !named) {
        return failed(what, named.error());
    }
    return registration;
}

Result<QString> makeRunner(Session &session, const QString &owner)
{
    Statement statement { u"SELECT idemdesk.make_runner($1::pg_catalog.text)"_s, {} };
    statement.bind(owner);
    const auto made = session.one(statement);
    if (!made) {
        return failed(Tr::tr("The role for tables of %1 could not be made.").arg(owner), made.error());
    }
    return made->constFirst().text;
}

Result<void> unregisterTarget(Session &session, const QString &name)
{
    Statement statement { u"SELECT idemdesk.unregister_target($1::pg_catalog.text)"_s, {} };
    statement.bind(name);
    const auto done = session.run(statement);
    return done ? Result<void>() : Result<void>(failed(Tr::tr("The target could not be taken out."), asAdmin(done.error())));
}

Result<QList<RegisteredTarget>> readRegisteredTargets(Session &session)
{
    const QString what = Tr::tr("The registered targets could not be read.");
    const auto readable = session.one(
        { u"SELECT t.oid IS NOT NULL, COALESCE(pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(t.oid, 'SELECT'), false) "
          "FROM (SELECT pg_catalog.to_regnamespace('idemdesk') AS oid) AS n LEFT JOIN pg_catalog.pg_class AS t ON t.relnamespace = n.oid AND t.relname = 'target'"_s, {} });
    if (!readable) {
        return failed(what, readable.error());
    }
    QList<RegisteredTarget> targets;
    if (readable->constFirst().text != u"t"_s) {
        return targets; // without the console schema there is none
    }
    if (readable->at(1).text != u"t"_s) {
        return makeError(ErrorKind::Privilege, what, Tr::tr("Your login is no member of idemdesk_viewer."), Tr::tr("Have an administrator run: GRANT idemdesk_viewer TO %1.").arg(quoteIdentifier(session.facts().user)));
    }
    const auto read = session.each(
        { u"SELECT t.name, t.profile, pg_catalog.encode(t.profile_sha, 'hex'), t.compiled, idemdesk.limit_of(t.relation), t.undo_window, t.image_limit, "
          "t.registered_by, t.registered_at, t.findings FROM idemdesk.target AS t ORDER BY t.name COLLATE \"C\""_s, {} },
        [&](const Row &row) {
            RegisteredTarget target;
            target.name = row.text(0);
            target.profileJson = row.text(1).toUtf8();
            target.relation = QJsonDocument::fromJson(target.profileJson).object().value(u"relation"_s).toString();
            target.profileSha = row.text(2);
            target.compiledJson = row.text(3).toUtf8();
            if (!row.isNull(4)) {
                target.approvalAbove = row.integer(4);
            }
            target.undoWindow = row.text(5);
            target.imageLimit = row.integer(6);
            target.registeredBy = row.text(7);
            target.registeredAt = Timestamp::parse(row.text(8)).value_or(Timestamp());
            target.findings = findingsOf(row.text(9).toUtf8());
            targets.append(target);
            return true;
        });
    return read ? Result<QList<RegisteredTarget>>(targets) : Result<QList<RegisteredTarget>>(failed(what, read.error()));
}

} // namespace idemdesk::sql
