// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/audit/audit_page.h"

#include "models/actions/action_center.h"
#include "models/actions/action_words.h"
#include "models/actions/decision.h"
#include "models/audit/approval_preview.h"
#include "models/audit/audit_controller.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/settings.h"
#include "ui/delegates/state_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/dialogs/reason_dialog.h"
#include "ui/pages/audit/fact_grid.h"
#include "ui/pages/audit/guard_view.h"
#include "ui/pages/audit/trail_view.h"
#include "ui/theme/console_style.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTabWidget>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kRowChars = 2'000; // of one row in a decision

} // namespace

using models::ActionsModel;

Page::Face AuditPage::ownFace()
{
    return { u"audit"_s, tr("Audit"), u"audit"_s };
}

AuditPage::AuditPage(models::ConnectionController *connection, models::ActionCenter *center,
    models::AuditController *audit, models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_center(center)
    , m_audit(audit)
    , m_settings(settings)
    , m_stack(new ContentStack(this))
    , m_tabs(new QTabWidget(this))
    , m_notice(new NoticeBar(this))
    , m_actions(new QTableView(this))
    , m_action(new QWidget(this))
    , m_actionTitle(elidedLabel(this))
    , m_warnings(new NoticeBar(this))
    , m_facts(new FactGrid(u"auditActionFacts"_s, tr("Facts of the action"), this))
    , m_search(new QLineEdit(this))
    , m_verbs(new QComboBox(this))
    , m_rows(new QPushButton(tr("Show rows…"), this))
    , m_other(new QPushButton(this))
    , m_undo(new QPushButton(tr("Undo…"), this))
    , m_drop(new QPushButton(tr("Drop…"), this))
    , m_resume(new QPushButton(tr("Run"), this))
    , m_approve(new QPushButton(tr("Approve…"), this))
    , m_decline(new QPushButton(tr("Decline…"), this))
    , m_preview(new models::ApprovalPreview(this))
    , m_trail(new TrailView(audit, settings, this))
    , m_guard(new GuardView(center, audit, settings, this))
{
    setObjectName(u"auditPage"_s);
    m_tabs->setObjectName(u"auditTabs"_s);
    m_tabs->setAccessibleName(tr("Actions, audit log and guard"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(buildActions(), tr("Actions"));
    m_tabs->addTab(m_trail, tr("Audit log"));
    m_tabs->addTab(m_guard, tr("Guard"));
    m_stack->setContent(m_tabs);
    auto *layout = pageColumn(this);
    layout->addWidget(new PageHeader(tr("Audit"), this));
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    wire();
    connect(m_center, &models::ActionCenter::decisionPlanned, this, &AuditPage::askDecisionOn);
    connect(m_preview, &models::ApprovalPreview::changed, this, &AuditPage::showFacts);
    const auto takeDatabase = [this] { m_preview->setDatabase(m_center->database()); };
    connect(m_center, &models::ActionCenter::changed, this, takeDatabase);
    takeDatabase();
    sync();
    selectAgain(); // the actions were read before there was this page
}

void AuditPage::refresh()
{
    m_center->refresh();
    m_audit->refresh();
}

void AuditPage::setTimeFormat(const models::TimeFormat &format)
{
    m_audit->model()->setTimeFormat(format);
    m_center->history()->setTimeFormat(format);
    updateButtons(); // the facts say times, too
}

QWidget *AuditPage::buildActions()
{
    auto *page = new QWidget(this);
    m_search->setObjectName(u"auditSearch"_s);
    m_search->setPlaceholderText(tr("Reason or ticket"));
    m_search->setAccessibleName(tr("Reason or ticket"));
    m_search->setClearButtonEnabled(true);
    m_verbs->setObjectName(u"auditVerb"_s);
    m_verbs->setAccessibleName(tr("Kind of action"));
    m_verbs->addItem(tr("All actions"), QString());
    for (const sql::ActionVerb verb : { sql::ActionVerb::Recover, sql::ActionVerb::Requeue, sql::ActionVerb::Reclassify,
             sql::ActionVerb::Align, sql::ActionVerb::Purge, sql::ActionVerb::Undo, sql::ActionVerb::Detach,
             sql::ActionVerb::Attach, sql::ActionVerb::Drop, sql::ActionVerb::Limit, sql::ActionVerb::Adopt }) {
        m_verbs->addItem(models::verbLabel(verb), sql::verbName(verb));
    }
    setUpTable(m_actions,
        { u"auditActions"_s, tr("Actions"), m_center->history(), { 160, 110, 80, 208, 120, 76, 200, 120, 160, 90 } },
        m_settings);
    setTwoLines(m_actions, m_settings);
    m_actions->setWordWrap(true); // a long reason takes both lines
    for (const int column : { ActionsModel::Who, ActionsModel::ApprovedBy, ActionsModel::Ticket }) {
        m_actions->setColumnHidden(column, true); // muted beneath the time, the outcome and the reason
    }
    for (const int column : { ActionsModel::AskedAt, ActionsModel::Target, ActionsModel::Outcome }) {
        m_actions->setItemDelegateForColumn(column, new TwoLineDelegate(TwoLineDelegate::First::Text, m_actions));
    }
    m_actions->setItemDelegateForColumn(
        ActionsModel::Reason, new TwoLineDelegate(TwoLineDelegate::First::Sentence, m_actions));
    m_actions->setItemDelegateForColumn(ActionsModel::State, new StateDelegate(m_actions));
    fitToBadges(m_actions, ActionsModel::State, models::actionStateLabels());
    auto *bar = barRow({ m_verbs });
    bar->addWidget(m_search, 1);
    auto *layout = tabColumn(page);
    layout->addLayout(bar);
    layout->addWidget(m_actions, 1);
    layout->addWidget(buildAction());
    return page;
}

/// The buttons stand behind the name of what they act on: the strip beneath the page may be about another action.
QWidget *AuditPage::buildAction()
{
    m_action->setObjectName(u"auditAction"_s);
    m_actionTitle->setObjectName(u"auditActionTitle"_s);
    m_actionTitle->setFont(Theme::heading());
    m_rows->setObjectName(u"auditRows"_s);
    m_other->setObjectName(u"auditOther"_s);
    m_facts->offerCopy(tr("Action ID"));
    m_notice->setObjectName(u"auditNotice"_s);
    m_undo->setObjectName(u"auditUndo"_s);
    m_drop->setObjectName(u"auditDrop"_s);
    m_drop->setToolTip(tr("Removes a detached partition for good, once its time to attach it again is over"));
    m_resume->setObjectName(u"auditResume"_s);
    m_approve->setObjectName(u"auditApprove"_s);
    m_decline->setObjectName(u"auditDecline"_s);
    auto *head = barRow({});
    head->addWidget(m_actionTitle, 1);
    for (QPushButton *button : { m_other, m_rows, m_resume, m_drop, m_undo, m_decline, m_approve }) {
        head->addWidget(button);
    }
    auto *layout = partColumn(m_action);
    layout->setSpacing(kGrid);
    m_warnings->setObjectName(u"auditWarnings"_s);
    layout->addLayout(head);
    layout->addWidget(m_warnings);
    layout->addWidget(m_facts);
    return m_action;
}

void AuditPage::wire()
{
    const auto filter = [this] {
        sql::ActionFilter wanted;
        wanted.reasonOrTicket = m_search->text().trimmed();
        wanted.verb = sql::verbFromName(m_verbs->currentData().toString());
        m_center->setHistoryFilter(wanted);
    };
    connect(m_search, &QLineEdit::returnPressed, this, filter);
    connect(m_verbs, &QComboBox::activated, this, filter);
    connect(m_trail, &TrailView::rowsWanted, this, &AuditPage::rowsWanted);
    connect(m_guard, &GuardView::upgradeClicked, this, &AuditPage::installClicked);
    connect(m_rows, &QPushButton::clicked, this, [this] { emit rowsWanted(current() ? current()->id : QString()); });
    connect(m_actions, &QTableView::activated, this,
        [this](const QModelIndex &index) { emit rowsWanted(index.data(models::ActionIdRole).toString()); });
    connect(m_other, &QPushButton::clicked, this, [this] {
        if (const sql::ActionRecord *other = otherSide()) {
            showAction(QString(other->id)); // of its own: the list is read anew
        }
    });
    connect(m_undo, &QPushButton::clicked, this, &AuditPage::askUndo);
    connect(m_drop, &QPushButton::clicked, this, [this] { askPartition(sql::ActionVerb::Drop); });
    connect(m_resume, &QPushButton::clicked, this, [this] {
        if (const auto action = current()) {
            m_center->takeOver(*action);
        }
    });
    for (const auto &[button, approve] : { std::pair(m_approve, true), std::pair(m_decline, false) }) {
        connect(button, &QPushButton::clicked, this, [this, yes = approve] {
            if (const auto action = current()) {
                askDecision(*action, yes);
            }
        });
    }
    connect(m_actions->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        m_chosen = current() ? current()->id : QString();
        if (m_wanted.isEmpty() && !m_chosen.isEmpty() && m_chosen != m_undoWanted) {
            m_undoWanted.clear(); // the person looks at something else
        }
        updateButtons();
    });
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else if (m_center->rightsMissing()) {
            m_center->refresh();
        } else {
            emit installClicked();
        }
    });
    follow();
}

