// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/health/health_checks.h"

#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unseen.h"
#include "sql/profile/effect_links.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/sample_sql.h"

#include <QMap>
#include <algorithm>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::sql::health {

namespace {

constexpr int kSampleRows = 2'000; ///< rows of a sample
constexpr int kMostCounted = 10'000;
constexpr double kEarlyShare = 0.05; ///< of the rows may go earlier than is said

int policyOf(const Profile &profile, const QMap<QString, QString> &scope)
{
    for (qsizetype i = 0; i < profile.policies.size(); ++i) {
        const auto &match = profile.policies.at(i).match;
        bool all = true;
        for (auto it = match.cbegin(); it != match.cend(); ++it) {
            all = all && scope.contains(it.key()) && scope.value(it.key()) == *it;
        }
        if (all) {
            return int(i);
        }
    }
    return -1;
}

QString spanText(qint64 seconds)
{
    if (seconds < 60) { // or before they were done
        return Tr::tr("less than a minute");
    }
    // Rounded: three seconds less than a week are no six days.
    const auto rounded = [seconds](qint64 unit) { return int((seconds + unit / 2) / unit); };
    if (rounded(60) < 120) {
        return Tr::tr("%n minute(s)", nullptr, rounded(60));
    }
    return rounded(3'600) < 48 ? Tr::tr("%n hour(s)", nullptr, rounded(3'600))
                               : Tr::tr("%n day(s)", nullptr, rounded(86'400));
}

/// Every row of the sample as one query with the alias t.
QString sampled(const Target &target)
{
    // Rows that cannot be read are known by their place.
    const QString place = target.readable.isEmpty() ? QString() : u"t.tableoid, t.ctid, "_s;
    return u" FROM ("_s + sampleSql(target.relation, place + u"t.*"_s, kSampleRows) + u") AS t"_s;
}

} // namespace

QString passingCodesPattern()
{
    return u"^\\s*(P4029|40001|40P01|55P03|55006|57014|57P01|57P02|57P03|57P05|25P03|25006|08...|53...|58...|40(?!003)."
           u"..|"
           "serialization_failure|deadlock_detected|lock_not_available|object_in_use|query_canceled|admin_shutdown|"
           "crash_shutdown|cannot_connect_now|idle_session_timeout|idle_in_transaction_session_timeout|"
           "read_only_sql_transaction)\\s*$"_s;
}

Result<Findings> retryableFinals(Session &session, const Target &target)
{
    const bool finals = std::any_of(target.profile.states.cbegin(), target.profile.states.cend(),
        [](const auto &entry) { return entry.second == KeyState::FailedFinal; });
    if (!finals) {
        return Findings();
    }
    HealthFinding finding { u"retryable_final"_s, HealthLevel::Good,
        Tr::tr("Temporary failures are not stored as final"), {}, {}, {} };
    if (!target.profile.has(Role::ErrorCode) && !target.profile.has(Role::ErrorMessage)) {
        finding.level = HealthLevel::Unknown;
        finding.seen = Tr::tr("Failed keys carry neither an error code nor a message.");
        finding.why
            = Tr::tr("Nobody can see whether a failure was for good, or a deadlock that a retry would have survived.");
        finding.sql = target.relation.isView()
            ? QString()
            : u"ALTER TABLE %1 ADD COLUMN failure_code text;"_s.arg(target.relation.sql);
        return Findings { finding };
    }
    Render render(target);
    QStringList signs;
    if (target.profile.has(Role::ErrorCode)) {
        signs += u"("_s + target.profile.role(Role::ErrorCode).sql + u")::pg_catalog.text OPERATOR(pg_catalog.~*) "_s
            + render.bindText(passingCodesPattern());
    }
    if (target.profile.has(Role::ErrorMessage)) {
        signs += u"("_s + target.profile.role(Role::ErrorMessage).sql + u")::pg_catalog.text OPERATOR(pg_catalog.~*) "_s
            + render.bindText(u"could not serialize access|deadlock detected"_s);
    }
    const QString finalRows = render.from() + u" WHERE "_s + stateIn(render, { KeyState::FailedFinal });
    const QString sql = u"SELECT pg_catalog.count(*), EXISTS (SELECT 1"_s + finalRows + u") FROM (SELECT 1"_s
        + finalRows + u" AND ("_s + signs.join(u" OR "_s) + u") LIMIT "_s + QString::number(kMostCounted) + u") x"_s;
    TRY_OR(render.located, const auto row, session.one(render.finish(sql, {})));
    const int found = row.constFirst().text.toInt();
    finding.ofRows = true;
    if (found == 0 && row.at(1).text != u"t") {
        return Findings { nothingToLookAt(finding) };
    }
    if (found == 0) {
        finding.seen = Tr::tr("No final failure carries a code that passes by itself, such as that of a deadlock.");
    } else {
        finding.level = HealthLevel::Problem;
        finding.recoverable = true;
        finding.seen = found >= kMostCounted
            ? Tr::tr(
                "%n final failure(s) or more pass by themselves, such as deadlocks and lock timeouts.", nullptr, found)
            : Tr::tr("%n final failure(s) pass by themselves, such as deadlocks and lock timeouts.", nullptr, found);
        finding.why
            = Tr::tr("A retry gets the stored failure for ever, though it would succeed. The console can reclassify "
                     "them: “Failures by cause” on the page Recovery lists them, and so does “idemdeskctl causes”.");
    }
    return Findings { finding };
}

Result<Findings> statesMapped(Session &session, const Target &target)
{
    HealthFinding finding { u"states"_s, HealthLevel::Good, Tr::tr("Every status is known"), {}, {}, {} };
    finding.ofRows = true;
    if (!target.profile.has(Role::Status)) {
        finding.seen = statusLeftOut(target);
        if (finding.seen.isEmpty()) {
            return Findings();
        }
        finding.level = HealthLevel::Unknown;
        finding.why
            = Tr::tr("Every row counts as unknown until the status can be read: none is stuck, and none is finished.");
        finding.notRead = true;
        return Findings { finding };
    }
    Render render(target);
    const QString sql = u"SELECT ("_s + target.profile.role(Role::Status).sql
        + u")::pg_catalog.text, pg_catalog.count(*)"_s + sampled(target) + u" WHERE "_s
        + (target.readable.isEmpty() ? QString() : target.readable + u" AND "_s)
        + holds(stateIn(render, { KeyState::Unknown })) + u" GROUP BY 1 ORDER BY 2 DESC LIMIT 6"_s;
    TRY_OR(render.located, const auto rows, session.all(render.finish(sql, {})));
    if (rows.isEmpty()) {
        Render any(target);
        TRY_OR(any.located, const auto there,
            session.one(any.finish(u"SELECT EXISTS (SELECT 1"_s + any.from() + u')', {})));
        if (there.constFirst().text != u"t") {
            return Findings { nothingToLookAt(finding) };
        }
        finding.seen = Tr::tr("All that was seen in a sample stands in the profile.");
        return Findings { finding };
    }
    QStringList values;
    for (const Cells &row : rows) {
        values += row.constFirst().null ? u"NULL"_s : u"“%1”"_s.arg(row.constFirst().text);
    }
    finding.level = HealthLevel::Problem;
    finding.seen = Tr::tr("The profile does not say what this status means: %1.").arg(values.join(u", "_s));
    finding.why = Tr::tr("Such rows count as unknown: they are never stuck, and no action touches them. Add them to "
                         "“states” in the profile.");
    return Findings { finding };
}

namespace {

/// Seconds for which rows of the sample are kept, by the policy that they fall under; -1: under none.
using KeptByPolicy = QMap<int, QList<double>>;

/// When the purge rules let a row go, of each rule that names a time.
QStringList keptUntil(Render &render)
{
    QStringList ends;
    for (const TimeRule &rule : render.target().profile.purge) {
        if (rule.by.present()) {
            const QList<KeyState> states
                = rule.states.isEmpty() ? QList<KeyState> { KeyState::Succeeded, KeyState::FailedFinal } : rule.states;
            ends += u"CASE WHEN "_s + holds(stateIn(render, states)) + u" THEN "_s + timestamptzSql(rule.by) + u" + "_s
                + intervalSql(rule.after) + u" END"_s;
        }
    }
    return ends;
}

QStringList keptFrom(const Profile &profile)
{
    QStringList starts;
    for (const Role role : { Role::CompletedAt, Role::CreatedAt, Role::ClaimedAt }) {
        if (profile.has(role)) {
            starts += timestamptzSql(profile.role(role));
        }
    }
    return starts;
}

Result<KeptByPolicy> readKept(Session &session, Render &render, const QStringList &starts, const QStringList &ends)
{
    const Target &target = render.target();
    QStringList columns { u"EXTRACT(epoch FROM LEAST("_s + ends.join(u", "_s) + u") - COALESCE("_s
        + starts.join(u", "_s) + u"))::pg_catalog.float8"_s };
    const QList<ScopePart> parts = partsOf(target);
    for (const ScopePart &part : parts) {
        columns += u"("_s + part.sql + u")::pg_catalog.text"_s;
    }
    KeptByPolicy kept;
    const Statement statement = render.finish(u"SELECT "_s + columns.join(u", "_s) + sampled(target), {});
    TRY_OR(render.located, session.each(statement, [&](const Row &row) {
        if (!row.isNull(0)) {
            QMap<QString, QString> scope;
            for (qsizetype i = 0; i < parts.size(); ++i) {
                if (!row.isNull(int(i) + 1)) {
                    scope.insert(target.profile.scope.at(i).label, row.text(int(i) + 1));
                }
            }
            kept[policyOf(target.profile, scope)].append(row.text(0).toDouble());
        }
        return true;
    }));
    return kept;
}

/// In an audit window somebody may ask about a key; no retry comes.
constexpr QStringView kAudit = u"audit";

/// The longest window of the policy, with or without the one for audits: its name, and its length in seconds (0: it has
/// none).
std::pair<QString, qint64> longestWindow(const PolicySpec &policy, bool audit)
{
    std::pair<QString, qint64> longest;
    for (auto window = policy.windows.cbegin(); window != policy.windows.cend(); ++window) {
        if (!audit && window.key() == kAudit) {
            continue;
        }
        if (const auto length = durationSeconds(*window); length && *length > longest.second) {
            longest = { window.key(), *length };
        }
    }
    return longest;
}

/// Whether keys under this policy outlive its longest window; nothing where it has none.
std::optional<HealthFinding> judgeKept(const QString &title, const PolicySpec &policy, QList<double> kept)
{
    if (longestWindow(policy, true).second == 0) {
        return std::nullopt;
    }
    const auto early = kept.begin() + qsizetype(double(kept.size() - 1) * kEarlyShare);
    std::nth_element(kept.begin(), early, kept.end());
    QStringList match;
    for (auto part = policy.match.cbegin(); part != policy.match.cend(); ++part) {
        match += part.key() + u": "_s + *part;
    }
    const QString who = match.isEmpty() ? Tr::tr("Keys") : Tr::tr("Keys of %1").arg(match.join(u", "_s));
    HealthFinding finding { u"retention"_s, HealthLevel::Good, title, {}, {}, {} };
    finding.ofRows = true;
    const auto tooShort
        = [&early](qint64 window) { return qint64(*early) + 60 < window; }; // a minute: work takes its time
    const bool retries = tooShort(longestWindow(policy, false).second);
    const auto &[name, wanted] = longestWindow(policy, !retries);
    finding.seen = Tr::tr("%1 are kept for %2 or longer; the longest window (%3) is %4.")
                       .arg(who, spanText(qint64(*early)), name, spanText(wanted));
    if (tooShort(wanted)) {
        finding.level = retries ? HealthLevel::Problem : HealthLevel::Advice;
        finding.seen = Tr::tr("%1 go after %2, but the longest window (%3) is %4.")
                           .arg(who, spanText(qint64(*early)), name, spanText(wanted));
        finding.why = retries
            ? Tr::tr("A retry that comes later finds no key, and its effect happens a second time. Let "
                     "keys expire later, or purge with an earlier cutoff.")
            : Tr::tr("Who looks a request up later finds no key. Retries come earlier, so nothing is done twice.");
        if (!retries) {
            finding.defect = Tr::tr("Keys are gone before the audit window ends");
        }
    }
    return finding;
}

} // namespace

Result<Findings> retentionHolds(Session &session, const Target &target)
{
    const QString title = Tr::tr("Keys are kept as long as a retry may come");
    const auto only = [&title](HealthLevel level, const QString &seen, const QString &why) {
        return Findings { { u"retention"_s, level, title, seen, why, {} } };
    };
    const bool windows = std::any_of(target.profile.policies.cbegin(), target.profile.policies.cend(),
        [](const PolicySpec &policy) { return !policy.windows.isEmpty(); });
    if (target.profile.purge.isEmpty()) {
        return Findings(); // said by the question about a purge rule
    }
    if (!windows) {
        return only(HealthLevel::Advice, Tr::tr("No policy says for how long a retry or a redelivery may come."),
            Tr::tr("Without “windows” in the profile nobody is warned when a key goes too early."));
    }
    Render render(target);
    const QStringList ends = keptUntil(render);
    if (ends.isEmpty()) {
        return only(HealthLevel::Unknown, Tr::tr("The purge rules name no time by which keys go."),
            Tr::tr("A free condition gives nothing to compare with the windows."));
    }
    const QStringList starts = keptFrom(target.profile);
    if (starts.isEmpty()) {
        return only(HealthLevel::Unknown, Tr::tr("The profile names no time at which a key was made or done."),
            Tr::tr("So it cannot be said how long one is kept."));
    }
    TRY(const auto kept, readKept(session, render, starts, ends));
    Findings findings;
    for (auto it = kept.cbegin(); it != kept.cend(); ++it) {
        if (it.key() >= 0) {
            if (const auto finding = judgeKept(title, target.profile.policies.at(it.key()), *it)) {
                findings += *finding;
            }
        }
    }
    return findings.isEmpty() ? only(HealthLevel::Unknown, Tr::tr("No finished key was seen."),
               Tr::tr("How long keys are kept shows once there are some."))
                              : findings;
}

namespace {

QString effectExists(const EffectSpec &effect)
{
    return u"EXISTS (SELECT 1 FROM ("_s + effect.sql + u") AS e WHERE NOT (e.* IS NULL))"_s;
}

/// Of the succeeded keys that were looked at, how many have no effect.
struct WithoutEffect {
    int looked = 0;
    int without = 0;
};

Result<WithoutEffect> countWithoutEffect(Session &session, const Target &target, const EffectSpec &effect)
{
    Render render(target);
    // Only keys whose result is of this kind have this effect, and what a key long expired did may be archived by now.
    QStringList of;
    if (target.profile.has(Role::ResultType)) {
        of += u"("_s + target.profile.role(Role::ResultType).sql + u")::pg_catalog.text OPERATOR(pg_catalog.=) "_s
            + render.bindText(effect.type);
    }
    if (const auto expired = expiredCondition(render)) {
        of += fails(*expired);
    }
    of += stateIn(render, { KeyState::Succeeded });
    const QString sql = u"SELECT pg_catalog.count(*), pg_catalog.count(*) FILTER (WHERE NOT x.there) FROM (SELECT "_s
        + effectExists(effect) + u" AS there"_s + render.from() + u" WHERE "_s + of.join(u" AND "_s)
        + u" LIMIT 500) x"_s;
    TRY_OR(render.located, const auto done, session.one(render.finish(sql, {})));
    return WithoutEffect { done.at(0).text.toInt(), done.at(1).text.toInt() };
}

/// How many keys are not succeeded, though their effect is there.
Result<int> countUnmarked(Session &session, const Target &target, const EffectSpec &effect)
{
    Render render(target);
    const QString sql = u"SELECT pg_catalog.count(*) FROM (SELECT 1"_s + render.from() + u" WHERE "_s
        + stateIn(render, { KeyState::InProgress, KeyState::FailedRetryable }) + u" AND "_s + effectExists(effect)
        + u" LIMIT "_s + QString::number(kMostCounted) + u") x"_s;
    TRY_OR(render.located, const auto unmarked, session.one(render.finish(sql, {})));
    return unmarked.constFirst().text.toInt();
}

} // namespace

Result<Findings> markersMatchEffects(Session &session, const Target &target)
{
    const WholeRows whole(session);
    Findings findings;
    const QString title = Tr::tr("Keys and effects agree");
    for (qsizetype i = 0; i < target.profile.effects.size(); ++i) {
        const EffectSpec &effect = target.profile.effects.at(i);
        if (!effect.proves) {
            continue;
        }
        if (const QString fault = effectFault(target, i); !fault.isEmpty()) {
            findings.append({ u"atomic"_s, HealthLevel::Unknown, title,
                Tr::tr("The query of “%1” is not run: %2").arg(effect.type, fault),
                Tr::tr("Nothing can be said about it until it can be read."), {}, true });
            continue;
        }
        TRY(const auto succeeded, countWithoutEffect(session, target, effect));
        TRY(const int unmarked, countUnmarked(session, target, effect));
        if (succeeded.without > 0) {
            findings.append({ u"atomic"_s, HealthLevel::Problem, title,
                Tr::tr("Of %n succeeded key(s) looked at, %1 have no “%2”.", nullptr, succeeded.looked)
                    .arg(succeeded.without)
                    .arg(effect.type),
                Tr::tr("A key marked before its effect is lost work when the service dies in between. Mark and effect "
                       "belong into one transaction."),
                {} });
        }
        if (unmarked > 0) {
            HealthFinding bad { u"atomic"_s, HealthLevel::Problem, title,
                Tr::tr("%n key(s) have their “%1” but are not marked succeeded.", nullptr, unmarked).arg(effect.type),
                Tr::tr("A retry may repeat the effect. Recovery can mark the stuck ones succeeded."), {} };
            bad.recoverable = true;
            findings.append(bad);
        }
        if (succeeded.without == 0 && unmarked == 0) {
            HealthFinding good { u"atomic"_s, HealthLevel::Good, title,
                Tr::tr("Of %n succeeded key(s) looked at, each has its “%1”.", nullptr, succeeded.looked)
                    .arg(effect.type),
                {}, {} };
            good.ofRows = true;
            findings.append(succeeded.looked == 0 ? nothingToLookAt(good) : good);
        }
    }
    return findings;
}

} // namespace idemdesk::sql::health
