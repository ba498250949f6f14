// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/mapping_controller.h"
#include "models/mapping/states_model.h"
#include "sql/profile/profile_json.h"
#include "tests/ui/dialog_support.h"
#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/add_table_dialog.h"
#include "ui/dialogs/rules_form.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::test;

namespace {

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
    proposal.profile.states = { { u"done"_s, sql::KeyState::Succeeded }, { u"open"_s, sql::KeyState::Pending } };
    proposal.relation.oid = 4711;
    proposal.relation.schema = u"app"_s;
    proposal.relation.name = u"<img src=x>"_s;
    for (const QString &name : { u"id"_s, u"key"_s, u"status"_s, u"created_at"_s, u"tenant"_s }) {
        sql::ColumnFacts column;
        column.name = name;
        proposal.relation.columns.append(column);
    }
    proposal.confidence = 92;
    proposal.reasons = { u"A unique index covers tenant and key."_s, u"The status column holds few values."_s };
    proposal.doubts = { u"No column says when a lease ends."_s };
    return proposal;
}

} // namespace

class AddTableDialogTest final : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void mapsATableByKeyboard();
    void whatWasMappedIsNotDroppedUnasked();
    void aTypedStateIsTheOneMeant();
    void savesOnlyWhatWasRead();
    void rulesAreShownAndEdited();
    void rulesAreEditedInFields();
    void shippedRulesGoThroughTheFieldsUnchanged_data();
    void shippedRulesGoThroughTheFieldsUnchanged();
    void aMappingThatIsThereIsOpenedAndRemoved();
    void tablesThatAreAddedAreFoldedAway();
    void rulesFollowTheMapping();
    void severalTablesComeOneAfterTheOther();
    void saysWhenDetectionFailed();
    void showsAllDoubtsAndTheFirstReasons();
    void marksUnmappedStatuses();
    void saysWhatARowWithoutAStatusCountsAs();
    void enterInAChooserStaysInTheForm();
    void aCheckShowsTheSqlFirst();
    void choosesTheColumnsOfTheIdentity();
    void showsVersions();
    void everyWidgetIsNamed();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void AddTableDialogTest::init()
{
    failOnWarning();
    m_folder = std::make_unique<QTemporaryDir>();
}

void AddTableDialogTest::cleanup()
{
    m_folder.reset();
}

void AddTableDialogTest::mapsATableByKeyboard()
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
    // How much is mapped is told, and follows; what is not is called optional, or required.
    const auto *mapped = named<QLabel>(&dialog, u"mappingSampleNote");
    const auto lines = controller.mapping()->rows();
    const auto some = std::count_if(lines.cbegin(), lines.cend(), [](const auto &line) { return !line.sql.isEmpty(); });
    QVERIFY2(some > 1 && mapped->text().startsWith(u"%1 of %2 mapped; "_s.arg(some).arg(lines.size())),
        qPrintable(mapped->text()));
    controller.mapping()->setData(controller.mapping()->index(0, models::MappingModel::Sql), QString(), Qt::EditRole);
    QVERIFY2(mapped->text().startsWith(u"%1 of "_s.arg(some - 1)), qPrintable(mapped->text()));
    table->setFocus();
    table->setCurrentIndex(controller.mapping()->index(0, models::MappingModel::Sql));
    QTest::keyClick(table, Qt::Key_F2);
    auto *edit = named<QLineEdit>(table, u"mappingSqlEdit");
    QVERIFY(edit != nullptr);
    edit->setText(u"lower(t.key)"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(controller.profile().key.sql, u"lower(t.key)"_s);
    QCOMPARE(dialog.step(), ui::AddTableDialog::MapStep);
    name->setFocus();
    QTest::keyClick(name, Qt::Key_Return);
    QCOMPARE(dialog.step(), ui::AddTableDialog::RulesStep);
    QTRY_COMPARE(dialog.focusWidget(), static_cast<QWidget *>(named<QScrollArea>(&dialog, u"rulesForm")));
    QTest::keyClick(dialog.focusWidget(), Qt::Key_Return); // who wants no other rules goes on
    QCOMPARE(dialog.step(), ui::AddTableDialog::ConfirmStep);
    QVERIFY(named<QPlainTextEdit>(&dialog, u"confirmSql")->toPlainText().contains(u"lower(t.key)"_s));
    named<QPushButton>(&dialog, u"addTableBack")->click();
    QCOMPARE(dialog.step(), ui::AddTableDialog::RulesStep);
    named<QPushButton>(&dialog, u"addTableBack")->click();
    QCOMPARE(dialog.step(), ui::AddTableDialog::MapStep);
}

