// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"
#include "models/actions/action_words.h"
#include "models/audit/audit_controller.h"
#include "models/audit/audit_model.h"
#include "models/json/json_tree_model.h"
#include "models/purge/purge_controller.h"
#include "tests/support/console_fixture.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/delegates/state_delegate.h"
#include "ui/pages/audit/audit_page.h"
#include "ui/pages/purge/purge_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QTabWidget>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using idemdesk::ui::NoticeBar;

/// The trail, the guard and the install wizard as a person meets them, on a real server.
class AuditPageTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();
    void cleanup() { m_window.reset(); }

    void filtersNarrowTheTrail();
    void rowShowsItsFacts();
    void whatWaitsForThePersonIsSelected();
    void whatIsNewlyAskedIsSelected();
    void onlyThisActionAndBack();
    void foldedBatchesAreNamed();
    void exportsWhatIsShown();
    void cutTrailTurnsRedByItself();
    void restoredBackupIsTakenForTheRightTrail();
    void detachedPartitionIsAttachedAgain();
    void eachStateIsReadWhole_data();
    void eachStateIsReadWhole();
    void approvedDetachIsCarriedOut_data();
    void approvedDetachIsCarriedOut();
    void guardSaysWhatWasLookedAt();
    void guardListsWhatIsWrong();
    void preReleaseSaysWhatToDo();
    void newerSchemaSaysSo();
    void enterInstallsNothing();
    void failedInstallHandsOutTheScript();

private:
    void connectAs(const QString &login);
    /// Makes app.p, whose partition app.p_old holds seven rows that may go, and registers it as "p".
    void makePartitions();
    void showTrail();
    QString labels(const QString &parent) const;
    int trailRows() const { return m_window->window->audit()->model()->rowCount(); }
    bool calm() const { return m_window->window->audit()->loaded() && !m_window->window->audit()->busy(); }

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;
    QString m_action;
};

void AuditPageTest::initTestCase()
{
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support).*"_s)); // the offscreen platform says so of dialogs
    m_fixture = std::make_unique<ConsoleFixture>();
}

/// Rows: settings, a runner made, registered, op's action begun, its batch, op2's purge begun and cancelled.
void AuditPageTest::init()
{
    m_fixture->fresh();
    const auto op = m_fixture->as(u"op"_s);
    m_action = ConsoleFixture::newId();
    QVERIFY(m_fixture
                ->open(*op, m_action, u"recover"_s, m_fixture->frozen(u"status = 'processing'"_s), u"{}"_s,
                    u"<img src=x>\u202ecrashed"_s)
                .ok());
    QCOMPARE(m_fixture->counts(*op, u"change_batch"_s, m_action, 1, 100), u"{\"done\": 50}"_s);
    const auto other = m_fixture->as(u"op2"_s);
    const QString purge = ConsoleFixture::newId();
    QVERIFY(m_fixture->openPurge(*other, purge, 100).ok());
    QVERIFY(other->run(u"SELECT idemdesk.set_action($1, 'cancelled', 'not today')"_s, { purge }).ok());
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
}

