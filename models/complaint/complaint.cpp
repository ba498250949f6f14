// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/complaint/complaint.h"

#include "models/casefile/case_masking.h"
#include "models/casefile/stored_charge.h"
#include "models/filter/filter_values.h"
#include "models/format/labels.h"
#include "models/keys/gone_keys.h"
#include "sql/keys/body_reader.h"
#include "sql/keys/order.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/unseen.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::FilterField;
using sql::FilterOperator;
using sql::FilterTerm;

constexpr int kMostOfTable = 50;
constexpr qint64 kContextChars = 20'000; ///< of a request or a response, to find what was asked for
constexpr int kMostOfKey = 1'000; ///< in a table: one for each scope that uses it
const QString kWithoutTime = QStringLiteral("now-2592000"); // thirty days

FilterTerm term(FilterField field, const QString &value, FilterOperator op = FilterOperator::Equal)
{
    FilterTerm one;
    one.field = field;
    one.op = op;
    one.values = { value };
    return one;
}

std::optional<sql::Timestamp> beganOf(const sql::KeyRecord &record)
{
    for (const sql::Role role : { sql::Role::CreatedAt, sql::Role::ClaimedAt, sql::Role::UpdatedAt }) {
        if (const auto at = record.time(role)) {
            return at;
        }
    }
    return std::nullopt;
}

/// True where only the last thirty days of the table are searched.
bool lastDaysOnly(const sql::Filter &filter)
{
    return std::any_of(filter.terms.cbegin(), filter.terms.cend(),
        [](const FilterTerm &one) { return one.field == FilterField::Created && one.values.contains(kWithoutTime); });
}

/// An order by time, turned so that the newest come first; where there is none, by identity.
sql::OrderLabel newestFirst(const sql::Target &target, const sql::Filter &filter)
{
    const sql::OrderLabel label = sql::defaultOrder(target, filter);
    for (const sql::OrderChoice &choice : sql::orderChoices(target)) {
        if (choice.label == label && choice.isTime && !choice.descending) {
            return u'-' + label;
        }
    }
    return label;
}

/// Ends the search of all tables, not only of one.
bool ends(const sql::Error &error)
{
    return error.kind == sql::ErrorKind::Cancelled || error.kind == sql::ErrorKind::ConnectionLost;
}

} // namespace

void sortNearest(QList<Candidate> *candidates, const ComplaintQuestion &question)
{
    std::stable_sort(candidates->begin(), candidates->end(), [&](const Candidate &a, const Candidate &b) {
        const auto rank = [&](const Candidate &candidate) {
            const auto at = beganOf(candidate.record);
            if (!at || at->kind != sql::Timestamp::Kind::Finite) {
                return std::numeric_limits<qint64>::max();
            }
            return question.at ? std::abs(at->micros - question.at->micros) : -at->micros;
        };
        return rank(a) < rank(b);
    });
}

bool setComplaintTime(ComplaintQuestion *question, const QString &text, const QTimeZone &zone)
{
    constexpr qint64 kHalfDay = 43'200; // seconds
    const QString trimmed = withDate(text.trimmed(), zone);
    const auto value = timeValue(trimmed, FilterOperator::GreaterOrEqual, zone);
    auto at = value ? sql::Timestamp::parse(value->value) : std::nullopt;
    if (!at || at->kind != sql::Timestamp::Kind::Finite) {
        return false;
    }
    if (trimmed.size() == QLatin1String("2026-11-20").size()) {
        at->micros += kHalfDay * sql::kMicros;
        question->windowSeconds = std::max(question->windowSeconds, kHalfDay);
    }
    question->at = at;
    return true;
}

