// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/cache_option.h"

#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

Option cacheOption()
{
    return Option::text(u"cache"_s, Tr::tr("URL"),
        Tr::tr("The Redis in front of the table: redis://USER@HOST:PORT/DATABASE, rediss://… for TLS, or "
               "unix:///PATH?db=DATABASE. Behind “?” sslrootcert, sslcert and sslkey name files for TLS. A password in "
               "it is refused; IDEMDESK_CACHE_PASSWORD may hold it. Without this option: IDEMDESK_CACHE."));
}

QString cacheUrl(const Context &context)
{
    return context.has(u"cache"_s) ? context.value(u"cache"_s) : qEnvironmentVariable("IDEMDESK_CACHE");
}

sql::Result<std::unique_ptr<sql::RedisSession>> openCache(const Context &context, const sql::StopAsked &stop)
{
    const QString url = cacheUrl(context);
    if (url.isEmpty()) {
        return usageError(Tr::tr("The option --cache is missing."),
            Tr::tr("Name the Redis in front of the table, as --cache redis://HOST:PORT/0."));
    }
    TRY(const auto address, sql::cacheAddress(url));
    sql::RedisSession::Options options;
    options.password = qEnvironmentVariable("IDEMDESK_CACHE_PASSWORD");
    options.unverifiedPassword = context.has(u"unverified-password"_s);
    options.stop = stop;
    return sql::RedisSession::open(address, options);
}

} // namespace idemdesk::app
