// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"

#include <QWidget>

#include <functional>

class QCheckBox;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTabWidget;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class ConnectionController;
class Settings;
class TrendController;
struct TrendChoice;
}

namespace idemdesk::ui {

class EmptyState;
class NoticeBar;
class TrendChart;

/// How a target's keys came and went: one metric over a range of time, in all or by scope, as a chart and as a table.
class TrendsPage final : public QWidget
{
    Q_OBJECT

public:
    TrendsPage(models::ConnectionController *connection, models::TrendController *trends, models::Settings *settings, QWidget *parent = nullptr);

    void activate(); ///< the page was shown
    void showTarget(const QString &name);
    void showMetric(const QString &metric);
    void showTab(const QString &name); ///< "chart" or "table"
    TrendChart *chart() const { return m_chart; }

signals:
    void connectClicked();
    void keysWanted(const QString &target, const QString &filter);

private:
    static constexpr qint64 kOwnRange = -1; ///< stands for seconds in the list of ranges

    QWidget *buildBar();
    QWidget *buildOptions();
    void wire();
    void onTargetsChanged();
    void fillMetrics();
    void choose(const std::function<void(models::TrendChoice &)> &change);
    void update();
    void updateEmpty();
    void drawChart();
    void markBucket(qsizetype bucket);
    void openKeys(double x, double y, bool byKey);
    void askRange();
    void askExport(const QString &suffix);
    qsizetype bucketAt(double x) const;

    models::ConnectionController *m_connection;
    models::TrendController *m_trends;
    QComboBox *m_targets;
    QComboBox *m_metric;
    QComboBox *m_source;
    QComboBox *m_range;
    QComboBox *m_bucket;
    QCheckBox *m_byScope;
    QCheckBox *m_stacked;
    QCheckBox *m_compare;
    QPushButton *m_reset;
    QToolButton *m_refresh;
    QToolButton *m_export;
    QProgressBar *m_progress;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    QLabel *m_help;
    QLabel *m_notes;
    QTabWidget *m_tabs;
    QStackedWidget *m_stack;
    TrendChart *m_chart;
    QTableView *m_table;
    EmptyState *m_empty;
    qsizetype m_marked = -1;
};

} // namespace idemdesk::ui
