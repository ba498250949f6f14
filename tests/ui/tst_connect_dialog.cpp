// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/saved_connections.h"
#include "models/connection/secret_store.h"
#include "tests/support/test_cluster.h"
#include "tests/ui/dialog_support.h"
#include "ui/dialogs/connect_dialog.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMap>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::test;

namespace {

/// A keychain of this test; it answers later, as the real one does.
class MemorySecrets final : public models::SecretStore
{
public:
    bool available() const override { return m_available; }
    void get(
        const QString &id, QObject *context, std::function<void(sql::Result<std::optional<QString>>)> done) override
    {
        QMetaObject::invokeMethod(
            context,
            [this, id, done] { done(m_secrets.contains(id) ? std::optional(m_secrets.value(id)) : std::nullopt); },
            Qt::QueuedConnection);
    }
    void set(const QString &id, const QString &secret, QObject *context,
        std::function<void(sql::Result<void>)> done) override
    {
        m_secrets.insert(id, secret);
        if (m_slow) {
            m_later.append({ context, done });
            return;
        }
        QMetaObject::invokeMethod(
            context, [done] { done({}); }, Qt::QueuedConnection);
    }
    /// Answers what it was asked while slow, to those who are still there.
    void answer()
    {
        for (const auto &[context, done] : std::exchange(m_later, {})) {
            if (context != nullptr) {
                done({});
            }
        }
    }
    void remove(const QString &id, QObject *context, std::function<void(sql::Result<void>)> done) override
    {
        m_secrets.remove(id);
        QMetaObject::invokeMethod(
            context, [done] { done({}); }, Qt::QueuedConnection);
    }

    bool m_available = true;
    bool m_slow = false;
    QMap<QString, QString> m_secrets;

private:
    QList<std::pair<QPointer<QObject>, std::function<void(sql::Result<void>)>>> m_later;
};

} // namespace

class ConnectDialogTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_cluster = std::make_unique<tests::TestCluster>(); }
    void cleanupTestCase() { m_cluster.reset(); }
    void init();
    void cleanup();
    void enterConnectsFromAField();
    void tabsTakeTheFieldsAlong();
    void refusesAPasswordInTheText();
    void saysWhyAPasswordIsNotKept();
    void keepsAPasswordInTheKeychainAlone();
    void aMistypedPasswordIsNotKept();
    void asksTheKeychainWhenConnecting();
    void aPasswordIsKeptAlthoughTheConnectionIsQuicker();
    void removingTakesThePasswordOutOfTheKeychain_data();
    void removingTakesThePasswordOutOfTheKeychain();
    void connectingKeepsWhatWasChanged();
    void savesAndRemoves();
    void withoutSavedConnectionsTheListSaysWhatWillStandThere();
    void theFormFitsAndScrollsWhereItMust();
    void duplicatesWithoutThePassword();
    void aTestTellsWhatTheServerSays();
    void aTestThatFailsSaysWhy();
    void aTestUsesTheKeptPassword();
    void asksBeforeEditsAreLost_data();
    void asksBeforeEditsAreLost();
    void staysOpenWithTheErrorLiterally();
    void everyWidgetOfTheDialogIsNamed();

private:
    std::unique_ptr<tests::TestCluster> m_cluster;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<models::SavedConnections> m_saved;
    MemorySecrets m_secrets;
};

void ConnectDialogTest::init()
{
    failOnWarning();
    m_folder = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<QSettings>(m_folder->filePath(u"settings.ini"_s), QSettings::IniFormat);
    m_saved = std::make_unique<models::SavedConnections>(m_settings.get());
    m_secrets.m_secrets.clear();
    m_secrets.m_available = true;
    m_secrets.m_slow = false;
}

void ConnectDialogTest::cleanup()
{
    m_saved.reset();
    m_settings.reset();
    m_folder.reset();
}

