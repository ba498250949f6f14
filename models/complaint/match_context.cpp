// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/complaint/match_context.h"

#include "models/json/json_document.h"
#include "sql/types/profile.h"
#include "sql/types/tr.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kMostNodes = 2'000; // of one payload: an amount stands near its top
constexpr qsizetype kAround = 28; // characters to each side of a match

/// "185.0400000" as "185.04": a calculation left the zeros.
QString withoutZeros(const QString &number)
{
    static const QRegularExpression zeros(u"^(-?\\d+\\.\\d\\d\\d*?)0+$"_s);
    const QRegularExpressionMatch match = zeros.match(number);
    return match.hasMatch() ? match.captured(1) : number;
}

/// The first member that is named like an amount, with the currency beside it.
QString amountIn(const JsonDocument &document)
{
    static const QRegularExpression amount(
        u"^(amount|total|price|sum|grand_?total|total_?amount|amount_?(cents|minor))$"_s,
        QRegularExpression::CaseInsensitiveOption);
    for (int node = 0; node < std::min(document.nodeCount(), kMostNodes); ++node) {
        const JsonDocument::Type type = document.type(node);
        const bool value = type == JsonDocument::Type::Number || type == JsonDocument::Type::String;
        if (!value || !document.hasName(node) || !amount.match(document.name(node)).hasMatch()) {
            continue;
        }
        const int object = document.parent(node);
        for (int row = 0; row < document.childCount(object); ++row) {
            const int sibling = document.child(object, row);
            if (document.type(sibling) == JsonDocument::Type::String
                && document.name(sibling).compare(u"currency", Qt::CaseInsensitive) == 0) {
                return withoutZeros(document.value(node, 40)) + u' ' + document.value(sibling, 10);
            }
        }
        return withoutZeros(document.value(node, 40));
    }
    return {};
}

/// Where the text stands; a number only as a whole: 10 is not in 4100, 2026-10-01 or 10.50.
qsizetype placeOf(const QString &text, const QString &wanted)
{
    bool number = false;
    wanted.toDouble(&number);
    if (!number) {
        return text.indexOf(wanted, 0, Qt::CaseInsensitive);
    }
    const auto digit = [&text](qsizetype at) { return at >= 0 && at < text.size() && text.at(at).isDigit(); };
    const auto joins = [&](qsizetype at, qsizetype step) {
        return digit(at) || (at >= 0 && at < text.size() && u".-"_s.contains(text.at(at)) && digit(at + step));
    };
    qsizetype at = text.indexOf(wanted);
    while (at >= 0 && (joins(at - 1, -1) || joins(at + wanted.size(), 1))) {
        at = text.indexOf(wanted, at + 1);
    }
    return at;
}

/// Of JSON the member that holds it, of other texts what stands around it.
QString around(const QString &text, const QString &wanted)
{
    const qsizetype at = placeOf(text, wanted);
    if (wanted.isEmpty() || at < 0) {
        return {};
    }
    const bool json = text.trimmed().startsWith(u'{') || text.trimmed().startsWith(u'[');
    const auto parts = [&](qsizetype place, QStringView signs) {
        return place < 0 || place >= text.size() || (json && signs.contains(text.at(place)));
    };
    const qsizetype after = at + wanted.size();
    qsizetype from = at;
    qsizetype to = after;
    while (at - from < kAround && !parts(from - 1, u"{[,")) {
        --from;
    }
    while (to - after < kAround && !parts(to, u"}],")) {
        ++to;
    }
    return (parts(from - 1, u"{[,") ? QString() : u"…"_s) + text.mid(from, to - from).simplified()
        + (parts(to, u"}],") ? QString() : u"…"_s);
}

} // namespace

MatchContext matchContext(const sql::KeyRecord &record, const QString &wanted, const QStringList &masked)
{
    MatchContext context;
    for (const sql::Role role : { sql::Role::RequestPayload, sql::Role::ResponseBody }) {
        const sql::Cell cell = record.role(role);
        if (cell.null || cell.failed() || masked.contains(sql::roleName(role))) {
            continue;
        }
        if (context.match.isEmpty()) {
            context.match = around(cell.text, wanted);
            if (!context.match.isEmpty()) {
                context.hit = wanted;
                context.where
                    = role == sql::Role::RequestPayload ? Tr::tr("in the request") : Tr::tr("in the response");
            }
        }
        if (context.amount.isEmpty() && !cell.partial()) {
            const auto document = JsonDocument::parse(cell.text);
            context.amount = document ? amountIn(*document) : QString();
        }
    }
    return context;
}

} // namespace idemdesk::models
