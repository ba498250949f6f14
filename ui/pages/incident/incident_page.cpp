// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/incident_page.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/incident/incident_controller.h"
#include "models/overview/overview_controller.h"
#include "models/settings.h"
#include "ui/delegates/count_delegate.h"
#include "ui/pages/incident/incident_tile.h"
#include "ui/pages/incident/note_list.h"
#include "ui/pages/incident/scopes_pane.h"
#include "ui/pages/incident/state_share.h"
#include "ui/pages/incident/table_delegates.h"
#include "ui/pages/incident/tile_row.h"
#include "ui/pages/incident/whole_rows.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/table_setup.h"

#include <QEvent>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

using TableColumn = models::OverviewModel::Column;

constexpr int kTableRow = 44; // pixels: a title with a name beneath
constexpr int kTileCount = 7;
constexpr int kCardsHeight = 156;
constexpr int kLowCardsHeight = 124;
constexpr int kLowPage = 680; // pixels, at texts of the usual size; less is for the tables
constexpr int kLeastTitle = 190;
constexpr int kWholeTitle = 256; // of a usual name and its alerts
constexpr int kUsualStates = 200;
constexpr int kLeastStates = 140;

/// Widths of the tables' columns, but of the title, which takes the rest.
constexpr std::pair<int, int> kTableWidths[] = { { TableColumn::States, kUsualStates }, { TableColumn::Stale, 68 },
    { TableColumn::OldestStale, 92 }, { TableColumn::Failures, 84 }, { TableColumn::Day, 120 },
    { TableColumn::Rows, 100 }, { TableColumn::Expired, 104 }, { TableColumn::Size, 84 } };
/// What goes first where there is little room: none of these says that somebody has to act.
constexpr int kFirstToGo[] = { TableColumn::Size, TableColumn::Expired, TableColumn::Rows, TableColumn::Day };
constexpr int kWallSeconds = 15; // between two readings on a wall; it counts whole tables
constexpr int kDeskSeconds = 60;
constexpr int kOldSeconds = 75; // a minute, and what a reading takes
constexpr int kMissedReadings = 3; // on a wall
constexpr int kExpandedPart = 2; // times the height of the cards

} // namespace

Page::Face IncidentPage::ownFace()
{
    return { u"incident"_s, tr("Incident"), u"incident"_s };
}

