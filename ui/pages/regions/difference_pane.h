// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/regions/region_list.h"
#include "ui/delegates/state_delegate.h"

#include <QWidget>
#include <array>
#include <utility>

class QLabel;
class QPushButton;
class QTableView;

namespace idemdesk::models {
class RegionDetail;
class SideTitles;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BadgeView;

/// What tells a group of differences from the others; without a text.
Badge differenceBadge(models::DifferenceGroup group);

/// How many characters a text shares with the other one at its beginning and at its end, in whole words and numbers.
std::pair<qsizetype, qsizetype> sharedEnds(const QString &text, const QString &other);

/// One key that is not the same on both sides: what is wrong, what the rule proposes, and both sides line by line.
class DifferencePane final : public QWidget
{
    Q_OBJECT

public:
    explicit DifferencePane(models::RegionDetail *detail, QWidget *parent = nullptr);

    /// Null: none is looked at.
    void show(const models::RegionDifference *difference, const std::array<QString, 2> &labels);

signals:
    void keyWanted(int side); ///< show the key in the window of that side

private:
    void sync();
    void foldEqual(); ///< lines that are the same on both sides are hidden, unless they are wanted

    models::RegionDetail *m_detail;
    models::SideTitles *m_lines;
    BadgeView *m_badge;
    QLabel *m_key;
    QLabel *m_proposal;
    QTableView *m_table;
    QPushButton *m_equal; ///< shows the lines that are the same
    QLabel *m_note; ///< what could not be read
    std::array<QPushButton *, 2> m_show;
};

} // namespace idemdesk::ui
