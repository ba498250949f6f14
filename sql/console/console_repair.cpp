// SPDX-License-Identifier: GPL-3.0-or-later
// Putting back what somebody changed about the guard: never silently, and never by taking it for right.
#include "sql/actions/registration.h"
#include "sql/console/console_schema.h"
#include "sql/console/console_script.h"
#include "sql/types/tr.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

QString shaOf(const QString &body)
{
    return QString::fromLatin1(QCryptographicHash::hash(body.toUtf8(), QCryptographicHash::Sha256).toHex());
}

/// A statement of the schema with the role that runs it.
struct OwnedStatement {
    QString role;
    QString sql;
};

/// How each function is made, and the statements that enable triggers, with their roles.
void readConsoleStatements(QMap<QString, OwnedStatement> *functions, QList<OwnedStatement> *triggers)
{
    static const QRegularExpression role(u"^SET LOCAL ROLE (\\w+)$"_s);
    static const QRegularExpression create(u"(?:^|\\n)CREATE FUNCTION (idemdesk\\.(\\w+)\\()"_s);
    QString now;
    const QStringList statements = scriptStatements(consoleSchema().whole);
    for (const QString &statement : statements) {
        const QString last = statement.section(u'\n', -1);
        if (const auto match = role.match(last); match.hasMatch()) {
            now = match.captured(1);
        } else if (const auto made = create.match(statement); made.hasMatch()) {
            functions->insert(
                made.captured(2), { now, u"CREATE OR REPLACE FUNCTION "_s + statement.mid(made.capturedStart(1)) });
        } else if (statement.contains(u"ENABLE ALWAYS TRIGGER"_s) && last.startsWith(u"ALTER TABLE idemdesk."_s)) {
            triggers->append({ now, last });
        }
    }
}

class Repair
{
public:
    explicit Repair(Session &session)
        : m_session(session)
    {
        readConsoleStatements(&m_functions, &m_triggers);
    }

    Result<QStringList> run()
    {
        TRY(runText(consoleText(u"prepare.sql"_s)));
        TRY(replaceChanged());
        for (const OwnedStatement &trigger : m_triggers) {
            TRY(runAs(trigger.role, { trigger.sql, {} }));
        }
        TRY(makeRunnersAnew());
        TRY(write());
        TRY(runText(consoleText(u"finish.sql"_s)));
        TRY(nothingElseIsWrong());
        return m_names;
    }

private:
    Result<void> runText(const QString &script)
    {
        const QStringList statements = scriptStatements(script);
        for (const QString &statement : statements) {
            TRY(m_session.run({ statement, {} }));
        }
        return {};
    }

    Result<void> runAs(const QString &role, const Statement &statement)
    {
        for (const Statement &each :
            { Statement { u"SET LOCAL ROLE "_s + role, {} }, statement, Statement { u"RESET ROLE"_s, {} } }) {
            TRY(m_session.run(each));
        }
        return {};
    }

    Result<void> replaceChanged()
    {
        const QMap<QString, QString> expected = consoleFunctionBodies();
        QMap<QString, QString> found;
        TRY(m_session.each({ u"SELECT p.proname, p.prosrc FROM pg_catalog.pg_proc AS p "
                             "WHERE p.pronamespace = pg_catalog.to_regnamespace('idemdesk')"_s,
                               {} },
            [&found](const Row &row) {
                found.insert(row.text(0), row.text(1));
                return true;
            }));
        for (auto it = m_functions.cbegin(); it != m_functions.cend(); ++it) {
            // Also where the body is right: its settings may not be, and this puts them back as well.
            TRY(runAs(it->role, { it->sql, {} }));
            const bool there = found.contains(it.key());
            if (there && found.value(it.key()) == expected.value(it.key())) {
                continue;
            }
            m_names.append(it.key());
            m_facts.append(QJsonObject { { u"function"_s, it.key() },
                { u"found_sha256"_s, there ? QJsonValue(shaOf(found.value(it.key()))) : QJsonValue() },
                { u"now_sha256"_s, shaOf(expected.value(it.key())) } });
        }
        return {};
    }

    /// What a table's code made of the functions that the runners own is not looked at: they are made again.
    Result<void> makeRunnersAnew()
    {
        TRY(const auto owners,
            m_session.all({ u"SELECT pg_catalog.pg_get_userbyid(r.owner) FROM idemdesk.runner AS r"_s, {} }));
        for (const Cells &owner : owners) {
            TRY(makeRunner(m_session, owner.constFirst().text));
        }
        return {};
    }

    /// The trail says that it was repaired, by whom, and what was found.
    Result<void> write()
    {
        Statement statement { u"SELECT idemdesk._chain('repair', NULL, NULL, NULL, $1::pg_catalog.jsonb, NULL)"_s, {} };
        statement.bind(QString::fromUtf8(
            QJsonDocument(QJsonObject { { u"functions"_s, m_facts } }).toJson(QJsonDocument::Compact)));
        return runAs(u"idemdesk_owner"_s, statement);
    }

    Result<void> nothingElseIsWrong()
    {
        TRY(const auto red,
            m_session.all({ u"SELECT g.finding, g.remedy FROM idemdesk.guard_findings() AS g WHERE g.severity = 'red' "
                            "AND g.code NOT IN ('superuser', 'login')"_s,
                {} }));
        if (red.isEmpty()) {
            return {};
        }
        return makeError(ErrorKind::Refused, {}, red.constFirst().at(0).text,
            Tr::tr("Fix that by hand first: %1").arg(red.constFirst().at(1).text));
    }

    Session &m_session;
    QMap<QString, OwnedStatement> m_functions;
    QList<OwnedStatement> m_triggers;
    QStringList m_names;
    QJsonArray m_facts;
};

} // namespace

Result<QStringList> repairConsole(Session &session)
{
    const QString what = Tr::tr("The console schema was not repaired; nothing was changed.");
    const auto fail = [&what](Error error) {
        error.what = what;
        return error;
    };
    TRY_OR(fail, const auto status, readConsoleStatus(session));
    if (const auto refusal = consoleRefusal(status)) {
        return fail(*refusal);
    }
    if (status.installedVersion != status.knownVersion) {
        return fail(makeError(ErrorKind::Refused, {},
            Tr::tr("Version %1 is installed; this program knows version %2.")
                .arg(status.installedVersion)
                .arg(status.knownVersion),
            Tr::tr("Repair with the program that knows it, or install or upgrade instead.")));
    }
    TRY_OR(fail, session.begin());
    const auto set = session.run(
        { u"SELECT pg_catalog.set_config('statement_timeout', '60s', true), pg_catalog.set_config('lock_timeout', "
          "'5s', true)"_s,
            {} });
    const auto repaired = set ? Repair(session).run() : Result<QStringList>(set.error());
    if (!repaired) {
        session.rollback();
        return fail(repaired.error());
    }
    const auto done = session.commit();
    return done ? repaired : Result<QStringList>(fail(done.error()));
}

} // namespace idemdesk::sql
