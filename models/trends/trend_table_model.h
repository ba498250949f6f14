// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/trend.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// The numbers of a chart as a table: a row for each bucket, the newest first; its time, and a column for each series.
class TrendTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    explicit TrendTableModel(QObject *parent = nullptr);
    void setAnswer(const sql::TrendAnswer &answer, const std::optional<sql::TrendAnswer> &previous);
    void setTimeFormat(const TimeFormat &format);
    void clear();
    /// The place of a row's bucket in the answer.
    qsizetype bucketAt(int row) const { return m_answer.buckets.size() - 1 - row; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::optional<double> valueAt(qsizetype bucket, int column) const;

    sql::TrendAnswer m_answer;
    std::optional<sql::TrendAnswer> m_previous;
    TimeFormat m_format;
};

} // namespace idemdesk::models
