// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview_page.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/overview/glance.h"
#include "models/overview/overview_controller.h"
#include "models/overview/overview_model.h"
#include "models/overview/scopes_model.h"
#include "models/settings.h"
#include "models/trends/trend_words.h"
#include "ui/charts/small_chart.h"
#include "ui/delegates/count_delegate.h"
#include "ui/pages/table_setup.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

OverviewPage::OverviewPage(models::ConnectionController *connection, models::OverviewController *overview, models::Glance *glance,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_overview(overview)
    , m_glance(glance)
    , m_stack(new QStackedWidget(this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_empty(new EmptyState(this))
    , m_problems(new NoticeBar(this))
    , m_scopesNotice(new NoticeBar(this))
    , m_tables(new QTableView(this))
    , m_scopes(new QTableView(this))
    , m_scopesTitle(plainLabel({}, this))
    , m_stale(new SmallChart(this))
    , m_retries(new SmallChart(this))
{
    setObjectName(u"overviewPage"_s);
    auto *title = plainLabel(tr("Overview"), this);
    title->setFont(Theme::title());
    m_scopesTitle->setFont(Theme::title());
    m_scopesTitle->setObjectName(u"scopesTitle"_s);
    auto *add = new QPushButton(themedIcon(u"plus"_s), tr("Add table…"), this);
    add->setObjectName(u"addTable"_s);
    auto *refresh = new QToolButton(this);
    refresh->setObjectName(u"overviewRefresh"_s);
    refresh->setIcon(themedIcon(u"refresh"_s));
    refresh->setToolTip(tr("Refresh (F5)"));
    refresh->setAccessibleName(tr("Refresh"));
    auto *row = new QHBoxLayout;
    row->addWidget(title);
    row->addStretch(1);
    row->addWidget(refresh);
    row->addWidget(add);

    m_tables->setObjectName(u"overviewTable"_s);
    m_tables->setAccessibleName(tr("Tables"));
    m_scopes->setObjectName(u"scopesTable"_s);
    m_scopes->setAccessibleName(tr("Scopes by state"));
    m_tables->setModel(overview->model());
    m_scopes->setModel(overview->scopes());
    for (QTableView *table : { m_tables, m_scopes }) {
        setUpTable(table, settings);
        table->setSelectionMode(QAbstractItemView::SingleSelection);
        table->setItemDelegate(new CountDelegate(table));
    }
    for (int column = 0; column < models::OverviewModel::ColumnCount; ++column) {
        fitToHeader(m_tables, column, 62);
    }
    // The names take what the numbers leave; at 1280 pixels that is enough for all columns.
    m_tables->horizontalHeader()->setSectionResizeMode(models::OverviewModel::Title, QHeaderView::Stretch);
    // These may read "about 97.4 k", "28 d 16 h".
    for (const int column : { models::OverviewModel::Rows, models::OverviewModel::Succeeded, models::OverviewModel::Expired }) {
        fitToHeader(m_tables, column, 88);
    }
    fitToHeader(m_tables, models::OverviewModel::OldestStale, 84);
    fitToHeader(m_tables, models::OverviewModel::Size, 70);

    auto *lower = new QWidget(this);
    auto *lowerLayout = new QVBoxLayout(lower);
    lowerLayout->setContentsMargins(0, 2 * kGrid, 0, 0);
    lowerLayout->setSpacing(2 * kGrid);
    lowerLayout->addWidget(buildGlance());
    lowerLayout->addWidget(m_scopesTitle);
    lowerLayout->addWidget(m_scopesNotice);
    lowerLayout->addWidget(m_scopes, 1);
    m_splitter->addWidget(m_tables);
    m_splitter->addWidget(lower);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_stack->addWidget(m_splitter);
    m_stack->addWidget(m_empty);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(row);
    layout->addWidget(m_problems);
    layout->addWidget(m_stack, 1);

    connect(add, &QPushButton::clicked, this, &OverviewPage::addTableClicked);
    connect(refresh, &QToolButton::clicked, overview, &models::OverviewController::refresh);
    connect(m_empty, &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr || m_connection->state() == sql::LinkState::Failed) {
            emit connectClicked();
        } else {
            emit addTableClicked();
        }
    });
    connect(m_tables->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
        const QString name = current.data(models::OverviewModel::TargetNameRole).toString();
        if (name != m_overview->selectedTarget()) {
            m_overview->selectTarget(name);
        }
        if (name != m_glance->target()) {
            const models::TargetEntry *entry = m_connection->target(name);
            m_glance->setTarget(entry != nullptr ? *entry : models::TargetEntry());
        }
        update();
    });
    const auto open = [this](const QModelIndex &index) {
        openCell(m_tables, index, index.data(models::OverviewModel::TargetNameRole).toString());
    };
    const auto openScope = [this](const QModelIndex &index) { openCell(m_scopes, index, m_overview->selectedTarget()); };
    connect(m_tables, &QTableView::activated, this, open);
    connect(m_scopes, &QTableView::activated, this, openScope);
    connect(m_tables, &QTableView::clicked, this, [this, open](const QModelIndex &index) {
        if (index.data(models::OverviewModel::CountKindRole).isValid()) {
            open(index);
        }
    });
    connect(m_scopes, &QTableView::clicked, this, [openScope](const QModelIndex &index) {
        if (index.data(models::ScopesModel::CountKindRole).isValid()) {
            openScope(index);
        }
    });
    connect(glance, &models::Glance::changed, this, &OverviewPage::drawGlance);
    connect(overview->scopes(), &models::ScopesModel::modelReset, this, &OverviewPage::fitScopes);
    connect(connection, &models::ConnectionController::targetsChanged, this, &OverviewPage::update);
    connect(connection, &models::ConnectionController::stateChanged, this, &OverviewPage::update);
    connect(overview, &models::OverviewController::summariesChanged, this, &OverviewPage::update);
    connect(overview, &models::OverviewController::busyChanged, this, &OverviewPage::update);
    connect(overview, &models::OverviewController::scopesErrorChanged, this, &OverviewPage::update);
    connect(m_scopesNotice, &NoticeBar::primaryClicked, overview, &models::OverviewController::refresh);
    update();
}

