// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/cache_address.h"

#include "sql/types/tr.h"

#include <QUrl>
#include <QUrlQuery>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kMostDatabase = 1'000'000;

/// What was written may hold a password in the wrong place: no message quotes it.
Error badAddress(const QString &why)
{
    return makeError(ErrorKind::Usage, Tr::tr("The address of the cache cannot be used."), why,
        Tr::tr("Write redis://USER@HOST:PORT/DATABASE, rediss://… for TLS, or unix:///PATH?db=DATABASE."));
}

Result<int> databaseNumber(const QString &text)
{
    bool whole = false;
    const int number = text.toInt(&whole);
    if (!whole || number < 0 || number > kMostDatabase) {
        return badAddress(Tr::tr("The database is a whole number, such as 0."));
    }
    return number;
}

Result<void> readOptions(const QUrl &url, CacheAddress *address)
{
    const auto options = QUrlQuery(url).queryItems(QUrl::FullyDecoded);
    for (const auto &[name, value] : options) {
        const bool tls = name == u"sslrootcert" || name == u"sslcert" || name == u"sslkey";
        if (tls && !address->tls) {
            return badAddress(Tr::tr("Certificates are for rediss:// only."));
        }
        if (name == u"db") {
            TRY(address->database, databaseNumber(value));
        } else if (name == u"user") {
            address->user = value;
        } else if (name == u"sslrootcert") {
            address->authorities = value;
        } else if (name == u"sslcert") {
            address->certificate = value;
        } else if (name == u"sslkey") {
            address->key = value;
        } else if (name == u"password") {
            return badAddress(Tr::tr("It holds a password, which would show in process lists."));
        } else {
            return badAddress(Tr::tr("Behind “?” may stand db, user, sslrootcert, sslcert and sslkey."));
        }
    }
    if (address->certificate.isEmpty() != address->key.isEmpty()) {
        return badAddress(Tr::tr("A client's certificate needs its key, and the other way round."));
    }
    return {};
}

Result<void> readHost(const QUrl &url, CacheAddress *address)
{
    address->host = url.host(QUrl::FullyDecoded);
    address->port = url.port(CacheAddress::kPort);
    if (address->host.isEmpty() || address->port == 0) {
        return badAddress(Tr::tr("It names no host."));
    }
    const QString path = url.path(QUrl::FullyDecoded);
    if (path.size() > 1) {
        TRY(address->database, databaseNumber(path.mid(1)));
    }
    return {};
}

} // namespace

Result<CacheAddress> cacheAddress(const QString &url)
{
    const QUrl read(url, QUrl::StrictMode);
    CacheAddress address;
    const QString scheme = read.scheme();
    address.tls = scheme == u"rediss";
    if (scheme != u"redis" && scheme != u"rediss" && scheme != u"unix") {
        return badAddress(Tr::tr("It begins with neither redis: nor rediss: nor unix:."));
    }
    if (!read.isValid()) {
        return badAddress(Tr::tr("It is no well-formed address."));
    }
    if (!read.password().isEmpty()) {
        return badAddress(Tr::tr("It holds a password, which would show in process lists."));
    }
    address.user = read.userName(QUrl::FullyDecoded);
    if (scheme == u"unix") {
        address.socket = read.path(QUrl::FullyDecoded);
        if (!read.host().isEmpty() || !address.socket.startsWith(u'/')) {
            return badAddress(Tr::tr("A socket is named by its whole path, as in unix:///run/redis/redis.sock."));
        }
    } else {
        TRY(readHost(read, &address));
    }
    TRY(readOptions(read, &address));
    return address;
}

QString CacheAddress::text() const
{
    const QString who = user.isEmpty() ? QString() : user + u'@';
    if (host.isEmpty()) {
        return u"unix://"_s + who + socket + (database == 0 ? QString() : u"?db=%1"_s.arg(database));
    }
    const QString name = host.contains(u':') ? u'[' + host + u']' : host;
    return (tls ? u"rediss://"_s : u"redis://"_s) + who + name + u':' + QString::number(port) + u'/'
        + QString::number(database);
}

} // namespace idemdesk::sql
