// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/key_table_model.h"

#include "models/format/display_text.h"
#include "models/keys/key_cells.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// A place this far from a known one is read by skipping; farther ones wait for boundaries.
constexpr qint64 kMaxSkip = 50'000;

} // namespace

KeyTableModel::KeyTableModel(QObject *parent)
    : QAbstractTableModel(parent)
{
    m_pump.setSingleShot(true);
    m_pump.setInterval(0);
    connect(&m_pump, &QTimer::timeout, this, &KeyTableModel::pump);
}

KeyTableModel::~KeyTableModel() = default;

void KeyTableModel::setSource(const sql::Target &target, KeyFetchers fetchers)
{
    clearSource();
    beginResetModel();
    m_target = target;
    m_columns = keyColumns(target);
    m_fetchers = std::move(fetchers);
    endResetModel();
}

void KeyTableModel::setFetchers(KeyFetchers fetchers)
{
    m_fetchers = std::move(fetchers);
}

void KeyTableModel::clearSource()
{
    ++m_generation;
    ++m_ticket;
    ++m_countTicket;
    if (m_active && m_fetchers.cancel) {
        m_fetchers.cancel();
    }
    beginResetModel();
    m_pages.clear();
    m_target = {};
    m_columns.clear();
    m_fetchers = {};
    m_filter = {};
    m_order.clear();
    m_now.reset();
    m_notes.clear();
    m_orderUsed.clear();
    m_tookMicros = 0;
    m_active = m_firstPending = m_outdated = m_running = false;
    m_refreshing.reset();
    m_refreshWanted = m_failing = m_endKnown = false;
    m_countRunning = m_boundariesRunning = m_boundariesTried = false;
    m_exactTookMs = m_lastExact = -1;
    m_jumpTo.reset();
    m_wanted.clear();
    m_visibleFirst = m_visibleLast = -1;
    endResetModel();
    setCount({});
    emit busyChanged();
}

void KeyTableModel::setQuery(const sql::Filter &filter, const sql::OrderLabel &order)
{
    if (!m_fetchers.page) {
        return;
    }
    ++m_generation;
    ++m_ticket; // before cancelling: answers given up now concern nobody
    ++m_countTicket;
    if (m_active && m_fetchers.cancel) {
        m_fetchers.cancel();
    }
    m_active = true;
    m_filter = filter;
    m_order = order;
    m_firstPending = true;
    m_refreshing.reset();
    m_refreshWanted = false;
    m_wanted.clear();
    m_jumpTo.reset();
    m_countRunning = m_boundariesRunning = m_boundariesTried = false;
    m_exactTookMs = m_lastExact = -1;
    m_pages.dropBoundaries();
    m_outdated = rowCount() > 0;
    m_now.reset();
    setCount({});
    if (m_outdated) {
        emitRows(m_pages.first(), m_pages.end() - 1);
    }
    send(0, {}, true);
}

void KeyTableModel::cancel()
{
    ++m_ticket;
    ++m_countTicket;
    if (m_fetchers.cancel) {
        m_fetchers.cancel();
    }
    m_countRunning = m_boundariesRunning = false;
    m_refreshing.reset();
    m_refreshWanted = false;
    if (m_running) {
        sql::Error error;
        error.kind = sql::ErrorKind::Cancelled;
        error.what = tr("Reading the list was cancelled.");
        setRunning(false);
        if (m_firstPending) {
            failFirst(error);
        } else {
            failPage(m_runningPage, error);
        }
    }
    for (const qint64 page : std::exchange(m_wanted, {})) {
        if (m_pages.find(page) == nullptr && m_pages.failure(page) == nullptr) {
            sql::Error error;
            error.kind = sql::ErrorKind::Cancelled;
            error.what = tr("Reading the list was cancelled.");
            failPage(page, error);
        }
    }
    emit countChanged();
}

void KeyTableModel::retry(int row)
{
    if (!m_active) {
        return;
    }
    if (m_pages.end() == m_pages.first() && !m_firstPending && m_failing) {
        setQuery(m_filter, m_order);
        return;
    }
    const QList<qint64> pages = row < 0 ? m_pages.failures() : QList<qint64> { PageCache::pageOf(m_pages.first() + row) };
    for (const qint64 page : pages) {
        m_pages.clearFailure(page);
        want(page);
        emitRows(page * PageCache::kSize, page * PageCache::kSize + PageCache::kSize - 1);
    }
    if (pages.isEmpty() && m_failing) {
        refresh();
    }
}