void AuditPageTest::connectAs(const QString &login)
{
    m_window->connectAs(login, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 60'000);
}

void AuditPageTest::showTrail()
{
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"trail"_s);
    QTRY_VERIFY_WITH_TIMEOUT(calm(), 60'000);
}

QString AuditPageTest::labels(const QString &parent) const
{
    QString all;
    for (const QLabel *label : m_window->find<QWidget>(parent)->findChildren<QLabel *>()) {
        if (label->textFormat() != Qt::PlainText) {
            return u"a label that is not plain text"_s;
        }
        all += label->text() + u'\n';
    }
    return all;
}

void AuditPageTest::filtersNarrowTheTrail()
{
    connectAs(u"viewer"_s);
    showTrail();
    QCOMPARE(trailRows(), 7);
    auto *text = m_window->find<QLineEdit>(u"auditText"_s);
    QTest::keyClicks(text, u"CRASHED"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(trailRows(), 2, 60'000); // begun, and its batch
    text->clear();
    auto *what = m_window->find<QComboBox>(u"auditWhat"_s);
    what->setCurrentIndex(what->findData(u"open"_s));
    emit what->activated(what->currentIndex());
    QTRY_COMPARE_WITH_TIMEOUT(m_window->window->audit()->model()->rows().constFirst().what, u"open"_s, 60'000);
    QCOMPARE(trailRows(), 2);
    QTest::keyClicks(m_window->find<QLineEdit>(u"auditPerson"_s), u"op2"_s);
    QTest::keyClick(m_window->find<QLineEdit>(u"auditPerson"_s), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(trailRows(), 1, 60'000);
    QTest::keyClicks(m_window->find<QLineEdit>(u"auditTarget"_s), u"nowhere"_s);
    QTest::keyClick(m_window->find<QLineEdit>(u"auditTarget"_s), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(labels(u"auditNarrowed"_s).contains(u"No row of the audit log matches"_s), 60'000);
    for (QPushButton *button : m_window->find<QWidget>(u"auditNarrowed"_s)->findChildren<QPushButton *>()) {
        if (button->text() == u"Show all") {
            button->click();
        }
    }
    QTRY_COMPARE_WITH_TIMEOUT(trailRows(), 7, 60'000);
    auto *when = m_window->find<QComboBox>(u"auditWhen"_s);
    when->setCurrentIndex(when->findData(-1));
    emit when->activated(when->currentIndex());
    QVERIFY(m_window->find<QWidget>(u"auditFrom"_s)->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->audit()->filter().since.has_value() && calm(), 60'000);
}

void AuditPageTest::rowShowsItsFacts()
{
    connectAs(u"viewer"_s);
    showTrail();
    auto *table = m_window->find<QTableView>(u"auditTrail"_s);
    table->setCurrentIndex(table->model()->index(3, 0)); // op's action begun
    const QString facts = labels(u"auditRowFacts"_s);
    QVERIFY2(facts.contains(m_action) && facts.contains(u"\nop, process "_s), qPrintable(facts));
    const sql::AuditRow &row = m_window->window->audit()->model()->rows().at(3);
    QVERIFY2(facts.contains(row.hash.left(16) + u'…') && facts.contains(row.previousHash.left(16) + u'…'),
        qPrintable(facts));
    auto *tree = m_window->find<QTreeView>(u"auditRowTree"_s);
    const auto found = tree->model()->match(
        tree->model()->index(0, 0), Qt::DisplayRole, u"reason"_s, 1, Qt::MatchRecursive | Qt::MatchExactly);
    QCOMPARE(found.size(), 1);
    const QString reason = found.first().siblingAtColumn(models::JsonTreeModel::Value).data().toString();
    QVERIFY2(reason.contains(u"<img src=x>\\u202E"_s), qPrintable(reason));
    QVERIFY(m_window->find<QPushButton>(u"auditRowRows"_s)->isEnabled());
    table->setCurrentIndex(table->model()->index(4, 0)); // registered: belongs to no action
    QVERIFY(!m_window->find<QPushButton>(u"auditRowRows"_s)->isEnabled());
    QVERIFY(!labels(u"auditRowFacts"_s).contains(m_action));
    for (int i = 0; i < table->model()->rowCount(); ++i) { // what a row does not tell takes no line
        table->setCurrentIndex(table->model()->index(i, 0));
        const QModelIndex root = tree->model()->index(0, 0);
        for (int member = 0; member < tree->model()->rowCount(root); ++member) {
            const QString value = tree->model()->index(member, models::JsonTreeModel::Value, root).data().toString();
            QCOMPARE(tree->isRowHidden(member, root), value == u"null");
        }
    }
}

/// The page opens with what waits for this person, and the buttons stand beside the name of what they act on.
void AuditPageTest::whatWaitsForThePersonIsSelected()
{
    QVERIFY(m_fixture->root()
                .run(u"UPDATE idemdesk.target SET approval_above = 3 WHERE name = 'k';"
                     "UPDATE idemdesk.target_limit SET approval_above = 3 WHERE relation = 'app.k'::regclass"_s)
                .ok());
    const auto op2 = m_fixture->as(u"op2"_s);
    const QString asked = ConsoleFixture::newId();
    const auto purge = m_fixture->openPurge(*op2, asked, 100);
    QVERIFY2(purge.ok() && purge.value() == u"requested", qPrintable(purge.message));
    const auto newer
        = m_fixture->open(*op2, ConsoleFixture::newId(), u"recover"_s, m_fixture->frozen(u"key = 'k012'"_s));
    QVERIFY2(newer.ok(), qPrintable(newer.message));
    connectAs(u"appr"_s);
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"actions"_s);
    auto *table = m_window->find<QTableView>(u"auditActions"_s);
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 4, 60'000);
    const auto selected = [table] { return table->currentIndex().data(models::ActionIdRole).toString(); };
    QCOMPARE(selected(), asked);
    auto *title = m_window->find<QLabel>(u"auditActionTitle"_s);
    QVERIFY2(title->text().startsWith(u"Purge 100 row(s) · "_s), qPrintable(title->text()));
    QVERIFY(m_window->find<QPushButton>(u"auditApprove"_s)->isVisible());
    const QString facts = labels(u"auditActionFacts"_s);
    QVERIFY2(facts.contains(u"because"_s) && facts.contains(u"op2, "_s) && facts.contains(asked), qPrintable(facts));
    // What it would take is counted anew; where that cannot be, it is said.
    QVERIFY2(facts.contains(u"Not counted: this connection does not read the table."_s), qPrintable(facts));
    table->setCurrentIndex(table->model()->index(0, 0));
    QVERIFY(title->text().startsWith(u"Recover 1 key(s) · "_s));
    QVERIFY(!m_window->find<QPushButton>(u"auditApprove"_s)->isVisible());
    QVERIFY(labels(u"auditActionFacts"_s).contains(u"Can be undone for "_s)); // once it is done
    m_window->window->actions()->refresh(); // a list that is read again moves nothing
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->window->audit()->busy(), 60'000);
    QVERIFY(selected() != asked);
    m_window->window->showPage(u"keys"_s);
    m_window->window->showPage(u"audit"_s);
    QCOMPARE(selected(), asked);
}

/// A request that comes while the page is read is shown; nothing moves while another one is about to be decided on.
void AuditPageTest::whatIsNewlyAskedIsSelected()
{
    QVERIFY(m_fixture->root()
                .run(u"UPDATE idemdesk.target SET approval_above = 3 WHERE name = 'k';"
                     "UPDATE idemdesk.target_limit SET approval_above = 3 WHERE relation = 'app.k'::regclass"_s)
                .ok());
    connectAs(u"appr"_s);
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"actions"_s);
    auto *table = m_window->find<QTableView>(u"auditActions"_s);
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, 60'000);
    table->setCurrentIndex(table->model()->index(1, 0));
    const auto selected = [table] { return table->currentIndex().data(models::ActionIdRole).toString(); };
    const auto asked = [this](const Connection::Answer &opened) {
        if (opened.value() != u"requested") {
            qWarning("%s", qPrintable(opened.message));
        }
        m_window->window->actions()->refresh();
    };
    const QString first = ConsoleFixture::newId();
    asked(m_fixture->openPurge(*m_fixture->as(u"op2"_s), first, 100));
    QTRY_COMPARE_WITH_TIMEOUT(selected(), first, 60'000);
    const QString facts = labels(u"auditActionFacts"_s); // its time is written as every other
    QVERIFY2(
        facts.contains(QRegularExpression(u"retention ended before [0-9-]{10} [0-9:]{8}\\n"_s)), qPrintable(facts));
    auto *approve = m_window->find<QPushButton>(u"auditApprove"_s);
    QTRY_VERIFY(approve->isVisible() && !m_window->find<QPushButton>(u"actionStripApprove"_s)->isVisible());
    // Another one, while this is decided on.
    QVERIFY(m_fixture->root()
                .run(u"INSERT INTO app.k (tenant, key, status, locked_until) SELECT 't1', 'new-' || i, 'processing', "
                     "now() - interval '1 hour' FROM generate_series(1, 5) i"_s)
                .ok());
    asked(m_fixture->open(
        *m_fixture->as(u"op2"_s), ConsoleFixture::newId(), u"recover"_s, m_fixture->frozen(u"key LIKE 'new-%'"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 4, 60'000);
    QCOMPARE(selected(), first);
}

void AuditPageTest::onlyThisActionAndBack()
{
    connectAs(u"viewer"_s);
    showTrail();
    auto *table = m_window->find<QTableView>(u"auditTrail"_s);
    table->setCurrentIndex(table->model()->index(3, 0));
    QTest::mouseClick(m_window->find<QPushButton>(u"auditRowOnly"_s), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(trailRows(), 2, 60'000);
    QVERIFY(labels(u"auditNarrowed"_s).contains(u"Only rows of one action"_s));
    for (const sql::AuditRow &row : m_window->window->audit()->model()->rows()) {
        QCOMPARE(row.action, m_action);
    }
}

/// Numbers that are missing from the list would look like rows that were deleted: one row says which are folded away.
void AuditPageTest::foldedBatchesAreNamed()
{
    QVERIFY(m_fixture->root()
                .run(u"INSERT INTO app.k (tenant, key, status, locked_until) SELECT 't1', 'new-' || i, 'processing', "
                     "now() - interval '1 hour' FROM generate_series(1, 4) i"_s)
                .ok());
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_fixture->open(*op, id, u"recover"_s, m_fixture->frozen(u"key LIKE 'new-%'"_s)).ok());
    for (int batch = 1; batch <= 4; ++batch) {
        QCOMPARE(m_fixture->counts(*op, u"change_batch"_s, id, batch, 1), u"{\"done\": 1}"_s);
    }
    connectAs(u"viewer"_s);
    showTrail();
    auto *table = m_window->find<QTableView>(u"auditTrail"_s);
    const auto &rows = m_window->window->audit()->model()->rows();
    QVERIFY(rows.at(0).what == u"batch" && rows.at(3).what == u"batch" && rows.at(4).what != u"batch");
    const auto hidden = [table] {
        int count = 0;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            count += table->isRowHidden(row) ? 1 : 0;
        }
        return count;
    };
    QCOMPARE(hidden(), 2);
    QVERIFY(!table->isRowHidden(1) && table->isRowHidden(2) && table->isRowHidden(3));
    QCOMPARE(table->columnSpan(1, 0), int(models::AuditModel::ColumnCount));
    QCOMPARE(table->columnSpan(0, 0), 1);
    const QString named = table->accessibleDescription();
    QVERIFY2(named.startsWith(u"%1–%2 · 3 more batch"_s.arg(rows.at(3).seq).arg(rows.at(1).seq)), qPrintable(named));
    // A click on it shows them all, and no row stands for others any more.
    table->setCurrentIndex(table->model()->index(1, 0));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(1, 0)).center());
    QCOMPARE(hidden(), 0);
    QCOMPARE(table->columnSpan(1, 0), 1);
    QTest::mouseClick(m_window->find<QPushButton>(u"auditRowBatches"_s), Qt::LeftButton);
    QCOMPARE(hidden(), 2);
}

void AuditPageTest::exportsWhatIsShown()
{
    connectAs(u"viewer"_s);
    showTrail();
    const QTemporaryDir folder;
    QTest::mouseClick(m_window->find<QPushButton>(u"auditExport"_s), Qt::LeftButton);
    auto *dialog = m_window->find<QFileDialog>(u"auditExportDialog"_s);
    emit dialog->fileSelected(folder.filePath(u"trail.csv"_s));
    dialog->reject();
    const auto said = [this] {
        const auto all = m_window->find<QWidget>(u"auditPage"_s)->findChildren<QLabel *>();
        return std::any_of(all.begin(), all.end(),
            [](const QLabel *label) { return label->text().contains(u"Wrote 7 row(s) of the audit log to"_s); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(said(), 60'000);
    QVERIFY(QFile::exists(folder.filePath(u"trail.csv"_s)));
}

void AuditPageTest::cutTrailTurnsRedByItself()
{
    connectAs(u"op"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->audit()->check().has_value(), 60'000);
    m_window->connection.disconnectNow();
    // With the purge as it was before its cancellation: the tables and the trail agree, and only the note tells.
    m_fixture->cluster().psql(m_fixture->database(),
        u"BEGIN; ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows; DELETE FROM idemdesk.audit WHERE seq = (SELECT "
        u"max(seq) FROM idemdesk.audit);"
        "ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows;"
        "UPDATE idemdesk.audit_head h SET seq = a.seq, hash = a.hash FROM (SELECT seq, hash FROM idemdesk.audit ORDER "
        "BY seq DESC LIMIT 1) a;"
        "UPDATE idemdesk.action SET state = 'running', note = NULL, finished_at = NULL WHERE state = 'cancelled'; COMMIT"_s);
    connectAs(u"op"_s);
    QTRY_VERIFY_WITH_TIMEOUT(
        m_window->window->audit()->check().has_value() && !m_window->window->audit()->check()->whole(), 60'000);
    showTrail();
    QVERIFY(labels(u"auditVerdict"_s).contains(u"The end of the audit log is gone: this computer saw row 7"_s));
    auto *findings = m_window->find<QTableView>(u"guardFindings"_s);
    QCOMPARE(findings->model()->index(0, 0).data().toString(), u"Stops actions"_s);
    QVERIFY(findings->model()->index(0, 1).data().toString().contains(u"The end of the audit log is gone"_s));
}

void AuditPageTest::restoredBackupIsTakenForTheRightTrail()
{
    cutTrailTurnsRedByItself();
    const auto answer = [this](const QString &text) {
        m_window->find<NoticeBar>(u"auditVerdict"_s)->findChild<QPushButton *>(u"noticePrimary"_s)->click();
        auto *box = m_window->find<QMessageBox>(u"auditAccept"_s);
        QCOMPARE(box->defaultButton()->text(), u"Cancel"_s);
        for (QAbstractButton *button : box->buttons()) {
            if (button->text() == text) {
                QTest::mouseClick(button, Qt::LeftButton);
            }
        }
    };
    answer(u"Cancel"_s);
    QVERIFY(!m_window->window->audit()->check()->whole());
    QTRY_VERIFY(m_window->window->findChild<QMessageBox *>(u"auditAccept"_s) == nullptr);
    answer(u"Accept it"_s);
    QTRY_VERIFY_WITH_TIMEOUT(
        m_window->window->audit()->check().has_value() && m_window->window->audit()->check()->whole(), 60'000);
    QCOMPARE(m_window->window->audit()->check()->anchorState, models::AnchorState::Matches);
    QVERIFY(!m_window->window->actions()->status().red());
    auto *findings = m_window->find<QTableView>(u"guardFindings"_s)->model();
    for (int row = 0; row < findings->rowCount(); ++row) {
        QVERIFY2(!findings->index(row, 1).data().toString().contains(u"The end of"_s),
            qPrintable(findings->index(row, 1).data().toString()));
    }
}

void AuditPageTest::makePartitions()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"SET ROLE app_owner; CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key, "
        u"expires_at)) PARTITION BY RANGE (expires_at);"
        "CREATE TABLE app.p_old PARTITION OF app.p FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');"
        "INSERT INTO app.p (tenant, key, status, expires_at) SELECT 't', 'o' || i, 'succeeded', '2020-06-01' FROM "
        "generate_series(1, 7) i;"
        "GRANT SELECT, UPDATE (status, locked_until, updated_at, result), DELETE, INSERT ON app.p TO "
        "idemdesk_runner_app_owner; GRANT SELECT ON app.p, app.p_old TO op, adm, idemdesk_runner_app_owner; GRANT "
        "USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON app.eff TO adm;"
        "RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner"_s);
    registerTable(*m_fixture, R"({"relation": "app.p", "identity": ["tenant", "key", "expires_at"]})", u"p"_s);
}

void AuditPageTest::detachedPartitionIsAttachedAgain()
{
    makePartitions();
    const auto revoked = qScopeGuard([this] {
        m_fixture->cluster().psql(m_fixture->database(), u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s);
    });
    const auto op = m_fixture->as(u"op"_s);
    QVERIFY(op->run(u"SELECT idemdesk.detach_partition($1, 'p', '\"app\".\"p_old\"', 'now', 'too old', NULL)"_s,
                  { ConsoleFixture::newId() })
                .ok());
    connectAs(u"op"_s);
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"actions"_s);
    auto *table = m_window->find<QTableView>(u"auditActions"_s);
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 3, 60'000);
    table->setCurrentIndex(table->model()->index(0, 0));
    QVERIFY(m_window->find<QPushButton>(u"auditDrop"_s)->isVisible());
    const auto ask = [this](const QString &button, const QString &reason) {
        QVERIFY2(m_window->find<QPushButton>(button)->isEnabled(), qPrintable(m_window->window->actions()->whyNot()));
        QTest::mouseClick(m_window->find<QPushButton>(button), Qt::LeftButton);
        auto *dialog = m_window->find<QDialog>(u"auditAsk"_s);
        QVERIFY(!dialog->findChild<QPushButton *>(u"auditAskGo"_s)->isEnabled());
        QTest::keyClicks(dialog->findChild<QLineEdit *>(u"auditAskText"_s), reason);
        QTest::mouseClick(dialog->findChild<QPushButton *>(u"auditAskGo"_s), Qt::LeftButton);
    };
    ask(u"auditDrop"_s, u"it is old"_s); // its time is not over
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->error().has_value(), 60'000);
    QVERIFY2(m_window->window->actions()->error()->why.contains(u"held until"_s),
        qPrintable(m_window->window->actions()->error()->line() + m_window->window->actions()->error()->detail));
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM app.p"_s), u"0"_s);
    QTRY_VERIFY(m_window->window->findChild<QDialog *>(u"auditAsk"_s) == nullptr);
    ask(u"auditUndo"_s, u"it is asked for"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_fixture->root().value(u"SELECT count(*) FROM app.p"_s), u"7"_s, 60'000);
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 4, 60'000);
}

void AuditPageTest::eachStateIsReadWhole_data()
{
    QTest::addColumn<int>("percent");
    QTest::newRow("usual") << 100;
    QTest::newRow("larger") << 150;
    QTest::newRow("largest") << 200;
}

/// No badge of a state is cut, however large the texts are.
void AuditPageTest::eachStateIsReadWhole()
{
    QFETCH(int, percent);
    const ui::Theme theme(qApp);
    const auto back = qScopeGuard([this] { m_window->settings.setTextZoom(100); });
    m_window->settings.setTextZoom(percent);
    auto *table = m_window->find<QTableView>(u"auditActions"_s);
    for (const QString &label : models::actionStateLabels()) {
        const int needed = ui::badgeWidth({ label }, table->font()) + 10; // of the delegate's own margins
        QTRY_VERIFY2(table->columnWidth(models::ActionsModel::State) >= needed, qPrintable(label));
    }
}

void AuditPageTest::approvedDetachIsCarriedOut_data()
{
    QTest::addColumn<QString>("button");
    QTest::newRow("on the purge page") << u"purgeDetach"_s;
    QTest::newRow("on the audit page") << u"auditResume"_s;
    QTest::newRow("in the strip") << u"actionStripPause"_s;
}

/// More rows than one person may take: it waits, says so, and once another person approved it a button carries it out.
void AuditPageTest::approvedDetachIsCarriedOut()
{
    QFETCH(QString, button);
    makePartitions();
    const auto revoked = qScopeGuard([this] {
        m_fixture->cluster().psql(m_fixture->database(), u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s);
    });
    const auto registered
        = m_fixture->root().run(u"SELECT compiled, profile FROM idemdesk.target WHERE name = 'p'"_s).rows.first();
    const QString limited
        = m_fixture->registerTarget(registered.at(0), u"{\"approval_above\": 3}"_s, registered.at(1), u"p"_s);
    QVERIFY2(limited.contains(u"\"registered\": true"_s), qPrintable(limited));
    const auto stands = [this] { return m_fixture->root().value(u"SELECT count(*) FROM app.p"_s); };
    connectAs(u"op"_s);
    m_window->window->showPage(u"purge"_s);
    m_window->window->purgePage()->showTarget(u"p"_s);
    QTest::mouseClick(m_window->find<QPushButton>(u"purgePlan"_s), Qt::LeftButton);
    auto *partitions = m_window->find<QTableView>(u"purgePartitions"_s);
    QTRY_COMPARE_WITH_TIMEOUT(partitions->model()->rowCount(), 1, 60'000);
    partitions->setCurrentIndex(partitions->model()->index(0, 0));
    auto *detach = m_window->find<QPushButton>(u"purgeDetach"_s);
    QCOMPARE(detach->text(), u"Detach…"_s);
    QVERIFY(detach->isEnabled());
    QTest::mouseClick(detach, Qt::LeftButton);
    auto *dialog = m_window->find<QDialog>(u"actionDialog"_s);
    QVERIFY(dialog->findChild<QFrame *>(u"actionApproval"_s)
                ->accessibleName()
                .contains(u"Another person must approve it"_s));
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actionReason"_s), u"too old"_s);
    QTest::mouseClick(dialog->findChild<QPushButton *>(u"actionGo"_s), Qt::LeftButton);

    const auto asked = [this] { return m_window->find<QFrame>(u"purgeAsked"_s); };
    QTRY_VERIFY_WITH_TIMEOUT(
        asked()->isVisible() && asked()->accessibleName().contains(u"waits for approval"_s), 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(partitions->model()->rowCount() == 1 && !m_window->window->purge()->busy(), 60'000);
    QVERIFY(!detach->isEnabled());
    QCOMPARE(stands(), u"7"_s);
    QCOMPARE(m_fixture->root().value(
                 u"SELECT count(*) FROM idemdesk.action WHERE verb = 'detach' AND state = 'requested'"_s),
        u"1"_s);

    const QString id = m_fixture->root().value(u"SELECT id FROM idemdesk.action WHERE verb = 'detach'"_s);
    QVERIFY(m_fixture->as(u"appr"_s)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { id }).ok());
    m_window->window->actions()->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(asked()->accessibleName().contains(u"It is not done yet"_s), 60'000);
    QVERIFY(detach->text().startsWith(u"Detach p_old"_s));
    QVERIFY(detach->isEnabled());
    if (button == u"auditResume"_s) {
        m_window->window->showPage(u"audit"_s);
        m_window->window->auditPage()->showTab(u"actions"_s);
        auto *table = m_window->find<QTableView>(u"auditActions"_s);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 3, 60'000);
        table->setCurrentIndex(table->model()->index(0, 0));
    }
    auto *go = m_window->find<QPushButton>(button);
    QVERIFY2(go->isVisible() && go->isEnabled() && go->text().startsWith(u"Detach p_old"_s), qPrintable(go->text()));
    QTest::mouseClick(go, Qt::LeftButton);
    if (button == u"purgeDetach"_s) {
        auto *again = m_window->find<QDialog>(u"actionDialog"_s);
        QCOMPARE(again->findChild<QLineEdit *>(u"actionReason"_s)->text(), u"too old"_s);
        QVERIFY(again->findChild<QLineEdit *>(u"actionReason"_s)->isReadOnly());
        QVERIFY(again->findChild<QLabel *>(u"actionFacts"_s)->text().contains(u"appr approved it"_s));
        QTest::mouseClick(again->findChild<QPushButton *>(u"actionGo"_s), Qt::LeftButton);
    }
    const auto *actions = m_window->window->actions();
    QTRY_VERIFY_WITH_TIMEOUT(stands() == u"0" || actions->error(), 60'000);
    QVERIFY2(!actions->error(), qPrintable(actions->error() ? actions->error()->line() : QString()));
    QCOMPARE(m_fixture->root().value(
                 u"SELECT string_agg(id || ' ' || state, ',') FROM idemdesk.action WHERE verb = 'detach'"_s),
        id + u" finished"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!asked()->isVisible(), 60'000);
    QCOMPARE(ConsoleFixture::verified(*m_fixture->as(u"op"_s)), u"t"_s);
}

/// What was not looked at is not called intact.
void AuditPageTest::guardSaysWhatWasLookedAt()
{
    connectAs(u"op"_s);
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"guard"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->audit()->check().has_value(), 60'000);
    auto *sentence = m_window->find<QWidget>(u"guardNotice"_s)->findChild<QLabel *>(u"noticeWhat"_s);
    // Several people of the fixture may do more than they should.
    QTRY_COMPARE(
        sentence->text(), u"Protection intact; the findings weaken the audit log, which is not verified yet."_s);
    QTest::mouseClick(m_window->find<QPushButton>(u"guardCheck"_s), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(
        sentence->text(), u"Protection intact; the findings weaken what the audit log proves."_s, 60'000);
    auto *checks = m_window->find<QTableView>(u"guardChecks"_s)->model();
    QStringList all;
    for (int row = 0; row < checks->rowCount(); ++row) {
        all += checks->index(row, 1).data().toString() + u": "_s + checks->index(row, 2).data().toString();
    }
    QVERIFY2(all.join(u'\n').contains(u"OK: Audit log verified: 7 row(s)."_s), qPrintable(all.join(u'\n')));
    QVERIFY(m_window->find<QLabel>(u"guardCheckedAt"_s)->text().contains(u"was checked at"_s));
    QVERIFY(m_window->find<QTableView>(u"guardFindings"_s)->isVisible());
}

void AuditPageTest::guardListsWhatIsWrong()
{
    m_fixture->cluster().psql(m_fixture->database(), u"ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows"_s);
    connectAs(u"op"_s);
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"guard"_s);
    QVERIFY(m_window->window->actions()->status().red());
    QVERIFY(!m_window->window->actions()->mayAct());
    QVERIFY(labels(u"guardNotice"_s).contains(u"No action can start"_s));
    auto *findings = m_window->find<QTableView>(u"guardFindings"_s)->model();
    QStringList all;
    for (int row = 0; row < findings->rowCount(); ++row) {
        all += findings->index(row, 1).data().toString();
    }
    QVERIFY2(all.join(u'\n').contains(u"keep_rows of idemdesk.audit"_s), qPrintable(all.join(u'\n')));
    // Nobody reads that this login may act beside a guard that lets nothing start.
    const auto *checks = m_window->find<QTableView>(u"guardChecks"_s)->model();
    const int last = checks->rowCount() - 1;
    QCOMPARE(checks->index(last, 0).data().toString(), u"This login"_s);
    QCOMPARE(checks->index(last, 1).data().toString(), u"Blocked"_s);
    const QString login = checks->index(last, 2).data().toString();
    QVERIFY2(login.contains(u"No action can start until the red findings are fixed."_s)
            && !login.contains(u"This login may act"_s),
        qPrintable(login));
    QVERIFY(!m_window->find<QPushButton>(u"guardUpgrade"_s)->isVisible());
}

void AuditPageTest::preReleaseSaysWhatToDo()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"DELETE FROM idemdesk.migration; INSERT INTO idemdesk.migration (version, name) "
        "VALUES (1, 'tables'), (11, 'conflicts')"_s);
    connectAs(u"op"_s);
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"guard"_s);
    const QString text = labels(u"guardNotice"_s);
    QVERIFY2(text.contains(u"pre-release"_s) && text.contains(u"uninstall"_s), qPrintable(text));
    QVERIFY(!m_window->find<QPushButton>(u"guardUpgrade"_s)->isVisible());
    QVERIFY(!m_window->window->actions()->mayAct());
    QVERIFY2(m_window->window->actions()->whyNot().contains(u"pre-release"_s),
        qPrintable(m_window->window->actions()->whyNot()));
}

void AuditPageTest::newerSchemaSaysSo()
{
    m_fixture->cluster().psql(
        m_fixture->database(), u"INSERT INTO idemdesk.migration (version, name) VALUES (9999, 'from the future')"_s);
    connectAs(u"op"_s);
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"guard"_s);
    QVERIFY(labels(u"guardNotice"_s).contains(u"update the program"_s));
    QVERIFY(!m_window->find<QPushButton>(u"guardUpgrade"_s)->isVisible());
    QVERIFY(!m_window->window->actions()->mayAct());
}

void AuditPageTest::enterInstallsNothing()
{
    m_window->connectAs(m_fixture->superuser(), u"postgres"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 60'000);
    m_window->window->openInstall();
    auto *wizard = m_window->find<QDialog>(u"installWizard"_s);
    auto *go = wizard->findChild<QPushButton *>(u"installGo"_s);
    go->click();
    auto *cancel = wizard->findChild<QPushButton *>(u"installCancel"_s);
    QTRY_VERIFY(cancel->isDefault());
    QTest::keyClick(wizard, Qt::Key_Return);
    QTRY_VERIFY(m_window->window->findChild<QDialog *>(u"installWizard"_s) == nullptr);
    QCOMPARE(m_fixture->cluster().psql(u"postgres"_s, u"SELECT to_regnamespace('idemdesk') IS NULL"_s), u"t"_s);
}

void AuditPageTest::failedInstallHandsOutTheScript()
{
    // Its rights go between the look at them and the press: what is known to fail cannot be pressed at all.
    m_fixture->cluster().psql(u"postgres"_s, u"DROP ROLE IF EXISTS late; CREATE ROLE late LOGIN"_s);
    const auto dropped
        = qScopeGuard([this] { m_fixture->cluster().psql(u"postgres"_s, u"DROP OWNED BY late; DROP ROLE late"_s); });
    m_window->connectAs(u"late"_s, u"postgres"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 60'000);
    m_window->window->openInstall();
    auto *wizard = m_window->find<QDialog>(u"installWizard"_s);
    auto *go = wizard->findChild<QPushButton *>(u"installGo"_s);
    const auto *statements = wizard->findChild<QPlainTextEdit *>(u"installMissingSql"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!statements->toPlainText().isEmpty(), 60'000);
    m_fixture->cluster().psql(u"postgres"_s, statements->toPlainText());
    wizard->findChild<QPushButton *>(u"installLookAgain"_s)->click();
    const auto there = [wizard] {
        const auto lines = wizard->findChildren<QLabel *>(u"installRight"_s);
        return std::any_of(lines.cbegin(), lines.cend(),
            [](const QLabel *line) { return line->accessibleName().startsWith(u"There: "_s); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(there(), 60'000);
    go->click();
    QTRY_VERIFY(go->isEnabled());
    m_fixture->cluster().psql(u"postgres"_s,
        u"REVOKE CREATE ON DATABASE postgres FROM late; REVOKE idemdesk_owner, idemdesk_viewer FROM late"_s);
    QTest::mouseClick(go, Qt::LeftButton);
    auto *copy = wizard->findChild<QPushButton *>(u"failedCopy"_s);
    QTRY_VERIFY_WITH_TIMEOUT(copy->isVisible(), 60'000);
    QVERIFY(!wizard->findChild<QProgressBar *>()->isVisible());
    QVERIFY(go->isEnabled());
    wizard->close();
}

QTEST_MAIN(AuditPageTest)
#include "tst_audit_page.moc"
