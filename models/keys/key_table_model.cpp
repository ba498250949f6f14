// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/key_table_model.h"

#include "models/format/display_text.h"
#include "models/keys/key_cells.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

KeyTableModel::KeyTableModel(QObject *parent)
    : QAbstractTableModel(parent)
    , m_feed(m_pages, m_counter, [this] { return visiblePages(); })
{
    connect(&m_counter, &RowCounter::counted, this, &KeyTableModel::takeCount);
    connect(&m_counter, &RowCounter::busyChanged, this, &KeyTableModel::countChanged);
    connect(&m_feed, &PageFeed::busyChanged, this, &KeyTableModel::busyChanged);
    connect(&m_feed, &PageFeed::firstRead, this, [this](const sql::Result<sql::KeyPage> &result) {
        result.ok() ? acceptFirst(*result) : failFirst(result.error());
    });
    connect(&m_feed, &PageFeed::pageRead, this, &KeyTableModel::takePage);
    connect(&m_feed, &PageFeed::refreshed, this, [this](const PageRefresh &refresh, const sql::KeyPage &newest) {
        noteFacts(newest);
        merge(refresh);
        emit pageLoaded();
        emit merged();
    });
    connect(&m_feed, &PageFeed::refreshFailed, this, [this](const sql::Error &error) {
        m_failing = true;
        emit failed(error);
    });
}

KeyTableModel::~KeyTableModel() = default;

void KeyTableModel::setSource(const sql::Target &target, KeyFetchers fetchers)
{
    clearSource();
    beginResetModel();
    m_target = target;
    m_columns = keyColumns(target);
    setFetchers(std::move(fetchers));
    endResetModel();
}

void KeyTableModel::setFetchers(KeyFetchers fetchers)
{
    m_counter.setAsk(fetchers.count);
    m_feed.setFetchers(fetchers);
}

void KeyTableModel::clearSource()
{
    m_counter.drop();
    m_feed.clear();
    beginResetModel();
    m_pages.clear();
    m_target = {};
    m_columns.clear();
    m_counter.setAsk({});
    m_notes.clear();
    m_orderUsed.clear();
    m_tookMicros = 0;
    m_outdated = m_failing = m_endKnown = false;
    m_jumpTo.reset();
    m_visibleFirst = m_visibleLast = -1;
    endResetModel();
    m_counter.reset();
    emit busyChanged();
}

void KeyTableModel::setQuery(const sql::Filter &filter, const sql::OrderLabel &order)
{
    if (!m_feed.canRead()) {
        return;
    }
    m_counter.drop();
    m_feed.open(filter, order);
    m_jumpTo.reset();
    m_outdated = rowCount() > 0;
    m_counter.reset();
    if (m_outdated) {
        emitRows(m_pages.first(), m_pages.end() - 1);
    }
    m_feed.readFirst();
}

void KeyTableModel::refresh()
{
    if (!m_feed.active() || m_feed.firstPending() || m_feed.refreshing()) {
        return;
    }
    if (m_failing && m_pages.end() == m_pages.first()) {
        setQuery(filter(), order());
        return;
    }
    m_feed.refresh();
}

void KeyTableModel::cancel()
{
    m_counter.drop();
    m_feed.cancel();
    emit countChanged();
}

