// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keychain_store.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTest>

using namespace idemdesk;
using namespace Qt::StringLiterals;

/// Runs inside a D-Bus session of its own with a real, unlocked gnome-keyring (tests/app/with_keyring.sh); with the
/// argument "none" in IDEMDESK_TEST_KEYRING there is no session bus at all.
class SecretStoreTest final : public QObject
{
    Q_OBJECT

    const bool m_keyring = qEnvironmentVariable("IDEMDESK_TEST_KEYRING") != u"none"_s;

    std::optional<sql::Result<std::optional<QString>>> get(app::KeychainStore &store, const QString &id)
    {
        std::optional<sql::Result<std::optional<QString>>> answer;
        store.get(
            id, this, [&answer](sql::Result<std::optional<QString>> result) { answer.emplace(std::move(result)); });
        [&] { QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), 20'000); }();
        return answer;
    }
    std::optional<sql::Result<void>> set(app::KeychainStore &store, const QString &id, const QString &secret)
    {
        std::optional<sql::Result<void>> answer;
        store.set(id, secret, this, [&answer](const sql::Result<void> &result) { answer = result; });
        [&] { QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), 20'000); }();
        return answer;
    }

private slots:
    void initTestCase()
    {
        // A canary in any file below the home folder would be a leak.
        QVERIFY(!QDir::homePath().isEmpty());
    }

    void roundTrip_data()
    {
        QTest::addColumn<QString>("secret");
        QTest::newRow("plain") << u"canary-7f3a"_s;
        QTest::newRow("empty") << u""_s;
        QTest::newRow("quotes, spaces, backslashes") << u" it's \"quoted\" \\ "_s;
        QTest::newRow("beyond ASCII") << u"pässwörd \u202e 密码"_s;
        QTest::newRow("10 kB") << QString(10'000, u'x');
    }
    void roundTrip()
    {
        QFETCH(QString, secret);
        app::KeychainStore store;
        const QString id = u"connection/test"_s;
        const auto written = set(store, id, secret);
        QCOMPARE(written->ok(), m_keyring);
        const auto read = get(store, id);
        QCOMPARE(read->ok(), m_keyring);
        QCOMPARE(store.available(), m_keyring);
        if (m_keyring) {
            QVERIFY((**read).has_value());
            QCOMPARE(***read, secret);
        } else {
            QVERIFY(!written->error().what.isEmpty());
            QVERIFY(written->error().todo.contains(u"session"_s));
        }
    }

    void missingIsNotAnError()
    {
        app::KeychainStore store;
        const auto read = get(store, u"connection/absent"_s);
        QCOMPARE(read->ok(), m_keyring);
        if (m_keyring) {
            QVERIFY(!(**read).has_value());
        }
    }

    void removeForgets()
    {
        app::KeychainStore store;
        const QString id = u"connection/gone"_s;
        QCOMPARE(set(store, id, u"x"_s)->ok(), m_keyring);
        std::optional<sql::Result<void>> removed;
        store.remove(id, this, [&removed](const sql::Result<void> &result) { removed = result; });
        QTRY_VERIFY_WITH_TIMEOUT(removed.has_value(), 20'000);
        QCOMPARE(removed->ok(), m_keyring);
        if (m_keyring) {
            QVERIFY(!(**get(store, id)).has_value());
        }
    }

    void answerIsDroppedWithItsContext()
    {
        app::KeychainStore store;
        auto context = std::make_unique<QObject>();
        bool called = false;
        store.get(u"connection/test"_s, context.get(), [&called](const auto &) { called = true; });
        context.reset();
        get(store, u"connection/test"_s);
        QVERIFY(!called);
    }

    void nothingLandsInPlainFiles()
    {
        app::KeychainStore store;
        set(store, u"connection/canary"_s, u"canary-7f3a-plain"_s);
        QDirIterator files(QDir::homePath(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY2(!file.open(QIODevice::ReadOnly) || !file.readAll().contains("canary-7f3a-plain"),
                qPrintable(file.fileName()));
        }
    }
};

QTEST_GUILESS_MAIN(SecretStoreTest)
#include "tst_secret_store.moc"