/// Escape closes what was only looked at, and asks where something was changed.
void AddTableDialogTest::whatWasMappedIsNotDroppedUnasked()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    QTest::keyClick(named<QTableView>(&dialog, u"proposalTable"), Qt::Key_Return);
    QCOMPARE(dialog.step(), ui::AddTableDialog::MapStep);
    // What the server says of a part is no change of a person's.
    emit controller.mapping()->dataChanged(controller.mapping()->index(0, 0), controller.mapping()->index(0, 0));
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QTRY_VERIFY(!dialog.isVisible());

    ui::AddTableDialog again(&controller);
    again.open();
    QTest::keyClick(named<QTableView>(&again, u"proposalTable"), Qt::Key_Return);
    QTest::keyClicks(named<QLineEdit>(&again, u"mappingName"), u"mine"_s);
    QTest::keyClick(&again, Qt::Key_Escape);
    QTRY_VERIFY(again.findChild<QMessageBox *>(u"addTableDiscard"_s) != nullptr);
    QVERIFY(again.isVisible());
    auto *question = again.findChild<QMessageBox *>(u"addTableDiscard"_s);
    QTest::keyClick(question, Qt::Key_Escape);
    QTRY_VERIFY(again.findChild<QMessageBox *>(u"addTableDiscard"_s) == nullptr);
    QCOMPARE(named<QLineEdit>(&again, u"mappingName")->text(), u"mine"_s);
    QTest::keyClick(&again, Qt::Key_Escape);
    QTRY_VERIFY(again.findChild<QPushButton *>(u"addTableDiscardYes"_s) != nullptr);
    again.findChild<QPushButton *>(u"addTableDiscardYes"_s)->click();
    QTRY_VERIFY(!again.isVisible());
}

/// Its letters look for it in the open list; only Enter takes one.
void AddTableDialogTest::aTypedStateIsTheOneMeant()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    QTest::keyClick(named<QTableView>(&dialog, u"proposalTable"), Qt::Key_Return);
    auto *states = named<QTableView>(&dialog, u"statesTable");
    states->setFocus();
    states->setCurrentIndex(controller.states()->index(0, models::StatesModel::State));
    QTest::keyClick(states, Qt::Key_F2);
    auto *combo = states->findChild<QComboBox *>(u"mappingStateCombo"_s);
    QVERIFY(combo != nullptr);
    QTRY_VERIFY(combo->view()->isVisible());
    QTest::keyClicks(combo->view(), u"Succ"_s);
    QTest::keyClick(combo->view(), Qt::Key_Return);
    QTRY_COMPARE(controller.states()->index(0, models::StatesModel::State).data(models::StatesModel::StateRole).toInt(),
        int(sql::KeyState::Succeeded));
}

void AddTableDialogTest::savesOnlyWhatWasRead()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog dialog(&controller);
    QSignalSpy saved(&dialog, &ui::AddTableDialog::saved);
    dialog.open();
    auto *save = named<QPushButton>(&dialog, u"addTableGo");
    auto *read = named<QCheckBox>(&dialog, u"confirmRead");
    for (int step = 0; step < ui::AddTableDialog::ConfirmStep; ++step) {
        save->click();
    }
    QCOMPARE(dialog.step(), ui::AddTableDialog::ConfirmStep);
    QVERIFY(!named<QWidget>(&dialog, u"confirmFindings")->isVisible()); // nothing was checked, so nothing is found
    QCOMPARE(save->text(), u"Save"_s);
    QVERIFY(!save->isEnabled() && !read->isChecked());
    QVERIFY(!named<QLabel>(&dialog, u"buttonReason")->text().isEmpty()); // why not
    QVERIFY(named<QPlainTextEdit>(&dialog, u"confirmSql")->isReadOnly());
    read->click();
    QVERIFY(controller.sqlConfirmed());
    // Nothing is kept that was not checked, and here is no server to check it.
    QVERIFY(!save->isEnabled());
    QCOMPARE(named<QLabel>(&dialog, u"buttonReason")->text(), u"Not checked against the live table yet."_s);
    QVERIFY(!controller.save().ok());
    // An edit takes it back.
    QVERIFY(controller.mapping()->setData(
        controller.mapping()->index(0, models::MappingModel::Sql), u"upper(t.key)"_s, Qt::EditRole));
    QVERIFY(!read->isChecked() && !save->isEnabled());
    QCOMPARE(saved.size(), 0);
    QVERIFY(!QDir(m_folder->filePath(u"profiles"_s)).exists());
}

