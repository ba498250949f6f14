// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_judge.h"
#include "models/alerts/alert_model.h"
#include "models/alerts/alert_rules.h"
#include "models/duplicates/duplicate_words.h"
#include "models/filter/filter_parser.h"
#include "models/format/quantities.h"
#include "models/health/health_model.h"
#include "models/runbook/runbook_facts.h"
#include "sql/actions/compile.h"
#include "sql/actions/triage_reader.h"
#include "sql/duplicates/duplicate_gateway.h"
#include "sql/health/health_report.h"
#include "sql/keys/count_reader.h"
#include "sql/keys/scope_retries.h"
#include "sql/keys/unseen.h"
#include "sql/runbook/situation.h"
#include "sql/trends/minute_series.h"
#include "sql/trends/trend_metrics.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using F = RunbookFact;
using A = RunbookAnswer;

constexpr qint64 kMostCounted = 10'000;
constexpr int kMostStuck = 500; ///< that are judged
constexpr qint64 kQueueSeconds = 300; ///< a message may wait for so long
constexpr int kMostScopes = 50;
constexpr qint64 kFewRetries = 20; ///< of one scope: below it no scope is to blame
constexpr double kFarMore = 2; ///< times the share of the other scopes' keys that are retried
constexpr int kMostDoubles = 20;

sql::Result<sql::Filter> filterFor(const sql::Target &target, const QString &text)
{
    return parseFilter(text, vocabularyOf(target.profile));
}

A answerOf(sql::HealthLevel level)
{
    switch (level) {
    case sql::HealthLevel::Problem:
    case sql::HealthLevel::Advice:
        return A::Trouble;
    case sql::HealthLevel::Unknown:
        return A::Unknown;
    case sql::HealthLevel::Nothing:
        return A::Nothing;
    case sql::HealthLevel::Good:
        break;
    }
    return A::Fine;
}

bool asksForStuck(const RunbookStep &step)
{
    return step.fact == F::StuckOfClass || step.fact == F::StuckExternal
        || (step.fact == F::Rows && QByteArrayView(step.argument).contains("state:stale"));
}

/// Could a key of such a table be stuck? A rule may call so what waits for too long, too.
bool everStuck(const sql::Profile &profile)
{
    constexpr auto busy = sql::KeyState::InProgress;
    return profile.stale || profile.otherStates == busy || profile.nullState == busy
        || std::any_of(
            profile.states.cbegin(), profile.states.cend(), [](const auto &entry) { return entry.second == busy; });
}

QString noStuckRule()
{
    return Tr::tr("No rule says when its keys are stuck.");
}

/// Where the profile lacks what a question needs, that is its answer. The question is ours: no hint on how to write it.
sql::Result<RunbookSighting> orNotSaid(const sql::Error &error)
{
    if (error.kind == sql::ErrorKind::NotSaid) {
        return sighted(A::Unknown, error.what);
    }
    return error;
}

/// What is not seen of a table may be what is looked for.
RunbookSighting noneSeen(const QString &seen, const QStringList &unseen)
{
    return unseen.isEmpty() ? sighted(A::Fine, seen) : sighted(A::Unknown, seen + u' ' + unseen.join(u' '));
}

qint64 secondsBetween(const sql::Timestamp &from, const sql::Timestamp &to)
{
    return (to.micros - from.micros) / sql::kMicros;
}

} // namespace

sql::Result<RunbookSighting> RunbookFacts::ofTable(const RunbookStep &step, const RunbookSubject &subject)
{
    const QString argument = QString::fromLatin1(step.argument);
    if (asksForStuck(step) && !everStuck(subject.target.profile)) {
        return sighted(A::Nothing, Tr::tr("No key of this table is ever in progress."));
    }
    switch (step.fact) {
    case F::Rows:
        return rows(subject, argument);
    case F::Health:
        return health(subject, argument);
    case F::Alert:
        return alert(subject, argument);
    case F::StuckOfClass:
        return stuckOfClass(subject, argument.split(u','));
    case F::StuckExternal:
        return stuckExternal(subject);
    case F::ScopeRetries:
        return scopeRetries(subject);
    case F::Doubles:
        return doubles(subject);
    case F::QueueOld:
        return queueOld(subject);
    case F::QueueSilent:
        return queueSilent(subject);
    case F::SessionsWait:
    case F::LongTransactions:
    case F::Deadlocks:
    case F::AdvisoryWaits:
    case F::LoggedConflicts:
    case F::Crashes:
    case F::KeyReuse:
    case F::OneCaller:
    case F::PurgesOpen:
    case F::PurgesIncomplete:
    case F::PurgeUndoable:
    case F::StandbyLag:
    case F::ReplayPaused:
    case F::IdleSlots:
    case F::SyncStandby:
    case F::StandbyConflicts:
        break;
    }
    return sighted(A::Nothing, {});
}

