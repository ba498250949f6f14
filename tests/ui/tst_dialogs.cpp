// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/saved_connections.h"
#include "models/connection/secret_store.h"
#include "models/mapping/mapping_controller.h"
#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/add_table_dialog.h"
#include "ui/dialogs/connect_dialog.h"
#include "ui/dialogs/error_banner.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMap>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

/// A keychain of this test; it answers later, as the real one does.
class MemorySecrets final : public models::SecretStore
{
public:
    bool available() const override { return m_available; }
    void get(const QString &id, QObject *context,
        std::function<void(sql::Result<std::optional<QString>>)> done) override
    {
        QMetaObject::invokeMethod(
            context,
            [this, id, done] {
                done(m_secrets.contains(id) ? std::optional(m_secrets.value(id)) : std::nullopt);
            },
            Qt::QueuedConnection);
    }
    void set(const QString &id, const QString &secret, QObject *context,
        std::function<void(sql::Result<void>)> done) override
    {
        m_secrets.insert(id, secret);
        QMetaObject::invokeMethod(
            context, [done] { done({}); }, Qt::QueuedConnection);
    }
    void remove(const QString &id, QObject *context, std::function<void(sql::Result<void>)> done) override
    {
        m_secrets.remove(id);
        QMetaObject::invokeMethod(
            context, [done] { done({}); }, Qt::QueuedConnection);
    }

    bool m_available = true;
    QMap<QString, QString> m_secrets;
};

template <typename T> T *named(QWidget *parent, const char16_t *name)
{
    return parent->findChild<T *>(QString::fromUtf16(name));
}

sql::Error hostileError()
{
    sql::Error error;
    error.kind = sql::ErrorKind::Authentication;
    error.what = u"The server refused <img src=x>."_s;
    error.why = u"The role \"<b>app</b>\" may not log in."_s;
    error.todo = u"Ask the owner of <a href=x>pg_hba.conf</a>."_s;
    error.sqlState = u"28P01"_s;
    error.detail = u"FATAL: password authentication failed for user \"<img src=x>\u202E\""_s;
    return error;
}

sql::Proposal orders()
{
    sql::Proposal proposal;
    proposal.profile.name = u"orders-request"_s;
    proposal.profile.title = u"Orders"_s;
    proposal.profile.relation = u"app.\"<img src=x>\""_s;
    proposal.profile.identity = { u"id"_s };
    proposal.profile.key.sql = u"t.\"key\""_s;
    proposal.profile.roles[sql::Role::Status].sql = u"t.\"status\""_s;
    proposal.profile.roles[sql::Role::CreatedAt].sql = u"t.\"created_at\""_s;
    proposal.profile.scope = { { u"tenant"_s, { .sql = u"t.\"tenant\""_s } } };
    proposal.profile.states
        = { { u"done"_s, sql::KeyState::Succeeded }, { u"open"_s, sql::KeyState::Pending } };
    proposal.relation.oid = 4711;
    proposal.relation.schema = u"app"_s;
    proposal.relation.name = u"<img src=x>"_s;
    for (const QString &name : { u"id"_s, u"key"_s, u"status"_s, u"created_at"_s, u"tenant"_s }) {
        sql::ColumnFacts column;
        column.name = name;
        proposal.relation.columns.append(column);
    }
    proposal.confidence = 92;
    proposal.reasons
        = { u"A unique index covers tenant and key."_s, u"The status column holds few values."_s };
    proposal.doubts = { u"No column says when a lease ends."_s };
    return proposal;
}

/// Every widget a person can reach says its name to a screen reader and to a test.
QStringList nameless(QWidget *dialog)
{
    QStringList found;
    for (QWidget *widget : dialog->findChildren<QWidget *>()) {
        const bool reachable = qobject_cast<QAbstractButton *>(widget) != nullptr
            || qobject_cast<QLineEdit *>(widget) != nullptr
            || qobject_cast<QAbstractItemView *>(widget) != nullptr
            || qobject_cast<QComboBox *>(widget) != nullptr
            || qobject_cast<QPlainTextEdit *>(widget) != nullptr;
        const bool ofQt = widget->inherits("QHeaderView") || widget->inherits("QTableCornerButton")
            || widget->objectName().startsWith(u"qt_"_s) || widget->parentWidget()->inherits("QTabBar");
        if (reachable && !ofQt && widget->isVisibleTo(dialog)
            && (widget->objectName().isEmpty() || widget->accessibleName().isEmpty())) {
            found.append(
                QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName());
        }
    }
    return found;
}

} // namespace

