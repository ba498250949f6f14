// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/key_browser.h"
#include "models/format/labels.h"

#include "models/async.h"
#include "models/format/quantities.h"
#include "models/keys/usual_order.h"
#include "sql/keys/boundaries.h"
#include "sql/keys/count_reader.h"
#include "sql/keys/order.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/suggest.h"
#include "sql/lanes/database.h"
#include "sql/types/tr.h"

#include <QScopeGuard>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// Tables with fewer rows than this are read in a moment whatever the plan: no cost is asked.
constexpr double kSmallTable = 100'000;
constexpr qint64 kShownSkewMicros = 2'000'000;
constexpr int kCostDeadlineMs = 10'000; // of an EXPLAIN
constexpr int kSlowDeadlineMs = 600'000;

/// Two browsers on one Database must not supersede each other's requests.
QString keysView(const void *owner, const QString &what)
{
    return u"keys/%1/%2"_s.arg(ownerName(owner), what);
}

} // namespace

KeyBrowserController::KeyBrowserController(QObject *parent)
    : QObject(parent)
    , m_model(new KeyTableModel(this))
{
    connect(m_model, &KeyTableModel::pageLoaded, this, &KeyBrowserController::onPageLoaded);
    connect(m_model, &KeyTableModel::merged, this, &KeyBrowserController::restoreSelection);
    connect(m_model, &KeyTableModel::failed, this, [this](const sql::Error &error) { setError(error); });
    connect(m_model, &KeyTableModel::recovered, this, [this] { setError(std::nullopt); });
    connect(m_model, &KeyTableModel::countChanged, this, &KeyBrowserController::statusChanged);
    connect(m_model, &KeyTableModel::busyChanged, this, &KeyBrowserController::statusChanged);
    connect(&m_weighing, &Request::changed, this, &KeyBrowserController::statusChanged);
    connect(&m_autoTimer, &QTimer::timeout, this, &KeyBrowserController::onAutoRefresh);
    m_statusTimer.setInterval(1'000);
    connect(&m_statusTimer, &QTimer::timeout, this, &KeyBrowserController::statusChanged);
}

KeyBrowserController::~KeyBrowserController() = default;

sql::Database *KeyBrowserController::database() const
{
    return m_weighing.database();
}

void KeyBrowserController::setDatabase(sql::Database *database)
{
    if (this->database() == database) {
        return;
    }
    m_model->clearSource();
    m_weighing.setDatabase(database);
    m_hasTarget = false;
    m_pending.reset();
    m_selection.clear();
    m_statusTimer.stop();
    setError(std::nullopt);
    emit targetChanged();
    emit pendingChanged();
    emit statusChanged();
}

namespace {

/// An order has the heading of the column that shows it, of two that of the plain one; else its own label as a heading.
QString orderTitle(const QString &label, const QList<KeyColumnSpec> &columns, const sql::Target &target)
{
    const sql::Profile &profile = target.profile;
    const auto shown = std::find_if(columns.crbegin(), columns.crend(),
        [&](const KeyColumnSpec &column) { return orderOf(column, profile) == label; });
    if (shown != columns.crend()) {
        return shown->title;
    }
    if (label == "identity"_L1) {
        // In the order of random numbers nobody finds the oldest.
        const auto random = [&target](const QString &name) {
            const sql::ColumnFacts *facts = target.relation.column(name);
            return facts != nullptr && facts->typeName == "uuid"_L1;
        };
        return std::all_of(profile.identity.cbegin(), profile.identity.cend(), random) ? Tr::tr("Unsorted")
                                                                                       : Tr::tr("Table order");
    }
    const auto role = sql::roleFromName(label);
    return role ? roleTitle(*role) : labelTitle(label);
}

} // namespace

void KeyBrowserController::setTarget(const sql::Target &target, const QString &filterText)
{
    m_target = target;
    m_hasTarget = true;
    m_weighing.drop();
    m_pending.reset();
    m_filterError.reset();
    m_selection.clear();
    m_order.clear();
    m_wanted = {};
    m_aged.reset();
    m_sinceNow.invalidate();
    m_orders.clear();
    const QList<KeyColumnSpec> columns = keyColumns(target);
    for (const sql::OrderChoice &choice : sql::orderChoices(target)) {
        OrderOption option;
        option.label = choice.label;
        option.title = orderTitle(choice.label, columns, target);
        option.indexServes = choice.indexServes;
        option.isTime = choice.isTime;
        option.descending = choice.descending;
        m_orders.append(option);
    }
    setError(std::nullopt);
    m_model->setSource(target, fetchers(false));
    m_model->setTimeFormat(m_timeFormat);
    emit targetChanged();
    emit ordersChanged();
    emit orderChanged();
    emit pendingChanged();
    setFilterText(filterText);
    if (m_filterError) {
        apply({}, m_order); // a table is shown in any case; the text stays to be corrected
    }
}

FilterVocabulary KeyBrowserController::vocabulary() const
{
    return vocabularyOf(m_target.profile, m_timeFormat.zone());
}

void KeyBrowserController::setFilterText(const QString &text)
{
    m_filterText = text;
    if (!m_hasTarget) {
        return;
    }
    const auto filter = parseFilter(text, vocabulary());
    if (!filter.ok()) {
        m_filterError = filter.error();
        emit filterRejected(filter.error());
        return;
    }
    m_filterError.reset();
    emit filterAccepted(text);
    apply(*filter, m_wanted.order);
}

QFuture<sql::Result<QStringList>> KeyBrowserController::suggestValues(
    sql::FilterField field, const QString &label, const QString &prefix, int limit)
{
    if (database() == nullptr || !m_hasTarget) {
        return readyFuture(sql::Result<QStringList>(QStringList()));
    }
    return database()->run(sql::LaneKind::Read, { keysView(this, u"suggest"_s), 3'000, true },
        [target = m_target, field, label, prefix, limit](
            sql::Session &session) { return sql::suggestValues(session, target, field, label, prefix, limit); });
}

void KeyBrowserController::setOrder(const QString &label)
{
    if (m_hasTarget && label != m_wanted.order) {
        apply(sql::Filter(m_wanted.filter), label);
    }
}

/// Oldest first, where no index orders what a filter by state finds: by random numbers nobody sees who waits longest.
/// Nothing where an index does, or where the table does not say when a key began.
std::optional<sql::OrderLabel> KeyBrowserController::ageOrder(const sql::Filter &filter) const
{
    const bool byState = std::any_of(filter.terms.cbegin(), filter.terms.cend(),
        [](const sql::FilterTerm &term) { return term.field == sql::FilterField::State; });
    if (!byState || sql::defaultOrder(m_target, filter) != "identity"_L1) {
        return std::nullopt;
    }
    for (const QString &label : { sql::roleName(sql::Role::CreatedAt), sql::roleName(sql::Role::ClaimedAt) }) {
        const auto option = std::find_if(m_orders.cbegin(), m_orders.cend(),
            [&label](const OrderOption &order) { return order.label == label && order.isTime; });
        if (option != m_orders.cend()) {
            return option->descending ? u'-' + label : label;
        }
    }
    return std::nullopt;
}

sql::OrderLabel KeyBrowserController::usualOrder(const sql::Filter &filter) const
{
    return m_aged && m_aged->first == filter ? m_aged->second : models::usualOrder(m_target, filter);
}

QString KeyBrowserController::effectiveOrder() const
{
    return m_order.isEmpty() && m_hasTarget ? usualOrder(m_model->filter()) : m_order;
}

bool KeyBrowserController::indexServes(const OrderOption &order) const
{
    return order.indexServes || (m_hasTarget && order.label == usualOrder(m_model->filter()));
}

bool KeyBrowserController::needsCostCheck(const sql::Filter &filter, const QString &order) const
{
    if (database() == nullptr
        || (m_target.relation.estimatedRows >= 0 && m_target.relation.estimatedRows < kSmallTable)) {
        return false;
    }
    if (!filter.empty()) {
        return true;
    }
    const QString label = order.startsWith(u'-') ? order.mid(1) : order;
    const auto option = std::find_if(
        m_orders.cbegin(), m_orders.cend(), [&label](const OrderOption &known) { return known.label == label; });
    return !label.isEmpty() && (option == m_orders.cend() || !option->indexServes);
}

void KeyBrowserController::apply(const sql::Filter &filter, const QString &order)
{
    m_weighing.drop();
    // Told last: who hears it may apply another filter, and the newer one must win.
    const auto told = qScopeGuard([this, pending = m_pending.has_value()] {
        if (pending) {
            emit pendingChanged();
        }
    });
    m_pending.reset();
    m_wanted = { filter, order };
    const auto aged = order.isEmpty() ? ageOrder(filter) : std::nullopt;
    if (!needsCostCheck(filter, order)) {
        run(filter, order, false, aged);
        return;
    }
    m_weighing.ask(
        { sql::LaneKind::Read, kCostDeadlineMs },
        [target = m_target, filter, order, aged](sql::Session &session) -> sql::Result<Weighed> {
            if (aged) {
                const auto sorted = sql::filterCost(session, target, filter, *aged);
                if (sorted.ok() && !sorted->slow) {
                    return Weighed { *sorted, true };
                }
            }
            TRY(const auto cost, sql::filterCost(session, target, filter, order));
            return Weighed { cost, false };
        },
        [this, filter, order, aged](const sql::Result<Weighed> &weighed) {
            // A filter that EXPLAIN refuses fails in the page just the same, with its position.
            if (!weighed.ok() || !weighed->cost.slow) {
                run(filter, order, false, weighed.ok() && weighed->aged ? aged : std::nullopt);
                return;
            }
            m_pending = weighed->cost;
            emit pendingChanged();
            emit costWarning(weighed->cost);
        });
}

void KeyBrowserController::run(
    const sql::Filter &filter, const QString &order, bool slow, const std::optional<sql::OrderLabel> &aged)
{
    const QString before = effectiveOrder();
    const QString suited = usualOrder(m_model->filter());
    m_aged = aged ? std::optional(std::pair(filter, *aged)) : std::nullopt;
    m_order = order;
    m_model->setFetchers(fetchers(slow));
    // The model gets the label itself, so that a jump to a time means the order of the list.
    m_model->setQuery(filter, order.isEmpty() ? usualOrder(filter) : order);
    if (effectiveOrder() != before || usualOrder(filter) != suited) {
        emit orderChanged();
    }
    emit statusChanged();
}

void KeyBrowserController::proceed()
{
    if (m_pending) {
        m_pending.reset();
        const Wanted wanted = m_wanted; // who hears of it may ask for something else
        run(wanted.filter, wanted.order, true);
        emit pendingChanged();
    }
}

void KeyBrowserController::cancelPending()
{
    if (m_pending) {
        m_pending.reset();
        m_filterText = m_model->filter().text;
        m_wanted = { m_model->filter(), m_order };
        emit pendingChanged();
        emit orderChanged();
        if (m_model->rowCount() == 0 && !m_model->busy()) {
            run({}, {}, false); // nothing was shown before: the plain list in its default order
        }
    }
}

KeyFetchers KeyBrowserController::fetchers(bool slow)
{
    KeyFetchers result;
    const QPointer<sql::Database> database = this->database();
    if (database == nullptr) {
        return result;
    }
    const auto target = std::make_shared<const sql::Target>(m_target);
    const QString pageView = keysView(this, u"page"_s);
    const QString countView = keysView(this, u"count"_s);
    const QString boundariesView = keysView(this, u"boundaries"_s);
    const auto gone = [](auto error) { return readyFuture(decltype(error)(abandonedError())); };
    // A query the person was warned of gets the time it needs, on the lane where long work lives.
    const sql::LaneKind lane = slow ? sql::LaneKind::Background : sql::LaneKind::Read;
    const int deadline = slow ? kSlowDeadlineMs : 20'000;
    result.page = [=](const sql::PageRequest &request) {
        using R = sql::Result<sql::KeyPage>;
        return database == nullptr
            ? gone(R(sql::Error()))
            : database->run(lane, { pageView, deadline, true },
                [target, request](sql::Session &session) { return sql::readPage(session, *target, request); });
    };
    result.count = [=](const sql::Filter &filter, qint64 cap, std::optional<sql::Timestamp> now) {
        using R = sql::Result<sql::RowCount>;
        return database == nullptr ? gone(R(sql::Error()))
                                   : database->run(sql::LaneKind::Background, { countView, kSlowDeadlineMs, true },
                                       [target, filter, cap, now](sql::Session &session) {
                                           return sql::countRows(session, *target, filter, cap, now);
                                       });
    };
    result.boundaries = [=](const sql::Filter &filter, const sql::OrderLabel &order, qint64 step,
                            std::optional<sql::Timestamp> now) {
        using R = sql::Result<sql::Boundaries>;
        return database == nullptr ? gone(R(sql::Error()))
                                   : database->run(sql::LaneKind::Background, { boundariesView, kSlowDeadlineMs, true },
                                       [target, filter, order, step, now](sql::Session &session) {
                                           return sql::readBoundaries(session, *target, filter, order, step, now);
                                       });
    };
    result.cursorAtTime = [target](const sql::OrderLabel &order, const sql::Timestamp &time) {
        return sql::cursorAtTime(*target, order, time);
    };
    result.cancel = [=] {
        if (database != nullptr) {
            for (const QString &view : { pageView, countView, boundariesView }) {
                database->cancel(view);
            }
        }
    };
    return result;
}

void KeyBrowserController::refresh()
{
    if (m_hasTarget && !m_pending) {
        m_model->refresh();
    }
}

void KeyBrowserController::cancel()
{
    if (m_weighing.busy()) {
        m_weighing.drop();
        const Wanted wanted = m_wanted;
        run(wanted.filter, wanted.order, false); // else the text would stand over the rows of another one
    }
    m_model->cancel();
    emit statusChanged();
}

void KeyBrowserController::setAutoRefresh(int seconds)
{
    m_autoSeconds = qMax(0, seconds);
    if (m_autoSeconds == 0) {
        m_autoTimer.stop();
    } else {
        m_autoTimer.start(m_autoSeconds * 1'000);
    }
}

void KeyBrowserController::hold()
{
    ++m_holds;
}

void KeyBrowserController::release()
{
    m_holds = qMax(0, m_holds - 1);
}

void KeyBrowserController::onAutoRefresh()
{
    const bool connected = database() != nullptr && database()->state() == sql::LinkState::Connected;
    if (m_holds == 0 && connected && !busy() && !m_pending) {
        refresh();
    }
}

void KeyBrowserController::setTimeFormat(const TimeFormat &format)
{
    m_timeFormat = format;
    m_model->setTimeFormat(format);
}

void KeyBrowserController::setVisibleRows(int first, int last)
{
    if (first != m_model->firstVisibleRow() || last != m_model->lastVisibleRow()) {
        m_model->setVisibleRows(first, last);
        emit statusChanged();
    }
}

void KeyBrowserController::setSelection(const QList<int> &rows)
{
    QList<sql::Cells> selection;
    for (const int row : rows) {
        if (const auto record = m_model->record(row)) {
            selection.append(record->identity);
        }
    }
    m_selection = selection;
}

QList<sql::KeyRecord> KeyBrowserController::selectedRecords() const
{
    QList<sql::KeyRecord> records;
    for (const sql::Cells &identity : m_selection) {
        if (const auto record = m_model->record(m_model->rowOf(identity))) {
            records.append(*record);
        }
    }
    return records;
}

void KeyBrowserController::restoreSelection()
{
    QList<int> rows;
    for (const sql::Cells &identity : std::as_const(m_selection)) {
        if (const int row = m_model->rowOf(identity); row >= 0) {
            rows.append(row);
        }
    }
    emit selectionRestored(rows);
}

void KeyBrowserController::onPageLoaded()
{
    if (m_model->serverNow() != m_now
        || !m_sinceNow.isValid()) { // a page further down is read as of the first one's time
        m_now = m_model->serverNow();
        m_sinceNow.start();
    }
    m_statusTimer.start();
    if (m_error && m_model->rowCount() >= 0 && !m_model->failing()) {
        setError(std::nullopt);
    }
    emit notesChanged(m_model->notes());
    emit statusChanged();
}

void KeyBrowserController::setError(std::optional<sql::Error> error)
{
    if (!error && !m_error) {
        return;
    }
    if (error && error->position >= 0) {
        m_filterError = error; // the server refused a value: it belongs under the field
        m_error.reset();
        emit filterRejected(*error);
    } else {
        m_error = std::move(error);
    }
    emit errorChanged();
}

KeyListStatus KeyBrowserController::status() const
{
    KeyListStatus status;
    status.count = m_model->count();
    status.estimate = m_model->estimate();
    status.approximate = m_model->numbersApproximate();
    status.placeUnknown = m_model->numbersUnknown();
    status.busy = busy();
    status.counting = m_model->countBusy();
    status.tookMicros = m_model->tookMicros();
    status.order = m_model->orderUsed();
    status.clockSkewMicros = database() == nullptr ? 0 : database()->facts().clockSkewMicros;
    const int rows = m_model->rowCount();
    if (rows > 0) {
        const int first = qBound(0, m_model->firstVisibleRow(), rows - 1);
        const int last = m_model->lastVisibleRow() < 0 ? qMin(rows, PageCache::kSize) - 1
                                                       : qBound(first, m_model->lastVisibleRow(), rows - 1);
        status.firstRow = m_model->numberOf(first) + 1;
        status.lastRow = m_model->numberOf(last) + 1;
        if (status.firstRow < 1) { // more rows lie before the place jumped to than were thought
            status.lastRow += 1 - status.firstRow;
            status.firstRow = 1;
        }
    }
    if (m_sinceNow.isValid() && m_model->serverNow()) {
        // What a row is called goes by the first page's time, however late its own page was read.
        const qint64 since = m_sinceNow.elapsed();
        status.dataAgeMs = since;
        status.serverNow
            = sql::Timestamp { sql::Timestamp::Kind::Finite, m_model->serverNow()->micros + since * 1'000 };
        status.tookText = tookText(status.tookMicros);
        status.ageText = Tr::tr("data %1 old").arg(durationText(status.dataAgeMs / 1'000));
    }
    if (qAbs(status.clockSkewMicros) > kShownSkewMicros) {
        status.skewText = Tr::tr("The server's clock differs from this computer's by %1.")
                              .arg(durationText(qAbs(status.clockSkewMicros) / 1'000'000));
    }
    status.rowsText = rowsText(status);
    return status;
}

QString KeyBrowserController::rowsText(const KeyListStatus &status)
{
    if (status.firstRow == 0) {
        return status.busy ? Tr::tr("Reading…") : Tr::tr("No rows");
    }
    QString total = countText(status.count);
    if (total.isEmpty() && status.estimate.kind != sql::RowCount::Kind::Unknown) {
        total = countText(status.estimate);
    } else if (status.count.kind == sql::RowCount::Kind::AtLeast && status.estimate.rows > status.count.rows) {
        total = Tr::tr("%1 (%2)", "number, estimate").arg(total, countText(status.estimate));
    }
    if (status.placeUnknown) { // numbers would be made up
        return total.isEmpty() ? Tr::tr("Position not counted") : Tr::tr("Position not counted, %1 in all").arg(total);
    }
    const QString range = status.approximate
        ? Tr::tr("about %1–%2").arg(countText(status.firstRow), countText(status.lastRow))
        : Tr::tr("%1–%2").arg(countText(status.firstRow), countText(status.lastRow));
    return total.isEmpty() ? range : Tr::tr("%1 of %2").arg(range, total);
}

} // namespace idemdesk::models

#include "moc_key_browser.cpp"
