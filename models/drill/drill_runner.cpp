// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/drill/drill_runner.h"

#include "models/format/labels.h"
#include "sql/profile/expression_sql.h"
#include "sql/session/server_clock.h"
#include "sql/session/session.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QUuid>
#include <algorithm>
#include <latch>
#include <map>
#include <thread>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kSessions = 20; ///< at once, as seed 003 §28.2 says
constexpr int kReplayed = 5;
constexpr int kStatementMs = 30'000; ///< a service's statement may take so long
constexpr int kMostLines = 4; ///< kinds of answers that are told
constexpr qsizetype kAnswerChars = 160;

DrillResult verdictOf(bool passed, const QString &seen)
{
    return { nullptr, passed ? DrillVerdict::Passed : DrillVerdict::Failed, seen };
}

DrillResult notApplicable(const QString &why)
{
    return { nullptr, DrillVerdict::NotApplicable, why };
}

/// "“{"id": 1}”", "refused with P4002: another request".
QString answerText(const sql::DrillAnswer &answer)
{
    const QString text = answer.text.size() > kAnswerChars ? answer.text.left(kAnswerChars) + u'…' : answer.text;
    if (answer.refused) {
        return Tr::tr("refused with %1: %2").arg(answer.sqlState, text);
    }
    return text.isEmpty() ? Tr::tr("an empty answer") : u"“%1”"_s.arg(text);
}

QString effectsText(qint64 effects)
{
    return Tr::tr("%n effect(s).", nullptr, int(effects));
}

sql::Session::Options drillOptions()
{
    sql::Session::Options options;
    options.lane = sql::LaneKind::Write;
    options.readOnly = false;
    options.statementTimeoutMs = kStatementMs;
    options.lockTimeoutMs = kStatementMs; // a service waits for its turn
    options.applicationName = u"idemdesk drill"_s;
    return options;
}

/// The answers of the sessions that had one.
struct AtOnceAnswers {
    QList<sql::DrillAnswer> answers;
    std::optional<sql::Error> lost; ///< what ended a session that had begun
    std::optional<sql::Error> refused; ///< why a session could not begin
};

using OpenDrill = std::function<sql::Result<std::unique_ptr<sql::Session>>()>;

/// Every session sends the same command at the same moment.
AtOnceAnswers performAtOnce(const OpenDrill &open, const sql::DrillSpec &spec, const sql::DrillCall &call)
{
    struct Told {
        bool began = false;
        sql::Result<sql::DrillAnswer> answer = sql::DrillAnswer();
    };
    std::vector<Told> told(kSessions);
    std::latch ready(kSessions);
    {
        std::vector<std::jthread> threads;
        for (Told &mine : told) {
            threads.emplace_back([&] {
                auto session = open();
                ready.arrive_and_wait(); // also without a session, so that nobody waits for it
                mine.began = session.ok();
                mine.answer = session ? sql::drillPerform(**session, spec, call)
                                      : sql::Result<sql::DrillAnswer>(session.error());
            });
        }
    }
    AtOnceAnswers all;
    for (const Told &one : told) {
        if (one.answer) {
            all.answers += *one.answer;
        } else {
            (one.began ? all.lost : all.refused) = one.answer.error();
        }
    }
    return all;
}

/// "1 × “new”, 19 × refused with P4029: …", the most frequent first.
QString answersText(const QList<sql::DrillAnswer> &answers)
{
    std::map<QString, int> counted;
    for (const sql::DrillAnswer &answer : answers) {
        ++counted[answerText(answer)];
    }
    QList<std::pair<int, QString>> lines;
    for (const auto &[text, count] : counted) {
        lines.append({ count, text });
    }
    std::stable_sort(lines.begin(), lines.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    QStringList shown;
    for (const auto &[count, text] : lines.mid(0, kMostLines)) {
        shown += Tr::tr("%1 × %2", "how often, an answer").arg(count).arg(text);
    }
    return shown.join(u"; "_s) + (lines.size() > kMostLines ? u"; …"_s : QString());
}

bool isForMessages(sql::TargetKind kind)
{
    return kind == sql::TargetKind::Inbox;
}

sql::Error notForDrills(const QString &why, const QString &todo)
{
    return sql::makeError(sql::ErrorKind::Refused, Tr::tr("No drill runs here."), why, todo);
}

} // namespace

