// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/triage/frozen_set.h"
#include "models/triage/triage_rules.h"

#include <QRegularExpression>
#include <QTest>
#include <functional>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using sql::Cell;
using sql::KeyState;
using sql::Known;
using sql::Role;

namespace {

/// Everything a judgement is made of, as a row starts: a stale local key with an owner, and one proving effect not
/// found.
struct Given {
    sql::Target target;
    sql::TriageFacts facts;
    sql::CompiledTarget compiled;
};
using Change = std::function<void(Given &)>;

constexpr int kRetry = 0;
constexpr int kFinal = 1;
constexpr int kSucceeded = 2;

sql::CompiledRule rule(std::optional<KeyState> to, const QString &needs = {})
{
    sql::CompiledRule made;
    made.from = { KeyState::InProgress };
    made.to = to;
    made.needsEffect = needs;
    return made;
}

Given usual()
{
    Given given;
    sql::Profile &profile = given.target.profile;
    profile.effects = { { u"order"_s, true, u"SELECT 1"_s } };
    sql::PolicySpec local;
    local.effect = u"local"_s;
    local.maxAttempts = u"5"_s;
    sql::PolicySpec external;
    external.effect = u"external"_s;
    profile.policies = { local, external };
    profile.roles.insert(Role::Owner, { u"t.claimed_by"_s });
    given.facts.record.state = KeyState::InProgress;
    given.facts.record.stale = true;
    given.facts.record.key = Cell::of(u"ord-1"_s);
    given.facts.record.roles.insert(Role::Status, Cell::of(u"processing"_s));
    given.facts.record.roles.insert(Role::Owner, Cell::of(u"worker-7"_s));
    given.facts.heartbeatFresh = Known::Unreadable; // the profile has neither
    given.facts.advisoryHeld = Known::Unreadable;
    given.facts.effects = { { u"order"_s, true, {}, {} } };
    given.facts.policy = 0;
    given.facts.maxAttempts = 5;
    given.facts.attempts = 1;
    given.compiled.rules
        = { rule(KeyState::FailedRetryable), rule(KeyState::FailedFinal), rule(KeyState::Succeeded, u"order"_s) };
    return given;
}

sql::EffectRow order(const QString &id)
{
    return { u"order"_s, true, Cell::of(id), {}, {} };
}

void found(Given &given)
{
    given.facts.effects.first().rows = { order(u"o-9"_s) };
}

sql::Timestamp at(const QString &clock)
{
    return sql::Timestamp::parse(u"2026-11-20 "_s + clock + u":00+00"_s).value_or(sql::Timestamp());
}

/// An effect outside of the database, which no query finds: the provider alone knows of it. Asked at 02:00.
Given external()
{
    Given given = usual();
    given.facts.policy = 1;
    given.target.profile.effects.clear();
    given.facts.effects.clear();
    given.compiled.rules.append(rule(KeyState::Succeeded));
    given.facts.record.roles.insert(Role::CreatedAt, Cell::of(u"2026-11-20 02:00:00+00"_s));
    sql::ProviderRow now;
    now.reference = Cell::of(u"r-1"_s);
    now.amount = Cell::of(u"10.00"_s);
    now.currency = Cell::of(u"eur "_s);
    now.at = at(u"02:00"_s);
    given.facts.providerNow = now;
    return given;
}

/// A word of a statement that covers 00:00 to 11:00, recorded at 12:00.
void hear(Given &given, sql::ProviderWord says)
{
    sql::ProviderEvidence word;
    word.reference = u"r-1"_s;
    word.says = says;
    word.amount = u"10"_s;
    word.currency = u"EUR"_s;
    word.provider = u"acme"_s;
    word.who = u"op"_s;
    word.at = word.knownSince = at(u"12:00"_s);
    if (says == sql::ProviderWord::NotInStatement) {
        word.from = at(u"00:00"_s);
        word.to = at(u"11:00"_s);
    } else {
        word.line = 2;
        word.lineAt = at(u"03:00"_s);
    }
    given.facts.provider.words.append(word);
}

void claimedAt(Given &given, const QString &clock)
{
    given.facts.record.roles.insert(Role::ClaimedAt, Cell::of(u"2026-11-20 "_s + clock + u":00+00"_s));
}

constexpr int kByWord = 3; // the rule to succeeded that needs no effect

} // namespace

Q_DECLARE_METATYPE(Change)

class TriageRulesTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void classFollowsTheFacts_data();
    void classFollowsTheFacts();
    void aWordCountsForWhatItWasAbout_data();
    void aWordCountsForWhatItWasAbout();
    void whatHappenedDoesNotRunAgain_data();
    void whatHappenedDoesNotRunAgain();
    void aRuleToSucceededBindsTheEffect();
    void hostileWordsAreShownAsEscapes();
};

void TriageRulesTest::classFollowsTheFacts_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<TriageClass>("cls");
    QTest::addColumn<int>("rule");
    QTest::addColumn<bool>("bulk");
    const auto row = [](const char *name, TriageClass cls, int rule, bool bulk, const Change &change) {
        QTest::newRow(name) << change << cls << rule << bulk;
    };
    using enum TriageClass;

    row("local without an effect is safe", SafeToRetry, kRetry, true, [](Given &) {});
    row("row locked", Running, -1, false, [](Given &g) { g.facts.rowLocked = Known::Yes; });
    row("owner connected", Running, -1, false, [](Given &g) { g.facts.ownerAlive = Known::Yes; });
    row("heartbeat fresh", Running, -1, false, [](Given &g) { g.facts.heartbeatFresh = Known::Yes; });
    row("advisory lock held", Running, -1, false, [](Given &g) { g.facts.advisoryHeld = Known::Yes; });
    row("running wins over an effect", Running, -1, false, [](Given &g) {
        found(g);
        g.facts.rowLocked = Known::Yes;
    });

    row("row locks unreadable", NeedsReview, -1, false, [](Given &g) { g.facts.rowLocked = Known::Unreadable; });
    row("sessions unreadable", NeedsReview, -1, false, [](Given &g) { g.facts.ownerAlive = Known::Unreadable; });
    row("sessions unreadable, but it has no owner", SafeToRetry, kRetry, true, [](Given &g) {
        g.facts.ownerAlive = Known::Unreadable;
        g.facts.record.roles.insert(Role::Owner, Cell());
    });
    row("declared heartbeat unreadable", NeedsReview, -1, false,
        [](Given &g) { g.target.profile.roles.insert(Role::HeartbeatAt, { u"t.seen_at"_s }); });
    row("declared advisory lock unreadable", NeedsReview, -1, false,
        [](Given &g) { g.target.profile.advisoryLock = u"1"_s; });
    row("effect found, locks unreadable", NeedsReview, -1, false, [](Given &g) {
        found(g);
        g.facts.rowLocked = Known::Unreadable;
    });

    row("nothing found by an empty link", NeedsReview, -1, false, [](Given &g) {
        g.facts.effects.first().unlinked = true;
        g.facts.effects.first().error = u"the row has no resource_id yet"_s;
    });
    row("nothing found by a query that proves nothing", NeedsReview, -1, false, [](Given &g) {
        g.target.profile.effects.first().proves = false;
        g.facts.effects.first().proves = false;
    });
    row("no evidence, and the profile's word", SafeToRetry, kRetry, true, [](Given &g) {
        g.target.profile.effects.clear();
        g.facts.effects.clear();
        g.target.profile.policies[0].safeToRepeat = u"Each step asks whether it was done."_s;
    });
    row("the profile's word, and an empty link", NeedsReview, -1, false, [](Given &g) {
        g.facts.effects.first().error = u"the row has no resource_id yet"_s;
        g.target.profile.policies[0].safeToRepeat = u"Each step asks whether it was done."_s;
    });
    row("the profile's word, tried too often", NeedsReview, -1, false, [](Given &g) {
        g.target.profile.policies[0].safeToRepeat = u"Each step asks whether it was done."_s;
        g.facts.attempts = 9;
    });
    row("the profile's word, and the effect is there", EffectHappened, kSucceeded, true, [](Given &g) {
        found(g);
        g.target.profile.policies[0].safeToRepeat = u"Each step asks whether it was done."_s;
    });

    row("effect found", EffectHappened, kSucceeded, true, [](Given &g) { found(g); });
    row("effect found for an expired external key", EffectHappened, kSucceeded, true, [](Given &g) {
        found(g);
        g.facts.policy = 1;
        g.facts.expired = true;
    });
    row("effect found after too many attempts", EffectHappened, kSucceeded, true, [](Given &g) {
        found(g);
        g.facts.attempts = 9;
    });
    row("effect found, no rule to record it", NeedsReview, -1, false, [](Given &g) {
        found(g);
        g.compiled.rules.removeLast();
    });
    row("effect found, its rule binds none", NeedsReview, -1, false, [](Given &g) {
        found(g);
        g.compiled.rules.last().needsEffect.clear();
    });
    row("effect without an id binds nothing", NeedsReview, -1, false, [](Given &g) {
        found(g);
        g.facts.effects.first().rows.first().id = Cell();
    });
    row("several effects", NeedsReview, -1, false, [](Given &g) {
        g.facts.effects.first().rows = { order(u"o-1"_s), order(u"o-2"_s) };
    });
    row("half of the proof", NeedsReview, -1, false, [](Given &g) {
        found(g);
        g.target.profile.effects.append({ u"ledger"_s, true, u"SELECT 1"_s });
        g.facts.effects.append({ u"ledger"_s, true, {}, {} });
    });
    row("effect that proves nothing", NeedsReview, -1, false, [](Given &g) {
        found(g);
        g.target.profile.effects.first().proves = false;
        g.facts.effects.first().proves = false;
    });

    row("evidence unreadable", NeedsReview, -1, false, [](Given &g) { g.facts.effects.first().error = u"denied"_s; });
    row("evidence not answered", NeedsReview, -1, false, [](Given &g) { g.facts.effects.clear(); });
    row("evidence unreadable though expired", NeedsReview, -1, false, [](Given &g) {
        g.facts.effects.first().error = u"denied"_s;
        g.facts.expired = true;
    });
    row("no evidence query", NeedsReview, -1, false, [](Given &g) {
        g.target.profile.effects.clear();
        g.facts.effects.clear();
    });

    row("expired", Abandoned, kFinal, true, [](Given &g) { g.facts.expired = true; });
    row("expired after too many attempts", Abandoned, kFinal, true, [](Given &g) {
        g.facts.expired = true;
        g.facts.attempts = 9;
    });
    row("expired and external: one at a time", Abandoned, kFinal, false, [](Given &g) {
        g.facts.expired = true;
        g.facts.policy = 1;
    });
    row("expired without an evidence query: one at a time", Abandoned, kFinal, false, [](Given &g) {
        g.facts.expired = true;
        g.target.profile.effects.clear();
        g.facts.effects.clear();
    });
    row("expired without a rule", NeedsReview, -1, false, [](Given &g) {
        g.facts.expired = true;
        g.compiled.rules.removeAt(kFinal);
    });

    row("external effect", NeedsReview, -1, false, [](Given &g) { g.facts.policy = 1; });
    row("no policy matches", NeedsReview, -1, false, [](Given &g) { g.facts.policy = -1; });
    row("attempts at the limit", NeedsReview, -1, false, [](Given &g) { g.facts.attempts = 5; });
    row("attempts one below the limit", SafeToRetry, kRetry, true, [](Given &g) { g.facts.attempts = 4; });
    row("limit of attempts unreadable", NeedsReview, -1, false, [](Given &g) { g.facts.maxAttempts.reset(); });
    row("attempts unreadable", NeedsReview, -1, false, [](Given &g) { g.facts.attempts.reset(); });

    row("freed by delete where nothing else frees", SafeToRetry, 0, true,
        [](Given &g) { g.compiled.rules = { rule(std::nullopt) }; });
    row("retryable preferred to delete", SafeToRetry, 1, true, [](Given &g) {
        g.compiled.rules = { rule(std::nullopt), rule(KeyState::FailedRetryable) };
    });
    row("put back to pending", SafeToRetry, 0, true, [](Given &g) { g.compiled.rules = { rule(KeyState::Pending) }; });
    row("no rule for this state", NeedsReview, -1, false, [](Given &g) { g.facts.record.state = KeyState::Pending; });
    row("rule for another status", NeedsReview, -1, false,
        [](Given &g) { g.compiled.rules.first().status = QStringList { u"held"_s }; });
    row("rule of another verb", NeedsReview, -1, false,
        [](Given &g) { g.compiled.rules.first().verb = sql::ActionVerb::Requeue; });
    row("rule forbids an effect that was not read", NeedsReview, -1, false,
        [](Given &g) { g.compiled.rules.first().forbidsEffect = u"ledger"_s; });
    row("rule forbids an effect that is absent", SafeToRetry, kRetry, true,
        [](Given &g) { g.compiled.rules.first().forbidsEffect = u"order"_s; });

    row("not stale", NeedsReview, -1, false, [](Given &g) { g.facts.record.stale = false; });
    row("staleness cannot be said", NeedsReview, -1, false, [](Given &g) { g.facts.record.stale.reset(); });
    row("succeeded", NeedsReview, -1, false, [](Given &g) {
        found(g);
        g.facts.record.state = KeyState::Succeeded;
    });
    row("unknown state", NeedsReview, -1, false, [](Given &g) { g.facts.record.state = KeyState::Unknown; });
    row("key that cannot be read", NeedsReview, -1, false, [](Given &g) { g.facts.record.key.error = u"bad JSON"_s; });
}