void AddTableDialogTest::rulesAreShownAndEdited()
{
    sql::Proposal proposal = orders();
    sql::TimeRule rule;
    rule.states = { sql::KeyState::Pending };
    rule.by.sql = u"t.\"created_at\""_s;
    rule.after = u"15m"_s;
    proposal.profile.stale = QList<sql::TimeRule> { rule };
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ proposal }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    auto *go = named<QPushButton>(&dialog, u"addTableGo");
    go->click();
    go->click();
    QCOMPARE(dialog.step(), ui::AddTableDialog::RulesStep);
    const auto *sentences = named<QLabel>(&dialog, u"rulesSentences");
    QVERIFY(sentences->isVisible());
    QVERIFY2(sentences->text().contains(u"Stuck: Pending, once past t.\"created_at\" + 15m."_s),
        qPrintable(sentences->text()));
    QVERIFY(sentences->text().contains(u"nothing can be purged"_s));
    auto *text = named<QPlainTextEdit>(&dialog, u"rulesText");
    QVERIFY(text->toPlainText().contains(u"15m"_s));
    const auto *error = named<QLabel>(&dialog, u"rulesError");
    const QList<std::pair<QString, QString>> wrong { { u"{\"stale\": ["_s, u"Rules"_s },
        { u"{\"key\": \"t.id\"}"_s, u"“stale”, “purge”"_s },
        { u"{\"stale\": [{\"states\": [\"lost\"], \"by\": \"t.id\"}]}"_s, u"$.stale[0].states"_s } };
    for (const auto &[typed, said] : wrong) {
        text->setPlainText(typed);
        QVERIFY(!go->isEnabled()); // nothing goes on with half a rule
        QTRY_VERIFY2(
            error->isVisibleTo(error->parentWidget()) && error->text().contains(said), qPrintable(error->text()));
        QCOMPARE(controller.profile().stale->size(), 1); // what was there stays
    }
    text->setPlainText(u"{\"stale\": [{\"states\": [\"pending\"], \"by\": \"t.created_at\", \"after\": \"1h\"}], "
                       "\"purge\": {\"by\": \"t.created_at\", \"after\": \"90d\", \"states\": [\"succeeded\"]}}"_s);
    QTRY_VERIFY(go->isEnabled());
    QVERIFY(!error->isVisibleTo(error->parentWidget()));
    QCOMPARE(controller.profile().stale->constFirst().after, u"1h"_s);
    QCOMPARE(controller.profile().purge.size(), 1);
    QCOMPARE(controller.profile().name, u"orders-request"_s);
    go->click(); // what they run is read with the rest
    QVERIFY(named<QPlainTextEdit>(&dialog, u"confirmSql")->toPlainText().contains(u"purge.by: t.created_at"_s));
}