QString drillVerdictName(DrillVerdict verdict)
{
    switch (verdict) {
    case DrillVerdict::Failed:
        return u"failed"_s;
    case DrillVerdict::Passed:
        return u"passed"_s;
    case DrillVerdict::NotApplicable:
        break;
    }
    return u"not_applicable"_s;
}

QString drillVerdictLabel(DrillVerdict verdict)
{
    switch (verdict) {
    case DrillVerdict::Failed:
        return Tr::tr("Failed");
    case DrillVerdict::Passed:
        return Tr::tr("Passed");
    case DrillVerdict::NotApplicable:
        break;
    }
    return Tr::tr("Does not apply");
}

QString drillVerdictSign(DrillVerdict verdict)
{
    switch (verdict) {
    case DrillVerdict::Failed:
        return u"✗"_s;
    case DrillVerdict::Passed:
        return u"✓"_s;
    case DrillVerdict::NotApplicable:
        break;
    }
    return u"–"_s;
}

qsizetype DrillReport::count(DrillVerdict verdict) const
{
    return std::count_if(
        results.cbegin(), results.cend(), [verdict](const DrillResult &result) { return result.verdict == verdict; });
}

DrillRunner::DrillRunner(sql::ConnectionSettings settings, sql::Target target, sql::DrillSpec spec)
    : m_settings(std::move(settings))
    , m_target(std::move(target))
    , m_spec(std::move(spec))
    , m_run(QUuid::createUuid().toString(QUuid::Id128).left(8))
{
}

sql::Result<std::unique_ptr<sql::Session>> DrillRunner::open() const
{
    TRY(auto session, sql::Session::open(m_settings, drillOptions()));
    // Each session is asked: one of several hosts, or whatever took over, may be another database.
    TRY(const auto place, sql::drillPlace(*session));
    if (!place.environment) {
        return notForDrills(Tr::tr("The database's owner does not say that it is for development, test or staging."),
            Tr::tr("Its owner says so with: COMMENT ON DATABASE … IS 'idemdesk: staging'."));
    }
    if (!m_server.isEmpty() && place.server != m_server) {
        return notForDrills(
            Tr::tr("Another server answered than the one that the drill began on."), Tr::tr("Start the drill anew."));
    }
    if (!place.counts) {
        return notForDrills(
            Tr::tr("The server does not count rows, so nothing keeps a statement from taking too many."),
            Tr::tr("Ask an administrator to set track_counts to on."));
    }
    if (session->facts().superuser) {
        return notForDrills(Tr::tr("The login is a superuser, for whom no rule of the database holds."),
            Tr::tr("Connect with a login that has the rights of the service."));
    }
    return session;
}

sql::DrillCall DrillRunner::call(const QString &name, const QString &payload, const QString &fact)
{
    const QString key = prefix() + name;
    static const QUuid kFacts(u"{6f0f2f57-5a10-4c43-9c0a-6a5b5d0c6f1e}"_s); // any one, so that facts follow from keys
    const QString made = QUuid::createUuidV5(kFacts, fact.isEmpty() ? key + payload : u"%1 %2"_s.arg(m_run, fact))
                             .toString(QUuid::WithoutBraces);
    sql::DrillCall one { key, made, uR"({"drill": "%1", "variant": "%2"})"_s.arg(key, payload) };
    m_calls += one;
    return one;
}

sql::Result<sql::DrillAnswer> DrillRunner::perform(const sql::DrillCall &call)
{
    TRY(const auto session, open());
    return sql::drillPerform(*session, m_spec, call);
}

