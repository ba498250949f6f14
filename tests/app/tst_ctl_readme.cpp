// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

namespace {

/// A command that README shows, with what it says comes out.
struct ShownCommand {
    QString line;
    QStringList output;
};

QList<ShownCommand> shownCommands()
{
    QFile file(QStringLiteral(IDEMDESK_SOURCE_DIR "/README.md"));
    QList<ShownCommand> commands;
    bool console = false;
    const QStringList lines
        = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n') : QStringList();
    for (const QString &line : lines) {
        if (line.startsWith(u"```"_s)) {
            console = line == u"```console";
        } else if (console && line.startsWith(u"$ "_s)) {
            commands.append({ line.mid(2), {} });
        } else if (console) {
            commands.last().output += line;
        }
    }
    return commands;
}

const QRegularExpression &uuids()
{
    static const QRegularExpression pattern(u"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"_s);
    return pattern;
}

/// A line without what is another one each time.
QString lasting(QString line)
{
    static const QRegularExpression time(u"\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z"_s);
    return line.replace(time, u"TIME"_s).replace(uuids(), u"UUID"_s).trimmed();
}

} // namespace

/// What README shows of five minutes on somebody's own database comes out so, command by command.
class CtlReadmeTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;
    QTemporaryDir m_home;
    QString m_exports;
    QMap<QString, QString> m_ids; ///< what README calls an action, and what it is called here

    QString file(const QString &name) const { return m_home.filePath(name); }
    bool write(const QString &name, const QString &text) const
    {
        QFile out(file(name));
        return out.open(QIODevice::WriteOnly) && out.write(text.toUtf8()) >= 0;
    }

    /// In bash, as README has it. What a profile file asks for by "yes" is answered by its hash, as README says.
    ProgramRun typed(QString line) const
    {
        for (auto id = m_ids.cbegin(); id != m_ids.cend(); ++id) {
            line.replace(id.key(), id.value());
        }
        ProgramCall call { privateEnvironment(file(u"data"_s)), {}, m_home.path(), 120'000 };
        call.environment.insert(u"HOME"_s, m_home.path());
        call.environment.insert(u"COLUMNS"_s, u"110"_s);
        call.environment.insert(u"PGSERVICEFILE"_s, file(u"services"_s));
        call.environment.insert(
            u"PATH"_s, QFileInfo(QStringLiteral(IDEMDESKCTL)).path() + u':' + call.environment.value(u"PATH"_s));
        const QString trusting = u"idemdeskctl() { case \"$*\" in *payments.json*) set -- \"$@\" --trust \"$(sha256sum "
                                 u"payments.json | cut -d' ' -f1)\"; "
                                 "esac; command idemdeskctl \"$@\"; }\n"_s;
        return runProgram(u"bash"_s, { u"-c"_s, trusting + m_exports + line }, call);
    }

    /// Each line stands in what came out, in this order; "…" stands for lines that README leaves out.
    QString missing(const ShownCommand &shown, const ProgramRun &run)
    {
        const QStringList out = QString::fromUtf8(run.said()).split(u'\n');
        qsizetype at = 0;
        for (const QString &line : shown.output) {
            if (line == u"…" || line.isEmpty()) {
                continue;
            }
            while (at < out.size() && lasting(out.at(at)) != lasting(line)) {
                ++at;
            }
            if (at == out.size()) {
                return line;
            }
            if (const auto id = uuids().match(line); id.hasMatch()) {
                m_ids.insert(id.captured(), uuids().match(out.at(at)).captured());
            }
            ++at;
        }
        return {};
    }

private slots:
    void initTestCase();
    void fiveMinutes();
};

void CtlReadmeTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".?"_s));
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->psql(u"postgres"_s,
        u"DO $$ BEGIN IF to_regrole('postgres') IS NULL THEN CREATE ROLE postgres SUPERUSER LOGIN; END IF; END $$;"
        "CREATE ROLE shop_owner LOGIN; CREATE ROLE alice LOGIN;"_s);
    m_cluster->createDatabase(u"shop"_s, u"OWNER shop_owner"_s);
    // As it is from PostgreSQL 15 on. Before, everybody may create functions in public, and the program refuses that.
    m_cluster->psql(
        u"shop"_s, u"REVOKE CREATE ON SCHEMA public FROM PUBLIC; ALTER SCHEMA public OWNER TO pg_database_owner"_s);
    QFile table(QStringLiteral(IDEMDESK_SOURCE_DIR "/tests/app/readme/shop.sql"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    m_cluster->psql(u"shop"_s,
        u"GRANT CREATE ON SCHEMA public TO shop_owner; SET ROLE shop_owner;\n"_s + QString::fromUtf8(table.readAll()));
    QString service = m_cluster->conninfoAs(u"alice"_s, u"shop"_s).replace(u' ', u'\n');
    QVERIFY(write(u"services"_s, u"[shop]\n"_s + service + u'\n'));
}

void CtlReadmeTest::fiveMinutes()
{
    const QList<ShownCommand> commands = shownCommands();
    QVERIFY2(commands.size() >= 15, qPrintable(QString::number(commands.size())));
    for (const ShownCommand &shown : commands) {
        if (shown.line.startsWith(u"export "_s)) {
            m_exports += shown.line + u'\n';
            continue;
        }
        if (shown.line.startsWith(u"cat "_s)) {
            QVERIFY(write(shown.line.mid(4), shown.output.join(u'\n'))); // what a person writes
            continue;
        }
        const ProgramRun run = typed(shown.line);
        const QString lacks = missing(shown, run);
        QVERIFY2(lacks.isEmpty(),
            qPrintable(shown.line + u" lacks “"_s + lacks + u"” in:\n"_s + QString::fromUtf8(run.said())));
        // Who reads these statements runs them.
        const QStringList statements = shown.output.filter(QRegularExpression(u"^(GRANT|SELECT idemdesk).*;$"_s));
        for (const QString &statement : statements) {
            m_cluster->psql(u"shop"_s, statement);
        }
    }
    QCOMPARE(m_cluster->psql(u"shop"_s, u"SELECT count(*) FROM payment_key WHERE status = 'processing'"_s), u"12"_s);
    QCOMPARE(m_cluster->psql(u"shop"_s, u"SELECT count(*) FROM idemdesk.action"_s), u"2"_s); // it did act, and undid it
}

QTEST_GUILESS_MAIN(CtlReadmeTest)
#include "tst_ctl_readme.moc"
