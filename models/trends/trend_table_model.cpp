// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/trend_table_model.h"

#include "models/trends/trend_words.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

TrendTableModel::TrendTableModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void TrendTableModel::setAnswer(const sql::TrendAnswer &answer, const std::optional<sql::TrendAnswer> &previous)
{
    beginResetModel();
    m_answer = answer;
    m_previous = previous;
    endResetModel();
}

void TrendTableModel::setTimeFormat(const TimeFormat &format)
{
    m_format = format;
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0));
    }
}

void TrendTableModel::clear()
{
    beginResetModel();
    m_answer = {};
    m_previous.reset();
    endResetModel();
}

int TrendTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_answer.buckets.size());
}

int TrendTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : 1 + int(m_answer.series.size()) + (m_previous ? 1 : 0);
}

std::optional<double> TrendTableModel::valueAt(qsizetype bucket, int column) const
{
    if (column <= m_answer.series.size()) {
        return m_answer.series.at(column - 1).values.value(bucket);
    }
    return m_previous->series.isEmpty() ? std::nullopt : m_previous->series.constFirst().values.value(bucket);
}

QVariant TrendTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const qsizetype bucket = bucketAt(index.row());
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole) {
        return {};
    }
    if (index.column() > 0) {
        const auto value = valueAt(bucket, index.column());
        return role == Qt::ToolTipRole
            ? (value ? QString::number(*value, 'g', 17) : tr("Nothing is known of this time."))
            : trendValueText(m_answer.metric, value);
    }
    const QString text = role == Qt::ToolTipRole ? m_format.exact(m_answer.buckets.at(bucket))
                                                 : m_format.text(m_answer.buckets.at(bucket));
    return index.row() == 0 && m_answer.lastOpen && role != Qt::ToolTipRole ? tr("%1, still filling").arg(text) : text;
}

QVariant TrendTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    if (section == 0) {
        return tr("From, %1").arg(m_format.zoneText());
    }
    return section <= m_answer.series.size() ? seriesName(m_answer.series.at(section - 1)) : tr("Previous period");
}

} // namespace idemdesk::models

#include "moc_trend_table_model.cpp"