void TriageRulesTest::classFollowsTheFacts()
{
    QFETCH(const Change, change);
    QFETCH(const TriageClass, cls);
    QFETCH(const int, rule);
    QFETCH(const bool, bulk);
    Given given = usual();
    change(given);

    const TriageJudgement made = judgeTriage(given.target, given.facts, given.compiled);

    QCOMPARE(triageClassName(made.cls), triageClassName(cls));
    QCOMPARE(made.rule, rule);
    QCOMPARE(made.bulk, bulk);
    QVERIFY(!made.reasons.isEmpty());
    if (rule >= 0) {
        QVERIFY(made.proposed == given.compiled.rules.at(rule).to);
    } else {
        QVERIFY(!made.proposed.has_value());
    }
}

void TriageRulesTest::aWordCountsForWhatItWasAbout_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<TriageClass>("cls");
    QTest::addColumn<int>("rule");
    const auto row = [](const char *name, TriageClass cls, int rule, const Change &change) {
        QTest::newRow(name) << change << cls << rule;
    };
    using enum TriageClass;
    using enum sql::ProviderWord;
    row("nothing was said", NeedsReview, -1, [](Given &) {});
    row("happened", EffectHappened, kByWord, [](Given &g) { hear(g, Happened); });
    row("did not happen", SafeToRetry, kRetry, [](Given &g) { hear(g, DidNotHappen); });
    row("not in the statement", SafeToRetry, kRetry, [](Given &g) { hear(g, NotInStatement); });
    row("contradictory", NeedsReview, -1, [](Given &g) { hear(g, Contradictory); });
    row("happened, among others that say it did not", NeedsReview, -1, [](Given &g) {
        for (int i = 0; i < 30; ++i) {
            hear(g, NotInStatement);
        }
        hear(g, Happened);
    });
    row("there is more than is read", NeedsReview, -1, [](Given &g) {
        hear(g, NotInStatement);
        g.facts.provider.more = true;
    });
    row("it may not be read, though the work may be repeated", NeedsReview, -1, [](Given &g) {
        g.target.profile.policies[1].safeToRepeat = u"it is"_s;
        g.facts.providerUnread = true;
    });
    row("the row's own values could not be read", NeedsReview, -1, [](Given &g) {
        hear(g, Happened);
        g.facts.providerNow.reset();
    });
    row("another reference", NeedsReview, -1, [](Given &g) {
        hear(g, NotInStatement);
        g.facts.providerNow->reference = Cell::of(u"r-2"_s);
    });
    row("another amount", NeedsReview, -1, [](Given &g) {
        hear(g, Happened);
        g.facts.providerNow->amount = Cell::of(u"10.01"_s);
    });
    row("claimed after the statement's end", NeedsReview, -1, [](Given &g) {
        hear(g, NotInStatement);
        claimedAt(g, u"11:01"_s);
    });
    row("claimed before its beginning", NeedsReview, -1, [](Given &g) {
        hear(g, NotInStatement);
        claimedAt(g, u"00:00"_s);
        g.facts.provider.words[0].from = at(u"00:01"_s);
    });
    row("changed after its end", NeedsReview, -1, [](Given &g) {
        hear(g, NotInStatement);
        g.facts.record.roles.insert(Role::UpdatedAt, Cell::of(u"2026-11-20 11:30:00+00"_s));
    });
    row("claimed within it", SafeToRetry, kRetry, [](Given &g) {
        hear(g, NotInStatement);
        claimedAt(g, u"10:59"_s);
    });
    row("claimed after the line that failed", NeedsReview, -1, [](Given &g) {
        hear(g, DidNotHappen);
        claimedAt(g, u"03:01"_s);
    });
    row("failed at a time that the line does not tell", NeedsReview, -1, [](Given &g) {
        hear(g, DidNotHappen);
        g.facts.provider.words[0].lineAt.reset();
    });
    row("changed after the line that failed, and no claim is kept", NeedsReview, -1, [](Given &g) {
        hear(g, DidNotHappen);
        g.facts.record.roles.insert(Role::UpdatedAt, Cell::of(u"2026-11-20 03:01:00+00"_s));
    });
    row("changed after it, and claimed before", SafeToRetry, kRetry, [](Given &g) {
        hear(g, DidNotHappen);
        claimedAt(g, u"02:30"_s);
        g.facts.record.roles.insert(Role::UpdatedAt, Cell::of(u"2026-11-20 03:01:00+00"_s));
    });
    row("an older wrong word beside one of now", EffectHappened, kByWord, [](Given &g) {
        hear(g, AmountDiffers);
        hear(g, Happened);
        g.facts.provider.words[0].amount = u"9"_s;
    });
    row("an older double charge, and now it did not happen", NeedsReview, -1, [](Given &g) {
        hear(g, Twice);
        hear(g, DidNotHappen);
        g.facts.provider.words[0].amount = u"9"_s;
    });
    row("happened, and an empty ledger is no proof", NeedsReview, -1, [](Given &g) {
        hear(g, Happened);
        g.target.profile.effects = { { u"order"_s, true, u"SELECT 1"_s } };
        g.facts.effects = { { u"order"_s, true, {}, {} } };
        g.facts.effects[0].unproven = true;
    });
    row("claimed after it was recorded", NeedsReview, -1, [](Given &g) {
        hear(g, Happened);
        claimedAt(g, u"12:01"_s);
    });
    row("an older word beside one of the last attempt", SafeToRetry, kRetry, [](Given &g) {
        hear(g, DidNotHappen);
        hear(g, NotInStatement);
        claimedAt(g, u"04:00"_s);
    });
    row("it happened before the last attempt, which did not", NeedsReview, -1, [](Given &g) {
        hear(g, Happened);
        hear(g, DidNotHappen);
        g.facts.provider.words[0].knownSince = at(u"03:30"_s);
        g.facts.provider.words[1].lineAt = at(u"05:00"_s);
        claimedAt(g, u"04:00"_s);
    });
    row("happened, and a query looked for its effect and found none", NeedsReview, -1, [](Given &g) {
        hear(g, Happened);
        g.target.profile.effects = { { u"order"_s, true, u"SELECT 1"_s } };
        g.facts.effects = { { u"order"_s, true, {}, {} } };
    });
    row("happened, and the effect cannot be looked for", EffectHappened, kByWord, [](Given &g) {
        hear(g, Happened);
        g.target.profile.effects = { { u"order"_s, true, u"SELECT 1"_s } };
        g.facts.effects = { { u"order"_s, true, {}, u"It cannot be known."_s } };
        g.facts.effects[0].unlinked = g.facts.effects[0].noLink = g.facts.effects[0].blocks = true;
    });
    row("did not happen, and an effect that proves nothing cannot be looked for", SafeToRetry, kRetry, [](Given &g) {
        hear(g, DidNotHappen);
        g.target.profile.effects = { { u"charge"_s, false, u"SELECT 1"_s } };
        g.facts.effects = { { u"charge"_s, false, {}, u"It cannot be known."_s } };
        g.facts.effects[0].unlinked = g.facts.effects[0].noLink = g.facts.effects[0].blocks = true;
    });
    row("happened, and somebody may be writing the effect", NeedsReview, -1, [](Given &g) {
        hear(g, Happened);
        g.target.profile.effects = { { u"order"_s, true, u"SELECT 1"_s } };
        g.facts.effects = { { u"order"_s, true, {}, u"A transaction is under way."_s } };
        g.facts.effects[0].unlinked = g.facts.effects[0].blocks = true;
    });
}

