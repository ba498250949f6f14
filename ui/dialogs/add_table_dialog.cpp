// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/add_table_dialog.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/mapping/mapping_controller.h"
#include "models/mapping/offered_proposals.h"
#include "ui/dialogs/mapping_delegates.h"
#include "ui/dialogs/mapping_form.h"
#include "ui/dialogs/rules_editor.h"
#include "ui/dialogs/wrapped_rows.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/check_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/text_view.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QTableView>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kWizardWidth = 244 * kGrid; // both fit into a window of 1024 x 700
constexpr int kWizardHeight = 164 * kGrid;
constexpr int kReasonsShown = 3;

QLabel *stepLabel(const QString &text, const QString &objectName, QWidget *parent)
{
    QLabel *label = wrappedLabel(text, parent);
    label->setObjectName(objectName);
    return label;
}

/// A list to choose a row of: no cell of it has the focus by itself.
class ProposalDelegate final : public SentenceDelegate
{
public:
    explicit ProposalDelegate(QObject *parent)
        : SentenceDelegate(-1, parent)
    {
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        SentenceDelegate::initStyleOption(option, index);
        option->state &= ~QStyle::State_HasFocus;
    }
};

/// What speaks against a table is no fault of it: a dash, and no red cross.
QWidget *doubtLine(const QString &doubt, QWidget *parent)
{
    auto *line = new QWidget(parent);
    QLabel *mark = strongLabel(u"–"_s, line);
    mark->setFixedWidth(5 * kGrid); // as a list of checks has its signs
    mark->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    mark->setAccessibleName(AddTableDialog::tr("Speaks against it"));
    QLabel *text = readableLabel(u"proposalReason"_s, line);
    text->setText(models::displayText(doubt, models::kToolTipChars));
    text->setAccessibleName(AddTableDialog::tr("Speaks against it: %1").arg(text->text()));
    barRow({ mark }, line)->addWidget(text, 1);
    return line;
}

} // namespace

AddTableDialog::AddTableDialog(models::MappingController *controller, QWidget *parent)
    : Wizard(u"addTable"_s, tr("Add a table"), parent)
    , m_controller(controller)
    , m_findings(new QStandardItemModel(this))
    , m_offered(new models::OfferedProposals(controller->proposals(), this))
    , m_form(new MappingForm(controller, m_findings, this))
    , m_rules(new RulesEditor(controller, this))
{
    setObjectName(u"addTableDialog"_s);
    addStep({ tr("Table"), tr("Choose a table"), tr("&Map this table") }, choosePage());
    addStep({ tr("Columns"), tr("Map columns"), tr("Set r&ules") }, m_form);
    addStep({ tr("Rules"), tr("Rules"), tr("Revie&w the SQL") }, m_rules);
    addStep({ tr("SQL"), tr("Read the SQL that will run"), tr("Save") }, confirmPage());
    m_detected = controller->proposals()->rowCount() > 0;
    wire();
    begin();
    resize(kWizardWidth, kWizardHeight);
}

QWidget *AddTableDialog::choosePage()
{
    using Model = models::ProposalModel;
    auto *page = new QWidget(this);
    m_proposals = new QTableView(page);
    setUpSmallTable(m_proposals,
        { u"proposalTable"_s, tr("Tables that look like key stores"), m_offered, {},
            QAbstractItemView::ExtendedSelection },
        kRowHeight);
    m_proposals->setItemDelegate(new ProposalDelegate(m_proposals));
    wrapRows(m_proposals, Theme::scaled(kRowHeight));
    endAtRows(m_proposals);
    m_proposals->horizontalHeader()->setStretchLastSection(true);
    m_proposals->setColumnHidden(Model::Reasons, true); // they stand whole beneath, for the selected table
    m_proposals->horizontalHeader()->resizeSection(Model::Table, 72 * kGrid);
    m_proposals->horizontalHeader()->resizeSection(Model::Kind, 32 * kGrid);
    m_proposals->horizontalHeader()->resizeSection(Model::Confidence, 32 * kGrid);
    m_proposalNote = stepLabel({}, u"proposalNote"_s, page);
    m_proposalNote->setBuddy(m_proposals);
    m_reasons = new CheckList(u"proposalReasons"_s, tr("What speaks for and against the selected table"), page);
    QVBoxLayout *layout = partColumn(page);
    layout->addWidget(m_proposalNote);
    constexpr int kListFirst = 100; // how much sooner the list has room than what is left empty
    layout->addWidget(m_proposals, kListFirst);
    layout->addWidget(m_reasons);
    layout->addStretch(1); // what leads on stays at the bottom
    layout->addLayout(chooseFoot(page));
    return page;
}