void AddTableDialogTest::rulesAreEditedInFields()
{
    sql::Proposal proposal = orders();
    sql::TimeRule stuck;
    stuck.states = { sql::KeyState::Pending };
    stuck.by.sql = u"t.\"created_at\""_s;
    stuck.after = u"15m"_s;
    stuck.when = u"t.id > 0"_s; // what no field shows
    proposal.profile.stale = QList<sql::TimeRule> { stuck };
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ proposal }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    auto *go = named<QPushButton>(&dialog, u"addTableGo");
    go->click();
    go->click();
    auto *after = named<QLineEdit>(&dialog, u"ruleAfter");
    QCOMPARE(after->text(), u"15m"_s);
    QCOMPARE(named<QLabel>(&dialog, u"ruleRest")->text(), u"Kept as it is: when: t.id > 0"_s);
    after->setText(u"2h"_s);
    QVERIFY(!go->isEnabled()); // nothing goes on with half a rule
    QTRY_VERIFY(go->isEnabled());
    QCOMPARE(controller.profile().stale->constFirst().after, u"2h"_s);
    QCOMPARE(controller.profile().stale->constFirst().when, u"t.id > 0"_s);
    QVERIFY(named<QPlainTextEdit>(&dialog, u"rulesText")->toPlainText().contains(u"\"2h\""_s));

    // A purge rule of the person's own; without a time it is no rule, and the form says so.
    named<QPushButton>(&dialog, u"rulesAddPurge")->click();
    const QList<QComboBox *> times = dialog.findChildren<QComboBox *>(u"ruleBy"_s);
    QCOMPARE(times.size(), 2);
    times.at(1)->setEditText({});
    const auto *error = named<QLabel>(&dialog, u"rulesError");
    QTRY_VERIFY(error->isVisibleTo(error->parentWidget()) && error->text().contains(u"purge"_s));
    QVERIFY(!go->isEnabled());
    times.at(1)->setEditText(u"t.created_at"_s);
    QTRY_VERIFY(go->isEnabled());
    QCOMPARE(controller.profile().purge.constFirst().by.sql, u"t.created_at"_s);
    QCOMPARE(controller.profile().purge.constFirst().states,
        (QList { sql::KeyState::Succeeded, sql::KeyState::FailedFinal }));

    // An action: from, to, what is set; and gone again.
    named<QPushButton>(&dialog, u"rulesAddRecover")->click();
    named<QToolButton>(&dialog, u"ruleSetAdd")->click();
    named<QComboBox>(&dialog, u"ruleColumn")->setEditText(u"status"_s);
    named<QLineEdit>(&dialog, u"ruleValue")->setText(u"'failed'"_s);
    auto *to = named<QComboBox>(&dialog, u"ruleTo");
    to->setCurrentIndex(to->findData(int(sql::KeyState::FailedFinal)));
    QTRY_VERIFY(go->isEnabled() && controller.profile().recover.size() == 1);
    const sql::ActionRule rule = controller.profile().recover.constFirst();
    QCOMPARE(rule.to, std::optional(sql::KeyState::FailedFinal));
    QCOMPARE(rule.set, (QList<std::pair<QString, QString>> { { u"status"_s, u"'failed'"_s } }));
    dialog.findChildren<QToolButton *>(u"ruleRemove"_s).constLast()->click();
    QTRY_VERIFY(go->isEnabled() && controller.profile().recover.isEmpty());

    // As text it can say more; back in the fields that is kept.
    auto *asText = named<QCheckBox>(&dialog, u"rulesAsText");
    asText->click();
    auto *text = named<QPlainTextEdit>(&dialog, u"rulesText");
    text->setPlainText(u"{\"stale\": ["_s);
    QVERIFY(!asText->isEnabled()); // the fields cannot show half a rule
    text->setPlainText(u"{\"stale\": [{\"states\": [\"pending\"], \"by\": \"t.created_at\", \"after\": \"3h\"}]}"_s);
    QTRY_VERIFY(asText->isEnabled());
    asText->click();
    QTRY_COMPARE(dialog.findChildren<QLineEdit *>(u"ruleAfter"_s).size(), 1);
    QCOMPARE(named<QLineEdit>(&dialog, u"ruleAfter")->text(), u"3h"_s);
    QCOMPARE(test::nameless(&dialog), QStringList());
}

void AddTableDialogTest::shippedRulesGoThroughTheFieldsUnchanged_data()
{
    QTest::addColumn<int>("number");
    for (int number = 0; number < sql::shippedProfiles().size(); ++number) {
        QTest::newRow(qPrintable(sql::shippedProfiles().at(number).name)) << number;
    }
}

/// Shown in fields, read back from them and written: the same profile, byte by byte, and the same again after an edit
/// was taken back.
void AddTableDialogTest::shippedRulesGoThroughTheFieldsUnchanged()
{
    QFETCH(int, number);
    const sql::Profile &profile = sql::shippedProfiles().at(number);
    ui::RulesForm form;
    form.showRules(profile, {});
    QCOMPARE(sql::profileToJson(form.applied(profile)), sql::profileToJson(profile));
    for (QLineEdit *field : form.findChildren<QLineEdit *>()) {
        const QString before = field->text();
        field->setText(u"x"_s);
        field->setText(before);
    }
    QCOMPARE(sql::profileToJson(form.applied(profile)), sql::profileToJson(profile));
}