IncidentPage::IncidentPage(const Sources &from, models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(from.connection)
    , m_incident(from.incident)
    , m_overview(from.overview)
    , m_settings(settings)
    , m_stack(new ContentStack(this))
    , m_problems(new NoticeBar(this))
    , m_failed(new NoticeBar(this))
    , m_age(plainLabel({}, this))
    , m_onlyLooks(noteLabel({}, u"incidentOnlyLooks"_s, this))
{
    setObjectName(u"incidentPage"_s);
    layOut();
    wire();
    openScopes({});
    sync();
}

QWidget *IncidentPage::buildHeader()
{
    auto *header = new PageHeader(tr("Incident"), this);
    m_age->setObjectName(u"incidentAge"_s);
    m_age->setForegroundRole(QPalette::PlaceholderText);
    header->add({ nullptr, m_age });
    m_add = new QPushButton(themedIcon(u"plus"_s), tr("Add table…"), this);
    m_add->setObjectName(u"addTable"_s);
    QToolButton *refresh = iconButton(u"incidentRefresh"_s, u"refresh"_s, tr("Refresh (F5)"), this);
    m_commands = new QWidget(this);
    barRow({ refresh, m_add }, m_commands);
    header->add(m_commands, 0);
    connect(m_add, &QPushButton::clicked, this, &IncidentPage::addTableClicked);
    connect(refresh, &QToolButton::clicked, m_incident, &models::IncidentController::refresh);
    return header;
}

QWidget *IncidentPage::buildCards()
{
    const std::tuple<QString, QString, models::IncidentNotes *, int> cards[] = {
        { u"incidentChanges"_s, tr("What changed in the last hour"), m_incident->changes(), 10 },
        { u"incidentAlerts"_s, tr("Alerts"), m_incident->alerts(), 11 },
        { u"incidentActions"_s, tr("Actions"), m_incident->actions(), 9 },
    };
    auto *row = new QWidget(this);
    QHBoxLayout *layout = barRow({}, row);
    for (const auto &[name, title, notes, share] : cards) {
        auto *card = new NoteCard(name, title, notes, row);
        connect(card, &NoteCard::linkActivated, this, &IncidentPage::follow);
        layout->addWidget(card, share);
        m_noteCards += card;
    }
    connect(m_noteCards.at(0), &NoteCard::allWanted, this, [this] {
        m_expanded = !m_expanded; // what changed stands nowhere else
        m_noteCards.at(0)->setExpanded(m_expanded);
        syncRoom();
    });
    m_noteCards.at(1)->setCountsKinds();
    connect(m_noteCards.at(1), &NoteCard::allWanted, this, &IncidentPage::alertsWanted);
    connect(m_noteCards.at(2), &NoteCard::allWanted, this, [this] { emit pageWanted(u"audit"_s); });
    m_cards = row;
    return row;
}

QWidget *IncidentPage::buildTiles()
{
    auto *row = new TileRow(this);
    for (int i = 0; i < kTileCount; ++i) {
        auto *tile = new IncidentTileButton(row);
        connect(tile, &IncidentTileButton::linkActivated, this, &IncidentPage::follow);
        m_tiles += tile;
        row->add(tile);
    }
    m_tileRow = row;
    return row;
}

QWidget *IncidentPage::buildTables()
{
    m_tables = new QTableView(this);
    m_scopes = new ScopesPane(m_connection, m_overview, m_settings, this);
    m_legend = new StateLegend(this);
    setUpSmallTable(m_tables, { u"incidentTables"_s, tr("Tables, worst first"), m_overview->model(), {} }, kTableRow);
    m_tables->setItemDelegate(new CountDelegate(m_tables));
    m_tables->setItemDelegateForColumn(TableColumn::Title, new TableTitleDelegate(m_tables));
    auto *bars = new StateBarDelegate(m_tables);
    m_tables->setItemDelegateForColumn(TableColumn::States, bars);
    m_tables->setItemDelegateForColumn(TableColumn::Day, new DayDelegate(m_tables));
    auto *quiet = new QuietNumberDelegate(m_tables); // nobody has to act on these
    for (const int column : { TableColumn::Rows, TableColumn::Expired, TableColumn::Size }) {
        m_tables->setItemDelegateForColumn(column, quiet);
    }
    connect(bars, &StateBarDelegate::shareClicked, this, [this](const QModelIndex &index, const QString &filter) {
        emit keysWanted(index.data(models::TargetNameRole).toString(), filter);
    });
    for (const auto &[column, width] : kTableWidths) {
        fitToHeader(m_tables, column, width);
    }
    m_tables->horizontalHeader()->setStretchLastSection(false); // names need the room, sizes do not
    m_tables->horizontalHeader()->setSectionResizeMode(TableColumn::Title, QHeaderView::Stretch);
    m_tables->horizontalHeader()->setMinimumSectionSize(60);
    m_tables->viewport()->installEventFilter(this);
    auto *list = new QWidget(this);
    auto *column = partColumn(list);
    auto *head = new QWidget(list);
    QLabel *title = strongLabel(tr("Tables, worst first"), head);
    title->setToolTip(
        tr("Tables with a firing alert, or a key stuck for an hour, stand first; of these the longest stuck."));
    m_rest = noteLabel({}, u"incidentRest"_s, head);
    m_rest->setWordWrap(false);
    QLabel *scale = plainLabel(tr("bars not to scale"), head);
    scale->setForegroundRole(QPalette::PlaceholderText);
    scale->setToolTip(tr("A small share is drawn wider than it is, so that it is seen."));
    barRow({ title, m_rest, m_legend, scale }, head);
    column->addWidget(head);
    column->addWidget(new WholeRows(m_tables, kTableRow, list), 1);
    auto *splitter = new QSplitter(Qt::Vertical, this);
    splitInTwo(splitter, list, m_scopes, 3, 2);
    return splitter;
}

/// The keyboard goes through the parts in the order in which they are made.
void IncidentPage::layOut()
{
    auto *layout = pageColumn(this);
    layout->addWidget(buildHeader());
    layout->addWidget(m_onlyLooks);
    m_onlyLooks->hide();
    layout->addWidget(m_problems);
    layout->addWidget(m_failed);
    auto *content = new QWidget(this);
    auto *column = partColumn(content);
    column->addWidget(buildTiles());
    column->addWidget(buildCards());
    column->addWidget(buildTables(), 1);
    m_stack->setContent(content);
    layout->addWidget(m_stack, 1);
}

void IncidentPage::wire()
{
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr || m_connection->state() == sql::LinkState::Failed) {
            emit connectClicked();
        } else {
            emit addTableClicked();
        }
    });
    connect(m_stack->empty(), &EmptyState::secondClicked, this, &IncidentPage::connectClicked);
    connect(m_tables, &QTableView::activated, this, &IncidentPage::openCell);
    connect(m_tables, &QTableView::pressed, this, [this] { m_openedByPress = std::exchange(m_openedByMove, {}); });
    connect(m_tables, &QTableView::clicked, this, [this](const QModelIndex &index) {
        const bool opened = index.column() == TableColumn::Title
            && std::exchange(m_openedByPress, {}) == index.data(models::TargetNameRole).toString();
        if (index.column() != TableColumn::States && !opened) { // whose parts lead each elsewhere
            openCell(index);
        }
    });
    connect(m_tables->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &to) {
        const QString name = to.data(models::TargetNameRole).toString();
        if (m_scopes->isVisibleTo(this) && !name.isEmpty() && name != m_overview->selectedTarget()) {
            openScopes(name);
            m_openedByMove = name; // where a press made the move, its click must not close the pane again
            QMetaObject::invokeMethod(
                this, [this] { m_openedByMove.clear(); }, Qt::QueuedConnection);
        }
    });
    connect(m_scopes, &ScopesPane::keysWanted, this, &IncidentPage::keysWanted);
    connect(m_scopes, &ScopesPane::closeClicked, this, [this] {
        openScopes({});
        m_tables->setFocus();
    });
    connect(m_failed, &NoticeBar::primaryClicked, m_incident, &models::IncidentController::refresh);
    connect(m_incident, &models::IncidentController::changed, this, &IncidentPage::sync);
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &IncidentPage::sync);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &IncidentPage::sync);
    connect(m_overview, &models::OverviewController::scopesErrorChanged, m_scopes, &ScopesPane::sync);
    connect(m_settings, &models::Settings::autoRefreshChanged, this, &IncidentPage::applyAutoRefresh);
    connect(&m_clock, &QTimer::timeout, this, &IncidentPage::syncAge);
}