void AuditPage::follow()
{
    connect(m_center->history(), &QAbstractItemModel::modelReset, this, &AuditPage::selectAgain);
    connect(m_center, &models::ActionCenter::listsRead, this, [this] { m_missed = !m_wanted.isEmpty(); });
    connect(m_audit, &models::AuditController::grown, m_center, &models::ActionCenter::readLists);
    connect(m_tabs, &QTabWidget::currentChanged, m_audit, &models::AuditController::lookForNewer);
    connect(m_tabs, &QTabWidget::currentChanged, this, &AuditPage::tellDecision);
    connect(m_notice, &NoticeBar::primaryClicked, m_center, &models::ActionCenter::refresh);
    connect(m_center, &models::ActionCenter::changed, this, &AuditPage::sync);
    connect(m_center, &models::ActionCenter::runnerChanged, this, &AuditPage::updateButtons);
    connect(m_center, &models::ActionCenter::undoPlanned, this, &AuditPage::askUndoOf);
    connect(m_audit, &models::AuditController::changed, this, &AuditPage::sync);
    connect(m_audit, &models::AuditController::exported, this, [this](const QString &path, qint64 rows) {
        m_notice->showNotice(NoticeBar::Kind::Info,
            tr("Wrote %1 of the audit log to %2.").arg(models::rowsText(rows), models::displayText(path)));
    });
    connect(m_connection, &models::ConnectionController::stateChanged, this, &AuditPage::sync);
}

