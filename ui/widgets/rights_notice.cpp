// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rights_notice.h"

#include "models/actions/action_center.h"
#include "models/connection/connection_controller.h"

namespace idemdesk::ui {

RightsNotice::RightsNotice(
    models::ActionCenter *center, models::ConnectionController *connection, const QString &objectName, QWidget *parent)
    : NoticeBar(parent)
    , m_center(center)
    , m_connection(connection)
{
    setObjectName(objectName);
    connect(this, &NoticeBar::primaryClicked, this, &RightsNotice::remedy);
}

QString RightsNotice::sync(const models::TargetEntry &entry, const QString &what)
{
    m_target = entry.target.profile.name;
    m_registered = entry.registration.has_value();
    const QString why = whyNot(entry);
    if (m_connection->state() == sql::LinkState::Connected && entry.target.relation.oid != 0 && !why.isEmpty()
        && m_center->statusKnown()) {
        showNotice(Kind::Info, what, why, {}, m_center->remedyText(m_registered));
    } else {
        clear();
    }
    return why;
}

QString RightsNotice::whyNot(const models::TargetEntry &entry) const
{
    const QString why = m_center->whyNot();
    // Who is told to register it can do so.
    const bool actable = !m_center->standby() && (why.isEmpty() || m_center->status().isAdmin);
    return actable && m_center->consoleInstalled() && entry.target.relation.oid != 0 && !entry.registration
        ? tr("This table is not registered in the database, so no action can run on it.")
        : why;
}

void RightsNotice::remedy()
{
    using Remedy = models::ActionCenter::Remedy;
    switch (m_center->remedy(m_registered)) {
    case Remedy::Install:
        emit installClicked();
        break;
    case Remedy::Register:
        emit registerClicked(m_target);
        break;
    case Remedy::Allow:
        m_center->allow();
        break;
    case Remedy::LookAgain:
    case Remedy::None:
        m_center->refresh();
        break;
    }
}

} // namespace idemdesk::ui