class TestDialogs final : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void enterConnectsFromAField();
    void tabsTakeTheFieldsAlong();
    void refusesAPasswordInTheText();
    void saysWhyAPasswordIsNotKept();
    void keepsAPasswordInTheKeychainAlone();
    void asksTheKeychainWhenConnecting();
    void savesAndRemoves();
    void staysOpenWithTheErrorLiterally();
    void copiesTheWholeError();
    void mapsATableByKeyboard();
    void savesOnlyWhatWasRead();
    void saysWhenDetectionFailed();
    void marksUnmappedStatuses();
    void showsShortcutsAndVersions();
    void everyWidgetIsNamed();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<models::SavedConnections> m_saved;
    MemorySecrets m_secrets;
};

void TestDialogs::init()
{
    // The platform without a screen says that once per window.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<QSettings>(m_folder->filePath(u"settings.ini"_s), QSettings::IniFormat);
    m_saved = std::make_unique<models::SavedConnections>(m_settings.get());
    m_secrets.m_secrets.clear();
    m_secrets.m_available = true;
}

void TestDialogs::cleanup()
{
    m_saved.reset();
    m_settings.reset();
    m_folder.reset();
}

void TestDialogs::enterConnectsFromAField()
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
    QCOMPARE(settings.conninfo, u"host=db.example port=5433 dbname='or ders'"_s);
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

void TestDialogs::tabsTakeTheFieldsAlong()
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
    QVERIFY2(text->text().contains(u"payments"_s) && text->text().contains(u"connect_timeout"_s),
        qPrintable(text->text()));
    // What libpq does not understand is not thrown away.
    text->setText(u"host=db.example bogus"_s);
    tabs->setCurrentIndex(0);
    QCOMPARE(named<QLineEdit>(&dialog, u"connectDatabase")->text(), u"payments"_s);
    tabs->setCurrentIndex(2);
    named<QLineEdit>(&dialog, u"connectService")->setText(u"nightly"_s);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    QTest::keyClick(named<QLineEdit>(&dialog, u"connectService"), Qt::Key_Return);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(
        wanted.constFirst().constFirst().value<sql::ConnectionSettings>().conninfo, u"service=nightly"_s);
}

void TestDialogs::refusesAPasswordInTheText()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QSignalSpy wanted(&dialog, &ui::ConnectDialog::connectRequested);
    dialog.open();
    named<QTabWidget>(&dialog, u"connectTabs")->setCurrentIndex(1);
    auto *text = named<QLineEdit>(&dialog, u"connectText");
    text->setText(u"postgresql://app:hunter2@db.example/orders"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QCOMPARE(wanted.size(), 0);
    auto *what = named<QLabel>(&dialog, u"errorWhat");
    QVERIFY(what->isVisible() && !what->text().isEmpty());
    for (const QLabel *label : dialog.findChildren<QLabel *>()) {
        QVERIFY(!label->text().contains(u"hunter2"_s));
    }
}

void TestDialogs::saysWhyAPasswordIsNotKept()
{
    m_secrets.m_available = false;
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    QVERIFY(!named<QCheckBox>(&dialog, u"connectKeep")->isEnabled());
    QVERIFY(named<QLabel>(&dialog, u"connectPasswordHint")->text().contains(u"session"_s));
    QCOMPARE(named<QLineEdit>(&dialog, u"connectPassword")->echoMode(), QLineEdit::Password);
    ui::ConnectDialog without(m_saved.get(), nullptr);
    QVERIFY(!named<QCheckBox>(&without, u"connectKeep")->isEnabled());
}

void TestDialogs::keepsAPasswordInTheKeychainAlone()
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

void TestDialogs::asksTheKeychainWhenConnecting()
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

void TestDialogs::savesAndRemoves()
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