void IncidentPage::refresh()
{
    m_incident->refresh();
}

void IncidentPage::setTimeFormat(const models::TimeFormat &format)
{
    m_times = format;
    m_overview->setTimeFormat(format);
    m_incident->setTimeFormat(format);
}

void IncidentPage::activate()
{
    m_front = true;
    syncAge(); // the clock's first beat would leave what was said when the page was left
    m_clock.start(1'000);
    applyAutoRefresh();
}

void IncidentPage::deactivate()
{
    m_front = false;
    m_clock.stop();
    applyAutoRefresh();
}

void IncidentPage::applyAutoRefresh()
{
    const int asked = m_settings->autoRefresh();
    const int seconds = m_kiosk ? kWallSeconds : asked > 0 ? std::max(kWallSeconds, asked) : kDeskSeconds;
    m_incident->setAutoRefresh(m_front ? seconds : 0);
}

void IncidentPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    syncRoom();
}

/// The table gets its width later than the page, and again when its scroll bar comes.
bool IncidentPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_tables->viewport() && event->type() == QEvent::Resize) {
        QMetaObject::invokeMethod(this, &IncidentPage::fitTables, Qt::QueuedConnection);
        QMetaObject::invokeMethod(this, &IncidentPage::syncRest, Qt::QueuedConnection);
    }
    return Page::eventFilter(watched, event);
}

