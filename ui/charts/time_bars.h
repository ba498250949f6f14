// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_spread.h"

#include <QWidget>
#include <array>
#include <functional>

namespace idemdesk::ui {

/// Rows over time as bars: what is stuck and what failed at their foot. Where that is too little to be seen, a sign
/// above the bar tells of a time that has far more of it than others. A range is chosen by dragging over it, or with
/// the arrow keys, Shift and Enter; Escape takes the mark away.
class TimeBars final : public QWidget
{
    Q_OBJECT

public:
    explicit TimeBars(QWidget *parent = nullptr);

    /// textOf: what the buckets from the first to the last hold, in words. edges: the times at the two ends. lastFills:
    /// the last bucket is not over yet, so that its bar is no fall. exact: each row was counted; else the legend has no
    /// numbers, for a few stuck keys among many are no matter for a sample.
    void setBars(const QList<sql::SpreadCount> &bars, const QStringList &edges, bool lastFills, bool exact,
        const std::function<QString(int first, int last)> &textOf);
    int bars() const { return int(m_bars.size()); }
    QRect barRect(int bar) const; ///< the place of one, over the whole height

    /// A time between the two ends: its place, from 0 to 1, and what it is called.
    struct Tick {
        double at = 0;
        QString text;

        bool operator==(const Tick &) const = default;
    };
    void setTicks(const QList<Tick> &ticks); ///< by time; those without room are left out

    void setDimmed(bool dimmed); ///< of a filter that is no more
    void setPlain(bool plain); ///< in a line of text: without legend, its times at the two sides

    QSize sizeHint() const override;

signals:
    void rangeChosen(int first, int last);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    QRect plot() const;
    double top() const; ///< rows of the highest bar
    void findSigned();
    std::array<bool, 2> signs() const;
    int barAt(int x) const;
    void mark(int from, int to);
    bool moveMark(const QKeyEvent &event);
    void paintBars(QPainter *painter, const QRect &plot) const;
    void paintTimes(QPainter *painter) const;
    void paintTicks(QPainter *painter, const QRect &times) const;
    void paintSides(QPainter *painter) const;
    int sideWidth(int edge) const;
    void paintLegend(QPainter *painter, const QRect &line) const;
    void paintSignLegend(QPainter *painter, const QRect &line, int right) const;

    QList<sql::SpreadCount> m_bars;
    std::array<QList<int>, 2> m_signed; ///< bars with a sign for what is stuck, and for what failed
    QStringList m_edges;
    QList<Tick> m_ticks;
    bool m_lastFills = false;
    bool m_exact = true;
    std::function<QString(int, int)> m_textOf;
    int m_from = -1; ///< where the mark began
    int m_to = -1; ///< where it is now; -1: none
    bool m_dragging = false;
    bool m_plain = false;
    bool m_dimmed = false;
};

} // namespace idemdesk::ui
