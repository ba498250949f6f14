// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_exchange.h"

#include <QSqlRecord>
#include <QSqlResult>

namespace idemdesk::sql {

class PgDriver;

/// The answer of one statement on PgDriver. Every value is a QString with the server's own text (a boolean is t or f);
/// NULL is a null QVariant of QString. Forward-only results hold one row at a time.
class PgResult final : public QSqlResult
{
public:
    PgResult(const PgDriver *driver, std::shared_ptr<PgLink> link);
    ~PgResult() override;

protected:
    bool savePrepare(const QString &sql) override;
    bool prepare(const QString &sql) override;
    bool exec() override;
    bool reset(const QString &sql) override;
    void bindValue(int position, const QVariant &value, QSql::ParamType type) override;
    void bindValue(const QString &placeholder, const QVariant &value, QSql::ParamType type) override;
    QVariant data(int index) override;
    bool isNull(int index) override;
    bool fetch(int index) override;
    bool fetchNext() override;
    bool fetchPrevious() override;
    bool fetchFirst() override;
    bool fetchLast() override;
    int size() override;
    int numRowsAffected() override;
    QSqlRecord record() const override;
    void detachFromResultSet() override;

private:
    bool run(const QByteArray &sql, const PgParameters &parameters);
    bool refuse(const QString &reason);
    bool reportFailure();
    bool fetchStreamed();
    bool bufferedAt(int index);
    void hold(PgResultPtr rows);
    bool has(int index) const { return index >= 0 && index < m_columns && m_row < m_count; }
    void release();

    std::shared_ptr<PgLink> m_link;
    std::unique_ptr<PgExchange> m_exchange; ///< only while rows are still to come
    PgResultPtr m_rows; ///< all rows, or the current one
    int m_row = 0; ///< within m_rows
    int m_count = 0; ///< rows in m_rows
    int m_columns = 0;
    int m_affected = -1;
    bool m_streamed = false;
    bool m_firstWaits = false; ///< exec() has read the first row, nobody has asked for it yet
    bool m_named = false; ///< a value was bound by name
};

} // namespace idemdesk::sql