QLayout *AddTableDialog::chooseFoot(QWidget *page)
{
    m_showAdded = new QPushButton(page);
    m_showAdded->setObjectName(u"proposalShowAdded"_s);
    m_showAdded->setAutoDefault(false);
    connect(m_showAdded, &QPushButton::clicked, this, [this] {
        m_offered->showAdded(!m_offered->addedShown());
        refresh();
    });
    m_other = new QLineEdit(page);
    m_other->setObjectName(u"proposalOther"_s);
    m_other->setAccessibleName(tr("Another table, by its name"));
    m_other->setPlaceholderText(tr("schema.table, quoted as in SQL"));

    m_remove = new QPushButton(tr("Re&move the mapping…"), page);
    m_remove->setObjectName(u"proposalRemove"_s);
    m_remove->setAccessibleName(tr("Remove the mapping of the selected table"));
    m_remove->setAutoDefault(false);
    connect(m_remove, &QPushButton::clicked, this, &AddTableDialog::askRemove);

    auto *otherRow = barRow({ buddyLabel(tr("Choose &another table"), m_other, page) });
    otherRow->addWidget(m_other, 1);
    auto *foot = new QVBoxLayout;
    foot->setSpacing(2 * kGrid);
    foot->addLayout(barRow({ m_showAdded, nullptr, m_remove }));
    foot->addLayout(otherRow);
    return foot;
}

QWidget *AddTableDialog::confirmPage()
{
    auto *page = new QWidget(this);
    m_sql = new QPlainTextEdit(page);
    setUpCode(m_sql, u"confirmSql"_s, tr("The SQL that will run"));
    m_sql->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QLabel *label
        = stepLabel(tr("These e&xpressions will run on the server with your rights, each time this table is shown"),
            u"confirmLabel"_s, page);
    label->setBuddy(m_sql);
    m_found = new QWidget(page);
    auto *findings = new QListView(m_found);
    findings->setObjectName(u"confirmFindings"_s);
    findings->setAccessibleName(tr("Findings"));
    findings->setModel(m_findings);
    findings->setItemDelegate(new SentenceDelegate(-1, findings));
    findings->setWordWrap(true);
    findings->setResizeMode(QListView::Adjust);
    findings->setEditTriggers(QAbstractItemView::NoEditTriggers);
    QLabel *foundTitle = strongLabel(tr("F&indings"), m_found);
    foundTitle->setBuddy(findings);
    QVBoxLayout *found = partColumn(m_found);
    found->addWidget(foundTitle);
    found->addWidget(findings, 1);
    m_read = new QCheckBox(tr("I have &read this SQL and want it to run"), page);
    m_read->setObjectName(u"confirmRead"_s);
    m_read->setAccessibleName(tr("I have read this SQL and want it to run"));

    QVBoxLayout *layout = partColumn(page);
    layout->addWidget(label);
    layout->addWidget(m_sql, 3);
    layout->addWidget(m_read);
    layout->addWidget(m_found, 1);
    return page;
}

