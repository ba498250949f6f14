// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/activity/activity_model.h"

#include "models/format/display_text.h"
#include "models/format/lock_words.h"
#include "sql/types/health.h"

#include <QHash>
#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

ActivityModel::ActivityModel(QObject *parent)
    : QAbstractItemModel(parent)
{
}

/// The numbers of all sessions: who holds up most stands first, then long transactions from the longest on. What is
/// younger keeps the order of its process ids: rows that change their places at each reading cannot be aimed at.
QList<int> ActivityModel::worstFirst(const sql::ActivityReport &report, const std::vector<Node> &nodes)
{
    constexpr qint64 kLongMicros = 60'000'000;
    const QList<sql::BackendActivity> &backends = report.backends;
    QList<int> below(backends.size(), 0);
    QList<int> order;
    for (int i = 0; i < backends.size(); ++i) {
        order.append(i);
        for (int above = nodes[size_t(i)].parent; above >= 0; above = nodes[size_t(above)].parent) {
            ++below[above];
        }
    }
    const auto since = [&](int i) {
        const auto &began = backends.at(i).transactionStart;
        return began && report.now.micros - began->micros >= kLongMicros ? began->micros
                                                                         : std::numeric_limits<qint64>::max();
    };
    std::stable_sort(order.begin(), order.end(),
        [&](int a, int b) { return below.at(a) != below.at(b) ? below.at(a) > below.at(b) : since(a) < since(b); });
    return order;
}

std::vector<ActivityModel::Node> ActivityModel::treeOf(const sql::ActivityReport &report, QList<int> *top)
{
    const QList<sql::BackendActivity> &backends = report.backends;
    std::vector<Node> nodes(size_t(backends.size()));
    QHash<int, int> numbers;
    for (int i = 0; i < backends.size(); ++i) {
        numbers.insert(backends.at(i).pid, i);
    }
    for (int i = 0; i < backends.size(); ++i) {
        for (const int pid : backends.at(i).blockedBy) {
            const int number = numbers.value(pid, -1);
            // Two that wait for each other are a deadlock that the server has not ended yet: one of them stands at the
            // top.
            bool loop = number < 0;
            for (int above = number; above >= 0 && !loop; above = nodes[size_t(above)].parent) {
                loop = above == i;
            }
            if (!loop) {
                nodes[size_t(i)].parent = number;
                break;
            }
        }
    }
    for (const int i : worstFirst(report, nodes)) {
        Node &node = nodes[size_t(i)];
        QList<int> &siblings = node.parent < 0 ? *top : nodes[size_t(node.parent)].children;
        node.row = int(siblings.size());
        siblings.append(i);
    }
    return nodes;
}

void ActivityModel::setReport(const sql::ActivityReport &report)
{
    sql::ActivityReport fresh = report;
    std::stable_sort(fresh.backends.begin(), fresh.backends.end(),
        [](const sql::BackendActivity &a, const sql::BackendActivity &b) { return a.pid < b.pid; });
    QList<int> top;
    std::vector<Node> nodes = treeOf(fresh, &top);
    bool same = fresh.backends.size() == m_report.backends.size();
    for (qsizetype i = 0; same && i < fresh.backends.size(); ++i) {
        same = fresh.backends.at(i).pid == m_report.backends.at(i).pid
            && nodes[size_t(i)].parent == m_nodes[size_t(i)].parent && nodes[size_t(i)].row == m_nodes[size_t(i)].row;
    }
    if (!same) {
        beginResetModel();
    }
    m_report = fresh;
    m_nodes = std::move(nodes);
    m_top = top;
    if (!same) {
        endResetModel();
        return;
    }
    for (int i = 0; i < m_report.backends.size(); ++i) {
        const int row = m_nodes[size_t(i)].row;
        emit dataChanged(createIndex(row, 0, quintptr(i)), createIndex(row, ColumnCount - 1, quintptr(i)));
    }
}

const sql::BackendActivity *ActivityModel::backend(const QModelIndex &index) const
{
    return index.isValid() ? &m_report.backends.at(qsizetype(index.internalId())) : nullptr;
}

QModelIndex ActivityModel::indexOfPid(int pid) const
{
    for (int i = 0; i < m_report.backends.size(); ++i) {
        if (m_report.backends.at(i).pid == pid) {
            return createIndex(m_nodes[size_t(i)].row, 0, quintptr(i));
        }
    }
    return {};
}

int ActivityModel::waitersFor(int pid) const
{
    return int(std::count_if(m_report.backends.cbegin(), m_report.backends.cend(),
        [pid](const sql::BackendActivity &backend) { return backend.blockedBy.contains(pid); }));
}

int ActivityModel::waiting() const
{
    return int(std::count_if(m_report.backends.cbegin(), m_report.backends.cend(),
        [](const sql::BackendActivity &backend) { return !backend.blockedBy.isEmpty(); }));
}

