// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/overview_page.h"

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
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

OverviewPage::OverviewPage(models::ConnectionController *connection, models::OverviewController *overview,
    models::Glance *glance, models::Settings *settings, QWidget *parent)
    : Page({ u"overview"_s, tr("Overview"), u"overview"_s }, parent)
    , m_connection(connection)
    , m_overview(overview)
    , m_glance(glance)
    , m_settings(settings)
    , m_stack(new ContentStack(this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_problems(new NoticeBar(this))
    , m_scopesNotice(new NoticeBar(this))
    , m_tables(new QTableView(this))
    , m_scopes(new QTableView(this))
    , m_scopesTitle(titleLabel({}, this))
    , m_stale(new SmallChart(this))
    , m_retries(new SmallChart(this))
{
    setObjectName(u"overviewPage"_s);
    setUpTables();
    layOut();
    wire();
    sync();
}

QWidget *OverviewPage::buildHeader()
{
    auto *header = new PageHeader(tr("Overview"), this);
    header->add({ nullptr });
    QToolButton *refresh = header->addCommand(u"overviewRefresh"_s, u"refresh"_s, tr("Refresh (F5)"));
    auto *add = new QPushButton(themedIcon(u"plus"_s), tr("Add table…"), this);
    add->setObjectName(u"addTable"_s);
    header->add(add, 0);
    connect(add, &QPushButton::clicked, this, &OverviewPage::addTableClicked);
    connect(refresh, &QToolButton::clicked, m_overview, &models::OverviewController::refresh);
    return header;
}

void OverviewPage::setUpTables()
{
    setUpTable(m_tables, { u"overviewTable"_s, tr("Tables"), m_overview->model(), {} }, m_settings);
    setUpTable(m_scopes, { u"scopesTable"_s, tr("Scopes by state"), m_overview->scopes(), {} }, m_settings);
    for (QTableView *table : { m_tables, m_scopes }) {
        table->setItemDelegate(new CountDelegate(table));
    }
    for (int column = 0; column < models::OverviewModel::ColumnCount; ++column) {
        fitToHeader(m_tables, column, 62);
    }
    // The names take what the numbers leave; at 1280 pixels that is enough for all columns.
    m_tables->horizontalHeader()->setSectionResizeMode(models::OverviewModel::Title, QHeaderView::Stretch);
    // These may read "about 97.4 k", "28 d 16 h".
    for (const int column :
        { models::OverviewModel::Rows, models::OverviewModel::Succeeded, models::OverviewModel::Expired }) {
        fitToHeader(m_tables, column, 88);
    }
    fitToHeader(m_tables, models::OverviewModel::OldestStale, 84);
    fitToHeader(m_tables, models::OverviewModel::Size, 70);
}

void OverviewPage::layOut()
{
    m_scopesTitle->setObjectName(u"scopesTitle"_s);
    auto *lower = new QWidget(this);
    auto *lowerLayout = lowerColumn(lower);
    lowerLayout->setSpacing(2 * kGrid);
    lowerLayout->addWidget(buildGlance());
    lowerLayout->addWidget(m_scopesTitle);
    lowerLayout->addWidget(m_scopesNotice);
    lowerLayout->addWidget(m_scopes, 1);
    splitInTwo(m_splitter, m_tables, lower, 3, 2);
    m_stack->setContent(m_splitter);
    auto *layout = pageColumn(this);
    layout->addWidget(buildHeader());
    layout->addWidget(m_problems);
    layout->addWidget(m_stack, 1);
}

void OverviewPage::wire()
{
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr || m_connection->state() == sql::LinkState::Failed) {
            emit connectClicked();
        } else {
            emit addTableClicked();
        }
    });
    connect(
        m_tables->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
            const QString name = current.data(models::OverviewModel::TargetNameRole).toString();
            if (name != m_overview->selectedTarget()) {
                m_overview->selectTarget(name);
            }
            if (name != m_glance->target()) {
                const models::TargetEntry *entry = m_connection->target(name);
                m_glance->setTarget(entry != nullptr ? *entry : models::TargetEntry());
            }
            sync();
        });
    const auto open = [this](const QModelIndex &index) {
        openCell(m_tables, index, index.data(models::OverviewModel::TargetNameRole).toString());
    };
    const auto openScope
        = [this](const QModelIndex &index) { openCell(m_scopes, index, m_overview->selectedTarget()); };
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
    connect(m_glance, &models::Glance::changed, this, &OverviewPage::drawGlance);
    connect(m_overview->scopes(), &models::ScopesModel::modelReset, this, &OverviewPage::fitScopes);
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &OverviewPage::sync);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &OverviewPage::sync);
    connect(m_overview, &models::OverviewController::summariesChanged, this, &OverviewPage::sync);
    connect(m_overview, &models::OverviewController::busyChanged, this, &OverviewPage::sync);
    connect(m_overview, &models::OverviewController::scopesErrorChanged, this, &OverviewPage::sync);
    connect(m_settings, &models::Settings::autoRefreshChanged, this, &OverviewPage::applyAutoRefresh);
    connect(m_scopesNotice, &NoticeBar::primaryClicked, m_overview, &models::OverviewController::refresh);
}

