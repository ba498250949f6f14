// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

namespace idemdesk::models {

/// Where one was, in the order one went there, with a place to stand. Going somewhere new forgets what lay ahead.
template <typename Stop> class Trail
{
public:
    static constexpr qsizetype kMostStops = 100; ///< the oldest are forgotten

    bool empty() const { return m_stops.isEmpty(); }
    /// Of a trail that is not empty.
    const Stop &here() const { return m_stops.at(m_at); }
    bool canBack() const { return m_at > 0; }
    bool canForward() const { return m_at + 1 < m_stops.size(); }

    void go(const Stop &stop)
    {
        m_stops.resize(m_stops.isEmpty() ? 0 : m_at + 1);
        m_stops.append(stop);
        if (m_stops.size() > kMostStops) {
            m_stops.removeFirst();
        }
        m_at = m_stops.size() - 1;
    }
    /// The same stop, known better now; what lies ahead stays.
    void amend(const Stop &stop)
    {
        if (m_stops.isEmpty()) {
            go(stop);
        } else {
            m_stops[m_at] = stop;
        }
    }
    const Stop &back()
    {
        m_at -= canBack() ? 1 : 0;
        return here();
    }
    const Stop &forward()
    {
        m_at += canForward() ? 1 : 0;
        return here();
    }
    void clear()
    {
        m_stops.clear();
        m_at = 0;
    }

private:
    QList<Stop> m_stops;
    qsizetype m_at = 0;
};

} // namespace idemdesk::models
