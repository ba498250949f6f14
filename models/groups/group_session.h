// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "models/groups/group_place.h"

#include <QObject>
#include <memory>
#include <vector>

namespace idemdesk::models {

class SecretStore;

/// The members of a group, each with connections of its own: one that is down disturbs no other. Members are named by
/// their place in the group, from 0. Lives on the GUI thread.
class GroupSession final : public QObject
{
    Q_OBJECT

public:
    enum class MemberState {
        Opening, ///< not answered yet
        Answered, ///< connected, and its tables are known
        Failed ///< error() tells why; a server that went away is tried again by itself, one never reached by refresh()
    };

    /// secrets: where the passwords of saved connections are; may be null, else outlives this object. profileFolder:
    /// the person's own profiles. Nothing is opened yet.
    GroupSession(GroupPlaces places, SecretStore *secrets, QString profileFolder, QObject *parent = nullptr);
    ~GroupSession() override;

    void open(); ///< all members at once; memberChanged() follows for each
    void close(); ///< all of them; what is under way ends
    /// Looks at one member again: connects where it is not connected, else reads its tables anew.
    void refresh(int member);

    const QString &name() const { return m_places.name; }
    sql::GroupKind kind() const { return m_places.kind; }
    int size() const { return int(m_places.members.size()); }
    const GroupPlace &place(int member) const { return m_places.members.at(member); }
    QString label(int member) const { return place(member).label; }

    MemberState state(int member) const;
    bool answered(int member) const { return state(member) == MemberState::Answered; }
    int answeredCount() const;
    std::optional<sql::Error> error(int member) const; ///< why a member failed
    /// Null before open(), while its password is fetched, and where the member leads nowhere.
    sql::Database *database(int member) const;
    const sql::ServerFacts &facts(int member) const; ///< of its newest connection; facts().standby is its role
    /// Its targets as the window of that member alone has them; empty until it answered.
    const QList<TargetEntry> &targets(int member) const;
    /// The same with the archives of purges, which a search for a complaint reads, too.
    QList<TargetEntry> searched(int member) const;
    const TargetEntry *target(int member, const QString &profileName) const; ///< null: not there, or not known
    const QList<TargetProblem> &problems(int member) const; ///< tables of it that could not be read
    /// Why target() gives none of a member that answered: the table could not be read, nobody knows which tables there
    /// are, or it has no such table (ErrorKind::MissingObject).
    sql::Error whyNoTarget(int member, const QString &profileName) const;
    /// Every table of the member could be looked at.
    bool knowsAll(int member) const { return problems(member).isEmpty(); }
    /// The targets of all members by their profiles' names, each once, in the order of the members.
    QStringList targetNames() const;
    /// The same as targets, each as the first member that has it knows it.
    QList<TargetEntry> eachTarget() const;
    /// The first member's word for such a target; hostile text.
    QString targetTitle(const QString &profileName) const;

signals:
    void memberChanged(int member); ///< state, error, facts or targets
    void databaseChanged(int member); ///< database() is another object, or null: drop what was asked of it

private:
    ConnectionController *link(int member) const { return m_links.at(std::size_t(member)).get(); }
    void openMember(int member);
    void connectMember(int member, const QString &password);

    GroupPlaces m_places;
    SecretStore *m_secrets;
    QList<std::optional<sql::Error>> m_errors; ///< of a keychain that did not answer
    std::vector<std::unique_ptr<ConnectionController>> m_links;
    quint64 m_opening = 0; ///< a password that comes after close() opens nothing
};

} // namespace idemdesk::models