void AddTableDialog::wire()
{
    using Controller = models::MappingController;
    connect(m_controller, &Controller::busyChanged, this, &AddTableDialog::refresh);
    connect(m_controller, &Controller::detected, this, [this] {
        m_detected = true;
        m_detectFailed = false;
        refresh(); // shows the list, which can take the focus then
        if (m_proposals->model()->rowCount() > 0 && m_other->text().isEmpty()) {
            m_proposals->selectRow(0);
            m_proposals->setFocus(Qt::OtherFocusReason);
        }
    });
    connect(m_controller, &Controller::chosen, this, &AddTableDialog::onChosen);
    connect(m_controller, &Controller::validated, this, &AddTableDialog::showFindings);
    connect(m_controller, &Controller::confirmationChanged, this, &AddTableDialog::showSql);
    connect(m_controller, &Controller::failed, this, &AddTableDialog::showFailure);
    connect(m_proposals->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_proposals->selectionModel()->hasSelection()) {
            m_other->clear();
        }
        refresh();
    });
    connect(m_proposals, &QTableView::doubleClicked, this, &AddTableDialog::press);
    connect(m_proposals->model(), &QAbstractItemModel::modelReset, this, &AddTableDialog::refresh);
    connect(m_other, &QLineEdit::textChanged, this, [this](const QString &text) {
        if (!text.isEmpty()) {
            m_proposals->clearSelection();
        }
        refresh();
    });
    connect(m_read, &QCheckBox::toggled, this, &AddTableDialog::onConfirmed);
    connect(m_form, &MappingForm::nameEdited, this, &AddTableDialog::refresh);
    connect(m_rules, &RulesEditor::edited, this, &AddTableDialog::refresh);
    connect(m_controller->mapping(), &models::MappingModel::edited, this, [this] { m_rulesBehind = true; });
    connect(m_form, &MappingForm::sqlWanted, this, [this] {
        showStep(ConfirmStep);
        banner()->showNotice(NoticeBar::Kind::Info, tr("The check runs this SQL on the live table."),
            tr("Read it and tick the box below: the check begins then."));
        m_read->setFocus(Qt::OtherFocusReason);
    });
    if (m_detected) {
        m_proposals->selectRow(0);
    }
}

/// What was mapped by hand is not thrown away by one key.
void AddTableDialog::reject()
{
    if (step() == ChooseStep || !m_controller->changed()) {
        Wizard::reject();
        return;
    }
    QMessageBox *question = questionBox(this, u"addTableDiscard"_s, tr("Close without saving"),
        tr("Close without saving the mapping?"), tr("What you changed of it is lost."));
    connect(addAnswer(question, u"addTableDiscardYes"_s, tr("Close without saving")), &QPushButton::clicked, this,
        [this] { Wizard::reject(); });
    openQuestion(question, tr("Go on editing"));
}

void AddTableDialog::entered(int step)
{
    if (step == ChooseStep) {
        m_proposals->setFocus(Qt::OtherFocusReason);
    } else if (step == MapStep) {
        m_form->focusName();
    } else if (step == RulesStep) {
        if (m_rulesBehind && m_rules->valid()) { // half a rule stays as it was typed
            m_rules->reload();
            m_rulesBehind = false;
        }
        m_rules->focusFirst();
    } else {
        showSql();
        m_sql->setFocus(Qt::OtherFocusReason);
    }
    refresh();
}

void AddTableDialog::go(int step)
{
    banner()->clear();
    if (step == MapStep || step == RulesStep) {
        showStep(step + 1);
    } else if (step == ConfirmStep) {
        save();
    } else if (const QString other = m_other->text().trimmed(); !other.isEmpty()) {
        m_chosen = 1;
        m_controller->chooseRelation(other);
    } else {
        m_waiting.clear();
        for (const QModelIndex &row : m_proposals->selectionModel()->selectedRows()) {
            m_waiting.append(m_offered->proposalRow(row));
        }
        std::sort(m_waiting.begin(), m_waiting.end());
        m_chosen = int(m_waiting.size());
        chooseNext();
    }
}

void AddTableDialog::chooseNext()
{
    m_controller->choose(m_waiting.takeFirst());
    if (m_chosen > 1) {
        banner()->showNotice(NoticeBar::Kind::Info,
            tr("Table %1 of %2: %3", "number, count, name")
                .arg(m_chosen - int(m_waiting.size()))
                .arg(m_chosen)
                .arg(models::displayText(m_controller->profile().relation, 80)));
    }
}

