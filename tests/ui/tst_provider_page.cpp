// SPDX-License-Identifier: GPL-3.0-or-later
// The page Provider as a person meets it: what is not settled, and a statement from its file by the wizard to evidence.
#include "models/keys/key_detail.h"
#include "models/provider/evidence_controller.h"
#include "models/provider/provider_controller.h"
#include "models/provider/statement_controller.h"
#include "models/provider/statement_preview.h"
#include "models/table/item_role.h"
#include "models/verdict/verdict.h"
#include "models/workspace/workspace.h"
#include "sql/lanes/database.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/pages/provider/provider_page.h"
#include "ui/pages/provider/statement_view.h"
#include "ui/widgets/drop_field.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/target_chooser.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QDialog>
#include <QDragEnterEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTableView>
#include <QTabWidget>
#include <QTest>
#include <QTimeZone>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

const QByteArray kProfile = R"json({"title": "Payments", "kind": "request", "relation": "app.payment",
  "identity": ["id"], "scope": [], "key": "t.id",
  "roles": {"status": "t.status", "created_at": "t.created_at"},
  "states": {"processing": "in_progress", "succeeded": "succeeded", "failed": "failed_retryable"},
  "stale": [{"states": ["in_progress"], "by": "t.created_at", "after": "1h"}], "guard": ["status"],
  "actions": {"recover": [{"from": ["in_progress"], "to": "failed_retryable", "set": {"status": "'failed'"}}],
    "requeue": [], "reclassify": []},
  "purge": null, "effects": [], "policies": [{"match": {}, "effect": "external"}],
  "provider": {"name": "acme", "reference": "t.psp_ref", "amount": "t.amount", "currency": "t.currency",
    "status": "t.psp_status", "states": {"new": "requested", "sent": "sent", "ok": "confirmed", "no": "failed"},
    "link": "https://acme.example/pay/{reference}"}})json";

// Times are UTC; the statement's lines go from 00:00 to 12:00 of the 20th.
const QString kRows = uR"(
CREATE TABLE app.payment (id text PRIMARY KEY, status text NOT NULL, psp_status text, psp_ref text,
    amount numeric(20,4), currency text, created_at timestamptz NOT NULL);
CREATE INDEX payment_ref ON app.payment (psp_ref);
INSERT INTO app.payment VALUES
 ('agrees',      'succeeded',  'ok',   'r-agrees',   0.3, 'EUR', '2026-11-20 01:00+00'),
 ('open',        'processing', 'sent', 'r-open',   20.00, 'EUR', '2026-11-20 02:00+00'),
 ('declined',    'processing', 'sent', 'r-declined',   5, 'EUR', '2026-11-20 02:00+00'),
 ('double',      'succeeded',  'ok',   'r-double',  7.50, 'EUR', '2026-11-20 03:00+00'),
 ('amount',      'succeeded',  'ok',   'r-amount', 10.00, 'EUR', '2026-11-20 04:00+00'),
 ('currency',    'succeeded',  'ok',   'r-currency',  11, 'EUR', '2026-11-20 04:00+00'),
 ('missing',     'succeeded',  'ok',   'r-missing',   12, 'EUR', '2026-11-20 05:00+00'),
 ('<img src=x>', 'processing', 'new',  NULL,          12, 'EUR', '2026-11-20 05:00+00'),
 ('odd',         'processing', 'x?',   'r-odd',       13, 'EUR', '2026-11-22 00:00+00');
ALTER TABLE app.payment OWNER TO app_owner;
GRANT SELECT, UPDATE (status), DELETE, INSERT ON app.payment TO idemdesk_runner_app_owner;
GRANT USAGE ON SCHEMA app TO adm, viewer;
GRANT SELECT ON app.payment TO op, op2, adm, viewer;
)"_s;

const QByteArray kStatement = "Booking ref,Cents,Cur,When,What\n"
                              "r-agrees,30,EUR,2026-11-20T00:00:00Z,paid\n"
                              "r-open,2000,EUR,2026-11-20T02:00:01Z,paid\n"
                              "r-declined,500,EUR,2026-11-20T02:00:01Z,declined\n"
                              "r-double,750,EUR,2026-11-20T03:00:00Z,paid\n"
                              "r-double,750,EUR,2026-11-20T03:00:05Z,paid\n"
                              "r-amount,1001,EUR,2026-11-20T04:00:00Z,paid\n"
                              "r-currency,1100,USD,2026-11-20T04:00:00Z,paid\n"
                              "=cmd|' /C calc'!A1,4200,EUR,2026-11-20T07:00:00Z,paid\n"
                              "fee-1,15,EUR,2026-11-20T12:00:00Z,fee\n";

} // namespace

class ProviderPageTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;
    std::unique_ptr<QTemporaryDir> m_folder;

    ui::MainWindow *window() const { return m_window->window.get(); }
    models::ProviderController *open() const { return window()->workspace()->provider(); }
    models::StatementController *statement() const { return window()->statement(); }
    models::EvidenceController *evidence() const { return window()->workspace()->evidence(); }
    QDialog *dialog(const QString &name) const { return window()->findChild<QDialog *>(name); }

    void connected(const QString &login = u"op"_s)
    {
        m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
        QVERIFY(QTest::qWaitForWindowActive(window()));
        m_window->connectAs(login, m_fixture->database());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(window()->offers(u"provider"_s), 20'000);
        window()->showPage(u"provider"_s);
        QTRY_COMPARE(window()->currentPage(), u"provider"_s);
        QTRY_VERIFY_WITH_TIMEOUT(open()->loaded() && !open()->busy(), 20'000);
    }
    QString write(const QByteArray &bytes, const QString &name = u"statement.csv"_s) const
    {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            qFatal("%s cannot be written", qPrintable(name));
        }
        return file.fileName();
    }
    void choose(const QString &box, const QString &column)
    {
        auto *columns = dialog(u"statementWizard"_s)->findChild<QComboBox *>(box);
        columns->setFocus();
        columns->setCurrentIndex(columns->findData(column));
        emit columns->activated(columns->currentIndex());
    }
    void sayHappened() const
    {
        dialog(u"statementWizard"_s)->findChild<QCheckBox *>(u"statementAllHappened"_s)->click();
    }
    QPushButton *go() const { return dialog(u"statementWizard"_s)->findChild<QPushButton *>(u"statementWizardGo"_s); }
    /// The wizard with this file, at the step of its columns.
    void importFile(const QString &path)
    {
        QTest::mouseClick(m_window->find<QPushButton>(u"providerImport"_s), Qt::LeftButton);
        QTRY_VERIFY(dialog(u"statementWizard"_s) != nullptr);
        dialog(u"statementWizard"_s)->findChild<QLineEdit *>(u"statementPath"_s)->setText(path);
        QTRY_VERIFY(go()->isEnabled());
        QTest::mouseClick(go(), Qt::LeftButton);
    }
    void compareAll()
    {
        importFile(write(kStatement));
        auto *lines = dialog(u"statementWizard"_s)->findChild<QTableView *>(u"statementPreview"_s);
        QTRY_VERIFY_WITH_TIMEOUT(lines->model()->rowCount() == models::kPreviewLines, 10'000);
        choose(u"statementReference"_s, u"Booking ref"_s);
        choose(u"statementAmount"_s, u"Cents"_s);
        auto *form = dialog(u"statementWizard"_s)->findChild<QComboBox *>(u"statementAmountForm"_s);
        form->setCurrentIndex(2);
        emit form->activated(2);
        choose(u"statementCurrency"_s, u"Cur"_s);
        choose(u"statementTime"_s, u"When"_s);
        choose(u"statementState"_s, u"What"_s);
        QTRY_COMPARE_WITH_TIMEOUT(
            lines->model()->index(0, models::PreviewList::Amount).data().toString(), u"0.30 EUR"_s, 10'000);
        QTRY_VERIFY(go()->isEnabled());
        QTest::mouseClick(go(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(statement()->result() != nullptr && !statement()->busy(), 20'000);
    }

    /// What one sends to the provider: each reference, and how many keys have none.
    void exportReferences()
    {
        const QString path = m_folder->filePath(u"references.csv"_s);
        open()->exportReferences(path);
        auto *notice = m_window->find<QWidget>(u"openRequestsNotice"_s);
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible() && notice->accessibleName().startsWith(u"3 reference"_s), 20'000);
        QVERIFY(notice->accessibleDescription().contains(u"1 key"_s));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(),
            QByteArray("reference,requested_at,amount,currency\r\n"
                       "r-declined,2026-11-20T02:00:00.000000Z,5.0000,EUR\r\n"
                       "r-open,2026-11-20T02:00:00.000000Z,20.0000,EUR\r\n"
                       "r-odd,2026-11-22T00:00:00.000000Z,13.0000,EUR\r\n"));
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    }

    void exportAll()
    {
        const QString path = m_folder->filePath(u"findings.csv"_s);
        statement()->write(path);
        auto *notice = m_window->find<QWidget>(u"statementNotice"_s);
        QTRY_VERIFY(!notice->isHidden());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QCOMPARE(text.count("\r\n"), 8); // a header and seven findings
        QVERIFY2(text.contains("\"'=cmd|' /C calc'!A1\"") || text.contains("'=cmd"), text.constData());
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    }

    void recordAll()
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_window->find<QPushButton>(u"statementRecord"_s)->isEnabled(), 20'000);
        QTest::mouseClick(m_window->find<QPushButton>(u"statementRecord"_s), Qt::LeftButton);
        QTRY_VERIFY(dialog(u"evidenceDialog"_s) != nullptr);
        QDialog *ask = dialog(u"evidenceDialog"_s);
        auto *record = ask->findChild<QPushButton *>(u"evidenceGo"_s);
        QVERIFY(!record->isEnabled()); // without a reason
        QVERIFY(ask->findChild<QPushButton *>(u"evidenceCancel"_s)->isDefault());
        ask->findChild<QLineEdit *>(u"evidenceReason"_s)->setText(u"statement of 20 November"_s);
        ask->findChild<QLineEdit *>(u"evidenceTicket"_s)->setText(u"OPS-7"_s);
        auto *vouched = ask->findChild<QCheckBox *>(u"evidenceVouched"_s);
        QVERIFY2(vouched->text().contains(u"record the 1 “Only here”"_s), qPrintable(vouched->text()));
        QVERIFY2(record->text().contains(u'6'), qPrintable(record->text()));
        vouched->click();
        QVERIFY2(record->text().contains(u'7'), qPrintable(record->text()));
        QTest::mouseClick(record, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(evidence()->recorded(statement()->result()).has_value(), 20'000);
        QCOMPARE(*evidence()->recorded(statement()->result()), 7);
        QCOMPARE(m_fixture->root().value(
                     u"SELECT count(*) || ' ' || count(DISTINCT s.reason) || ' ' || min(s.reason) || ' ' || "
                     "min(s.recorded_by) || ' ' || count(w.covered_to) FROM idemdesk.provider_word w JOIN "
                     "idemdesk.provider_statement s ON s.id = w.statement AND s.batch = w.batch"_s),
            u"7 1 statement of 20 November (OPS-7) op 1"_s);
        QVERIFY(!m_window->find<QPushButton>(u"statementRecord"_s)->isEnabled()); // not twice
        // A try whose answer was lost is made again under its number, and records nothing more.
        evidence()->record(statement()->result(), u"payments"_s, { u"statement of 20 November"_s, u"OPS-7"_s, true });
        QTRY_VERIFY_WITH_TIMEOUT(!evidence()->busy(), 20'000);
        QCOMPARE(*evidence()->recorded(statement()->result()), 7);
        QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.provider_word"_s), u"7"_s);
    }

    /// What is shown beside keys is what was recorded, and what was left out comes after it.
    void recordWhatIsSure()
    {
        evidence()->record(statement()->result(), u"payments"_s, { u"statement of 20 November"_s, {}, false });
        QTRY_VERIFY_WITH_TIMEOUT(evidence()->recorded(statement()->result()).has_value(), 20'000);
        const auto *notice = m_window->find<QWidget>(u"statementNotice"_s);
        QTRY_COMPARE(
            notice->accessibleName(), u"6 of 7 finding(s) recorded as evidence. Recovery shows it beside each key."_s);
        QVERIFY2(notice->accessibleDescription().endsWith(
                     u"1 “Only here” not recorded: the statement is not marked complete."_s),
            qPrintable(notice->accessibleDescription()));
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_fixture->fresh([this] {
            m_fixture->cluster().psql(m_fixture->database(), kRows);
            registerTable(*m_fixture, kProfile, u"payments"_s);
        });
    }
    void cleanup() { m_window.reset(); }

    /// The verdict is about a table, and that is the one whose provider is shown.
    void aVerdictLeadsToItsOwnTable()
    {
        m_fixture->cluster().psql(m_fixture->database(), QString(kRows).replace(u"payment"_s, u"refund"_s));
        registerTable(*m_fixture, QByteArray(kProfile).replace("app.payment", "app.refund"), u"refunds"_s);
        connected();
        auto *chooser = m_window->find<ui::ProviderPage>(u"providerPage"_s)->findChild<ui::TargetChooser *>();
        for (const QString &target : { u"refunds"_s, u"payments"_s }) {
            window()->showPage(u"keys"_s);
            window()->keysPage()->showTarget(target, u"key:agrees"_s);
            QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1, 20'000);
            window()->keysPage()->selectRow(0);
            QTRY_VERIFY_WITH_TIMEOUT(
                window()->detail()->status() == models::KeyDetailController::Status::Ready, 20'000);
            window()->keysPage()->openCase();
            const QString settle = u"caseSettle%1"_s.arg(int(models::SettledBy::Provider));
            QTRY_VERIFY_WITH_TIMEOUT(dialog(u"caseDialog"_s)->findChild<QPushButton *>(settle) != nullptr, 20'000);
            QTest::mouseClick(dialog(u"caseDialog"_s)->findChild<QPushButton *>(settle), Qt::LeftButton);
            QCOMPARE(window()->currentPage(), u"provider"_s);
            QCOMPARE(chooser->target(), target);
            QTRY_VERIFY(dialog(u"caseDialog"_s) == nullptr);
        }
    }

    void whatIsNotSettledIsListed()
    {
        connected();
        const QAbstractItemModelTester tester(open()->list(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto *table = m_window->find<QTableView>(u"openRequestsTable"_s);
        QStringList keys;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            keys += table->model()->index(row, models::OpenRequestList::Key).data().toString() + u' '
                + table->model()->index(row, models::OpenRequestList::Provider).data().toString();
        }
        keys.sort();
        QCOMPARE(keys.join(u'\n'), u"<img src=x> Requested\ndeclined Sent\nodd Not known\nopen Sent"_s);
        QVERIFY(m_window->find<QPushButton>(u"openRequestsLink"_s)->isVisible());
        QCOMPARE(m_window->find<QTabWidget>(u"providerTabs"_s)->tabText(0), u"Open requests (4)"_s);
        QVERIFY(!table->isColumnHidden(models::OpenRequestList::Reference)); // which are no keys here
        exportReferences();
        // The oldest is first, and one key is one key press away.
        QCOMPARE(table->model()->index(0, models::OpenRequestList::Asked).data().toString(), u"2026-11-20 02:00:00"_s);
        auto *filter = m_window->find<QLineEdit>(u"openRequestsFilter"_s);
        filter->setText(u"key:odd"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, 10'000);
        filter->setText(u"attempts>=many"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        QTRY_VERIFY(!m_window->find<QWidget>(u"openRequestsNotice"_s)->isHidden());
        QCOMPARE(table->model()->rowCount(), 1); // what was read stays
        filter->setText(u"key:none"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 0, 10'000);
        filter->clear();
        auto *states = m_window->find<QComboBox>(u"openRequestsStates"_s);
        states->setCurrentIndex(states->findData(int(sql::ProviderState::Sent)));
        emit states->activated(states->currentIndex());
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, 10'000);
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Return);
        QTRY_COMPARE(window()->currentPage(), u"keys"_s);
    }

    void aStatementGoesFromItsFileToEvidence()
    {
        connected();
        const QAbstractItemModelTester tester(
            statement()->list(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        compareAll();
        const auto *table = m_window->find<QTableView>(u"findingsTable"_s);
        QStringList found;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            found += table->model()->index(row, models::FindingList::Finding).data().toString() + u' '
                + table->model()->index(row, models::FindingList::Reference).data().toString() + u' '
                + table->model()->index(row, models::FindingList::Lines).data().toString();
        }
        QCOMPARE(found.join(u'\n'),
            u"Twice with the provider r-double 5, 6\nHappened, not finished here r-open 3\n"
            "Only with the provider =cmd|' /C calc'!A1 9\nAmount differs r-amount 7\nCurrency differs r-currency 8\n"
            "Failed there, not here r-declined 4\nOnly here r-missing –"_s);
        QCOMPARE(m_window->find<QLabel>(u"statementSummary"_s)->text(),
            u"statement.csv: 9 line(s) · 1 agree · 7 finding(s)"_s); // which the chips add up to
        const QString notes = m_window->find<QLabel>(u"statementNotes"_s)->text();
        QVERIFY2(
            notes.contains(u"1 line(s) ignored: state “fee” is neither success nor failure."_s), qPrintable(notes));
        // Both lines of a double charge are shown, each with its number.
        QCOMPARE(m_window->find<QPlainTextEdit>(u"statementLine"_s)->toPlainText(),
            u"5  r-double,750,EUR,2026-11-20T03:00:00Z,paid\n6  r-double,750,EUR,2026-11-20T03:00:05Z,paid"_s);
        QCOMPARE(m_window->find<QLabel>(u"statementWhat"_s)->text(), u"2 lines say that it happened: 5, 6."_s);
        // One kind alone.
        auto *twice = m_window->find<QToolButton>(u"finding_twice"_s);
        QVERIFY(twice->text().endsWith(u" 1"));
        QTest::mouseClick(twice, Qt::LeftButton);
        QCOMPARE(table->model()->rowCount(), 1);
        QTest::mouseClick(twice, Qt::LeftButton);
        exportAll();
        QVERIFY(m_window->settings.statementMap(u"acme"_s).empty()); // a trial is no word about the next statement
        recordAll();
        // What the columns mean is remembered for that provider.
        const auto remembered = m_window->settings.statementMap(u"acme"_s);
        QCOMPARE(remembered.reference, u"Booking ref"_s);
        QCOMPARE(int(remembered.form), int(models::AmountForm::Minor));
        // What was found was of that connection.
        m_window->connection.disconnectNow();
        QTRY_VERIFY(statement()->result() == nullptr);
    }

    /// What nobody is at any longer is told so on both tabs, with the sign of that, and in what is exported.
    void whatIsStuckIsToldAlikeOnBothTabs()
    {
        connected();
        compareAll();
        const auto statesOf = [](const QAbstractItemModel *list, int key, int state) {
            QMap<QString, QString> states;
            for (int row = 0; row < list->rowCount(); ++row) {
                const QModelIndex index = list->index(row, state);
                states.insert(list->index(row, key).data().toString(),
                    index.data().toString() + (index.data(models::StaleRole).toBool() ? u" !"_s : QString()));
            }
            return states;
        };
        using models::FindingList;
        using models::OpenRequestList;
        const auto beside = statesOf(statement()->list(), FindingList::Key, FindingList::State);
        const auto listed = statesOf(open()->list(), OpenRequestList::Key, OpenRequestList::State);
        for (const QString &key : { u"open"_s, u"declined"_s }) {
            QCOMPARE(beside.value(key), u"Stuck !"_s);
            QCOMPARE(beside.value(key), listed.value(key));
        }
        QCOMPARE(beside.value(u"amount"_s), u"Succeeded"_s);
        // Beneath the list stands the same word.
        for (int row = 0; row < statement()->list()->rowCount(); ++row) {
            if (statement()->list()->index(row, FindingList::Key).data().toString() == u"open") {
                m_window->find<QTableView>(u"findingsTable"_s)->selectRow(row);
            }
        }
        QTRY_COMPARE(m_window->find<QLabel>(u"statementWhat"_s)->text(),
            u"The statement says that it happened; the key is Stuck here."_s);
        const QString path = m_folder->filePath(u"stuck.csv"_s);
        statement()->write(path);
        QTRY_VERIFY(QFile::exists(path) && !m_window->find<QWidget>(u"statementNotice"_s)->isHidden());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList lines = file.readAll().split('\n');
        QVERIFY2(lines.constFirst().endsWith(",stale\r"), lines.constFirst().constData());
        for (const QByteArray &line : lines) {
            QCOMPARE(line.endsWith(",true\r"), line.contains(",open,") || line.contains(",declined,"));
        }
    }

    void whatIsLeftOutIsSaidAfterWhatWasRecorded()
    {
        connected();
        compareAll();
        recordWhatIsSure();
    }

    /// In a narrow window references have the room of what stands beneath the list as well.
    void referencesHaveTheRoom()
    {
        connected();
        compareAll();
        const auto *table = m_window->find<QTableView>(u"findingsTable"_s);
        window()->resize(1500, 840);
        QTRY_VERIFY(!table->isColumnHidden(models::FindingList::Lines));
        const int wide = table->columnWidth(models::FindingList::Reference);
        window()->resize(1024, 700);
        QTRY_VERIFY(table->isColumnHidden(models::FindingList::Lines));
        QTRY_VERIFY(table->columnWidth(models::FindingList::Reference) < wide);
        window()->resize(1500, 840);
        QTRY_VERIFY(!table->isColumnHidden(models::FindingList::Lines));
    }

    /// A file that is dropped is the one that was chosen; nothing is read of it before the next step.
    void aFileIsDropped()
    {
        connected();
        QTest::mouseClick(m_window->find<QPushButton>(u"providerImport"_s), Qt::LeftButton);
        QTRY_VERIFY(dialog(u"statementWizard"_s) != nullptr);
        auto *field = dialog(u"statementWizard"_s)->findChild<ui::DropField *>(u"statementDrop"_s);
        const auto *path = dialog(u"statementWizard"_s)->findChild<QLineEdit *>(u"statementPath"_s);
        const auto drop = [field](const QUrl &url) {
            QMimeData data;
            data.setUrls({ url });
            QDragEnterEvent enter({ 5, 5 }, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            enter.ignore();
            QApplication::sendEvent(field, &enter);
            QDropEvent event(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(field, &event);
            return enter.isAccepted();
        };
        QVERIFY(!drop(QUrl(u"https://provider.example/statement.csv"_s)));
        QVERIFY(path->text().isEmpty());
        const QString file = write(kStatement);
        QVERIFY(drop(QUrl::fromLocalFile(file)));
        QCOMPARE(path->text(), file);
        QVERIFY(go()->isEnabled());
        dialog(u"statementWizard"_s)->reject();
        QTRY_VERIFY(dialog(u"statementWizard"_s) == nullptr);
    }

    /// Where each reference is its key, one column says both.
    void oneColumnSaysBoth()
    {
        models::FindingList list;
        const QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
        models::StatementFinding finding;
        finding.reference = u"k1"_s;
        finding.here = sql::HereRow();
        finding.here->key = u"k1"_s;
        finding.here->scope = u"shop-1"_s;
        list.setFindings({ { finding.kind, { finding } } });
        QVERIFY(list.keyIsReference());
        QCOMPARE(list.index(0, models::FindingList::Reference).data(models::DetailRole).toString(), u"shop-1"_s);
        finding.here->key = u"other"_s;
        list.setFindings({ { finding.kind, { finding } } });
        QVERIFY(!list.keyIsReference());
        QCOMPARE(list.index(0, models::FindingList::Key).data(models::DetailRole).toString(), u"shop-1"_s);
        list.setScopeTitle(u"Shop"_s); // of two bare numbers in a cell nobody knows which is which
        QCOMPARE(list.index(0, models::FindingList::Key).data(models::DetailRole).toString(), u"Shop: shop-1"_s);
    }

    void theWizardGoesByKeyboard()
    {
        connected();
        const auto map = models::statementMapFrom({ u"reference=Booking ref"_s, u"amount_minor=Cents"_s,
            u"currency=Cur"_s, u"time=When"_s, u"state=What"_s });
        QVERIFY(map);
        m_window->settings.setStatementMap(u"acme"_s, *map);
        auto *import = m_window->find<QPushButton>(u"providerImport"_s);
        import->setFocus();
        QTest::keyClick(import, Qt::Key_Space);
        QTRY_VERIFY(dialog(u"statementWizard"_s) != nullptr);
        auto *path = dialog(u"statementWizard"_s)->findChild<QLineEdit *>(u"statementPath"_s);
        QTRY_VERIFY(path->hasFocus());
        QVERIFY(!go()->isEnabled());
        path->setText(write(kStatement));
        QTest::keyClick(path, Qt::Key_Return);
        auto *reference = dialog(u"statementWizard"_s)->findChild<QComboBox *>(u"statementReference"_s);
        QTRY_VERIFY_WITH_TIMEOUT(go()->isEnabled() && reference->isVisible(), 10'000);
        QCOMPARE(reference->currentText(), u"Booking ref"_s); // as it was remembered
        QTest::keyClick(dialog(u"statementWizard"_s), Qt::Key_C, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(statement()->result() != nullptr && !statement()->busy(), 20'000);
        QCOMPARE(statement()->list()->rowCount(), 7);
        // Escape changes nothing.
        import->setFocus();
        QTest::keyClick(import, Qt::Key_Space);
        QTRY_VERIFY(dialog(u"statementWizard"_s) != nullptr);
        QTest::keyClick(dialog(u"statementWizard"_s), Qt::Key_Escape);
        QTRY_VERIFY(dialog(u"statementWizard"_s) == nullptr);
        QVERIFY(statement()->result() != nullptr);
    }

    /// A file of another form than the one that is remembered: the names of its columns decide.
    void anotherFileIsGuessedAnew()
    {
        connected();
        m_window->settings.setStatementMap(u"acme"_s, *models::statementMapFrom({ u"reference=Of another file"_s }));
        importFile(write("reference,amount,currency\nr-agrees,0.3,EUR\n"));
        auto *reference = dialog(u"statementWizard"_s)->findChild<QComboBox *>(u"statementReference"_s);
        QTRY_COMPARE_WITH_TIMEOUT(reference->currentText(), u"reference"_s, 10'000);
        QVERIFY(!go()->isEnabled()); // nothing says what became of each line
        sayHappened();
        QTRY_VERIFY(go()->isEnabled());
        dialog(u"statementWizard"_s)->reject();
        QTRY_VERIFY(dialog(u"statementWizard"_s) == nullptr);
        // Lines of JSON may lack members, and still the one that names the request must be there.
        importFile(write("{\"ref\": \"r-agrees\", \"cents\": 30, \"currency\": \"EUR\"}\n", u"other.jsonl"_s));
        reference = dialog(u"statementWizard"_s)->findChild<QComboBox *>(u"statementReference"_s);
        QTRY_COMPARE_WITH_TIMEOUT(reference->currentText(), u"ref"_s, 10'000);
        const auto *lines = dialog(u"statementWizard"_s)->findChild<QTableView *>(u"statementPreview"_s);
        sayHappened(); // nothing is read before
        QTRY_COMPARE_WITH_TIMEOUT(
            lines->model()->index(0, models::PreviewList::Amount).data().toString(), u"0.30 EUR"_s, 10'000); // of cents
        dialog(u"statementWizard"_s)->reject();
    }

    /// Of a file without times nothing is missing, unless the person says what it covers.
    void thePersonSaysWhatItCovers_data()
    {
        QTest::addColumn<bool>("said");
        QTest::newRow("nobody said it") << false;
        QTest::newRow("the person did") << true;
    }

    void thePersonSaysWhatItCovers()
    {
        QFETCH(bool, said);
        connected();
        importFile(write("reference,amount,currency\nr-agrees,0.3,EUR\n"));
        QTRY_VERIFY_WITH_TIMEOUT(
            dialog(u"statementWizard"_s)->findChild<QComboBox *>(u"statementReference"_s)->isEnabled(), 10'000);
        sayHappened();
        QTRY_VERIFY_WITH_TIMEOUT(go()->isEnabled(), 10'000);
        QDialog *wizard = dialog(u"statementWizard"_s);
        if (said) {
            wizard->findChild<QCheckBox *>(u"statementCovers"_s)->click();
            auto *until = wizard->findChild<QDateTimeEdit *>(u"statementUntil"_s);
            auto *since = wizard->findChild<QDateTimeEdit *>(u"statementSince"_s);
            until->setDateTime(QDateTime(QDate(2026, 11, 20), QTime(2, 0), QTimeZone::utc()));
            since->setDateTime(QDateTime(QDate(2026, 11, 20), QTime(4, 0), QTimeZone::utc()));
            QVERIFY(!go()->isEnabled()); // it ends before it begins
            since->setDateTime(QDateTime(QDate(2026, 11, 20), QTime(0, 0), QTimeZone::utc()));
        }
        QTRY_VERIFY(go()->isEnabled());
        QTest::mouseClick(go(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(statement()->result() != nullptr && !statement()->busy(), 20'000);
        const auto &answer = statement()->result()->answer;
        QCOMPARE(answer.span.known(), said);
        QCOMPARE(answer.counts.of(models::StatementFindingKind::NotInStatement), said ? 2 : 0); // open, declined
        auto *only = m_window->find<QToolButton>(u"finding_not_in_statement"_s);
        QCOMPARE(only->text().endsWith(u'?'), !said);
    }

    /// A provider that books late: what it may still lack is not called missing.
    void theEndOfAStatementIsLeftOut_data()
    {
        QTest::addColumn<int>("minutes");
        QTest::addColumn<int>("missing");
        QTest::newRow("its usual ten minutes") << 10 << 1;
        QTest::newRow("eight hours") << 8 * 60 << 0;
    }

    void theEndOfAStatementIsLeftOut()
    {
        QFETCH(int, minutes);
        QFETCH(int, missing);
        connected();
        m_window->settings.setStatementMap(u"acme"_s,
            *models::statementMapFrom({ u"reference=Booking ref"_s, u"amount_minor=Cents"_s, u"currency=Cur"_s,
                u"time=When"_s, u"state=What"_s }));
        importFile(write(kStatement));
        QTRY_VERIFY_WITH_TIMEOUT(go()->isEnabled(), 10'000);
        QDialog *wizard = dialog(u"statementWizard"_s);
        auto *margin = wizard->findChild<QSpinBox *>(u"statementMargin"_s);
        QCOMPARE(margin->value(), 10);
        auto *covers = wizard->findChild<QCheckBox *>(u"statementCovers"_s);
        covers->click();
        QVERIFY(!margin->isEnabled()); // the person says until when
        covers->click();
        margin->setValue(minutes);
        QTRY_VERIFY(go()->isEnabled());
        QTest::mouseClick(go(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(statement()->result() != nullptr && !statement()->busy(), 20'000);
        QCOMPARE(statement()->result()->answer.counts.of(models::StatementFindingKind::NotInStatement), missing);
    }

    void jsonLinesTakeAPointer()
    {
        connected();
        importFile(write("{\"id\": \"b1\", \"meta\": {\"key\": \"r-agrees\"}, \"amount\": 0.30}\n", u"s.jsonl"_s));
        auto *reference = dialog(u"statementWizard"_s)->findChild<QComboBox *>(u"statementReference"_s);
        QTRY_VERIFY_WITH_TIMEOUT(reference->isEditable() && reference->isEnabled(), 10'000);
        reference->lineEdit()->selectAll();
        QTest::keyClicks(reference->lineEdit(), u"/meta/key"_s);
        const auto *lines = dialog(u"statementWizard"_s)->findChild<QTableView *>(u"statementPreview"_s);
        QTRY_COMPARE_WITH_TIMEOUT(
            lines->model()->index(0, models::PreviewList::Reference).data().toString(), u"r-agrees"_s, 10'000);
        dialog(u"statementWizard"_s)->reject();
    }

    void whoMayNotActExportsAndDoesNotRecord()
    {
        connected(u"viewer"_s);
        compareAll();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->find<QWidget>(u"statementRights"_s)->isHidden(), 20'000);
        QVERIFY(!m_window->find<QPushButton>(u"statementRecord"_s)->isEnabled());
        QVERIFY(m_window->find<QPushButton>(u"statementExport"_s)->isEnabled());
    }

    void whatCannotBeReadEndsInAMessage_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("UTF-16") << QByteArray("\xFF\xFEr\0e\0f\0\n\0", 10);
        QTest::newRow("a quote that is never closed") << QByteArray("reference,amount\n\"r-1,5\n");
        QTest::newRow("two columns of one name") << QByteArray("reference,reference\nr,s\n");
        QTest::newRow("a column without a name") << QByteArray("reference,,amount\nr,s,1\n");
    }

    void whatCannotBeReadEndsInAMessage()
    {
        QFETCH(QByteArray, bytes);
        connected();
        importFile(write(bytes));
        const auto shown = [this] {
            const auto *label = dialog(u"statementWizard"_s)->findChild<QTableView *>(u"statementPreview"_s);
            return label != nullptr && !go()->isEnabled();
        };
        QTRY_VERIFY(shown());
        auto *banner = dialog(u"statementWizard"_s)->findChild<ui::NoticeBar *>();
        QTRY_VERIFY(banner->isVisible()); // and says why
        dialog(u"statementWizard"_s)->reject();
        QTRY_VERIFY(dialog(u"statementWizard"_s) == nullptr);
        // The same behind the wizard's back, as a file may change meanwhile.
        statement()->compare({ m_folder->filePath(u"statement.csv"_s), u"acme"_s,
            *models::statementMapFrom({ u"reference=reference"_s, u"outcome=happened"_s }), {}, {} });
        QTRY_VERIFY_WITH_TIMEOUT(!statement()->busy(), 20'000);
        QVERIFY(statement()->error() || statement()->result()->facts.refused > 0);
    }

    void aComparisonCanBeStopped()
    {
        m_fixture->cluster().psql(m_fixture->database(),
            u"DROP INDEX app.payment_ref; INSERT INTO app.payment SELECT 'x' || n, 'succeeded', 'ok', 'x' || n, 1, "
            "'EUR', '2026-10-01' FROM generate_series(1, 120000) n; ANALYZE app.payment"_s);
        connected();
        statement()->compare({ write(kStatement), u"acme"_s,
            *models::statementMapFrom({ u"reference=Booking ref"_s, u"outcome=happened"_s }), {}, {} });
        QTRY_VERIFY(!statement()->progressText().isEmpty());
        window()->showPage(u"keys"_s); // which goes on meanwhile
        statement()->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!statement()->busy(), 10'000);
        QVERIFY(statement()->error());
        QCOMPARE(statement()->error()->kind, sql::ErrorKind::Cancelled);
        QVERIFY(statement()->result() == nullptr);
    }

    /// Minutes of it keep no other reading waiting.
    void othersAreReadWhileItRuns()
    {
        m_fixture->cluster().psql(m_fixture->database(),
            u"DROP INDEX app.payment_ref; INSERT INTO app.payment SELECT 'x' || n, 'succeeded', 'ok', 'x' || n, 1, "
            "'EUR', '2026-10-01' FROM generate_series(1, 120000) n; ANALYZE app.payment"_s);
        connected();
        Connection holder(m_fixture->cluster().conninfo(m_fixture->database())); // it lasts until others were read
        QVERIFY(holder.run(u"BEGIN; LOCK TABLE app.payment IN ACCESS EXCLUSIVE MODE"_s).ok());
        statement()->compare({ write(kStatement), u"acme"_s,
            *models::statementMapFrom({ u"reference=Booking ref"_s, u"outcome=happened"_s }), {}, {} });
        QTRY_VERIFY_WITH_TIMEOUT(statement()->percent() >= 0 || !statement()->progressText().isEmpty(), 20'000);
        const auto other = m_window->connection.database()->run(
            sql::LaneKind::Background, { u"another"_s, 20'000, true }, [](sql::Session &session) {
                return session.run({ u"SELECT 1"_s, {} });
            });
        QTRY_VERIFY_WITH_TIMEOUT(other.isFinished() || !statement()->busy(), 20'000);
        QVERIFY(statement()->busy()); // else it waited
        QVERIFY(other.isFinished() && other.result().ok());
        QVERIFY(holder.run(u"ROLLBACK"_s).ok());
        statement()->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!statement()->busy(), 20'000);
    }

    void itIsThereWhereAProfileNamesAProvider()
    {
        connected();
        m_window->connection.disconnectNow();
        QTRY_VERIFY(!window()->offers(u"provider"_s));
        QTRY_VERIFY(window()->currentPage() != u"provider"_s);
    }
};

QTEST_MAIN(ProviderPageTest)
#include "tst_provider_page.moc"