void KeyTableModel::setVisibleRows(int first, int last)
{
    m_visibleFirst = first;
    m_visibleLast = std::max(first, last);
}

int KeyTableModel::jumpToRow(qint64 number)
{
    const qint64 total = m_endKnown && m_pages.originKnown() ? m_pages.end() : m_count.rows;
    if (!m_active || m_firstPending || number < 0 || number >= std::max(total, m_pages.originKnown() ? m_pages.end() : 0)) {
        return -1;
    }
    if (m_pages.originKnown() && number >= m_pages.first() && number < m_pages.end()) {
        return int(number - m_pages.first());
    }
    const qint64 rows = std::max(total, number + 1);
    qint64 first = std::clamp<qint64>(number - kMaxWindow / 2, 0, std::max<qint64>(0, rows - kMaxWindow));
    first -= first % PageCache::kSize;
    ++m_ticket;
    setRunning(false);
    m_refreshing.reset();
    if (!m_pages.originKnown()) {
        m_pages.clearPages();
        m_pages.setOriginKnown(true);
        m_endKnown = false;
    }
    reset(first, std::min(rows, first + kMaxWindow));
    emit windowMoved();
    return int(number - first);
}

sql::Result<void> KeyTableModel::jumpToTime(const sql::Timestamp &time)
{
    if (!m_active || m_firstPending || !m_fetchers.cursorAtTime) {
        sql::Error error;
        error.kind = sql::ErrorKind::Usage;
        error.what = tr("There is no list to jump in yet.");
        return error;
    }
    const auto cursor = m_fetchers.cursorAtTime(m_order, time);
    if (!cursor.ok()) {
        return cursor.error();
    }
    const qint64 anchor = estimateRowAt(time);
    const auto total = std::max<qint64>({ m_count.rows, anchor + PageCache::kSize, m_pages.end() - m_pages.first() });
    ++m_ticket;
    setRunning(false);
    m_refreshing.reset();
    m_pages.clearPages();
    m_pages.setOriginKnown(false);
    m_pages.setAnchor(anchor, *cursor);
    m_endKnown = false;
    const qint64 first = std::max<qint64>(0, anchor - kMaxWindow / 2);
    m_jumpTo = anchor;
    reset(first - first % PageCache::kSize, std::min(total, first + kMaxWindow));
    want(PageCache::pageOf(anchor));
    emit windowMoved();
    return {};
}

bool KeyTableModel::jumpToFront()
{
    if (!m_active || m_pages.originKnown()) {
        return false;
    }
    setQuery(m_filter, m_order);
    m_jumpTo = 0;
    return true;
}

void KeyTableModel::setTimeFormat(const TimeFormat &format)
{
    if (format == m_timeFormat) {
        return;
    }
    m_timeFormat = format;
    if (rowCount() > 0) {
        emitRows(m_pages.first(), m_pages.end() - 1);
    }
}

int KeyTableModel::columnOf(KeyColumn column) const
{
    for (int i = 0; i < m_columns.size(); ++i) {
        if (m_columns.at(i).column == column) {
            return i;
        }
    }
    return -1;
}

sql::RowCount KeyTableModel::estimate() const
{
    if (!m_active || !m_filter.empty() || m_target.relation.estimatedRows < 0) {
        return {};
    }
    return { sql::RowCount::Kind::Estimated, qint64(m_target.relation.estimatedRows) };
}

qint64 KeyTableModel::numberOf(int row) const { return m_pages.first() + row; }

std::optional<sql::KeyRecord> KeyTableModel::record(int row) const
{
    const sql::KeyRecord *found = row < 0 || row >= rowCount() ? nullptr : m_pages.row(m_pages.first() + row);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

int KeyTableModel::rowOf(const sql::Cells &identity) const
{
    for (const qint64 number : m_pages.loaded()) {
        const Page *page = m_pages.find(number);
        for (int i = 0; i < page->rows.size(); ++i) {
            const qint64 row = number * PageCache::kSize + page->offset + i;
            if (page->rows.at(i).identity == identity && row >= m_pages.first() && row < m_pages.end()) {
                return int(row - m_pages.first());
            }
        }
    }
    return -1;
}

int KeyTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_pages.end() - m_pages.first());
}

int KeyTableModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_columns.size()); }

QVariant KeyTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const KeyColumnSpec &spec = m_columns.at(index.column());
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment((spec.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    const qint64 number = m_pages.first() + index.row();
    if (role == RowNumberRole) {
        return number + 1;
    }
    const qint64 pageNumber = PageCache::pageOf(number);
    const Page *page = m_pages.touch(pageNumber);
    const sql::KeyRecord *record = page == nullptr ? nullptr : m_pages.row(number);
    if (record == nullptr) {
        if (page == nullptr) {
            want(pageNumber);
        }
        return absentData(pageNumber, spec, role);
    }
    switch (role) {
    case Qt::DisplayRole:
        return keyCellText(*record, spec, m_timeFormat, m_now.value_or(sql::Timestamp()));
    case Qt::ToolTipRole:
        return keyCellToolTip(*record, spec, m_timeFormat, m_now.value_or(sql::Timestamp()));
    case Qt::AccessibleTextRole:
        return QString(spec.title + u": "_s + keyCellText(*record, spec, m_timeFormat, m_now.value_or(sql::Timestamp())));
    case RawRole:
        return keyCellRaw(*record, spec);
    case RecordRole:
        return QVariant::fromValue(*record);
    case StateRole:
        return int(record->state);
    case StaleRole:
        return record->stale ? QVariant(*record->stale) : QVariant();
    case ExpiredRole:
        return record->expired ? QVariant(*record->expired) : QVariant();
    case LoadStateRole:
        return int(m_outdated ? LoadState::Outdated : LoadState::Loaded);
    case ApproximateRole:
        return page->approximate || !m_pages.originKnown();
    case ErrorRole:
        return keyCellError(*record, spec);
    default:
        return {};
    }
}

QVariant KeyTableModel::absentData(qint64 page, const KeyColumnSpec &spec, int role) const
{
    const sql::Error *error = m_pages.failure(page);
    const bool leading = spec.column == KeyColumn::Key;
    switch (role) {
    case Qt::DisplayRole:
        return leading ? (error != nullptr ? displayText(error->what) : u"…"_s) : QString();
    case Qt::ToolTipRole:
        return error != nullptr ? displayText(error->line(), kToolTipChars) : tr("This row is still being read.");
    case Qt::AccessibleTextRole:
        return error != nullptr ? displayText(error->what) : tr("Loading");
    case LoadStateRole:
        return int(error != nullptr ? LoadState::Failed : m_outdated ? LoadState::Outdated : LoadState::Loading);
    case ApproximateRole:
        return true;
    case ErrorRole:
        return error != nullptr ? displayText(error->line(), kToolTipChars) : QString();
    default:
        return {};
    }
}

QVariant KeyTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical) {
        return role == Qt::DisplayRole && section >= 0 && section < rowCount() ? QVariant(m_pages.first() + section + 1) : QVariant();
    }
    if (section < 0 || section >= m_columns.size()) {
        return {};
    }
    const KeyColumnSpec &spec = m_columns.at(section);
    switch (role) {
    case Qt::DisplayRole:
        return spec.title;
    case Qt::ToolTipRole:
        return spec.help;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((spec.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    default:
        return {};
    }
}

QHash<int, QByteArray> KeyTableModel::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractTableModel::roleNames();
    names.insert({ { RawRole, "raw" }, { RecordRole, "record" }, { StateRole, "state" }, { StaleRole, "stale" },
        { ExpiredRole, "expired" }, { LoadStateRole, "loadState" }, { ApproximateRole, "approximate" }, { ErrorRole, "error" },
        { RowNumberRole, "rowNumber" } });
    return names;
}

bool KeyTableModel::waitsForBoundaries(const PagePlan &plan) const { return plan.skip > kMaxSkip && m_boundariesRunning; }

} // namespace idemdesk::models

#include "moc_key_table_model.cpp"