void AuditPage::activate()
{
    m_center->refresh();
    if (!m_audit->loaded() && m_center->status().readable) {
        m_audit->refresh();
    }
    if (const int row = rowToDecide(); row >= 0) { // what the page was opened for
        m_actions->setCurrentIndex(m_center->history()->index(row, 0));
    }
}

void AuditPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_audit->setWatched(m_center->status().readable);
    showFacts();
    tellDecision();
}

void AuditPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_audit->setWatched(false);
    m_wanted.clear();
    m_missed = false;
    m_undoWanted.clear();
    tellDecision();
}

void AuditPage::showTab(const QString &id)
{
    m_tabs->setCurrentIndex(id == u"trail" ? 1 : id == u"guard" ? 2 : 0);
}

/// An action that a filter hides is looked for among all of them.
void AuditPage::showAction(const QString &id)
{
    showTab(u"actions"_s);
    m_wanted = id;
    m_missed = false;
    m_undoWanted.clear();
    selectAgain();
    if (!m_wanted.isEmpty() && !(m_search->text().isEmpty() && m_verbs->currentIndex() == 0)) {
        m_search->clear();
        m_verbs->setCurrentIndex(0);
        m_center->setHistoryFilter({});
    }
}

void AuditPage::undoAction(const QString &id)
{
    showAction(id);
    m_undoWanted = id;
    updateButtons();
}

