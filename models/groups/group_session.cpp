// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_session.h"

#include "models/connection/secret_store.h"
#include "sql/lanes/database.h"

#include <QSet>

namespace idemdesk::models {

GroupSession::GroupSession(GroupPlaces places, SecretStore *secrets, QString profileFolder, QObject *parent)
    : QObject(parent)
    , m_places(std::move(places))
    , m_secrets(secrets)
    , m_errors(m_places.members.size())
{
    for (int member = 0; member < size(); ++member) {
        m_links.push_back(std::make_unique<ConnectionController>(profileFolder));
        const auto changed = [this, member] { emit memberChanged(member); };
        connect(link(member), &ConnectionController::stateChanged, this, changed);
        connect(link(member), &ConnectionController::factsChanged, this, changed);
        connect(link(member), &ConnectionController::targetsChanged, this, changed);
        connect(link(member), &ConnectionController::databaseChanged, this,
            [this, member] { emit databaseChanged(member); });
    }
}

GroupSession::~GroupSession()
{
    blockSignals(true); // nobody is told of members that go with their group
}

void GroupSession::open()
{
    close();
    for (int member = 0; member < size(); ++member) {
        openMember(member);
    }
}

void GroupSession::close()
{
    ++m_opening;
    for (int member = 0; member < size(); ++member) {
        m_errors[member].reset();
        link(member)->disconnectNow();
    }
}

void GroupSession::openMember(int member)
{
    const GroupPlace &to = place(member);
    if (to.missing) {
        emit memberChanged(member);
        return;
    }
    if (m_secrets == nullptr || to.secretId.isEmpty()) {
        connectMember(member, {});
        return;
    }
    m_secrets->get(
        to.secretId, this, [this, member, opening = m_opening](const sql::Result<std::optional<QString>> &secret) {
            if (opening != m_opening) {
                return;
            }
            if (!secret.ok()) {
                m_errors[member] = secret.error();
                emit memberChanged(member);
                return;
            }
            connectMember(member, secret->value_or(QString()));
        });
}

void GroupSession::connectMember(int member, const QString &password)
{
    sql::ConnectionSettings settings = place(member).settings;
    settings.password = password;
    link(member)->connectTo(settings);
}

void GroupSession::refresh(int member)
{
    m_errors[member].reset();
    if (link(member)->database() == nullptr) {
        openMember(member);
    } else if (link(member)->state() == sql::LinkState::Connected) {
        link(member)->refreshTargets();
    } else {
        link(member)->reconnectNow();
    }
}

GroupSession::MemberState GroupSession::state(int member) const
{
    if (error(member)) {
        return MemberState::Failed;
    }
    const ConnectionController *of = link(member);
    return of->state() == sql::LinkState::Connected && of->targetsLoaded() ? MemberState::Answered
                                                                           : MemberState::Opening;
}

int GroupSession::answeredCount() const
{
    int count = 0;
    for (int member = 0; member < size(); ++member) {
        count += answered(member) ? 1 : 0;
    }
    return count;
}

std::optional<sql::Error> GroupSession::error(int member) const
{
    if (place(member).missing) {
        return place(member).missing;
    }
    if (m_errors.at(member)) {
        return m_errors.at(member);
    }
    const ConnectionController *of = link(member);
    if (of->state() != sql::LinkState::Connected) {
        return of->error();
    }
    // Its tables could not be looked for: nothing is known of it.
    if (!of->targetsLoaded() && !of->targetsLoading() && !of->problems().isEmpty()) {
        return of->problems().constFirst().error;
    }
    return std::nullopt;
}

sql::Database *GroupSession::database(int member) const
{
    return link(member)->database();
}

const sql::ServerFacts &GroupSession::facts(int member) const
{
    return link(member)->facts();
}

const QList<TargetEntry> &GroupSession::targets(int member) const
{
    return link(member)->targets();
}

QList<TargetEntry> GroupSession::searched(int member) const
{
    return link(member)->searched();
}

const TargetEntry *GroupSession::target(int member, const QString &profileName) const
{
    return link(member)->target(profileName);
}

const QList<TargetProblem> &GroupSession::problems(int member) const
{
    return link(member)->problems();
}

sql::Error GroupSession::whyNoTarget(int member, const QString &profileName) const
{
    std::optional<sql::Error> unknown; // an answer without a name may be about any table
    for (const TargetProblem &problem : problems(member)) {
        if (problem.profileName == profileName) {
            return problem.error;
        }
        if (problem.profileName.isEmpty()) {
            unknown = problem.error;
        }
    }
    return unknown.value_or(sql::makeError(sql::ErrorKind::MissingObject, tr("It has no such table.")));
}

QStringList GroupSession::targetNames() const
{
    QStringList names;
    for (int member = 0; member < size(); ++member) {
        for (const TargetEntry &entry : targets(member)) {
            names += entry.target.profile.name;
        }
    }
    names.removeDuplicates();
    return names;
}

QList<TargetEntry> GroupSession::eachTarget() const
{
    QList<TargetEntry> entries;
    QSet<QString> names;
    for (int member = 0; member < size(); ++member) {
        for (const TargetEntry &entry : targets(member)) {
            if (!names.contains(entry.target.profile.name)) {
                names.insert(entry.target.profile.name);
                entries += entry;
            }
        }
    }
    return entries;
}

QString GroupSession::targetTitle(const QString &profileName) const
{
    for (int member = 0; member < size(); ++member) {
        if (const TargetEntry *entry = target(member, profileName)) {
            return entry->target.profile.title;
        }
    }
    return profileName;
}

} // namespace idemdesk::models

#include "moc_group_session.cpp"