void AddTableDialogTest::aMappingThatIsThereIsOpenedAndRemoved()
{
    const QString folder = m_folder->filePath(u"profiles"_s);
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + u"/mine.json"_s);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    sql::Proposal fresh = orders();
    fresh.relation.oid = 12;
    fresh.relation.name = u"fresh"_s;
    fresh.confidence = 40;
    sql::Profile mine = orders().profile;
    mine.name = u"mine"_s;
    mine.title = u"Mine"_s;
    models::MappingController controller(folder);
    controller.setKnown({ { 4711, mine, file.fileName() } });
    controller.proposals()->setProposals({ orders(), fresh }, { 4711 });
    QCOMPARE(controller.proposals()->row(0)->relation.name, u"fresh"_s); // what is shown already stands last
    ui::AddTableDialog dialog(&controller);
    QSignalSpy removed(&dialog, &ui::AddTableDialog::removed);
    dialog.open();
    auto *proposals = named<QTableView>(&dialog, u"proposalTable");
    auto *remove = named<QPushButton>(&dialog, u"proposalRemove");
    QVERIFY(!remove->isVisible()); // there is nothing to remove of a new one
    QCOMPARE(proposals->model()->rowCount(), 1); // what is added already is folded away
    auto *added = named<QPushButton>(&dialog, u"proposalShowAdded");
    QVERIFY(added->isVisible() && added->accessibleName().contains(u"1"_s));
    added->click();
    QCOMPARE(proposals->model()->rowCount(), 2);
    proposals->selectRow(1);
    QVERIFY(remove->isVisible());
    named<QPushButton>(&dialog, u"addTableGo")->click();
    QCOMPARE(named<QLineEdit>(&dialog, u"mappingName")->text(), u"mine"_s);
    QCOMPARE(controller.profile().title, u"Mine"_s);
    named<QPushButton>(&dialog, u"addTableBack")->click();
    remove->click();
    auto *yes = named<QPushButton>(&dialog, u"proposalRemoveYes");
    QVERIFY(yes != nullptr && file.exists()); // it asks first
    yes->click();
    QCOMPARE(removed.size(), 1);
    QCOMPARE(removed.constFirst().constFirst().toString(), u"mine"_s);
    QVERIFY(!file.exists());
    QVERIFY(!remove->isVisible());
}

/// Where nothing is left to add, the page says so instead of showing an empty list.
void AddTableDialogTest::tablesThatAreAddedAreFoldedAway()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, { 4711 });
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    auto *proposals = named<QTableView>(&dialog, u"proposalTable");
    auto *note = named<QLabel>(&dialog, u"proposalNote");
    auto *added = named<QPushButton>(&dialog, u"proposalShowAdded");
    QVERIFY(!proposals->isVisible() && added->isVisible());
    QVERIFY2(note->text().contains(u"added already"_s), qPrintable(note->text()));
    QVERIFY(!named<QPushButton>(&dialog, u"addTableGo")->isEnabled());
    added->click();
    QVERIFY(proposals->isVisible());
    proposals->selectRow(0);
    QVERIFY(named<QPushButton>(&dialog, u"addTableGo")->isEnabled());
    added->click(); // folded again; what is hidden is not chosen
    QVERIFY(!proposals->isVisible() && !named<QPushButton>(&dialog, u"addTableGo")->isEnabled());
    controller.proposals()->setProposals({ orders() }, {});
    QVERIFY(proposals->isVisible() && !added->isVisible());
}

void AddTableDialogTest::rulesFollowTheMapping()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    auto *go = named<QPushButton>(&dialog, u"addTableGo");
    go->click();
    int expires = -1;
    for (int row = 0; row < controller.mapping()->rowCount(); ++row) {
        expires = controller.mapping()->rows().at(row).id == sql::roleName(sql::Role::ExpiresAt) ? row : expires;
    }
    QVERIFY(controller.mapping()->setData(
        controller.mapping()->index(expires, models::MappingModel::Sql), u"created_at"_s, Qt::EditRole));
    go->click();
    named<QPushButton>(&dialog, u"rulesAddPurge")->click();
    QCOMPARE(named<QComboBox>(&dialog, u"ruleBy")->currentText(), u"t.\"created_at\""_s);
}

