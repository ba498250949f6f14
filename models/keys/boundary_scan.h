// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_page.h"
#include "sql/types/result.h"

#include <QFuture>
#include <QObject>
#include <functional>
#include <optional>

namespace idemdesk::models {

/// Gathers places in a long list once, so that far jumps skip few rows.
class BoundaryScan final : public QObject
{
    Q_OBJECT

public:
    using Ask = std::function<QFuture<sql::Result<sql::Boundaries>>(
        const sql::Filter &, const sql::OrderLabel &, qint64 step, std::optional<sql::Timestamp> now)>;

    explicit BoundaryScan(QObject *parent = nullptr);

    void setAsk(Ask ask);
    /// Once for each list, where it has so many rows that skipping does not reach them well enough.
    void start(
        const sql::Filter &filter, const sql::OrderLabel &order, qint64 rows, const std::optional<sql::Timestamp> &now);
    void stopWaiting(); ///< what comes all the same is taken
    void reset(); ///< another list: what comes is of the one before
    bool running() const { return m_running; }

signals:
    void ended(const idemdesk::sql::Boundaries &found); ///< of step 0: nothing was found

private:
    Ask m_ask;
    bool m_running = false;
    bool m_tried = false;
    quint64 m_generation = 0; ///< of the list
};

/// The row that a time is near in an order by time, as far as the places tell; half-way where there are none.
qint64 rowAtTime(const sql::Boundaries &known, const sql::Timestamp &time, qint64 rows);

} // namespace idemdesk::models