int AuditPage::rowToDecide() const
{
    const auto &actions = m_center->history()->rows();
    const auto found = std::find_if(
        actions.cbegin(), actions.cend(), [this](const sql::ActionRecord &action) { return decidable(action); });
    return found != actions.cend() ? int(found - actions.cbegin()) : -1;
}

bool AuditPage::decidable(const sql::ActionRecord &action) const
{
    return action.state == sql::ActionState::Requested && m_center->whyNotDecide(action).isEmpty();
}

/// Nothing moves under the pointer of who is about to decide on another one.
int AuditPage::rowNewlyAsked() const
{
    const auto &actions = m_center->history()->rows();
    const auto chosen = std::find_if(
        actions.cbegin(), actions.cend(), [this](const sql::ActionRecord &action) { return action.id == m_chosen; });
    if (m_seen.micros == 0 || (isVisible() && chosen != actions.cend() && decidable(*chosen))) {
        return -1;
    }
    const auto found = std::find_if(actions.cbegin(), actions.cend(), [this](const sql::ActionRecord &asked) {
        return asked.requestedAt > m_seen && asked.state == sql::ActionState::Requested
            && (m_center->own(asked) || decidable(asked));
    });
    return found != actions.cend() ? int(found - actions.cbegin()) : -1;
}

/// Rows came or went: the action that is wanted is selected, else one that was just asked for, else the one that was,
/// else one that waits for this person, else the newest.
void AuditPage::selectAgain()
{
    const auto &actions = m_center->history()->rows();
    const auto rowOf = [&actions](const QString &id) {
        return std::find_if(actions.cbegin(), actions.cend(),
            [&id](const sql::ActionRecord &action) { return !id.isEmpty() && action.id == id; });
    };
    const auto wanted = rowOf(m_wanted);
    const int asked = rowNewlyAsked();
    const auto kept = wanted != actions.cend() ? wanted
        : asked >= 0                           ? actions.cbegin() + asked
                                               : rowOf(isVisible() ? m_chosen : QString());
    if (wanted != actions.cend()) {
        m_wanted.clear();
        m_missed = false;
    }
    for (const sql::ActionRecord &action : actions) {
        m_seen = std::max(m_seen, action.requestedAt);
    }
    if (!actions.isEmpty()) {
        const int row = kept != actions.cend() ? int(kept - actions.cbegin()) : std::max(0, rowToDecide());
        m_actions->setCurrentIndex(m_center->history()->index(row, 0));
    }
    updateButtons();
}

void AuditPage::verify()
{
    m_audit->verify();
}

std::optional<sql::ActionRecord> AuditPage::current() const
{
    const int row = m_actions->currentIndex().row();
    const auto &actions = m_center->history()->rows();
    return row >= 0 && row < actions.size() ? std::optional(actions.at(row)) : std::nullopt;
}

