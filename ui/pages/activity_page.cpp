// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/activity_page.h"

#include "models/activity/activity_controller.h"
#include "models/activity/activity_model.h"
#include "models/connection/connection_controller.h"
#include "models/settings.h"
#include "ui/pages/table_setup.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ActivityPage::ActivityPage(models::ConnectionController *connection, models::ActivityController *activity,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_activity(activity)
    , m_stack(new QStackedWidget(this))
    , m_table(new QTableView(this))
    , m_empty(new EmptyState(this))
    , m_notice(new NoticeBar(this))
{
    setObjectName(u"activityPage"_s);
    auto *title = plainLabel(tr("Activity"), this);
    title->setFont(Theme::title());
    auto *refresh = new QToolButton(this);
    refresh->setObjectName(u"activityRefresh"_s);
    refresh->setIcon(themedIcon(u"refresh"_s));
    refresh->setToolTip(tr("Refresh (F5)"));
    refresh->setAccessibleName(tr("Refresh"));
    m_table->setObjectName(u"activityTable"_s);
    m_table->setAccessibleName(tr("Sessions on the tables"));
    m_table->setModel(activity->model());
    setUpTable(m_table, settings);
    const int widths[] = { 64, 110, 130, 100, 120, 130, 100, 260, 300, 90 };
    for (int column = 0; column < models::ActivityModel::ColumnCount; ++column) {
        m_table->setColumnWidth(column, widths[column]);
    }
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    auto *row = new QHBoxLayout;
    row->addWidget(title);
    row->addStretch(1);
    row->addWidget(refresh);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(row);
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    connect(refresh, &QToolButton::clicked, activity, &models::ActivityController::refresh);
    connect(m_notice, &NoticeBar::primaryClicked, activity, &models::ActivityController::refresh);
    connect(activity, &models::ActivityController::changed, this, &ActivityPage::update);
    connect(connection, &models::ConnectionController::stateChanged, this, &ActivityPage::update);
    update();
}

void ActivityPage::update()
{
    if (m_activity->error()) {
        m_notice->showError(*m_activity->error(), tr("Retry"));
    } else if (!m_activity->complete()) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("The server hides what other users' sessions do."),
            tr("A member of the role pg_read_all_stats sees all of it."));
    } else {
        m_notice->clear();
    }
    const bool rows = m_activity->model()->rowCount() > 0;
    if (m_connection->state() == sql::LinkState::Connected) {
        m_empty->show(u"activity"_s, tr("Nobody is on the tables"),
            tr("Sessions that hold or await a lock on one of the tables appear here, with whom they wait for."));
    } else {
        m_empty->show(u"connect"_s, tr("Not connected"), tr("The sessions at work on the tables of a database appear here."));
    }
    m_stack->setCurrentWidget(rows ? static_cast<QWidget *>(m_table) : m_empty);
}

} // namespace idemdesk::ui