void OverviewPage::refresh()
{
    m_overview->refresh();
    m_glance->refresh();
}

void OverviewPage::setTimeFormat(const models::TimeFormat &format)
{
    m_overview->setTimeFormat(format);
}

void OverviewPage::activate()
{
    m_front = true;
    applyAutoRefresh();
}

void OverviewPage::deactivate()
{
    m_front = false;
    applyAutoRefresh();
}

void OverviewPage::applyAutoRefresh()
{
    // It counts whole tables: not as often as a list is read.
    const int seconds = m_settings->autoRefresh();
    m_overview->setAutoRefresh(seconds > 0 && m_front ? std::max(15, seconds) : 0);
}

QWidget *OverviewPage::buildGlance()
{
    m_stale->setObjectName(u"glanceStale"_s);
    m_retries->setObjectName(u"glanceRetries"_s);
    auto *row = new QWidget(this);
    barRow({ m_stale, m_retries }, row);
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
            charts[i]->setReason(
                titles[i], m_glance->target().isEmpty() ? tr("Choose a table above.") : tr("Reading…"));
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
        charts[i]->setPicture(titles[i], picture, models::trendValueText(line.metric, newest),
            models::trendValueText(line.metric, picture.top));
    }
}

bool OverviewPage::complete() const
{
    const auto &entries = m_overview->model()->rows();
    return !entries.isEmpty() && std::all_of(entries.begin(), entries.end(), [](const models::OverviewEntry &entry) {
        return entry.summary || entry.error;
    });
}

void OverviewPage::openCell(QTableView *table, const QModelIndex &index, const QString &targetName)
{
    const int role
        = table == m_tables ? int(models::OverviewModel::FilterTextRole) : int(models::ScopesModel::FilterTextRole);
    if (index.isValid() && !targetName.isEmpty()) {
        emit keysWanted(targetName, index.data(role).toString());
    }
}

void OverviewPage::sync()
{
    const bool tables = m_overview->model()->rowCount() > 0;
    EmptyState *empty = m_stack->empty();
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(tr("The tables of a database appear here, each with its keys by state."));
    } else if (!tables && m_connection->state() == sql::LinkState::Failed) {
        empty->show(u"connect"_s, tr("No connection"),
            tr("The message above says why. Try again, or connect to another database."), tr("Connect…"));
    } else if (!tables && !m_connection->noTableBecause().isEmpty()) {
        empty->show(u"overview"_s, tr("No table could be read"),
            tr("The message above says why, so what is in this database is not known. The console can look at other "
               "tables."),
            tr("Add a table…"));
    } else if (!m_connection->targetsLoaded()) {
        empty->show(u"overview"_s, tr("Looking for tables"),
            tr("The console looks which of the kinds it knows are in this database."));
    } else if (!tables) {
        empty->show(u"overview"_s, tr("No table yet"),
            tr("None of the kinds of table that the console knows is in this database. It can look at the others and "
               "propose how to read them."),
            tr("Add a table…"));
    }
    m_stack->showContent(tables);
    if (tables && !m_tables->currentIndex().isValid()) {
        // The list was read again: the chosen table stays chosen, wherever its row is now.
        m_tables->setCurrentIndex(
            m_overview->model()->index(qMax(0, m_overview->model()->rowOf(m_overview->selectedTarget())), 0));
    }
    const auto &problems = m_connection->problems();
    if (problems.isEmpty()) {
        m_problems->clear();
    } else {
        QStringList details;
        for (const models::TargetProblem &problem : problems) {
            details += models::problemText(problem);
        }
        m_problems->showNotice(
            NoticeBar::Kind::Warning, models::problemSummary(problems), details.constFirst(), details.join(u'\n'));
    }
    const QString selected = m_overview->selectedTarget();
    const models::TargetEntry *entry = m_connection->target(selected);
    m_scopesTitle->setText(entry != nullptr
            ? tr("Scopes of %1").arg(models::displayText(entry->target.profile.relation, 80))
            : tr("Scopes"));
    if (m_overview->scopesError()) {
        m_scopesNotice->showError(*m_overview->scopesError(), tr("Retry"));
    } else if (entry != nullptr && entry->target.profile.scope.isEmpty()) {
        m_scopesNotice->showNotice(
            NoticeBar::Kind::Info, tr("Keys of this table have no scope: they are unique by themselves."));
    } else if (entry != nullptr && m_overview->scopes()->rowCount() == 0 && !m_overview->busy()) {
        m_scopesNotice->showNotice(
            NoticeBar::Kind::Info, tr("There is no key in this table, so there is no scope to show."));
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