void IncidentPage::changeEvent(QEvent *event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        const auto fit = [this] {
            syncRoom();
            fitTables();
        };
        QMetaObject::invokeMethod(this, fit, Qt::QueuedConnection); // once all have the new size
    }
}

void IncidentPage::syncRoom()
{
    const bool low = height() < Theme::scaled(kLowPage);
    m_cards->setFixedHeight(
        Theme::scaled(low ? kLowCardsHeight : kCardsHeight) * (m_expanded && !m_kiosk ? kExpandedPart : 1));
    for (IncidentTileButton *tile : std::as_const(m_tiles)) {
        tile->setCompact(low);
    }
}

/// Half a column is none: what does not fit is left out, and nothing lies beyond the edge.
void IncidentPage::fitTables()
{
    const int room = m_tables->viewport()->width();
    int taken = 0; // by all but the title
    for (const auto &[column, width] : kTableWidths) {
        if (m_tables->isColumnHidden(column) || column == TableColumn::States) {
            m_tables->setColumnHidden(column, false);
            fitToHeader(m_tables, column, width);
        }
        taken += m_tables->columnWidth(column);
    }
    for (const int column : kFirstToGo) {
        if (taken + Theme::scaled(kLeastTitle) > room) {
            taken -= m_tables->columnWidth(column);
            m_tables->setColumnHidden(column, true);
        }
    }
    // A bar says the same where it is shorter; half a name does not.
    const int states = m_tables->columnWidth(TableColumn::States);
    const int lacking = taken + Theme::scaled(kWholeTitle) - room;
    m_tables->setColumnWidth(
        TableColumn::States, std::clamp(states - lacking, std::min(states, Theme::scaled(kLeastStates)), states));
}

