// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/trends/trend_picture.h"

#include <QWidget>

#include <functional>

class QCheckBox;
class QGridLayout;
class QLabel;

namespace idemdesk::ui {

/// A small chart for each line of a picture, with a scale of its own so that a quiet one shows its shape; or all with
/// one, so that their heights compare. A click or Space leads to its keys.
class SmallMultiples final : public QWidget
{
    Q_OBJECT

public:
    explicit SmallMultiples(QWidget *parent);
    /// How the numbers of a picture are written.
    struct Words {
        QString axisTitle; ///< what all show, with its unit
        std::function<QString(double)> tick; ///< a round value on an axis
        std::function<QString(const models::TrendLine &)> numbers; ///< of a line
    };
    void setPicture(const models::TrendPicture &picture, const Words &words);

signals:
    void activated(int line);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void rebuild();
    void place();

    models::TrendPicture m_picture;
    Words m_words;
    QLabel *m_axis; ///< says what all show, and whether their heights compare
    QCheckBox *m_same;
    QGridLayout *m_grid;
    QList<QWidget *> m_panels;
    int m_columns = 0;
};

} // namespace idemdesk::ui
