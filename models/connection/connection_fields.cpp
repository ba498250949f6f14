// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/connection_fields.h"

#include "models/format/display_text.h"
#include "sql/session/conninfo.h"
#include "sql/types/tr.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct Field {
    const char16_t *keyword;
    QString ConnectionFields::*member;
};

constexpr std::array<Field, 7> kFields { { { u"service", &ConnectionFields::service },
    { u"host", &ConnectionFields::host }, { u"port", &ConnectionFields::port },
    { u"dbname", &ConnectionFields::database }, { u"user", &ConnectionFields::user },
    { u"sslmode", &ConnectionFields::sslMode }, { u"sslrootcert", &ConnectionFields::sslRootCert } } };

} // namespace

sql::Result<ConnectionFields> fieldsFromConninfo(const QString &conninfo)
{
    TRY(const auto settings, sql::parseConninfo(conninfo));
    ConnectionFields fields;
    for (const auto &[keyword, value] : settings) {
        const auto field = std::find_if(kFields.begin(), kFields.end(),
            [&wanted = keyword](const Field &known) { return wanted == QStringView(known.keyword); });
        if (field != kFields.end()) {
            fields.*field->member = value;
        } else {
            fields.others.append({ keyword, value });
        }
    }
    return fields;
}

QString conninfoFromFields(const ConnectionFields &fields)
{
    QList<std::pair<QString, QString>> settings;
    for (const Field &field : kFields) {
        settings.append({ QString::fromUtf16(field.keyword), (fields.*field.member).trimmed() });
    }
    return sql::composeConninfo(settings + fields.others);
}

bool isLocalHost(const QString &host)
{
    const QStringList hosts = host.split(u',');
    return std::all_of(
        hosts.cbegin(), hosts.cend(), [](const QString &one) { return one.startsWith(u'/') || one.startsWith(u'@'); });
}

QString withVerifiedServer(const QString &conninfo)
{
    const auto fields = fieldsFromConninfo(conninfo);
    if (!fields.ok() || !fields->sslMode.isEmpty() || !fields->service.isEmpty() || isLocalHost(fields->host)) {
        return conninfo;
    }
    const bool uri = conninfo.startsWith(u"postgresql://"_s) || conninfo.startsWith(u"postgres://"_s);
    const QString setting = u"sslmode=verify-full"_s;
    if (conninfo.isEmpty()) {
        return setting;
    }
    return conninfo + (!uri ? u' ' : conninfo.contains(u'?') ? u'&' : u'?') + setting;
}

sql::Result<void> checkConninfo(const QString &conninfo)
{
    TRY(sql::parseConninfo(conninfo));
    return {};
}

QString maskedConninfo(const QString &conninfo)
{
    return sql::maskConninfo(conninfo);
}

QString conninfoSummary(const QString &conninfo)
{
    const auto fields = fieldsFromConninfo(conninfo);
    if (!fields.ok()) {
        return displayText(maskedConninfo(conninfo));
    }
    if (!fields->service.isEmpty() && fields->host.isEmpty() && fields->database.isEmpty()) {
        return Tr::tr("service %1").arg(displayText(fields->service));
    }
    QString host = fields->host.isEmpty() ? Tr::tr("the default host") : displayText(fields->host);
    if (!fields->port.isEmpty()) {
        host += u':' + displayText(fields->port);
    }
    const QString database
        = fields->database.isEmpty() ? Tr::tr("the default database") : displayText(fields->database);
    return fields->user.isEmpty() ? Tr::tr("%1 on %2").arg(database, host)
                                  : Tr::tr("%1 on %2 as %3").arg(database, host, displayText(fields->user));
}

} // namespace idemdesk::models