void ConnectDialogTest::enterConnectsFromAField()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    dialog.open();
    auto *host = named<QLineEdit>(&dialog, u"connectHost");
    QTRY_COMPARE(dialog.focusWidget(), host);
    QTest::keyClicks(host, u"db.example"_s);
    QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
    QTest::keyClicks(dialog.focusWidget(), u"5433"_s);
    QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
    QTest::keyClicks(dialog.focusWidget(), u"or ders"_s);
    QTest::keyClicks(named<QLineEdit>(&dialog, u"connectPassword"), u"s3cret"_s);
    named<QComboBox>(&dialog, u"connectEnvironment")->setCurrentIndex(4);
    named<QCheckBox>(&dialog, u"connectReadOnly")->setChecked(true);
    QTest::keyClick(named<QLineEdit>(&dialog, u"connectPassword"), Qt::Key_Return);
    QCOMPARE(wanted.size(), 1);
    const auto settings = wanted.constFirst().constFirst().value<sql::ConnectionSettings>();
    QCOMPARE(settings.conninfo, u"host=db.example port=5433 dbname='or ders' sslmode=verify-full"_s);
    QCOMPARE(settings.password, u"s3cret"_s);
    QCOMPARE(settings.environment, sql::Environment::Production);
    QVERIFY(settings.readOnly);
    QVERIFY(dialog.isVisible());
    QVERIFY(!named<QPushButton>(&dialog, u"connectConnect")->isEnabled());
    QTest::keyClick(&dialog, Qt::Key_Return);
    QCOMPARE(wanted.size(), 1);
    QVERIFY(m_saved->all().isEmpty());
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QVERIFY(!dialog.isVisible());
}

void ConnectDialogTest::tabsTakeTheFieldsAlong()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    dialog.open();
    auto *tabs = named<QTabWidget>(&dialog, u"connectTabs");
    tabs->setCurrentIndex(1);
    auto *text = named<QLineEdit>(&dialog, u"connectText");
    text->setText(u"postgresql://app@db.example/orders?sslmode=verify-full&connect_timeout=7"_s);
    tabs->setCurrentIndex(0);
    QCOMPARE(named<QLineEdit>(&dialog, u"connectHost")->text(), u"db.example"_s);
    QCOMPARE(named<QLineEdit>(&dialog, u"connectUser")->text(), u"app"_s);
    QCOMPARE(named<QComboBox>(&dialog, u"connectSslMode")->currentData().toString(), u"verify-full"_s);
    QVERIFY(named<QLabel>(&dialog, u"connectOthers")->text().contains(u"connect_timeout"_s));
    named<QLineEdit>(&dialog, u"connectDatabase")->setText(u"payments"_s);
    tabs->setCurrentIndex(1);
    QVERIFY2(
        text->text().contains(u"payments"_s) && text->text().contains(u"connect_timeout"_s), qPrintable(text->text()));
    // What libpq does not understand is not thrown away.
    text->setText(u"host=db.example bogus"_s);
    tabs->setCurrentIndex(0);
    QCOMPARE(named<QLineEdit>(&dialog, u"connectDatabase")->text(), u"payments"_s);
    tabs->setCurrentIndex(2);
    named<QLineEdit>(&dialog, u"connectService")->setText(u"nightly"_s);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    QTest::keyClick(named<QLineEdit>(&dialog, u"connectService"), Qt::Key_Return);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.constFirst().constFirst().value<sql::ConnectionSettings>().conninfo, u"service=nightly"_s);
}

void ConnectDialogTest::refusesAPasswordInTheText()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    dialog.open();
    named<QTabWidget>(&dialog, u"connectTabs")->setCurrentIndex(1);
    auto *text = named<QLineEdit>(&dialog, u"connectText");
    text->setText(u"postgresql://app:hunter2@db.example/orders"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QCOMPARE(wanted.size(), 0);
    auto *what = named<QLabel>(&dialog, u"noticeWhat");
    QVERIFY(what->isVisible() && !what->text().isEmpty());
    for (const QLabel *label : dialog.findChildren<QLabel *>()) {
        QVERIFY(!label->text().contains(u"hunter2"_s));
    }
}

