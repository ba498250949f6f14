// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/console/roles_controller.h"

#include "sql/actions/role_members.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kRolesDeadlineMs = 15'000;

QString rolesText(const sql::RoleMember &member)
{
    if (member.superuser) {
        return RolesController::tr("Superuser: has every right");
    }
    QStringList labels;
    for (const sql::ConsoleRole role : member.roles) {
        labels += RolesController::roleLabel(role);
    }
    return labels.join(u", "_s);
}

} // namespace

RoleMembersModel::RoleMembersModel(QObject *parent)
    : RowModel(parent)
{
}

void RoleMembersModel::setMembers(const QList<sql::RoleMember> &members)
{
    QList<sql::RoleMember> shown;
    for (const sql::RoleMember &member : members) {
        if (member.superuser || !member.roles.isEmpty()) {
            shown.append(member);
        }
    }
    setRows(shown);
}

std::span<const RoleMembersModel::ColumnSpec> RoleMembersModel::columns()
{
    static const std::array<ColumnSpec, ColumnCount> kColumns { {
        { [] { return RolesController::tr("Login"); },
            [](const RoleMembersModel &, const sql::RoleMember &member) { return member.login; } },
        { [] { return RolesController::tr("Roles"); },
            [](const RoleMembersModel &, const sql::RoleMember &member) { return rolesText(member); } },
    } };
    return kColumns;
}

RolesController::RolesController(sql::Database *database, QObject *parent)
    : QObject(parent)
    , m_model(new RoleMembersModel(this))
{
    m_asking.setDatabase(database);
    connect(&m_asking, &Request::changed, this, &RolesController::changed);
}

QString RolesController::roleLabel(sql::ConsoleRole role)
{
    switch (role) {
    case sql::ConsoleRole::Viewer:
        return tr("Viewer");
    case sql::ConsoleRole::Operator:
        return tr("Operator");
    case sql::ConsoleRole::Approver:
        return tr("Approver");
    case sql::ConsoleRole::Admin:
        return tr("Administrator");
    case sql::ConsoleRole::Reporter:
        return tr("Reporter");
    }
    return {};
}

QString RolesController::roleHelp(sql::ConsoleRole role)
{
    switch (role) {
    case sql::ConsoleRole::Viewer:
        return tr("Sees actions, the audit log, conflicts and samples.");
    case sql::ConsoleRole::Operator:
        return tr("Recovers, requeues, purges and undoes on registered tables.");
    case sql::ConsoleRole::Approver:
        return tr("Approves large actions of others.");
    case sql::ConsoleRole::Admin:
        return tr("Registers tables and sets their limits.");
    case sql::ConsoleRole::Reporter:
        return tr("For services: reports conflicts and events, and reads nothing.");
    }
    return {};
}

QString RolesController::whyNot(sql::ConsoleRole role) const
{
    if (m_asking.database() != nullptr && m_asking.database()->facts().standby) {
        return tr("This server is a standby: give roles on its primary.");
    }
    if (!m_members) {
        return tr("The roles have not been read.");
    }
    if (!m_members->rolesThere) {
        return tr("The roles are made when the console is installed.");
    }
    return m_members->mayGrant.contains(role) ? QString()
                                              : tr("Your login may not give this role. Copy the SQL for a DBA.");
}

void RolesController::refresh()
{
    m_asking.ask(
        { sql::LaneKind::Read, kRolesDeadlineMs },
        [](sql::Session &session) { return sql::readConsoleMembers(session); },
        [this](const sql::Result<sql::ConsoleMembers> &members) { take(members); });
}

void RolesController::change(bool grant, sql::ConsoleRole role, const QString &login)
{
    if (busy()) {
        return;
    }
    m_asking.ask(
        { sql::LaneKind::Write, kRolesDeadlineMs, false },
        [grant, role, login](sql::Session &session) -> sql::Result<sql::ConsoleMembers> {
            TRY(sql::changeMembership(session, grant, role, login));
            return sql::readConsoleMembers(session);
        },
        [this, grant, role, login](const sql::Result<sql::ConsoleMembers> &members) {
            take(members);
            if (members) {
                emit done(sql::membershipSql(grant, role, login));
            }
        });
}

void RolesController::take(const sql::Result<sql::ConsoleMembers> &members)
{
    if (members) {
        m_members = *members;
        m_model->setMembers(members->logins);
    }
}

} // namespace idemdesk::models

#include "moc_roles_controller.cpp"
