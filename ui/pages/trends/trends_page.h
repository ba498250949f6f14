// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "ui/pages/page.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace idemdesk::models {
class ConnectionController;
class Settings;
class TrendController;
struct TrendChoice;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class ContentStack;
class NoticeBar;
class TargetChooser;
class TrendChart;
class TrendExportButton;
class TrendView;
class WrapRow;

/// How a target's keys came and went: one metric over a range of time, in all or by scope, as a chart and as a table.
class TrendsPage final : public Page
{
    Q_OBJECT

public:
    TrendsPage(models::ConnectionController *connection, models::TrendController *trends, models::Settings *settings,
        QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void refresh() override;
    void setTimeFormat(const models::TimeFormat &format) override;
    void activate() override; ///< the page was shown
    void showTarget(const QString &name);
    void showMetric(const QString &metric);
    void showTab(const QString &name); ///< "chart" or "table"
    TrendChart *chart() const;

private:
    static constexpr qint64 kOwnRange = -1; ///< stands for seconds in the list of ranges
    static constexpr qint64 kLongRange = 30 * 86'400; ///< seconds: what an empty chart offers

    QWidget *buildHeader();
    QWidget *buildOptions();
    void wire();
    void wireContent();
    void onTargetsChanged();
    void setTarget(const QString &name);
    void fillMetrics();
    void choose(const std::function<void(models::TrendChoice &)> &change);
    void sync();
    void updateEmpty();
    void syncNotice();
    QString ownRangeText() const;
    void syncNotes();
    void draw();
    void askRange();

    models::ConnectionController *m_connection;
    models::TrendController *m_trends;
    TargetChooser *m_targets;
    QComboBox *m_metric;
    QComboBox *m_source;
    QComboBox *m_range;
    QComboBox *m_bucket;
    QCheckBox *m_byScope;
    QCheckBox *m_stacked;
    QCheckBox *m_compare;
    QPushButton *m_reset;
    QToolButton *m_refresh;
    TrendExportButton *m_export;
    BusyBar *m_progress;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    QLabel *m_help;
    QLabel *m_notes;
    ContentStack *m_stack;
    TrendView *m_view;
    QLabel *m_offersTitle;
    QWidget *m_offers; ///< the metrics that there are, where the one asked for is none of them
    WrapRow *m_offerRow;
    QTimer m_tick; ///< while something is counted
    QElapsedTimer m_since;
};

} // namespace idemdesk::ui
