// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/trends/trend_picture.h"

#include <QWidget>

#include <functional>

class QGridLayout;

namespace idemdesk::ui {

/// A small chart for each line of a picture, all with one axis, so that their heights compare. A click or Space leads
/// to its keys.
class SmallMultiples final : public QWidget
{
    Q_OBJECT

public:
    explicit SmallMultiples(QWidget *parent);
    void setPicture(const models::TrendPicture &picture, const std::function<QString(double)> &valueText);

signals:
    void activated(int line);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();

    QGridLayout *m_grid;
    QList<QWidget *> m_panels;
    int m_columns = 0;
};

} // namespace idemdesk::ui