void TriageRulesTest::aWordCountsForWhatItWasAbout()
{
    QFETCH(Change, change);
    QFETCH(TriageClass, cls);
    QFETCH(int, rule);
    Given given = external();
    change(given);
    const TriageJudgement made = judgeTriage(given.target, given.facts, given.compiled);
    QVERIFY2(made.cls == cls, qPrintable(triageClassName(made.cls) + u": "_s + made.reasons.join(u' ')));
    QCOMPARE(made.rule, rule);
    QVERIFY(!made.bulk);
    QCOMPARE(made.reasons.join(u' ').count(u"Recorded by op."_s), given.facts.provider.words.size());
    // What the provider settled is not said to be unknown beside it, and says in few words where that stands.
    const bool settled = cls == TriageClass::SafeToRetry || cls == TriageClass::EffectHappened;
    QVERIFY2(settled == made.brief.startsWith(u"Provider: It "_s), qPrintable(made.brief));
    // But a word says nothing of what was booked here: where that cannot be looked for, a person must know.
    const bool unknownHere = cls == TriageClass::EffectHappened
        && std::any_of(given.facts.effects.cbegin(), given.facts.effects.cend(),
            [](const sql::EffectResult &effect) { return effect.noLink; });
    QVERIFY2(!settled || made.reasons.join(u' ').contains(u"proves nothing"_s) == unknownHere,
        qPrintable(made.reasons.join(u' ')));
}

