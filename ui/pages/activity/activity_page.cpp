// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/activity/activity_page.h"

#include "models/actions/action_center.h"
#include "models/activity/activity_controller.h"
#include "models/activity/activity_model.h"
#include "models/connection/connection_controller.h"
#include "models/settings.h"
#include "models/table/item_role.h"
#include "ui/delegates/health_delegate.h"
#include "ui/dialogs/signal_dialog.h"
#include "ui/pages/activity/session_pane.h"
#include "ui/theme/theme.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kEachSeconds = 2; // while somebody looks at it
constexpr int kLeastTreePercent = 40; // of the page, beside the pane
constexpr int kMostTreePercent = 60;
constexpr int kMostWidth = 240; // pixels of a column that is not the statement's
constexpr int kLeastStatement = 200;
constexpr int kFromLeft[] = { models::ActivityModel::Pid, models::ActivityModel::Standing, models::ActivityModel::State,
    models::ActivityModel::Transaction, models::ActivityModel::User, models::ActivityModel::Application,
    models::ActivityModel::Client };
/// What the pane beneath says of the selected session, and the badges in other words.
constexpr int kNeverShown[] = { models::ActivityModel::Wait, models::ActivityModel::Locks,
    models::ActivityModel::BlockedBy, models::ActivityModel::Blocks };
constexpr int kFirstToFold[]
    = { models::ActivityModel::Client, models::ActivityModel::Application, models::ActivityModel::User };

/// A badge where a session holds others up or is held up; elsewhere the text.
class SessionDelegate final : public CellDelegate
{
public:
    using CellDelegate::CellDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QVariant level = index.data(models::LevelRole);
        if (!level.isValid()) {
            CellDelegate::paint(painter, option, index);
            return;
        }
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const Badge badge = healthBadge(static_cast<sql::HealthLevel>(level.toInt()), cell.text);
        cell.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, option.widget);
        paintBadge(painter, cell.rect.adjusted(kCellPadding, 0, -kGrid, 0), badge, cell.font, themeColor(Token::Base));
    }
};

/// A statement is code: in letters of one width.
class StatementDelegate final : public CellDelegate
{
public:
    using CellDelegate::CellDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        CellDelegate::initStyleOption(option, index);
        const qreal size = option->font.pointSizeF(); // the person may have chosen larger texts since
        option->font = Theme::monospace();
        option->font.setPointSizeF(size);
        option->fontMetrics = QFontMetrics(option->font);
    }
};

/// Whom ending it frees: two sessions that wait for each other are one number apart.
QString roleOf(const models::ActivityModel &model, const sql::BackendActivity &backend)
{
    const int waiting = model.waitersFor(backend.pid);
    if (waiting > 0) {
        return ActivityPage::tr("%n session(s)", nullptr, waiting);
    }
    return backend.blockedBy.isEmpty()
        ? ActivityPage::tr("No session")
        : ActivityPage::tr("No session: it waits for session %1 itself").arg(backend.blockedBy.constFirst());
}

} // namespace

using models::ActivityModel;

Page::Face ActivityPage::ownFace()
{
    return { u"activity"_s, tr("Activity"), u"activity"_s };
}

ActivityPage::ActivityPage(models::ConnectionController *connection, models::ActivityController *activity,
    models::ActionCenter *center, models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_activity(activity)
    , m_center(center)
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_tree(new QTreeView(this))
    , m_pane(new SessionPane(this))
    , m_notice(new NoticeBar(this))
    , m_counters(noteLabel({}, u"activityCounters"_s, this))
    , m_waiting(plainLabel({}, this))
{
    setObjectName(u"activityPage"_s);
    auto *header = new PageHeader(tr("Activity"), this);
    m_waiting->setObjectName(u"activityWaiting"_s);
    header->add({ m_waiting, nullptr });
    QToolButton *refresh = header->addCommand(u"activityRefresh"_s, u"refresh"_s, tr("Refresh (F5)"));
    connect(refresh, &QToolButton::clicked, activity, &models::ActivityController::refresh);
    setUpSessions(settings);
    splitInTwo(m_split, m_tree, m_pane, 1, 1);
    m_stack->setContent(m_split);
    auto *layout = pageColumn(this);
    layout->addWidget(header);
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_counters);
    wire();
    sync();
}

void ActivityPage::setUpSessions(models::Settings *settings)
{
    setUpTree(m_tree,
        { u"activityTree"_s, tr("Sessions on the tables, each above those that wait for it"), m_activity->model(), {} },
        settings);
    QHeaderView *header = m_tree->header();
    header->setProperty(kFitsItself, true);
    for (int i = 0; i < int(std::size(kFromLeft)); ++i) {
        header->moveSection(header->visualIndex(kFromLeft[i]), i);
    }
    for (const int column : kNeverShown) {
        m_tree->setColumnHidden(column, true);
    }
    for (const int column : { ActivityModel::Standing, ActivityModel::State }) {
        m_tree->setItemDelegateForColumn(column, new SessionDelegate(m_tree));
    }
    m_tree->setItemDelegateForColumn(ActivityModel::Statement, new StatementDelegate(m_tree));
    m_tree->viewport()->installEventFilter(this);
    connect(header, &QHeaderView::sectionResized, this, [this](int column) {
        const bool pulled = !m_fitting && column != ActivityModel::Statement // which takes what is left
            && QApplication::mouseButtons() != Qt::NoButton;
        m_columnsByHand = m_columnsByHand || pulled;
    });
}

