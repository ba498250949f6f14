// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/regions_page.h"

#include "models/format/display_text.h"
#include "models/groups/group_action.h"
#include "models/groups/group_desk.h"
#include "models/groups/group_session.h"
#include "models/regions/region_controller.h"
#include "models/regions/replication_controller.h"
#include "ui/pages/regions/align_bar.h"
#include "ui/pages/regions/differences_view.h"
#include "ui/pages/regions/group_action_review.h"
#include "ui/pages/regions/group_action_view.h"
#include "ui/pages/regions/group_duplicates_view.h"
#include "ui/pages/regions/group_keys_view.h"
#include "ui/pages/regions/group_trends_view.h"
#include "ui/pages/regions/members_view.h"
#include "ui/pages/regions/replication_view.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"

#include <QLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

Page::Face RegionsPage::ownFace()
{
    return { u"regions"_s, tr("Regions"), u"regions"_s };
}

QString RegionsPage::titleFor(const models::GroupSession *session)
{
    if (session != nullptr) {
        switch (session->kind()) {
        case sql::GroupKind::Regions:
            break;
        case sql::GroupKind::Shards:
            return tr("Shards");
        case sql::GroupKind::Replicas:
            return tr("Replicas");
        }
    }
    return ownFace().title;
}

QString RegionsPage::undoNote(const models::GroupSession *session)
{
    return session != nullptr && session->kind() == sql::GroupKind::Regions ? replicationNote() : QString();
}

RegionsPage::RegionsPage(
    models::GroupDesk *desk, models::Settings *settings, const QString &journalPath, QWidget *parent)
    : Page(ownFace(), parent)
    , m_desk(desk)
    , m_settings(settings)
    , m_journalPath(journalPath)
{
    setObjectName(u"regionsPage"_s);
    pageColumn(this);
    connect(desk, &models::GroupDesk::sessionChanged, this, &RegionsPage::rebuild);
    rebuild();
}

/// The views look at one session from their first to their last day.
void RegionsPage::rebuild()
{
    delete m_content;
    m_content = nullptr;
    m_notice = nullptr;
    m_tabs = nullptr;
    m_members = nullptr;
    m_keys = nullptr;
    m_trends = nullptr;
    m_act = nullptr;
    m_duplicates = nullptr;
    m_differences = nullptr;
    m_replication = nullptr;
    emit troubled(0);
    if (m_desk->session() != nullptr) {
        buildViews();
    }
}

void RegionsPage::buildViews()
{
    m_content = new QWidget(this);
    auto *header = new PageHeader(titleFor(m_desk->session()), m_content);
    QLabel *name = plainLabel(models::displayText(m_desk->session()->name()), m_content);
    name->setObjectName(u"regionsName"_s);
    header->add({ name, nullptr });
    QToolButton *refresh = header->addCommand(u"regionsRefresh"_s, u"refresh"_s, tr("Read again (F5)"));
    m_notice = new NoticeBar(m_content);
    m_notice->setObjectName(u"regionsNotice"_s);
    m_tabs = new QTabWidget(m_content);
    m_tabs->setObjectName(u"regionsTabs"_s);
    m_tabs->setAccessibleName(tr("Views of the group"));
    m_tabs->setDocumentMode(true);
    addViews();
    auto *column = partColumn(m_content);
    column->addWidget(header);
    column->addWidget(m_notice);
    column->addWidget(m_tabs, 1);
    layout()->addWidget(m_content);
    connect(refresh, &QToolButton::clicked, this, &RegionsPage::refresh);
    connect(m_tabs, &QTabWidget::currentChanged, this, &RegionsPage::fitTabs);
    connect(m_tabs, &QTabWidget::currentChanged, this, &RegionsPage::activate);
    fitTabs();
}