sql::Result<sql::DrillAnswer> DrillRunner::performAndVanish(const sql::DrillCall &call)
{
    TRY(auto session, open());
    const auto answer = sql::drillPerform(*session, m_spec, call, false);
    const int backend = session->facts().backendPid;
    session.reset();
    // Else a service that does not wait for locks would be refused for the one that is only just going.
    TRY(const bool gone, sql::drillRolledBack(*m_session, backend));
    if (!gone) {
        return sql::makeError(sql::ErrorKind::Timeout, Tr::tr("A client that was gone kept its transaction."), {},
            Tr::tr("Start the drill anew."));
    }
    return answer;
}

sql::Result<DrillReport> DrillRunner::run(const std::stop_token &stop, const Progress &progress)
{
    if (m_settings.environment == sql::Environment::Production || m_settings.readOnly) {
        return notForDrills(Tr::tr("This connection is marked as Production, or as read-only."),
            Tr::tr("Connect to a database for development, test or staging."));
    }
    TRY(m_session, open());
    TRY(const auto place, sql::drillPlace(*m_session));
    m_server = place.server;
    DrillReport report;
    report.target = m_target.profile.name;
    report.title = targetLabel(m_target.profile);
    report.server = Tr::tr("%1 as %2", "database, login").arg(m_session->facts().database, m_session->facts().user);
    report.environment = *place.environment;
    report.run = m_run;
    TRY(report.at, sql::serverNow(*m_session));
    lookForEarlier(&report);
    TRY(probe(&report));
    for (const DrillTest &test : drillTests()) {
        if (stop.stop_requested()) {
            report.stopped = true;
            break;
        }
        progress(test);
        m_calls.clear();
        auto result = runTest(test);
        if (!result) {
            return interrupted(result.error(), &report);
        }
        tidyUp(&report);
        result->test = &test;
        report.results += *result;
    }
    m_session.reset();
    return report;
}

/// A drill that was killed could tell nobody what it left.
void DrillRunner::lookForEarlier(DrillReport *report)
{
    const auto rows = sql::drillsLeft(*m_session, m_target);
    if (rows && *rows > 0) {
        report->left
            += Tr::tr("An earlier drill left %n row(s). Their keys begin with %1; take them away.", nullptr, int(*rows))
                   .arg(sql::kDrillKeys);
    }
}

/// One command before any test: what keeps it from being carried out at all is no broken promise.
sql::Result<void> DrillRunner::probe(DrillReport *report)
{
    m_calls.clear();
    const sql::DrillCall one = call(u"probe"_s);
    sql::DrillAnswer first;
    const auto fault = begin(one, &first);
    if (!fault) {
        return interrupted(fault.error(), report);
    }
    tidyUp(report);
    if (!*fault) {
        return {};
    }
    const bool right = first.sqlState == u"42501";
    sql::Error error = sql::makeError(right ? sql::ErrorKind::Refused : sql::ErrorKind::Usage,
        Tr::tr("No test was run."), (*fault)->seen,
        right ? Tr::tr("Connect as the service's login.") : Tr::tr("Correct the statements of the drill."));
    if (!report->left.isEmpty() && !first.refused) {
        error.todo += u' ' + report->left.join(u' ');
    }
    return error;
}

/// A test could not go on. What it made is taken away, on another connection where this one went; what stayed is said.
sql::Error DrillRunner::interrupted(sql::Error error, DrillReport *report)
{
    bool tidied = m_session->alive();
    if (!tidied) {
        auto again = open();
        tidied = again.ok();
        if (again) {
            m_session = std::move(*again);
        }
    }
    if (tidied) {
        tidyUp(report);
    }
    if (!tidied || !report->left.isEmpty()) {
        error.todo = Tr::tr("Rows may be left whose key begins with %1. Take them away.").arg(prefix()) + u' '
            + report->left.join(u' ');
    }
    return error;
}

