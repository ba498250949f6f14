// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cluster_template.h"
#include "tests/support/private_home.h"
#include "tests/support/program_run.h"
#include "tests/support/test_cluster.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

/// What most tests stand on: a copy of a cluster that was made for another program must be what it would have made.
class ClusterTemplateTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_fills = 0;
        forget();
    }
    void cleanup() { forget(); }

    void itIsFilledOnceForAllCopies()
    {
        QVERIFY(copied(u"1"_s, "one"));
        QVERIFY(copied(u"2"_s, "one"));
        QCOMPARE(m_fills, 1);
        for (const QString &name : { u"/1"_s, u"/2"_s }) {
            QVERIFY(QFile::exists(m_folder->path() + name + u"/PG_VERSION"_s));
            QVERIFY(!QFile::exists(m_folder->path() + name + u"/postmaster.pid"_s)); // of a server that was stopped
        }
    }

    void itIsMadeAnewWhereItsContentChanged()
    {
        QVERIFY(copied(u"1"_s, "one"));
        QVERIFY(copied(u"2"_s, "another"));
        QCOMPARE(m_fills, 2);
        QVERIFY(copied(u"3"_s, "another"));
        QCOMPARE(m_fills, 2);
    }

    /// All copies are one server to whoever keeps something of it: nothing of an earlier run may be found, nor a
    /// person's.
    void whatAnotherRunKeptIsNotFound()
    {
        const TestCluster cluster;
        for (const auto location : { QStandardPaths::GenericDataLocation, QStandardPaths::GenericConfigLocation }) {
            const QString kept = QStandardPaths::writableLocation(location);
            QVERIFY2(kept.startsWith(privateHome()), qPrintable(kept));
            QVERIFY(!QDir(kept).exists() || QDir(kept).isEmpty());
        }
        const QStringList told // of the programs that it starts, too
            = QString::fromUtf8(runProgram(u"printenv"_s, { u"XDG_DATA_HOME"_s, u"XDG_CONFIG_HOME"_s }).out)
                  .split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(told, QStringList({ privateHome() + u"/data"_s, privateHome() + u"/config"_s }));
    }

    /// Whoever made it was killed before its end.
    void whatIsHalfMadeIsMadeAnew()
    {
        QVERIFY(copied(u"1"_s, "one"));
        QVERIFY(QFile::remove(folders().constFirst() + u"/made_of"_s));
        QVERIFY(QFile::remove(folders().constFirst() + u"/data/PG_VERSION"_s));
        QVERIFY(copied(u"2"_s, "one"));
        QCOMPARE(m_fills, 2);
        QVERIFY(QFile::exists(m_folder->path() + u"/2/PG_VERSION"_s));
    }

    void aProgramsClustersAreTwoServersWithTheSameContent()
    {
        const ClusterTemplate content(
            u"of-its-own-test"_s,
            [](TestCluster &cluster) { cluster.psql(u"postgres"_s, u"CREATE TABLE filled AS SELECT 7 AS n"_s); },
            "seven");
        TestCluster first({}, content);
        TestCluster second({}, content);
        const QString identifier = u"SELECT system_identifier FROM pg_control_system()"_s;
        QVERIFY(first.psql(u"postgres"_s, identifier) != second.psql(u"postgres"_s, identifier));
        for (TestCluster *cluster : { &first, &second }) {
            QCOMPARE(cluster->psql(u"postgres"_s, u"SELECT n FROM filled"_s), u"7"_s);
            QCOMPARE(cluster->psql(u"postgres"_s, u"SHOW fsync"_s), u"off"_s);
        }
    }

private:
    bool copied(const QString &name, const QByteArray &madeOf)
    {
        const ClusterTemplate content(
            u"of-its-own-test"_s, [this](TestCluster &) { ++m_fills; }, madeOf);
        const auto done = content.copyTo(m_folder->filePath(name));
        return done.ok() || (qWarning("%s", qPrintable(done.error().line())), false);
    }
    static QStringList folders()
    {
        QStringList found;
        const QDir all(QStringLiteral(IDEMDESK_BUILD_DIR) + u"/tests/clusters"_s);
        for (const QString &name : all.entryList({ u"of-its-own-test-*"_s }, QDir::Dirs)) {
            found += all.filePath(name);
        }
        return found;
    }
    static void forget()
    {
        for (const QString &folder : folders()) {
            QDir(folder).removeRecursively();
        }
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    int m_fills = 0;
};

QTEST_GUILESS_MAIN(ClusterTemplateTest)
#include "tst_cluster_template.moc"
