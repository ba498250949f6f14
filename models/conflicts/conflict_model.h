// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/conflict.h"

#include <QAbstractTableModel>
#include <QHash>

namespace idemdesk::models {

/// Conflicts, newest first, one a row; older ones are asked for as they are scrolled to.
class ConflictModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { At, Kind, Table, Scope, Key, Times, By, ColumnCount };

    explicit ConflictModel(QObject *parent = nullptr);
    void setPage(const sql::ConflictPage &page);
    void append(const sql::ConflictPage &page);
    void moreFailed() { m_asked = false; }
    void setTimeFormat(const TimeFormat &format);
    /// How the tables are shown whose names the conflicts carry; others are shown by their name.
    void setTableLabels(const QHash<QString, QString> &labels);
    const sql::ConflictRecord *record(int row) const; ///< null where there is no such row
    const QList<sql::ConflictRecord> &rows() const { return m_rows; }

    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void moreWanted();

private:
    QList<sql::ConflictRecord> m_rows;
    QHash<QString, QString> m_tables;
    bool m_more = false;
    bool m_asked = false;
    TimeFormat m_format;
};

} // namespace idemdesk::models
