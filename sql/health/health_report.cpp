// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/health/health_report.h"

#include "sql/health/health_checks.h"
#include "sql/keys/render.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/profile/profile_json.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

using namespace health;

struct Question {
    const char *id;
    const char *title; ///< for when it could not be answered
    const char *defect; ///< for when the answer is bad
    Check check;
};

const Question kQuestions[] = {
    { "unique_key", QT_TRANSLATE_NOOP("Health", "One winner for each key"),
        QT_TRANSLATE_NOOP("Health", "Two workers can win one key"), &uniqueKey },
    { "fingerprint", QT_TRANSLATE_NOOP("Health", "The request's fingerprint is stored"),
        QT_TRANSLATE_NOOP("Health", "No request fingerprint is stored"), &fingerprintStored },
    { "business_unique", QT_TRANSLATE_NOOP("Health", "A second effect is refused by the database"),
        QT_TRANSLATE_NOOP("Health", "A second effect would be accepted"), &businessUnique },
    { "effects", QT_TRANSLATE_NOOP("Health", "Effects can be verified"),
        QT_TRANSLATE_NOOP("Health", "Effects cannot be verified"), &effectsProved },
    { "atomic", QT_TRANSLATE_NOOP("Health", "Keys and effects agree"),
        QT_TRANSLATE_NOOP("Health", "Keys and effects disagree"), &markersMatchEffects },
    { "retryable_final", QT_TRANSLATE_NOOP("Health", "Passing failures are not stored as final"),
        QT_TRANSLATE_NOOP("Health", "Passing failures are stored as final"), &retryableFinals },
    { "states", QT_TRANSLATE_NOOP("Health", "Every status is known"),
        QT_TRANSLATE_NOOP("Health", "Some statuses are not mapped"), &statesMapped },
    { "stale_rule", QT_TRANSLATE_NOOP("Health", "Stuck keys can be told"),
        QT_TRANSLATE_NOOP("Health", "No sure sign of a stuck key"), &staleRule },
    { "purge_rule", QT_TRANSLATE_NOOP("Health", "A purge takes finished keys only"),
        QT_TRANSLATE_NOOP("Health", "A purge would take unfinished keys"), &purgeRule },
    { "retention", QT_TRANSLATE_NOOP("Health", "Keys are kept as long as a retry may come"),
        QT_TRANSLATE_NOOP("Health", "Keys expire before a retry may come"), &retentionHolds },
    { "dedup", QT_TRANSLATE_NOOP("Health", "Keys are known again for as long as they must be"),
        QT_TRANSLATE_NOOP("Health", "Keys are forgotten too early"), &dedupWindows },
    { "indexes", QT_TRANSLATE_NOOP("Health", "Indexes serve what is asked"),
        QT_TRANSLATE_NOOP("Health", "An index is missing"), &indexesServe },
    { "index_use", QT_TRANSLATE_NOOP("Health", "Every index can work"),
        QT_TRANSLATE_NOOP("Health", "An index does nothing"), &indexesWork },
    { "vacuum", QT_TRANSLATE_NOOP("Health", "Autovacuum keeps up"),
        QT_TRANSLATE_NOOP("Health", "Autovacuum falls behind"), &vacuumKeepsUp },
    { "crash", QT_TRANSLATE_NOOP("Health", "Keys outlive a crash of the server"),
        QT_TRANSLATE_NOOP("Health", "A crash of the server would lose keys"), &survivesCrash },
    { "partitions", QT_TRANSLATE_NOOP("Health", "Tomorrow's partition is there"),
        QT_TRANSLATE_NOOP("Health", "Tomorrow's partition is missing"), &partitionsAhead },
    { "replication", QT_TRANSLATE_NOOP("Health", "Replication keeps up"),
        QT_TRANSLATE_NOOP("Health", "Replication does not keep up"), &replicationRuns },
    { "metrics", QT_TRANSLATE_NOOP("Health", "Retries, conflicts, failures and stuck keys can be counted"),
        QT_TRANSLATE_NOOP("Health", "Some rates cannot be counted"), &metricsAvailable },
};

/// A finding that is bad says so by its title.
Findings named(Findings findings, const Question &question)
{
    for (HealthFinding &finding : findings) {
        if (finding.level == HealthLevel::Problem || finding.level == HealthLevel::Advice) {
            finding.title
                = finding.defect.isEmpty() ? QCoreApplication::translate("Health", question.defect) : finding.defect;
        }
    }
    return findings;
}

/// What ends the whole report, not one question.
bool endsTheReport(const Error &error)
{
    return error.kind == ErrorKind::ConnectionLost || error.kind == ErrorKind::Cancelled
        || error.kind == ErrorKind::Superseded;
}

/// What is good of the rows that are shown is not known of those that row security hides, nor is their state where the
/// status cannot be read.
Findings ofAllRows(Findings findings, const Target &target)
{
    const QStringList unseen = unseenNotes(target);
    for (HealthFinding &finding : findings) {
        const bool looked = finding.level == HealthLevel::Good || finding.level == HealthLevel::Nothing;
        if (finding.ofRows && looked && !unseen.isEmpty()) {
            finding.level = HealthLevel::Unknown;
            finding.notRead = true;
            finding.why = unseen.join(u' ');
        }
    }
    return findings;
}

