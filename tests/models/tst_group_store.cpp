// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/saved_connections.h"
#include "models/groups/group_file.h"
#include "models/groups/group_store.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using models::SavedGroup;

/// Saved groups: kept over starts, held to the rules of a group, written and read as files.
class GroupStoreTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<models::SavedConnections> m_connections;
    std::unique_ptr<models::GroupStore> m_groups;

    void open()
    {
        m_groups.reset();
        m_connections.reset();
        m_settings = std::make_unique<QSettings>(m_folder->filePath(u"s.ini"_s), QSettings::IniFormat);
        m_connections = std::make_unique<models::SavedConnections>(m_settings.get());
        m_groups = std::make_unique<models::GroupStore>(m_settings.get(), m_connections.get());
    }
    QString connection(const QString &conninfo, bool keychain = false)
    {
        models::SavedConnection saved;
        saved.name = conninfo;
        saved.conninfo = conninfo;
        saved.environment = sql::Environment::Production;
        saved.passwordInKeychain = keychain;
        return m_connections->save(saved)->id;
    }
    SavedGroup payments()
    {
        return { u"payments"_s, sql::GroupKind::Shards,
            { { u"eu"_s, connection(u"service=payments-eu"_s, true), {} }, { u"us"_s, {}, u"service=payments-us"_s } },
            {} };
    }

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        open();
    }

    void isThereAfterANewStart()
    {
        const SavedGroup group = payments();
        QSignalSpy changed(m_groups.get(), &models::GroupStore::changed);
        QVERIFY(m_groups->save(group).ok());
        m_groups->setLastUsed(u"payments"_s, u"us"_s);
        QCOMPARE(changed.size(), 1);
        open();
        SavedGroup expected = group;
        expected.lastUsed = u"us"_s;
        QCOMPARE(m_groups->all(), QList { expected });
        QCOMPARE(m_connections->all().size(), 1); // what stands beside the groups is not touched
        QCOMPARE(QFileInfo(m_settings->fileName()).permissions() & (QFile::ReadGroup | QFile::ReadOther),
            QFile::Permissions());
    }
    void twoGroupsKeepTheirOwnMembers()
    {
        SavedGroup other = payments();
        other.name = u"orders"_s;
        other.members += { u"ap"_s, {}, u"service=orders-ap"_s };
        QVERIFY(m_groups->save(payments()).ok());
        QVERIFY(m_groups->save(other).ok());
        open();
        QCOMPARE(m_groups->all().size(), 2);
        QCOMPARE(m_groups->find(u"payments"_s)->members.size(), 2);
        QCOMPARE(m_groups->find(u"orders"_s)->members.size(), 3);
        m_groups->remove(u"payments"_s);
        open();
        QCOMPARE(m_groups->all().size(), 1);
        QCOMPARE(*m_groups->find(u"orders"_s), other);
    }
    void isRenamedInItsPlace()
    {
        SavedGroup group = payments();
        QVERIFY(m_groups->save(group).ok());
        group.name = u"charges"_s;
        QVERIFY(m_groups->save(group, u"payments"_s).ok());
        QCOMPARE(m_groups->all(), QList { group });
    }

    void whatIsNoGroupIsRefused_data()
    {
        QTest::addColumn<SavedGroup>("group");
        QTest::addColumn<QString>("why");
        const SavedGroup good { u"g"_s, sql::GroupKind::Regions,
            { { u"a"_s, {}, u"service=a"_s }, { u"b"_s, {}, u"service=b"_s } }, {} };
        SavedGroup bad = good;
        bad.name = u"  "_s;
        QTest::newRow("no name") << bad << u"no name"_s;
        bad = good;
        bad.members.removeLast();
        QTest::newRow("one member") << bad << u"two members"_s;
        bad = good;
        bad.members[1].label = u"a"_s;
        QTest::newRow("a label twice") << bad << u"called a"_s;
        bad = good;
        bad.members[1].label.clear();
        QTest::newRow("a member without a label") << bad << u"no label"_s;
        bad = good;
        bad.members[1].conninfo.clear();
        QTest::newRow("a member without a connection") << bad << u"nowhere"_s;
        bad = good;
        bad.members[1].conninfo = u"service=b password=secret"_s;
        QTest::newRow("a password") << bad << u"password"_s;
    }
    void whatIsNoGroupIsRefused()
    {
        QFETCH(const SavedGroup, group);
        QFETCH(const QString, why);
        const auto saved = m_groups->save(group);
        QVERIFY(!saved.ok());
        QVERIFY2(saved.error().line().contains(why), qPrintable(saved.error().line()));
        QVERIFY(!saved.error().line().contains(u"secret"_s));
        QVERIFY(m_groups->all().isEmpty());
    }
    void aNameIsTakenOnce()
    {
        QVERIFY(m_groups->save(payments()).ok());
        QVERIFY(!m_groups->save(payments()).ok());
        QVERIFY(m_groups->save(payments(), u"payments"_s).ok());
    }

    void leadsToItsConnectionsAsTheyAreNow()
    {
        const SavedGroup group = payments();
        QVERIFY(m_groups->save(group).ok());
        models::GroupPlaces places = m_groups->places(group);
        QCOMPARE(places.kind, sql::GroupKind::Shards);
        QCOMPARE(places.members.at(0).settings.conninfo, u"service=payments-eu"_s);
        QCOMPARE(places.members.at(0).settings.environment, sql::Environment::Production);
        QCOMPARE(places.members.at(0).secretId, u"connection/"_s + group.members.at(0).connectionId);
        QVERIFY(places.members.at(1).secretId.isEmpty());
        m_connections->remove(group.members.at(0).connectionId);
        places = m_groups->places(group);
        QVERIFY(places.members.at(0).missing.has_value());
        QVERIFY(places.members.at(0).missing->line().contains(u"eu"_s));
        QVERIFY(!places.members.at(1).missing.has_value());
        // A file without one of its members would be another group.
        const auto written = m_groups->write(group, m_folder->filePath(u"g.json"_s));
        QVERIFY(!written.ok());
        QVERIFY(!QFile::exists(m_folder->filePath(u"g.json"_s)));
    }
    void goesOutAsAFileAndComesBack()
    {
        const SavedGroup group = payments();
        const QString path = m_folder->filePath(u"g.json"_s);
        QVERIFY(m_groups->write(group, path).ok());
        const auto file = models::groupFromFile(path); // as the terminal program reads it
        QVERIFY(file.ok());
        QCOMPARE(file->members.at(0).conninfo, u"service=payments-eu"_s);
        const auto back = m_groups->read(path);
        QVERIFY(back.ok());
        QCOMPARE(*back, group); // the saved connection is found again
        QVERIFY(m_groups->all().isEmpty());
    }
    void aFileThatIsNoneSaysWhere()
    {
        QFile file(m_folder->filePath(u"g.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"idemdesk_group":1,"name":"g","kind":"planets","members":[]})");
        file.close();
        const auto read = m_groups->read(file.fileName());
        QVERIFY(!read.ok());
        QVERIFY2(read.error().where.contains(u"$.kind"_s), qPrintable(read.error().where));
    }
};

QTEST_GUILESS_MAIN(GroupStoreTest)
#include "tst_group_store.moc"
