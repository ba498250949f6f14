// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/health.h"

#include <QFrame>
#include <QList>

class QGridLayout;
class QLabel;

namespace idemdesk::ui {

/// A few numbers on one card, a line each: what it is, the number, and quietly what it means. A note that finds too
/// little room is cut, and stands whole in its tooltip.
class FigureCard final : public QFrame
{
    Q_OBJECT

public:
    struct Figure {
        QString name;
        QString value;
        QString note;
        sql::HealthLevel level = sql::HealthLevel::Nothing; ///< Advice and Problem colour the number
        bool quiet = false; ///< the number stands as quietly as its note: it tells little by itself
    };

    FigureCard(const QString &objectName, const QString &accessibleName, QWidget *parent);
    void setFigures(const QList<Figure> &figures); ///< safe to show
    QString text() const; ///< all of it, a line each

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Line {
        QLabel *name;
        QLabel *value;
        QLabel *note;
    };
    void addLine();
    void applyColors();

    QGridLayout *m_grid;
    QList<Line> m_lines;
    QList<Figure> m_figures;
};

} // namespace idemdesk::ui