void RegionsPage::addViews()
{
    models::GroupSession *session = m_desk->session();
    m_members = new MembersView(m_desk, m_settings, m_tabs);
    m_keys = new GroupKeysView(session, m_members->overview(), m_settings, m_tabs);
    m_tabs->addTab(m_members, tr("Members"));
    m_trends = new GroupTrendsView(session, m_tabs);
    m_tabs->addTab(m_keys, tr("Keys"));
    m_tabs->addTab(m_trends, tr("Trends"));
    m_act = new GroupActionView(session, m_settings, m_journalPath, m_tabs);
    m_tabs->addTab(m_act, tr("Recover and purge"));
    connect(m_act->action(), &models::GroupAction::memberEnded, this, [this](int member) {
        m_members->recount();
        emit acted(member, m_act->action()->choice().target);
    });
    connect(m_act->action(), &models::GroupAction::ended, m_notice, &NoticeBar::clear); // what it said of the running
    connect(m_act, &GroupActionView::undoWanted, this, &RegionsPage::memberUndoWanted);
    m_duplicates = new GroupDuplicatesView(session, m_settings, m_tabs);
    m_tabs->addTab(m_duplicates, tr("Duplicates"));
    connect(m_duplicates, &GroupDuplicatesView::keysWanted, this, &RegionsPage::memberKeysWanted);
    connect(m_duplicates, &GroupDuplicatesView::differencesWanted, this, [this](const QString &target) {
        m_differences->chooseTarget(target);
        showTab(u"differences"_s);
    });
    connect(m_act, &GroupActionView::actionWanted, this, &RegionsPage::memberActionWanted);
    connect(m_members, &MembersView::memberWanted, this, &RegionsPage::memberWanted);
    connect(m_members, &MembersView::keysWanted, this, &RegionsPage::memberKeysWanted);
    connect(m_keys, &GroupKeysView::keyWanted, this, &RegionsPage::memberKeysWanted);
    if (session->kind() != sql::GroupKind::Shards) { // which have no key in common
        m_differences = new DifferencesView(session, m_settings, m_tabs, m_journalPath);
        m_replication = new ReplicationView(session, m_settings, m_tabs);
        m_tabs->addTab(m_differences, tr("Differences"));
        m_tabs->addTab(m_replication, tr("Replication"));
        connect(m_differences, &DifferencesView::keyWanted, this, &RegionsPage::memberKeysWanted);
        connect(
            m_replication->controller(), &models::ReplicationController::changed, this, &RegionsPage::onReplication);
        connect(session, &models::GroupSession::memberChanged, m_replication, &ReplicationView::readNew);
        connect(m_differences->alignBar(), &AlignBar::aligned, m_notice, &NoticeBar::clear);
    }
    setTimeFormat(m_format);
}

/// What does not work is seen without opening its tab.
void RegionsPage::onReplication()
{
    const models::ReplicationController *replication = m_replication->controller();
    if (replication->busy() || !replication->loaded()) {
        return; // what was read before still stands
    }
    const QList<models::ReplicationWay> &ways = replication->list()->rows();
    const int bad = int(std::count_if(ways.cbegin(), ways.cend(),
        [](const models::ReplicationWay &way) { return way.level == sql::HealthLevel::Problem; }));
    m_members->showWays(*replication->list());
    m_tabs->setTabText(m_tabs->indexOf(m_replication), bad == 0 ? tr("Replication") : tr("Replication (%1)").arg(bad));
    emit troubled(bad);
}

/// What the page needs at least, as it scrolls below that: layouts tell what they would like, and that of every tab.
int RegionsPage::heightForWidth(int width) const
{
    const int wanted = Page::heightForWidth(width);
    QWidget *shown = m_tabs != nullptr ? m_tabs->currentWidget() : nullptr;
    if (shown == nullptr || shown->layout() == nullptr) {
        return wanted;
    }
    const int beside = this->width() - m_tabs->width();
    const int least = std::max(
        shown->minimumSizeHint().height(), shown->layout()->totalMinimumHeightForWidth(std::max(1, width - beside)));
    const int tabs = m_tabs->hasHeightForWidth() ? m_tabs->heightForWidth(width - beside) : m_tabs->sizeHint().height();
    return wanted - tabs + m_tabs->tabBar()->sizeHint().height() + least;
}

