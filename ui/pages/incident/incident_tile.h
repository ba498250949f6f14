// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/incident/incident_types.h"
#include "ui/theme/tokens.h"

#include <QAbstractButton>

namespace idemdesk::ui {

/// The colour of a level; its shape and its word say the same.
Token tokenOf(models::IncidentLevel level);
/// A filled triangle, a ring, a tick, a question mark or a dash.
void paintLevel(QPainter *painter, const QRectF &box, models::IncidentLevel level);

/// One figure to be read from two metres: title, state in a word, the figure, and its last day behind. A click leads to
/// what it counts.
class IncidentTileButton final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit IncidentTileButton(QWidget *parent);
    void setTile(const models::IncidentTile &tile);
    const models::IncidentTile &tile() const { return m_tile; }
    void setOld(bool old); ///< the newest reading failed: dimmed
    void setLarge(bool large); ///< on a wall
    void setCompact(bool compact); ///< on a low screen: the day stands beside the figure
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void linkActivated(const idemdesk::models::IncidentLink &link);

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void paintHead(QPainter *painter, const QRect &area) const;
    void paintFigure(QPainter *painter, const QRect &area) const;
    QFont figureFont() const;
    QFont wordFont() const;
    int levelSize() const; ///< pixels, of the level's shape
    int tileHeight() const;
    bool compact() const { return m_compact && !m_large; }
    QString wordLine(int width) const;
    QRect wordRect(const QRect &area) const;

    models::IncidentTile m_tile;
    bool m_old = false;
    bool m_large = false;
    bool m_compact = false;
};

} // namespace idemdesk::ui
