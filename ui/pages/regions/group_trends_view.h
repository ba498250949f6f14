// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;

namespace idemdesk::models {
class GroupSession;
class GroupTrends;
struct GroupTrendChoice;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class ContentStack;
class NoticeBar;
class TargetChooser;
class TrendChart;

/// One metric of a table over time, in all members of a group: a line each, or their sum. A member that is down has its
/// place in the legend, and no line.
class GroupTrendsView final : public QWidget
{
    Q_OBJECT

public:
    /// session: outlives the view.
    explicit GroupTrendsView(models::GroupSession *session, QWidget *parent = nullptr);

    void activate(); ///< reads, unless it was read before
    void refresh(); ///< members that are down as well
    void setTimeFormat(const models::TimeFormat &format);
    models::GroupTrends *trends() const { return m_trends; }
    TrendChart *chart() const { return m_chart; }

private:
    QWidget *buildBar();
    void wire();
    void onTargets();
    void fillMetrics();
    void choose();
    void sync();
    void syncEmpty();
    void draw();
    void mark(double x);

    models::GroupSession *m_session;
    models::GroupTrends *m_trends;
    TargetChooser *m_targets;
    QComboBox *m_metric;
    QComboBox *m_range;
    QCheckBox *m_sum;
    BusyBar *m_busy;
    NoticeBar *m_notice;
    QLabel *m_help;
    ContentStack *m_stack;
    TrendChart *m_chart;
    QLabel *m_status;
};

} // namespace idemdesk::ui
