// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/compare_controller.h"
#include "models/complaint/complaint_controller.h"
#include "models/duplicates/duplicate_controller.h"
#include "models/duplicates/duplicate_keys.h"
#include "models/duplicates/duplicate_words.h"
#include "models/keys/key_browser.h"
#include "models/table/item_role.h"
#include "models/workspace/workspace.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/conflicts/compare_view.h"
#include "ui/pages/conflicts/conflicts_page.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/case_view.h"
#include "ui/widgets/notice_bar.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// From a complaint, a suspicion or two payloads to a verdict, in the window and by keyboard.
class EvidenceWindowTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;

    ui::ConflictsPage *tabs() const { return m_window->window->conflictsPage(); }
    models::ComplaintController *complaint() const { return m_window->window->workspace()->complaint(); }
    QString text(const QString &label) const { return m_window->find<QLabel>(label)->text(); }
    QLineEdit *field(const QString &name) const { return m_window->find<QLineEdit>(name); }

    void open(const QString &tab)
    {
        m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
        QVERIFY(QTest::qWaitForWindowActive(m_window->window.get()));
        m_window->connectAs(u"op"_s, m_fixture->database());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
        m_window->window->showPage(tab == u"complaints"_s ? tab : u"conflicts"_s);
        if (tab != u"complaints"_s) {
            tabs()->showTab(tab);
        }
    }
    void ask()
    {
        QTest::keyClick(field(u"complaintCustomer"_s), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!complaint()->busy(), 20'000);
    }
    void awaitCase()
    {
        QTRY_VERIFY_WITH_TIMEOUT(
            complaint()->caseController()->file().has_value() && !complaint()->caseController()->busy(), 20'000);
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
        m_fixture->fresh();
        const auto done = m_fixture->root().run(uR"(
            ALTER TABLE app.k ADD COLUMN created_at timestamptz NOT NULL DEFAULT now() - interval '90 days', ADD COLUMN hash text;
            INSERT INTO app.k (tenant, key, status, created_at, result, doc) VALUES
                ('acme', 'pay-1', 'succeeded', now() - interval '2 hours', 'ord-7', '{"amount": 10.50, "customerId": "cus-7", "note": "<b>x</b>"}'),
                ('acme', 'pay-2', 'succeeded', now() - interval '1 hour', 'ord-7', '{"amount": 10.5, "customerId": "cus-7", "note": "<b>x</b>"}'),
                ('acme', 'pay-3', 'succeeded', now() - interval '1 hour', 'ord-8', '{"amount": 99}');
            UPDATE app.k SET hash = encode(sha256(convert_to(doc::text, 'UTF8')), 'hex') WHERE tenant = 'acme';
            INSERT INTO app.eff (tenant, key, id) VALUES ('acme', 'pay-1', 'eff-1'), ('acme', 'pay-2', 'eff-2'), ('acme', 'pay-3', 'eff-3');
            GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, idemdesk_runner_app_owner)"_s);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        m_fixture->forgetBare();
        registerTable(*m_fixture,
            R"({"roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until", "created_at": "t.created_at",
            "updated_at": "t.updated_at", "expires_at": "t.expires_at", "result_id": "t.result", "request_payload": "t.doc", "fingerprint": "t.hash"}})");
    }
    void cleanup() { m_window.reset(); }

    void aComplaintLeadsToAVerdict()
    {
        open(u"complaints"_s);
        QAbstractItemModelTester tester(complaint()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto *judge = m_window->find<QPushButton>(u"complaintJudge"_s);
        field(u"complaintAmount"_s)->setText(u"10.50"_s);
        ask();
        QCOMPARE(complaint()->model()->rowCount(), 2);
        QVERIFY2(text(u"complaintCounted"_s).contains(u"30 days"_s), qPrintable(text(u"complaintCounted"_s)));
        QVERIFY(!judge->isEnabled());
        QVERIFY2(judge->toolTip().startsWith(u"Tick one"_s), qPrintable(judge->toolTip()));
        const auto cell
            = [this](int row, int column) { return complaint()->model()->index(row, column).data().toString(); };
        QCOMPARE(cell(0, models::ComplaintModel::Amount), u"10.5"_s); // as it stands there
        QCOMPARE(cell(1, models::ComplaintModel::Amount), u"10.50"_s);
        QCOMPARE(cell(0, models::ComplaintModel::Customer), u"cus-7"_s);
        QVERIFY(cell(0, models::ComplaintModel::Match).isEmpty()); // no text was asked for
        QVERIFY(!m_window->find<QTableView>(u"complaintTable"_s)->isColumnHidden(models::ComplaintModel::Customer));
        // Both are picked by keyboard: the box of a row answers to Space.
        auto *table = m_window->find<QTableView>(u"complaintTable"_s);
        for (int row = 0; row < 2; ++row) {
            table->setCurrentIndex(table->model()->index(row, 0));
            table->setFocus();
            QTest::keyClick(table, Qt::Key_Space);
        }
        QCOMPARE(complaint()->model()->picked(), (QList<int> { 0, 1 }));
        QTest::keyClick(judge, Qt::Key_Space);
        awaitCase();
        QCOMPARE(complaint()->caseController()->file()->verdict.kind, models::VerdictKind::SeveralIntents);
        QCOMPARE(text(u"caseSentence"_s), u"Same request under two keys: carried out twice."_s);
        QString why;
        for (const QLabel *fact : m_window->find<QWidget>(u"caseFacts"_s)->findChildren<QLabel *>(u"caseFact"_s)) {
            why += fact->text() + u'\n';
        }
        QVERIFY2(why.contains(u"pay-1"_s) && why.contains(u"pay-2"_s), qPrintable(why));
        // The verdict takes the page; the search waits behind it with what was asked.
        QVERIFY(!field(u"complaintAmount"_s)->isVisible() && text(u"complaintAsked"_s).contains(u"10.50"_s));
        QTest::keyClick(m_window->find<QPushButton>(u"complaintBack"_s), Qt::Key_Space);
        QVERIFY(table->isVisible() && !field(u"complaintAmount"_s)->isVisible());
        auto *chip = m_window->find<QToolButton>(u"complaintAmountChip"_s);
        QVERIFY2(chip->isVisible() && chip->text() == u"Amount: 10.50"_s, qPrintable(chip->text()));
        QVERIFY(!m_window->find<QToolButton>(u"complaintKeyChip"_s)->isVisible());
        // The chip leads to its field, and the button to the form as well.
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(field(u"complaintAmount"_s)->isVisible() && field(u"complaintAmount"_s)->hasFocus());
        ask();
        QVERIFY(!field(u"complaintAmount"_s)->isVisible());
        QTest::keyClick(m_window->find<QPushButton>(u"complaintEdit"_s), Qt::Key_Space);
        QVERIFY(field(u"complaintAmount"_s)->isVisible() && table->isVisible());
        // Another question drops the case of the last one.
        field(u"complaintAmount"_s)->setText(u"12345"_s);
        ask();
        QCOMPARE(complaint()->model()->rowCount(), 0);
        QVERIFY(!complaint()->caseController()->file());
        // And so does the next complaint's empty page.
        QTest::keyClick(m_window->find<QPushButton>(u"complaintClear"_s), Qt::Key_Space);
        QVERIFY(field(u"complaintAmount"_s)->text().isEmpty() && !complaint()->answered());
        QVERIFY(field(u"complaintCustomer"_s)->hasFocus());
    }

    /// One types at once; of what is found it is said, by name, which tables could hold more.
    void theQuestionIsReadyAndNamesWhatItCannotSearch()
    {
        QVERIFY(
            m_fixture->root()
                .run(u"CREATE TABLE app.silent (key text PRIMARY KEY, status text); ALTER TABLE app.silent OWNER TO "
                     "app_owner; INSERT INTO app.silent VALUES ('pay-1', 'succeeded'); GRANT SELECT ON app.silent "
                     "TO op, adm, idemdesk_runner_app_owner"_s)
                .ok());
        registerTable(*m_fixture,
            R"({"relation": "app.silent", "title": "The silent ones", "identity": ["key"], "scope": [],
            "roles": {"status": "t.status"}, "guard": ["status"], "stale": null, "purge": null, "effects": [],
            "actions": {"recover": [], "requeue": []}, "policies": [{"match": {}, "effect": "local"}]})",
            u"silent"_s);
        open(u"complaints"_s);
        QVERIFY(field(u"complaintCustomer"_s)->hasFocus());
        auto *notSearched = m_window->find<QLabel>(u"complaintNotSearched"_s);
        QVERIFY(!notSearched->isVisible());
        field(u"complaintResource"_s)->setText(u"ord-7"_s);
        ask();
        auto *table = m_window->find<QTableView>(u"complaintTable"_s);
        QCOMPARE(table->model()->rowCount(), 2);
        // The numbers add up, and a click names the tables.
        QVERIFY(complaint()->unsearched() > 0);
        QCOMPARE(complaint()->searched() + complaint()->unsearched(), int(m_window->connection.targets().size()));
        const int tables = complaint()->searched() + complaint()->unsearched();
        auto *incomplete = m_window->find<ui::NoticeBar>(u"complaintIncomplete"_s);
        QVERIFY(incomplete->isVisible());
        QVERIFY2(text(u"complaintCounted"_s).contains(u"%1 table"_s.arg(complaint()->searched())),
            qPrintable(text(u"complaintCounted"_s)));
        const QString said = u"Incomplete: %1 of %2 table"_s.arg(complaint()->unsearched()).arg(tables);
        const QList<QLabel *> parts = incomplete->findChildren<QLabel *>();
        QVERIFY(std::any_of(
            parts.cbegin(), parts.cend(), [&](const QLabel *label) { return label->text().startsWith(said); }));
        QVERIFY(!notSearched->isVisible());
        QTest::keyClick(m_window->find<QToolButton>(u"complaintAbout"_s), Qt::Key_Space);
        QVERIFY(notSearched->isVisible());
        QVERIFY2(notSearched->text().startsWith(u"Not searched: The silent ones. "_s), qPrintable(notSearched->text()));
        // All of one table: it is named once.
        QVERIFY(table->isColumnHidden(models::ComplaintModel::Table));
        QVERIFY2(text(u"complaintCounted"_s).contains(u", all in Keys of the tests"_s),
            qPrintable(text(u"complaintCounted"_s)));
        // A key may be in every table.
        field(u"complaintResource"_s)->clear();
        field(u"complaintKey"_s)->setText(u"pay-1"_s);
        ask();
        QCOMPARE(table->model()->rowCount(), 2);
        QVERIFY(!table->isColumnHidden(models::ComplaintModel::Table) && !notSearched->isVisible());
    }

    void oneCandidateIsJudgedAtOnce()
    {
        open(u"complaints"_s);
        field(u"complaintResource"_s)->setText(u"ord-8"_s);
        ask();
        awaitCase();
        QCOMPARE(complaint()->caseController()->file()->rows.constFirst().key, u"pay-3"_s);
        QVERIFY(!complaint()->model()->namesCustomers()); // its customer is its scope, which has a column of its own
    }

    void yesterdayIsATime()
    {
        QVERIFY(
            m_fixture->root()
                .run(
                    u"UPDATE app.k SET created_at = date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '9 hours 30 minutes' WHERE key = 'pay-3'"_s)
                .ok());
        open(u"complaints"_s);
        for (const QString &typed : { u"yesterday"_s, u"Yesterday 14:30"_s }) {
            field(u"complaintAt"_s)->setText(typed);
            ask();
            QVERIFY2(complaint()->answered(), qPrintable(typed));
            QVERIFY(!m_window->find<QWidget>(u"complaintNotice"_s)->isVisible());
            bool found = false;
            for (int row = 0; row < complaint()->model()->rowCount(); ++row) {
                found = found
                    || complaint()->model()->index(row, models::ComplaintModel::Key).data().toString() == u"pay-3";
            }
            QVERIFY2(found, qPrintable(typed));
        }
    }

    /// No effect is declared that could be looked for; what the service itself answered is no "evidence missing".
    void differentAnswersOfSucceededKeysAreSaid()
    {
        QVERIFY(
            m_fixture->root()
                .run(
                    u"UPDATE app.k SET result = NULL, doc = jsonb_build_object('amount', 10.5, 'charge_id', 'ch_' || key) WHERE tenant = 'acme'; GRANT UPDATE (tenant) ON app.k TO idemdesk_runner_app_owner"_s)
                .ok()); // without rules, the trial is on the identity
        registerTable(*m_fixture, R"({"effects": [], "actions": {"recover": [], "requeue": [], "reclassify": []},
            "roles": {"status": "t.status", "created_at": "t.created_at", "response_body": "t.doc"}})");
        open(u"complaints"_s);
        field(u"complaintText"_s)->setText(u"ch_pay-"_s);
        ask();
        auto *table = m_window->find<QTableView>(u"complaintTable"_s);
        QCOMPARE(table->model()->rowCount(), 3);
        for (int row = 0; row < 2; ++row) {
            table->setCurrentIndex(table->model()->index(row, 0));
            table->setFocus();
            QTest::keyClick(table, Qt::Key_Space);
        }
        QTest::keyClick(m_window->find<QPushButton>(u"complaintJudge"_s), Qt::Key_Space);
        awaitCase();
        const QString said = text(u"caseSentence"_s);
        QVERIFY2(!said.contains(u"Evidence is missing"_s) && said.count(u"charge_id ch_pay-"_s) == 2, qPrintable(said));
        QVERIFY2(said.contains(u"no declared effect proves it"_s), qPrintable(said));
        QCOMPARE(complaint()->caseController()->file()->verdict.certainty, models::Certainty::Likely);
    }

    void aCaseIsSavedAndAFailureIsSaid()
    {
        open(u"complaints"_s);
        field(u"complaintResource"_s)->setText(u"ord-8"_s);
        ask();
        awaitCase();
        QTemporaryDir folder;
        models::CaseController *controller = complaint()->caseController();
        QSignalSpy written(controller, &models::CaseController::written);
        QSignalSpy failed(controller, &models::CaseController::writeFailed);
        for (const QString &name : { u"c.pdf"_s, u"c.html"_s, u"c.json"_s }) {
            controller->write(folder.filePath(name), u"charged twice"_s);
        }
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), 3, 20'000);
        QFile pdf(folder.filePath(u"c.pdf"_s));
        QVERIFY(pdf.open(QIODevice::ReadOnly) && pdf.readAll().startsWith("%PDF"));
        controller->write(folder.filePath(u"no/such/folder/c.pdf"_s), {});
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20'000);
        QVERIFY(m_window->find<ui::CaseView>(u"caseView"_s)->findChild<ui::NoticeBar *>()->isVisible());
    }

    void wrongQuestionsSaySo_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("typed");
        QTest::newRow("nothing") << u"complaintKey"_s << u"  "_s;
        QTest::newRow("no time") << u"complaintAt"_s << u"someday"_s;
        QTest::newRow("markup for a time") << u"complaintAt"_s << u"<img src=x>"_s;
    }
    void wrongQuestionsSaySo()
    {
        open(u"complaints"_s);
        QFETCH(QString, name);
        QFETCH(QString, typed);
        field(name)->setText(typed);
        QTest::keyClick(field(name), Qt::Key_Return);
        QVERIFY(!complaint()->busy() && !complaint()->answered());
        auto *notice = m_window->find<QWidget>(u"complaintNotice"_s);
        QVERIFY(notice->isVisible());
    }

    void anAmountThatIsNoneIsNamed()
    {
        open(u"complaints"_s);
        field(u"complaintAmount"_s)->setText(u"ten"_s);
        ask();
        QCOMPARE(complaint()->model()->rowCount(), 0);
        QVERIFY2(complaint()->notes().join(u'\n').contains(u"“ten” is not an amount"_s),
            qPrintable(complaint()->notes().join(u'\n')));
    }

    void duplicatesLeadToTheirVerdict()
    {
        open(u"duplicates"_s);
        field(u"duplicatesFilter"_s)->setText(u"tenant:acme"_s);
        QTest::keyClick(field(u"duplicatesFilter"_s), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->window->workspace()->duplicates()->searched()
                && !m_window->window->workspace()->duplicates()->running(),
            20'000);
        QCOMPARE(m_window->window->workspace()->duplicates()->model()->rowCount(), 1); // ord-7 under two keys
        // The keys of the group, with what their rows say.
        using Keys = models::DuplicateKeyModel;
        const auto *keys = m_window->find<QTableView>(u"duplicateKeys"_s)->model();
        QCOMPARE(keys->rowCount(), 2);
        const auto told = [keys](int column) {
            QStringList texts { keys->index(0, column).data().toString(), keys->index(1, column).data().toString() };
            texts.sort();
            return texts;
        };
        QCOMPARE(told(Keys::Key), (QStringList { u"pay-1"_s, u"pay-2"_s }));
        QCOMPARE(told(Keys::Scope), (QStringList { u"acme"_s, u"acme"_s }));
        QTRY_COMPARE_WITH_TIMEOUT(told(Keys::State), (QStringList { u"Succeeded"_s, u"Succeeded"_s }), 20'000);
        QVERIFY(keys->index(0, Keys::Began).data().toString() <= keys->index(1, Keys::Began).data().toString());
        QCOMPARE(told(Keys::Result), (QStringList { u"ord-7"_s, u"ord-7"_s }));
        QCOMPARE(told(Keys::Amount), (QStringList { u"10.5"_s, u"10.50"_s }));
        QVERIFY2(text(u"duplicatesTotal"_s).startsWith(u"1 group"_s), qPrintable(text(u"duplicatesTotal"_s)));
        // How much a group is about stands in the list, first of all.
        using Groups = models::DuplicateModel;
        const auto *list = m_window->find<QTableView>(u"duplicatesTable"_s);
        const QModelIndex amount = list->model()->index(0, Groups::Amount);
        QTRY_VERIFY_WITH_TIMEOUT(amount.data().toString().startsWith(u"10.5"_s), 20'000);
        QVERIFY(!list->isColumnHidden(Groups::Amount) && list->horizontalHeader()->visualIndex(Groups::Amount) == 0);
        QCOMPARE(list->model()->index(0, Groups::FirstKeys).data().toString(), u"pay-1, pay-2"_s);
        // What to make of it is said first, with what is at stake: one amount, however it is written.
        const auto *group = m_window->window->workspace()->duplicates()->model()->row(0);
        QCOMPARE(m_window->find<ui::BadgeView>(u"duplicateVerdict"_s)->text(), models::duplicateVerdictText(*group));
        QVERIFY2(
            text(u"duplicateStake"_s).startsWith(u"10.5"_s) && text(u"duplicateStake"_s).contains(u" each · 2 key"_s),
            qPrintable(text(u"duplicateStake"_s)));
        QTest::keyClick(m_window->find<QPushButton>(u"duplicateJudge"_s), Qt::Key_Space);
        awaitCase();
        QCOMPARE(m_window->window->currentPage(), u"complaints"_s);
        QCOMPARE(complaint()->caseController()->file()->rows.size(), 2);
        // A letter stands for each key, which is said once; A began first.
        QCOMPARE(text(u"caseKeys"_s), u"A pay-1 · B pay-2"_s);
        const QString event = m_window->find<QListView>(u"caseStory"_s)->model()->index(0, 0).data().toString();
        QVERIFY2(event.startsWith(u"A: "_s), qPrintable(event));
        // How much, how far apart and of whom stands beneath the verdict.
        QVERIFY2(text(u"caseSubject"_s).startsWith(u"10.5"_s) && text(u"caseSubject"_s).contains(u"acme"_s),
            qPrintable(text(u"caseSubject"_s)));
        QVERIFY2(m_window->find<QPushButton>(u"complaintNext"_s)->text().contains(u"group"_s),
            qPrintable(m_window->find<QPushButton>(u"complaintNext"_s)->text()));
        // Whoever cancels one of them needs what both led to.
        QTest::keyClick(m_window->find<QPushButton>(u"caseNextStep"_s), Qt::Key_Space);
        QStringList references = QGuiApplication::clipboard()->text().split(u'\n');
        references.sort();
        QCOMPARE(references, (QStringList { u"pay-1 ord-7"_s, u"pay-2 ord-7"_s }));
        // A button and Alt+Left lead back to the same group.
        const auto *groups = m_window->find<QTableView>(u"duplicatesTable"_s);
        auto *back = m_window->find<QPushButton>(u"complaintBack"_s);
        QVERIFY2(back->isVisible() && back->text().contains(u"Duplicates"_s), qPrintable(back->text()));
        QTest::keyClick(back, Qt::Key_Space);
        QCOMPARE(m_window->window->currentPage(), u"conflicts"_s);
        QVERIFY(groups->isVisible() && groups->hasFocus());
        QCOMPARE(groups->currentIndex().row(), 0);
        QTest::keyClick(m_window->find<QPushButton>(u"duplicateJudge"_s), Qt::Key_Space);
        awaitCase();
        QTest::keyClick(m_window->window.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(m_window->window->currentPage(), u"conflicts"_s);
        QVERIFY(groups->isVisible());
        // Rows are of two lines: the table's title over its name, what is shared over its scope.
        const auto *model = m_window->window->workspace()->duplicates()->model();
        using Duplicates = models::DuplicateModel;
        QVERIFY(groups->isColumnHidden(Duplicates::Scope));
        QCOMPARE(model->index(0, Duplicates::Table).data(models::DetailRole).toString(), u"app.k"_s);
        QVERIFY(!model->index(0, Duplicates::Table).data().toString().isEmpty());
        QCOMPARE(model->index(0, Duplicates::Shared).data(models::DetailRole).toString(), u"acme"_s);
        QTest::keyClick(m_window->find<QPushButton>(u"duplicateShow"_s), Qt::Key_Space);
        QCOMPARE(m_window->window->currentPage(), u"keys"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 2, 20'000);
        // A filter that is none is said, and nothing is searched.
        tabs()->showTab(u"duplicates"_s);
        field(u"duplicatesFilter"_s)->setText(u"nonsense>1"_s);
        tabs()->refresh();
        QVERIFY(!m_window->window->workspace()->duplicates()->running());
    }

    void recordedConflictsCanBeFilteredFor()
    {
        QVERIFY(m_fixture->root()
                    .run(u"SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('acme', 'pay-2', 'a', 'b')"_s)
                    .ok());
        open(u"conflicts"_s);
        m_window->window->showPage(u"keys"_s);
        m_window->window->keysPage()->showTarget(u"k2"_s, u"tenant:acme state:conflict"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1, 20'000);
    }

    void aRecordedConflictLeadsToItsVerdictAndToItsRequests()
    {
        // The key of another customer's request is another intent, and one more request was refused.
        QVERIFY(
            m_fixture->root()
                .run(u"INSERT INTO app.k (tenant, key, status) VALUES ('globex', 'pay-3', 'succeeded'); "
                     "SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('acme', 'pay-3', 'a', 'c', "
                     "'{\"amount\": 7}'); "
                     "SELECT idemdesk.record_conflict('acme', 'pay-3', 'a', 'b', '{\"amount\": 100}'); RESET ROLE"_s)
                .ok());
        open(u"conflicts"_s);
        auto *table = m_window->find<QTableView>(u"conflictsTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() == 2, 20'000);
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(m_window->find<QPushButton>(u"conflictJudge"_s), Qt::Key_Space);
        QCOMPARE(m_window->window->currentPage(), u"complaints"_s);
        awaitCase();
        QCOMPARE(complaint()->model()->rowCount(), 2);
        QCOMPARE(complaint()->caseController()->file()->rows.size(), 1);
        QCOMPARE(
            complaint()->caseController()->file()->rows.constFirst().detail.record.scope.constFirst().text, u"acme"_s);
        QTest::keyClick(m_window->find<QPushButton>(u"caseCompare"_s), Qt::Key_Space);
        auto *compare = m_window->window->workspace()->compare();
        QTRY_VERIFY_WITH_TIMEOUT(compare->comparison() != nullptr, 10'000);
        QVERIFY2(
            text(u"compareWhy"_s).contains(u"/amount changed from 99 to 100"_s), qPrintable(text(u"compareWhy"_s)));
        QCOMPARE(field(u"compareFingerprint"_s)->text(),
            m_fixture->root().value(u"SELECT hash FROM app.k WHERE key = 'pay-3' AND tenant = 'acme'"_s));
        QCOMPARE(field(u"compareParts"_s)->text(), u"key=pay-3"_s);
        // Every request of the case can be chosen.
        const QList<QAction *> choices = m_window->find<QPushButton>(u"compareChooseSecond"_s)->menu()->actions();
        QCOMPARE(choices.size(), 3);
        choices.at(2)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(text(u"compareWhy"_s).contains(u"/amount changed from 99 to 7"_s), 10'000);
        QVERIFY(text(u"compareSecond"_s).contains(u"refused request 2 of pay-3"_s));
    }

    /// Both requests stand beside each other, and one button compares them.
    void aRecordedConflictShowsBothRequests()
    {
        QVERIFY(m_fixture->root()
                    .run(u"SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('acme', 'pay-3', 'a', 'b', "
                         "'{\"amount\": 7}', NULL, 'k2'); RESET ROLE"_s)
                    .ok());
        open(u"conflicts"_s);
        auto *sides = m_window->find<QTableView>(u"conflictDifferences"_s);
        QTRY_VERIFY_WITH_TIMEOUT(sides->isVisible(), 20'000);
        using Sides = models::SideBySideModel;
        const auto *model = sides->model();
        QCOMPARE(model->headerData(Sides::First, Qt::Horizontal, Qt::DisplayRole).toString(), u"Stored request"_s);
        QCOMPARE(model->headerData(Sides::Second, Qt::Horizontal, Qt::DisplayRole).toString(), u"Received request"_s);
        QString stored;
        QString received;
        for (int row = 0; row < model->rowCount(); ++row) {
            stored += model->index(row, Sides::First).data().toString();
            received += model->index(row, Sides::Second).data().toString();
        }
        QVERIFY2(stored.contains(u"99"_s) && received.contains(u"7"_s), qPrintable(stored + u'\n' + received));
        QTest::keyClick(m_window->find<QPushButton>(u"conflictCompare"_s), Qt::Key_Space);
        auto *compare = m_window->window->workspace()->compare();
        QTRY_VERIFY_WITH_TIMEOUT(compare->comparison() != nullptr, 10'000);
        QCOMPARE(compare->name(0), u"pay-3"_s);
        QVERIFY2(compare->name(1).contains(u"refused request"_s), qPrintable(compare->name(1)));
    }

    void aConflictOfAnotherTableIsNotJudgedHere()
    {
        QVERIFY(
            m_fixture->root()
                .run(
                    u"SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('acme', 'pay-1', 'a', 'b', NULL, NULL, 'another_table'); RESET ROLE"_s)
                .ok());
        open(u"conflicts"_s);
        auto *table = m_window->find<QTableView>(u"conflictsTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() == 1, 20'000);
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(m_window->find<QPushButton>(u"conflictJudge"_s), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(complaint()->answered() && !complaint()->busy(), 20'000);
        QCOMPARE(complaint()->model()->rowCount(), 1);
        QVERIFY(complaint()->model()->picked().isEmpty() && !complaint()->caseController()->busy()
            && !complaint()->caseController()->file());
        QVERIFY2(text(u"complaintBrief"_s).contains(u"None of these is in the table"_s),
            qPrintable(text(u"complaintBrief"_s)));
    }

    void aKeyThatIsNowhereIsNotLookedForByTime()
    {
        open(u"complaints"_s);
        field(u"complaintKey"_s)->setText(u"no-such-key"_s);
        ask();
        QVERIFY(complaint()->question().keyAlone() && complaint()->model()->rowCount() == 0);
        const QList<QLabel *> labels = m_window->find<QWidget>(u"complaintsPage"_s)->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
            return label->isVisible() && label->text().contains(u"may have been purged"_s);
        }));
    }

    void aCaseWithoutStoredRequestsSaysSo()
    {
        QVERIFY(m_fixture->root().run(u"UPDATE app.k SET doc = NULL"_s).ok());
        open(u"complaints"_s);
        field(u"complaintResource"_s)->setText(u"ord-8"_s);
        ask();
        awaitCase();
        auto *compare = m_window->find<QPushButton>(u"caseCompare"_s);
        QVERIFY(!compare->isEnabled() && !compare->toolTip().isEmpty());
        const auto *why = m_window->find<QLabel>(u"caseCompareWhy"_s);
        QVERIFY2(why->isVisible() && why->text().startsWith(u"No request is stored"_s), qPrintable(why->text()));
    }

    void pastedPayloadsAreComparedAndTheRecipeIsKept()
    {
        open(u"compare"_s);
        auto *compare = m_window->window->workspace()->compare();
        QGuiApplication::clipboard()->setText(
            u"{\"amount\": 10.50, \"customerId\": \"cus-7\", \"note\": \"<b>x</b>\"}"_s);
        for (QPushButton *button : m_window->window->findChildren<QPushButton *>()) {
            if (button->accessibleName() == u"Paste the first payload") {
                button->click();
            }
        }
        QVERIFY(compare->has(0) && !compare->has(1));
        compare->setSide(1, u"retry.json"_s, "{\"note\": \"<b>x</b>\", \"customerId\": \"cus-7\", \"amount\": 99}");
        QTRY_VERIFY_WITH_TIMEOUT(compare->comparison() != nullptr, 10'000);
        QVERIFY2(
            text(u"compareWhy"_s).contains(u"/amount changed from 10.50 to 99"_s), qPrintable(text(u"compareWhy"_s)));
        auto *tree = m_window->find<QTreeView>(u"compareTree"_s);
        QTRY_COMPARE(tree->model()->rowCount(tree->model()->index(0, 0)), 1); // what is the same has no row
        // The stored fingerprint is that of the first payload's bytes.
        field(u"compareFingerprint"_s)
            ->setText(m_fixture->root().run(u"SELECT hash FROM app.k WHERE key = 'pay-1'"_s).value().trimmed());
        QTest::keyClick(field(u"compareFingerprint"_s), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(
            compare->comparison() != nullptr && compare->comparison()->recipe && compare->comparison()->recipe->recipe,
            10'000);
        QVERIFY2(text(u"compareRecipeFound"_s).contains(u"SHA-256"_s), qPrintable(text(u"compareRecipeFound"_s)));
        auto *save = m_window->find<QPushButton>(u"compareSave"_s);
        QVERIFY(!save->isEnabled()); // not before it was tried
        QTest::keyClick(m_window->find<QPushButton>(u"compareCheck"_s), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(save->isEnabled(), 20'000);
        QVERIFY2(text(u"compareChecked"_s).contains(u"3"_s), qPrintable(text(u"compareChecked"_s)));
        QTest::keyClick(save, Qt::Key_Space);
        auto *dialog = m_window->find<QFileDialog>(u"recipeFile"_s);
        const QString path = QDir(m_window->connection.profileFolder()).filePath(u"k2.json"_s);
        QCOMPARE(dialog->selectedFiles(), QStringList { path });
        QMetaObject::invokeMethod(dialog, "fileSelected", Q_ARG(QString, path));
        dialog->reject();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto profile = sql::profileFromJson(file.readAll(), path);
        QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().line()));
        QCOMPARE(profile->fingerprintRecipe->recipe, compare->comparison()->recipe->recipe->id());
    }

    /// Until there is a payload nothing but the two places for them; then the fields, unless somebody put them away.
    void fieldsComeWithThePayload()
    {
        open(u"compare"_s);
        auto *compare = m_window->window->workspace()->compare();
        auto *options = m_window->find<QPushButton>(u"compareOptions"_s);
        QVERIFY(options->isVisible() && !field(u"compareFingerprint"_s)->isVisible());
        QCOMPARE(text(u"compareFirst"_s), u"No payload"_s);
        compare->setSide(0, u"a.json"_s, "{\"a\": 1}");
        QVERIFY(field(u"compareFingerprint"_s)->isVisible());
        options->click();
        compare->setSide(1, u"b.json"_s, "{\"a\": 2}");
        QTRY_VERIFY_WITH_TIMEOUT(compare->comparison() != nullptr, 10'000);
        QVERIFY(!field(u"compareFingerprint"_s)->isVisible());
        options->click();
        QVERIFY(field(u"compareFingerprint"_s)->isVisible());
        // A second comparison has the box as the first had it; nothing can be folded of what is all different.
        auto *only = m_window->find<QCheckBox>(u"compareOnly"_s);
        for (const QByteArray second : { "{\"a\": 2, \"b\": 3}", "{\"a\": 4, \"b\": 3}" }) {
            compare->setSide(0, u"a.json"_s, "{\"a\": 1, \"b\": 3}");
            compare->setSide(1, u"b.json"_s, second);
            QTRY_VERIFY_WITH_TIMEOUT(compare->comparison() != nullptr, 10'000);
            QVERIFY(only->isVisible());
        }
        compare->setSide(0, u"a.txt"_s, "a=1\n");
        compare->setSide(1, u"b.txt"_s, "a=2\n");
        QTRY_VERIFY_WITH_TIMEOUT(compare->comparison() != nullptr && !compare->comparison()->json(), 10'000);
        QVERIFY(!only->isVisible());
        auto *tabs = m_window->find<QTabWidget>(u"compareTabs"_s);
        QVERIFY(!tabs->isTabEnabled(0) && tabs->currentIndex() == 1);
    }

    void aPartThatIsNoneIsNamed()
    {
        open(u"compare"_s);
        field(u"compareParts"_s)->setText(u"verb=POST"_s);
        QTest::keyClick(field(u"compareParts"_s), Qt::Key_Return);
        QVERIFY(m_window->find<QWidget>(u"compareNotice"_s)->isVisible());
    }
};

QTEST_MAIN(EvidenceWindowTest)
#include "tst_evidence_window.moc"