/// Whichever verb would let it run again, one key or many.
void TriageRulesTest::whatHappenedDoesNotRunAgain_data()
{
    QTest::addColumn<sql::ActionVerb>("verb");
    QTest::addColumn<std::optional<KeyState>>("to");
    QTest::addColumn<bool>("unread");
    QTest::addColumn<bool>("taken");
    const std::optional<KeyState> absent;
    for (const auto verb : { sql::ActionVerb::Requeue, sql::ActionVerb::Reclassify, sql::ActionVerb::Align }) {
        const auto row = [verb](const char *name, const std::optional<KeyState> &to, bool unread, bool taken) {
            QTest::addRow("%s, %s", qPrintable(sql::verbName(verb)), name) << verb << to << unread << taken;
        };
        row("to be retried", KeyState::FailedRetryable, false, false);
        row("to pending", KeyState::Pending, false, false);
        row("to nothing", absent, false, false);
        row("to succeeded", KeyState::Succeeded, false, true);
        row("to be retried, and words may not be read", KeyState::FailedRetryable, true, false);
        row("to succeeded, and words may not be read", KeyState::Succeeded, true, true);
    }
}

void TriageRulesTest::whatHappenedDoesNotRunAgain()
{
    QFETCH(sql::ActionVerb, verb);
    QFETCH(std::optional<KeyState>, to);
    QFETCH(bool, unread);
    QFETCH(bool, taken);
    Given given = external();
    given.facts.record.state = KeyState::FailedFinal;
    given.facts.leaseRuns = sql::Known::No;
    given.facts.providerUnread = unread;
    if (!unread) {
        hear(given, sql::ProviderWord::Happened);
    }
    sql::CompiledRule again;
    again.verb = verb;
    again.from = { KeyState::FailedFinal };
    again.to = to;
    given.compiled.rules = { again };
    const auto many = freeze(given.target, given.compiled, { { given.facts }, false, {}, {} }, verb, NewState(to));
    const auto one = freezeOne(given.target, given.compiled, given.facts, verb, to);
    QCOMPARE(many.rows.size(), taken ? 1 : 0);
    QCOMPARE(one.rows.size(), taken ? 1 : 0);
    if (!taken) {
        const QString why = unread ? u"may run a second time"_s : u"would run a second time"_s;
        QVERIFY2(many.skipped.constFirst().why.contains(why), qPrintable(many.skipped.constFirst().why));
        QVERIFY2(one.skipped.constFirst().why.contains(why), qPrintable(one.skipped.constFirst().why));
    }
}

void TriageRulesTest::aRuleToSucceededBindsTheEffect()
{
    Given given = usual();
    found(given);
    const TriageJudgement made = judgeTriage(given.target, given.facts, given.compiled);
    QCOMPARE(made.effectType, u"order"_s);
    QCOMPARE(made.effectId.text, u"o-9"_s);

    const Given safe = usual();
    QVERIFY(judgeTriage(safe.target, safe.facts, safe.compiled).effectId.null);
}

void TriageRulesTest::hostileWordsAreShownAsEscapes()
{
    Given given = usual();
    given.facts.rowLocked = Known::Yes;
    given.facts.lockedBy = u"psql\u202E\n%1"_s;
    const QString words = judgeTriage(given.target, given.facts, given.compiled).reasons.join(u' ');
    QVERIFY(!words.contains(QChar(0x202E)));
    QVERIFY(!words.contains(u'\n'));
}

QTEST_GUILESS_MAIN(TriageRulesTest)
#include "tst_triage_rules.moc"
