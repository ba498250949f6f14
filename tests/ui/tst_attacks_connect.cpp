// SPDX-License-Identifier: GPL-3.0-or-later
// A password in the keychain goes to the right server only, through the real window, its dialog and its band.
#include "models/connection/secret_store.h"
#include "tests/support/password_thief.h"
#include "tests/support/test_certificates.h"
#include "tests/ui/window_fixture.h"
#include "ui/dialogs/connect_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <libpq-fe.h>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

const QString kSecret = u"canary-of-the-keychain"_s;

class Keychain final : public models::SecretStore
{
public:
    bool available() const override { return true; }
    void get(
        const QString &id, QObject *context, std::function<void(sql::Result<std::optional<QString>>)> done) override
    {
        QMetaObject::invokeMethod(
            context, [this, id, done] { done(secrets.contains(id) ? std::optional(secrets.value(id)) : std::nullopt); },
            Qt::QueuedConnection);
    }
    void set(const QString &id, const QString &secret, QObject *context,
        std::function<void(sql::Result<void>)> done) override
    {
        secrets.insert(id, secret);
        QMetaObject::invokeMethod(
            context, [done] { done({}); }, Qt::QueuedConnection);
    }
    void remove(const QString &id, QObject *context, std::function<void(sql::Result<void>)> done) override
    {
        secrets.remove(id);
        QMetaObject::invokeMethod(
            context, [done] { done({}); }, Qt::QueuedConnection);
    }
    QMap<QString, QString> secrets;
};

/// One start of the program; the folder outlives it.
struct Start {
    explicit Start(const QString &folder, Keychain *keychain)
        : store(folder + u"/settings.ini"_s, QSettings::IniFormat)
        , settings(&store)
        , saved(&store)
        , connection(folder + u"/profiles"_s)
        , window({ &connection, &saved, keychain, &settings, u"15.0"_s, folder + u"/actions.json"_s,
              folder + u"/anchors.json"_s, {}, folder + u"/conflicts.sqlite"_s })
    {
        window.resize(1280, 800);
        window.show();
        window.openConnect();
        dialog = window.connectDialog();
    }

    template <typename Widget> Widget *find(const char16_t *name) const
    {
        return window.findChild<Widget *>(QString::fromUtf16(name));
    }
    /// The error that the dialog shows; other parts of the window have notices of their own.
    QString said() const
    {
        QString text;
        for (const QString &part : { u"noticeWhat"_s, u"noticeWhy"_s, u"noticeTodo"_s }) {
            text += dialog->findChild<QLabel *>(part)->text();
        }
        return text;
    }

    QSettings store;
    models::Settings settings;
    models::SavedConnections saved;
    models::ConnectionController connection;
    ui::MainWindow window;
    ui::ConnectDialog *dialog = nullptr;
};

} // namespace

class AttacksConnectTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void newConnectionsAskForAVerifiedServer_data();
    void newConnectionsAskForAVerifiedServer();
    void theKeychainsPasswordIsNotSentToAThief();
    void whatWasAllowedIsKeptAndStaysInSight();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QTemporaryDir m_certificateFolder;
    std::unique_ptr<TestCertificates> m_certificates;
    int m_port = 0;
    std::unique_ptr<TestCluster> m_cluster;
};

void AttacksConnectTest::initTestCase()
{
    qputenv("PGPASSFILE", "/nonexistent/pgpass");
    m_certificates = std::make_unique<TestCertificates>(m_certificateFolder.path());
    const auto pair = m_certificates->serverFor(u"localhost"_s, 30);
    m_port = freePort();
    m_cluster = std::make_unique<TestCluster>(TestCluster::Tls { m_port, pair.certificate, pair.key }, QStringList());
    m_cluster->psql(u"postgres"_s, u"CREATE ROLE asked LOGIN PASSWORD '%1'"_s.arg(kSecret));
    QFile hba(m_cluster->cluster().dataFolder() + u"/pg_hba.conf"_s);
    QVERIFY(hba.open(QIODevice::ReadWrite));
    const QByteArray rest = hba.readAll();
    QVERIFY(hba.seek(0) && hba.write("host all asked 127.0.0.1/32 scram-sha-256\n" + rest) > 0);
    hba.close();
    m_cluster->psql(u"postgres"_s, u"SELECT pg_reload_conf()"_s);
}