/// Takes away what the test made, and says what stayed.
void DrillRunner::tidyUp(DrillReport *report)
{
    const auto done = sql::drillCleanup(*m_session, m_spec, m_calls);
    if (!done) {
        report->left += Tr::tr("Keys that begin with %1: %2")
                            .arg(prefix(), done.error().line() + u' ' + done.error().detail.section(u'\n', 0, 0));
    }
    for (const sql::DrillCall &call : std::as_const(m_calls)) {
        const auto marks = sql::drillMarks(*m_session, m_target, call.key);
        const auto found = sql::drillEffects(*m_session, m_spec, call);
        if (!marks || !found || *marks > 0 || *found > 0) {
            const QString why = !marks || !found
                ? Tr::tr("Whether all is gone could not be counted.")
                : Tr::tr("%n row(s) with the key are still there,", nullptr, int(*marks)) + u' '
                    + Tr::tr("and %n effect(s). Correct “cleanup”.", nullptr, int(*found));
            report->left += Tr::tr("Key %1, fact %2: %3").arg(call.key, call.fact, why);
        }
    }
}

sql::Result<DrillResult> DrillRunner::runTest(const DrillTest &test)
{
    switch (test.id) {
    case DrillTestId::Twice:
        return twice();
    case DrillTestId::AtOnce:
        return atOnce();
    case DrillTestId::OtherPayload:
        return otherPayload();
    case DrillTestId::Crash:
        return crash();
    case DrillTestId::Redelivery:
        return redelivery();
    case DrillTestId::Replay:
        return replay();
    case DrillTestId::Expiry:
        return expiry();
    case DrillTestId::TwoKeys:
        break;
    }
    return twoKeys();
}

/// Sends the first command of a test, which nothing stands in the way of. What kept it from being carried out as the
/// profile says is a verdict.
sql::Result<std::optional<DrillResult>> DrillRunner::begin(const sql::DrillCall &call, sql::DrillAnswer *first)
{
    TRY(*first, perform(call));
    if (first->refused || !first->worked) {
        return std::optional(
            verdictOf(false, Tr::tr("The first command was not carried out: %1.").arg(answerText(*first))));
    }
    TRY(const qint64 done, effects(call));
    if (done == 0) {
        return std::optional(verdictOf(false, Tr::tr("The first command left no effect that “effects” counts.")));
    }
    TRY(const qint64 marks, sql::drillMarks(*m_session, m_target, call.key));
    return marks > 0 ? std::optional<DrillResult>()
                     : std::optional(verdictOf(false, Tr::tr("No row of the table has the key that was sent.")));
}

bool DrillRunner::usesFact() const
{
    QStringList statements = m_spec.perform;
    statements += m_spec.claim;
    return std::any_of(statements.cbegin(), statements.cend(),
        [](const QString &sql) { return sql::variablesIn(sql).contains(u"fact"_s); });
}

sql::Result<DrillResult> DrillRunner::twice()
{
    const sql::DrillCall one = call(u"twice"_s);
    sql::DrillAnswer first;
    TRY(const auto fault, begin(one, &first));
    if (fault) {
        return *fault;
    }
    TRY(const auto again, perform(one));
    TRY(const qint64 after, effects(one));
    const QString seen = effectsText(after) + u' '
        + (again.text == first.text && !again.refused
                ? Tr::tr("The retry got the same answer: %1.").arg(answerText(again))
                : Tr::tr("First: %1. The retry: %2.").arg(answerText(first), answerText(again)));
    return verdictOf(after == 1 && !again.refused, seen);
}

