// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/tokens.h"

#include <QWidget>

class QPainter;

namespace idemdesk::ui {

/// Bars of several parts, one below the other, with their names left and their numbers right. Each is the whole of its
/// own: a small one tells its parts as well as a large one. How large each is stands before it, over a bar that grows
/// with the square root: twelve beside ninety thousand are still seen.
class ShareBars final : public QWidget
{
    Q_OBJECT

public:
    /// What a part's colour stands for.
    struct Part {
        QString name;
        Token token = Token::Accent;
        bool pale = false; ///< framed in its colour, and filled with little of it
        bool hatched = false; ///< beside the first part, of which it is the less certain one
    };
    struct Bar {
        QString name;
        QList<double> parts; ///< by the parts
        QString text; ///< the numbers, in words
        QString size = {}; ///< all parts together, as a number; empty where that is not known
    };
    /// What stands over the names and over the sizes.
    struct Titles {
        QString name;
        QString size;
    };

    ShareBars(const QString &name, const QList<Part> &parts, QWidget *parent = nullptr);
    /// sums: what the legend says of each part, where more is known of all than of each; none: what the bars add up to.
    void setBars(const QList<Bar> &bars, const QList<double> &sums = {});
    void setTitles(const Titles &titles) { m_titles = titles; }
    void setPart(int number, const Part &part) { m_parts[number] = part; }
    const QList<Bar> &bars() const { return m_bars; }
    double sum(int part) const; ///< as the legend says it

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    /// Where the columns of a line stand.
    struct Columns {
        QRect name;
        QRect size; ///< empty where no bar has one
        QRect track;
        QRect text;
    };
    int lineHeight() const;
    QRect lineOf(int number) const; ///< of a bar
    Columns columnsOf(const QRect &line) const;
    void paintLegend(QPainter *painter) const;
    void paintPart(QPainter *painter, const QRect &place, int part) const;
    int digitsWidth() const; ///< of the widest size
    void paintSize(QPainter *painter, const Bar &bar, const QRect &place) const;
    void paintBar(QPainter *painter, const Bar &bar, const QRect &line) const;

    QList<Part> m_parts;
    Titles m_titles;
    QList<Bar> m_bars;
    QList<double> m_sums; ///< of the legend; may be empty
};

} // namespace idemdesk::ui
