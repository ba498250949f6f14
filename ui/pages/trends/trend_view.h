// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/timestamp.h"

#include <QTabWidget>

class QScrollArea;
class QTableView;

namespace idemdesk::models {
class Settings;
class TrendController;
} // namespace idemdesk::models

namespace idemdesk::ui {

class SmallMultiples;
class TrendChart;

/// A trend's answer as a chart, as a small one for each scope, and as a table; all lead to the keys of a bucket.
class TrendView final : public QTabWidget
{
    Q_OBJECT

public:
    TrendView(models::TrendController *trends, models::Settings *settings, QWidget *parent);

    TrendChart *chart() const { return m_chart; }
    void showTab(const QString &name); ///< "chart", "scopes" or "table"
    void draw(bool stacked); ///< the answer is another one, or is shown in another way

signals:
    void rangeChosen(const idemdesk::sql::Timestamp &from, const idemdesk::sql::Timestamp &to);
    void keysWanted(const QString &filter);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void wire();
    void fitTable();
    QString sampleTime() const;
    void markBucket(qsizetype bucket);
    void openKeys(double x, double y, bool byKey);
    qsizetype bucketAt(double x) const;

    models::TrendController *m_trends;
    TrendChart *m_chart;
    QScrollArea *m_scopesTab;
    SmallMultiples *m_scopes;
    QTableView *m_table;
    qsizetype m_marked = -1;
};

} // namespace idemdesk::ui