void KeyTableModel::retry(int row)
{
    if (!m_feed.active()) {
        return;
    }
    if (m_pages.end() == m_pages.first() && !m_feed.firstPending() && m_failing) {
        setQuery(filter(), order());
        return;
    }
    const QList<qint64> pages
        = row < 0 ? m_pages.failures() : QList<qint64> { PageCache::pageOf(m_pages.first() + row) };
    for (const qint64 page : pages) {
        m_pages.clearFailure(page);
        m_feed.want(page);
        emitPage(page);
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
    const qint64 total = m_endKnown && m_pages.originKnown() ? m_pages.end() : count().rows;
    if (!m_feed.active() || m_feed.firstPending() || number < 0
        || number >= std::max(total, m_pages.originKnown() ? m_pages.end() : 0)) {
        return -1;
    }
    if (m_pages.originKnown() && number >= m_pages.first() && number < m_pages.end()) {
        return int(number - m_pages.first());
    }
    const qint64 rows = std::max(total, number + 1);
    qint64 first = std::clamp<qint64>(number - kMaxWindow / 2, 0, std::max<qint64>(0, rows - kMaxWindow));
    first -= first % PageCache::kSize;
    m_feed.giveUp();
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
    TRY(const auto cursor, m_feed.cursorAtTime(time));
    const qint64 anchor = rowAtTime(m_pages.boundaries(), time, std::max(count().rows, m_pages.end()));
    const auto total = std::max<qint64>({ count().rows, anchor + PageCache::kSize, m_pages.end() - m_pages.first() });
    m_feed.giveUp();
    m_pages.clearPages();
    m_pages.setOriginKnown(false);
    m_pages.setAnchor(anchor, cursor);
    m_endKnown = false;
    m_guessed = m_pages.boundaries().cursors.isEmpty();
    m_seenFront.reset();
    m_seenBack.reset();
    const qint64 first = std::max<qint64>(0, anchor - kMaxWindow / 2);
    m_jumpTo = anchor;
    reset(first - first % PageCache::kSize, std::min(total, first + kMaxWindow));
    m_feed.want(PageCache::pageOf(anchor));
    emit windowMoved();
    return {};
}

bool KeyTableModel::jumpToFront()
{
    if (!m_feed.active() || m_pages.originKnown()) {
        return false;
    }
    setQuery(filter(), order());
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
    if (!m_feed.active() || !filter().empty() || m_target.relation.estimatedRows < 0) {
        return {};
    }
    return { sql::RowCount::Kind::Estimated, qint64(m_target.relation.estimatedRows) };
}

qint64 KeyTableModel::numberOf(int row) const
{
    return m_pages.first() + row - front().value_or(0);
}

std::optional<qint64> KeyTableModel::front() const
{
    if (m_pages.originKnown()) {
        return 0;
    }
    const bool counted = m_seenBack && count().kind == sql::RowCount::Kind::Exact;
    return m_seenFront || !counted ? m_seenFront : std::optional(*m_seenBack - count().rows);
}

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
            const qint64 row = page->firstRow() + i;
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

int KeyTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

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
        return numberOf(index.row()) + 1;
    }
    const qint64 pageNumber = PageCache::pageOf(number);
    const Page *page = m_pages.touch(pageNumber);
    const sql::KeyRecord *record = page == nullptr ? nullptr : m_pages.row(number);
    if (record == nullptr) {
        if (page == nullptr) {
            m_feed.want(pageNumber);
        }
        return absentData(pageNumber, spec, role);
    }
    return role == ApproximateRole ? QVariant(page->approximate || !m_pages.originKnown())
                                   : recordData(*record, spec, role);
}

QVariant KeyTableModel::recordData(const sql::KeyRecord &record, const KeyColumnSpec &spec, int role) const
{
    const sql::Timestamp now = serverNow().value_or(sql::Timestamp());
    switch (role) {
    case Qt::DisplayRole:
        return keyCellText(record, spec, m_timeFormat, now);
    case Qt::ToolTipRole:
        return keyCellToolTip(record, spec, m_timeFormat, now);
    case Qt::AccessibleTextRole:
        return QString(spec.title + u": "_s + keyCellText(record, spec, m_timeFormat, now));
    case RawRole:
        return keyCellRaw(record, spec);
    case RecordRole:
        return QVariant::fromValue(record);
    case StateRole:
        return int(record.state);
    case StaleRole:
        return record.stale ? QVariant(*record.stale) : QVariant();
    case ExpiredRole:
        return record.expired ? QVariant(*record.expired) : QVariant();
    case LoadStateRole:
        return int(m_outdated ? LoadState::Outdated : LoadState::Loaded);
    case ErrorRole:
        return keyCellError(record, spec);
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
        return role == Qt::DisplayRole && section >= 0 && section < rowCount() ? QVariant(numberOf(section) + 1)
                                                                               : QVariant();
    }
    if (section < 0 || section >= m_columns.size()) {
        return {};
    }
    return keyColumnHeading(m_columns.at(section), role);
}