void AttacksConnectTest::newConnectionsAskForAVerifiedServer_data()
{
    QTest::addColumn<int>("tab");
    QTest::addColumn<QString>("entered");
    QTest::addColumn<QString>("conninfo");
    QTest::newRow("a host") << 0 << u"db.example"_s << u"host=db.example sslmode=verify-full"_s;
    QTest::newRow("a socket's folder") << 0 << u"/run/postgresql"_s << u"host=/run/postgresql"_s;
    QTest::newRow("a URI") << 1 << u"postgresql://app@db.example/orders"_s
                           << u"postgresql://app@db.example/orders?sslmode=verify-full"_s;
    QTest::newRow("a URI with more") << 1 << u"postgresql://db.example/?connect_timeout=3"_s
                                     << u"postgresql://db.example/?connect_timeout=3&sslmode=verify-full"_s;
    QTest::newRow("text") << 1 << u"host=db.example"_s << u"host=db.example sslmode=verify-full"_s;
    QTest::newRow("text that says otherwise")
        << 1 << u"host=db.example sslmode=require"_s << u"host=db.example sslmode=require"_s;
    QTest::newRow("text of a socket") << 1 << u"host=/run/postgresql,/tmp"_s << u"host=/run/postgresql,/tmp"_s;
    QTest::newRow("text of a socket and a host")
        << 1 << u"host=/tmp,db.example"_s << u"host=/tmp,db.example sslmode=verify-full"_s;
    QTest::newRow("a service") << 2 << u"nightly"_s << u"service=nightly"_s;
}

void AttacksConnectTest::newConnectionsAskForAVerifiedServer()
{
    QFETCH(int, tab);
    QFETCH(QString, entered);
    QFETCH(QString, conninfo);
    Keychain keychain;
    Start start(m_folder->path(), &keychain);
    QVERIFY(!start.find<QCheckBox>(u"connectUnverified")->isChecked());
    start.find<QTabWidget>(u"connectTabs")->setCurrentIndex(tab);
    constexpr const char16_t *kEdits[] = { u"connectHost", u"connectText", u"connectService" };
    auto *edit = start.find<QLineEdit>(kEdits[tab]);
    QVERIFY(edit->text().isEmpty());
    QTest::keyClicks(edit, entered);
    start.find<QPushButton>(u"connectSave")->click();
    QCOMPARE(start.saved.all().size(), 1);
    QCOMPARE(start.saved.all().constFirst().conninfo, conninfo);
    QVERIFY(!start.saved.all().constFirst().unverifiedPassword);
    start.find<QPushButton>(u"connectSave")->click(); // once more, now that it is no new one
    QCOMPARE(start.saved.all().constFirst().conninfo, conninfo);
}