/// The look at every row before any question is asked: no question uses every expression. Nothing where no row could
/// fail, or where some did, which is said when the questions have found theirs.
Findings everyRowReadable(Session &session, AroundReader *around)
{
    if (around->whole().trial.isEmpty()) {
        return {};
    }
    HealthFinding finding { u"unreadable"_s, HealthLevel::Good, Tr::tr("Every row can be read"), {}, {}, {} };
    finding.ofRows = true;
    if (const auto looked = around->learnAll(); !looked) {
        finding.level = HealthLevel::Unknown;
        finding.notRead = true;
        finding.seen = looked.error().line();
        finding.why = Tr::tr("Nothing can be said about it until it can be read.");
        return { finding };
    }
    if (around->found().count > 0) {
        return {};
    }
    Render render(around->whole());
    const auto some = session.one(render.finish(u"SELECT EXISTS (SELECT 1"_s + render.from() + u')', {}));
    if (some && some->constFirst().text != u"t") {
        return { nothingToLookAt(finding) };
    }
    finding.seen = Tr::tr("Every expression of the profile works on every row.");
    return { finding };
}

Findings unreadableFindings(const Unreadable &all)
{
    Findings findings;
    if (all.count > 0) {
        Unreadable rows = all;
        rows.evidenceCount = 0;
        rows.evidenceMany = false;
        findings.append({ u"unreadable"_s, HealthLevel::Problem, Tr::tr("Some rows cannot be read"), rows.note(),
            Tr::tr("Such rows are part of no action. “idemdeskctl keys --filter state:unknown” lists them."), {} });
    }
    if (all.evidenceCount > 0 && !all.many) {
        Unreadable evidence = all;
        evidence.count = 0;
        findings.append({ u"unreadable_evidence"_s, HealthLevel::Problem, Tr::tr("Some effects cannot be looked for"),
            evidence.note(), Tr::tr("Whether their work was done cannot be known. Each of them needs a person's look."),
            {} });
    }
    return findings;
}

/// Business tables and the jobs of a library are no stores of keys: advice to add a fingerprint or a lease would be
/// wrong there. Of them is asked what holds for any table.
bool isAskedOf(const Question &question, const Target &target)
{
    static const QStringList ofAny { u"states"_s, u"retention"_s, u"dedup"_s, u"atomic"_s, u"index_use"_s, u"vacuum"_s,
        u"crash"_s, u"partitions"_s, u"replication"_s };
    const QList<Profile> &presets = presetProfiles();
    // A library's may have been set up in another schema, under another name; see knownLibrary().
    const bool preset = target.profile.extra.contains(u"x_library"_s)
        || std::any_of(presets.cbegin(), presets.cend(), [&target](const Profile &profile) {
               return profile.name == target.profile.name && profile.relation == target.profile.relation;
           });
    return !preset || ofAny.contains(QLatin1StringView(question.id));
}

/// only: ids of the questions that are asked; empty: all, and whether every row can be read.
Result<HealthReport> readAnswers(Session &session, const Target &target, const QStringList &only)
{
    HealthReport report;
    TRY(const auto now, session.one({ u"SELECT pg_catalog.clock_timestamp()"_s, {} }));
    report.at = Timestamp::parse(now.constFirst().text).value_or(Timestamp());
    AroundReader around(session, target, true);
    if (only.isEmpty()) {
        report.findings += ofAllRows(everyRowReadable(session, &around), target);
    }
    for (const Question &question : kQuestions) {
        if (!only.isEmpty() && !only.contains(QLatin1StringView(question.id))) {
            continue;
        }
        if (!isAskedOf(question, target)) {
            continue;
        }
        if (session.cancelled()) {
            return makeError(ErrorKind::Cancelled, Tr::tr("The health report was cancelled."));
        }
        // What reads no row names the profile's own expressions, not those that read around some rows.
        const bool ofRows = question.check != &indexesServe;
        auto answer = question.check(session, ofRows ? around.target() : target);
        while (!answer && around.learned(answer.error())) {
            answer = question.check(session, around.target());
        }
        if (answer) {
            report.findings += named(ofAllRows(*answer, target), question);
        } else if (endsTheReport(answer.error())) {
            return answer.error();
        } else {
            report.findings.append({ QString::fromLatin1(question.id), HealthLevel::Unknown,
                QCoreApplication::translate("Health", question.title), answer.error().line(),
                Tr::tr("Nothing can be said about it until it can be read."), {}, true });
        }
    }
    if (only.isEmpty()) {
        report.findings += unreadableFindings(around.found());
    }
    std::stable_sort(report.findings.begin(), report.findings.end(),
        [](const HealthFinding &a, const HealthFinding &b) { return a.level < b.level; });
    return report;
}

} // namespace

Result<HealthReport> readHealth(Session &session, const Target &target)
{
    return readAnswers(session, target, {});
}

Result<HealthReport> readHealth(Session &session, const Target &target, const QStringList &questions)
{
    return readAnswers(session, target, questions);
}

} // namespace idemdesk::sql
