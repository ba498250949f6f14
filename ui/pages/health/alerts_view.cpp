// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/health/alerts_view.h"

#include "models/alerts/alert_controller.h"
#include "models/connection/connection_controller.h"
#include "ui/delegates/health_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"

#include <QPushButton>
#include <QTableView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::AlertModel;

AlertsView::AlertsView(models::ConnectionController *connection, models::AlertController *alerts,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_alerts(alerts)
    , m_summary(wrappedLabel({}, this))
    , m_notice(new NoticeBar(this))
    , m_stack(new ContentStack(this))
    , m_table(new QTableView(this))
    , m_keys(new QPushButton(tr("Show &keys"), this))
    , m_chart(new QPushButton(tr("Show c&hart"), this))
{
    m_summary->setObjectName(u"alertsSummary"_s);
    setUpTable(m_table,
        { u"alertsTable"_s, tr("Alerts; Enter shows the chart"), alerts->model(), { 140, 210, 380, 380, 160, 150 } },
        settings);
    setTwoLines(m_table, settings);
    m_table->setColumnHidden(AlertModel::Table, true); // muted beneath the rule, and the limit beneath the value
    m_table->setColumnHidden(AlertModel::Limit, true);
    for (const int column : { AlertModel::What, AlertModel::Value }) {
        m_table->setItemDelegateForColumn(column, new TwoLineDelegate(TwoLineDelegate::First::Text, m_table));
    }
    m_table->setItemDelegateForColumn(AlertModel::State, new HealthDelegate(m_table));
    m_keys->setObjectName(u"alertKeys"_s);
    m_chart->setObjectName(u"alertChart"_s);
    auto *list = new QWidget(this);
    auto *column = partColumn(list);
    column->addWidget(m_table, 1);
    column->addLayout(barRow({ nullptr, m_keys, m_chart }));
    m_stack->setContent(list);
    auto *layout = tabColumn(this);
    layout->addWidget(m_notice);
    layout->addWidget(m_summary);
    layout->addWidget(m_stack, 1);
    wire();
    sync();
}

const models::AlertEntry *AlertsView::current() const
{
    return m_alerts->model()->row(m_table->currentIndex().row());
}

void AlertsView::wire()
{
    models::AlertController *alerts = m_alerts;
    connect(alerts, &models::AlertController::changed, this, &AlertsView::sync);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &AlertsView::sync);
    connect(m_notice, &NoticeBar::primaryClicked, alerts, &models::AlertController::refresh);
    const auto chart = [this] {
        if (const AlertModel::Entry *entry = current()) {
            emit trendWanted(entry->target, entry->status.rule.metric);
        }
    };
    connect(m_table, &QTableView::activated, this, chart);
    connect(m_chart, &QPushButton::clicked, this, chart);
    connect(m_keys, &QPushButton::clicked, this, [this] {
        if (const AlertModel::Entry *entry = current()) {
            emit keysWanted(entry->target, models::alertFilter(entry->status.rule));
        }
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AlertsView::sync);
    connect(alerts->model(), &QAbstractItemModel::modelReset, this,
        [this] { m_table->setCurrentIndex(m_alerts->model()->index(0, AlertModel::What)); });
}

void AlertsView::sync()
{
    if (m_alerts->error()) {
        m_notice->showError(*m_alerts->error(), tr("Retry"));
    } else if (!m_alerts->notJudged().isEmpty()) {
        const QStringList texts = models::problemTexts(m_alerts->notJudged());
        m_notice->showNotice(NoticeBar::Kind::Warning,
            tr("%n table(s) could not be read, so none of their alerts is judged.", nullptr, int(texts.size())),
            texts.constFirst(), texts.join(u'\n'));
    } else {
        m_notice->clear();
    }
    const auto &entries = m_alerts->model()->rows();
    const auto count = [&entries](sql::AlertState state) {
        return int(std::count_if(entries.cbegin(), entries.cend(),
            [state](const AlertModel::Entry &entry) { return entry.status.state == state; }));
    };
    const int unknown = count(sql::AlertState::Unknown);
    QString text = tr("%n alert(s) firing.", nullptr, count(sql::AlertState::Firing));
    if (unknown > 0) {
        text += u' ' + tr("%n without data.", nullptr, unknown);
    }
    text += u' ' + tr("Checked each minute; limits are set under “alerts” in a table's profile.");
    m_keys->setEnabled(current() != nullptr && !models::alertFilter(current()->status.rule).isEmpty());
    m_chart->setEnabled(current() != nullptr);
    m_summary->setText(text);
    m_summary->setVisible(!entries.isEmpty());
    if (m_connection->database() == nullptr) {
        m_stack->empty()->show(
            u"connect"_s, tr("Not connected"), tr("Alerts about the tables of a database appear here."));
    } else if (!m_alerts->judged()) {
        m_stack->empty()->show(u"health"_s, tr("Nothing is watched"),
            tr("Alerts are judged from samples, which are taken of registered tables."));
    }
    m_stack->showContent(!entries.isEmpty());
}

} // namespace idemdesk::ui
