// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_file.h"
#include "models/verdict/verdict.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using sql::KeyState;
using sql::Known;

namespace {

IntentFacts intent(KeyState state, qint64 effects, bool readable = true)
{
    IntentFacts facts;
    facts.label = u"create_order / ord-1"_s;
    facts.state = state;
    facts.effects = { { u"order"_s, true, readable, effects } };
    facts.replays = 2;
    facts.conflicts = 0;
    return facts;
}

IntentFacts stuck(qint64 effects)
{
    IntentFacts facts = intent(KeyState::InProgress, effects);
    facts.stuck = true;
    facts.stuckSeconds = 27 * 86'400;
    return facts;
}

VerdictFacts facts(const QList<IntentFacts> &intents, bool alike = false)
{
    return { intents, alike, true, Known::No };
}

IntentFacts with(IntentFacts facts, qint64 conflicts)
{
    facts.conflicts = conflicts;
    return facts;
}

QStringList ids(const Verdict &verdict)
{
    QStringList all;
    for (const VerdictRule &rule : verdict.rules) {
        all += rule.id;
    }
    return all;
}

} // namespace

class VerdictTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void verdictsFollowTheFacts_data()
    {
        QTest::addColumn<VerdictFacts>("given");
        QTest::addColumn<VerdictKind>("kind");
        QTest::addColumn<Certainty>("certainty");
        QTest::addColumn<QString>("rule");
        const auto row = [](const char *name, const VerdictFacts &given, VerdictKind kind, Certainty certainty,
                             const QString &rule) { QTest::newRow(name) << given << kind << certainty << rule; };
        const IntentFacts done = intent(KeyState::Succeeded, 1);
        row("one effect, replayed", facts({ done }), VerdictKind::OneEffect, Certainty::Proven,
            u"succeeded-with-effect"_s);
        row("two intents alike, two effects", facts({ done, done }, true), VerdictKind::SeveralIntents,
            Certainty::Proven, u"intents-alike"_s);
        IntentFacts ofOne = done;
        ofOne.effects.first().ids = { u"ord-7"_s };
        IntentFacts ofAnother = done;
        ofAnother.effects.first().ids = { u"ord-8"_s };
        row("two intents, one effect", facts({ ofOne, ofOne }, true), VerdictKind::OneEffect, Certainty::Proven,
            u"effect-shared"_s);
        row("two intents, two effects by their numbers", facts({ ofOne, ofAnother }, true), VerdictKind::SeveralIntents,
            Certainty::Proven, u"intents-alike"_s);
        row("three intents, two effects", facts({ ofOne, ofOne, ofAnother }, true), VerdictKind::SeveralIntents,
            Certainty::Proven, u"intents-alike"_s);
        row("two intents of one effect, a third failed", facts({ ofOne, ofOne, intent(KeyState::FailedFinal, 0) }),
            VerdictKind::OneEffect, Certainty::Proven, u"effect-shared"_s);
        row("two intents of one effect, a third not finished", facts({ ofOne, ofOne, intent(KeyState::InProgress, 0) }),
            VerdictKind::Unfinished, Certainty::Open, u"in-progress"_s);
        row("two intents of one effect, a third unreadable",
            facts({ ofOne, ofOne, intent(KeyState::Succeeded, 0, false) }), VerdictKind::EvidenceMissing,
            Certainty::Open, u"effect-unreadable"_s);
        row("two effects, a third not finished", facts({ ofOne, ofAnother, intent(KeyState::InProgress, 0) }, true),
            VerdictKind::SeveralIntents, Certainty::Likely, u"in-progress"_s);
        row("two intents, perhaps both meant", facts({ done, done }), VerdictKind::SeveralIntents, Certainty::Likely,
            u"succeeded-with-effect"_s);
        VerdictFacts apart = facts({ done, done });
        apart.fingerprintsDiffer = true;
        row("two intents of different requests", apart, VerdictKind::SeveralIntents, Certainty::Likely,
            u"fingerprints-differ"_s);
        row("one intent, two effects", facts({ intent(KeyState::Succeeded, 2) }), VerdictKind::SeveralEffects,
            Certainty::Proven, u"several-effects"_s);
        row("conflict refused", facts({ with(done, 3) }), VerdictKind::ConflictRefused, Certainty::Proven,
            u"conflict-refused"_s);
        row("conflict, but the effect is unreadable", facts({ with(intent(KeyState::Succeeded, 0, false), 3) }),
            VerdictKind::EvidenceMissing, Certainty::Open, u"effect-unreadable"_s);
        row("in progress", facts({ intent(KeyState::InProgress, 0) }), VerdictKind::Unfinished, Certainty::Open,
            u"in-progress"_s);
        row("stuck", facts({ stuck(0) }), VerdictKind::Stuck, Certainty::Open, u"stuck"_s);
        row("stuck after the effect", facts({ stuck(1) }), VerdictKind::Stuck, Certainty::Open, u"effect-before-end"_s);
        row("one stuck, another still worked at", facts({ stuck(0), intent(KeyState::InProgress, 0) }),
            VerdictKind::Unfinished, Certainty::Open, u"stuck"_s);
        row("one done, another in progress", facts({ done, intent(KeyState::InProgress, 0) }), VerdictKind::Unfinished,
            Certainty::Open, u"in-progress"_s);
        row("crashed after the effect", facts({ intent(KeyState::InProgress, 1) }), VerdictKind::Unfinished,
            Certainty::Open, u"in-progress"_s);
        row("failed, nothing done", facts({ intent(KeyState::FailedFinal, 0) }), VerdictKind::NothingDone,
            Certainty::Proven, u"failed-without-effect"_s);
        row("failed, to be retried", facts({ intent(KeyState::FailedRetryable, 0) }), VerdictKind::NothingDone,
            Certainty::Likely, u"may-be-retried"_s);
        row("failed, but with effect", facts({ intent(KeyState::FailedFinal, 1) }), VerdictKind::OneEffect,
            Certainty::Likely, u"failed-with-effect"_s);
        row("succeeded without effect", facts({ intent(KeyState::Succeeded, 0) }), VerdictKind::EvidenceMissing,
            Certainty::Open, u"succeeded-without-effect"_s);
        row("state unknown", facts({ intent(KeyState::Unknown, 1) }), VerdictKind::EvidenceMissing, Certainty::Open,
            u"state-unknown"_s);
        row("nothing found", facts({}), VerdictKind::EvidenceMissing, Certainty::Open, u"no-intent"_s);
        IntentFacts undeclared = done;
        undeclared.effects.clear();
        row("no effect declared", facts({ undeclared }), VerdictKind::EvidenceMissing, Certainty::Open,
            u"no-effect-declared"_s);
        IntentFacts first = undeclared;
        first.answer = u"charge_id ch_1"_s;
        IntentFacts second = undeclared;
        second.answer = u"charge_id ch_2"_s;
        row("no effect declared, different answers", facts({ first, second }), VerdictKind::SeveralIntents,
            Certainty::Likely, u"answers-differ"_s);
        row("no effect declared, one answer", facts({ first, first }), VerdictKind::EvidenceMissing, Certainty::Open,
            u"no-effect-declared"_s);
        IntentFacts notProving = done;
        notProving.effects[0].proves = false;
        row("an effect that proves nothing", facts({ notProving }), VerdictKind::EvidenceMissing, Certainty::Open,
            u"no-effect-declared"_s);
        IntentFacts external = done;
        external.external = true;
        row("effect at a provider", facts({ external }), VerdictKind::OneEffect, Certainty::Likely,
            u"effect-external"_s);
        external.statements = { u"It did not."_s, u"It did not."_s, u"It did not."_s, u"It happened, by line 2."_s };
        row("a provider's statement about it", facts({ external }), VerdictKind::OneEffect, Certainty::Likely,
            u"provider-statement"_s);
        VerdictFacts narrow = facts({ done });
        narrow.searchedAll = false;
        row("not all searched", narrow, VerdictKind::OneEffect, Certainty::Likely, u"not-all-searched"_s);
        VerdictFacts purged = facts({ done });
        purged.purged = Known::Unreadable;
        row("perhaps purged", purged, VerdictKind::OneEffect, Certainty::Likely, u"history-purged"_s);
        IntentFacts twoTypes = done;
        twoTypes.effects.append({ u"payment"_s, true, true, 0 });
        row("one of two proving effects", facts({ twoTypes }), VerdictKind::EvidenceMissing, Certainty::Open,
            u"succeeded-without-effect"_s);
    }
    void verdictsFollowTheFacts()
    {
        QFETCH(VerdictFacts, given);
        QFETCH(VerdictKind, kind);
        QFETCH(Certainty, certainty);
        QFETCH(QString, rule);
        const Verdict verdict = verdictOf(given);
        QCOMPARE(kindWord(verdict.kind), kindWord(kind));
        QCOMPARE(certaintyWord(verdict.certainty), certaintyWord(certainty));
        QVERIFY2(ids(verdict).contains(rule), qPrintable(ids(verdict).join(u' ')));
        QVERIFY(!verdict.sentence.isEmpty() && !certaintyName(verdict.certainty).isEmpty());
        // "Open" reads like a case that somebody works on, which no verdict says.
        QCOMPARE(certaintyName(Certainty::Open), u"Not proven"_s);
        QVERIFY(verdict.certainty == Certainty::Proven || !verdict.open.isEmpty()
            || ids(verdict).contains(u"may-be-retried"));
    }

    void replaysAreSaidOnlyWhereRecorded()
    {
        IntentFacts done = intent(KeyState::Succeeded, 1);
        QVERIFY(verdictOf(facts({ done })).sentence.contains(u"replayed 2 times"));
        done.replays = std::nullopt;
        QVERIFY(verdictOf(facts({ done })).sentence.contains(u"not recorded"));
        // Of another intent, which failed, they say nothing.
        IntentFacts failed = intent(KeyState::FailedFinal, 0);
        failed.replays = 5;
        QVERIFY(verdictOf(facts({ done, failed })).sentence.contains(u"not recorded"));
        done.replays = 2;
        failed.replays = std::nullopt;
        QVERIFY(verdictOf(facts({ done, failed })).sentence.contains(u"replayed 2 times"));
        done.replays = std::nullopt;
        done.conflicts = std::nullopt;
        QVERIFY(ids(verdictOf(facts({ done }))).contains(u"conflicts-not-recorded"));
    }

    /// What the sentences say is what was counted: an effect that several intents share is one.
    void effectsAreCountedOnce()
    {
        IntentFacts first = intent(KeyState::Succeeded, 1);
        first.effects.first().ids = { u"ord-7"_s };
        IntentFacts other = first;
        other.effects.first().ids = { u"ord-8"_s };
        IntentFacts open = first;
        open.state = KeyState::InProgress;
        const Verdict two = verdictOf(facts({ first, first, other }));
        QVERIFY2(two.effects == 2 && two.sentence.startsWith(u"3 requests had 2 effects."), qPrintable(two.sentence));
        const Verdict unfinishedToo = verdictOf(facts({ open, first, other }));
        QVERIFY2(unfinishedToo.effects == 2 && unfinishedToo.sentence.startsWith(u"2 requests had 2 effects."),
            qPrintable(unfinishedToo.sentence));
        const Verdict oneOfTwo = verdictOf(facts({ intent(KeyState::Succeeded, 2), other }));
        QVERIFY2(oneOfTwo.effects == 3 && oneOfTwo.sentence.contains(u": 2 were seen"), qPrintable(oneOfTwo.sentence));
        const Verdict bothThere = verdictOf(facts({ open, other }));
        QVERIFY2(bothThere.kind == VerdictKind::Unfinished && bothThere.sentence.startsWith(u"2 effect"),
            qPrintable(bothThere.sentence));
    }

    /// Nobody waits for what no worker will finish: the verdict leads to a recovery.
    void whatIsStuckIsNeverToBeWaitedFor()
    {
        const Verdict verdict = verdictOf(facts({ stuck(0) }));
        QCOMPARE(verdict.sentence, u"Stuck for 27 d, outcome unknown."_s);
        QVERIFY2(!openSentences(verdict).join(u' ').contains(u"Wait"_s), qPrintable(openSentences(verdict).join(u' ')));
        QVERIFY(std::any_of(verdict.open.cbegin(), verdict.open.cend(),
            [](const OpenPoint &point) { return point.by == SettledBy::Recovery; }));
        const Verdict running = verdictOf(facts({ intent(KeyState::InProgress, 0) }));
        QVERIFY(openSentences(running).join(u' ').contains(u"Wait"_s));
        QVERIFY(std::none_of(running.open.cbegin(), running.open.cend(),
            [](const OpenPoint &point) { return point.by == SettledBy::Recovery; }));
        IntentFacts untimed = stuck(0);
        untimed.stuckSeconds = std::nullopt;
        QCOMPARE(verdictOf(facts({ untimed })).sentence, u"Stuck, outcome unknown."_s);
    }

    void factsHaveSigns()
    {
        const auto signOf = [](const Verdict &verdict, const QString &id) {
            for (const VerdictRule &rule : verdict.rules) {
                if (rule.id == id) {
                    return factSign(rule.sign);
                }
            }
            return QString();
        };
        QCOMPARE(signOf(verdictOf(facts({ intent(KeyState::Succeeded, 1) })), u"succeeded-with-effect"_s), u"✓"_s);
        QCOMPARE(signOf(verdictOf(facts({ intent(KeyState::Succeeded, 0) })), u"succeeded-without-effect"_s), u"✗"_s);
        QCOMPARE(signOf(verdictOf(facts({ intent(KeyState::Succeeded, 0, false) })), u"effect-unreadable"_s), u"?"_s);
    }

    void reusesElsewhereAreSaidAndNotCounted()
    {
        VerdictFacts given = facts({ intent(KeyState::Succeeded, 1) });
        given.conflictsElsewhere = 3;
        const Verdict verdict = verdictOf(given);
        QCOMPARE(kindWord(verdict.kind), u"one_effect"_s);
        QVERIFY(ids(verdict).contains(u"conflict-elsewhere"));
    }

    void labelsAreShownAsPlainText()
    {
        IntentFacts hostile = intent(KeyState::Succeeded, 1);
        hostile.label = u"a\u202Eb\n<img src=x>"_s;
        const QString sentence = verdictOf(facts({ hostile })).rules.first().sentence;
        QVERIFY(!sentence.contains(u'\u202E') && !sentence.contains(u'\n'));
    }

    /// Two intents of one key are told apart by their scope, or by their table; one alone needs neither.
    void oneKeyInSeveralPlaces()
    {
        const auto row = [](const QString &key, const QString &title, const QString &tenant) {
            CaseRow made;
            made.key = key;
            made.target.profile.title = title;
            made.target.profile.relation = u"app."_s + title;
            made.target.profile.scope = { { u"tenant"_s, { .sql = u"t.tenant"_s } } };
            made.detail.record.scope = { sql::Cell::of(tenant) };
            return made;
        };
        const auto labels = [](const QList<CaseRow> &rows) {
            CaseFile file;
            file.rows = rows;
            QStringList names;
            const QList<IntentFacts> intents = verdictFacts(file).intents;
            for (const IntentFacts &one : intents) {
                names += one.label;
            }
            return names;
        };
        QCOMPARE(labels({ row(u"a"_s, u"pay"_s, u"t1"_s), row(u"b"_s, u"pay"_s, u"t2"_s) }),
            (QStringList { u"a"_s, u"b"_s }));
        QCOMPARE(labels({ row(u"a"_s, u"pay"_s, u"t1"_s), row(u"a"_s, u"pay"_s, u"t2"_s) }),
            (QStringList { u"a (tenant: t1)"_s, u"a (tenant: t2)"_s }));
        QCOMPARE(labels({ row(u"a"_s, u"pay"_s, u"t1"_s), row(u"a"_s, u"mail"_s, u"t1"_s) }),
            (QStringList { u"a (pay)"_s, u"a (mail)"_s }));
    }

    void aLogLineWithoutTimeHasNoneInTheStory()
    {
        CaseFile file;
        file.conflictsKnown = true;
        file.conflicts = { sql::ConflictRecord() };
        QVERIFY(!timelineOf(file).first().at);
        QVERIFY(!caseJson(file).contains("1970"));
    }

    /// Over all small cases: taking a fact away never makes the verdict more certain, and what is unknown is never
    /// proven.
    void neverMoreCertainThanTheFacts()
    {
        QList<IntentFacts> all;
        for (const KeyState state : { KeyState::Pending, KeyState::InProgress, KeyState::Succeeded,
                 KeyState::FailedRetryable, KeyState::FailedFinal, KeyState::Unknown }) {
            for (qint64 effects = 0; effects < 3; ++effects) {
                all.append(intent(state, effects));
                all.append(with(intent(state, effects), 1));
            }
        }
        int cases = 0;
        for (const IntentFacts &first : all) {
            for (const IntentFacts &second : all) {
                const VerdictFacts known = facts({ first, second }, true);
                const Verdict verdict = verdictOf(known);
                VerdictFacts blind = known;
                blind.intents[0].effects[0].readable = false;
                VerdictFacts narrow = known;
                narrow.searchedAll = false;
                VerdictFacts undeclared = known;
                undeclared.intents[1].effects.clear();
                for (const VerdictFacts &less : { blind, narrow, undeclared }) {
                    const Verdict weaker = verdictOf(less);
                    QVERIFY(weaker.effects <= verdict.effects);
                    // Several effects seen in one intent stay seen whatever is hidden of the other.
                    const bool stillSeen = weaker.kind == VerdictKind::SeveralEffects;
                    QVERIFY(weaker.certainty <= verdict.certainty || stillSeen);
                }
                const bool open = first.state == KeyState::Unknown || second.state == KeyState::Unknown;
                QVERIFY(!open || verdict.certainty == Certainty::Open || verdict.kind == VerdictKind::SeveralEffects);
                ++cases;
            }
        }
        QCOMPARE(cases, 36 * 36);
    }

    /// One customer, amount and hour make two charges a suspicion; another amount makes them two purchases.
    void twoChargesOfOneMatter_data()
    {
        QTest::addColumn<QString>("first"); // customer/amount/number/minutes
        QTest::addColumn<QString>("second");
        QTest::addColumn<bool>("firstProven"); // its effect was found
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("suspected");
        QTest::newRow("the same") << u"x/10/c-1/0"_s << u"x/10/c-2/30"_s << false << u"several_intents"_s << true;
        QTest::newRow("one of them proven")
            << u"x/10/c-1/0"_s << u"x/10/c-2/30"_s << true << u"several_intents"_s << true;
        QTest::newRow("another amount") << u"x/10/c-1/0"_s << u"x/11/c-2/30"_s << false << u"evidence_missing"_s
                                        << false;
        QTest::newRow("another customer")
            << u"x/10/c-1/0"_s << u"y/10/c-2/30"_s << false << u"evidence_missing"_s << false;
        QTest::newRow("hours later") << u"x/10/c-1/0"_s << u"x/10/c-2/300"_s << false << u"several_intents"_s << false;
        QTest::newRow("no amount told") << u"//c-1/0"_s << u"//c-2/30"_s << false << u"several_intents"_s << false;
        QTest::newRow("one charge") << u"x/10/c-1/0"_s << u"x/10/c-1/30"_s << false << u"evidence_missing"_s << false;
    }
    void twoChargesOfOneMatter()
    {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QFETCH(bool, firstProven);
        QFETCH(QString, kind);
        QFETCH(bool, suspected);
        VerdictFacts facts;
        facts.searchedAll = true;
        facts.purged = sql::Known::No;
        for (const QString &told : { first, second }) {
            const QStringList parts = told.split(u'/');
            IntentFacts intent;
            intent.label = u"k<"_s + QString::number(facts.intents.size());
            intent.state = sql::KeyState::Succeeded;
            intent.answer = parts.at(2);
            intent.charge = { parts.at(0), parts.at(1), parts.at(2),
                sql::Timestamp { sql::Timestamp::Kind::Finite, parts.at(3).toLongLong() * 60'000'000 } };
            EffectFact effect;
            effect.type = u"charge"_s;
            effect.count = firstProven && facts.intents.isEmpty() ? 1 : 0;
            effect.ids = effect.count > 0 ? QStringList { parts.at(2) } : QStringList();
            intent.effects = { effect };
            facts.intents += intent;
        }
        const Verdict verdict = verdictOf(facts);
        QCOMPARE(kindWord(verdict.kind), kind);
        QVERIFY(verdict.certainty != Certainty::Proven);
        const bool told = std::any_of(verdict.rules.cbegin(), verdict.rules.cend(),
            [](const VerdictRule &rule) { return rule.id == u"two-charges"; });
        QCOMPARE(told, suspected);
    }

    /// A key that nobody asked about, and that may be the other half of the complaint.
    void otherChargesLowerTheCertainty()
    {
        VerdictFacts facts;
        facts.searchedAll = true;
        facts.purged = sql::Known::No;
        IntentFacts intent;
        intent.label = u"k-1"_s;
        intent.state = sql::KeyState::Succeeded;
        intent.conflicts = 0;
        EffectFact effect;
        effect.type = u"charge"_s;
        effect.count = 1;
        effect.ids = { u"c-1"_s };
        intent.effects = { effect };
        facts.intents = { intent };
        QCOMPARE(verdictOf(facts).certainty, Certainty::Proven);
        facts.otherCharges = { u"k-2\n<b>"_s };
        const Verdict verdict = verdictOf(facts);
        QCOMPARE(verdict.kind, VerdictKind::OneEffect);
        QCOMPARE(verdict.certainty, Certainty::Likely);
        QVERIFY2(verdict.rules.constLast().sentence.contains(u"k-2\\n<b>"_s),
            qPrintable(verdict.rules.constLast().sentence));
    }

    /// A verdict on one member's rows claims nothing of a member that was not searched.
    void otherMembersLimitWhatIsClaimed()
    {
        const auto judged = [](const MemberFact &member, int intents = 1) {
            VerdictFacts given = facts(QList<IntentFacts>(intents, intent(KeyState::Succeeded, 1)), true);
            given.searchedAll = true;
            given.purged = sql::Known::No;
            for (int i = 0; i < intents; ++i) {
                given.intents[i].conflicts = 0;
                given.intents[i].effects[0].ids = { QString::number(i) };
            }
            given.member = u"eu\n<b>"_s;
            given.elsewhere = { member };
            return verdictOf(given);
        };
        MemberFact member;
        member.label = u"us"_s;
        member.searched = true;
        const Verdict none = judged(member);
        QCOMPARE(none.kind, VerdictKind::OneEffect);
        QCOMPARE(none.certainty, Certainty::Proven);
        QVERIFY2(none.sentence.startsWith(u"In eu\\n<b>: There was one effect."_s), qPrintable(none.sentence));
        QCOMPARE(none.rules.constLast().id, u"member-no-match"_s);
        member.same = 1;
        QCOMPARE(judged(member).certainty, Certainty::Proven);
        member.apart = 1;
        QCOMPARE(judged(member).kind, VerdictKind::OneEffect);
        QCOMPARE(judged(member).certainty, Certainty::Likely);
        member.otherCharges = { u"k-2\n<b>"_s };
        const Verdict twice = judged(member);
        QCOMPARE(twice.kind, VerdictKind::SeveralIntents);
        QCOMPARE(twice.certainty, Certainty::Likely);
        QVERIFY(twice.rules.at(twice.rules.size() - 3).sentence.contains(u"k-2\\n<b>"_s));
        MemberFact down;
        down.label = u"ap"_s;
        down.why = u"It does not answer."_s;
        const Verdict unknown = judged(down);
        QCOMPARE(unknown.kind, VerdictKind::EvidenceMissing);
        QCOMPARE(unknown.certainty, Certainty::Open);
        QVERIFY2(unknown.sentence.endsWith(u"What ap holds is not known."_s), qPrintable(unknown.sentence));
        QVERIFY(unknown.rules.constLast().sentence.contains(u"It does not answer."_s));
        // What was done twice here stays so, whatever another one holds.
        QCOMPARE(judged(down, 2).kind, VerdictKind::SeveralIntents);
    }

    /// The numbers by which two charges are told apart may be longer than a double is exact.
    void numbersOfAnswersAreExact()
    {
        CaseFile file;
        for (const QString &id : { u"12345678901234567890"_s, u"12345678901234567891"_s }) {
            CaseRow row;
            row.key = u"k-"_s + id;
            row.detail.record.roles.insert(
                sql::Role::ResponseBody, sql::Cell::of(u"{\"ok\": true, \"charge_id\": "_s + id + u'}'));
            file.rows += row;
        }
        const QList<IntentFacts> intents = verdictFacts(file).intents;
        QCOMPARE(intents.size(), 2);
        QCOMPARE(intents.at(0).answer, u"charge_id 12345678901234567890"_s);
        QCOMPARE(intents.at(1).answer, u"charge_id 12345678901234567891"_s);
    }
};

QTEST_GUILESS_MAIN(VerdictTest)
#include "tst_verdict.moc"