void AddTableDialogTest::severalTablesComeOneAfterTheOther()
{
    sql::Proposal other = orders();
    other.profile.name = u"other"_s;
    other.relation.oid = 12;
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders(), other }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    named<QTableView>(&dialog, u"proposalTable")->selectAll();
    named<QPushButton>(&dialog, u"addTableGo")->click();
    QCOMPARE(controller.profile().name, u"orders-request"_s);
    const QString told = named<QLabel>(&dialog, u"noticeWhat")->text();
    QVERIFY2(told.startsWith(u"Table 1 of 2"_s), qPrintable(told));
}

void AddTableDialogTest::saysWhenDetectionFailed()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    auto *note = named<QLabel>(&dialog, u"proposalNote");
    const QString before = note->text();
    emit controller.failed(hostileError());
    QVERIFY(named<QLabel>(&dialog, u"noticeWhat")->isVisible());
    QVERIFY(note->text() != before);
    QVERIFY(!named<QPushButton>(&dialog, u"addTableGo")->isEnabled());
    QTest::keyClicks(named<QLineEdit>(&dialog, u"proposalOther"), u"app.orders"_s);
    QVERIFY(named<QPushButton>(&dialog, u"addTableGo")->isEnabled());
}

void AddTableDialogTest::showsAllDoubtsAndTheFirstReasons()
{
    sql::Proposal proposal = orders();
    proposal.reasons = { u"one"_s, u"two"_s, u"three"_s, u"four"_s, u"five"_s };
    proposal.doubts = { u"six"_s, u"seven"_s };
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ proposal }, {});
    ui::AddTableDialog dialog(&controller);
    auto *reasons = named<QWidget>(&dialog, u"proposalReasons");
    QStringList said;
    for (const QLabel *line : reasons->findChildren<QLabel *>(u"proposalReason"_s)) {
        said += line->accessibleName(); // the sign as a word, and what it is about
    }
    QCOMPARE(said,
        QStringList({ u"Speaks for it: one"_s, u"Speaks for it: two"_s, u"Speaks for it: three"_s, u"Note: 2 more"_s,
            u"Speaks against it: six"_s, u"Speaks against it: seven"_s }));
    QVERIFY(reasons->toolTip().contains(u"+ five"_s));
}

void AddTableDialogTest::marksUnmappedStatuses()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    named<QPushButton>(&dialog, u"addTableGo")->click();
    controller.states()->setOccurring({ { sql::Cell::of(u"done"_s), 10 }, { sql::Cell::of(u"<img src=x>"_s), 3 } });
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

/// Where the row's mere presence is its state, nothing claims that status values are mapped.
void AddTableDialogTest::saysWhatARowWithoutAStatusCountsAs()
{
    sql::Proposal proposal = orders();
    proposal.profile.roles.remove(sql::Role::Status);
    proposal.profile.states.clear();
    proposal.profile.otherStates = sql::KeyState::Succeeded;
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ proposal }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    named<QPushButton>(&dialog, u"addTableGo")->click();
    auto *label = named<QLabel>(&dialog, u"statesUnmapped");
    auto *table = named<QTableView>(&dialog, u"statesTable");
    QCOMPARE(label->text(), u"No status is mapped: every row counts as “Succeeded”."_s);
    QCOMPARE(table->model()->rowCount(), 1); // which can be chosen otherwise
    QCOMPARE(table->model()->index(0, 0).data().toString(), u"every row"_s);
    auto *mapping = controller.mapping();
    const auto lines = mapping->match(
        mapping->index(0, models::MappingModel::Title), models::LineRole, u"status"_s, 1, Qt::MatchExactly);
    QCOMPARE(lines.size(), 1);
    QVERIFY(mapping->setData(lines.first().siblingAtColumn(models::MappingModel::Sql), u"status"_s, Qt::EditRole));
    QVERIFY(table->isVisible());
    QVERIFY2(!label->text().contains(u"Succeeded"_s), qPrintable(label->text()));
}

