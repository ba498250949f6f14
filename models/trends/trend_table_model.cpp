// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/trend_table_model.h"

#include "models/table/item_role.h"

#include <QFont>
#include <QLocale>
#include <algorithm>
#include <cmath>

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
    takeScale();
    endResetModel();
}

void TrendTableModel::setTimeFormat(const TimeFormat &format)
{
    m_format = format;
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0));
        emit headerDataChanged(Qt::Horizontal, 0, 0);
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
    return parent.isValid() || m_answer.buckets.isEmpty() ? 0 : 1 + int(m_answer.buckets.size());
}

int TrendTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : 1 + int(m_answer.series.size()) + (sums() ? 1 : 0) + (m_previous ? 2 : 0);
}

bool TrendTableModel::sums() const
{
    return m_answer.metric.unit == sql::TrendUnit::Count && m_answer.series.size() > 1;
}

bool TrendTableModel::adds() const
{
    return m_answer.metric.unit == sql::TrendUnit::Count && !m_answer.metric.gauge;
}

void TrendTableModel::takeScale()
{
    m_highest = 0;
    m_highestSum = 0;
    for (int column = 1; column < columnCount(); ++column) {
        if (changeColumn(column)) {
            continue;
        }
        double &highest = sumColumn(column) ? m_highestSum : m_highest;
        for (qsizetype bucket = 0; bucket < m_answer.buckets.size(); ++bucket) {
            highest = std::max(highest, valueAt(bucket, column).value_or(0));
        }
    }
    m_scale = trendScale(m_answer.metric, std::max(m_highest, m_highestSum));
}

bool TrendTableModel::openBucket(qsizetype bucket) const
{
    return m_answer.lastOpen && bucket + 1 == m_answer.buckets.size();
}

std::optional<double> TrendTableModel::valueAt(qsizetype bucket, int column) const
{
    if (changeColumn(column)) {
        const auto now = valueAt(bucket, 1);
        const auto before = valueAt(bucket, column - 1);
        return now && before ? std::optional(*now - *before) : std::nullopt;
    }
    if (column <= m_answer.series.size()) {
        return m_answer.series.at(column - 1).values.value(bucket);
    }
    if (sumColumn(column)) {
        std::optional<double> sum;
        for (const sql::TrendSeries &series : m_answer.series) {
            if (const auto value = series.values.value(bucket)) {
                sum = sum.value_or(0) + *value;
            }
        }
        return sum;
    }
    // A part of a bucket is not compared with the whole of one.
    return m_previous->series.isEmpty() || openBucket(bucket) ? std::nullopt
                                                              : m_previous->series.constFirst().values.value(bucket);
}

std::optional<double> TrendTableModel::wholeOf(int column) const
{
    if (changeColumn(column) && !adds()) {
        return std::nullopt; // the greatest rise is no change of the greatest
    }
    std::optional<double> whole;
    for (qsizetype bucket = 0; bucket < m_answer.buckets.size(); ++bucket) {
        if (const auto value = valueAt(bucket, column)) {
            whole = adds() ? whole.value_or(0) + *value : std::max(whole.value_or(*value), *value);
        }
    }
    return whole;
}

QString TrendTableModel::figure(const std::optional<double> &value) const
{
    return value ? QLocale().toString(*value * m_scale.factor, 'f', m_scale.decimals) : u"–"_s;
}

QString TrendTableModel::changeFigure(const std::optional<double> &value) const
{
    const QString sign = !value || *value == 0 ? QString() : *value > 0 ? u"+"_s : u"\u2212"_s;
    return sign + figure(value ? std::optional(std::abs(*value)) : value);
}

/// Of the highest bucket of any series; of a sum, of the highest sum. The first row is no bucket.
double TrendTableModel::shareOf(const QModelIndex &index) const
{
    const double highest = sumColumn(index.column()) ? m_highestSum : m_highest;
    return index.row() == 0 || index.column() == 0 || highest <= 0 || changeColumn(index.column())
        ? 0.0
        : std::max(0.0, valueAt(bucketAt(index.row()), index.column()).value_or(0)) / highest;
}

QString TrendTableModel::timeCell(int row, int role) const
{
    if (row == 0) {
        return adds() ? tr("Total") : tr("Highest");
    }
    const sql::Timestamp &from = m_answer.buckets.at(bucketAt(row));
    const bool open = row == 1 && m_answer.lastOpen;
    const QString text = role == Qt::ToolTipRole ? m_format.exact(from) : m_format.text(from);
    return !open || role == Qt::ToolTipRole ? text
        : m_answer.metric.gauge             ? trendAsOfText(m_answer.source, text)
                                            : tr("%1, still filling").arg(text);
}

QVariant TrendTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    if (role == Qt::FontRole && (index.row() == 0 || sumColumn(index.column()))) {
        QFont strong;
        strong.setWeight(QFont::DemiBold);
        return strong;
    }
    if (role == Qt::FontRole && openBucket(bucketAt(index.row()))) {
        QFont slanted; // not by its words alone: the numbers of the row are of another kind
        slanted.setItalic(true);
        return slanted;
    }
    if (role == int(ItemRole::ShareRole)) {
        return shareOf(index);
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole) {
        return {};
    }
    if (index.column() == 0) {
        return timeCell(index.row(), role);
    }
    const auto value = index.row() == 0 ? wholeOf(index.column()) : valueAt(bucketAt(index.row()), index.column());
    return role == Qt::ToolTipRole ? (value ? QString::number(*value, 'g', 17) : tr("Nothing is known of this time."))
        : changeColumn(index.column()) ? changeFigure(value)
                                       : figure(value);
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
    if (changeColumn(section)) {
        const bool share = m_answer.metric.unit == sql::TrendUnit::Ratio;
        return m_scale.unit.isEmpty() ? tr("Change")
                                      : tr("Change (%1)", "unit").arg(share ? tr("points") : m_scale.unit);
    }
    const QString name = section <= m_answer.series.size() ? seriesName(m_answer.series.at(section - 1))
        : sumColumn(section)                               ? tr("All scopes")
                                                           : tr("Previous period");
    return m_scale.unit.isEmpty() ? name : tr("%1 (%2)", "series, unit").arg(name, m_scale.unit);
}

} // namespace idemdesk::models

#include "moc_trend_table_model.cpp"
