// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_password.h"

#include <QHash>

#include <algorithm>
#include <libpq-fe.h>
#include <memory>

namespace idemdesk::sql {

namespace {

using PgSettings = QHash<QByteArray, QByteArray>; ///< by keyword, those that this libpq knows

/// What libpq makes of the text, the service file, the environment and its own defaults. "password" is also the one of
/// the password file. Empty where libpq does not understand the text.
PgSettings settingsInEffect(const QByteArray &conninfo, const QByteArray &password)
{
    // The last of the settings that libpq looks at is one that it refuses: everything is worked out, and no host is
    // looked up.
    const char *keywords[]
        = { "dbname", password.isEmpty() ? "target_session_attrs" : "password", "target_session_attrs", nullptr };
    const char *values[]
        = { conninfo.constData(), password.isEmpty() ? "nowhere" : password.constData(), "nowhere", nullptr };
    const std::unique_ptr<PGconn, decltype(&PQfinish)> start(PQconnectStartParams(keywords, values, 1), &PQfinish);
    PgSettings settings;
    if (start == nullptr) {
        return settings;
    }
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
        PQconninfo(start.get()), &PQconninfoFree);
    for (const PQconninfoOption *option = options.get(); option != nullptr && option->keyword != nullptr; ++option) {
        settings.insert(option->keyword, option->val);
    }
    settings.insert("password", PQpass(start.get()));
    return settings;
}

/// Each host is a socket's folder, or none is named and libpq takes its own. An address leads to the network whatever
/// the name.
bool isLocal(const PgSettings &settings)
{
    const QByteArrayList hosts = settings.value("host").split(',');
    return !settings.isEmpty() && settings.value("hostaddr").isEmpty()
        && std::all_of(hosts.cbegin(), hosts.cend(),
            [](const QByteArray &host) { return host.isEmpty() || host.startsWith('/') || host.startsWith('@'); });
}

} // namespace

PgPasswordCare careForPassword(const QByteArray &conninfo, const QByteArray &password, bool anywhere)
{
    PgPasswordCare care;
    care.conninfo = conninfo;
    const PgSettings settings = settingsInEffect(conninfo, password);
    if (isLocal(settings)) {
        care.serverVerified = true;
        return care;
    }
    const bool methodIsOpen = settings.contains("require_auth") && settings.value("require_auth").isEmpty();
    // What holds now is given once more, so that a file that changes meanwhile does not weaken it.
    if (settings.value("sslmode") == "verify-full") {
        care.serverVerified = true;
        care.overrides.emplaceBack("sslmode", "verify-full");
    } else if (settings.value("channel_binding") == "require") {
        care.serverVerified = true;
        care.overrides.emplaceBack("channel_binding", "require");
        if (methodIsOpen) {
            care.overrides.emplaceBack("require_auth", "scram-sha-256");
        }
    } else if (anywhere) {
        if (methodIsOpen) {
            care.overrides.emplaceBack("require_auth", "!password");
        }
    } else {
        care.withheld = !settings.value("password").isEmpty();
        // Set to nothing in the text, they are looked for nowhere else; of a file that is not there libpq says nothing.
        care.conninfo += " password='' passfile='/dev/null/none'";
    }
    return care;
}

} // namespace idemdesk::sql