QHash<int, QByteArray> KeyTableModel::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractTableModel::roleNames();
    names.insert({ { RawRole, "raw" }, { RecordRole, "record" }, { StateRole, "state" }, { StaleRole, "stale" },
        { ExpiredRole, "expired" }, { LoadStateRole, "loadState" }, { ApproximateRole, "approximate" },
        { ErrorRole, "error" }, { RowNumberRole, "rowNumber" } });
    return names;
}

void KeyTableModel::acceptFirst(const sql::KeyPage &result)
{
    beginResetModel();
    m_feed.forgetWishes(); // of the list before
    m_outdated = false;
    m_pages.clear();
    Page page;
    page.rows = result.rows.mid(0, PageCache::kSize);
    page.moreAfter = result.more && page.rows.size() == PageCache::kSize;
    const qint64 rows = page.rows.size();
    m_endKnown = !page.moreAfter;
    m_pages.setRange(0, page.moreAfter ? rows + PageCache::kSize : rows);
    const bool more = page.moreAfter;
    m_pages.insert(std::move(page), 0, 0);
    m_visibleFirst = m_visibleLast = -1;
    noteFacts(result);
    endResetModel();
    if (more) {
        m_counter.start(filter(), serverNow());
    } else {
        m_counter.set({ sql::RowCount::Kind::Exact, rows });
    }
    emit pageLoaded();
    if (std::exchange(m_jumpTo, std::nullopt) && rows > 0) {
        emit jumped(0);
    }
}

void KeyTableModel::failFirst(const sql::Error &error)
{
    m_failing = true;
    m_outdated = false;
    m_pages.clear();
    reset(0, 0);
    emit failed(error);
}

void KeyTableModel::takePage(qint64 number, const PagePlan &plan, const sql::Result<sql::KeyPage> &result)
{
    if (result.ok()) {
        acceptPage(number, plan, *result);
    } else if (result.error().kind == sql::ErrorKind::Superseded) {
        emitPage(number); // the view asks again if it still shows it
    } else {
        failPage(number, result.error());
    }
}

void KeyTableModel::acceptPage(qint64 number, const PagePlan &plan, const sql::KeyPage &result)
{
    PageAnswer answer = answerOf(number, plan, result);
    noteFacts(result);
    if (readsLead(plan)) {
        m_pages.setEdge(number * PageCache::kSize, answer.before);
    }
    if (plan.tail > 0) {
        acceptForward(std::move(answer.page), false);
    } else if (plan.backward) {
        acceptBackward(std::move(answer.page), answer.more);
    } else {
        acceptForward(std::move(answer.page), answer.more);
    }
    emitPage(number);
    emit pageLoaded();
    if (m_jumpTo && rowCount() == 0 && !plan.backward) {
        // No row lies behind that time: the last ones before it are the nearest.
        setFirst(m_pages.first() - PageCache::kSize);
        m_jumpTo = m_pages.end() - 1;
        m_feed.want(PageCache::pageOf(*m_jumpTo));
        return;
    }
    if (m_jumpTo && PageCache::pageOf(*m_jumpTo) == number) {
        const qint64 row = std::clamp(*m_jumpTo, m_pages.first(), std::max(m_pages.first(), m_pages.end() - 1));
        m_jumpTo.reset();
        emit jumped(int(row - m_pages.first()));
    }
}