void AddTableDialog::askRemove()
{
    const int row = m_offered->proposalRow(m_proposals->currentIndex());
    const models::MappingController::Known *known = m_controller->known(row);
    if (known == nullptr) {
        return;
    }
    QMessageBox *question = questionBox(this, u"proposalRemoveQuestion"_s, tr("Remove a mapping"),
        tr("Remove the mapping of %1?").arg(models::displayText(known->profile.relation, 80)),
        tr("The table is no longer shown. Its rows are not touched."));
    connect(addAnswer(question, u"proposalRemoveYes"_s, tr("Remove")), &QPushButton::clicked, this, [this, row] {
        const auto name = m_controller->remove(row);
        if (name.ok()) {
            emit removed(*name);
        } else {
            banner()->showError(name.error());
        }
        refresh();
    });
    openQuestion(question);
}

QString AddTableDialog::notCheckedText()
{
    return tr("Not checked yet. Confirming the SQL checks it too.");
}

void AddTableDialog::onChosen()
{
    m_findings->clear();
    m_findings->appendRow(new QStandardItem(notCheckedText()));
    m_form->reload();
    m_rules->reload();
    m_rulesBehind = false;
    m_controller->takeAsChosen();
    showStep(MapStep);
}

void AddTableDialog::onConfirmed(bool checked)
{
    banner()->clear();
    if (checked && !m_controller->sqlConfirmed()) {
        m_controller->confirmSql();
        m_controller->validate();
    }
    refresh();
}

void AddTableDialog::showSql()
{
    const QString text = models::displayBlock(m_controller->sqlToConfirm());
    if (text != m_sql->toPlainText()) { // keeps the place a person reads at
        m_sql->setPlainText(text);
    }
    if (!m_controller->sqlConfirmed()) {
        const QSignalBlocker blocker(m_read);
        m_read->setChecked(false);
    }
    refresh();
}

void AddTableDialog::showFindings()
{
    using Severity = sql::Finding::Severity;
    m_findings->clear();
    for (const sql::Finding &finding : m_controller->findings()) {
        const bool problem = finding.severity == Severity::Problem;
        const QString text = models::displayText(finding.text, models::kToolTipChars);
        const QString part = m_controller->mapping()->labelOf(finding.jsonPath);
        auto *item = new QStandardItem(part.isEmpty() ? tr("%1: %2").arg(models::severityLabel(finding.severity), text)
                                                      : tr("%1 in “%2”: %3", "severity, part of the mapping, text")
                                                            .arg(models::severityLabel(finding.severity), part, text));
        item->setIcon(finding.severity == Severity::Note ? themedIcon(u"info"_s, Token::Accent)
                : problem                                ? themedIcon(u"error"_s, Token::Danger)
                                                         : themedIcon(u"warning"_s, Token::Warning));
        item->setToolTip(models::displayText(finding.jsonPath));
        m_findings->appendRow(item);
    }
    if (m_findings->rowCount() == 0) {
        m_findings->appendRow(m_controller->checked()
                ? new QStandardItem(themedIcon(u"done"_s, Token::Succeeded), tr("The mapping fits the live table."))
                : new QStandardItem(notCheckedText()));
    }
    refresh();
}

void AddTableDialog::showFailure(const sql::Error &error)
{
    banner()->showError(error);
    m_detectFailed = !m_detected && step() == ChooseStep;
    refresh();
}

void AddTableDialog::save()
{
    const auto path = m_controller->save();
    if (!path.ok()) {
        banner()->showError(path.error());
        return;
    }
    emit saved(*path);
    if (m_waiting.isEmpty()) {
        accept();
    } else {
        chooseNext();
    }
}