void AddTableDialogTest::enterInAChooserStaysInTheForm()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    named<QPushButton>(&dialog, u"addTableGo")->click();
    controller.states()->setOccurring({ { sql::Cell::of(u"done"_s), 10 }, { sql::Cell::of(u"odd"_s), 3 } });
    auto *table = named<QTableView>(&dialog, u"statesTable");
    table->setFocus();
    table->setCurrentIndex(controller.states()->index(controller.states()->rowCount() - 1, models::StatesModel::State));
    QTest::keyClick(table, Qt::Key_F2);
    auto *combo = named<QComboBox>(table, u"mappingStateCombo");
    QVERIFY(combo != nullptr);
    QTRY_COMPARE(dialog.focusWidget(), static_cast<QWidget *>(combo));
    QTest::keyClick(combo, Qt::Key_Down);
    QTest::keyClick(combo, Qt::Key_Return);
    QCOMPARE(dialog.step(), ui::AddTableDialog::MapStep);
    QTRY_COMPARE(controller.states()->unmappedCount(), 0); // the edit is kept
    auto *kind = named<QComboBox>(&dialog, u"mappingKind");
    kind->setFocus();
    QTest::keyClick(kind, Qt::Key_Return);
    QCOMPARE(dialog.step(), ui::AddTableDialog::MapStep);
}

void AddTableDialogTest::aCheckShowsTheSqlFirst()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    named<QPushButton>(&dialog, u"addTableGo")->click();
    QVERIFY(controller.mapping()->setData(
        controller.mapping()->index(0, models::MappingModel::Sql), u"upper(t.key)"_s, Qt::EditRole));
    named<QPushButton>(&dialog, u"mappingCheck")->click();
    // What it asks to be read is on the screen, with the box that starts the check.
    QCOMPARE(dialog.step(), ui::AddTableDialog::ConfirmStep);
    auto *sql = named<QPlainTextEdit>(&dialog, u"confirmSql");
    QVERIFY(sql->isVisible() && sql->toPlainText().contains(u"upper(t.key)"_s));
    auto *what = named<QLabel>(&dialog, u"noticeWhat");
    QVERIFY(what->isVisible() && what->text().contains(u"check"_s));
    QCOMPARE(dialog.focusWidget(), static_cast<QWidget *>(named<QCheckBox>(&dialog, u"confirmRead")));
    named<QCheckBox>(&dialog, u"confirmRead")->click();
    QVERIFY(!what->isVisible());
}

void AddTableDialogTest::choosesTheColumnsOfTheIdentity()
{
    sql::Proposal proposal = orders();
    for (sql::ColumnFacts &column : proposal.relation.columns) {
        column.notNull = column.name != u"tenant";
    }
    sql::IndexFacts primary;
    primary.unique = true;
    primary.columns = { u"id"_s };
    primary.keyColumns = 1;
    proposal.relation.indexes = { primary };
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ proposal }, {});
    ui::AddTableDialog dialog(&controller);
    dialog.open();
    named<QPushButton>(&dialog, u"addTableGo")->click();
    auto *identity = named<QLabel>(&dialog, u"mappingIdentity");
    QCOMPARE(named<QToolButton>(&dialog, u"mappingIdentityChoice")->text(), u"id"_s);
    QCOMPARE(identity->text(), u"A unique index identifies each row."_s);
    const QList<QAction *> columns = named<QToolButton>(&dialog, u"mappingIdentityChoice")->menu()->actions();
    QCOMPARE(columns.size(), 5);
    const auto toggle = [&](const QString &name) {
        for (QAction *action : columns) {
            if (action->text() == name) {
                action->toggle();
            }
        }
    };
    toggle(u"id"_s);
    toggle(u"key"_s);
    toggle(u"tenant"_s);
    QCOMPARE(controller.profile().identity, QStringList({ u"key"_s, u"tenant"_s }));
    QCOMPARE(named<QToolButton>(&dialog, u"mappingIdentityChoice")->text(), u"key, tenant"_s);
    QCOMPARE(identity->text(), u"No unique index: two rows may share it."_s);
}

void AddTableDialogTest::showsVersions()
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
}

void AddTableDialogTest::everyWidgetIsNamed()
{
    models::MappingController controller(m_folder->filePath(u"profiles"_s));
    controller.proposals()->setProposals({ orders() }, {});
    ui::AddTableDialog add(&controller);
    add.open();
    QCOMPARE(nameless(&add).join(u'\n'), QString());
    for (int step = 0; step < ui::AddTableDialog::ConfirmStep; ++step) {
        named<QPushButton>(&add, u"addTableGo")->click();
        QCOMPARE(nameless(&add).join(u'\n'), QString());
    }
    QCOMPARE(add.step(), ui::AddTableDialog::ConfirmStep);
}

QTEST_MAIN(AddTableDialogTest)
#include "tst_add_table_dialog.moc"
