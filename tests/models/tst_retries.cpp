// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_masking.h"
#include "models/conflicts/conflict_words.h"
#include "models/retries/cause_model.h"
#include "models/retries/causes.h"
#include "models/retries/error_codes.h"
#include "models/retries/retry_json.h"
#include "models/retries/retry_words.h"
#include "sql/health/health_checks.h"
#include "tests/support/long_sentences.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QTest>

using namespace idemdesk::models;
using namespace idemdesk::sql;
using namespace Qt::StringLiterals;

/// What is said of retries and of error codes, without a server.
class RetriesTest final : public QObject
{
    Q_OBJECT

    Timestamp m_now = *Timestamp::parse(u"2026-11-20 12:00:00+00"_s);

    static RetryAnswer answer(RetryOutcome outcome)
    {
        RetryAnswer one;
        one.outcome = outcome;
        one.rule = int(outcome);
        return one;
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void everyOutcomeIsASentence();
    void aWaitSaysUntilWhen();
    void reasonsAreToldOnce();
    void hostileReasonsAreMadeSafe();
    void aCacheIsAskedFirst();
    void maskedValuesStayOut();
    void codesAreKnownByNumberNameAndClass();
    void theReportKnowsTheSameCodes();
    void codesStandInTexts();
    void conflictsHaveTheirCode();
    void causesLeadToTheirKeys();
    void passingFailuresAreOffered();
    void aRetryIsToldByTheRules();
    void causesAreAModel();
};

void RetriesTest::everyOutcomeIsASentence()
{
    QSet<QString> seen;
    for (const TargetKind kind : kAllOf<TargetKind>) {
        for (const RetryOutcome outcome : kAllOf<RetryOutcome>) {
            const QString same = sameRetrySentence(answer(outcome), kind, m_now, {});
            const QString other = otherRetrySentence(answer(outcome), kind, m_now, {});
            for (const QString &text : { same, other }) {
                QVERIFY(text.endsWith(u'.') && !text.contains(u'%'));
                QVERIFY2(idemdesk::tests::longSentences(text).isEmpty(), qPrintable(text));
            }
            if (kind == TargetKind::Request || kind == TargetKind::Inbox || kind == TargetKind::Lease) {
                QVERIFY2(!seen.contains(same), qPrintable(same)); // each outcome has words of its own
                seen.insert(same);
            }
        }
    }
    QCOMPARE(retrySummary({}, TargetKind::Request, m_now, {}), u"What a retry does now cannot be known."_s);
}

/// A cache in front is asked first: it holds the retry off, whatever the table would do.
void RetriesTest::aCacheIsAskedFirst()
{
    RetryAnswers answers;
    answers.same = answer(RetryOutcome::TakesOver);
    CacheBefore cache;
    const auto told = [&] { return retrySummary(cache, answers, TargetKind::Request, m_now, {}); };
    QCOMPARE(told(), retrySummary(answers, TargetKind::Request, m_now, {}));
    cache.does = CacheBefore::Does::HoldsOff;
    QCOMPARE(told(),
        u"A retry is held off by the cache, without an end. One that reaches the table takes the key over and runs the "
        "work."_s);
    cache.until = m_now;
    cache.until->micros += 22 * 3'600 * kMicros;
    QVERIFY2(told().startsWith(u"A retry is held off by the cache until "_s) && told().contains(u", in 22 h. One"_s),
        qPrintable(told()));
    cache.forNothing = true;
    QVERIFY(told().startsWith(u"A retry is held off by the cache for nothing until "_s));
    cache.does = CacheBefore::Does::Answers;
    cache.answer = u"Succeeded"_s;
    QVERIFY(told().startsWith(u"The cache answers a retry with “Succeeded” until "_s));
    for (const RetryOutcome outcome : kAllOf<RetryOutcome>) {
        answers.same = answer(outcome);
        QVERIFY2(told().contains(u"One that reaches the table "_s), qPrintable(told()));
        QVERIFY2(idemdesk::tests::longSentences(told()).isEmpty(), qPrintable(told()));
    }
}

void RetriesTest::aWaitSaysUntilWhen()
{
    RetryAnswer wait = answer(RetryOutcome::Wait);
    wait.sqlState = u"P4029"_s;
    wait.http = 409;
    QCOMPARE(sameRetrySentence(wait, TargetKind::Request, m_now, {}), u"A retry now has to wait (P4029, HTTP 409)."_s);
    wait.until = m_now;
    wait.until->micros += 180'000'000;
    QCOMPARE(sameRetrySentence(wait, TargetKind::Request, m_now, {}),
        u"A retry now has to wait until 2026-11-20 12:03:00, in 3 min (P4029, HTTP 409)."_s);
    QVERIFY(sameRetrySentence(wait, TargetKind::Inbox, m_now, {}).contains(u"still waits until 2026-11-20"_s));
    QVERIFY(!otherRetrySentence(wait, TargetKind::Inbox, m_now, {}).contains(u"until"_s));
    QVERIFY(otherRetrySentence(wait, TargetKind::Request, m_now, {}).contains(u"until"_s));
    wait.until = Timestamp::parse(u"infinity"_s);
    QVERIFY(sameRetrySentence(wait, TargetKind::Request, m_now, {}).contains(u"without an end"_s));
    const QJsonObject json = retryJson({ wait, answer(RetryOutcome::Conflict) }, TargetKind::Request, m_now);
    QCOMPARE(json[u"same"_s][u"outcome"_s].toString(), u"wait"_s);
    QCOMPARE(json[u"same"_s][u"http"_s].toInt(), 409);
    QCOMPARE(json[u"other"_s][u"outcome"_s].toString(), u"conflict"_s);
}

void RetriesTest::reasonsAreToldOnce()
{
    RetryAnswers answers { answer(RetryOutcome::TakesOver), answer(RetryOutcome::TakesOver) };
    answers.same.reason = answers.other.reason = u"The lease is over."_s;
    QCOMPARE(retryReasons(answers), QStringList { u"The lease is over."_s });
    answers.attempts = 9;
    answers.maxAttempts = 5;
    QVERIFY(retryReasons(answers).last().contains(u"9 attempts"_s));
    answers.expired = true;
    QVERIFY(retryReasons(answers).last().contains(u"after a purge"_s));
    answers.attempts = 4;
    QCOMPARE(retryReasons(answers).size(), 2);
}

void RetriesTest::hostileReasonsAreMadeSafe()
{
    RetryAnswers answers { answer(RetryOutcome::Replay), {} };
    answers.same.reason = u"<img src=\"/dev/zero\">\u202Eabc\nline"_s;
    answers.other.unknown = QString(5'000, u'x');
    const QString text = retryReasons(answers).join(u' ');
    QVERIFY(!text.contains(QChar(0x202E)) && !text.contains(u'\n') && text.size() < 1'000);
}

void RetriesTest::maskedValuesStayOut()
{
    Profile profile;
    profile.masking = { u"secret"_s };
    RetryRule rule;
    rule.outcome = RetryOutcome::Wait;
    rule.until = u"t.secret"_s;
    rule.http = u"t.open"_s;
    profile.retry = QList<RetryRule> { rule };
    const QStringList masked = maskedNames(profile, { u"secret"_s, u"open"_s });
    RetryAnswers answers { answer(RetryOutcome::Wait), {} };
    answers.same.rule = 0;
    answers.same.until = m_now;
    answers.same.http = 409;
    answers.other.unknown = u"invalid input: 4711"_s;
    const RetryAnswers shown = retryWithoutMasked(profile, answers, masked);
    QVERIFY(!shown.same.until);
    QCOMPARE(shown.same.http, std::optional(409));
    QVERIFY(!shown.other.unknown.contains(u"4711"_s));
}

void RetriesTest::codesAreKnownByNumberNameAndClass()
{
    const auto cls = [](const QString &code) { return errorCodeOf(code)->cls; };
    for (const QString &code : { u"40001"_s, u"40P01"_s, u"55P03"_s, u"57P01"_s, u"08006"_s, u"08003"_s, u"53300"_s,
             u"P4029"_s, u"deadlock_detected"_s, u"40p01"_s, u" 40001 "_s }) {
        QCOMPARE(cls(code), FailureClass::Passing);
    }
    for (const QString &code : { u"23514"_s, u"22P02"_s, u"42501"_s, u"P4002"_s, u"P4030"_s, u"P4050"_s, u"P4099"_s }) {
        QCOMPARE(cls(code), FailureClass::Final);
    }
    for (const QString &code : { u"23505"_s, u"unique_violation"_s, u"P4010"_s, u"P4011"_s }) {
        QCOMPARE(cls(code), FailureClass::Depends);
    }
    for (const QString &code : { u"case_closed"_s, u"not_card_declined"_s, u"timeout_config"_s, u""_s, u"08"_s,
             u"4711"_s, u"99999"_s, u"08 06"_s }) {
        QVERIFY2(!errorCodeOf(code) || code == u"08", qPrintable(code));
    }
    // A service's own words, by what they usually mean; an ending alone is no word.
    for (const auto &[word, meant] :
        QList<std::pair<QString, FailureClass>> { { u"card_declined"_s, FailureClass::Final },
            { u"INVALID-AMOUNT"_s, FailureClass::Final }, { u"evidence_too_large"_s, FailureClass::Final },
            { u"gateway_timeout"_s, FailureClass::Depends }, { u"LOCK_TIMEOUT"_s, FailureClass::Passing },
            { u"document_store_down"_s, FailureClass::Passing }, { u"rate_limited"_s, FailureClass::Passing },
            { u"CardDeclined"_s, FailureClass::Final }, { u"429"_s, FailureClass::Passing },
            { u"504"_s, FailureClass::Depends }, { u"internal"_s, FailureClass::Depends } }) {
        const auto code = errorCodeOf(word);
        QVERIFY2(code && code->byName && code->cls == meant && code->code == word, qPrintable(word));
        QVERIFY2(idemdesk::tests::longSentences(code->meaning).isEmpty(), qPrintable(word));
        QVERIFY2(errorCodeText(word).contains(u"by its name"_s), qPrintable(word));
    }
    for (const ErrorCode &code : errorCodes()) {
        for (const QString &text : { code.meaning, code.advice }) {
            QVERIFY2(text.endsWith(u'.') && idemdesk::tests::longSentences(text).isEmpty(), qPrintable(text));
        }
    }
}

/// What the health report finds stored as final is what the page of causes offers for reclassification.
void RetriesTest::theReportKnowsTheSameCodes()
{
    const QRegularExpression passing(health::passingCodesPattern(), QRegularExpression::CaseInsensitiveOption);
    int looked = 0;
    for (const ErrorCode &code : errorCodes()) {
        const QString state = code.code.size() == 2 ? code.code + u"999"_s : code.code;
        if (code.byName || state.size() != 5) {
            continue;
        }
        ++looked;
        const bool expected = code.cls == FailureClass::Passing;
        QVERIFY2(passing.match(state).hasMatch() == expected, qPrintable(state));
        QVERIFY2(code.name.isEmpty() || passing.match(code.name).hasMatch() == expected, qPrintable(code.name));
    }
    QVERIFY(looked > 30);
    QVERIFY(!passing.match(u"140001"_s).hasMatch());
}

void RetriesTest::codesStandInTexts()
{
    const auto codes = [](const QString &text) {
        QStringList found;
        for (const ErrorCode &code : errorCodesIn(text)) {
            found += code.code;
        }
        return found;
    };
    QCOMPARE(
        codes(u"ERROR P4002: key reused, SQLSTATE 40001, again P4002"_s), (QStringList { u"P4002"_s, u"40001"_s }));
    QCOMPARE(codes(u"order 40001 of customer 23505"_s), QStringList());
}

void RetriesTest::conflictsHaveTheirCode()
{
    ConflictRecord record;
    record.kind = u"deadlock"_s;
    QCOMPARE(conflictCode(record), u"40P01"_s);
    QVERIFY(conflictMeaning(record).contains(u"Temporary"_s) && !conflictSentence(record).contains(u"40P01"_s));
    record.kind = u"application"_s;
    QCOMPARE(conflictCode(record), QString());
    record.message = u"claim refused (P4030)"_s;
    QCOMPARE(conflictCode(record), u"P4030"_s);
}

void RetriesTest::causesLeadToTheirKeys()
{
    CauseGroup group;
    group.cause = u"it's \"quoted\""_s;
    group.coded = true;
    QVERIFY(causeFilter(group, true).startsWith(u"state:failed_final error:"_s));
    group.coded = false;
    group.cause = u"field # of message poison-#: expected a text"_s;
    // The longest part that all of the group have.
    QCOMPARE(causeFilter(group, false), u"state:failed_final,failed_retryable error:~\"of message poison-\""_s);
    group.cause = u"#"_s;
    QVERIFY(causeFilter(group, true).isEmpty()); // else all that failed would be taken for them
    group.cause.clear();
    QVERIFY(causeText(group).contains(u"does not say"_s));
}

void RetriesTest::passingFailuresAreOffered()
{
    CauseGroup group;
    group.cause = u"40P01"_s;
    group.coded = true;
    group.final = 3;
    Profile profile;
    QVERIFY(!causeOffer(group, profile, true).why.isEmpty()); // no rule
    ActionRule rule;
    rule.from = { KeyState::FailedFinal };
    rule.to = KeyState::FailedRetryable;
    profile.reclassify = { rule };
    QCOMPARE(causeOffer(group, profile, true).verb, std::optional(ActionVerb::Reclassify));
    QVERIFY(!causeOffer(group, profile, false).verb); // not registered
    group.final = 0;
    QVERIFY(!causeOffer(group, profile, true).verb && causeOffer(group, profile, true).why.isEmpty());
    group.final = 3;
    group.cause = u"rate_limited"_s; // only its service knows what it meant
    QVERIFY(!causeOffer(group, profile, true).verb);
    group.cause = u"23514"_s;
    QVERIFY(!causeOffer(group, profile, true).verb && causeOffer(group, profile, true).why.isEmpty());
}

/// However the failures are stored.
void RetriesTest::aRetryIsToldByTheRules()
{
    CauseGroup group;
    group.retryable = 5;
    QCOMPARE(causeRetryText(group), u"not known"_s);
    group.retries = { { RetryOutcome::Refused, 5 } };
    QCOMPARE(causeRetryText(group), u"refused"_s);
    group.retries = { { RetryOutcome::Refused, 1 }, { RetryOutcome::TakesOver, 1 }, { RetryOutcome::RunsAgain, 1 } };
    QCOMPARE(causeRetryText(group), u"runs again 2, not known 2, refused 1"_s);
}

void RetriesTest::causesAreAModel()
{
    CauseModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    CausePage page;
    page.now = m_now;
    page.groups = { { u"40P01"_s, true, 2, 1, m_now, m_now, u"deadlock\u202E"_s }, {} };
    model.setPage(page);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, CauseModel::Class).data().toString(), u"Temporary"_s);
    QCOMPARE(model.index(0, CauseModel::Last).data().toString(), u"2026-11-20 12:00:00"_s);
    QVERIFY(!model.index(0, CauseModel::Cause).data(Qt::ToolTipRole).toString().contains(QChar(0x202E)));
    page.groups.clear();
    model.setPage(page);
    QCOMPARE(model.rowCount(), 0);
}

QTEST_GUILESS_MAIN(RetriesTest)
#include "tst_retries.moc"