/// All that speaks against a table, but only the first of what speaks for it.
void AddTableDialog::showReasons(const QString &reasons)
{
    const QStringList lines = reasons.split(u'\n', Qt::SkipEmptyParts);
    const auto isDoubt = [](const QString &line) { return !line.startsWith(u'+'); };
    const auto good = std::find_if(lines.cbegin(), lines.cend(), isDoubt) - lines.cbegin();
    const auto shown = good > kReasonsShown + 1 ? kReasonsShown : good;
    m_reasons->clear();
    for (qsizetype line = 0; line < lines.size(); ++line) {
        if (line >= good) {
            m_reasons->addWidget(doubtLine(lines.at(line).mid(2), m_reasons));
        } else if (line < shown) {
            m_reasons->add(models::FactSign::Yes, u"proposalReason"_s, lines.at(line).mid(2), 0, tr("Speaks for it"));
        } else if (line == shown) {
            m_reasons->addNote(u"proposalReason"_s, tr("%n more", nullptr, int(good - shown)));
        }
    }
    m_reasons->setToolTip(reasons);
    m_reasons->setVisible(!lines.isEmpty());
}

QString AddTableDialog::whyNot() const
{
    const QList<sql::Finding> &findings = m_controller->findings();
    if (step() == MapStep) {
        return m_form->nameValid() ? QString() : tr("The name needs a-z, 0-9, “-” or “_”.");
    }
    if (step() == RulesStep) {
        return m_rules->valid() ? QString() : tr("The rules cannot be read yet.");
    }
    if (m_controller->busy()) {
        return tr("Asking the server…");
    }
    if (step() == ChooseStep) {
        const bool chosen = !m_other->text().trimmed().isEmpty() || m_proposals->selectionModel()->hasSelection();
        return chosen ? QString() : tr("Choose a table, or name one.");
    }
    if (!m_rules->valid()) {
        return tr("The rules cannot be read yet. Go back and fix them.");
    }
    if (!m_read->isChecked() || !m_controller->sqlConfirmed()) {
        return tr("Tick the box once you have read the SQL.");
    }
    const bool problem = m_controller->checked()
        && std::any_of(findings.cbegin(), findings.cend(),
            [](const sql::Finding &finding) { return finding.severity == sql::Finding::Severity::Problem; });
    return problem                 ? tr("The check found a problem. Go back and fix it first.")
        : !m_controller->checked() ? tr("Not checked against the live table yet.")
                                   : QString();
}

void AddTableDialog::refresh()
{
    setBusy(m_controller->busy());
    refreshProposals();
    setWhyNot(whyNot());
    m_form->refreshState();
    m_found->setVisible(m_controller->checked());
}

void AddTableDialog::refreshProposals()
{
    const QModelIndexList rows = m_proposals->selectionModel()->selectedRows();
    const int added = m_offered->addedCount();
    m_proposals->setVisible(m_offered->rowCount() > 0);
    m_proposalNote->setText(proposalNoteText());
    m_showAdded->setText(m_offered->addedShown() ? tr("&Hide %n already added", nullptr, added)
                                                 : tr("S&how %n already added", nullptr, added));
    m_showAdded->setAccessibleName(m_showAdded->text().remove(u'&'));
    m_showAdded->setVisible(added > 0);
    const QString reasons = rows.size() != 1 ? QString() : rows.constFirst().data(Qt::ToolTipRole).toString();
    if (reasons != m_reasons->toolTip()) {
        showReasons(reasons);
    }
    m_reasons->setVisible(!reasons.isEmpty());
    m_remove->setVisible(rows.size() == 1 && m_controller->removable(m_offered->proposalRow(rows.constFirst())));
}

QString AddTableDialog::proposalNoteText() const
{
    const bool busy = m_controller->busy();
    if (m_offered->rowCount() > 0) {
        return tr("&Tables that look like key stores, likeliest first");
    }
    if (m_detectFailed && !busy) {
        return tr("The tables of this database could not be looked at. Name one below to map it by hand.");
    }
    if (m_offered->addedCount() > 0) {
        return tr("Every table that looks like a key store is added already. Name another one below.");
    }
    if (busy || !m_detected) {
        return tr("Looking at the tables of this database…");
    }
    return m_controller->notLookedAt() > 0
        ? tr("No table that could be looked at is like a key store.") + u' '
            + tr("%n more could not be looked at by this login.", nullptr, int(m_controller->notLookedAt()))
        : tr("No table of this database looks like a key store. Name one below to map it by hand.");
}

} // namespace idemdesk::ui
