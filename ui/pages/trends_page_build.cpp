// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of the trends page.
#include "models/trends/trend_controller.h"
#include "models/trends/trend_export.h"
#include "ui/pages/target_chooser.h"
#include "ui/pages/trends_page.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

QWidget *TrendsPage::buildBar()
{
    auto *title = plainLabel(tr("Trends"), this);
    title->setFont(Theme::title());
    m_targets->setObjectName(u"trendsTarget"_s);
    m_targets->setAccessibleName(tr("Table"));
    setUpTargetChooser(m_targets);
    m_metric->setObjectName(u"trendsMetric"_s);
    m_metric->setAccessibleName(tr("What is shown"));
    m_metric->setMinimumWidth(200);
    m_refresh->setObjectName(u"trendsRefresh"_s);
    m_refresh->setIcon(themedIcon(u"refresh"_s));
    m_refresh->setToolTip(tr("Refresh (F5)"));
    m_refresh->setAccessibleName(tr("Refresh"));
    m_export->setObjectName(u"trendsExport"_s);
    m_export->setText(tr("Export"));
    m_export->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(m_export);
    menu->addAction(tr("Picture (&PNG)…"), this, [this] { askExport(u"png"_s); });
    menu->addAction(tr("&Drawing (SVG)…"), this, [this] { askExport(u"svg"_s); });
    menu->addAction(tr("&Numbers (CSV)…"), this, [this] { askExport(u"csv"_s); });
    menu->addSeparator();
    menu->addAction(tr("&Copy the numbers"), this, [this] {
        if (m_trends->answer()) {
            QGuiApplication::clipboard()->setText(QString::fromUtf8(models::trendCsv(*m_trends->answer(), m_trends->previous())));
        }
    });
    m_export->setMenu(menu);
    m_progress->setObjectName(u"trendsProgress"_s);
    m_progress->setRange(0, 0);
    m_progress->setMaximumWidth(120);
    m_progress->setTextVisible(false);
    m_stop->setObjectName(u"trendsStop"_s);
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * kGrid);
    row->addWidget(title);
    row->addWidget(m_targets);
    row->addWidget(m_metric);
    row->addStretch(1);
    row->addWidget(m_progress);
    row->addWidget(m_stop);
    row->addWidget(m_export);
    row->addWidget(m_refresh);
    return bar;
}

QWidget *TrendsPage::buildOptions()
{
    constexpr qint64 kHour = 3'600;
    constexpr qint64 kDay = 86'400;
    m_source->setObjectName(u"trendsSource"_s);
    m_source->setAccessibleName(tr("Where the numbers come from"));
    m_source->addItem(tr("From rows"), int(sql::TrendSource::Rows));
    m_source->setItemData(0, tr("What is in the table now; rows that were purged or overwritten are gone"), Qt::ToolTipRole);
    m_source->addItem(tr("From samples"), int(sql::TrendSource::Samples));
    m_source->setItemData(1, tr("How it was each minute, as open consoles and idemdeskctl sample noted it"), Qt::ToolTipRole);
    m_range->setObjectName(u"trendsRange"_s);
    m_range->setAccessibleName(tr("Range of time"));
    const std::pair<QString, qint64> ranges[] = { { tr("Last hour"), kHour }, { tr("Last 6 hours"), 6 * kHour }, { tr("Last 24 hours"), kDay },
        { tr("Last 7 days"), 7 * kDay }, { tr("Last 30 days"), 30 * kDay }, { tr("Last 90 days"), 90 * kDay }, { tr("Range of my own…"), kOwnRange } };
    for (const auto &[text, seconds] : ranges) {
        m_range->addItem(text, seconds);
    }
    m_range->setCurrentIndex(m_range->findData(kDay));
    m_bucket->setObjectName(u"trendsBucket"_s);
    m_bucket->setAccessibleName(tr("Length of a bucket"));
    m_bucket->addItem(tr("Fitting buckets"), QString());
    const std::pair<QString, QString> lengths[] = { { tr("1 minute"), u"1m"_s }, { tr("5 minutes"), u"5m"_s }, { tr("15 minutes"), u"15m"_s },
        { tr("1 hour"), u"1h"_s }, { tr("6 hours"), u"6h"_s }, { tr("1 day"), u"1d"_s }, { tr("1 week"), u"1w"_s } };
    for (const auto &[text, length] : lengths) {
        m_bucket->addItem(text, length);
    }
    m_byScope->setObjectName(u"trendsByScope"_s);
    m_stacked->setObjectName(u"trendsStacked"_s);
    m_compare->setObjectName(u"trendsCompare"_s);
    m_compare->setToolTip(tr("Lays the same length of time just before over this one, all scopes together"));
    m_reset->setObjectName(u"trendsReset"_s);
    m_reset->setToolTip(tr("Back from the part that was chosen in the chart"));
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * kGrid);
    for (QWidget *widget : { static_cast<QWidget *>(m_source), static_cast<QWidget *>(m_range), static_cast<QWidget *>(m_bucket), static_cast<QWidget *>(m_byScope),
             static_cast<QWidget *>(m_stacked), static_cast<QWidget *>(m_compare), static_cast<QWidget *>(m_reset) }) {
        row->addWidget(widget);
    }
    row->addStretch(1);
    return bar;
}

} // namespace idemdesk::ui
