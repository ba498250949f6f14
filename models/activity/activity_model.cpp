// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/activity/activity_model.h"

#include "models/format/display_text.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

ActivityModel::ActivityModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void ActivityModel::setReport(const sql::ActivityReport &report)
{
    const auto pidOf = [](const sql::BackendActivity &backend) { return backend.pid; };
    sql::ActivityReport fresh = report;
    std::stable_sort(fresh.backends.begin(), fresh.backends.end(),
        [](const sql::BackendActivity &a, const sql::BackendActivity &b) { return a.pid < b.pid; });
    // Both lists are in order of pid: what left goes, what came is put in its place, the rest is only repainted.
    QList<sql::BackendActivity> &rows = m_report.backends;
    for (int i = int(rows.size()) - 1; i >= 0; --i) {
        const int pid = rows.at(i).pid;
        if (std::none_of(fresh.backends.cbegin(), fresh.backends.cend(), [&](const auto &backend) { return pidOf(backend) == pid; })) {
            beginRemoveRows({}, i, i);
            rows.removeAt(i);
            endRemoveRows();
        }
    }
    m_report.now = fresh.now;
    m_report.complete = fresh.complete;
    for (int i = 0; i < fresh.backends.size(); ++i) {
        if (i < rows.size() && rows.at(i).pid == fresh.backends.at(i).pid) {
            rows[i] = fresh.backends.at(i);
        } else {
            beginInsertRows({}, i, i);
            rows.insert(i, fresh.backends.at(i));
            endInsertRows();
        }
    }
    if (!rows.isEmpty()) {
        emit dataChanged(index(0, 0), index(int(rows.size()) - 1, ColumnCount - 1));
    }
}

int ActivityModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_report.backends.size()); }

int ActivityModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ActivityModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const sql::BackendActivity &backend = m_report.backends.at(index.row());
    const auto since = [this](const std::optional<sql::Timestamp> &time) {
        return time ? TimeFormat::age(*time, m_report.now) : QString();
    };
    QStringList blockers;
    for (const int pid : backend.blockedBy) {
        blockers.append(QString::number(pid));
    }
    QString full;
    switch (index.column()) {
    case Pid:
        full = QString::number(backend.pid);
        break;
    case User:
        full = backend.user;
        break;
    case Application:
        full = backend.application;
        break;
    case Client:
        full = backend.client;
        break;
    case State:
        full = backend.state.isEmpty() ? tr("hidden from this user") : backend.state;
        break;
    case Wait:
        full = backend.waitEvent;
        break;
    case Transaction:
        full = since(backend.transactionStart);
        break;
    case Statement:
        full = backend.query;
        break;
    case Locks:
        full = backend.locks.join(u"; ");
        break;
    case BlockedBy:
        full = blockers.join(u", ");
        break;
    default:
        break;
    }
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayText(full);
    case Qt::ToolTipRole:
        return displayText(full, kToolTipChars);
    case RawRole:
        return index.column() == Pid ? QVariant(backend.pid) : QVariant(full);
    case BlockedRole:
        return !backend.blockedBy.isEmpty();
    default:
        return {};
    }
}

QVariant ActivityModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Pid:
        return tr("PID");
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
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_activity_model.cpp"
