// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/purge/purge_figures.h"
#include "sql/types/history.h"

#include <QWidget>

class QPainter;

namespace idemdesk::models {
class ActionCenter;
}

namespace idemdesk::ui {

/// The purge that runs, in numbers to look at from afar; hidden while there is none.
class PurgeProgress final : public QWidget
{
    Q_OBJECT

public:
    explicit PurgeProgress(models::ActionCenter *center, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return { 200, sizeHint().height() }; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void sync();
    void paintFigure(QPainter *painter, const models::PurgeFigure &figure, const QRect &place, bool first) const;

    models::ActionCenter *m_center;
    QList<models::PurgeFigure> m_figures;
    QString m_action; ///< of which m_rates are
    sql::HistoryValues m_rates; ///< rows a second, as they came in
};

} // namespace idemdesk::ui