void AttacksConnectTest::theKeychainsPasswordIsNotSentToAThief()
{
    const PasswordThief thief(PasswordThief::Asks::ClearText);
    Keychain keychain;
    {
        // As an earlier program saved it: nothing is said of TLS, and the password is in the keychain.
        QSettings store(m_folder->filePath(u"settings.ini"_s), QSettings::IniFormat);
        models::SavedConnections saved(&store);
        models::SavedConnection known;
        known.name = u"Night"_s;
        known.conninfo = u"host=127.0.0.1 port=%1 dbname=orders user=app"_s.arg(thief.port());
        known.passwordInKeychain = true;
        const auto stored = saved.save(known);
        QVERIFY(stored.ok());
        keychain.secrets.insert(stored->secretId(), kSecret);
    }
    Start start(m_folder->path(), &keychain);
    auto *connectButton = start.find<QPushButton>(u"connectConnect");
    connectButton->click();
    QTRY_VERIFY(start.said().contains(u"verify-full"_s));
    QVERIFY2(start.said().contains(u"not sent"_s) && start.said().contains(u"llow"_s), qPrintable(start.said()));
    QVERIFY(thief.asked() > 0);
    QCOMPARE(thief.loot(), QByteArray());
    QVERIFY(start.dialog->isVisible());
    // The person's own word, for this connection and the next start.
    auto *allow = start.find<QCheckBox>(u"connectUnverified");
    QVERIFY(allow->isVisible() && allow->isEnabled() && !allow->isChecked());
    const QString before = start.find<QLabel>(u"connectUnverifiedHint")->text();
    allow->click();
    QVERIFY(start.find<QLabel>(u"connectUnverifiedHint")->text() != before);
    QVERIFY(start.find<QLabel>(u"connectUnverifiedHint")->text().contains(u"password"_s));
    QCOMPARE(connectButton->text(), u"Save and connect"_s);
    const int asked = thief.asked();
    connectButton->click();
    QTRY_VERIFY(thief.asked() > asked);
    QTRY_VERIFY(connectButton->isEnabled());
    QCOMPARE(
        thief.loot().contains(kSecret.toUtf8()), PQlibVersion() < 160'000); // a newer libpq refuses clear text even so
    QSettings store(m_folder->filePath(u"settings.ini"_s), QSettings::IniFormat);
    QVERIFY(models::SavedConnections(&store).all().constFirst().unverifiedPassword);
}

void AttacksConnectTest::whatWasAllowedIsKeptAndStaysInSight()
{
    Keychain keychain;
    const QString band = u"bandFacts"_s;
    const auto facts = [&](const Start &start) { return start.window.findChild<QLabel *>(band)->text(); };
    {
        Start start(m_folder->path(), &keychain);
        start.find<QLineEdit>(u"connectHost")->setText(u"localhost"_s);
        start.find<QLineEdit>(u"connectPort")->setText(QString::number(m_port));
        start.find<QLineEdit>(u"connectDatabase")->setText(u"postgres"_s);
        start.find<QLineEdit>(u"connectUser")->setText(u"asked"_s);
        start.find<QLineEdit>(u"connectPassword")->setText(kSecret);
        start.find<QCheckBox>(u"connectKeep")->setChecked(true);
        auto *mode = start.find<QComboBox>(u"connectSslMode");
        QCOMPARE(mode->currentData().toString(), u"verify-full"_s);
        mode->setCurrentIndex(mode->findData(u"require"_s));
        start.find<QPushButton>(u"connectConnect")->click();
        QTRY_VERIFY(start.said().contains(u"not sent"_s));
        start.find<QCheckBox>(u"connectUnverified")->setChecked(true);
        start.find<QPushButton>(u"connectConnect")->click();
        QTRY_COMPARE(start.connection.state(), sql::LinkState::Connected);
        QTRY_VERIFY2(facts(start).contains(u"unverified server"_s), qPrintable(facts(start)));
        // The keychain answers in its own time, and only after the server took the password.
        QTRY_VERIFY(start.saved.all().constFirst().passwordInKeychain);
    }
    {
        Start start(m_folder->path(), &keychain); // the next morning
        QVERIFY(start.find<QCheckBox>(u"connectUnverified")->isChecked());
        start.find<QPushButton>(u"connectConnect")->click();
        QTRY_COMPARE(start.connection.state(), sql::LinkState::Connected);
        QTRY_VERIFY2(facts(start).contains(u"unverified server"_s), qPrintable(facts(start)));
        QVERIFY(start.find<QLabel>(u"bandFacts")->isVisible());
        // Verified, the permission is of no use, and the band does not cry wolf.
        start.window.openConnect();
        auto *mode = start.find<QComboBox>(u"connectSslMode");
        mode->setCurrentIndex(mode->findData(u"verify-full"_s));
        start.find<QLineEdit>(u"connectRootCertificate")->setText(m_certificates->authorityFile());
        start.find<QPushButton>(u"connectConnect")->click();
        QTRY_COMPARE(start.connection.state(), sql::LinkState::Connected);
        QTRY_VERIFY2(
            facts(start).contains(u"TLSv1"_s) && !facts(start).contains(u"unverified"_s), qPrintable(facts(start)));
    }
}

QTEST_MAIN(AttacksConnectTest)
#include "tst_attacks_connect.moc"