void AuditPage::sync()
{
    if (!m_center->statusKnown()) {
        m_chosen.clear(); // by another login, or in another database
        m_seen = {};
    }
    const bool readable = m_center->statusKnown() && m_center->status().readable;
    m_stack->showContent(readable);
    EmptyState *empty = m_stack->empty();
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(tr("What was done to the keys of a database, by whom and why, appears here."));
    } else if (!m_center->statusKnown()) {
        empty->show(u"audit"_s, tr("Looking for the audit log"),
            tr("The console checks whether its schema is in this database."));
    } else if (m_center->standby()) {
        empty->show(u"audit"_s,
            m_center->consoleInstalled() ? tr("This login may not read the audit log") : tr("There is no audit log"),
            tr("This server is a standby, so roles and the console schema come from its primary. Connect there."));
    } else if (!m_center->consoleInstalled()) {
        empty->show(u"audit"_s, tr("There is no audit log yet"),
            tr("The console schema is not installed, so the console only reads. With it, stuck keys can be freed and "
               "expired ones purged, each change audited and undoable.\n\nA superuser, or a login with CREATEROLE and "
               "CREATE on this database, can install it. The next window says what this login lacks."),
            tr("Install…"));
        empty->accent();
    } else {
        empty->show(u"audit"_s, tr("This login may not read the audit log"), m_center->whyNot(), tr("Check again"));
    }
    if (m_center->error()) {
        m_notice->showError(*m_center->error(), tr("Retry"));
    } else if (m_audit->error()) {
        m_notice->showError(*m_audit->error());
    } else if (!m_center->leftBehind().isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Info, models::displayText(m_center->leftBehind().first(), 400),
            models::displayText(m_center->leftBehind().mid(1).join(u' '), 600));
    } else if (m_missed) {
        m_notice->showNotice(NoticeBar::Kind::Warning, tr("Action %1 is not in this list.").arg(m_wanted),
            tr("It was not begun in this database, or is older than what is listed."));
    } else {
        m_notice->clear();
    }
    QSet<QString> undos;
    for (const sql::ActionRecord &action : m_center->history()->rows()) {
        if (action.verb == sql::ActionVerb::Undo) {
            undos += action.id;
        }
    }
    m_audit->model()->setUndos(undos);
    m_trail->sync();
    m_audit->setWatched(readable && isVisible());
    if (readable && !m_audit->loaded() && !m_audit->busy() && isVisible()) {
        m_audit->refresh();
    }
    m_guard->sync();
    m_tabs->setTabText(2, m_guard->findings() == 0 ? tr("Guard") : tr("Guard (%1)").arg(m_guard->findings()));
    updateButtons();
}

void AuditPage::updateButtons()
{
    const auto action = current();
    const bool idle = !m_center->busy();
    const bool may = m_center->mayAct() && idle;
    const bool over
        = action && (action->state == sql::ActionState::Finished || action->state == sql::ActionState::Cancelled);
    const bool waits = action && action->state == sql::ActionState::Requested;
    const bool rows = action && action->verb != sql::ActionVerb::Detach && action->verb != sql::ActionVerb::Attach
        && action->verb != sql::ActionVerb::Drop && action->verb != sql::ActionVerb::Limit
        && action->verb != sql::ActionVerb::Adopt;
    m_rows->setEnabled(rows);
    m_undo->setVisible(!waits); // nothing was done yet
    m_undo->setEnabled(action && whyNotUndo(*action).isEmpty());
    m_undo->setToolTip(action ? models::displayText(undoText(*action), models::kToolTipChars) : QString());
    if (action && action->id == m_undoWanted && m_undo->isEnabled() && isVisible()) {
        m_undoWanted.clear();
        QMetaObject::invokeMethod(this, &AuditPage::askUndo, Qt::QueuedConnection);
    }
    m_drop->setVisible(action && action->verb == sql::ActionVerb::Detach && over);
    m_drop->setEnabled(may);
    m_resume->setVisible(action && action->open() && !waits);
    const bool partition = action && models::isAboutPartition(action->verb);
    m_resume->setText(partition ? models::carryOutLabel(*action) : tr("Run"));
    m_resume->setEnabled(may && (!partition || m_center->own(*action)));
    m_resume->setToolTip(partition && !m_center->own(*action)
            ? tr("%1 asked for it, and carries it out.").arg(action->requestedBy)
            : QString());
    const bool decides = action && decidable(*action); // else the facts say who does
    m_approve->setVisible(decides);
    m_decline->setVisible(decides);
    if (decides) { // what an approver comes for; red where it deletes
        const bool deletes = action->verb == sql::ActionVerb::Purge || action->verb == sql::ActionVerb::Drop;
        m_approve->setText(tr("Approve %1…", "verb").arg(models::verbLabel(action->verb).toLower()));
        setLook(m_approve, deletes ? ButtonLook::DangerOutline : ButtonLook::Primary);
    }
    const sql::ActionRecord *other = otherSide();
    m_other->setVisible(other != nullptr);
    m_other->setText(other != nullptr && other->verb == sql::ActionVerb::Undo ? tr("Show undo") : tr("Show original"));
    showFacts();
    tellDecision();
}

