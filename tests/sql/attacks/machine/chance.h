// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <random>

namespace idemdesk::tests::machine {

/// All that is random in a run. The same seed gives the same choices everywhere: the ranges are cut here, for
/// the distributions of the standard library differ from one to the next.
class Chance
{
public:
    explicit Chance(quint64 seed)
        : m_engine(seed)
    {
    }
    /// 0 to n - 1.
    int below(int n) { return n <= 1 ? 0 : static_cast<int>(m_engine() % static_cast<quint64>(n)); }
    bool percent(int n) { return below(100) < n; }
    template <typename T> const T &of(const QList<T> &list) { return list.at(below(static_cast<int>(list.size()))); }
    QString uuid()
    {
        const QString hex = QStringLiteral("%1%2")
                                .arg(m_engine(), 16, 16, QLatin1Char('0'))
                                .arg(m_engine(), 16, 16, QLatin1Char('0'));
        return hex.mid(0, 8) + QLatin1Char('-') + hex.mid(8, 4) + QStringLiteral("-4") + hex.mid(13, 3)
            + QStringLiteral("-8") + hex.mid(17, 3) + QLatin1Char('-') + hex.mid(20, 12);
    }
    template <typename T> void shuffle(QList<T> &list)
    {
        for (int i = static_cast<int>(list.size()) - 1; i > 0; --i) {
            list.swapItemsAt(i, below(i + 1));
        }
    }

private:
    std::mt19937_64 m_engine;
};

} // namespace idemdesk::tests::machine
