// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/regions_page.h"

#include "models/format/display_text.h"
#include "models/groups/group_desk.h"
#include "models/groups/group_session.h"
#include "ui/pages/regions/group_keys_view.h"
#include "ui/pages/regions/members_view.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"

#include <QTabWidget>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

RegionsPage::RegionsPage(models::GroupDesk *desk, models::Settings *settings, QWidget *parent)
    : Page({ u"regions"_s, tr("Regions"), u"regions"_s }, parent)
    , m_desk(desk)
    , m_settings(settings)
{
    setObjectName(u"regionsPage"_s);
    pageColumn(this);
    connect(desk, &models::GroupDesk::sessionChanged, this, [this] {
        rebuild();
        emit offerChanged();
    });
}

bool RegionsPage::offered() const
{
    return m_desk->session() != nullptr;
}

QString RegionsPage::shownTitle() const
{
    if (m_desk->session() != nullptr) {
        switch (m_desk->session()->kind()) {
        case sql::GroupKind::Regions:
            break;
        case sql::GroupKind::Shards:
            return tr("Shards");
        case sql::GroupKind::Replicas:
            return tr("Replicas");
        }
    }
    return face().title;
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
    if (m_desk->session() != nullptr) {
        buildViews();
    }
}

void RegionsPage::buildViews()
{
    m_content = new QWidget(this);
    auto *header = new PageHeader(shownTitle(), m_content);
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
    m_members = new MembersView(m_desk, m_settings, m_tabs);
    m_keys = new GroupKeysView(m_desk->session(), m_settings, m_tabs);
    m_keys->setTimeFormat(m_format);
    m_tabs->addTab(m_members, tr("Members"));
    m_tabs->addTab(m_keys, tr("Keys"));
    auto *column = partColumn(m_content);
    column->addWidget(header);
    column->addWidget(m_notice);
    column->addWidget(m_tabs, 1);
    layout()->addWidget(m_content);
    connect(refresh, &QToolButton::clicked, this, &RegionsPage::refresh);
    connect(m_tabs, &QTabWidget::currentChanged, this, &RegionsPage::activate);
    connect(m_members, &MembersView::memberWanted, this, &RegionsPage::memberWanted);
    connect(m_members, &MembersView::keysWanted, this, &RegionsPage::memberKeysWanted);
    connect(m_keys, &GroupKeysView::keyWanted, this, &RegionsPage::memberKeysWanted);
}

void RegionsPage::activate()
{
    if (m_tabs != nullptr && m_tabs->currentWidget() == m_keys) {
        m_keys->activate();
    }
}

void RegionsPage::refresh()
{
    if (m_tabs == nullptr) {
        return;
    }
    m_notice->clear();
    m_tabs->currentWidget() == m_keys ? m_keys->refresh() : m_members->refresh();
}

void RegionsPage::refreshByItself()
{
    if (m_tabs != nullptr && m_tabs->currentWidget() == m_members) {
        m_members->refresh();
    }
}

void RegionsPage::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    if (m_keys != nullptr) {
        m_keys->setTimeFormat(format);
    }
}

void RegionsPage::showTab(const QString &name)
{
    if (m_tabs != nullptr) {
        m_tabs->setCurrentWidget(name == u"keys" ? static_cast<QWidget *>(m_keys) : m_members);
    }
}

void RegionsPage::say(const QString &what, const QString &why)
{
    if (m_notice != nullptr) {
        m_notice->showNotice(NoticeBar::Kind::Warning, what, why);
    }
}

} // namespace idemdesk::ui
