// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/key_links.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kLongestUrl = 2'000; // characters; browsers take no more for sure

/// The template with each {name} replaced, percent-encoded; empty where a value is missing.
QUrl filledIn(const QString &pattern, const QMap<QString, QString> &values)
{
    static const QRegularExpression place(u"\\{([^{}]+)\\}"_s);
    QString url;
    qsizetype from = 0;
    for (auto match = place.globalMatch(pattern); match.hasNext();) {
        const auto found = match.next();
        const QString value = values.value(found.captured(1));
        if (value.isEmpty()) {
            return {};
        }
        url += pattern.mid(from, found.capturedStart() - from) + QString::fromLatin1(QUrl::toPercentEncoding(value));
        from = found.capturedEnd();
    }
    url += pattern.mid(from);
    return url.size() > kLongestUrl ? QUrl() : QUrl(url, QUrl::StrictMode);
}

QList<RowLink> linksFrom(const sql::Profile &profile, const QMap<QString, QString> &values)
{
    QList<RowLink> links;
    for (const sql::LinkSpec &link : profile.links) {
        const QUrl url = filledIn(link.url, values);
        if (url.isValid() && !url.isEmpty()) {
            links.append({ link.label, url });
        }
    }
    return links;
}

void insert(QMap<QString, QString> *values, const QString &name, const sql::Cell &cell)
{
    if (!cell.null && !cell.failed() && !cell.partial()) {
        values->insert(name, cell.text);
    }
}

QMap<QString, QString> valuesOf(const sql::Profile &profile, const sql::KeyRecord &record)
{
    QMap<QString, QString> values;
    for (auto role = record.roles.cbegin(); role != record.roles.cend(); ++role) {
        insert(&values, sql::roleName(role.key()), *role);
    }
    for (qsizetype i = 0; i < profile.scope.size(); ++i) {
        insert(&values, profile.scope.at(i).label, record.scope.value(i));
    }
    for (qsizetype i = 0; i < profile.fields.size(); ++i) {
        insert(&values, profile.fields.at(i).label, record.fields.value(i));
    }
    insert(&values, u"key"_s, record.key);
    return values;
}

} // namespace

QList<RowLink> keyLinks(const sql::Profile &profile, const sql::KeyRecord &record)
{
    return linksFrom(profile, valuesOf(profile, record));
}

std::optional<QUrl> providerLink(const sql::Profile &profile, const sql::ProviderRow &row)
{
    if (!profile.provider || profile.provider->link.isEmpty()) {
        return std::nullopt;
    }
    QMap<QString, QString> values = valuesOf(profile, row.record);
    insert(&values, u"reference"_s, row.reference);
    insert(&values, u"amount"_s, row.amount);
    insert(&values, u"currency"_s, row.currency);
    const QUrl url = filledIn(profile.provider->link, values);
    return url.isValid() && !url.isEmpty() ? std::optional(url) : std::nullopt;
}

QList<RowLink> conflictLinks(const sql::Profile &profile, const sql::ConflictRecord &record)
{
    QMap<QString, QString> values = record.attributes;
    if (record.key) {
        values.insert(u"key"_s, *record.key);
    }
    return linksFrom(profile, values);
}

} // namespace idemdesk::models
