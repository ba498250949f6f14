// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

/// idemdeskctl diff as a person or a script calls it. It needs no database.
class CtlDiffTest final : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString file(const QString &name, const QByteArray &content)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
            qFatal("cannot write a payload");
        }
        return file.fileName();
    }

    static ProgramRun ctl(const QStringList &arguments, const QByteArray &input = {})
    {
        return runProgram(QStringLiteral(IDEMDESKCTL), QStringList { u"diff"_s } + arguments,
            { QProcessEnvironment::systemEnvironment(), input });
    }

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void recipeAndDifferencesAreNamed()
    {
        const QByteArray body = "{\"amount\":1050,\"currency\":\"EUR\",\"Note\":\"caf\xC3\xA9/"
                                "1\",\"items\":[{\"sku\":\"b\",\"qty\":2}],\"rate\":1.0}";
        QByteArray other = body;
        other.replace("1050", "9900").replace("1.0", "1.00");
        const ProgramRun run = ctl({ file(u"a.json"_s, body), file(u"b.json"_s, other), u"--fingerprint"_s,
            u"7511e10eb29617a0aa087f41a53796ab166682e361f39e602953d10ce150b65a"_s, u"--part"_s, u"method=POST"_s,
            u"--part"_s, u"path=/v1/charges"_s, u"--json"_s });
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QVERIFY(run.err.isEmpty());
        const QJsonObject recipe = run.json()[u"recipe"].toObject();
        QCOMPARE(recipe[u"recipe"].toString(), u"sha256(method \":\" path \":\" body as raw)"_s);
        QCOMPARE(recipe[u"payload"].toString(), u"a"_s);
        QCOMPARE(run.json()[u"why"].toString(), u"/amount changed from 1050 to 9900: different request."_s);
        const QJsonArray items = run.json()[u"items"].toArray();
        QCOMPARE(items.size(), 2);
        QCOMPARE(items[1][u"from"].toString(), u"1.0"_s);
        QCOMPARE(items[1][u"to"].toString(), u"1.00"_s);
        QVERIFY(items[1][u"form_only"].toBool());
    }

    void textOutputHasTheSentence()
    {
        const ProgramRun run = ctl(
            { file(u"a.json"_s, R"({"a":1,"b":2})"), u"-"_s, u"--fingerprint"_s,
                QString::fromLatin1(QCryptographicHash::hash(R"({"a":1,"b":2})", QCryptographicHash::Sha256).toHex()) },
            R"({"b":2,"a":1})");
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QVERIFY2(run.out.contains("the service hashes raw bytes"), run.out.constData());
        QVERIFY(run.out.contains("SHA-256 of the bytes as sent"));
    }

    void ignoredFieldsAreSaidToBe()
    {
        const ProgramRun run = ctl({ file(u"a.json"_s, R"({"items":[{"at":1}]})"),
            file(u"b.json"_s, R"({"items":[{"at":2}]})"), u"--ignore"_s, u"/items/*/at"_s, u"--json"_s });
        QVERIFY(run.json()[u"same_data"].toBool());
        QCOMPARE(run.json()[u"counts"][u"ignored"].toInt(), 1);
    }

    void noMatchGivesReasons()
    {
        const ProgramRun run = ctl({ file(u"a.json"_s, R"({"a": 1})"), file(u"b.json"_s, R"({"a": 2})"),
            u"--fingerprint"_s, QString(64, u'0'), u"--stored-as"_s, u"jsonb"_s });
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("stored as jsonb"), run.out.constData());
    }

    void hostilePayloadsEndInAMessage_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::newRow("deep") << QByteArray(100'000, '[') + QByteArray(100'000, ']');
        QTest::newRow("invalid UTF-8") << QByteArray("{\"a\":\"\xFF\"}");
        QTest::newRow("NUL") << QByteArray("{\"a\":\0}", 7);
        QTest::newRow("huge number") << "[" + QByteArray(500'000, '9') + "e99999999999]";
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("escape sequence") << QByteArray("\x1B]0;title\x07 plain");
    }
    void hostilePayloadsEndInAMessage()
    {
        QFETCH(QByteArray, payload);
        for (const QStringList &options : { QStringList(), QStringList { u"--json"_s } }) {
            const ProgramRun run
                = ctl(QStringList { file(u"a.json"_s, payload), file(u"b.json"_s, "{\"a\":1}") } + options);
            QVERIFY2(run.status == 0, qPrintable(run.err));
            QVERIFY(!run.out.isEmpty() && !run.out.contains('\x1B'));
            QVERIFY(options.isEmpty() || !run.json().isEmpty());
        }
    }

    void outputThatFindsNoRoomIsNoSuccess_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QString payload = file(u"small.json"_s, "{}");
        QTest::newRow("a command") << QStringList { u"diff"_s, payload, payload, u"--json"_s };
        QTest::newRow("the list of commands") << QStringList { u"--help"_s };
    }
    void outputThatFindsNoRoomIsNoSuccess()
    {
        QFETCH(QStringList, arguments);
        QProcess process;
        process.setStandardOutputFile(u"/dev/full"_s);
        process.start(QStringLiteral(IDEMDESKCTL), arguments);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 1);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("not complete") && said.contains("No space left"), said.constData());
    }

    /// Whoever closes the pipe has seen enough: that is no full disk.
    void aReaderThatLeavesIsNoFailure()
    {
        QProcess process;
        process.start(u"/bin/bash"_s,
            { u"-c"_s, u"trap '' PIPE; \"$0\" safety | true; exit ${PIPESTATUS[0]}"_s, QStringLiteral(IDEMDESKCTL) });
        QVERIFY(process.waitForFinished(60'000));
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0 && said.isEmpty(), said.constData());
    }

    void wrongCallsAreRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        const QString a = file(u"ok.json"_s, "{}");
        QTest::newRow("one file") << QStringList { a } << 2;
        QTest::newRow("unknown part") << QStringList { a, a, u"--fingerprint"_s, QString(64, u'0'), u"--part"_s,
            u"colour=red"_s } << 2;
        QTest::newRow("part without value")
            << QStringList { a, a, u"--fingerprint"_s, QString(64, u'0'), u"--part"_s, u"path"_s } << 2;
        QTest::newRow("unknown part, and no fingerprint to search for")
            << QStringList { a, a, u"--part"_s, u"colour=red"_s } << 2;
        QTest::newRow("unknown storage, and no fingerprint to search for")
            << QStringList { a, a, u"--stored-as"_s, u"xml"_s } << 2;
        QTest::newRow("no hash") << QStringList { a, a, u"--fingerprint"_s, u"hello"_s } << 2;
        QTest::newRow("no pointer") << QStringList { a, a, u"--ignore"_s, u"at"_s } << 2;
        QTest::newRow("unknown storage") << QStringList { a, a, u"--fingerprint"_s, QString(64, u'0'), u"--stored-as"_s,
            u"xml"_s } << 2;
        QTest::newRow("no such file") << QStringList { a, m_folder.filePath(u"absent"_s) } << 1;
        QTest::newRow("a folder") << QStringList { a, m_folder.path() } << 1;
    }
    void wrongCallsAreRefused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        const ProgramRun run = ctl(arguments);
        QCOMPARE(run.status, status);
        QVERIFY(!run.err.isEmpty() && run.out.isEmpty());
    }
};

QTEST_GUILESS_MAIN(CtlDiffTest)
#include "tst_ctl_diff.moc"