void ActivityPage::wire()
{
    connect(m_split, &QSplitter::splitterMoved, this, [this] { m_splitByHand = true; });
    connect(m_pane->cancelButton(), &QPushButton::clicked, this, [this] { ask(sql::SignalVerb::Cancel); });
    connect(m_pane->terminateButton(), &QPushButton::clicked, this, [this] { ask(sql::SignalVerb::Terminate); });
    connect(m_notice, &NoticeBar::primaryClicked, m_activity, &models::ActivityController::refresh);
    connect(m_activity, &models::ActivityController::changed, this, &ActivityPage::sync);
    connect(m_activity, &models::ActivityController::signalled, this, &ActivityPage::onSignalled);
    connect(m_center, &models::ActionCenter::changed, this, &ActivityPage::sync);
    connect(m_center, &models::ActionCenter::allowanceChanged, this, &ActivityPage::sync);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &ActivityPage::sync);
    ActivityModel *model = m_activity->model();
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, &ActivityPage::rememberSelection);
    connect(model, &QAbstractItemModel::modelReset, this, &ActivityPage::restoreSelection);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ActivityPage::sync);
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

void ActivityPage::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    sync();
}

void ActivityPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    QMetaObject::invokeMethod(this, &ActivityPage::fitTree, Qt::QueuedConnection); // the stack has its height later
}

void ActivityPage::changeEvent(QEvent *event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        const auto fit = [this] {
            fitTree();
            fitColumns(true);
        };
        QMetaObject::invokeMethod(this, fit, Qt::QueuedConnection); // once all have the new size
    }
}

bool ActivityPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_tree->viewport() && event->type() == QEvent::Resize) {
        QMetaObject::invokeMethod(
            this, [this] { fitColumns(true); }, Qt::QueuedConnection);
    }
    return Page::eventFilter(watched, event);
}

void ActivityPage::rememberSelection()
{
    const sql::BackendActivity *backend = m_activity->model()->backend(m_tree->currentIndex());
    m_selected = backend != nullptr ? backend->pid : 0;
}

void ActivityPage::fitTree()
{
    const int room = m_stack->height();
    if (m_splitByHand || room <= 0 || m_activity->model()->rowCount() == 0) {
        return;
    }
    const int row = m_tree->sizeHintForIndex(m_activity->model()->index(0, 0)).height();
    const int sessions = int(m_activity->model()->report().backends.size());
    const int wanted = m_tree->header()->sizeHint().height() + sessions * row + kGrid;
    const int least = m_split->handleWidth() + (room * kLeastTreePercent + 99) / 100; // of what the two share
    const int height = std::clamp(wanted, least, room * kMostTreePercent / 100);
    m_split->setSizes({ height, room - height });
}

int ActivityPage::cellWidth(const QModelIndex &index, int depth) const
{
    const QString text = index.data().toString();
    if (index.data(models::LevelRole).isValid()) {
        return badgeWidth({ text }, m_tree->font()) + kCellPadding + 2 * kGrid;
    }
    const int indent = index.column() == ActivityModel::Pid ? m_tree->indentation() * (1 + depth) : 0;
    // A text whose width was rounded down would be cut.
    return QFontMetrics(m_tree->font()).horizontalAdvance(text) + 2 * kCellPadding + kGrid + indent;
}

QHash<int, int> ActivityPage::neededWidths() const
{
    const ActivityModel &model = *m_activity->model();
    QHash<int, int> widths;
    for (const int column : kFromLeft) {
        const QString title = model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        widths[column] = m_tree->header()->fontMetrics().horizontalAdvance(title) + 2 * kCellPadding + kGrid;
    }
    const std::function<void(const QModelIndex &, int)> measure = [&](const QModelIndex &parent, int depth) {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            for (const int column : kFromLeft) {
                // A badge is a fact, and whole; names may be of any length.
                const bool whole = column == ActivityModel::Standing || column == ActivityModel::State
                    || column == ActivityModel::Pid;
                const int wide = cellWidth(model.index(row, column, parent), depth);
                widths[column] = std::max(widths[column], whole ? wide : std::min(wide, Theme::scaled(kMostWidth)));
            }
            measure(model.index(row, 0, parent), depth + 1);
        }
    };
    measure({}, 0);
    return widths;
}