/// A low window scrolls for what is shown, not for the highest of the tabs that are not.
void RegionsPage::fitTabs()
{
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        m_tabs->widget(tab)->setSizePolicy(
            QSizePolicy::Preferred, tab == m_tabs->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    }
}

void RegionsPage::activate()
{
    const QWidget *shown = m_tabs != nullptr ? m_tabs->currentWidget() : nullptr;
    if (shown == nullptr) {
        return;
    }
    m_notice->clear(); // of another tab, or another time
    if (shown == m_keys) {
        m_keys->activate();
    } else if (shown == m_trends) {
        m_trends->activate();
    } else if (shown == m_replication) {
        m_replication->activate();
    }
}

void RegionsPage::refresh()
{
    if (m_tabs == nullptr) {
        return;
    }
    m_notice->clear();
    const QWidget *shown = m_tabs->currentWidget();
    if (shown == m_keys) {
        m_keys->refresh();
    } else if (shown == m_trends) {
        m_trends->refresh();
    } else if (shown == m_act) {
        m_act->refresh();
    } else if (shown == m_duplicates) {
        m_duplicates->refresh();
    } else if (shown == m_differences) {
        m_differences->compare();
    } else if (shown == m_replication) {
        m_replication->refresh();
    } else {
        m_members->refresh();
        if (m_replication != nullptr) {
            m_replication->refresh();
        }
    }
}

void RegionsPage::refreshByItself()
{
    const QWidget *shown = m_tabs != nullptr ? m_tabs->currentWidget() : nullptr;
    if (shown != nullptr && shown == m_members) {
        m_members->recount();
        if (m_replication != nullptr) {
            m_replication->refresh();
        }
    } else if (shown != nullptr && shown == m_replication) {
        m_replication->refresh();
    }
}

void RegionsPage::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    if (m_keys != nullptr) {
        m_keys->setTimeFormat(format);
        m_trends->setTimeFormat(format);
        m_act->setTimeFormat(format);
        m_duplicates->setTimeFormat(format);
    }
    if (m_differences != nullptr) {
        m_differences->setTimeFormat(format);
    }
}

void RegionsPage::showTab(const QString &name)
{
    if (m_tabs == nullptr) {
        return;
    }
    QWidget *wanted = m_members;
    for (const auto &[id, view] : views()) {
        wanted = id == name && view != nullptr ? view : wanted;
    }
    m_tabs->setCurrentWidget(wanted);
}

QList<std::pair<QString, QWidget *>> RegionsPage::views() const
{
    return { { u"members"_s, m_members }, { u"keys"_s, m_keys }, { u"trends"_s, m_trends }, { u"act"_s, m_act },
        { u"duplicates"_s, m_duplicates }, { u"differences"_s, m_differences }, { u"replication"_s, m_replication } };
}

QList<std::pair<QString, QString>> RegionsPage::tabs() const
{
    QList<std::pair<QString, QString>> tabs;
    for (const auto &[id, view] : views()) {
        if (m_tabs != nullptr && view != nullptr) {
            QString title = m_tabs->tabText(m_tabs->indexOf(view));
            title.truncate(title.indexOf(u" ("_s) >= 0 ? title.indexOf(u" ("_s) : title.size()); // how many is no name
            tabs.append({ id, title });
        }
    }
    return tabs;
}

void RegionsPage::showDifferences(const QString &target, const QString &filter, const std::array<int, 2> &members)
{
    if (m_differences == nullptr) {
        return;
    }
    showTab(u"differences"_s);
    if (m_differences->controller()->running() || aligning()) {
        return; // its choice stands above what it finds
    }
    m_differences->chooseTarget(target);
    m_differences->chooseMembers(members);
    m_differences->setFilter(filter);
    m_differences->compare();
}

bool RegionsPage::aligning() const
{
    return m_differences != nullptr && m_differences->alignBar()->aligner()->running();
}

bool RegionsPage::acting() const
{
    return m_act != nullptr && m_act->action()->running();
}

void RegionsPage::say(const QString &what, const QString &why)
{
    if (m_notice != nullptr) {
        m_notice->showNotice(NoticeBar::Kind::Warning, what, why);
    }
}

} // namespace idemdesk::ui