void ConnectDialogTest::saysWhyAPasswordIsNotKept()
{
    m_secrets.m_available = false;
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QVERIFY(!named<QCheckBox>(&dialog, u"connectKeep")->isEnabled());
    QVERIFY(named<QLabel>(&dialog, u"connectPasswordHint")->text().contains(u"session"_s));
    QCOMPARE(named<QLineEdit>(&dialog, u"connectPassword")->echoMode(), QLineEdit::Password);
    ui::ConnectDialog without(m_saved.get(), nullptr);
    QVERIFY(!named<QCheckBox>(&without, u"connectKeep")->isEnabled());
}

void ConnectDialogTest::keepsAPasswordInTheKeychainAlone()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    dialog.open();
    named<QLineEdit>(&dialog, u"connectName")->setText(u"Night"_s);
    named<QLineEdit>(&dialog, u"connectHost")->setText(u"db.example"_s);
    auto *password = named<QLineEdit>(&dialog, u"connectPassword");
    password->setText(u"s3cret-word"_s);
    named<QCheckBox>(&dialog, u"connectKeep")->setChecked(true);
    QTest::keyClick(password, Qt::Key_Return);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(m_saved->all().size(), 1);
    QVERIFY(m_secrets.m_secrets.isEmpty()); // the server has not said yes
    dialog.accept(); // as its owner does once it has
    QTRY_VERIFY(m_saved->all().constFirst().passwordInKeychain);
    QCOMPARE(m_secrets.m_secrets.value(m_saved->all().constFirst().secretId()), u"s3cret-word"_s);
    QCOMPARE(m_saved->lastUsed(), m_saved->all().constFirst().id);
    QCOMPARE(password->text(), u"s3cret-word"_s); // still there, should the server refuse it
    m_settings->sync();
    QFile file(m_settings->fileName());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray written = file.readAll();
    QVERIFY(written.contains("db.example") && !written.contains("s3cret-word"));
}

void ConnectDialogTest::aMistypedPasswordIsNotKept()
{
    models::SavedConnection known;
    known.name = u"Night"_s;
    known.conninfo = u"host=db.example"_s;
    known.passwordInKeychain = true;
    const auto stored = m_saved->save(known);
    QVERIFY(stored.ok());
    m_secrets.m_secrets.insert(stored->secretId(), u"good"_s);
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    dialog.open();
    auto *password = named<QLineEdit>(&dialog, u"connectPassword");
    password->setText(u"goood"_s);
    QTest::keyClick(password, Qt::Key_Return);
    QTRY_COMPARE(wanted.size(), 1);
    QCOMPARE(wanted.constFirst().constFirst().value<sql::ConnectionSettings>().password, u"goood"_s);
    dialog.showError(hostileError());
    QCoreApplication::processEvents();
    QCOMPARE(m_secrets.m_secrets.value(stored->secretId()), u"good"_s);
    QTest::mouseClick(named<QPushButton>(&dialog, u"connectSave"), Qt::LeftButton); // not tried, either
    QCoreApplication::processEvents();
    QCOMPARE(m_secrets.m_secrets.value(stored->secretId()), u"good"_s);
    password->setText(u"newer"_s);
    QTest::keyClick(password, Qt::Key_Return);
    QTRY_COMPARE(wanted.size(), 2);
    dialog.accept();
    QTRY_COMPARE(m_secrets.m_secrets.value(stored->secretId()), u"newer"_s);
}

void ConnectDialogTest::asksTheKeychainWhenConnecting()
{
    models::SavedConnection known;
    known.name = u"Night"_s;
    known.conninfo = u"host=db.example"_s;
    known.passwordInKeychain = true;
    const auto stored = m_saved->save(known);
    QVERIFY(stored.ok());
    m_secrets.m_secrets.insert(stored->secretId(), u"kept"_s);
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    dialog.open();
    QTest::keyClick(named<QListWidget>(&dialog, u"savedConnections"), Qt::Key_Return);
    QTRY_COMPARE(wanted.size(), 1);
    QCOMPARE(wanted.constFirst().constFirst().value<sql::ConnectionSettings>().password, u"kept"_s);
}

