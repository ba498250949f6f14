// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_desk.h"

#include "models/connection/connection_controller.h"
#include "models/groups/group_store.h"
#include "sql/lanes/database.h"

#include <QScopedValueRollback>

namespace idemdesk::models {

GroupDesk::GroupDesk(ConnectionController *connection, GroupStore *groups, SecretStore *secrets, QObject *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_groups(groups)
    , m_secrets(secrets)
{
    connect(connection, &ConnectionController::databaseChanged, this, &GroupDesk::onDatabase);
}

GroupDesk::~GroupDesk()
{
    delete m_session;
}

void GroupDesk::open(const GroupPlaces &places)
{
    leave();
    {
        const QScopedValueRollback connecting(m_connecting, true);
        m_connection->disconnectNow(); // nothing of another database stands beside the group
    }
    m_session = new GroupSession(places, m_secrets, m_connection->profileFolder(), this);
    const SavedGroup *saved = m_groups != nullptr ? m_groups->find(places.name) : nullptr;
    m_last = -1;
    for (int member = 0; saved != nullptr && member < m_session->size(); ++member) {
        m_last = m_session->label(member) == saved->lastUsed ? member : m_last;
    }
    connect(m_session, &GroupSession::memberChanged, this, &GroupDesk::choose);
    emit sessionChanged();
    m_session->open();
}

void GroupDesk::leave()
{
    if (m_session == nullptr) {
        return;
    }
    GroupSession *old = m_session;
    m_session = nullptr;
    old->disconnect(this);
    setCurrent(-1);
    emit sessionChanged();
    old->deleteLater(); // one of its own signals may have led here
}

void GroupDesk::choose()
{
    if (m_session == nullptr || m_current >= 0) {
        return;
    }
    if (m_last >= 0 && m_session->state(m_last) == GroupSession::MemberState::Opening) {
        return; // it may still answer
    }
    if (m_last >= 0 && show(std::exchange(m_last, -1))) {
        return;
    }
    for (int member = 0; member < m_session->size(); ++member) {
        if (show(member)) {
            return;
        }
    }
}

bool GroupDesk::show(int member)
{
    if (m_session == nullptr || !m_session->answered(member)) {
        return false;
    }
    if (member == m_current) {
        return true;
    }
    {
        const QScopedValueRollback connecting(m_connecting, true);
        setCurrent(member);
        m_connection->connectTo(m_session->database(member)->settings()); // with the password that was right
    }
    if (m_groups != nullptr) {
        m_groups->setLastUsed(m_session->name(), m_session->label(member));
    }
    return true;
}

void GroupDesk::setCurrent(int member)
{
    if (m_current != member) {
        m_current = member;
        emit currentChanged();
    }
}

void GroupDesk::onDatabase()
{
    if (!m_connecting) {
        leave(); // a person connects to something else, or to nothing
    }
}

} // namespace idemdesk::models

#include "moc_group_desk.cpp"
