// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/activity/activity_page.h"

#include "models/actions/action_center.h"
#include "models/activity/activity_controller.h"
#include "models/activity/activity_model.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/lock_words.h"
#include "models/format/quantities.h"
#include "models/settings.h"
#include "models/table/item_role.h"
#include "ui/delegates/health_delegate.h"
#include "ui/dialogs/signal_dialog.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/text_view.h"

#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kEachSeconds = 2; // while somebody looks at it
constexpr int kLeastSessions = 3; // that the tree has room for
constexpr int kTreePercent = 60; // of the page, at most, beside the statement

/// A badge where a session holds others up or is held up; elsewhere the text.
class SessionDelegate final : public CellDelegate
{
public:
    using CellDelegate::CellDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        index.data(models::LevelRole).isValid() ? m_badges.paint(painter, option, index)
                                                : CellDelegate::paint(painter, option, index);
    }

private:
    HealthDelegate m_badges;
};

/// Whom ending it frees: two sessions that wait for each other are one number apart.
QString roleOf(const models::ActivityModel &model, const sql::BackendActivity &backend)
{
    const int waiting = model.waitersFor(backend.pid);
    if (waiting > 0) {
        return ActivityPage::tr("%n session(s) wait for it", nullptr, waiting);
    }
    return backend.blockedBy.isEmpty()
        ? ActivityPage::tr("No session waits for it")
        : ActivityPage::tr("It waits for session %1; ending it frees nobody").arg(backend.blockedBy.constFirst());
}

} // namespace

using models::ActivityModel;

ActivityPage::ActivityPage(models::ConnectionController *connection, models::ActivityController *activity,
    models::ActionCenter *center, models::Settings *settings, QWidget *parent)
    : Page({ u"activity"_s, tr("Activity"), u"activity"_s }, parent)
    , m_connection(connection)
    , m_activity(activity)
    , m_center(center)
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_tree(new QTreeView(this))
    , m_locks(readableLabel(u"activityLocks"_s, this))
    , m_statement(new QPlainTextEdit(this))
    , m_notice(new NoticeBar(this))
    , m_counters(plainLabel({}, this))
    , m_waiting(plainLabel({}, this))
    , m_cancel(new QPushButton(tr("&Cancel statement…"), this))
    , m_terminate(new QPushButton(tr("E&nd session…"), this))
{
    setObjectName(u"activityPage"_s);
    auto *header = new PageHeader(tr("Activity"), this);
    m_waiting->setObjectName(u"activityWaiting"_s);
    header->add({ m_waiting, nullptr });
    QToolButton *refresh = header->addCommand(u"activityRefresh"_s, u"refresh"_s, tr("Refresh (F5)"));
    setUpTree(m_tree,
        { u"activityTree"_s, tr("Sessions on the tables, each above those that wait for it"), activity->model(),
            { 110, 110, 120, 100, 170, 170, 100, 160, 300, 80, 60 } },
        settings);
    m_tree->setColumnHidden(ActivityModel::Locks, true); // the pane beneath says them, and the statement, whole
    m_tree->header()->moveSection(m_tree->header()->visualIndex(ActivityModel::BlockedBy), 1);
    m_tree->header()->moveSection(m_tree->header()->visualIndex(ActivityModel::Blocks), 2);
    for (const int column : { ActivityModel::State, ActivityModel::Wait }) {
        m_tree->setItemDelegateForColumn(column, new SessionDelegate(m_tree));
    }
    splitInTwo(m_split, m_tree, buildStatement(), 0, 1);
    connect(m_split, &QSplitter::splitterMoved, this, [this] { m_splitByHand = true; });
    m_stack->setContent(m_split);
    auto *layout = pageColumn(this);
    layout->addWidget(header);
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    layout->addWidget(buildFoot());
    connect(refresh, &QToolButton::clicked, activity, &models::ActivityController::refresh);
    connect(m_notice, &NoticeBar::primaryClicked, activity, &models::ActivityController::refresh);
    connect(activity, &models::ActivityController::changed, this, &ActivityPage::sync);
    connect(activity, &models::ActivityController::signalled, this, &ActivityPage::onSignalled);
    connect(center, &models::ActionCenter::changed, this, &ActivityPage::sync);
    connect(center, &models::ActionCenter::allowanceChanged, this, &ActivityPage::sync);
    connect(connection, &models::ConnectionController::stateChanged, this, &ActivityPage::sync);
    connect(activity->model(), &QAbstractItemModel::modelAboutToBeReset, this, &ActivityPage::rememberSelection);
    connect(activity->model(), &QAbstractItemModel::modelReset, this, &ActivityPage::restoreSelection);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ActivityPage::sync);
    sync();
}

