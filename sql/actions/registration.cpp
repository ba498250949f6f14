// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/registration.h"

#include "sql/actions/compile.h"
#include "sql/actions/runner_rights.h"
#include "sql/keys/render.h"
#include "sql/profile/binder.h"
#include "sql/profile/relation_name.h"
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
        items.append({ value[u"severity"_s].toString(), value[u"code"_s].toString(), value[u"text"_s].toString(),
            value[u"sql"_s].toString() });
    }
    return items;
}

/// The table that was registered: the profile's own text where it names just that, for a view beside it may have a
/// name of its own.
QString tableOf(const RegisteredTarget &target)
{
    const QString named = QJsonDocument::fromJson(target.profileJson).object().value(u"relation"_s).toString();
    const QString table = QJsonDocument::fromJson(target.compiledJson).object().value(u"relation"_s).toString();
    const auto parts = parseRelationName(named);
    return parts && table == quoteIdentifier(parts->schema) + u'.' + quoteIdentifier(parts->name) ? named : table;
}

QList<Finding> findingsOf(const QByteArray &json)
{
    QList<Finding> findings;
    const QList<Registration::Item> items = itemsOf(QJsonDocument::fromJson(json).array());
    for (const Registration::Item &item : items) {
        const bool note = item.severity == u"note"_s;
        const auto severity = note          ? Finding::Severity::Note
            : item.severity == u"warning"_s ? Finding::Severity::Warning
                                            : Finding::Severity::Problem;
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
    TRY(const auto found, validateTarget(session, profile));
    QList<Registration::Item> items;
    for (const Finding &finding : found) {
        if (finding.jsonPath == kRightsPath) {
            continue; // each statement follows by itself, with who runs it
        }
        const QString severity = finding.severity == Finding::Severity::Problem ? u"problem"_s
            : finding.severity == Finding::Severity::Warning                    ? u"warning"_s
                                                                                : u"note"_s;
        items.append({ severity, u"check"_s, finding.text, {}, finding.jsonPath });
    }
    const auto lack = [](const Finding &finding) { return finding.jsonPath == kRightsPath; };
    if (refuses(items) || std::any_of(found.cbegin(), found.cend(), lack)) {
        TRY(const auto rights, missingReaderRights(session, profile));
        items += rights;
        TRY(nameOwners(session, &items));
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
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
    UNION ALL SELECT 'FUNCTION ' || pg_catalog.format('%I.%I(%s)', n.nspname, p.proname,
                                                      pg_catalog.pg_get_function_identity_arguments(p.oid)), p.proowner
      FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname <> 'pg_catalog'
    UNION ALL SELECT 'TYPE ' || pg_catalog.format('%I.%I', n.nspname, y.typname), y.typowner
      FROM pg_catalog.pg_type y JOIN pg_catalog.pg_namespace n ON n.oid = y.typnamespace
     WHERE n.nspname <> 'pg_catalog') o
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
    TRY(const auto owners, session.all(statement));
    for (Registration::Item &item : *items) {
        const QString thing = item.sql.isEmpty() || item.code == u"runner" ? QString() : grantedOn(item.sql);
        for (const Cells &owner : owners) {
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
    return std::any_of(findings.cbegin(), findings.cend(),
        [](const Registration::Item &item) { return item.severity == u"problem" || item.severity == u"grant"; });
}

namespace {

/// What was left out of the target, because it could not be bound: registered like this it would be less than its
/// profile says.
QList<Registration::Item> notBound(const Target &target)
{
    QList<Registration::Item> items;
    for (const Finding &finding : target.findings) {
        if (finding.severity == Finding::Severity::Problem) {
            items.append({ u"problem"_s, u"not_bound"_s, finding.text, {}, finding.jsonPath });
        }
    }
    return items;
}

QByteArray settingsJson(const RegistrationSettings &settings)
{
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
    return QJsonDocument(chosen).toJson(QJsonDocument::Compact);
}

/// Has the server judge the target, and store it where that is wished. What only looks is taken back, whatever it ran.
Result<Registration> askServer(Session &session, const Target &target, const CompiledTarget &compiled,
    const QByteArray &profileJson, const RegistrationSettings &settings, bool store)
{
    Statement statement {
        u"SELECT idemdesk.register_target($1::pg_catalog.text, $2::pg_catalog.text, $3::pg_catalog.jsonb, "
        "$4::pg_catalog.text[], $5::pg_catalog.jsonb, $6::pg_catalog.bool)"_s,
        {}
    };
    statement.bind(target.profile.name);
    statement.bind(QString::fromUtf8(profileJson));
    statement.bind(QString::fromUtf8(compiled.json));
    statement.bind(
        arrayLiteral(settings.searchPath.isEmpty() ? QStringList { target.relation.schema } : settings.searchPath));
    statement.bind(QString::fromUtf8(settingsJson(settings)));
    statement.bind(store ? u"true"_s : u"false"_s);
    if (!store) {
        TRY(session.begin());
    }
    const auto answer = session.one(statement);
    if (!store) {
        session.rollback();
    }
    if (!answer) {
        return asAdmin(answer.error());
    }
    const QJsonObject json = QJsonDocument::fromJson(answer->constFirst().text.toUtf8()).object();
    Registration registration;
    registration.registered = json.value(u"registered"_s).toBool();
    registration.findings = itemsOf(json.value(u"findings"_s).toArray());
    return registration;
}

/// All rights at once: the server's own list ends at the table, and its trial at the first one that is missing.
void addLacking(const QList<Registration::Item> &lacking, QList<Registration::Item> *findings)
{
    for (const Registration::Item &item : lacking) {
        const auto told = [&item](const Registration::Item &other) { return other.sql == item.sql; };
        if (std::none_of(findings->cbegin(), findings->cend(), told)) {
            findings->append(item);
        }
    }
}

/// Says so where no rule was tried on any row.
void noteUntried(QList<Registration::Item> *findings)
{
    const bool tried = std::any_of(findings->cbegin(), findings->cend(), [](const Registration::Item &item) {
        return item.code == u"proven" || item.code == u"unproven" || item.code == u"trial";
    });
    if (tried) {
        return;
    }
    findings->append({ u"note"_s, u"untried"_s,
        refuses(*findings)
            ? Tr::tr("No rule was tried: what refuses the table comes first.")
            : Tr::tr("No rule was tried; each is tried on some rows, and taken back, when the target is registered."),
        {} });
}

} // namespace

Result<Registration> registerTarget(Session &session, const Target &target, const QByteArray &profileJson,
    const RegistrationSettings &settings, bool store)
{
    const QString what = Tr::tr("The target could not be registered.");
    Registration unbound;
    unbound.findings = notBound(target);
    if (!unbound.findings.isEmpty()) {
        return unbound;
    }
    TRY(const auto compiled, failed(what, compileTarget(session, target)));
    TRY(auto registration, failed(what, askServer(session, target, compiled, profileJson, settings, store)));
    if (registration.registered) {
        return registration;
    }
    TRY(const auto lacking, failed(what, missingRunnerRights(session, target, compiled)));
    addLacking(lacking, &registration.findings);
    noteUntried(&registration.findings);
    TRY(failed(what, nameOwners(session, &registration.findings)));
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
    return done ? Result<void>()
                : Result<void>(failed(Tr::tr("The target could not be taken out."), asAdmin(done.error())));
}

Result<QList<RegisteredTarget>> readRegisteredTargets(Session &session)
{
    const QString what = Tr::tr("The registered targets could not be read.");
    TRY(const auto readable,
        failed(what,
            session.one(
                { u"SELECT t.oid IS NOT NULL, COALESCE(pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND "
                  u"pg_catalog.has_table_privilege(t.oid, 'SELECT'), false) "
                  "FROM (SELECT pg_catalog.to_regnamespace('idemdesk') AS oid) AS n LEFT JOIN pg_catalog.pg_class AS "
                  "t ON t.relnamespace = n.oid AND t.relname = 'target'"_s,
                    {} })));
    QList<RegisteredTarget> targets;
    if (readable.constFirst().text != u"t"_s) {
        return targets; // without the console schema there is none
    }
    if (readable.at(1).text != u"t"_s) {
        return makeError(ErrorKind::Privilege, what, Tr::tr("Your login is not a member of idemdesk_viewer."),
            Tr::tr("Have an administrator run: GRANT idemdesk_viewer TO %1.")
                .arg(quoteIdentifier(session.facts().user)));
    }
    const auto read = session.each(
        { u"SELECT t.name, t.profile, pg_catalog.encode(t.profile_sha, 'hex'), t.compiled, "
          u"idemdesk.limit_of(t.relation), t.undo_window, t.image_limit, "
          "t.registered_by, t.registered_at, t.findings FROM idemdesk.target AS t ORDER BY t.name COLLATE \"C\""_s,
            {} },
        [&](const Row &row) {
            RegisteredTarget target;
            target.name = row.text(0);
            target.profileJson = row.text(1).toUtf8();
            target.profileSha = row.text(2);
            target.compiledJson = row.text(3).toUtf8();
            target.relation = tableOf(target);
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
    return read ? Result<QList<RegisteredTarget>>(targets)
                : Result<QList<RegisteredTarget>>(failed(what, read.error()));
}

} // namespace idemdesk::sql
