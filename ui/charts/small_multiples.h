// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/trends/trend_picture.h"

#include <QWidget>

#include <functional>

class QGridLayout;
class QLabel;

namespace idemdesk::ui {

/// A small chart for each line of a picture, all with one axis, so that their heights compare. A click or Space leads
/// to its keys.
class SmallMultiples final : public QWidget
{
    Q_OBJECT

public:
    explicit SmallMultiples(QWidget *parent);
    /// axisTitle: what all show, with its unit. axisText: of a round value on the axis, which all share.
    void setPicture(const models::TrendPicture &picture, const QString &axisTitle,
        const std::function<QString(double)> &valueText, const std::function<QString(double)> &axisText);

signals:
    void activated(int line);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();

    QLabel *m_axis; ///< says that all have the same one
    QGridLayout *m_grid;
    QList<QWidget *> m_panels;
    int m_columns = 0;
};

} // namespace idemdesk::ui
