// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_connect.h"

#include <QCoreApplication>

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <vector>

namespace idemdesk::sql {

namespace {

constexpr int sliceMs = 100; // how often a connect that waits looks for a cut

PgFailure given(const QString &message)
{
    PgFailure failure = refusal(message);
    failure.severity = QStringLiteral("FATAL");
    failure.connectionLost = true;
    return failure;
}

PgFailure deadlinePassed()
{
    return given(QCoreApplication::translate("PgDriver", "The server did not answer in time."));
}

/// Waits for the socket as PQconnectPoll asked; true if it is ready.
bool waitFor(const PGconn *connection, PostgresPollingStatusType wanted, int timeoutMs)
{
    pollfd entry { PQsocket(connection), short(wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0 };
    const int ready = ::poll(&entry, 1, timeoutMs);
    return ready > 0 || (ready < 0 && errno != EINTR); // an error shows in PQconnectPoll
}

/// Drives PQconnectPoll to its end; false with the reason.
bool poll(PGconn *connection, PgSocketInterrupter &interrupter, const QDeadlineTimer &deadline, PgFailure *failure)
{
    PostgresPollingStatusType wanted = PGRES_POLLING_WRITING;
    for (;;) {
        interrupter.arm(connection); // again each time: libpq moves on to the next host with another socket
        for (;;) {
            if (interrupter.wasCut()) {
                *failure = given(QCoreApplication::translate("PgDriver", "Connecting was stopped."));
                return false;
            }
            if (deadline.hasExpired()) {
                *failure = deadlinePassed();
                return false;
            }
            const qint64 left
                = deadline.isForever() ? sliceMs : std::min<qint64>(deadline.remainingTime() + 1, sliceMs);
            if (waitFor(connection, wanted, int(left))) {
                break;
            }
        }
        wanted = PQconnectPoll(connection);
        if (wanted == PGRES_POLLING_OK) {
            return true;
        }
        if (wanted == PGRES_POLLING_FAILED) {
            *failure = connectFailureOf(connection);
            return false;
        }
    }
}

struct Settings {
    const QByteArray &conninfo;
    const QByteArray &password;
    const QList<std::pair<QByteArray, QByteArray>> &overrides;
};

PGconn *start(const Settings &settings, const char *encoding)
{
    std::vector<const char *> keywords { "dbname" };
    std::vector<const char *> values { settings.conninfo.constData() };
    const auto add = [&](const char *keyword, const char *value) {
        keywords.push_back(keyword);
        values.push_back(value);
    };
    if (!settings.password.isEmpty()) {
        add("password", settings.password.constData());
    }
    for (const auto &[keyword, value] : settings.overrides) {
        add(keyword.constData(), value.constData());
    }
    add("client_encoding", encoding);
    add(nullptr, nullptr);
    return PQconnectStartParams(keywords.data(), values.data(), 1);
}

PGconn *connectWith(const Settings &settings, const char *encoding, const QDeadlineTimer &deadline,
    PgSocketInterrupter &interrupter, PgFailure *failure)
{
    PGconn *connection = start(settings, encoding);
    if (connection == nullptr || PQstatus(connection) == CONNECTION_BAD) {
        *failure = connectFailureOf(connection);
    } else {
        // libpq has no result for a failed start; its verbose message is the only place with the SQLSTATE.
        PQsetErrorVerbosity(connection, PQERRORS_VERBOSE);
        if (poll(connection, interrupter, deadline, failure)) {
            PQsetErrorVerbosity(connection, PQERRORS_DEFAULT);
            return connection;
        }
    }
    PQfinish(connection);
    return nullptr;
}

} // namespace

PGconn *connectTo(const QByteArray &conninfo, const QByteArray &password,
    const QList<std::pair<QByteArray, QByteArray>> &overrides, const QDeadlineTimer &deadline,
    PgSocketInterrupter &interrupter, PgFailure *failure)
{
    const auto holdsNul = [](const QByteArray &text) { return text.contains('\0'); };
    const bool nul = holdsNul(conninfo) || holdsNul(password)
        || std::any_of(overrides.begin(), overrides.end(),
            [&](const auto &entry) { return holdsNul(entry.first) || holdsNul(entry.second); });
    if (nul) {
        *failure = given(QCoreApplication::translate("PgDriver", "The connection settings contain a NUL character."));
        return nullptr;
    }
    const Settings settings { conninfo, password, overrides };
    interrupter.expect();
    PGconn *connection = connectWith(settings, "UTF8", deadline, interrupter, failure);
    const char *encoding = connection == nullptr ? nullptr : PQparameterStatus(connection, "server_encoding");
    if (encoding != nullptr && qstrcmp(encoding, "SQL_ASCII") == 0) {
        // Such a server refuses to send bytes that are no UTF-8 to a client in UTF8. It sends them to one in SQL_ASCII,
        // and a SET would stay behind in a pooler's server connection.
        PQfinish(connection);
        connection = connectWith(settings, "SQL_ASCII", deadline, interrupter, failure);
    }
    if (connection == nullptr) {
        interrupter.disarm();
    } else {
        interrupter.allowCancel(connection);
    }
    return connection;
}

} // namespace idemdesk::sql
