// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/conflict_tabs.h"

#include "models/compare/compare_controller.h"
#include "models/compare/recipe_keeper.h"
#include "models/complaint/complaint_controller.h"
#include "models/conflicts/conflict_controller.h"
#include "models/duplicates/duplicate_controller.h"
#include "ui/pages/compare_view.h"
#include "ui/pages/complaint_view.h"
#include "ui/pages/conflicts_page.h"
#include "ui/pages/duplicates_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QTabWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ConflictTabs::ConflictTabs(models::ConnectionController *connection, models::ConflictController *conflicts, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_conflicts(conflicts)
    , m_complaint(new models::ComplaintController(this))
    , m_duplicates(new models::DuplicateController(this))
    , m_compare(new models::CompareController(this))
    , m_keeper(new models::RecipeKeeper(this))
    , m_tabs(new QTabWidget(this))
    , m_page(new ConflictsPage(connection, conflicts, settings, this))
    , m_complaintView(new ComplaintView(connection, m_complaint, settings, this))
    , m_duplicatesView(new DuplicatesView(connection, m_duplicates, settings, this))
    , m_compareView(new CompareView(connection, m_compare, m_keeper, settings, this))
{
    setObjectName(u"conflictTabsPage"_s);
    m_tabs->setObjectName(u"conflictTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_page, tr("Recorded"));
    m_tabs->addTab(m_complaintView, tr("Complaint"));
    m_tabs->addTab(m_duplicatesView, tr("Duplicates"));
    m_tabs->addTab(m_compareView, tr("Compare"));
    auto *title = plainLabel(tr("Conflicts"), this);
    title->setFont(Theme::title());
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(title);
    layout->addWidget(m_tabs, 1);
    wire();
}

void ConflictTabs::wire()
{
    const auto follow = [this] {
        m_complaint->setDatabase(m_connection->database());
        m_duplicates->setDatabase(m_connection->database());
        m_keeper->setDatabase(m_connection->database());
        m_complaint->setTargets(m_connection->targets(), m_connection->problems());
    };
    connect(m_connection, &models::ConnectionController::databaseChanged, this, follow);
    connect(m_connection, &models::ConnectionController::targetsChanged, this, [this] { m_complaint->setTargets(m_connection->targets(), m_connection->problems()); });
    follow();
    connect(m_tabs, &QTabWidget::currentChanged, this, &ConflictTabs::activate);
    connect(m_page, &ConflictsPage::connectClicked, this, &ConflictTabs::connectClicked);
    connect(m_complaintView, &ComplaintView::connectClicked, this, &ConflictTabs::connectClicked);
    connect(m_duplicatesView, &DuplicatesView::connectClicked, this, &ConflictTabs::connectClicked);
    connect(m_complaintView, &ComplaintView::compareWanted, this, &ConflictTabs::compareRequests);
    connect(m_page, &ConflictsPage::judgeWanted, this, [this](const sql::ConflictRecord &conflict) {
        showTab(u"complaint"_s);
        m_complaintView->askConflict(conflict);
    });
    connect(m_page, &ConflictsPage::keyWanted, this, &ConflictTabs::keyWanted);
    connect(m_duplicatesView, &DuplicatesView::keysWanted, this, &ConflictTabs::keysWanted);
    connect(m_duplicatesView, &DuplicatesView::judgeWanted, this, [this](const QString &target, const QStringList &keys, const QList<sql::Cells> &scopes) {
        showTab(u"complaint"_s);
        m_complaint->judgeKeys(target, keys, scopes);
    });
}

void ConflictTabs::activate()
{
    if (m_tabs->currentWidget() == m_page) {
        m_page->activate();
    }
}

void ConflictTabs::refresh()
{
    if (m_tabs->currentWidget() == m_page) {
        m_conflicts->refresh();
    } else if (m_tabs->currentWidget() == m_duplicatesView) {
        m_duplicatesView->search();
    } else if (m_tabs->currentWidget() == m_complaintView) {
        m_complaintView->ask();
    } else {
        m_compare->compare();
    }
}

void ConflictTabs::showTab(const QString &name)
{
    QWidget *const views[] = { m_page, m_complaintView, m_duplicatesView, m_compareView };
    const QStringList names { u"conflicts"_s, u"complaint"_s, u"duplicates"_s, u"compare"_s };
    m_tabs->setCurrentWidget(views[std::max<qsizetype>(0, names.indexOf(name))]);
}

void ConflictTabs::compareRequests(const QList<models::CaseRequest> &requests)
{
    showTab(u"compare"_s);
    m_compareView->setRequests(requests);
}

void ConflictTabs::setTimeFormat(const models::TimeFormat &format)
{
    m_conflicts->model()->setTimeFormat(format);
    m_duplicatesView->setTimeFormat(format);
    m_complaintView->setTimeFormat(format);
}

void ConflictTabs::setConflictsHere(const sql::LocalPlace &place)
{
    m_conflicts->setLocalPlace(place);
    m_complaint->setConflictsHere(place);
}

} // namespace idemdesk::ui