/// The undo of the chosen action, or what the chosen one undid, where the list has it.
const sql::ActionRecord *AuditPage::otherSide() const
{
    const auto action = current();
    const auto &actions = m_center->history()->rows();
    const auto found = std::find_if(actions.cbegin(), actions.cend(), [&action](const sql::ActionRecord &other) {
        return action && ((!action->undoOf.isEmpty() && other.id == action->undoOf) || other.undoOf == action->id);
    });
    return found != actions.cend() ? &*found : nullptr;
}

/// The strip beneath the pages says the same and has such buttons, too: they do not stand twice.
void AuditPage::tellDecision()
{
    const auto action = current();
    const bool here
        = isVisible() && m_tabs->currentIndex() == 0 && action && action->state == sql::ActionState::Requested;
    const QString id = here ? action->id : QString();
    if (std::exchange(m_decidesOn, id) != id) {
        emit decidesOn(id);
    }
}

QString AuditPage::whyNotUndo(const sql::ActionRecord &action) const
{
    switch (action.verb) {
    case sql::ActionVerb::Undo:
        return tr("An undo cannot be undone.");
    case sql::ActionVerb::Attach:
    case sql::ActionVerb::Drop:
    case sql::ActionVerb::Limit:
    case sql::ActionVerb::Adopt:
        return tr("An action of this kind cannot be undone.");
    case sql::ActionVerb::Recover:
    case sql::ActionVerb::Requeue:
    case sql::ActionVerb::Reclassify:
    case sql::ActionVerb::Align:
    case sql::ActionVerb::Purge:
    case sql::ActionVerb::Detach:
        break;
    }
    if (action.state == sql::ActionState::Declined) {
        return tr("It was declined, so there is nothing to undo.");
    }
    if (action.state != sql::ActionState::Finished && action.state != sql::ActionState::Cancelled) {
        return tr("It is not over yet.");
    }
    if (action.verb != sql::ActionVerb::Detach && models::rowsDone(action.counts) == 0) {
        return tr("It changed no row.");
    }
    if (!models::keepsRows(action)) {
        return tr("Its rows were not kept, so it cannot be undone.");
    }
    return !m_center->mayAct() ? m_center->whyNot()
        : m_center->busy()     ? tr("Another action runs in this window.")
                               : QString();
}

QString AuditPage::undoText(const sql::ActionRecord &action) const
{
    if (action.open()) {
        return models::undoUntilText(action);
    }
    QStringList texts;
    const models::TimeFormat &format = m_center->history()->timeFormat();
    for (const sql::ActionRecord &other : m_center->history()->rows()) {
        if (other.undoOf == action.id && other.finishedAt && models::rowsDone(other.counts) > 0) {
            texts += tr("Undone %1 by %2: %3.")
                         .arg(format.text(*other.finishedAt), other.requestedBy, models::outcomeText(other));
        }
    }
    if (const QString why = whyNotUndo(action); !why.isEmpty()) {
        texts += why;
    } else if (texts.isEmpty() && !action.keepUntil.isEmpty()) {
        texts += models::undoUntilText(action);
    }
    return texts.join(u' ');
}