void KeyTableModel::acceptForward(Page page, bool more)
{
    const qint64 number = page.number;
    const qint64 end = number * PageCache::kSize + page.rows.size();
    const bool joins
        = !page.rows.isEmpty() && m_pages.hasEdge((number + 1) * PageCache::kSize, page.rows.constLast().identity);
    if (!joins && m_pages.find(number + 1) != nullptr) {
        // The pages behind were read from another place: rows in the seam could be lost or shown twice.
        m_pages.removeRunFrom(number + 1);
    }
    const auto visible = visiblePages();
    m_pages.insert(std::move(page), visible.constFirst(), visible.constLast());
    if (!more) {
        m_endKnown = true;
        m_seenBack = end;
        setEnd(end);
    } else if (end >= m_pages.end() && end - m_pages.first() < kMaxWindow) {
        m_endKnown = false;
        setEnd(std::min(end + PageCache::kSize, m_pages.first() + kMaxWindow));
    }
}

void KeyTableModel::acceptBackward(Page page, bool more)
{
    page.offset = int(PageCache::kSize - page.rows.size());
    const qint64 begin = page.firstRow();
    if (!more && m_pages.originKnown() && begin > 0) {
        // Fewer rows than the count said: what is known of positions is wrong. Start over from the front.
        m_pages.clearPages();
        m_endKnown = false;
        setEnd(std::max<qint64>(PageCache::kSize, m_pages.end() - begin));
        emitRows(m_pages.first(), m_pages.end() - 1);
        m_counter.start(filter(), serverNow());
        return;
    }
    const auto visible = visiblePages();
    m_pages.insert(std::move(page), visible.constFirst(), visible.constLast());
    if (m_pages.originKnown()) {
        return;
    }
    if (!more) {
        m_seenFront = begin;
        setFirst(begin);
    } else if (begin <= m_pages.first() && m_pages.end() - m_pages.first() < kMaxWindow) {
        setFirst(m_pages.first() - PageCache::kSize);
    }
}

void KeyTableModel::failPage(qint64 number, const sql::Error &error)
{
    m_pages.setFailure(number, error);
    emitPage(number);
    m_failing = true;
    emit failed(error);
}

void KeyTableModel::noteFacts(const sql::KeyPage &page)
{
    m_tookMicros = page.tookMicros;
    m_notes = page.notes;
    m_orderUsed = page.order;
    if (m_failing && m_pages.failures().isEmpty()) {
        m_failing = false;
        emit recovered();
    }
}

void KeyTableModel::reset(qint64 first, qint64 end)
{
    beginResetModel();
    m_feed.forgetWishes();
    m_pages.setRange(first, end);
    m_visibleFirst = m_visibleLast = -1;
    endResetModel();
}

void KeyTableModel::setEnd(qint64 end)
{
    end = std::clamp(end, m_pages.first(), m_pages.first() + kMaxWindow);
    const int before = rowCount();
    const int after = int(end - m_pages.first());
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_pages.setRange(m_pages.first(), end);
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_pages.setRange(m_pages.first(), end);
        endRemoveRows();
    }
}

void KeyTableModel::setFirst(qint64 first)
{
    const qint64 moved = first - m_pages.first();
    if (moved == 0) {
        return;
    }
    const int visible = m_visibleFirst;
    if (moved > 0) {
        beginRemoveRows({}, 0, int(std::min<qint64>(moved, rowCount())) - 1);
        m_pages.setRange(first, m_pages.end());
        endRemoveRows();
    } else {
        beginInsertRows({}, 0, int(-moved) - 1);
        m_pages.setRange(first, m_pages.end());
        endInsertRows();
    }
    if (visible >= 0) {
        // What the person looked at keeps its place on the screen.
        const int row = std::clamp(int(visible - moved), 0, std::max(0, rowCount() - 1));
        setVisibleRows(row, row + m_visibleLast - visible);
        emit jumped(row);
    }
}

void KeyTableModel::emitRows(qint64 firstRow, qint64 lastRow)
{
    const qint64 first = std::max(firstRow, m_pages.first());
    const qint64 last = std::min(lastRow, m_pages.end() - 1);
    if (first <= last && !m_columns.isEmpty()) {
        emit dataChanged(
            index(int(first - m_pages.first()), 0), index(int(last - m_pages.first()), int(m_columns.size()) - 1));
    }
}