QWidget *OverviewPage::buildGlance()
{
    m_stale->setObjectName(u"glanceStale"_s);
    m_retries->setObjectName(u"glanceRetries"_s);
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(m_stale);
    layout->addWidget(m_retries);
    connect(m_stale, &SmallChart::activated, this, [this] { emit trendWanted(m_glance->target(), u"stale"_s); });
    connect(m_retries, &SmallChart::activated, this, [this] { emit trendWanted(m_glance->target(), u"retries"_s); });
    drawGlance();
    return row;
}

void OverviewPage::drawGlance()
{
    SmallChart *charts[] = { m_stale, m_retries };
    const QString titles[] = { tr("Stale keys, last 24 hours"), tr("Retries per hour, last 24 hours") };
    for (qsizetype i = 0; i < 2; ++i) {
        if (i >= m_glance->lines().size()) {
            charts[i]->setReason(titles[i], m_glance->target().isEmpty() ? tr("Choose a table above.") : tr("Reading…"));
            continue;
        }
        const models::Glance::Line &line = m_glance->lines().at(i);
        if (!line.answer) {
            charts[i]->setReason(titles[i], line.why);
            continue;
        }
        const models::TrendPicture picture = models::trendPicture(*line.answer, nullptr, false, {});
        std::optional<double> newest;
        for (const auto &value : line.answer->series.constFirst().values) {
            newest = value ? value : newest;
        }
        charts[i]->setPicture(titles[i], picture, models::trendValueText(line.metric, newest), models::trendValueText(line.metric, picture.top));
    }
}