sql::Result<DrillResult> DrillRunner::atOnce()
{
    const sql::DrillCall one = call(u"at-once"_s);
    const AtOnceAnswers all = performAtOnce([this] { return open(); }, m_spec, one);
    if (all.answers.size() < 2) {
        return notApplicable(Tr::tr("The server gave too few connections: %n.", nullptr, int(all.answers.size()))
            + (all.refused ? u' ' + all.refused->line() : QString()));
    }
    TRY(const qint64 after, effects(one));
    TRY(const qint64 marks, sql::drillMarks(*m_session, m_target, one.key));
    const QString seen = Tr::tr("%n session(s) at once.", nullptr, int(all.answers.size())) + u' ' + effectsText(after)
        + u' ' + Tr::tr("%n row(s) with the key.", nullptr, int(marks)) + u' '
        + Tr::tr("Answers: %1.").arg(answersText(all.answers))
        + (all.lost ? u' ' + Tr::tr("A session was lost: %1").arg(all.lost->line()) : QString());
    return verdictOf(after == 1 && marks <= 1 && !all.lost, seen);
}

sql::Result<DrillResult> DrillRunner::otherPayload()
{
    const sql::DrillCall one = call(u"payload"_s);
    const sql::DrillCall other = call(u"payload"_s, u"b"_s);
    sql::DrillAnswer first;
    TRY(const auto fault, begin(one, &first));
    if (fault) {
        return *fault;
    }
    TRY(const auto again, perform(one)); // how an honest retry is answered
    TRY(const auto second, perform(other));
    TRY(const qint64 mine, effects(one));
    TRY(const qint64 others, effects(other));
    // Where effects are told by the key alone, both calls have the same ones.
    const QStringList told = sql::variablesIn(m_spec.effects);
    const bool apart
        = (usesFact() && told.contains(u"fact"_s)) || told.contains(u"payload"_s) || told.contains(u"hash"_s);
    const bool more = apart ? others > 0 : mine > 1;
    const bool asBefore = !second.refused && (second.text == first.text || second.text == again.text);
    const QString seen = Tr::tr("The other payload: %1.").arg(answerText(second)) + u' '
        + (asBefore ? Tr::tr("It got the answer of the first payload, as a retry does.") + u' ' : QString())
        + (more ? Tr::tr("It had an effect.") : Tr::tr("It had no effect."));
    return verdictOf(!more && mine == 1 && !asBefore, seen);
}

sql::Result<DrillResult> DrillRunner::crash()
{
    // Gone before the commit: nothing of it may be there, and the retry does it.
    const sql::DrillCall early = call(u"crash-before"_s);
    TRY(const auto lost, performAndVanish(early));
    TRY(const auto retried, perform(early));
    TRY(const qint64 once, effects(early));
    // Gone after the commit, before it heard the answer: the retry finds it.
    const sql::DrillCall late = call(u"crash-after"_s);
    TRY(const auto unheard, perform(late));
    TRY(const auto found, perform(late));
    TRY(const qint64 still, effects(late));
    const QString seen = Tr::tr("Gone before the commit, the retry: %1.").arg(answerText(retried)) + u' '
        + effectsText(once) + u' ' + Tr::tr("Gone after it, the retry: %1.").arg(answerText(found)) + u' '
        + effectsText(still);
    return verdictOf(!lost.refused && !unheard.refused && !retried.refused && retried.worked && once == 1
            && !found.refused && still == 1,
        seen);
}

sql::Result<DrillResult> DrillRunner::redelivery()
{
    if (!isForMessages(m_target.profile.kind)) {
        return notApplicable(Tr::tr("The table keeps no messages that are received."));
    }
    const sql::DrillCall one = call(u"message"_s);
    TRY(const auto first, perform(one));
    TRY(const auto again, perform(one));
    TRY(const qint64 after, effects(one));
    TRY(const qint64 marks, sql::drillMarks(*m_session, m_target, one.key));
    return verdictOf(!first.refused && !again.refused && after == 1 && marks == 1,
        effectsText(after) + u' ' + Tr::tr("%n row(s) with the key.", nullptr, int(marks)) + u' '
            + Tr::tr("First: %1. The retry: %2.").arg(answerText(first), answerText(again)));
}

