// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_reader.h"

#include "models/actions/action_journal.h"
#include "models/casefile/case_masking.h"
#include "models/casefile/stored_charge.h"
#include "models/keys/gone_keys.h"
#include "sql/actions/triage_reader.h"
#include "sql/audit/audit_gateway.h"
#include "sql/cache/key_touches.h"
#include "sql/conflicts/conflict_gateway.h"
#include "sql/duplicates/duplicate_gateway.h"
#include "sql/duplicates/duplicate_looks.h"
#include "sql/keys/detail_reader.h"
#include "sql/keys/render.h"
#include "sql/keys/resolve.h"
#include "sql/local/local_conflicts.h"
#include "sql/profile/history_profile.h"
#include "sql/provider/provider_evidence.h"
#include "sql/types/tr.h"

#include <QMap>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qint64 kShownBytes = 200'000; ///< of one value
constexpr qint64 kRequestBytes = 1024 * 1024; ///< of one request, to be compared with the case
constexpr qint64 kLargeRequestBytes
    = 64 * 1024 * 1024; ///< of one request that is asked for; PostgreSQL's driver takes six times as much meanwhile
constexpr int kConflictPage = 200;
constexpr qsizetype kMostConflicts = 1'000; ///< of one key in the file, and as many replays

/// What cannot be seen for lack of a right or of the schema is left out; what is lost with the connection is an error.
bool absent(const sql::Error &error)
{
    return error.kind == sql::ErrorKind::Privilege || error.kind == sql::ErrorKind::MissingObject
        || error.sqlState == u"42P01" || error.sqlState == u"3F000" || error.sqlState == u"42883";
}

/// What is recorded of one key, page by page, as far as it is of the intents of this case.
template <typename Pages>
sql::Result<void> takeRecords(const QString &key, const QString &kind, const Pages &pages, CaseFile *file)
{
    sql::ConflictFilter filter;
    filter.key = key;
    filter.kind = kind;
    filter.limit = kConflictPage;
    const qsizetype most = file->conflicts.size() + kMostConflicts;
    bool more = true;
    while (more && file->conflicts.size() < most) {
        TRY(const sql::ConflictPage page, pages(filter));
        for (const sql::ConflictRecord &conflict : page.rows) {
            if (std::any_of(file->rows.cbegin(), file->rows.cend(), [&conflict](const CaseRow &row) {
                    return isOf(conflict, row.key, row.names, row.detail.record.scope);
                })) {
                file->conflicts += conflict;
            } else if (conflict.isReuse()) {
                file->conflictsElsewhere += conflict.count;
            }
            filter.after = conflict;
        }
        more = page.more && !page.rows.isEmpty();
    }
    return {};
}

/// Conflicts first: thousands of replays must not crowd them out.
template <typename Pages> sql::Result<void> takeConflicts(const QString &key, const Pages &pages, CaseFile *file)
{
    auto taken = takeRecords(key, {}, pages, file);
    const auto isConflict = [](const sql::ConflictRecord &record) { return record.kind != sql::kReplayKind; };
    // An import that does not name the key says nothing of other times.
    file->conflictsKnown
        = file->conflictsKnown || std::any_of(file->conflicts.cbegin(), file->conflicts.cend(), isConflict);
    return taken ? takeRecords(key, sql::kReplayKind, pages, file) : taken;
}

sql::Result<void> readConflictsOf(
    sql::Session &session, const sql::LocalPlace &here, const QString &key, CaseFile *file)
{
    TRY(const auto there, sql::mayReadConflicts(session));
    if (there) {
        file->conflictsKnown = true;
        return takeConflicts(
            key, [&session](const sql::ConflictFilter &filter) { return sql::readConflicts(session, filter); }, file);
    }
    if (!here.kept()) {
        return {};
    }
    TRY(const auto local, sql::LocalConflicts::open(here));
    return takeConflicts(
        key, [&local](const sql::ConflictFilter &filter) { return local->page(filter); }, file);
}