sql::Filter complaintFilter(const ComplaintQuestion &question, const sql::Target &target)
{
    sql::Filter filter;
    if (!question.key.isEmpty()) {
        filter.terms += term(FilterField::Key, question.key);
    }
    if (!question.customer.isEmpty()) {
        filter.terms += term(FilterField::Scope, question.customer);
    }
    if (!question.resource.isEmpty()) {
        filter.terms += term(FilterField::Result, question.resource);
    }
    if (question.at) {
        const auto moved = [&](qint64 by) {
            return sql::Timestamp { sql::Timestamp::Kind::Finite, question.at->micros + by * sql::kMicros }.toRfc3339();
        };
        filter.terms += term(FilterField::Created, moved(-question.windowSeconds), FilterOperator::GreaterOrEqual);
        filter.terms += term(FilterField::Created, moved(question.windowSeconds), FilterOperator::LessOrEqual);
    } else if (filter.terms.isEmpty()
        && (target.profile.has(sql::Role::CreatedAt) || target.profile.has(sql::Role::ClaimedAt))) {
        filter.terms += term(FilterField::Created, kWithoutTime, FilterOperator::GreaterOrEqual);
    }
    if (!question.amount.isEmpty()) {
        filter.terms += term(FilterField::Amount, question.amount);
    }
    if (!question.text.isEmpty()) {
        filter.terms += term(FilterField::Payload, question.text, FilterOperator::Contains);
    }
    return filter;
}

namespace {

/// Why tables were not searched, in the order in which the reasons came up.
struct NotSearched {
    QStringList reasons;
    QMap<QString, QStringList> tables;
    QMap<QString, QStringList> titles;

    void add(const QString &why, const sql::Profile &profile)
    {
        if (!reasons.contains(why)) {
            reasons += why;
        }
        tables[why] += targetLabel(profile);
        titles[why] += targetTitle(profile);
    }
    QStringList notes() const { return sentences(tables); }
    QStringList brief() const { return sentences(titles); }

private:
    QStringList sentences(const QMap<QString, QStringList> &names) const
    {
        QStringList all;
        for (const QString &why : reasons) {
            all += Tr::tr("Not searched: %1. %2").arg(names.value(why).join(u", "_s), why);
        }
        return all;
    }
};

/// A table that gave no answer: read by nobody, or holding nothing of what is asked.
void noteUnanswered(const sql::Target &target, const ComplaintQuestion &question, sql::Error error,
    ComplaintAnswer *answer, NotSearched *notSearched)
{
    if (error.kind != sql::ErrorKind::InvalidValue && error.kind != sql::ErrorKind::NotSaid) {
        if (error.kind == sql::ErrorKind::Timeout) {
            error.todo = Tr::tr("It took too long; give a key, a customer or a time as well.");
        }
        answer->notRead.append({ target.profile.name, {}, error });
        return;
    }
    const bool otherType = question.keyAlone() && error.kind == sql::ErrorKind::InvalidValue;
    notSearched->add(otherType ? Tr::tr("Different key format.") : error.what, target.profile);
    answer->unsearched += otherType ? 0 : 1;
}

/// What a person recognises the table's candidates by. Rows that cannot be read that far stay without.
sql::Result<void> addContexts(sql::Session &session, const sql::Target &target, const ComplaintQuestion &question,
    QList<Candidate>::iterator first, QList<Candidate>::iterator last)
{
    const bool stored = target.profile.has(sql::Role::RequestPayload) || target.profile.has(sql::Role::ResponseBody);
    if (first == last || !stored) {
        return {};
    }
    QList<sql::Cells> identities;
    for (auto candidate = first; candidate != last && identities.size() < kMostOfTable; ++candidate) {
        identities += candidate->record.identity;
    }
    const auto bodies = sql::readBodies(session, target, identities, kContextChars);
    if (!bodies) {
        return ends(bodies.error()) ? sql::Result<void>(bodies.error()) : sql::Result<void>();
    }
    const QStringList masked = maskedNames(target.profile, {});
    for (const sql::KeyRecord &body : *bodies) {
        const auto candidate
            = std::find_if(first, last, [&body](const Candidate &one) { return one.record.sameRow(body); });
        if (candidate != last) {
            sql::KeyRecord whole = candidate->record;
            whole.roles.insert(sql::Role::ResponseBody, body.role(sql::Role::ResponseBody));
            whole.roles.insert(sql::Role::RequestPayload, body.role(sql::Role::RequestPayload));
            candidate->charge = storedCharge(target, whole, masked);
            candidate->context = matchContext(body, question.text.isEmpty() ? question.amount : question.text, masked);
        }
    }
    return {};
}

/// Two candidates of a table that succeeded and hold two charges of one customer and amount are what a complaint may
/// well be about.
void addSuspicions(const QList<sql::Target> &targets, ComplaintAnswer *answer)
{
    for (qsizetype i = 0; i < targets.size(); ++i) {
        QList<std::pair<QString, StoredCharge>> charges;
        for (const Candidate &candidate : std::as_const(answer->candidates)) {
            if (candidate.target == i && candidate.record.state == sql::KeyState::Succeeded) {
                charges.append({ candidate.record.key.text, candidate.charge });
            }
        }
        if (const QString repeated = repeatedCharge(charges); !repeated.isEmpty()) {
            answer->notes += repeated + u' ' + Tr::tr("That is a suspicion: get one verdict of both.");
            answer->brief += answer->notes.constLast();
        }
    }
}

/// Where no text of the row says it, what was asked for does: the table searched a column of it.
void addPlainMatches(
    const ComplaintQuestion &question, QList<Candidate>::iterator first, QList<Candidate>::iterator last)
{
    const std::pair<QString, QString> asked[] = { { question.resource, Tr::tr("as the result") },
        { question.customer, Tr::tr("as a part of the scope") }, { question.key, Tr::tr("as the key") } };
    const auto *const known
        = std::find_if(std::begin(asked), std::end(asked), [](const auto &one) { return !one.first.isEmpty(); });
    if (known == std::end(asked)) {
        return;
    }
    for (auto candidate = first; candidate != last; ++candidate) {
        if (candidate->context.match.isEmpty()) {
            candidate->context.match = candidate->context.hit = known->first;
            candidate->context.where = known->second;
        }
    }
}

/// What became of the key's rows where no table has it: a purge of this console may have taken them.
void addGone(sql::Session &session, const QList<sql::Target> &targets, const QString &key, ComplaintAnswer *answer)
{
    for (const sql::Target &target : targets) {
        if (!target.registered) {
            continue;
        }
        const QString table = targetLabel(target.profile) + u": "_s;
        for (const QString &sentence : goneSentences(readGoneKeys(session, target, target.profile.name, key))) {
            answer->notes += table + sentence;
            answer->brief += answer->notes.constLast();
            answer->gone = true;
        }
    }
}

} // namespace

