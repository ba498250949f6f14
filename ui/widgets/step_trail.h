// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace idemdesk::ui {

/// The steps of a wizard in a row: a tick before those that are done, the one at hand in the accent, and those to come.
class StepTrail final : public QWidget
{
    Q_OBJECT

public:
    explicit StepTrail(QWidget *parent);

    void addStep(const QString &name);
    void setCurrent(int step);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int nameWidth(const QString &name) const;
    void drawMark(QPainter *painter, const QRect &mark, int step) const;

    QStringList m_names;
    int m_current = 0;
};

} // namespace idemdesk::ui
