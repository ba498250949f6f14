// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/regions_page.h"

#include "models/format/display_text.h"
#include "models/groups/group_action.h"
#include "models/groups/group_desk.h"
#include "models/groups/group_session.h"
#include "ui/pages/regions/align_bar.h"
#include "ui/pages/regions/differences_view.h"
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
    connect(m_tabs, &QTabWidget::currentChanged, this, &RegionsPage::activate);
}

void RegionsPage::addViews()
{
    models::GroupSession *session = m_desk->session();
    m_members = new MembersView(m_desk, m_settings, m_tabs);
    m_keys = new GroupKeysView(session, m_settings, m_tabs);
    m_tabs->addTab(m_members, tr("Members"));
    m_trends = new GroupTrendsView(session, m_tabs);
    m_tabs->addTab(m_keys, tr("Keys"));
    m_tabs->addTab(m_trends, tr("Trends"));
    m_act = new GroupActionView(session, m_settings, m_journalPath, m_tabs);
    m_tabs->addTab(m_act, tr("Act in all"));
    connect(
        m_act->action(), &models::GroupAction::ended, this, [this] { emit acted(m_act->action()->choice().target); });
    m_duplicates = new GroupDuplicatesView(session, m_settings, m_tabs);
    m_tabs->addTab(m_duplicates, tr("Duplicates"));
    connect(m_duplicates, &GroupDuplicatesView::keysWanted, this, &RegionsPage::memberKeysWanted);
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
    }
    setTimeFormat(m_format);
}

void RegionsPage::activate()
{
    const QWidget *shown = m_tabs != nullptr ? m_tabs->currentWidget() : nullptr;
    if (shown == nullptr) {
        return;
    }
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
    }
}

void RegionsPage::refreshByItself()
{
    const QWidget *shown = m_tabs != nullptr ? m_tabs->currentWidget() : nullptr;
    if (shown != nullptr && shown == m_members) {
        m_members->recount();
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
    QWidget *const views[] = { m_members, m_keys, m_trends, m_act, m_duplicates, m_differences, m_replication };
    const QStringList names { u"members"_s, u"keys"_s, u"trends"_s, u"act"_s, u"duplicates"_s, u"differences"_s,
        u"replication"_s };
    QWidget *view = views[std::max<qsizetype>(0, names.indexOf(name))];
    m_tabs->setCurrentWidget(view != nullptr ? view : m_members);
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
