// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/story_scale.h"

#include <QWidget>

class QPainter;

namespace idemdesk::ui {

/// The sign of an event, in shape and colour: a square for what a person did, a diamond for an effect, a triangle for a
/// conflict, a flag for an end of a term, else a dot. What is still to come is hollow.
void paintStorySign(QPainter *painter, const QPointF &place, models::StoryEvent::Kind kind, bool future);

/// A key's story drawn to scale, above its list: the attempt as a bar, its lease as a bracket, long silences cut and
/// said in words, what would happen next dotted.
class StoryScaleView final : public QWidget
{
    Q_OBJECT

public:
    explicit StoryScaleView(models::StoryModel *story, QWidget *parent = nullptr);
    const models::StoryScale &scale() const { return m_scale; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void sync();
    int gapLines() const; ///< for the labels of what is cut
    double placeOf(double at) const; ///< in pixels
    void paintAxis(QPainter *painter) const;
    void paintSpans(QPainter *painter) const;
    void paintGaps(QPainter *painter) const;
    void paintMarks(QPainter *painter) const;

    models::StoryModel *m_story;
    models::StoryScale m_scale;
};

} // namespace idemdesk::ui
