// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/groups/group_place.h"
#include "sql/types/result.h"

#include <QObject>

class QSettings;

namespace idemdesk::models {

class SavedConnections;

/// A member of a saved group: a saved connection by its id, or a conninfo of its own.
struct SavedGroupMember {
    QString label;
    QString connectionId;
    QString conninfo; ///< where there is no id; never with a password
    friend bool operator==(const SavedGroupMember &, const SavedGroupMember &) = default;
};

/// A group the person saved. No two have the same name.
struct SavedGroup {
    QString name;
    sql::GroupKind kind = sql::GroupKind::Regions;
    QList<SavedGroupMember> members;
    QString lastUsed; ///< label of the member whose window was opened last; may be empty
    friend bool operator==(const SavedGroup &, const SavedGroup &) = default;
};

/// The word a file and the settings have for a kind: "regions".
QString groupKindName(sql::GroupKind kind);

/// Groups in the person's settings, beside the saved connections that they name. Lives on the GUI thread.
class GroupStore final : public QObject
{
    Q_OBJECT

public:
    /// Both outlive this object.
    GroupStore(QSettings *settings, SavedConnections *connections, QObject *parent = nullptr);

    const QList<SavedGroup> &all() const { return m_all; }
    const SavedGroup *find(const QString &name) const;
    /// Adds a group, or replaces the one called `before`. A name that another group has, fewer than two members, a
    /// label twice, and a conninfo with a password are refused.
    sql::Result<void> save(const SavedGroup &group, const QString &before = {});
    void remove(const QString &name);
    void setLastUsed(const QString &name, const QString &label);

    /// Where the members of a group lead now. A member whose saved connection is gone says so; the others stand.
    GroupPlaces places(const SavedGroup &group) const;
    /// The group of a file, not saved. A member whose conninfo a saved connection has becomes that connection.
    sql::Result<SavedGroup> read(const QString &path) const;
    /// Writes a file that read() and the terminal program take. Refused where a saved connection is gone.
    sql::Result<void> write(const SavedGroup &group, const QString &path) const;

signals:
    void changed();

private:
    void load();
    sql::Result<void> store();
    sql::Result<void> check(const SavedGroup &group, const QString &before) const;

    QSettings *m_settings;
    SavedConnections *m_connections;
    QList<SavedGroup> m_all;
};

} // namespace idemdesk::models