/// What the list cuts or leaves out.
void AuditPage::showFacts()
{
    const auto action = current();
    m_action->setVisible(action.has_value());
    if (!action) {
        return;
    }
    const sql::ActionRecord *undone = action->undoOf.isEmpty() ? nullptr : otherSide();
    m_actionTitle->setText(tr("%1 · %2").arg(models::actionTitle(*action, undone), m_center->titleOf(action->target)));
    const models::TimeFormat &format = m_center->history()->timeFormat();
    const auto by = [&format](const QString &who, const std::optional<sql::Timestamp> &at) {
        return who.isEmpty() || !at ? who : tr("%1, %2", "who, when").arg(who, format.text(*at));
    };
    FactGrid::Facts facts { { tr("Reason"), action->reason }, { tr("Ticket"), action->ticket } };
    if (action->state == sql::ActionState::Requested) { // what whoever decides has to weigh
        const models::Decision decision { *action, registrationOf(action->target), {} };
        if (isVisible()) { // it may read a whole table
            m_preview->look(*action, targetOf(action->target));
        }
        for (const QStringList &line : decision.planLines(format) + m_preview->lines(format)) {
            facts.append({ line.value(0), line.value(1) });
        }
    }
    facts += FactGrid::Facts { { tr("Requested by"), by(action->requestedBy, action->requestedAt) },
        { action->state == sql::ActionState::Declined ? tr("Declined by") : tr("Approved by"),
            by(action->approvedBy, action->approvedAt) },
        { tr("Decision"), action->state == sql::ActionState::Requested ? m_center->whyNotDecide(*action) : QString() },
        { tr("Batches"), action->lastBatch > 0 ? models::countText(action->lastBatch) : QString() },
        { tr("Ended at"), action->finishedAt ? format.text(*action->finishedAt) : QString() },
        { tr("Note"), action->note },
        { tr("Undo of"),
            undone != nullptr
                ? tr("%1, %2", "what, when")
                      .arg(models::verbPhrase(undone->verb, undone->plannedRows), format.text(undone->requestedAt))
                : action->undoOf },
        { tr("Undo"), undoText(*action) }, { tr("Action ID"), action->id } };
    m_facts->setFacts(facts);
    showWarnings(*action);
}

/// Before all that is known besides; of what was looked at, and never of the request that was selected before.
void AuditPage::showWarnings(const sql::ActionRecord &action)
{
    const bool waits = action.state == sql::ActionState::Requested;
    const QStringList warnings = waits ? m_preview->warnings(action.id) : QStringList();
    if (warnings.isEmpty()) {
        m_warnings->clear();
    } else {
        m_warnings->showNotice(NoticeBar::Kind::Warning, warnings.first(), warnings.mid(1).join(u' '));
    }
}

std::optional<sql::Target> AuditPage::targetOf(const QString &target) const
{
    const auto targets = m_connection->targets();
    const auto entry = std::find_if(targets.cbegin(), targets.cend(),
        [&target](const models::TargetEntry &each) { return each.registration && each.registration->name == target; });
    return entry != targets.cend() && entry->target.relation.oid != 0 ? std::optional(entry->target) : std::nullopt;
}

std::optional<sql::RegisteredTarget> AuditPage::registrationOf(const QString &target) const
{
    const auto targets = m_connection->targets();
    const auto entry = std::find_if(targets.cbegin(), targets.cend(),
        [&target](const models::TargetEntry &each) { return each.registration && each.registration->name == target; });
    return entry != targets.cend() ? entry->registration : std::nullopt;
}

void AuditPage::ask(const ReasonQuestion &question, std::function<void(const QString &)> handler)
{
    ReasonQuestion whole = question;
    whole.environment = m_connection->settings().environment;
    whole.connection = m_center->place();
    auto *dialog = new ReasonDialog(whole, this);
    connect(dialog, &QDialog::accepted, this, [dialog, handler = std::move(handler)] { handler(dialog->text()); });
    openDialog(dialog);
}

