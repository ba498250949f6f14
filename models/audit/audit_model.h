// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/target_titles.h"
#include "models/table/row_model.h"
#include "sql/types/action.h"

#include <QSet>

namespace idemdesk::models {

/// The trail, newest first, one row each; older rows are asked for as they are scrolled to.
class AuditModel final : public RowModel<AuditModel, sql::AuditRow>
{
    Q_OBJECT

public:
    enum Column { Seq, At, Who, What, Target, Batch, Facts, Address, ColumnCount };

    explicit AuditModel(QObject *parent = nullptr);
    void clear() { setRows({}); }
    void append(const QList<sql::AuditRow> &rows, bool more) { appendRows(rows, more); }
    /// The newest rows, read again. Where only newer ones came on top, those that are shown keep their place.
    void replace(const QList<sql::AuditRow> &rows, bool more);
    void setUndos(const QSet<QString> &actions); ///< ids: what their batches did is "restored"
    void setTitles(const TargetTitles &titles);
    const TargetTitles &titles() const { return m_titles; }

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const sql::AuditRow &row, int column, int role) const;

private:
    sql::ActionVerb verbOf(const QString &action) const;

    TargetTitles m_titles;
    QSet<QString> m_undos;
};

/// All words that a row of the trail may have in `what`.
QStringList auditWhats();
/// "Batch done", "Approved", … for what a row of the trail says.
QString auditWhatLabel(const QString &what);
/// What matters most of a row's facts, in one line: reason, counts, state.
QString auditFactsText(const sql::AuditRow &row, sql::ActionVerb verb = sql::ActionVerb::Recover);

} // namespace idemdesk::models