sql::Result<QList<sql::KeyRecord>> recordsOf(sql::Session &session, const CaseSubject &subject)
{
    if (subject.identity.isEmpty()) {
        return sql::rowsWithKey(session, subject.target, subject.key, subject.scope);
    }
    sql::KeyRecord record;
    record.identity = subject.identity;
    return QList<sql::KeyRecord> { record };
}

/// The request as it was stored; one that is larger than mostBytes is only known to be. A value that cannot be read is
/// none.
sql::Result<void> readRequest(sql::Session &session, qint64 mostBytes, CaseRow *row)
{
    const sql::Profile &profile = row->target.profile;
    if (!profile.has(sql::Role::RequestPayload) || row->masks(sql::Role::RequestPayload)) {
        return {};
    }
    row->request.reset();
    QMap<QString, sql::RecipePart> parts = profile.fingerprintRecipe.value_or(sql::StoredRecipe()).parts;
    parts.removeIf([row](const std::pair<const QString &, sql::RecipePart &> &part) {
        return row->masked.contains(sql::recipePartPath(part.first));
    });
    auto request = sql::readPayload(session, row->target, row->detail.record.identity, parts, mostBytes);
    if (!request && request.error().kind == sql::ErrorKind::Usage) {
        request = sql::readPayload(
            session, row->target, row->detail.record.identity, {}, mostBytes); // a part that binding found broken
    }
    if (request) {
        row->request = *request;
        return {};
    }
    // A case says what it can also where this one value fails.
    return request.error().kind == sql::ErrorKind::InvalidValue || absent(request.error())
        ? sql::Result<void>()
        : sql::Result<void>(request.error());
}

/// What was recorded of the provider's statements, and what the row is now.
sql::Result<void> readProvider(sql::Session &session, CaseRow *row)
{
    const sql::Cells &identity = row->detail.record.identity;
    bool readable = false;
    TRY(const auto words, sql::readProviderWords(session, row->target.relation.oid, { identity }, &readable));
    row->provider = words.value(0).words;
    row->providerMore = words.value(0).more;
    row->providerUnread = !readable;
    if (row->provider.isEmpty()) {
        return {};
    }
    const auto page = sql::readTriageOf(session, row->target, { identity });
    if (page && !page->rows.isEmpty()) {
        row->providerNow = page->rows.constFirst().providerNow;
    }
    const bool ends = !page
        && (page.error().kind == sql::ErrorKind::ConnectionLost || page.error().kind == sql::ErrorKind::Cancelled);
    return ends ? sql::Result<void>(page.error()) : sql::Result<void>();
}

sql::Result<void> readSubject(sql::Session &session, const CaseSubject &subject, CaseFile *file)
{
    const sql::Target &target = subject.target;
    TRY(const auto records, recordsOf(session, subject));
    if (records.isEmpty()) {
        const QStringList gone = goneSentences(readGoneKeys(session, target, subject.registeredName, subject.key));
        return sql::makeError(sql::ErrorKind::Other,
            Tr::tr("There is no key “%1” in %2.").arg(subject.key, target.profile.relation), gone.join(u' '),
            gone.isEmpty()
                ? Tr::tr("It may have been purged; the audit log and the services' logs may still tell of it.")
                : QString());
    }
    for (const sql::KeyRecord &record : records) {
        if (std::any_of(file->rows.cbegin(), file->rows.cend(), [&](const CaseRow &row) {
                return row.target.profile.relation == target.profile.relation && row.detail.record.sameRow(record);
            })) {
            continue; // named twice it is one intent all the same
        }
        TRY(auto detail, sql::readDetail(session, target, record.identity, kShownBytes));
        TRY(sql::addDoubts(session, target, &detail));
        CaseRow row;
        row.target = target;
        row.key = subject.key;
        row.names = namesOf(target, subject.registeredName);
        row.detail = detail;
        QStringList columns;
        for (const sql::ColumnValue &column : detail.columns) {
            columns += column.name;
        }
        row.masked = maskedNames(target.profile, columns);
        TRY(readRequest(session, kRequestBytes, &row));
        row.story = storyOf(target, withoutMasked(detail, row.masked));
        // What was moved into an archive was done to it by the name of the table that it came from.
        const QString trail
            = subject.registeredName.isEmpty() ? sql::nameBeforeHistory(target.profile.name) : subject.registeredName;
        if (!trail.isEmpty()) {
            const auto touches = sql::readKeyTouches(session, trail, target, detail.record);
            if (touches) {
                row.touches = touches->all;
                row.releasesTold = touches->releasesTold;
            } else if (!absent(touches.error())) {
                return touches.error();
            }
        }
        if (target.profile.provider) {
            TRY(readProvider(session, &row));
        }
        file->madeAt = detail.now.toDateTime();
        file->rows += row;
    }
    return {};
}

