// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/conflicts/conflicts_page.h"

#include "models/compare/compare_controller.h"
#include "models/conflicts/conflict_controller.h"
#include "ui/pages/conflicts/compare_view.h"
#include "ui/pages/conflicts/conflicts_view.h"
#include "ui/pages/conflicts/duplicates_view.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/page_header.h"

#include <QTabWidget>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

Page::Face ConflictsPage::ownFace()
{
    return { u"conflicts"_s, tr("Conflicts"), u"conflicts"_s };
}

ConflictsPage::ConflictsPage(models::ConnectionController *connection, const Controllers &controllers,
    models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_controllers(controllers)
    , m_tabs(new QTabWidget(this))
    , m_conflictsView(new ConflictsView(connection, controllers.conflicts, settings, this))
    , m_duplicatesView(new DuplicatesView(connection, controllers.duplicates, settings, this))
    , m_compareView(new CompareView(connection, controllers.compare, controllers.recipes, settings, this))
{
    setObjectName(u"conflictsPage"_s);
    m_tabs->setObjectName(u"conflictTabs"_s);
    m_tabs->setAccessibleName(tr("Reused keys, repeats and payloads"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_conflictsView, tr("Recorded"));
    m_tabs->addTab(m_duplicatesView, tr("Duplicates"));
    m_tabs->addTab(m_compareView, tr("Compare"));
    auto *layout = pageColumn(this);
    layout->addWidget(new PageHeader(tr("Conflicts"), this));
    layout->addWidget(m_tabs, 1);
    wire();
}

void ConflictsPage::wire()
{
    connect(m_tabs, &QTabWidget::currentChanged, this, &ConflictsPage::activate);
    connect(m_conflictsView, &ConflictsView::connectClicked, this, &ConflictsPage::connectClicked);
    connect(m_duplicatesView, &DuplicatesView::connectClicked, this, &ConflictsPage::connectClicked);
    connect(m_conflictsView, &ConflictsView::judgeWanted, this, &ConflictsPage::conflictVerdictWanted);
    connect(m_conflictsView, &ConflictsView::compareWanted, this, &ConflictsPage::compareRequests);
    connect(m_conflictsView, &ConflictsView::keyWanted, this, &ConflictsPage::keyWanted);
    connect(m_duplicatesView, &DuplicatesView::keysWanted, this, &ConflictsPage::keysWanted);
    connect(m_duplicatesView, &DuplicatesView::judgeWanted, this, &ConflictsPage::verdictWanted);
}

void ConflictsPage::activate()
{
    if (m_tabs->currentWidget() == m_conflictsView) {
        m_conflictsView->activate();
    }
}

void ConflictsPage::refresh()
{
    if (m_tabs->currentWidget() == m_conflictsView) {
        m_controllers.conflicts->refresh();
    } else if (m_tabs->currentWidget() == m_duplicatesView) {
        m_duplicatesView->search();
    } else {
        m_controllers.compare->compare();
    }
}

void ConflictsPage::refreshByItself()
{
    if (m_tabs->currentWidget() == m_conflictsView) {
        m_controllers.conflicts->refresh();
    }
}

void ConflictsPage::showTab(const QString &name)
{
    QWidget *const views[] = { m_conflictsView, m_duplicatesView, m_compareView };
    const QStringList names { u"conflicts"_s, u"duplicates"_s, u"compare"_s };
    m_tabs->setCurrentWidget(views[std::max<qsizetype>(0, names.indexOf(name))]);
}

void ConflictsPage::compareRequests(const QList<models::CaseRequest> &requests)
{
    showTab(u"compare"_s);
    m_compareView->setRequests(requests);
}

void ConflictsPage::setTimeFormat(const models::TimeFormat &format)
{
    m_controllers.conflicts->model()->setTimeFormat(format);
    m_duplicatesView->setTimeFormat(format);
}

} // namespace idemdesk::ui