void KeyTableModel::emitPage(qint64 number)
{
    emitRows(number * PageCache::kSize, (number + 1) * PageCache::kSize - 1);
}

QList<qint64> KeyTableModel::visiblePages() const
{
    QList<qint64> pages;
    if (m_visibleFirst < 0) {
        pages.append(m_jumpTo ? m_feed.newestPage() : PageCache::pageOf(m_pages.first()));
        return pages;
    }
    const qint64 lastRow = std::max<qint64>(m_pages.first(), m_pages.end() - 1);
    const qint64 first = PageCache::pageOf(std::min(m_pages.first() + m_visibleFirst, lastRow));
    const qint64 last = PageCache::pageOf(std::min(m_pages.first() + m_visibleLast, lastRow));
    for (qint64 page = first; page <= last && pages.size() < PageCache::kMaxPages / 2; ++page) {
        pages.append(page);
    }
    return pages;
}

void KeyTableModel::merge(const PageRefresh &refresh)
{
    const qint64 end = refresh.end();
    // Grown before the rows come, shrunk after they went: each signal describes a state that holds.
    if (end > m_pages.end()) {
        setEnd(end);
    }
    replacePages(refresh.fresh());
    if (refresh.endSeen()) {
        m_endKnown = true;
        setEnd(end);
    } else if (end >= m_pages.end()) {
        m_endKnown = false;
        setEnd(end + PageCache::kSize);
    }
    m_seenFront.reset(); // rows may have come or gone on both sides since
    m_seenBack = refresh.endSeen() ? std::optional(end) : std::nullopt;
    const bool whole = refresh.endSeen() && refresh.fresh().constFirst().number == 0 && m_pages.originKnown();
    if (whole) {
        m_counter.set({ sql::RowCount::Kind::Exact, end });
    } else {
        m_counter.start(filter(), serverNow());
    }
}

void KeyTableModel::replacePages(const QList<Page> &fresh)
{
    const PageMerge merge = mergeOf(m_pages, fresh);
    if (merge.moved) {
        emit layoutAboutToBeChanged();
    }
    // Pages out of sight are read again when they are looked at.
    const qint64 keepFirst = fresh.constFirst().number;
    const qint64 keepLast = fresh.constLast().number;
    for (const qint64 number : m_pages.loaded()) {
        if (number < keepFirst || number > keepLast) {
            m_pages.remove(number);
        }
    }
    for (const Page &page : fresh) {
        m_pages.insert(page, keepFirst, keepLast);
    }
    m_pages.clearFailures();
    if (merge.moved) {
        followMoves(merge.moves);
        emit layoutChanged();
        return;
    }
    for (const auto &[first, last] : runsOf(merge.changed)) {
        emitRows(first, last);
    }
}

void KeyTableModel::followMoves(const QHash<qint64, qint64> &moves)
{
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    after.reserve(before.size());
    for (const QModelIndex &index : before) {
        const qint64 from = m_pages.first() + index.row();
        const qint64 to = moves.value(from, from);
        after.append(to < 0 ? QModelIndex() : this->index(int(to - m_pages.first()), index.column()));
    }
    changePersistentIndexList(before, after);
}

void KeyTableModel::takeCount()
{
    const sql::RowCount count = m_counter.count();
    if (m_feed.active() && !m_feed.firstPending() && !m_endKnown && m_pages.originKnown()
        && count.kind != sql::RowCount::Kind::Unknown) {
        qint64 end = count.rows;
        for (const qint64 number : m_pages.loaded()) {
            const Page *page = m_pages.find(number);
            end = std::max(end, page->firstRow() + page->rows.size());
        }
        if (count.kind == sql::RowCount::Kind::Exact || end > m_pages.end()) {
            setEnd(end);
        }
    }
    emit countChanged();
    m_feed.gatherPlaces();
}

} // namespace idemdesk::models

#include "moc_key_table_model.cpp"