/// A query that found the effect of one of these keys finds what is there, so that finding none of another says
/// something.
void settleUnproven(CaseFile *file)
{
    const auto found = [file](const CaseRow &row, const QString &type) {
        return std::any_of(file->rows.cbegin(), file->rows.cend(), [&](const CaseRow &other) {
            return other.target.profile.name == row.target.profile.name
                && std::any_of(other.detail.effects.cbegin(), other.detail.effects.cend(),
                    [&type](const sql::EffectResult &one) { return one.type == type && !one.rows.isEmpty(); });
        });
    };
    for (CaseRow &row : file->rows) {
        bool changed = false;
        for (sql::EffectResult &effect : row.detail.effects) {
            const bool settled = effect.unproven && found(row, effect.type);
            effect.unproven = effect.unproven && !settled;
            changed = changed || settled;
        }
        if (changed) {
            row.story = storyOf(row.target, withoutMasked(row.detail, row.masked));
        }
    }
}

constexpr qint64 kChargeSeconds = 3'600; ///< to either side of the key's own time

/// Further keys of the table that hold a charge of the same customer and amount as this row, in the same hour. Only
/// where an index finds what began then: the verdict says that not all was searched in any case.
sql::Result<QStringList> chargesBeside(sql::Session &session, const CaseRow &row)
{
    const StoredCharge charge = storedCharge(row.target, row.detail.record, row.masked);
    const auto began = sql::duplicateTime(row.target.profile);
    const auto *column = began ? sql::plainColumnFacts(row.target, *began) : nullptr;
    const bool quick = sql::isSmall(row.target.relation)
        || (column != nullptr && sql::indexLeads(row.target.relation, column->name, false));
    if (row.detail.record.state != sql::KeyState::Succeeded || charge.customer.isEmpty() || charge.amount.isEmpty()
        || charge.number.isEmpty() || !charge.at || !charge.at->finite() || !quick) {
        return QStringList();
    }
    sql::DuplicateRequest request;
    request.reasons = { sql::DuplicateReason::TwoCharges };
    request.spanSeconds = (row.detail.now.micros - charge.at->micros) / sql::kMicros + kChargeSeconds;
    for (const auto &[op, seconds] : { std::pair(sql::FilterOperator::GreaterOrEqual, -kChargeSeconds),
             std::pair(sql::FilterOperator::LessOrEqual, kChargeSeconds) }) {
        sql::FilterTerm term;
        term.field = sql::FilterField::Created;
        term.op = op;
        term.values = {
            sql::Timestamp { sql::Timestamp::Kind::Finite, charge.at->micros + seconds * sql::kMicros }.toRfc3339()
        };
        request.filter.terms += term;
    }
    TRY(const auto answer, sql::findDuplicates(session, row.target, request));
    QStringList keys;
    for (const sql::DuplicateGroup &group : answer.groups) {
        keys += group.sample.contains(row.key) ? group.sample : QStringList();
    }
    return keys;
}

