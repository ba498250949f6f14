// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "models/table/row_model.h"
#include "sql/types/console_role.h"

#include <QObject>

namespace idemdesk::models {

/// The logins with the console's roles, and those that have all rights; the others have none here.
class RoleMembersModel final : public RowModel<RoleMembersModel, sql::RoleMember>
{
    Q_OBJECT

public:
    enum Column { Login, Roles, ColumnCount };

    explicit RoleMembersModel(QObject *parent = nullptr);
    void setMembers(const QList<sql::RoleMember> &members);
    static std::span<const ColumnSpec> columns();
};

/// Who may do what with the console's own schema, and giving it. Lives on the GUI thread.
class RolesController final : public QObject
{
    Q_OBJECT

public:
    explicit RolesController(sql::Database *database, QObject *parent = nullptr);

    static QString roleLabel(sql::ConsoleRole role); ///< "Operator"
    static QString roleHelp(sql::ConsoleRole role); ///< what it lets do

    void refresh();
    void change(bool grant, sql::ConsoleRole role, const QString &login); ///< done() or changed() with an error follows
    /// Why the own login cannot give or take this role; empty where it can.
    QString whyNot(sql::ConsoleRole role) const;
    bool busy() const { return m_asking.busy(); }
    const std::optional<sql::ConsoleMembers> &members() const { return m_members; }
    RoleMembersModel *model() const { return m_model; }
    const std::optional<sql::Error> &error() const { return m_asking.error(); }

signals:
    void changed();
    void done(const QString &sql);

private:
    void take(const sql::Result<sql::ConsoleMembers> &members);

    Request m_asking { QStringLiteral("roles") };
    std::optional<sql::ConsoleMembers> m_members;
    RoleMembersModel *m_model;
};

} // namespace idemdesk::models