void ActivityPage::activate()
{
    m_activity->setAutoRefresh(kEachSeconds);
    m_activity->refresh();
}

void ActivityPage::deactivate()
{
    m_activity->setAutoRefresh(0);
}

void ActivityPage::refresh()
{
    m_activity->refresh();
}

QWidget *ActivityPage::buildFoot()
{
    m_counters->setObjectName(u"activityCounters"_s);
    m_cancel->setObjectName(u"activityCancel"_s);
    m_terminate->setObjectName(u"activityTerminate"_s);
    auto *foot = new QWidget(this);
    auto *row = barRow({}, foot);
    row->addWidget(m_counters, 1);
    row->addWidget(m_cancel);
    row->addWidget(m_terminate);
    connect(m_cancel, &QPushButton::clicked, this, [this] { ask(sql::SignalVerb::Cancel); });
    connect(m_terminate, &QPushButton::clicked, this, [this] { ask(sql::SignalVerb::Terminate); });
    return foot;
}

QWidget *ActivityPage::buildStatement()
{
    setUpCode(m_statement, u"activityStatement"_s, tr("Statement of the selected session"));
    auto *part = new QWidget(this);
    auto *layout = lowerColumn(part);
    layout->addWidget(m_locks);
    layout->addWidget(m_statement, 1);
    return part;
}