sql::Result<void> readOtherCharges(sql::Session &session, CaseFile *file)
{
    const QStringList known = caseKeys(*file);
    for (const CaseRow &row : std::as_const(file->rows)) {
        const auto keys = isIntent(*file, row) ? chargesBeside(session, row) : sql::Result<QStringList>(QStringList());
        if (!keys
            && (keys.error().kind == sql::ErrorKind::ConnectionLost
                || keys.error().kind == sql::ErrorKind::Cancelled)) {
            return keys.error();
        }
        for (const QString &key : keys ? *keys : QStringList()) {
            if (!known.contains(key) && !file->otherCharges.contains(key)) {
                file->otherCharges += key;
            }
        }
    }
    return {};
}

/// The extract of the trail: with their numbers and hashes its rows can be found again in the chain.
sql::Result<void> readTrailRows(sql::Session &session, CaseFile *file)
{
    QMap<QString, bool> actions; // the ids of releases are true
    for (const CaseRow &row : std::as_const(file->rows)) {
        for (const sql::KeyTouch &touch : row.touches) {
            actions.insert(touch.action, touch.release);
        }
    }
    for (auto it = actions.cbegin(); it != actions.cend(); ++it) {
        sql::AuditFilter filter;
        (it.value() ? filter.release : filter.action) = it.key();
        filter.limit = kMostTrailRows;
        const auto rows = sql::readAudit(session, filter);
        if (rows) {
            file->trailRows += *rows;
        } else if (!absent(rows.error())) {
            return rows.error();
        }
    }
    std::sort(file->trailRows.begin(), file->trailRows.end(),
        [](const sql::AuditRow &a, const sql::AuditRow &b) { return a.seq < b.seq; });
    return {};
}

} // namespace

sql::Result<CaseFile> readHistory(
    sql::Session &session, const QList<CaseSubject> &subjects, const sql::LocalPlace &conflictsHere)
{
    CaseFile file;
    file.server = ActionJournal::serverOf(session.facts());
    file.madeBy = session.facts().user;
    for (const CaseSubject &subject : subjects) {
        TRY(readSubject(session, subject, &file));
    }
    settleUnproven(&file);
    for (const QString &key : caseKeys(file)) {
        TRY(readConflictsOf(session, conflictsHere, key, &file));
    }
    return file;
}

sql::Result<CaseFile> readCase(
    sql::Session &session, const QList<CaseSubject> &subjects, const sql::LocalPlace &conflictsHere)
{
    auto history = readHistory(session, subjects, conflictsHere);
    if (!history) {
        return history;
    }
    CaseFile file = std::move(*history);
    if (const auto trail = sql::verifyAudit(session)) {
        file.trail = *trail;
    } else if (!absent(trail.error())) {
        return trail.error();
    }
    TRY(readTrailRows(session, &file));
    TRY(readOtherCharges(session, &file));
    compareRequests(&file);
    file.verdict = verdictOf(verdictFacts(file));
    return file;
}

sql::Result<QList<CaseRequest>> readRequests(sql::Session &session, const CaseFile &file)
{
    CaseFile whole = file;
    for (CaseRow &row : whole.rows) {
        if (storesRequest(file, row) && row.request->tooLarge) {
            TRY(readRequest(session, kLargeRequestBytes, &row));
            if (!row.request) {
                return sql::makeError(sql::ErrorKind::MissingObject,
                    Tr::tr("The stored request of “%1” can no longer be read.").arg(row.key),
                    Tr::tr("The row is gone, or the right to read it."), Tr::tr("Get the verdict once more."));
            }
        }
    }
    const QList<CaseRequest> requests = requestsOf(whole);
    if (requests.isEmpty()) {
        return sql::makeError(sql::ErrorKind::MissingObject, Tr::tr("No request is stored there any more."), {},
            Tr::tr("Get the verdict once more."));
    }
    if (std::all_of(requests.begin(), requests.end(), [](const CaseRequest &request) { return request.tooLarge; })) {
        return sql::makeError(sql::ErrorKind::Refused,
            Tr::tr("Each stored request is larger than %1 MiB.").arg(kLargeRequestBytes / (1024 * 1024)), {},
            Tr::tr("Show the key, save its request with “Save whole value…”, and open the file on the tab Compare."));
    }
    return requests;
}

} // namespace idemdesk::models
