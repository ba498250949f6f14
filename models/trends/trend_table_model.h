// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/trends/trend_words.h"
#include "sql/types/trend.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// The numbers of a chart as a table. First what sums it up: the total of what is counted, else the highest value. Then
/// a row for each bucket, the newest first: its time, a column for each series, and their sum where values add up. With
/// a period before there are its values and by how much they differ.
class TrendTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    explicit TrendTableModel(QObject *parent = nullptr);
    void setAnswer(const sql::TrendAnswer &answer, const std::optional<sql::TrendAnswer> &previous);
    void setTimeFormat(const TimeFormat &format);
    void clear();
    /// The place of a row's bucket in the answer; -1 for the first row, which is of all.
    qsizetype bucketAt(int row) const { return row > 0 ? m_answer.buckets.size() - row : -1; }
    /// The series of a column; -1 where it is of none alone.
    qsizetype seriesAt(int column) const { return column <= m_answer.series.size() ? column - 1 : -1; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void takeScale();
    bool sums() const; ///< the series are parts of a whole
    bool adds() const; ///< buckets add up, too
    bool changeColumn(int column) const { return m_previous && column == columnCount() - 1; }
    bool openBucket(qsizetype bucket) const; ///< is still filling
    bool sumColumn(int column) const { return sums() && column == m_answer.series.size() + 1; }
    std::optional<double> valueAt(qsizetype bucket, int column) const;
    std::optional<double> wholeOf(int column) const; ///< total or highest
    QString figure(const std::optional<double> &value) const; ///< in the unit of the headings
    QString changeFigure(const std::optional<double> &value) const; ///< with its sign
    QString timeCell(int row, int role) const;
    double shareOf(const QModelIndex &index) const; ///< how long the bar of a value is, up to 1

    sql::TrendAnswer m_answer;
    std::optional<sql::TrendAnswer> m_previous;
    TimeFormat m_format;
    TrendScale m_scale;
    double m_highest = 0; ///< of the series and the period before: their bars are told by each other
    double m_highestSum = 0;
};

} // namespace idemdesk::models
