// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/action.h"
#include "sql/types/target.h"
#include "tests/support/console_fixture.h"

#include <memory>

namespace idemdesk::tests {

/// A session of the console's own, as this login; ends the test program where it cannot be opened.
std::unique_ptr<sql::Session> openSession(
    const ConsoleFixture &fixture, const QString &login, sql::LaneKind lane = sql::LaneKind::Read);

/// app.k of the fixture under a real profile, registered as "k2" through the console's own gateway.
struct RegisteredTable {
    sql::Target target;
    sql::RegisteredTarget registered;
    sql::CompiledTarget compiled;
};

/// The profile's JSON, with `changes` (top-level members) put over it.
QByteArray tableProfile(const QByteArray &changes = "{}");
RegisteredTable registerTable(
    const ConsoleFixture &fixture, const QByteArray &changes = "{}", const QString &name = QStringLiteral("k2"));

} // namespace idemdesk::tests
