// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/tokens.h"

#include <QWidget>

class QPainter;

namespace idemdesk::ui {

/// Bars of several parts, one below the other, on one scale, with their names left and their numbers right.
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
    void setBars(const QList<Bar> &bars);
    const QList<Bar> &bars() const { return m_bars; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    int lineHeight() const;
    void paintLegend(QPainter *painter) const;
    void paintBar(QPainter *painter, int number, const QRect &line, double top) const;

    QList<Part> m_parts;
    QList<Bar> m_bars;
};

} // namespace idemdesk::ui