void AuditPage::askPartition(sql::ActionVerb verb)
{
    const auto action = current();
    if (!action) {
        return;
    }
    sql::PartitionRequest request;
    request.verb = verb;
    request.target = action->target;
    request.partition = models::partitionOf(*action);
    request.ticket = action->ticket;
    const QString name = models::displayText(request.partition, 80);
    const bool drop = verb == sql::ActionVerb::Drop;
    ask({ drop ? tr("Drop the detached partition %1 with its %Ln row(s)? This cannot be undone.", nullptr,
              int(action->plannedRows))
                     .arg(name)
               : tr("Attach the partition %1 again?").arg(name),
            drop ? tr("Why it is dropped") : tr("Why it is attached again"),
            drop ? tr("Drop the partition") : tr("Attach the partition"), true, action->target },
        [this, request](const QString &reason) mutable {
            request.reason = reason;
            m_center->changePartition(request);
        });
}

void AuditPage::askUndo()
{
    const auto action = current();
    if (!action) {
        return;
    }
    if (action->verb == sql::ActionVerb::Detach) {
        askPartition(sql::ActionVerb::Attach);
        return;
    }
    m_center->planUndo(*action);
}

void AuditPage::askUndoOf(const sql::ActionRecord &action, qint64 rows)
{
    const QString what
        = tr("“%1” of %2")
              .arg(models::verbPhrase(action.verb, models::rowsDone(action.counts)), m_center->titleOf(action.target));
    if (rows == 0) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("Nothing is left to restore of %1.").arg(what));
        return;
    }
    QString question = tr("Undo %1? Rows changed since are skipped.").arg(what);
    const auto registration = registrationOf(action.target);
    const bool approval = registration && registration->approvalAbove && rows > *registration->approvalAbove;
    if (approval) {
        question += u' ' + tr("Another person must approve it.");
    }
    if (const QString note = m_undoNote ? m_undoNote() : QString(); !note.isEmpty()) {
        question += u' ' + note;
    }
    ask({ question, tr("Why it is undone"),
            approval ? tr("Request approval") : models::verbPhrase(sql::ActionVerb::Undo, rows), true, action.target },
        [this, action](const QString &reason) {
            // The button is off now, and a second press would hit its neighbour.
            m_actions->setFocus(Qt::OtherFocusReason);
            m_center->undo(action, reason, action.ticket);
        });
}

void AuditPage::askDecision(const sql::ActionRecord &action, bool approve)
{
    m_center->planDecision(action.id, approve);
}

/// Nobody decides on what he has not seen: the plan and what the server runs stand in the question.
void AuditPage::askDecisionOn(const models::Decision &decision, bool approve)
{
    const sql::ActionRecord &action = decision.action;
    const QString what
        = tr("“%1” of %2").arg(models::verbPhrase(action.verb, action.plannedRows), m_center->titleOf(action.target));
    ReasonQuestion question { approve ? tr("Approve %1?").arg(what) : tr("Decline %1?").arg(what),
        tr("A note for the audit log (optional)"), approve ? tr("Approve") : tr("Decline"), false, {} };
    question.facts = decision.facts();
    // A line a row: a key's own line feeds must not pass for further rows.
    QString details;
    const QStringList rows = decision.rowFacts();
    for (const QString &row : rows) {
        details += models::displayText(row, kRowChars) + u'\n';
    }
    details += (rows.isEmpty() ? u""_s : u"\n"_s) + models::displayBlock(decision.compiledText());
    question.detailsLabel = rows.isEmpty() ? tr("What the server runs") : tr("The rows, and what the server runs");
    question.details = details;
    ask(question, [this, id = action.id, approve](const QString &note) { m_center->decide(id, approve, note); });
}

} // namespace idemdesk::ui
