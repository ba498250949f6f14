// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/action.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// The trail, newest first, one row each; older rows are asked for as they are scrolled to.
class AuditModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Seq, At, Who, What, Target, Batch, Facts, Address, ColumnCount };

    explicit AuditModel(QObject *parent = nullptr);
    void clear();
    void append(const QList<sql::AuditRow> &rows, bool more);
    /// The newest rows, read again. Where only newer ones came on top, those that are shown keep their place.
    void replace(const QList<sql::AuditRow> &rows, bool more);
    void setMoreFailed() { m_asked = false; } ///< older rows may be asked for again
    void setTimeFormat(const TimeFormat &format);
    const TimeFormat &timeFormat() const { return m_format; }
    const QList<sql::AuditRow> &rows() const { return m_rows; }

    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void moreWanted();

private:
    QString text(const sql::AuditRow &row, int column) const;

    QList<sql::AuditRow> m_rows;
    bool m_more = false;
    bool m_asked = false;
    TimeFormat m_format;
};

/// All words that a row of the trail may have in `what`.
QStringList auditWhats();
/// "Batch done", "Approved", … for what a row of the trail says.
QString auditWhatLabel(const QString &what);
/// What matters most of a row's facts, in one line: reason, counts, state.
QString auditFactsText(const sql::AuditRow &row);

} // namespace idemdesk::models