void TestDialogs::staysOpenWithTheErrorLiterally()
{
    ui::ConnectDialog dialog(m_saved.get(), &m_secrets);
    dialog.open();
    named<QLineEdit>(&dialog, u"connectHost")->setText(u"db.example"_s);
    auto *connectButton = named<QPushButton>(&dialog, u"connectConnect");
    connectButton->click();
    QVERIFY(!connectButton->isEnabled());
    dialog.showError(hostileError());
    QVERIFY(dialog.isVisible() && connectButton->isEnabled());
    QCOMPARE(named<QLabel>(&dialog, u"errorWhat")->text(), hostileError().what);
    QCOMPARE(named<QLabel>(&dialog, u"errorWhy")->text(), hostileError().why);
    QCOMPARE(named<QLabel>(&dialog, u"errorTodo")->text(), hostileError().todo);
    for (const QLabel *label : dialog.findChildren<QLabel *>()) {
        QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->objectName()));
    }
    auto *details = named<QPlainTextEdit>(&dialog, u"errorDetails");
    QVERIFY(!details->isVisible());
    named<QToolButton>(&dialog, u"errorDetailsButton")->click();
    QVERIFY(details->isVisible());
    QVERIFY(details->toPlainText().contains(u"28P01"_s) && details->toPlainText().contains(u"<img src=x>"_s));
    QVERIFY(!details->toPlainText().contains(QChar(0x202E)));
}

void TestDialogs::copiesTheWholeError()
{
    ui::ErrorBanner banner;
    QVERIFY(!banner.isVisibleTo(nullptr));
    banner.showError(hostileError());
    named<QPushButton>(&banner, u"errorCopy")->click();
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY(copied.contains(u"28P01"_s) && copied.contains(hostileError().todo)
        && copied.contains(u"password authentication"_s));
    QSignalSpy retried(&banner, &ui::ErrorBanner::retryClicked);
    banner.setRetryVisible(true);
    named<QPushButton>(&banner, u"errorRetry")->click();
    QCOMPARE(retried.size(), 1);
    banner.clear();
    QVERIFY(banner.isHidden());
}

void TestDialogs::mapsATableByKeyboard()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    auto *proposals = named<QTableView>(&dialog, u"proposalTable");
    QCOMPARE(proposals->selectionModel()->selectedRows().size(), 1);
    QTest::keyClick(proposals, Qt::Key_Return);
    QCOMPARE(dialog.step(), ui::AddTableDialog::MapStep);
    auto *name = named<QLineEdit>(&dialog, u"mappingName");
    QCOMPARE(name->text(), u"orders-request"_s);
    QTRY_COMPARE(dialog.focusWidget(), name);
    QTest::keyClicks(name, u"Orders/../x"_s); // replaces the selected name; what is not allowed is not taken
    QCOMPARE(name->text(), u"rdersx"_s);
    auto *table = named<QTableView>(&dialog, u"mappingTable");
    table->setFocus();
    table->setCurrentIndex(controller.mapping()->index(0, models::MappingModel::Sql));
    QTest::keyClick(table, Qt::Key_F2);
    auto *edit = named<QLineEdit>(table, u"mappingSqlEdit");
    QVERIFY(edit != nullptr);
    edit->setText(u"lower(t.key)"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(controller.profile().key.sql, u"lower(t.key)"_s);
    QCOMPARE(dialog.step(), ui::AddTableDialog::MapStep);
    QTest::keyClick(name, Qt::Key_Return);
    QCOMPARE(dialog.step(), ui::AddTableDialog::ConfirmStep);
    QVERIFY(named<QPlainTextEdit>(&dialog, u"confirmSql")->toPlainText().contains(u"lower(t.key)"_s));
    named<QPushButton>(&dialog, u"addTableBack")->click();
    QCOMPARE(dialog.step(), ui::AddTableDialog::MapStep);
}

void TestDialogs::savesOnlyWhatWasRead()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog dialog(&controller);
    QSignalSpy saved(&dialog, &ui::AddTableDialog::saved);
    dialog.open();
    auto *next = named<QPushButton>(&dialog, u"addTableNext");
    auto *save = named<QPushButton>(&dialog, u"addTableSave");
    auto *read = named<QCheckBox>(&dialog, u"confirmRead");
    next->click();
    next->click();
    QCOMPARE(dialog.step(), ui::AddTableDialog::ConfirmStep);
    QVERIFY(!save->isEnabled() && !read->isChecked());
    QVERIFY(named<QPlainTextEdit>(&dialog, u"confirmSql")->isReadOnly());
    read->click();
    QVERIFY(controller.sqlConfirmed() && save->isEnabled());
    // An edit takes it back.
    QVERIFY(controller.mapping()->setData(
        controller.mapping()->index(0, models::MappingModel::Sql), u"upper(t.key)"_s, Qt::EditRole));
    QVERIFY(!read->isChecked() && !save->isEnabled());
    read->click();
    save->click();
    QCOMPARE(saved.size(), 1);
    QVERIFY(QFile::exists(saved.constFirst().constFirst().toString()));
    QVERIFY(!dialog.isVisible());
}

