// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/scopes_pane.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/overview/overview_controller.h"
#include "ui/delegates/count_delegate.h"
#include "ui/pages/incident/scope_numbers.h"
#include "ui/pages/incident/state_share.h"
#include "ui/pages/incident/whole_rows.h"
#include "ui/theme/theme.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/wrap_row.h"

#include <QHeaderView>
#include <QTableView>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ScopesPane::ScopesPane(models::ConnectionController *connection, models::OverviewController *overview,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_overview(overview)
    , m_title(strongLabel({}, this))
    , m_legend(new QWidget(this))
    , m_legendRow(new WrapRow(m_legend))
    , m_notice(new NoticeBar(this))
    , m_numbers(new ScopeNumbers(overview->scopes(), this))
    , m_scopes(new QTableView(this))
    , m_note(noteLabel(tr("≥ counting stopped at this number"), u"scopesNote"_s, this))
{
    m_title->setObjectName(u"scopesTitle"_s);
    m_legend->setObjectName(u"stateLegend"_s);
    setUpTable(m_scopes, { u"scopesTable"_s, tr("Scopes by state"), m_numbers, {} }, settings);
    m_scopes->setItemDelegate(new CountDelegate(m_scopes));
    QToolButton *close = iconButton(u"scopesClose"_s, u"cancel"_s, tr("Close the scopes"), this);
    connect(close, &QToolButton::clicked, this, &ScopesPane::closeClicked);
    m_title->setWordWrap(true); // the names of both may be long, and the page does not scroll sideways
    auto *head = new QWidget(this);
    barRow({ m_title, close }, head)->setStretch(0, 1);
    auto *layout = lowerColumn(this);
    layout->addWidget(head);
    layout->addWidget(m_legend);
    layout->addWidget(m_notice);
    layout->addWidget(new WholeRows(m_scopes, 0, this), 1);
    layout->addWidget(m_note);
    wire();
    syncNote();
}

void ScopesPane::wire()
{
    const auto open = [this](const QModelIndex &index) {
        emit keysWanted(m_overview->selectedTarget(), index.data(models::FilterTextRole).toString());
    };
    connect(m_scopes, &QTableView::activated, this, open);
    connect(m_scopes, &QTableView::clicked, this, [open](const QModelIndex &index) {
        if (index.data(models::CountKindRole).isValid()) {
            open(index);
        }
    });
    connect(m_numbers, &QAbstractItemModel::modelReset, this, &ScopesPane::fitColumns);
    connect(m_numbers, &QAbstractItemModel::modelReset, this, &ScopesPane::syncNote);
    connect(m_numbers, &QAbstractItemModel::rowsInserted, this, &ScopesPane::syncNote);
    connect(m_numbers, &QAbstractItemModel::rowsInserted, this, &ScopesPane::fitColumns);
    connect(m_numbers, &QAbstractItemModel::dataChanged, this, &ScopesPane::syncNote);
    connect(m_numbers, &QAbstractItemModel::headerDataChanged, this, &ScopesPane::fitColumns);
    connect(m_notice, &NoticeBar::primaryClicked, m_overview, &models::OverviewController::refresh);
}

void ScopesPane::sync()
{
    const models::TargetEntry *entry = m_connection->target(m_overview->selectedTarget());
    const sql::Profile profile = entry != nullptr ? entry->target.profile : sql::Profile();
    m_title->setText(entry == nullptr
            ? QString()
            : tr("Scopes of %1 (%2)", "title, table")
                  .arg(models::displayText(profile.shownTitle(), 80), models::displayText(profile.relation, 80)));
    m_numbers->setProfile(profile);
    fillLegend();
    syncNotice();
    syncNote();
}

void ScopesPane::fillLegend()
{
    const models::OverviewEntry *row
        = m_overview->model()->row(m_overview->model()->rowOf(m_overview->selectedTarget()));
    const QList<models::StateShare> shares
        = row != nullptr ? models::OverviewModel::shares(*row) : QList<models::StateShare>();
    QStringList texts { m_overview->selectedTarget() };
    for (const models::StateShare &share : shares) {
        texts += share.text;
    }
    if (texts == m_legendShown) {
        return; // whoever has the focus on one of them keeps it
    }
    m_legendShown = texts;
    while (QLayoutItem *item = m_legendRow->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const models::StateShare &share : shares) {
        auto *button = new QToolButton(m_legend);
        button->setText(share.text);
        button->setIcon(shareIcon(share.state, devicePixelRatioF()));
        button->setIconSize(shareIconSize());
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setToolTip(tr("Show these keys"));
        connect(button, &QToolButton::clicked, this,
            [this, filter = share.filter] { emit keysWanted(m_overview->selectedTarget(), filter); });
        m_legendRow->add(button);
    }
}

void ScopesPane::syncNotice()
{
    const models::TargetEntry *entry = m_connection->target(m_overview->selectedTarget());
    const bool scoped = entry != nullptr && !entry->target.profile.scope.isEmpty();
    if (m_overview->scopesError()) {
        m_notice->showError(*m_overview->scopesError(), tr("Retry"));
    } else if (entry != nullptr && !scoped) {
        m_notice->showNotice(
            NoticeBar::Kind::Info, tr("Keys of this table have no scope: they are unique by themselves."));
    } else if (entry != nullptr && m_overview->scopes()->rowCount() == 0 && !m_overview->busy()) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("There is no key in this table, so there is no scope to show."));
    } else {
        m_notice->clear();
    }
}

void ScopesPane::syncNote()
{
    m_note->setVisible(m_numbers->anyAtLeast());
}

/// Another table has other parts of the scope: they share the place of the first column above.
void ScopesPane::fitColumns()
{
    const int parts = m_overview->scopes()->partCount();
    for (int column = 0; column < m_overview->scopes()->columnCount(); ++column) {
        fitToHeader(m_scopes, column, column < parts ? 160 : m_numbers->anyNotCounted(column) ? 100 : 82);
    }
    if (m_overview->scopes()->columnCount() > 0) {
        m_scopes->horizontalHeader()->setStretchLastSection(false);
        m_scopes->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch); // names take what numbers leave
    }
}

} // namespace idemdesk::ui
