// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_model.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/trends/trend_words.h"
#include "sql/types/health.h"

#include <QLocale>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

using sql::AlertForm;
using sql::AlertState;

namespace {

QString inUnit(const sql::AlertRule &rule, double value)
{
    sql::TrendMetric metric;
    metric.unit = rule.unit;
    return trendValueText(metric, value);
}

QString factorText(double factor) { return QLocale().toString(factor, 'g', 3); }

QString shareText(double share) { return AlertModel::tr("%1 %").arg(share >= 1 ? QLocale().toString(share * 100, 'f', 0) : QLocale().toString(share * 100, 'g', 3)); }

sql::HealthLevel levelOf(AlertState state)
{
    switch (state) {
    case AlertState::Firing: return sql::HealthLevel::Problem;
    case AlertState::Pending: return sql::HealthLevel::Advice;
    case AlertState::Unknown: return sql::HealthLevel::Unknown;
    case AlertState::Quiet: break;
    }
    return sql::HealthLevel::Good;
}

} // namespace

QString alertStateLabel(AlertState state)
{
    switch (state) {
    case AlertState::Firing: return AlertModel::tr("Firing");
    case AlertState::Pending: return AlertModel::tr("Over its limit");
    case AlertState::Unknown: return AlertModel::tr("Not known");
    case AlertState::Quiet: break;
    }
    return AlertModel::tr("Quiet");
}

QString alertValueText(const sql::AlertStatus &status)
{
    if (!status.value) {
        return u"–"_s;
    }
    switch (status.rule.form) {
    case AlertForm::Rising: return AlertModel::tr("%1 times the day before").arg(factorText(*status.value));
    case AlertForm::Share: return shareText(*status.value);
    case AlertForm::Above:
    case AlertForm::Sum: break;
    }
    return inUnit(status.rule, *status.value);
}

QString alertLimitText(const sql::AlertRule &rule)
{
    const QString span = durationText(rule.seconds);
    switch (rule.form) {
    case AlertForm::Rising: return AlertModel::tr("over %1 times, in %2").arg(factorText(rule.limit), span);
    case AlertForm::Share: return AlertModel::tr("over %1, in %2").arg(shareText(rule.limit), span);
    case AlertForm::Sum: return AlertModel::tr("over %1, in %2").arg(inUnit(rule, rule.limit), span);
    case AlertForm::Above: break;
    }
    return AlertModel::tr("over %1, for %2").arg(inUnit(rule, rule.limit), span);
}

AlertModel::AlertModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void AlertModel::setEntries(const QList<Entry> &entries)
{
    QList<Entry> sorted = entries;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Entry &a, const Entry &b) { return a.status.state < b.status.state; });
    const bool same = sorted.size() == m_entries.size()
        && std::equal(sorted.cbegin(), sorted.cend(), m_entries.cbegin(), [](const Entry &a, const Entry &b) { return a.target == b.target && a.status.rule.id == b.status.rule.id; });
    if (same) { // the same rules in the same order: what is selected stays so
        m_entries = sorted;
        if (!m_entries.isEmpty()) {
            emit dataChanged(index(0, 0), index(int(m_entries.size()) - 1, ColumnCount - 1));
        }
        return;
    }
    beginResetModel();
    m_entries = sorted;
    endResetModel();
}

void AlertModel::setTimeFormat(const TimeFormat &format)
{
    m_format = format;
    if (!m_entries.isEmpty()) {
        emit dataChanged(index(0, Since), index(int(m_entries.size()) - 1, Since));
    }
}

const AlertModel::Entry *AlertModel::entry(int row) const { return row >= 0 && row < m_entries.size() ? &m_entries.at(row) : nullptr; }

int AlertModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_entries.size()); }

int AlertModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant AlertModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Entry &entry = m_entries.at(index.row());
    if (role == LevelRole) {
        return int(levelOf(entry.status.state));
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole) {
        return {};
    }
    QString full;
    switch (index.column()) {
    case State: full = alertStateLabel(entry.status.state); break;
    case Table: full = entry.title; break;
    case What: full = entry.status.rule.title; break;
    case Value: full = entry.status.why.isEmpty() ? alertValueText(entry.status) : entry.status.why; break;
    case Limit: full = alertLimitText(entry.status.rule); break;
    case Since: full = entry.status.since ? m_format.text(*entry.status.since) : QString(); break;
    default: break;
    }
    return role == Qt::ToolTipRole ? displayText(full, kToolTipChars) : displayText(full);
}

QVariant AlertModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case State: return tr("State");
    case Table: return tr("Table");
    case What: return tr("What it watches for");
    case Value: return tr("Now");
    case Limit: return tr("Limit");
    case Since: return tr("Since");
    default: return {};
    }
}

} // namespace idemdesk::models

#include "moc_alert_model.cpp"
