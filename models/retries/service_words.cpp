// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/retries/service_words.h"

#include "sql/types/tr.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct WordKind {
    QStringList words; ///< whole
    QStringList beginnings;
    QStringList endings;
    ErrorCode code;

    bool names(const QString &word) const
    {
        const auto any = [](const QStringList &parts, const auto &fits) {
            return std::any_of(parts.cbegin(), parts.cend(), fits);
        };
        return words.contains(word) || any(beginnings, [&word](const QString &part) { return word.startsWith(part); })
            || any(endings, [&word](const QString &part) { return word.endsWith(part); });
    }
};

ErrorCode meaning(FailureClass cls, const QString &text, const QString &advice)
{
    return { {}, {}, cls, text, advice, true };
}

/// The first one that fits counts: a lock that was not free in time is no answer that never came.
const QList<WordKind> &kinds()
{
    using enum FailureClass;
    static const QList<WordKind> all {
        { { u"lock_timeout"_s, u"lock_not_available"_s, u"locked"_s }, {}, {},
            meaning(Passing, Tr::tr("A lock was not free in time."), Tr::tr("Try again later.")) },
        { { u"rate_limited"_s, u"rate_limit"_s, u"rate_limit_exceeded"_s, u"too_many_requests"_s, u"throttled"_s,
              u"resource_exhausted"_s, u"overloaded"_s, u"quota_exceeded"_s, u"429"_s },
            {}, {},
            meaning(Passing, Tr::tr("More was asked than is allowed in a time."),
                Tr::tr("Try again later, and more slowly.")) },
        { { u"unavailable"_s, u"down"_s, u"maintenance"_s, u"try_again_later"_s, u"connection_refused"_s,
              u"econnrefused"_s, u"503"_s },
            {}, { u"_unavailable"_s, u"_down"_s },
            meaning(Passing, Tr::tr("The other side did not take the request."), Tr::tr("Try again later.")) },
        { { u"timeout"_s, u"timed_out"_s, u"deadline_exceeded"_s, u"network_error"_s, u"connection_reset"_s,
              u"connection_lost"_s, u"connection_error"_s, u"bad_gateway"_s, u"econnreset"_s, u"etimedout"_s, u"408"_s,
              u"502"_s, u"504"_s },
            {}, { u"_timeout"_s, u"_timed_out"_s },
            meaning(Depends, Tr::tr("No answer came. The other side may have done it all the same."),
                Tr::tr("Look for the effect before anybody tries again.")) },
        { { u"conflict"_s, u"duplicate"_s, u"already_exists"_s, u"duplicate_request"_s, u"duplicate_key"_s,
              u"already_processed"_s, u"409"_s },
            { u"duplicate_"_s }, {},
            meaning(Depends, Tr::tr("Something like it is there already."),
                Tr::tr("Compare what is there with the request before anybody tries again.")) },
        { { u"internal"_s, u"internal_error"_s, u"internal_server_error"_s, u"server_error"_s, u"unknown_error"_s,
              u"unexpected_error"_s, u"processing_error"_s, u"500"_s },
            {}, {},
            meaning(Depends, Tr::tr("The service met a fault of its own."),
                Tr::tr("Read the service's log before anybody tries again.")) },
        { { u"unauthorized"_s, u"unauthenticated"_s, u"forbidden"_s, u"permission_denied"_s, u"access_denied"_s,
              u"authentication_failed"_s, u"not_authorized"_s, u"401"_s, u"403"_s },
            {}, {},
            meaning(Final, Tr::tr("The caller may not do this."),
                Tr::tr("Mend the caller's rights; a new request needs a new key.")) },
        { { u"validation_failed"_s, u"validation_error"_s, u"bad_request"_s, u"unprocessable_entity"_s,
              u"malformed_request"_s, u"missing_field"_s, u"not_found"_s, u"400"_s, u"404"_s, u"410"_s, u"413"_s,
              u"415"_s, u"422"_s },
            { u"invalid_"_s }, { u"_required"_s, u"_not_found"_s, u"_too_large"_s, u"_too_long"_s },
            meaning(Final, Tr::tr("The request itself is wrong, or what it names is not there."),
                Tr::tr("Send a mended request under a new key.")) },
        { { u"card_declined"_s, u"declined"_s, u"insufficient_funds"_s, u"expired_card"_s, u"card_expired"_s,
              u"account_closed"_s, u"payment_declined"_s, u"do_not_honor"_s, u"limit_exceeded"_s, u"out_of_stock"_s,
              u"fraud_suspected"_s, u"402"_s },
            {}, {},
            meaning(Final, Tr::tr("It was refused for what it asks."),
                Tr::tr("Another attempt is a new request, under a new key.")) },
    };
    return all;
}

} // namespace

std::optional<ErrorCode> serviceWordOf(const QString &code)
{
    QString word = code.trimmed();
    static const QRegularExpression hump(u"(?<=[a-z])(?=[A-Z])"_s); // CardDeclined
    word = word.replace(hump, u"_"_s).toLower();
    word.replace(u'-', u'_').replace(u' ', u'_').replace(u'.', u'_');
    const auto kind
        = std::find_if(kinds().cbegin(), kinds().cend(), [&word](const WordKind &one) { return one.names(word); });
    if (kind == kinds().cend()) {
        return std::nullopt;
    }
    ErrorCode found = kind->code;
    found.code = code.trimmed();
    return found;
}

} // namespace idemdesk::models