bool OverviewPage::complete() const
{
    const auto &entries = m_overview->model()->entries();
    return !entries.isEmpty() && std::all_of(entries.begin(), entries.end(), [](const models::OverviewEntry &entry) {
        return entry.summary || entry.error;
    });
}

void OverviewPage::openCell(QTableView *table, const QModelIndex &index, const QString &targetName)
{
    const int role = table == m_tables ? int(models::OverviewModel::FilterTextRole) : int(models::ScopesModel::FilterTextRole);
    if (index.isValid() && !targetName.isEmpty()) {
        emit keysWanted(targetName, index.data(role).toString());
    }
}

void OverviewPage::update()
{
    const bool tables = m_overview->model()->rowCount() > 0;
    if (m_connection->database() == nullptr) {
        m_empty->show(u"connect"_s, tr("Not connected"), tr("The tables of a database appear here, each with its keys by state."), tr("Connect…"));
    } else if (!tables && m_connection->state() == sql::LinkState::Failed) {
        m_empty->show(u"connect"_s, tr("No connection"), tr("The message above says why. Try again, or connect to another database."), tr("Connect…"));
    } else if (!tables && !m_connection->noTableBecause().isEmpty()) {
        m_empty->show(u"overview"_s, tr("No table could be read"), tr("The message above says why, so what is in this database is not known. The console can look at other tables."),
            tr("Add a table…"));
    } else if (!m_connection->targetsLoaded()) {
        m_empty->show(u"overview"_s, tr("Looking for tables"), tr("The console looks which of the kinds it knows are in this database."));
    } else if (!tables) {
        m_empty->show(u"overview"_s, tr("No table yet"),
            tr("None of the kinds of table that the console knows is in this database. It can look at the others and propose how to read them."),
            tr("Add a table…"));
    }
    m_stack->setCurrentWidget(tables ? static_cast<QWidget *>(m_splitter) : m_empty);
    if (tables && !m_tables->currentIndex().isValid()) {
        // The list was read again: the chosen table stays chosen, wherever its row is now.
        m_tables->setCurrentIndex(m_overview->model()->index(qMax(0, m_overview->model()->rowOf(m_overview->selectedTarget())), 0));
    }
    const auto &problems = m_connection->problems();
    if (problems.isEmpty()) {
        m_problems->clear();
    } else {
        QStringList details;
        for (const models::TargetProblem &problem : problems) {
            details += models::problemText(problem);
        }
        m_problems->showNotice(NoticeBar::Kind::Warning, models::problemSummary(problems), details.constFirst(), details.join(u'\n'));
    }
    const QString selected = m_overview->selectedTarget();
    const models::TargetEntry *entry = m_connection->target(selected);
    m_scopesTitle->setText(entry != nullptr ? tr("Scopes of %1").arg(models::displayText(entry->target.profile.relation, 80)) : tr("Scopes"));
    if (m_overview->scopesError()) {
        m_scopesNotice->showError(*m_overview->scopesError(), tr("Retry"));
    } else if (entry != nullptr && entry->target.profile.scope.isEmpty()) {
        m_scopesNotice->showNotice(NoticeBar::Kind::Info, tr("Keys of this table have no scope: they are unique by themselves."));
    } else if (entry != nullptr && m_overview->scopes()->rowCount() == 0 && !m_overview->busy()) {
        m_scopesNotice->showNotice(NoticeBar::Kind::Info, tr("There is no key in this table, so there is no scope to show."));
    } else {
        m_scopesNotice->clear();
    }
}

/// Another table has other parts of the scope: they share the place of the first column above.
void OverviewPage::fitScopes()
{
    const int parts = m_overview->scopes()->partCount();
    for (int column = 0; column < m_overview->scopes()->columnCount(); ++column) {
        fitToHeader(m_scopes, column, column >= parts ? 78 : parts == 1 ? 290 : 200);
    }
}

} // namespace idemdesk::ui