void IncidentPage::setKiosk(bool kiosk)
{
    m_kiosk = kiosk;
    m_commands->setVisible(!kiosk);
    for (IncidentTileButton *tile : std::as_const(m_tiles)) {
        tile->setLarge(kiosk);
    }
    for (NoteCard *card : std::as_const(m_noteCards)) {
        card->setScrollable(!kiosk);
    }
    // Nobody scrolls a wall.
    m_tables->setVerticalScrollBarPolicy(kiosk ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    applyAutoRefresh();
    syncRoom();
    syncAge();
    syncRest();
}

/// A wall cannot be scrolled: what does not fit is counted, and whether any of it needs a person.
void IncidentPage::syncRest()
{
    const auto &entries = m_overview->model()->rows();
    const int last = m_tables->rowAt(m_tables->viewport()->height() - 1);
    const int shown = last < 0 ? int(entries.size()) : last + 1;
    m_rest->setVisible(m_kiosk && shown < entries.size());
    const auto stuck = std::count_if(entries.cbegin() + std::min<qsizetype>(shown, entries.size()), entries.cend(),
        [](const models::OverviewEntry &entry) { return entry.summary && entry.summary->stale.rows > 0; });
    const QString fits = tr("%1 of %2 shown").arg(shown).arg(entries.size());
    m_rest->setText(stuck == 0 ? fits : tr("%1; stuck keys in %n more", nullptr, int(stuck)).arg(fits));
}

void IncidentPage::setOnlyLooks(const QString &why)
{
    m_onlyLooks->setText(why.isEmpty()
            ? QString()
            : tr("%1 can look, not act.").arg(models::displayText(m_connection->facts().user, 80)) + u' ' + why);
    m_onlyLooks->setVisible(!why.isEmpty());
}

bool IncidentPage::complete() const
{
    const auto &entries = m_overview->model()->rows();
    return m_incident->read() && !m_incident->busy() && !entries.isEmpty()
        && std::all_of(entries.begin(), entries.end(),
            [](const models::OverviewEntry &entry) { return entry.summary || entry.error; });
}

void IncidentPage::follow(const models::IncidentLink &link)
{
    switch (link.kind) {
    case models::IncidentLink::Kind::None:
        break;
    case models::IncidentLink::Kind::Keys:
        emit keysWanted(link.target, link.what);
        break;
    case models::IncidentLink::Kind::Alerts:
        emit alertsWanted();
        break;
    case models::IncidentLink::Kind::Action:
        emit actionWanted(link.what);
        break;
    case models::IncidentLink::Kind::Page:
        emit pageWanted(link.what);
        break;
    }
}

/// A title opens the table to its scopes, a small chart its whole, and a number the keys that it counts.
void IncidentPage::openCell(const QModelIndex &index)
{
    const QString target = index.data(models::TargetNameRole).toString();
    if (target.isEmpty()) {
        return;
    }
    if (index.column() == TableColumn::Title) {
        openScopes(m_scopes->isVisibleTo(this) && m_overview->selectedTarget() == target ? QString() : target);
    } else if (index.column() == TableColumn::Day) {
        emit trendWanted(target, u"stale"_s);
    } else {
        emit keysWanted(target, index.data(models::FilterTextRole).toString());
    }
}

void IncidentPage::openScopes(const QString &target)
{
    m_scopes->setVisible(!target.isEmpty());
    m_cards->setVisible(target.isEmpty()); // who looks into one table needs its lines more
    m_overview->selectTarget(target);
    if (!target.isEmpty()) { // whose scopes these are is seen in the list
        m_tables->selectionModel()->select(
            m_overview->model()->index(m_overview->model()->rowOf(target), TableColumn::Title),
            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
    m_scopes->sync();
}

void IncidentPage::sync()
{
    syncEmpty();
    syncNotices();
    syncTiles();
    syncLegend();
    syncAge();
    syncRest();
    if (m_overview->model()->rowCount() > 0 && !m_tables->currentIndex().isValid()) {
        // The list was read again: the chosen table stays chosen, wherever its row is now.
        // Where nobody chose one, none is marked: the keyboard begins at the first.
        const int chosen = m_overview->model()->rowOf(m_overview->selectedTarget());
        m_tables->selectionModel()->setCurrentIndex(m_overview->model()->index(std::max(0, chosen), TableColumn::Title),
            chosen >= 0 ? QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows
                        : QItemSelectionModel::NoUpdate);
    }
    if (m_scopes->isVisibleTo(this)) {
        if (m_connection->target(m_overview->selectedTarget()) == nullptr) {
            openScopes({});
        } else {
            m_scopes->sync();
        }
    }
}

void IncidentPage::syncTiles()
{
    const QList<models::IncidentTile> &tiles = m_incident->tiles();
    for (qsizetype i = 0; i < m_tiles.size() && i < tiles.size(); ++i) {
        m_tiles.at(i)->setTile(tiles.at(i));
        // A server of its own has nothing to lag behind it: no tile for that.
        m_tileRow->setShown(
            m_tiles.at(i), tiles.at(i).id != u"replication"_s || tiles.at(i).level != models::IncidentLevel::Nothing);
        m_tiles.at(i)->setOld(m_failed->isVisibleTo(this) || m_connection->state() != sql::LinkState::Connected);
    }
}

void IncidentPage::syncLegend()
{
    QList<models::StateShare> shares;
    for (const models::OverviewEntry &entry : m_overview->model()->rows()) {
        shares += models::OverviewModel::shares(entry);
    }
    m_legend->setShares(shares);
}

void IncidentPage::syncNotices()
{
    const auto &problems = m_connection->problems();
    if (problems.isEmpty()) {
        m_problems->clear();
    } else {
        m_problems->showNotice(NoticeBar::Kind::Warning, models::problemSummary(problems),
            models::problemText(problems.constFirst()), models::problemTexts(problems).join(u'\n'));
    }
    const QDateTime &last = m_incident->lastRead();
    if (m_incident->error() && last.isValid()) {
        m_failed->showNotice(NoticeBar::Kind::Error,
            tr("The newest reading failed. What is shown is from %1.").arg(last.toString(u"HH:mm:ss")),
            m_incident->error()->line(), {}, tr("Retry"));
    } else {
        m_failed->setError(m_incident->error(), tr("Retry"));
    }
}

void IncidentPage::syncAge()
{
    const QDateTime &last = m_incident->lastRead();
    const qint64 age = last.isValid() ? last.secsTo(QDateTime::currentDateTime()) : 0;
    const bool old = last.isValid() && age >= (m_kiosk ? kMissedReadings * kWallSeconds : kOldSeconds);
    const QString at = last.toString(u"HH:mm:ss");
    m_age->setText(!last.isValid() ? QString()
            : old                  ? tr("Not refreshing: last read %1, %2 ago").arg(at, models::durationText(age))
            : m_kiosk              ? liveText(age)
            : m_incident->busy()   ? tr("Last read %1, reading…").arg(at)
                                   : tr("Last read %1, %2 ago").arg(at, models::durationText(age)));
    const QColor color = themeColor(old ? Token::Warning : Token::MutedText);
    if (m_age->palette().color(m_age->foregroundRole()) != color) {
        QPalette colors;
        colors.setColor(m_age->foregroundRole(), color);
        m_age->setPalette(colors);
    }
}

QString IncidentPage::liveText(qint64 age) const
{
    sql::Timestamp now;
    for (const models::OverviewEntry &entry : m_overview->model()->rows()) {
        if (entry.summary && entry.summary->now > now) {
            now = entry.summary->now;
        }
    }
    const QString live = tr("Live, every %1 s").arg(kWallSeconds);
    if (!now.finite() || now.micros == 0) {
        return live;
    }
    now.micros += age * sql::kMicros;
    return tr("%1 · server %2 %3", "live, time, zone").arg(live, m_times.text(now).mid(11, 8), m_times.zoneText());
}

void IncidentPage::syncEmpty()
{
    const bool tables = m_overview->model()->rowCount() > 0;
    EmptyState *empty = m_stack->empty();
    m_stack->showContent(tables);
    m_add->setVisible(tables); // else the empty state has it
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(tr("What needs a person in a database appears here, with each of its tables."));
    } else if (!tables && m_connection->state() == sql::LinkState::Failed) {
        empty->show(u"connect"_s, tr("No connection"),
            tr("The message above says why. Try again, or connect to another database."), tr("Connect…"));
    } else if (!tables && !m_connection->noTableBecause().isEmpty()) {
        empty->show(u"incident"_s, tr("No table could be read"),
            tr("The message above says why, so what is in this database is not known. The console can look at other "
               "tables."),
            tr("Add a table…"));
    } else if (!m_connection->targetsLoaded()) {
        empty->show(u"incident"_s, tr("Looking for tables"),
            tr("The console looks which of the kinds it knows are in this database."));
    } else if (!tables) {
        empty->show(u"incident"_s,
            tr("No idempotency tables in database %1").arg(models::displayText(m_connection->facts().database, 80)),
            tr("No table here has a known layout. Add one and the columns are suggested."), tr("Add table…"),
            tr("Connect to another database…"));
    }
}

} // namespace idemdesk::ui