sql::Result<RunbookSighting> RunbookFacts::rows(const RunbookSubject &subject, const QString &text)
{
    TRY(const auto filter, filterFor(subject.target, text));
    const auto counted = sql::countRows(m_session, subject.target, filter, kMostCounted, std::nullopt);
    if (!counted && counted.error().kind == sql::ErrorKind::NotSaid && text == u"state:stale") {
        return sighted(A::Unknown, noStuckRule()); // the filter's own words are for who types one
    }
    if (!counted) {
        return orNotSaid(counted.error());
    }
    const auto &count = *counted;
    if (count.rows > 0) {
        auto sighting = sighted(A::Trouble,
            (count.kind == sql::RowCount::Kind::Exact ? rowsText(count.rows) : Tr::tr("%1 rows").arg(countText(count)))
                + u'.');
        sighting.filter = text;
        sighting.count = count.kind == sql::RowCount::Kind::Exact ? count.rows : -1;
        return sighting;
    }
    if (count.kind == sql::RowCount::Kind::Unknown) {
        return sighted(A::Unknown, Tr::tr("They could not be counted."));
    }
    return noneSeen(Tr::tr("No row."), sql::unseenNotes(subject.target));
}

sql::Result<RunbookSighting> RunbookFacts::health(const RunbookSubject &subject, const QString &question)
{
    TRY(const auto report, sql::readHealth(m_session, subject.target, { question }));
    if (report.findings.isEmpty()) {
        return sighted(A::Nothing, Tr::tr("The question does not apply to this table."));
    }
    const sql::HealthFinding &worst = report.findings.constFirst();
    auto sighting = sighted(answerOf(worst.level), worst.seen + (worst.why.isEmpty() ? QString() : u' ' + worst.why));
    sighting.why = worst.why;
    const auto &policies = subject.target.profile.policies;
    if (worst.id == u"retention" && sighting.answer == A::Trouble
        && std::none_of(policies.cbegin(), policies.cend(),
            [](const sql::PolicySpec &policy) { return !policy.windows.isEmpty(); })) {
        sighting.answer = A::Unknown; // nothing says when a retry may come, so nothing is known to come too late
    }
    const HealthRecovery remedy = healthRecovery(worst, subject.target.profile);
    if (!remedy.filter.isEmpty()) {
        sighting.filter = remedy.filter;
        sighting.verb = remedy.verb;
        sighting.command
            = u"idemdeskctl %1 --target {target} --filter {filter}%2 --dry-run"_s.arg(sql::verbName(remedy.verb),
                // Which of several states they become is a person's word; those of passing errors may be retried.
                remedy.verb == sql::ActionVerb::Reclassify ? u" --to failed_retryable"_s : QString());
    }
    return sighting;
}

sql::Result<RunbookSighting> RunbookFacts::alert(const RunbookSubject &subject, const QString &rule)
{
    TRY(const auto rules, alertRules(subject.target));
    const auto asked
        = std::find_if(rules.cbegin(), rules.cend(), [&rule](const sql::AlertRule &one) { return one.id == rule; });
    if (asked == rules.cend()) {
        return sighted(A::Nothing, Tr::tr("The table's columns do not tell, or its profile switches this alert off."));
    }
    if (subject.registeredName.isEmpty()) {
        return sighted(A::Unknown, Tr::tr("The table is not registered, so no sample of it is in the database."));
    }
    // Services do not say which table their reports are of: one count of the whole database, told once.
    const bool everyTable = sql::isRecordedMetric(asked->metric);
    const QString limit = alertLimitText(*asked);
    if (everyTable && m_toldOfAll.contains(rule + limit)) {
        return sighted(A::Nothing, Tr::tr("Told with the table above: reports are counted for all tables together."));
    }
    TRY(const auto minutes,
        sql::readMinutes(m_session, subject.registeredName, alertMetrics({ *asked }), alertSpan({ *asked })));
    const sql::AlertStatus status = alertStatus(*asked, minutes);
    if (everyTable) {
        m_toldOfAll.insert(rule + limit);
    }
    const QString ofAll = everyTable ? Tr::tr("Of all tables together.") + u' ' : QString();
    const QString seen = ofAll
        + (status.why.isEmpty() ? Tr::tr("Now: %1; the alert fires %2.").arg(alertValueText(status), limit)
                                : status.why);
    switch (status.state) {
    case sql::AlertState::Firing:
    case sql::AlertState::Pending:
        return sighted(A::Trouble, seen);
    case sql::AlertState::Unknown:
        return sighted(A::Unknown, seen);
    case sql::AlertState::Quiet:
        break;
    }
    return sighted(A::Fine, seen);
}

