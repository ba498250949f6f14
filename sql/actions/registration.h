// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/action.h"

namespace idemdesk::sql {

struct RegistrationSettings {
    std::optional<qint64> approvalAbove;
    QString undoWindow; ///< an interval, empty for the default of 7 days
    std::optional<qint64> imageLimit;
    QStringList searchPath; ///< schemas around statements on the target; empty: the table's own
};

/// What registering said: findings, with the GRANTs a table's owner must give in Finding::text's SQL.
struct Registration {
    bool registered = false;
    struct Item {
        QString severity; ///< problem, grant, warning, note
        QString code;
        QString text;
        QString sql; ///< to hand to the table's owner; may be empty
        QString path {}; ///< where in the profile; may be empty
        QString by {}; ///< the role that may run `sql`, for it owns what that is about; empty for what only who
                       ///< installed the console may run
    };
    QList<Item> findings;
};

/// The first part of the one list that checking and registering show: what speaks for and against a profile as far as
/// this login can read, with the rights that it lacks. Reads only.
Result<QList<Registration::Item>> checkedFindings(Session &session, const Profile &profile);

/// Whether something in the list keeps a target from being registered.
bool refuses(const QList<Registration::Item> &findings);

/// Registers a target under the profile's name; with store false only tells what would happen. Needs idemdesk_admin.
Result<Registration> registerTarget(Session &session, const Target &target, const QByteArray &profileJson,
    const RegistrationSettings &settings, bool store);
/// Makes the role that runs what tables of `owner` make the server run, and its function; gives the role's name. The
/// session's login must be a superuser, or the one that installed the console.
Result<QString> makeRunner(Session &session, const QString &owner);

/// Takes a target out; its table and what was done to it stay. Needs idemdesk_admin.
Result<void> unregisterTarget(Session &session, const QString &name);

/// The registered targets; empty where the console schema is missing or not readable.
Result<QList<RegisteredTarget>> readRegisteredTargets(Session &session);

} // namespace idemdesk::sql