sql::Result<ComplaintAnswer> searchComplaint(
    sql::Session &session, const QList<sql::Target> &targets, const ComplaintQuestion &question)
{
    ComplaintAnswer answer;
    answer.tables = int(targets.size());
    bool lastDays = false;
    QStringList cut;
    NotSearched notSearched;
    for (qsizetype i = 0; i < targets.size(); ++i) {
        const sql::Target &target = targets.at(i);
        sql::PageRequest request;
        request.filter = complaintFilter(question, target);
        request.limit = question.keyAlone() ? kMostOfKey : kMostOfTable;
        request.order = newestFirst(target, request.filter);
        const auto page = sql::readPage(session, target, request);
        if (!page) {
            if (ends(page.error())) {
                return page.error();
            }
            noteUnanswered(target, question, page.error(), &answer, &notSearched);
            continue;
        }
        ++answer.searched;
        if (target.relation.rowSecurity) { // what is meant may be among the rows that are not shown
            answer.notRead.append(
                { target.profile.name, {}, sql::makeError(sql::ErrorKind::Privilege, sql::rowsHiddenNote()) });
        }
        lastDays = lastDays || lastDaysOnly(request.filter);
        const qsizetype first = answer.candidates.size();
        for (const sql::KeyRecord &record : page->rows) {
            answer.candidates.append({ i, record });
        }
        TRY(addContexts(session, target, question, answer.candidates.begin() + first, answer.candidates.end()));
        addPlainMatches(question, answer.candidates.begin() + first, answer.candidates.end());
        if (page->more) {
            cut += targetLabel(target.profile);
        }
    }
    answer.cut = !cut.isEmpty();
    if (answer.cut) { // one sentence, however many tables
        answer.notes += Tr::tr("Only the first matches of %1 are shown. Narrow the search.").arg(cut.join(u", "_s));
    }
    addSuspicions(targets, &answer);
    answer.notes += notSearched.notes();
    answer.notSearched = notSearched.brief();
    answer.lastDaysOnly = lastDays;
    if (lastDays) {
        answer.notes += Tr::tr(
            "No time was given, so only the last thirty days were searched where the table tells when a key began.");
    }
    if (answer.candidates.isEmpty() && !question.key.isEmpty()) {
        addGone(session, targets, question.key, &answer);
    }
    sortNearest(&answer.candidates, question);
    return answer;
}

} // namespace idemdesk::models
