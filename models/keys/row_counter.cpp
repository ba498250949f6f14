// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/row_counter.h"

#include "models/async.h"

#include <utility>

namespace idemdesk::models {

namespace {

/// An exact count may take at most this share of the time between two of them.
constexpr qint64 kExactShare = 20;

} // namespace

RowCounter::RowCounter(QObject *parent)
    : QObject(parent)
{
}

void RowCounter::setAsk(Ask ask)
{
    m_ask = std::move(ask);
}

void RowCounter::start(const sql::Filter &filter, const std::optional<sql::Timestamp> &now)
{
    if (!m_ask) {
        return;
    }
    m_filter = filter;
    m_now = now;
    ask(kCap);
    emit busyChanged(); // after asking: who hears it may set another filter
}

void RowCounter::ask(qint64 cap)
{
    m_busy = true;
    const quint64 ticket = ++m_ticket;
    whenDone(m_ask(m_filter, cap, m_now), this, [this, ticket, cap](const sql::Result<sql::RowCount> &result) {
        if (ticket == m_ticket) {
            accept(result, cap == 0);
        }
    });
}

void RowCounter::accept(const sql::Result<sql::RowCount> &result, bool exactly)
{
    m_busy = false;
    if (!result.ok()) {
        emit busyChanged(); // the list stays usable with the count it has
        return;
    }
    if (exactly) {
        m_exactTookMs = m_sinceExact.elapsed();
        m_lastExact = result->rows;
    }
    const bool capped = result->kind == sql::RowCount::Kind::AtLeast && !exactly;
    const bool again = capped && (m_lastExact < 0 || m_sinceExact.elapsed() > m_exactTookMs * kExactShare);
    m_count = capped && !again ? sql::RowCount { sql::RowCount::Kind::Estimated, m_lastExact } : *result;
    const quint64 ticket = m_ticket;
    emit counted();
    if (again && ticket == m_ticket) {
        m_sinceExact.start();
        ask(0);
    }
}

void RowCounter::set(const sql::RowCount &count)
{
    drop();
    m_count = count;
    emit counted();
}

void RowCounter::drop()
{
    ++m_ticket;
    m_busy = false;
}

void RowCounter::reset()
{
    m_exactTookMs = m_lastExact = -1;
    set({});
}

qint64 RowCounter::exact() const
{
    return m_count.kind == sql::RowCount::Kind::Exact ? m_count.rows : -1;
}

} // namespace idemdesk::models

#include "moc_row_counter.cpp"
