// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of the purge page.
#include "models/purge/purge_controller.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/pages/purge_page.h"
#include "ui/pages/table_setup.h"
#include "ui/pages/target_chooser.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/utc_edit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

void PurgePage::buildBar()
{
    m_targets->setObjectName(u"purgeTarget"_s);
    m_targets->setAccessibleName(tr("Table"));
    setUpTargetChooser(m_targets);
    m_now->setObjectName(u"purgeNow"_s);
    m_now->setChecked(true);
    m_before->setObjectName(u"purgeBefore"_s);
    m_before->setAccessibleName(tr("Retention over before, in UTC"));
    showInUtc(m_before);
    m_before->setDisplayFormat(u"yyyy-MM-dd HH:mm 'UTC'"_s);
    m_before->setCalendarPopup(true);
    m_before->setDateTime(QDateTime::currentDateTimeUtc());
    m_before->setMaximumDateTime(QDateTime::currentDateTimeUtc());
    m_before->hide();
    m_plan->setObjectName(u"purgePlan"_s);
    m_plan->setToolTip(tr("Count what would go; nothing is changed"));
    m_stop->setObjectName(u"purgeStop"_s);
    m_stop->hide();
    m_summary->setObjectName(u"purgeSummary"_s);
    m_summary->setWordWrap(true);
}

QWidget *PurgePage::buildPlan()
{
    m_groups->setObjectName(u"purgeGroups"_s);
    m_groups->setAccessibleName(tr("What would go"));
    m_groups->setModel(m_purge->groups());
    m_groups->setItemDelegateForColumn(models::PurgeGroupsModel::State, new StateDelegate(m_groups));
    m_partitions->setObjectName(u"purgePartitions"_s);
    m_partitions->setAccessibleName(tr("Partitions"));
    m_partitions->setModel(m_purge->partitions());
    for (QTableView *table : { m_groups, m_partitions }) {
        setUpTable(table, m_settings);
        table->setSelectionMode(QAbstractItemView::SingleSelection);
        table->horizontalHeader()->setStretchLastSection(true);
    }
    const int widths[] = { 280, 150, 100, 190, 190, 150 };
    for (int column = 0; column < models::PurgeGroupsModel::ColumnCount; ++column) {
        m_groups->setColumnWidth(column, widths[column]);
    }
    m_partitions->setItemDelegateForColumn(models::PartitionsModel::Name, new KeyDelegate(m_partitions));
    const int partitionWidths[] = { 330, 390, 80, 80, 90, 120 };
    for (int column = 0; column < models::PartitionsModel::ColumnCount; ++column) {
        m_partitions->setColumnWidth(column, partitionWidths[column]);
    }
    auto *title = plainLabel(
        tr("Partitions: one that may go whole is quicker detached than purged, and leaves no dead rows"), m_partitionPane);
    m_script->setObjectName(u"purgeScript"_s);
    m_script->setToolTip(tr("Only the owner of a table may detach its partitions"));
    auto *head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(m_script);
    head->addWidget(m_detach);
    m_detach->setObjectName(u"purgeDetach"_s);
    auto *layout = new QVBoxLayout(m_partitionPane);
    layout->setContentsMargins(0, 2 * kGrid, 0, 0);
    layout->setSpacing(2 * kGrid);
    m_asked->setObjectName(u"purgeAsked"_s);
    layout->addLayout(head);
    layout->addWidget(m_asked);
    layout->addWidget(m_partitions, 1);
    m_splitter->addWidget(m_groups);
    m_splitter->addWidget(m_partitionPane);
    m_splitter->setChildrenCollapsible(false);
    return m_splitter;
}

QWidget *PurgePage::buildFoot()
{
    auto *foot = new QWidget(this);
    m_images->setObjectName(u"purgeImages"_s);
    m_images->setToolTip(tr("Without them a purge cannot be undone"));
    m_go->setObjectName(u"purgeGo"_s);
    auto *layout = new QHBoxLayout(foot);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * kGrid);
    layout->addStretch(1);
    layout->addWidget(m_images);
    layout->addWidget(m_go);
    return foot;
}

} // namespace idemdesk::ui
