// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/duplicates/charge_fields.h"

#include "sql/types/tr.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// The first of these members that is there, of any of the bodies.
QString firstMember(const QStringList &bodies, const QStringList &names)
{
    QStringList members;
    for (const QString &body : bodies) {
        for (const QString &name : names) {
            members += u"("_s + body + u" OPERATOR(pg_catalog.->>) '"_s + name + u"')"_s;
        }
    }
    return members.isEmpty() ? u"NULL::pg_catalog.text"_s : u"COALESCE("_s + members.join(u", "_s) + u')';
}

/// What is stored of responses and requests, as far as its members can be read.
class ChargeBodies
{
public:
    explicit ChargeBodies(const Target &target)
        : m_target(target)
    {
        take(Role::ResponseBody);
        response = all.value(0);
        take(Role::RequestPayload);
    }

    QStringList all; ///< SQL of jsonb or json values
    QString response;
    QString fault; ///< why one of them is no help

private:
    void take(Role role)
    {
        const Profile &profile = m_target.profile;
        const QString type = m_target.roleTypes.value(role).typeName;
        if (!profile.has(role)) {
            return;
        }
        if (profile.masking.contains(roleName(role))) {
            fault = Tr::tr("The profile masks %1.").arg(roleName(role));
        } else if (type != u"jsonb" && type != u"json") {
            fault = Tr::tr("%1 is stored as %2, not as jsonb.").arg(roleName(role), type);
        } else {
            const QString body = u'(' + profile.role(role).sql + u')';
            all += all.contains(body) ? QStringList() : QStringList { body }; // asked once where both are one column
        }
    }

    const Target &m_target;
};

} // namespace

const QStringList &chargeAmountMembers()
{
    static const QStringList names { u"amount"_s, u"total"_s, u"total_amount"_s, u"totalAmount"_s, u"amount_cents"_s,
        u"amount_minor"_s, u"amountMinor"_s, u"grand_total"_s, u"grandTotal"_s, u"price"_s, u"sum"_s };
    return names;
}

const QStringList &chargeCustomerMembers()
{
    static const QStringList names { u"customer"_s, u"customer_id"_s, u"customerId"_s, u"user_id"_s, u"userId"_s,
        u"account_id"_s, u"accountId"_s, u"payer_id"_s, u"payerId"_s, u"client_id"_s, u"clientId"_s };
    return names;
}

const QStringList &chargeNumberMembers()
{
    static const QStringList names { u"charge_id"_s, u"chargeId"_s, u"charge"_s, u"payment_id"_s, u"paymentId"_s,
        u"payment"_s, u"transaction_id"_s, u"transactionId"_s, u"transaction"_s, u"refund_id"_s, u"refundId"_s,
        u"order_id"_s, u"orderId"_s, u"order"_s, u"reference"_s, u"id"_s };
    return names;
}

std::optional<qsizetype> customerPart(const Profile &profile)
{
    static const QRegularExpression customer(
        u"customer|user|tenant|account|client|payer|member"_s, QRegularExpression::CaseInsensitiveOption);
    for (qsizetype i = 0; i < profile.scope.size(); ++i) {
        if (customer.match(profile.scope.at(i).label).hasMatch()) {
            return i;
        }
    }
    return std::nullopt;
}

Result<ChargeFields> chargeFields(const Target &target)
{
    const Profile &profile = target.profile;
    const ChargeBodies bodies(target);
    if (bodies.all.isEmpty()) {
        return makeError(ErrorKind::NotSaid, Tr::tr("No charges can be told."),
            bodies.fault.isEmpty() ? Tr::tr("The profile names no %1.").arg(roleName(Role::ResponseBody))
                                   : bodies.fault);
    }
    ChargeFields fields;
    QStringList customers { firstMember(bodies.all, chargeCustomerMembers()) };
    const auto part = customerPart(profile);
    if (part && !profile.masking.contains(profile.scope.at(*part).label)) {
        customers += u"("_s + profile.scope.at(*part).value.sql + u")::pg_catalog.text"_s;
    }
    fields.customer = u"COALESCE("_s + customers.join(u", "_s) + u')';
    const QString told = firstMember(bodies.all, chargeAmountMembers());
    // 10.50 and 10.5 are one amount, however a service writes it.
    const QString amount = u"CASE WHEN pg_catalog.strpos("_s + told
        + u", '.') > 0 THEN pg_catalog.rtrim(pg_catalog.rtrim("_s + told + u", '0'), '.') ELSE "_s + told + u" END"_s;
    const QString currency = firstMember(bodies.all, { u"currency"_s });
    fields.amount = u"("_s + amount + u" OPERATOR(pg_catalog.||) COALESCE(' ' OPERATOR(pg_catalog.||) "_s + currency
        + u", ''))"_s;
    QStringList numbers;
    if (profile.has(Role::ResultId) && !profile.masking.contains(roleName(Role::ResultId))) {
        numbers += u"("_s + profile.role(Role::ResultId).sql + u")::pg_catalog.text"_s;
    }
    if (!bodies.response.isEmpty()) {
        numbers += firstMember(
            { bodies.response }, chargeNumberMembers()); // a request names what was asked for, not what was done
    }
    if (numbers.isEmpty()) {
        return makeError(ErrorKind::NotSaid, Tr::tr("No charges can be told."),
            Tr::tr("The profile names no %1.").arg(roleName(Role::ResponseBody)));
    }
    fields.number = u"COALESCE("_s + numbers.join(u", "_s) + u')';
    return fields;
}

} // namespace idemdesk::sql
