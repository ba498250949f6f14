// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_page.h"
#include "sql/types/result.h"

#include <QElapsedTimer>
#include <QFuture>
#include <QObject>
#include <functional>
#include <optional>

namespace idemdesk::models {

/// How many rows a list has: counted up to a cap at once, and exactly where counting does not take too much of the time
/// between two counts. The newest question wins.
class RowCounter final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 kCap = 10'000;
    /// cap 0: to the end.
    using Ask = std::function<QFuture<sql::Result<sql::RowCount>>(
        const sql::Filter &, qint64 cap, std::optional<sql::Timestamp> now)>;

    explicit RowCounter(QObject *parent = nullptr);

    void setAsk(Ask ask); ///< for the counts from now on
    void start(const sql::Filter &filter, const std::optional<sql::Timestamp> &now);
    void set(const sql::RowCount &count); ///< known without asking
    void drop(); ///< nobody waits for an answer any more; the count stays
    void reset(); ///< another list: forgets the count, and how long counting took

    const sql::RowCount &count() const { return m_count; }
    qint64 exact() const; ///< rows, or -1 where that is not known
    bool busy() const { return m_busy; }

signals:
    void counted(); ///< count() is new
    void busyChanged(); ///< asked, or there was no answer: the count is the one before

private:
    void ask(qint64 cap);
    void accept(const sql::Result<sql::RowCount> &result, bool exactly);

    Ask m_ask;
    sql::Filter m_filter;
    std::optional<sql::Timestamp> m_now;
    sql::RowCount m_count;
    bool m_busy = false;
    quint64 m_ticket = 0; ///< an answer to another one is dropped
    QElapsedTimer m_sinceExact;
    qint64 m_exactTookMs = -1; ///< how long the exact count took last
    qint64 m_lastExact = -1; ///< rows
};

} // namespace idemdesk::models