void ConnectDialogTest::aPasswordIsKeptAlthoughTheConnectionIsQuicker()
{
    m_secrets.m_slow = true;
    {
        ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
        QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
        dialog.open();
        named<QLineEdit>(&dialog, u"connectHost")->setText(u"db.example"_s);
        named<QLineEdit>(&dialog, u"connectPassword")->setText(u"s3cret"_s);
        named<QCheckBox>(&dialog, u"connectKeep")->setChecked(true);
        named<QPushButton>(&dialog, u"connectConnect")->click();
        QCOMPARE(wanted.size(), 1);
        dialog.accept(); // the database answered, and the window closes the dialog
    }
    m_secrets.answer();
    QVERIFY(m_saved->all().constFirst().passwordInKeychain);
    // The next start: nothing is typed, and nothing is asked.
    models::SavedConnections again(m_settings.get());
    ui::ConnectDialog dialog(&again, &m_secrets);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    dialog.open();
    QVERIFY(named<QLineEdit>(&dialog, u"connectPassword")->text().isEmpty());
    named<QPushButton>(&dialog, u"connectConnect")->click();
    QTRY_COMPARE(wanted.size(), 1);
    QCOMPARE(wanted.constFirst().constFirst().value<sql::ConnectionSettings>().password, u"s3cret"_s);
}

void ConnectDialogTest::removingTakesThePasswordOutOfTheKeychain_data()
{
    QTest::addColumn<bool>("noted");
    QTest::newRow("known to be there") << true;
    QTest::newRow("left there by an earlier program, unknown") << false;
}

void ConnectDialogTest::removingTakesThePasswordOutOfTheKeychain()
{
    QFETCH(bool, noted);
    models::SavedConnection known;
    known.conninfo = u"host=db.example"_s;
    known.passwordInKeychain = noted;
    const auto stored = m_saved->save(known);
    QVERIFY(stored.ok());
    m_secrets.m_secrets.insert(stored->secretId(), u"kept"_s);
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    dialog.open();
    named<QPushButton>(&dialog, u"connectRemove")->click();
    named<QPushButton>(&dialog, u"connectRemoveYes")->click();
    QVERIFY(m_saved->all().isEmpty());
    QVERIFY(m_secrets.m_secrets.isEmpty());
}

void ConnectDialogTest::connectingKeepsWhatWasChanged()
{
    models::SavedConnection known;
    known.name = u"Night"_s;
    known.conninfo = u"host=db.example"_s;
    known.environment = sql::Environment::Staging;
    QVERIFY(m_saved->save(known).ok());
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    dialog.open();
    auto *connectButton = named<QPushButton>(&dialog, u"connectConnect");
    QCOMPARE(connectButton->text(), u"Connect"_s);
    named<QLineEdit>(&dialog, u"connectPassword")->setText(u"typed"_s);
    QCOMPARE(connectButton->text(), u"Connect"_s); // a password is no part of what is saved
    auto *environment = named<QComboBox>(&dialog, u"connectEnvironment");
    environment->setCurrentIndex(environment->findData(int(sql::Environment::Production)));
    QCOMPARE(connectButton->text(), u"Save and connect"_s);
    connectButton->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(
        wanted.constFirst().constFirst().value<sql::ConnectionSettings>().environment, sql::Environment::Production);
    models::SavedConnections again(m_settings.get()); // the next start
    QCOMPARE(again.all().size(), 1);
    QCOMPARE(again.all().constFirst().environment, sql::Environment::Production);
    QVERIFY(!again.all().constFirst().passwordInKeychain);
}

void ConnectDialogTest::savesAndRemoves()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    dialog.open();
    auto *list = named<QListWidget>(&dialog, u"savedConnections");
    auto *removeButton = named<QPushButton>(&dialog, u"connectRemove");
    QVERIFY(!removeButton->isEnabled());
    for (const QString &host : { u"first"_s, u"second"_s }) {
        named<QPushButton>(&dialog, u"connectNew")->click();
        named<QLineEdit>(&dialog, u"connectName")->setText(host + u" <img src=x>"_s);
        named<QLineEdit>(&dialog, u"connectHost")->setText(host);
        named<QPushButton>(&dialog, u"connectSave")->click();
    }
    QCOMPARE(list->count(), 2);
    QVERIFY(list->item(1)->text().startsWith(u"second <img src=x>\n"_s));
    list->setCurrentRow(0);
    QCOMPARE(named<QLineEdit>(&dialog, u"connectHost")->text(), u"first"_s);
    // Saving again replaces, it does not add.
    named<QPushButton>(&dialog, u"connectSave")->click();
    QCOMPARE(list->count(), 2);
    removeButton->click();
    auto *yes = named<QPushButton>(&dialog, u"connectRemoveYes");
    QVERIFY(yes != nullptr && !yes->isDefault());
    yes->click();
    QCOMPARE(list->count(), 1);
    QCOMPARE(m_saved->all().constFirst().name, u"second <img src=x>"_s);
}