void TestDialogs::saysWhenDetectionFailed()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    auto *note = named<QLabel>(&dialog, u"proposalNote");
    const QString before = note->text();
    emit controller.failed(hostileError());
    QVERIFY(named<QLabel>(&dialog, u"errorWhat")->isVisible());
    QVERIFY(note->text() != before);
    QVERIFY(!named<QPushButton>(&dialog, u"addTableNext")->isEnabled());
    QTest::keyClicks(named<QLineEdit>(&dialog, u"proposalOther"), u"app.orders"_s);
    QVERIFY(named<QPushButton>(&dialog, u"addTableNext")->isEnabled());
}

void TestDialogs::marksUnmappedStatuses()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    named<QPushButton>(&dialog, u"addTableNext")->click();
    controller.states()->setOccurring(
        { { sql::Cell::of(u"done"_s), 10 }, { sql::Cell::of(u"<img src=x>"_s), 3 } });
    auto *label = named<QLabel>(&dialog, u"statesUnmapped");
    QVERIFY2(label->text().contains(u"1"_s), qPrintable(label->text()));
    auto *table = named<QTableView>(&dialog, u"statesTable");
    const int row = controller.states()->rowCount() - 1;
    table->setFocus();
    table->setCurrentIndex(controller.states()->index(row, models::StatesModel::State));
    QTest::keyClick(table, Qt::Key_F2);
    auto *combo = named<QComboBox>(table, u"mappingStateCombo");
    QVERIFY(combo != nullptr);
    combo->setCurrentIndex(combo->findData(int(sql::KeyState::FailedFinal)));
    emit combo->activated(combo->currentIndex());
    QCOMPARE(controller.states()->unmappedCount(), 0);
    QVERIFY2(!label->text().contains(u"1"_s), qPrintable(label->text()));
}

void TestDialogs::showsShortcutsAndVersions()
{
    ui::AboutDialog about(u"15.20 <img src=x>"_s);
    about.open();
    QCOMPARE(named<QLabel>(&about, u"aboutLibpq")->text(), u"15.20 <img src=x>"_s);
    QCOMPARE(named<QLabel>(&about, u"aboutVersion")->text(), QStringLiteral(IDEMDESK_VERSION));
    for (const QLabel *label : about.findChildren<QLabel *>()) {
        QVERIFY(label->textFormat() == Qt::PlainText || !label->pixmap(Qt::ReturnByValue).isNull());
    }
    QTest::keyClick(&about, Qt::Key_Return);
    QVERIFY(!about.isVisible());
    ui::ShortcutsDialog shortcuts;
    shortcuts.open();
    auto *table = named<QTableWidget>(&shortcuts, u"shortcutsTable");
    QVERIFY(table->rowCount() > 10);
    QStringList keys;
    for (int row = 0; row < table->rowCount(); ++row) {
        keys.append(table->item(row, 0)->text() + table->item(row, 1)->text());
        QVERIFY(!table->item(row, 1)->text().isEmpty());
    }
    QCOMPARE(keys.removeDuplicates(), 0);
    QTest::keyClick(table, Qt::Key_Escape);
    QVERIFY(!shortcuts.isVisible());
}

void TestDialogs::everyWidgetIsNamed()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog add(&controller);
    add.open();
    QCOMPARE(nameless(&add).join(u'\n'), QString());
    named<QPushButton>(&add, u"addTableNext")->click();
    QCOMPARE(nameless(&add).join(u'\n'), QString());
    named<QPushButton>(&add, u"addTableNext")->click();
    QCOMPARE(nameless(&add).join(u'\n'), QString());
    ui::ConnectDialog connecting(m_saved.get(), &m_secrets);
    connecting.open();
    connecting.showError(hostileError());
    for (int tab = 0; tab < 3; ++tab) {
        named<QTabWidget>(&connecting, u"connectTabs")->setCurrentIndex(tab);
        QCOMPARE(nameless(&connecting).join(u'\n'), QString());
    }
}

QTEST_MAIN(TestDialogs)
#include "tst_dialogs.moc"
