// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alerts_view.h"

#include "models/alerts/alert_controller.h"
#include "models/connection/connection_controller.h"
#include "ui/delegates/health_delegate.h"
#include "ui/pages/table_setup.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::AlertModel;

AlertsView::AlertsView(models::ConnectionController *connection, models::AlertController *alerts, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_alerts(alerts)
    , m_summary(plainLabel({}, this))
    , m_notice(new NoticeBar(this))
    , m_stack(new QStackedWidget(this))
    , m_table(new QTableView(this))
    , m_empty(new EmptyState(this))
{
    m_summary->setObjectName(u"alertsSummary"_s);
    m_summary->setWordWrap(true);
    m_table->setObjectName(u"alertsTable"_s);
    m_table->setAccessibleName(tr("Alerts; Enter shows the chart"));
    m_table->setModel(alerts->model());
    setUpTable(m_table, settings);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setItemDelegateForColumn(AlertModel::State, new HealthDelegate(m_table));
    setColumnWidths(m_table, { 124, 210, 270, 200, 160, 150 });
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(m_notice);
    layout->addWidget(m_summary);
    layout->addWidget(m_stack, 1);
    connect(alerts, &models::AlertController::changed, this, &AlertsView::update);
    connect(connection, &models::ConnectionController::stateChanged, this, &AlertsView::update);
    connect(m_notice, &NoticeBar::primaryClicked, alerts, &models::AlertController::refresh);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        if (const AlertModel::Entry *entry = m_alerts->model()->entry(index.row())) {
            emit trendWanted(entry->target, entry->status.rule.metric);
        }
    });
    update();
}

void AlertsView::update()
{
    if (m_alerts->error()) {
        m_notice->showError(*m_alerts->error(), tr("Retry"));
    } else if (!m_alerts->notJudged().isEmpty()) {
        const QStringList texts = models::problemTexts(m_alerts->notJudged());
        m_notice->showNotice(NoticeBar::Kind::Warning, tr("%n table(s) could not be read, so none of their alerts is judged.", nullptr, int(texts.size())),
            texts.constFirst(), texts.join(u'\n'));
    } else {
        m_notice->clear();
    }
    const auto &entries = m_alerts->model()->entries();
    const auto count = [&entries](sql::AlertState state) {
        return int(std::count_if(entries.cbegin(), entries.cend(), [state](const AlertModel::Entry &entry) { return entry.status.state == state; }));
    };
    const int unknown = count(sql::AlertState::Unknown);
    QString text = tr("%n alert(s) firing.", nullptr, count(sql::AlertState::Firing));
    if (unknown > 0) {
        text += u' ' + tr("%n cannot be judged.", nullptr, unknown);
    }
    text += u' ' + tr("Looked at each minute; limits are set under “alerts” in a table's profile.");
    m_summary->setText(text);
    m_summary->setVisible(!entries.isEmpty());
    if (m_connection->database() == nullptr) {
        m_empty->show(u"connect"_s, tr("Not connected"), tr("Alerts about the tables of a database appear here."));
    } else if (!m_alerts->judged()) {
        m_empty->show(u"health"_s, tr("Nothing is watched"), tr("Alerts are judged from samples, which are taken of registered tables."));
    }
    m_stack->setCurrentWidget(entries.isEmpty() ? static_cast<QWidget *>(m_empty) : m_table);
}

} // namespace idemdesk::ui