sql::Result<DrillResult> DrillRunner::replay()
{
    QList<sql::DrillCall> calls;
    for (int i = 0; i < kReplayed; ++i) {
        calls += call(u"replay-%1"_s.arg(i));
        TRY(const auto first, perform(calls.constLast()));
        if (first.refused) {
            return verdictOf(false, Tr::tr("The first command was not carried out: %1.").arg(answerText(first)));
        }
    }
    QList<sql::DrillCall> order = calls;
    std::reverse(order.begin(), order.end());
    QList<sql::DrillAnswer> refused;
    for (const QList<sql::DrillCall> &round : { calls, order }) {
        for (const sql::DrillCall &one : round) {
            TRY(const auto again, perform(one));
            refused += again.refused ? QList<sql::DrillAnswer> { again } : QList<sql::DrillAnswer>();
        }
    }
    qint64 doubled = 0;
    for (const sql::DrillCall &one : std::as_const(calls)) {
        TRY(const qint64 after, effects(one));
        doubled += after == 1 ? 0 : 1;
    }
    const QString seen = Tr::tr("%n command(s), each played three times.", nullptr, kReplayed) + u' '
        + (doubled == 0 ? Tr::tr("Each had one effect.")
                        : Tr::tr("%n of them did not have just one effect.", nullptr, int(doubled)))
        + (refused.isEmpty() ? QString() : u' ' + Tr::tr("Answers: %1.").arg(answersText(refused)));
    return verdictOf(doubled == 0 && refused.isEmpty(), seen);
}

sql::Result<DrillResult> DrillRunner::expiry()
{
    if (m_spec.expire.isEmpty()) {
        return notApplicable(Tr::tr("The drill names no statement that makes a key expire."));
    }
    const sql::DrillCall one = call(u"expiry"_s);
    sql::DrillAnswer first;
    TRY(const auto fault, begin(one, &first));
    if (fault) {
        return *fault;
    }
    TRY(const qint64 expired, sql::drillExpire(*m_session, m_spec, one));
    if (expired == 0) {
        return verdictOf(false, Tr::tr("The statement “expire” changed no row, so the key did not expire."));
    }
    TRY(const auto again, perform(one));
    TRY(const qint64 after, effects(one));
    const QString seen = effectsText(after) + u' ' + Tr::tr("After the key expired: %1.").arg(answerText(again)) + u' '
        + (after == 0              ? Tr::tr("The effect is gone with the key.")
                : after == 1       ? Tr::tr("The business rule holds without the key.")
                : m_spec.runsAgain ? Tr::tr("The profile allows another effect then.")
                                   : Tr::tr("Nothing but the key kept it from being done again."));
    return verdictOf(after == 1 || (after > 1 && m_spec.runsAgain), seen);
}

sql::Result<DrillResult> DrillRunner::twoKeys()
{
    if (!usesFact()) {
        return notApplicable(Tr::tr("The statements of the drill name no fact of the business ($fact)."));
    }
    if (isForMessages(m_target.profile.kind)) {
        return notApplicable(Tr::tr("Two messages may well be about one fact."));
    }
    const sql::DrillCall one = call(u"key-1"_s, u"a"_s, u"shared"_s);
    const sql::DrillCall other = call(u"key-2"_s, u"a"_s, u"shared"_s);
    sql::DrillAnswer first;
    TRY(const auto fault, begin(one, &first));
    if (fault) {
        return *fault;
    }
    TRY(const auto second, perform(other));
    TRY(const qint64 mine, effects(one));
    TRY(const qint64 others, effects(other));
    // Where effects are told by the key, each call has its own.
    const qint64 after = sql::variablesIn(m_spec.effects).contains(u"fact"_s) ? mine : mine + others;
    return verdictOf(after == 1, effectsText(after) + u' ' + Tr::tr("The second key: %1.").arg(answerText(second)));
}

} // namespace idemdesk::models
