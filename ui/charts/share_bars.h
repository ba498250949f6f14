// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/tokens.h"

#include <QWidget>

class QPainter;

namespace idemdesk::ui {

/// Bars of several parts, one below the other, with their names left and their numbers right. Each is the whole of its
/// own: a small one tells its parts as well as a large one.
class ShareBars final : public QWidget
{
    Q_OBJECT

public:
    /// What a part's colour stands for.
    struct Part {
        QString name;
        Token token = Token::Accent;
    };
    struct Bar {
        QString name;
        QList<double> parts; ///< by the parts
        QString text; ///< the numbers, in words
    };

    ShareBars(const QString &name, const QList<Part> &parts, QWidget *parent = nullptr);
    /// sums: what the legend says of each part, where more is known of all than of each; none: what the bars add up to.
    void setBars(const QList<Bar> &bars, const QList<double> &sums = {});
    const QList<Bar> &bars() const { return m_bars; }
    double sum(int part) const; ///< as the legend says it

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    int lineHeight() const;
    void paintLegend(QPainter *painter) const;
    void paintBar(QPainter *painter, int number, const QRect &line) const;

    QList<Part> m_parts;
    QList<Bar> m_bars;
    QList<double> m_sums; ///< of the legend; may be empty
};

} // namespace idemdesk::ui
