// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"
#include "sql/types/profile.h"
#include "sql/types/target.h"

#include <QString>

namespace idemdesk::models {

QString stateLabel(sql::KeyState state); ///< "In progress"
QString roleTitle(sql::Role role); ///< "Lease until"
/// "Event type" for "event_type": a label that a profile's author wrote, as a heading; safe to show.
QString labelTitle(const QString &label);
/// "Tenant / User": the parts of a table's scope, as headings; empty where it has none.
QString scopeTitle(const sql::Profile &profile);
/// "User: 17", with such a title; safe to show.
QString namedScope(const QString &title, const QString &scope);
QString roleHelp(sql::Role role); ///< one sentence: what the console uses it for
QString kindLabel(sql::TargetKind kind); ///< "Requests"
/// "Payments": what a table is called everywhere; its name in the database where its title says no more.
QString targetTitle(const sql::Profile &profile);
/// "app.keys": what stands muted beneath, and tells tables of one title apart; empty where the title is that already.
QString targetPlace(const sql::Profile &profile);
/// "Payments – app.keys": both in a line.
QString targetLabel(const sql::Profile &profile);
QString environmentLabel(sql::Environment environment); ///< "Production"; "" for Unmarked
/// What a server says of itself, in a few words each: version, primary or standby, how the way to it is protected.
QStringList serverWords(const sql::ServerFacts &facts);
QString linkStateLabel(sql::LinkState state); ///< "Reconnecting"
QString severityLabel(sql::Finding::Severity severity); ///< "Warning"

} // namespace idemdesk::models