void ConnectDialogTest::withoutSavedConnectionsTheListSaysWhatWillStandThere()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    dialog.open();
    auto *list = named<QListWidget>(&dialog, u"savedConnections");
    auto *empty = named<QWidget>(&dialog, u"savedEmpty");
    QVERIFY(empty->isVisible() && !list->isVisible());
    QVERIFY(!named<QLabel>(&dialog, u"savedEmptyTitle")->text().isEmpty());
    QVERIFY(named<QLabel>(&dialog, u"savedEmptyText")->text().contains(u"Save"_s));
    QVERIFY(!named<QPushButton>(&dialog, u"connectRemove")->isVisible()); // of what
    named<QLineEdit>(&dialog, u"connectHost")->setText(u"first"_s);
    named<QPushButton>(&dialog, u"connectSave")->click();
    QVERIFY(list->isVisible() && !empty->isVisible());
    QVERIFY(named<QPushButton>(&dialog, u"connectRemove")->isVisible());
    named<QPushButton>(&dialog, u"connectRemove")->click();
    named<QPushButton>(&dialog, u"connectRemoveYes")->click();
    QVERIFY(empty->isVisible() && !list->isVisible());
}

/// Whole in a window of 1024 x 700, and with a long message in a smaller one a field can still be reached.
void ConnectDialogTest::theFormFitsAndScrollsWhereItMust()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    dialog.open();
    auto *form = named<QWidget>(&dialog, u"connectForm");
    const auto room = [form] { return form->parentWidget()->size(); };
    QVERIFY2(dialog.height() <= 700 && dialog.width() <= 1024, qPrintable(QString::number(dialog.height())));
    QTRY_VERIFY2(form->height() <= room().height() && form->width() <= room().width(), // once it is laid out
        qPrintable(
            u"%1 x %2 in %3 x %4"_s.arg(form->width()).arg(form->height()).arg(room().width()).arg(room().height())));
    dialog.showError(hostileError());
    dialog.resize(dialog.width(), 400);
    auto *last = named<QCheckBox>(&dialog, u"connectUnverified");
    named<QCheckBox>(&dialog, u"connectKeep")->setFocus();
    QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
    QCOMPARE(dialog.focusWidget(), static_cast<QWidget *>(last));
    QTRY_VERIFY(last->visibleRegion().boundingRect().height() > 0);
    QVERIFY(named<QPushButton>(&dialog, u"connectConnect")->visibleRegion().boundingRect().height() > 0);
}

void ConnectDialogTest::duplicatesWithoutThePassword()
{
    models::SavedConnection known;
    known.name = u"Night"_s;
    known.conninfo = u"host=db.example connect_timeout=7"_s;
    known.environment = sql::Environment::Production;
    known.readOnly = true;
    known.passwordInKeychain = true;
    QVERIFY(m_saved->save(known).ok());
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    dialog.open();
    auto *duplicate = named<QPushButton>(&dialog, u"connectDuplicate");
    QVERIFY(duplicate->isEnabled());
    duplicate->click();
    QVERIFY(!duplicate->isEnabled() && !named<QPushButton>(&dialog, u"connectRemove")->isEnabled());
    QCOMPARE(named<QLineEdit>(&dialog, u"connectName")->text(), u"Night (copy)"_s);
    QVERIFY(!named<QCheckBox>(&dialog, u"connectKeep")->isChecked());
    QCOMPARE(m_saved->all().size(), 1); // not before Save
    named<QPushButton>(&dialog, u"connectSave")->click();
    QCOMPARE(m_saved->all().size(), 2);
    const models::SavedConnection &copy = m_saved->all().constLast();
    QVERIFY(copy.id != m_saved->all().constFirst().id && !copy.passwordInKeychain && copy.readOnly);
    QCOMPARE(copy.environment, sql::Environment::Production);
    QVERIFY2(copy.conninfo.contains(u"connect_timeout=7"_s), qPrintable(copy.conninfo));
    QVERIFY(m_saved->all().constFirst().passwordInKeychain);
}