sql::Result<RunbookFacts::Stuck> RunbookFacts::readStuck(const RunbookSubject &subject)
{
    if (!subject.target.profile.stale) {
        return sql::makeError(sql::ErrorKind::NotSaid, noStuckRule());
    }
    sql::CompiledTarget compiled = subject.compiled;
    if (compiled.json.isEmpty()) {
        TRY(compiled, sql::compileTarget(m_session, subject.target));
    }
    TRY(const auto page, sql::readTriage(m_session, subject.target, {}, true, kMostStuck));
    Stuck stuck;
    stuck.rows = page.rows;
    stuck.more = page.more;
    stuck.partly = page.partly;
    stuck.notes = page.notes;
    for (const sql::TriageFacts &facts : page.rows) {
        stuck.judgements += judgeTriage(subject.target, facts, compiled);
    }
    return stuck;
}

const sql::Result<RunbookFacts::Stuck> &RunbookFacts::stuck(const RunbookSubject &subject)
{
    const QString &name = subject.target.profile.name;
    auto known = m_stuck.constFind(name);
    if (known == m_stuck.constEnd()) {
        known = m_stuck.insert(name, readStuck(subject));
    }
    return *known;
}

sql::Result<RunbookSighting> RunbookFacts::stuckOfClass(const RunbookSubject &subject, const QStringList &classes)
{
    const auto &found = stuck(subject);
    if (!found) {
        return orNotSaid(found.error());
    }
    const auto matching = std::count_if(found->judgements.cbegin(), found->judgements.cend(),
        [&classes](const TriageJudgement &judgement) { return classes.contains(triageClassName(judgement.cls)); });
    QString seen = Tr::tr("%1 of %2 stuck keys that were looked at.")
                       .arg(countText(matching), countText(qint64(found->judgements.size())));
    if (found->more) {
        seen += u' ' + Tr::tr("There are more stuck keys.");
    }
    if (matching > 0) {
        auto sighting = sighted(A::Trouble, seen);
        sighting.filter = u"state:stale"_s;
        sighting.count = matching;
        sighting.all = matching == found->judgements.size() && !found->more && !found->partly;
        return sighting;
    }
    // Of a key that somebody has to look at nothing of this is known, so it is not "no".
    const auto open = classes.contains(u"needs_review"_s) || classes.contains(u"running"_s)
        ? 0
        : std::count_if(found->judgements.cbegin(), found->judgements.cend(),
            [](const TriageJudgement &judgement) { return judgement.cls == TriageClass::NeedsReview; });
    if (open > 0) {
        seen += u' ' + Tr::tr("Of %n it cannot be known.", "keys", int(open));
    }
    const bool all = !found->partly && !found->more;
    return sighted(all && open == 0 ? A::Fine : A::Unknown, all ? seen : seen + u' ' + found->notes.join(u' '));
}

sql::Result<RunbookSighting> RunbookFacts::stuckExternal(const RunbookSubject &subject)
{
    const QList<sql::PolicySpec> &policies = subject.target.profile.policies;
    const bool any = std::any_of(
        policies.cbegin(), policies.cend(), [](const sql::PolicySpec &policy) { return policy.effect == u"external"; });
    if (!any) {
        return sighted(A::Nothing, Tr::tr("The profile names no effect outside of this database."));
    }
    const auto &found = stuck(subject);
    if (!found) {
        return orNotSaid(found.error());
    }
    const auto outside
        = std::count_if(found->rows.cbegin(), found->rows.cend(), [&policies](const sql::TriageFacts &facts) {
              return facts.policy >= 0 && policies.at(facts.policy).effect == u"external";
          });
    const QString seen = Tr::tr("%1 of %2 stuck keys that were looked at.")
                             .arg(countText(outside), countText(qint64(found->rows.size())));
    if (outside > 0) {
        auto sighting = sighted(A::Trouble, seen);
        sighting.filter = u"state:stale"_s;
        sighting.count = outside;
        return sighting;
    }
    return sighted(found->partly || found->more ? A::Unknown : A::Fine, seen);
}