std::optional<sql::Timestamp> ActivityModel::oldestWait() const
{
    std::optional<sql::Timestamp> oldest;
    for (const sql::BackendActivity &backend : m_report.backends) {
        if (!backend.blockedBy.isEmpty() && backend.queryStart
            && (!oldest || backend.queryStart->micros < oldest->micros)) {
            oldest = backend.queryStart;
        }
    }
    return oldest;
}

QModelIndex ActivityModel::index(int row, int column, const QModelIndex &parent) const
{
    if (row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent)) {
        return {};
    }
    const QList<int> &siblings = parent.isValid() ? m_nodes[size_t(parent.internalId())].children : m_top;
    return createIndex(row, column, quintptr(siblings.at(row)));
}

QModelIndex ActivityModel::parent(const QModelIndex &index) const
{
    if (!index.isValid()) {
        return {};
    }
    const int above = m_nodes[size_t(index.internalId())].parent;
    return above < 0 ? QModelIndex() : createIndex(m_nodes[size_t(above)].row, 0, quintptr(above));
}

int ActivityModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid()) {
        return int(m_top.size());
    }
    return parent.column() == 0 ? int(m_nodes[size_t(parent.internalId())].children.size()) : 0;
}

int ActivityModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

namespace {

QString pidsOf(const QList<int> &pids)
{
    QStringList texts;
    for (const int pid : pids) {
        texts.append(QString::number(pid));
    }
    return texts.join(u", ");
}

} // namespace

QString ActivityModel::standing(const sql::BackendActivity &backend) const
{
    const int waiters = waitersFor(backend.pid);
    if (backend.blockedBy.isEmpty()) {
        return waiters > 0 ? tr("Blocks %n session(s)", nullptr, waiters) : QString();
    }
    const QString blocked = tr("Blocked by %1").arg(pidsOf(backend.blockedBy));
    return waiters > 0 ? tr("%1, blocks %2").arg(blocked).arg(waiters) : blocked;
}

QString ActivityModel::text(const sql::BackendActivity &backend, int column) const
{
    switch (column) {
    case Pid:
        return QString::number(backend.pid);
    case User:
        return backend.user;
    case Application:
        return backend.application;
    case Client:
        return backend.client;
    case State:
        return backend.state.isEmpty() ? tr("hidden from this user") : backend.state;
    case Wait:
        return backend.waitEvent;
    case Transaction:
        return backend.transactionStart ? TimeFormat::age(*backend.transactionStart, m_report.now) : QString();
    case Statement:
        return backend.query;
    case Locks:
        return lockLabels(backend.locks).join(u"; ");
    case BlockedBy:
        return pidsOf(backend.blockedBy);
    case Standing:
        return standing(backend);
    case Blocks: {
        const int waiters = waitersFor(backend.pid);
        return waiters > 0 ? QString::number(waiters) : QString();
    }
    default:
        return {};
    }
}

namespace {

/// What holds others up, or is held up; invalid of the rest. The one at the root of a wait is what to look at.
QVariant levelOf(const sql::BackendActivity &backend, int column, const QString &text)
{
    if (column == ActivityModel::Standing && !text.isEmpty()) {
        return int(backend.blockedBy.isEmpty() ? sql::HealthLevel::Problem : sql::HealthLevel::Advice);
    }
    if (column == ActivityModel::State && backend.state.startsWith(u"idle in transaction")) {
        return int(sql::HealthLevel::Advice);
    }
    return column == ActivityModel::Wait && backend.waitEvent.startsWith(u"Lock:")
        ? QVariant(int(sql::HealthLevel::Problem))
        : QVariant();
}

} // namespace

QVariant ActivityModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const sql::BackendActivity &backend = *this->backend(index);
    const QString full = text(backend, index.column());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayText(full);
    case Qt::ToolTipRole:
        return displayText(full, kToolTipChars);
    case RawRole:
        return index.column() == Pid ? QVariant(backend.pid) : QVariant(full);
    case Qt::TextAlignmentRole:
        return index.column() == Transaction ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case LevelRole:
        return levelOf(backend, index.column(), full);
    case BlockedRole:
        return !backend.blockedBy.isEmpty();
    default:
        return {};
    }
}

QVariant ActivityModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == Transaction) {
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Pid:
        return tr("Session");
    case User:
        return tr("User");
    case Application:
        return tr("Application");
    case Client:
        return tr("Client");
    case State:
        return tr("State");
    case Wait:
        return tr("Waits for");
    case Transaction:
        return tr("In transaction");
    case Statement:
        return tr("Statement");
    case Locks:
        return tr("Locks");
    case BlockedBy:
        return tr("Blocked by");
    case Blocks:
        return tr("Blocks");
    case Standing:
        return tr("Blocking");
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_activity_model.cpp"
