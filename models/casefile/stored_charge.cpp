// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/stored_charge.h"

#include "models/format/display_text.h"
#include "models/json/json_document.h"
#include "sql/duplicates/charge_fields.h"
#include "sql/types/tr.h"

#include <QRegularExpression>

#include <cstdlib>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qint64 kWithinMicros = 3'600 * sql::kMicros;
constexpr qsizetype kMemberChars = 200;

/// The first member at the top that has one of these names.
QString topMember(const JsonDocument &document, const QStringList &names)
{
    for (const QString &name : names) {
        for (int i = 0; i < document.childCount(JsonDocument::kRoot); ++i) {
            const int member = document.child(JsonDocument::kRoot, i);
            const JsonDocument::Type type = document.type(member);
            if (document.name(member) == name
                && (type == JsonDocument::Type::String || type == JsonDocument::Type::Number)) {
                return document.value(member, kMemberChars);
            }
        }
    }
    return {};
}

/// "10.50" and "10.5" are one amount.
QString plainAmount(const QString &told)
{
    static const QRegularExpression zeros(u"\\.?0*$"_s);
    return told.contains(u'.') ? QString(told).remove(zeros) : told;
}

/// The object that a role of the row holds; nothing where it holds none, or where it is not to be told.
std::optional<JsonDocument> objectIn(const sql::KeyRecord &record, sql::Role role, const QStringList &masked)
{
    const sql::Cell cell = record.role(role);
    if (cell.null || cell.partial() || cell.failed() || masked.contains(sql::roleName(role))) {
        return std::nullopt;
    }
    const auto document = JsonDocument::parse(cell.text);
    const bool object = document && document->type(JsonDocument::kRoot) == JsonDocument::Type::Object;
    return object ? std::optional(*document) : std::nullopt;
}

} // namespace

bool StoredCharge::repeats(const StoredCharge &other) const
{
    return !customer.isEmpty() && customer == other.customer && !amount.isEmpty() && amount == other.amount
        && !number.isEmpty() && !other.number.isEmpty() && number != other.number && at && other.at && at->finite()
        && other.at->finite() && std::abs(at->micros - other.at->micros) <= kWithinMicros;
}

bool StoredCharge::differs(const StoredCharge &other) const
{
    const auto apart = [](const QString &a, const QString &b) { return !a.isEmpty() && !b.isEmpty() && a != b; };
    return apart(customer, other.customer) || apart(amount, other.amount);
}

StoredCharge storedCharge(const sql::Target &target, const sql::KeyRecord &record, const QStringList &masked)
{
    StoredCharge charge;
    for (const sql::Role role : { sql::Role::CreatedAt, sql::Role::ClaimedAt, sql::Role::UpdatedAt }) {
        charge.at = charge.at ? charge.at : record.time(role);
    }
    const sql::Cell result = record.role(sql::Role::ResultId);
    if (!result.null && !result.failed() && !masked.contains(sql::roleName(sql::Role::ResultId))) {
        charge.number = result.text;
    }
    for (const sql::Role role : { sql::Role::ResponseBody, sql::Role::RequestPayload }) {
        const auto body = objectIn(record, role, masked);
        if (!body) {
            continue;
        }
        if (charge.customer.isEmpty()) {
            charge.customer = topMember(*body, sql::chargeCustomerMembers());
        }
        if (charge.amount.isEmpty()) {
            charge.amount = plainAmount(topMember(*body, sql::chargeAmountMembers()));
            const QString currency = topMember(*body, { u"currency"_s });
            charge.amount += charge.amount.isEmpty() || currency.isEmpty() ? QString() : u' ' + currency;
        }
        if (charge.number.isEmpty() && role == sql::Role::ResponseBody) {
            charge.number = topMember(*body, sql::chargeNumberMembers());
        }
    }
    const auto part = sql::customerPart(target.profile);
    if (charge.customer.isEmpty() && part && !masked.contains(target.profile.scope.at(*part).label)) {
        charge.customer = record.scope.value(*part).text;
    }
    return charge;
}

QString repeatedCharge(const QList<std::pair<QString, StoredCharge>> &named)
{
    for (qsizetype i = 0; i < named.size(); ++i) {
        for (qsizetype j = i + 1; j < named.size(); ++j) {
            if (named.at(i).second.repeats(named.at(j).second)) {
                return Tr::tr("%1 and %2 hold two charges of one customer (%3) and amount (%4), within an hour.")
                    .arg(displayText(named.at(i).first, 100), displayText(named.at(j).first, 100),
                        displayText(named.at(i).second.customer, 60), displayText(named.at(i).second.amount, 60));
            }
        }
    }
    return {};
}

} // namespace idemdesk::models