void ConnectDialogTest::aTestTellsWhatTheServerSays()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    dialog.open();
    named<QTabWidget>(&dialog, u"connectTabs")->setCurrentIndex(1);
    named<QLineEdit>(&dialog, u"connectText")->setText(m_cluster->conninfo());
    auto *test = named<QPushButton>(&dialog, u"connectTest");
    test->click();
    QVERIFY(!test->isEnabled() && !named<QPushButton>(&dialog, u"connectConnect")->isEnabled());
    auto *what = named<QLabel>(&dialog, u"noticeWhat");
    QTRY_VERIFY_WITH_TIMEOUT(what->isVisible(), 20'000);
    QVERIFY2(what->text().startsWith(u"The connection works."_s), qPrintable(what->text()));
    const QString facts = named<QLabel>(&dialog, u"noticeWhy")->text();
    QVERIFY2(facts.contains(u"PostgreSQL"_s) && facts.contains(u"primary"_s), qPrintable(facts));
    QVERIFY(test->isEnabled() && dialog.isVisible());
    QCOMPARE(wanted.size(), 0); // a test connects nothing
    QVERIFY(m_saved->all().isEmpty()); // and saves nothing
    QTRY_COMPARE_WITH_TIMEOUT(
        m_cluster->psql(u"postgres"_s, u"SELECT count(*) FROM pg_stat_activity WHERE application_name = 'idemdesk'"_s),
        u"0"_s, 20'000);
}

void ConnectDialogTest::aTestThatFailsSaysWhy()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    dialog.open();
    named<QLineEdit>(&dialog, u"connectHost")->setText(m_folder->path()); // nobody listens there
    named<QLineEdit>(&dialog, u"connectPassword")->setText(u"typed"_s);
    named<QPushButton>(&dialog, u"connectTest")->click();
    auto *what = named<QLabel>(&dialog, u"noticeWhat");
    QTRY_VERIFY_WITH_TIMEOUT(what->isVisible(), 20'000);
    QVERIFY(named<QLabel>(&dialog, u"noticeWhy")->isVisible());
    QVERIFY(named<QPushButton>(&dialog, u"connectTest")->isEnabled());
    QCOMPARE(named<QLineEdit>(&dialog, u"connectPassword")->text(), u"typed"_s);
    QCOMPARE(wanted.size(), 0);
}

void ConnectDialogTest::aTestUsesTheKeptPassword()
{
    m_cluster->psql(u"postgres"_s, u"CREATE ROLE guarded LOGIN PASSWORD 'kept'"_s);
    QFile hba(m_cluster->cluster().dataFolder() + u"/pg_hba.conf"_s);
    QVERIFY(hba.open(QIODevice::ReadWrite));
    const QByteArray rest = hba.readAll();
    QVERIFY(hba.seek(0) && hba.write("local all guarded scram-sha-256\n" + rest) > 0);
    hba.close();
    m_cluster->psql(u"postgres"_s, u"SELECT pg_reload_conf()"_s);
    models::SavedConnection known;
    known.conninfo = m_cluster->conninfoAs(u"guarded"_s);
    known.passwordInKeychain = true;
    const auto stored = m_saved->save(known);
    QVERIFY(stored.ok());
    m_secrets.m_secrets.insert(stored->secretId(), u"kept"_s);
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    dialog.open();
    named<QPushButton>(&dialog, u"connectTest")->click();
    auto *what = named<QLabel>(&dialog, u"noticeWhat");
    QTRY_VERIFY_WITH_TIMEOUT(what->isVisible(), 20'000);
    QVERIFY2(what->text().startsWith(u"The connection works."_s), qPrintable(what->text()));
}

void ConnectDialogTest::asksBeforeEditsAreLost_data()
{
    QTest::addColumn<QString>("button");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<QString>("stored");
    QTest::newRow("saved") << u"connectEditsSave"_s << u"second"_s << u"changed"_s;
    QTest::newRow("discarded") << u"connectEditsDiscard"_s << u"second"_s << u"first"_s;
    QTest::newRow("cancelled by Escape") << QString() << u"changed"_s << u"first"_s;
}

void ConnectDialogTest::asksBeforeEditsAreLost()
{
    QFETCH(QString, button);
    QFETCH(QString, shown);
    QFETCH(QString, stored);
    for (const QString &host : { u"first"_s, u"second"_s }) {
        models::SavedConnection connection;
        connection.name = host;
        connection.conninfo = u"host="_s + host;
        QVERIFY(m_saved->save(connection).ok());
    }
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    dialog.open();
    auto *list = named<QListWidget>(&dialog, u"savedConnections");
    auto *host = named<QLineEdit>(&dialog, u"connectHost");
    list->setCurrentRow(1);
    QCOMPARE(host->text(), u"second"_s); // nothing was typed, so nothing is asked
    list->setCurrentRow(0);
    QCOMPARE(host->text(), u"first"_s);
    host->setText(u"changed"_s);
    list->setCurrentRow(1);
    QTRY_VERIFY(named<QWidget>(&dialog, u"connectEditsQuestion") != nullptr);
    auto *question = named<QWidget>(&dialog, u"connectEditsQuestion");
    QCOMPARE(host->text(), u"changed"_s);
    QCOMPARE(list->currentRow(), 0);
    if (button.isEmpty()) {
        QTest::keyClick(question, Qt::Key_Escape);
    } else {
        question->findChild<QPushButton *>(button)->click();
    }
    QCOMPARE(host->text(), shown);
    QCOMPARE(list->currentRow(), shown == u"second" ? 1 : 0);
    const auto all = m_saved->all();
    const bool kept
        = std::any_of(all.cbegin(), all.cend(), [&](const auto &one) { return one.conninfo.contains(stored); });
    QVERIFY2(kept, qPrintable(all.constFirst().conninfo));
}

void ConnectDialogTest::staysOpenWithTheErrorLiterally()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    dialog.open();
    named<QLineEdit>(&dialog, u"connectHost")->setText(u"db.example"_s);
    auto *connectButton = named<QPushButton>(&dialog, u"connectConnect");
    connectButton->click();
    QVERIFY(!connectButton->isEnabled());
    dialog.showError(hostileError());
    QVERIFY(dialog.isVisible() && connectButton->isEnabled());
    QCOMPARE(named<QLabel>(&dialog, u"noticeWhat")->text(), hostileError().what);
    QCOMPARE(named<QLabel>(&dialog, u"noticeWhy")->text(), hostileError().why);
    QCOMPARE(named<QLabel>(&dialog, u"noticeTodo")->text(), hostileError().todo);
    for (const QLabel *label : dialog.findChildren<QLabel *>()) {
        QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->objectName()));
    }
    auto *details = named<QPlainTextEdit>(&dialog, u"noticeDetails");
    QVERIFY(!details->isVisible());
    named<QToolButton>(&dialog, u"noticeDetailsButton")->click();
    QVERIFY(details->isVisible());
    QVERIFY(details->toPlainText().contains(u"28P01"_s) && details->toPlainText().contains(u"<img src=x>"_s));
    QVERIFY(!details->toPlainText().contains(QChar(0x202E)));
}

void ConnectDialogTest::everyWidgetOfTheDialogIsNamed()
{
    ui::ConnectDialog connecting(m_saved.get(), &m_secrets);
    connecting.open();
    connecting.showError(hostileError());
    for (int tab = 0; tab < 3; ++tab) {
        named<QTabWidget>(&connecting, u"connectTabs")->setCurrentIndex(tab);
        QCOMPARE(nameless(&connecting).join(u'\n'), QString());
    }
}

QTEST_MAIN(ConnectDialogTest)
#include "tst_connect_dialog.moc"