sql::Result<RunbookSighting> RunbookFacts::scopeRetries(const RunbookSubject &subject)
{
    TRY(const auto scopes, sql::readScopeRetries(m_session, subject.target, kMostScopes));
    qint64 all = 0;
    qint64 keys = 0;
    for (const sql::ScopeRetries &scope : scopes) {
        all += scope.retried;
        keys += scope.first + scope.retried;
    }
    if (all == 0) {
        return scopes.isEmpty() ? sighted(A::Nothing, Tr::tr("No row was there to look at."))
                                : noneSeen(Tr::tr("No key was retried."), sql::unseenNotes(subject.target));
    }
    const sql::ScopeRetries &most = scopes.constFirst();
    QStringList parts;
    for (const sql::Cell &part : most.scope) {
        parts += part.null ? u"NULL"_s : part.text;
    }
    // The largest scope has most retries on a quiet day too: it must also retry more of its keys than the others do.
    const qint64 its = most.first + most.retried;
    const double share = double(most.retried) / double(its);
    const double others = keys > its ? double(all - most.retried) / double(keys - its) : 0;
    const bool one
        = scopes.size() > 1 && most.retried >= kFewRetries && most.retried * 2 > all && share >= others * kFarMore;
    return sighted(one ? A::Trouble : A::Fine,
        Tr::tr("%1 of %2 retried keys are of the scope “%3”: %4 % of its keys, and %5 % of the others.")
            .arg(countText(most.retried), countText(all), parts.join(u" / "_s), QString::number(qRound(share * 100)),
                QString::number(qRound(others * 100))));
}

sql::Result<RunbookSighting> RunbookFacts::doubles(const RunbookSubject &subject)
{
    sql::DuplicateRequest request;
    request.spanSeconds = sql::kHour;
    request.limit = kMostDoubles;
    TRY(const auto answer, sql::findDuplicates(m_session, subject.target, request));
    if (!answer.groups.isEmpty()) {
        return sighted(A::Trouble,
            Tr::tr("%n group(s) of the last hour.", nullptr, int(answer.groups.size())) + u' '
                + duplicateWhy(answer.groups.constFirst()));
    }
    const QStringList unseen = sql::unseenNotes(subject.target);
    return answer.complete && unseen.isEmpty()
        ? sighted(A::Fine, Tr::tr("No request of the last hour looks carried out more than once."))
        : sighted(A::Unknown, (answer.notes + unseen).join(u' '));
}

sql::Result<RunbookSighting> RunbookFacts::queueOld(const RunbookSubject &subject)
{
    TRY(const auto queue, sql::readQueueState(m_session, subject.target));
    if (!queue.oldestWaiting) {
        QStringList unseen = sql::unseenNotes(subject.target);
        unseen += queue.note.isEmpty() ? QStringList() : QStringList { queue.note };
        return noneSeen(Tr::tr("No message waits."), unseen);
    }
    const qint64 age = secondsBetween(*queue.oldestWaiting, queue.now);
    auto sighting = sighted(age > kQueueSeconds ? A::Trouble : A::Fine,
        Tr::tr("The oldest message that waits was made %1 ago.").arg(durationText(age)));
    sighting.filter = u"state:pending,failed_retryable"_s;
    return sighting;
}

sql::Result<RunbookSighting> RunbookFacts::queueSilent(const RunbookSubject &subject)
{
    TRY(const auto queue, sql::readQueueState(m_session, subject.target));
    if (!queue.oldestWaiting) {
        QStringList unseen = sql::unseenNotes(subject.target);
        unseen += queue.note.isEmpty() ? QStringList() : QStringList { queue.note };
        return noneSeen(Tr::tr("No message waits."), unseen);
    }
    if (!queue.doneKnown) {
        return sighted(A::Unknown, Tr::tr("The profile names no time at which a message was finished."));
    }
    const qint64 waits = secondsBetween(*queue.oldestWaiting, queue.now);
    const qint64 silent = queue.newestDone ? secondsBetween(*queue.newestDone, queue.now) : waits;
    const bool stands = waits > kQueueSeconds && silent > kQueueSeconds;
    return sighted(stands ? A::Trouble : A::Fine,
        queue.newestDone ? Tr::tr("The newest one that was finished: %1 ago.").arg(durationText(silent))
                         : Tr::tr("None in the table was finished."));
}

} // namespace idemdesk::models