void ActivityPage::showStatement()
{
    const sql::BackendActivity *backend = m_activity->model()->backend(m_tree->currentIndex());
    m_locks->setVisible(backend != nullptr);
    m_locks->setText(backend == nullptr || backend->locks.isEmpty()
            ? tr("No locks on the tables.")
            : tr("Locks: %1").arg(models::displayText(models::lockLabels(backend->locks).join(u"; "_s), 800)));
    m_statement->setPlaceholderText(
        backend == nullptr ? tr("Choose a session to see its statement and locks.") : QString());
    const QString text = backend != nullptr ? models::displayText(backend->query, 20'000) : QString();
    if (text != m_statement->toPlainText()) { // it is read, and selected, while the list goes on
        m_statement->setPlainText(text);
    }
}

void ActivityPage::rememberSelection()
{
    const sql::BackendActivity *backend = m_activity->model()->backend(m_tree->currentIndex());
    m_selected = backend != nullptr ? backend->pid : 0;
}

void ActivityPage::fitTree()
{
    if (m_splitByHand || m_activity->model()->rowCount() == 0) {
        return;
    }
    const int row = m_tree->sizeHintForIndex(m_activity->model()->index(0, 0)).height();
    const int sessions = std::max(kLeastSessions, int(m_activity->model()->report().backends.size()));
    const int wanted = m_tree->header()->sizeHint().height() + sessions * row + kGrid;
    const int room = m_stack->height();
    const int height = std::min(wanted, room * kTreePercent / 100);
    m_split->setSizes({ height, room - height });
}

void ActivityPage::restoreSelection()
{
    m_tree->expandAll();
    fitTree();
    // Only a person chooses whom the buttons are about: nobody at first, and no other one where that one has gone.
    m_tree->setCurrentIndex(m_selected == 0 ? QModelIndex() : m_activity->model()->indexOfPid(m_selected));
    sync();
}

/// What the database counted, and for how long; nothing where it is not watched yet. What others rolled back can only
/// be told since the program's own are counted, too. The rest goes back to where the counters were set back, if the
/// server says when: it keeps them over a restart, so its own age says nothing.
QString ActivityPage::countersText(const sql::ActivityReport &report)
{
    if (report.watched.since.micros == 0) {
        return {};
    }
    const bool known = report.countedSince.has_value();
    const QString dead = tr("%n deadlock(s)", nullptr, int(known ? report.deadlocks : report.watched.deadlocks));
    const QString rolled = tr("%n rollback(s) by other sessions", nullptr, int(report.watched.othersRolledBack));
    const QString cancelled = tr("%n statement(s) cancelled by replication", nullptr,
        int(known ? report.standbyConflicts : report.watched.standbyConflicts));
    const QString looked = models::TimeFormat::age(report.watched.since, report.now);
    if (!known) {
        return tr("Whole database, watched for %1: %2, %3, %4.").arg(looked, dead, rolled, cancelled);
    }
    return tr("Whole database, in the %1 since its counters were reset: %2, %3.")
               .arg(models::TimeFormat::age(*report.countedSince, report.now), dead, cancelled)
        + u' ' + tr("Watched for %1: %2.").arg(looked, rolled);
}

void ActivityPage::sync()
{
    if (m_activity->error()) {
        m_told = false;
        m_notice->showError(*m_activity->error(), tr("Retry"));
    } else if (m_told) {
        // what came of a signal stays until something else is asked for
    } else if (!m_activity->complete()) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("The server hides what other users' sessions do."),
            tr("A member of the role pg_read_all_stats sees all of it."));
    } else {
        m_notice->clear();
    }
    const sql::ActivityReport &report = m_activity->model()->report();
    const bool rows = m_activity->model()->rowCount() > 0;
    if (m_connection->state() == sql::LinkState::Connected) {
        m_stack->empty()->show(u"activity"_s, tr("Nobody is using the tables"),
            tr("Sessions that hold or await a lock on a table appear here, each above those that wait for it."));
    } else {
        m_stack->empty()->show(
            u"connect"_s, tr("Not connected"), tr("The sessions at work on the tables of a database appear here."));
    }
    m_stack->showContent(rows);
    const QString counters = countersText(report);
    showStatement();
    const auto waiting = std::count_if(report.backends.cbegin(), report.backends.cend(),
        [](const sql::BackendActivity &backend) { return !backend.blockedBy.isEmpty(); });
    m_waiting->setText(
        rows && waiting > 0 ? tr("%n session(s) wait for another one.", nullptr, int(waiting)) : QString());
    m_counters->setText(counters);
    m_counters->setToolTip(
        tr("Others are all programs but this one. Each reading of idemdeskctl ends with a rollback, too."));
    m_counters->setVisible(!counters.isEmpty());
    const QString why = m_center->whyNot();
    const bool may = why.isEmpty() && m_tree->currentIndex().isValid() && !m_activity->signalling();
    const sql::BackendActivity *chosen = m_activity->model()->backend(m_tree->currentIndex());
    const bool idle = chosen != nullptr && chosen->state.startsWith(u"idle"_s); // there is nothing to cancel
    for (QPushButton *button : { m_cancel, m_terminate }) {
        button->setVisible(rows);
        button->setEnabled(may && !(idle && button == m_cancel));
        button->setToolTip(!why.isEmpty()    ? why
                : chosen == nullptr          ? tr("Choose a session first.")
                : idle && button == m_cancel ? tr("It runs no statement. End the session instead.")
                                             : QString());
    }
}

void ActivityPage::ask(sql::SignalVerb verb)
{
    const sql::BackendActivity *chosen = m_activity->model()->backend(m_tree->currentIndex());
    if (chosen == nullptr) {
        return;
    }
    const sql::BackendActivity backend
        = *chosen; // the list goes on while the dialog is open; what was seen is what is meant
    const QString age = backend.transactionStart
        ? models::TimeFormat::age(*backend.transactionStart, m_activity->model()->report().now)
        : QString();
    auto *dialog = new SignalDialog(backend, verb, age, roleOf(*m_activity->model(), backend), m_connection->title(),
        m_connection->settings().environment, this);
    connect(dialog, &QDialog::accepted, this, [this, dialog, backend, verb] {
        m_activity->signalBackend(backend, verb, dialog->reason(), dialog->ticket());
    });
    openDialog(dialog);
}

void ActivityPage::onSignalled(const QString &text, const std::optional<sql::Error> &error)
{
    m_told = true;
    if (error) {
        m_notice->showError(*error);
    } else {
        m_notice->showNotice(NoticeBar::Kind::Info, text, tr("Recorded in the audit log, with who did it and why."));
    }
    m_center->refresh();
}

} // namespace idemdesk::ui