void ActivityPage::fitColumns(bool anew)
{
    if (m_columnsByHand || m_activity->model()->rowCount() == 0) {
        return;
    }
    const QScopedValueRollback fitting(m_fitting, true);
    QHash<int, int> widths = neededWidths();
    bool tooNarrow = anew;
    for (const int column : kFromLeft) { // columns that followed each reading would dance
        const int had = anew ? 0 : m_widths.value(column);
        tooNarrow = tooNarrow || widths.value(column) > had;
        widths[column] = std::max(widths.value(column), had);
    }
    if (!tooNarrow) {
        return;
    }
    m_widths = widths;
    int needed = Theme::scaled(kLeastStatement);
    for (const int column : kFromLeft) {
        m_tree->setColumnHidden(column, false);
        m_tree->setColumnWidth(column, widths.value(column));
        needed += m_tree->columnWidth(column);
    }
    for (const int column : kFirstToFold) {
        if (needed > m_tree->viewport()->width()) {
            needed -= m_tree->columnWidth(column);
            m_tree->setColumnHidden(column, true);
        }
    }
}

void ActivityPage::restoreSelection()
{
    m_tree->expandAll();
    fitTree();
    const ActivityModel &model = *m_activity->model();
    m_gone = model.rowCount() > 0 ? m_gone : 0;
    // Who holds up most is what to look at, so at first it is the one that is shown; nothing is begun by that. Later
    // only a person chooses whom the buttons are about: no other one where that one has gone.
    QModelIndex index = m_selected != 0 ? model.indexOfPid(m_selected) : QModelIndex();
    if (m_selected == 0 && m_gone == 0 && model.waiting() > 0) {
        index = model.index(0, 0);
    }
    m_gone = m_selected != 0 && !index.isValid() ? m_selected : m_gone;
    m_tree->setCurrentIndex(index);
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

void ActivityPage::syncNotice()
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
}

/// An empty list is an answer: it says to what, and of when.
void ActivityPage::syncEmpty()
{
    EmptyState *empty = m_stack->empty();
    const sql::ActivityReport &report = m_activity->model()->report();
    m_stack->showContent(m_activity->model()->rowCount() > 0);
    if (m_connection->state() != sql::LinkState::Connected) {
        empty->show(
            u"connect"_s, tr("Not connected"), tr("The sessions at work on the tables of a database appear here."));
    } else if (m_activity->error()) {
        empty->show(u"activity"_s, tr("Not known who uses the tables"),
            tr("The message above says why. It is tried again every %1 seconds.").arg(kEachSeconds));
    } else if (report.now.micros == 0) {
        empty->show(u"activity"_s, tr("Looking for sessions"),
            tr("Sessions that hold or await a lock on a table appear here, each above those that wait for it."));
    } else {
        const QString time = m_format.text(report.now).section(u' ', 1);
        empty->show(u"done"_s, tr("No session waits for a lock"),
            tr("No session holds or awaits a lock on %n table(s).", nullptr, m_activity->tables()) + u'\n'
                + tr("Looked at %1, and again every %2 seconds.").arg(time).arg(kEachSeconds));
    }
}

void ActivityPage::syncWaiting()
{
    const ActivityModel &model = *m_activity->model();
    const auto oldest = model.oldestWait();
    QString text;
    if (model.waiting() > 0) {
        text = tr("%n session(s) blocked.", nullptr, model.waiting());
        if (oldest && model.report().now.micros - oldest->micros >= sql::kMicros) { // below it nothing is said
            text += u' ' + tr("Longest: up to %1.").arg(models::TimeFormat::age(*oldest, model.report().now));
        }
    } else if (model.rowCount() > 0) {
        text = tr("No session is blocked.");
    }
    m_waiting->setText(text);
}

void ActivityPage::syncButtons()
{
    const QString why = m_center->whyNot();
    const bool may = why.isEmpty() && m_tree->currentIndex().isValid() && !m_activity->signalling();
    const sql::BackendActivity *chosen = m_activity->model()->backend(m_tree->currentIndex());
    const bool idle = chosen != nullptr && chosen->state.startsWith(u"idle"_s); // there is nothing to cancel
    for (QPushButton *button : { m_pane->cancelButton(), m_pane->terminateButton() }) {
        const bool cancels = button == m_pane->cancelButton();
        button->setEnabled(may && !(idle && cancels));
        button->setToolTip(!why.isEmpty() ? why
                : chosen == nullptr       ? tr("Choose a session first.")
                : idle && cancels         ? tr("It runs no statement. End the session instead.")
                                          : QString());
    }
}

void ActivityPage::sync()
{
    syncNotice();
    syncEmpty();
    syncWaiting();
    fitColumns(false);
    const sql::BackendActivity *chosen = m_activity->model()->backend(m_tree->currentIndex());
    const bool connected = m_connection->state() == sql::LinkState::Connected;
    m_gone = chosen == nullptr && connected ? m_gone : 0;
    if (chosen == nullptr && m_pane->isAncestorOf(QApplication::focusWidget())) {
        m_tree->setFocus(); // the buttons are about to go
    }
    m_pane->showSession(*m_activity->model(), chosen, m_gone);
    syncButtons();
    const QString counters = countersText(m_activity->model()->report());
    m_counters->setText(counters);
    m_counters->setToolTip(
        tr("Others are all programs but this one. Each reading of idemdeskctl ends with a rollback, too."));
    m_counters->setVisible(!counters.isEmpty());
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
    auto *dialog = new SignalDialog(backend, verb, age, roleOf(*m_activity->model(), backend), m_center->place(),
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
