// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QList>
#include <QString>

namespace idemdesk::models {

/// The connect dialog's fields. What they cannot hold stays in `others`.
struct ConnectionFields {
    QString host;
    QString port;
    QString database;
    QString user;
    QString service;
    QString sslMode;
    QString sslRootCert;
    QList<std::pair<QString, QString>> others; ///< further libpq keywords
};

/// Reads key=value text, a URI or "service=x" by libpq's own rules. A password in it is refused.
sql::Result<ConnectionFields> fieldsFromConninfo(const QString &conninfo);
/// key=value text with libpq's quoting; empty fields are left out, so that libpq's defaults and files apply.
QString conninfoFromFields(const ConnectionFields &fields);
/// The text of a new connection: it asks for a verified server (sslmode=verify-full), unless it says otherwise itself,
/// leaves that to a service, or leads to a local socket only.
QString withVerifiedServer(const QString &conninfo);
/// A host that is the folder of a socket on this computer; several stand in a list with commas.
bool isLocalHost(const QString &host);
/// Nothing wrong: success. Else what libpq says of it, or that it holds a password.
sql::Result<void> checkConninfo(const QString &conninfo);
/// The text with the values of password, sslpassword and passfile hidden, for messages and logs.
QString maskedConninfo(const QString &conninfo);
/// "orders on db.example:5432 as app", from the text alone.
QString conninfoSummary(const QString &conninfo);

} // namespace idemdesk::models
