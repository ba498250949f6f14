// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/words.h"

#include <QMap>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

QStringList wordsOf(const QString &name)
{
    // Names that fold to lower case lose their humps: messageid, idempotencykey.
    static const QRegularExpression glued(
        u"^(idempotency|message|event|request|command|operation|correlation|aggregate|tenant|user)"
        "(id|key|type|hash|uuid)$"_s);
    QStringList words;
    QString word;
    const auto finish = [&] {
        const auto parts = glued.match(word.toLower());
        if (parts.hasMatch()) {
            words += { parts.captured(1), parts.captured(2) };
        } else if (!word.isEmpty()) {
            words.append(word.toLower());
        }
        word.clear();
    };
    for (qsizetype i = 0; i < name.size(); ++i) {
        const QChar c = name.at(i);
        if (!c.isLetterOrNumber()) {
            finish();
            continue;
        }
        const bool humpBegins = c.isUpper() && i > 0 && (name.at(i - 1).isLower() || name.at(i - 1).isDigit());
        const bool acronymEnds
            = c.isUpper() && i > 0 && i + 1 < name.size() && name.at(i - 1).isUpper() && name.at(i + 1).isLower();
        if (humpBegins || acronymEnds) {
            finish();
        }
        word += c;
    }
    finish();
    return words;
}

bool hasAny(const QStringList &words, const QStringList &wanted)
{
    for (const QString &word : words) {
        if (wanted.contains(word)) {
            return true;
        }
    }
    return false;
}

namespace {

using Vocabulary = QMap<QString, KeyState>;

void addWords(Vocabulary *map, KeyState state, const QString &words)
{
    for (const QString &word : words.split(u' ')) {
        map->insert(word, state);
    }
}

const QStringList kAgain { u"retry"_s, u"retrying"_s, u"retryable"_s, u"retries"_s, u"temporary"_s, u"transient"_s };
const QStringList kForGood { u"exceeded"_s, u"exhausted"_s, u"permanent"_s, u"permanently"_s, u"terminal"_s, u"dead"_s,
    u"poisoned"_s, u"aborted"_s, u"abandoned"_s, u"final"_s };
const QStringList kBroken { u"failed"_s, u"failure"_s, u"error"_s, u"errors"_s, u"crashed"_s };
const QStringList kWaits { u"waiting"_s, u"awaiting"_s, u"pending"_s, u"queued"_s, u"scheduled"_s, u"delayed"_s };

/// A word made of several, by the one that decides.
std::optional<KeyState> stateOfWords(const QStringList &words)
{
    const bool ended = hasAny(words, kForGood);
    if (hasAny(words, kAgain) && !ended) {
        return KeyState::FailedRetryable;
    }
    if (ended || hasAny(words, kBroken)) {
        return KeyState::FailedFinal;
    }
    if (kWaits.contains(words.first())) {
        return KeyState::Pending;
    }
    static const QStringList done { u"completed"_s, u"succeeded"_s, u"processed"_s, u"finished"_s };
    if (done.contains(words.first()) || done.contains(words.last())) {
        return KeyState::Succeeded;
    }
    static const QStringList at { u"processing"_s, u"executing"_s, u"running"_s, u"sending"_s, u"publishing"_s };
    return at.contains(words.first()) ? std::optional(KeyState::InProgress) : std::nullopt;
}

} // namespace

std::optional<KeyState> stateOfWord(const QString &raw)
{
    static const Vocabulary vocabulary = [] {
        Vocabulary map;
        addWords(&map, KeyState::Pending,
            u"pending new ready queued enqueued available scheduled received waiting requested outstanding "
            "unprocessed unsent unpublished delayed suspended paused"_s);
        addWords(&map, KeyState::InProgress,
            u"processing inprogress started running executing claimed leased working publishing sending inflight "
            "senttoprovider dequeued delivering dispatching handling begun"_s);
        addWords(&map, KeyState::Succeeded,
            u"succeeded success successful completed complete done finished processed applied ignored skipped "
            "published delivered sent dispatched confirmed acknowledged acked handled consumed"_s);
        addWords(&map, KeyState::FailedRetryable,
            u"failedretryable retryable retrying retry failed failure error errored failedtemporary"_s);
        addWords(&map, KeyState::FailedFinal,
            u"failedfinal failedterminal failedpermanent dead deadletter deadlettered rejected discarded cancelled "
            "canceled poisoned poison abandoned exhausted aborted crashed interrupted"_s);
        return map;
    }();
    const QStringList words = wordsOf(raw);
    const auto found = vocabulary.constFind(words.join(QString()));
    if (found != vocabulary.constEnd()) {
        return *found;
    }
    constexpr qsizetype most = 5;
    const bool sentence = raw.contains(u' ') || words.size() > most;
    return words.size() > 1 && !sentence ? stateOfWords(words) : std::nullopt;
}

std::optional<KeyState> stateOfCommonWord(const QString &raw)
{
    static const Vocabulary vocabulary = [] {
        Vocabulary map;
        addWords(&map, KeyState::Pending,
            u"open created registered fresh initial initialized incoming outgoing unclaimed idle submitted"_s);
        addWords(&map, KeyState::InProgress, u"busy held taken locked reserved active"_s);
        addWords(&map, KeyState::Succeeded, u"ok closed resolved settled committed passed ended"_s);
        addWords(&map, KeyState::FailedFinal,
            u"expired timedout timeout gaveup givenup stopped revoked killed broken lost blocked denied declined "
            "invalid"_s);
        return map;
    }();
    const auto found = vocabulary.constFind(wordsOf(raw).join(QString()));
    return found == vocabulary.constEnd() ? stateOfWord(raw) : std::optional(*found);
}

bool saysRetry(const QString &raw)
{
    const QStringList words = wordsOf(raw);
    return stateOfWord(raw) == KeyState::FailedRetryable
        && hasAny(words + QStringList { words.join(QString()) },
            kAgain + QStringList { u"failedretryable"_s, u"failedtemporary"_s });
}

QList<std::pair<QString, QString>> codesOfComment(const QString &comment)
{
    static const QRegularExpression first(u"(?<![\\w.])(-?\\d{1,4})\\s*(?:=>|->|[=:–-])?\\s*([A-Za-z][A-Za-z_]*)"_s);
    static const QRegularExpression last(u"([A-Za-z][A-Za-z_]*)\\s*(?:=>|->|[=:–-])\\s*(-?\\d{1,4})(?![\\w.])"_s);
    QList<std::pair<QString, QString>> codes;
    for (const auto &[form, number] : { std::pair(&first, 1), std::pair(&last, 2) }) {
        QStringList seen;
        codes.clear();
        auto matches = form->globalMatch(comment);
        while (matches.hasNext()) {
            const auto match = matches.next();
            const QString code = match.captured(number);
            if (!seen.contains(code)) {
                seen.append(code);
                codes.append({ code, match.captured(3 - number) });
            }
        }
        if (codes.size() > 1) {
            return codes;
        }
    }
    return {};
}

QString zoneOfDefault(const QString &defaultSql)
{
    static const QRegularExpression form(
        u"(?:AT TIME ZONE |timezone\\()'([A-Za-z0-9_+/-]{1,60})'"_s, QRegularExpression::CaseInsensitiveOption);
    return form.match(defaultSql).captured(1);
}

QStringList valuesOfCheck(const QString &definition, const QString &column)
{
    static const QRegularExpression constant(u"'((?:[^']|'')*)'"_s);
    QString rest = definition;
    rest.replace(constant, u" "_s);
    // Left over is the condition without its constants; only this column, its casts and = or ANY may be in it.
    rest.remove(QRegularExpression(u"::(\"[^\"]+\"|[a-z_.]+)( varying)?(\\(\\d+\\))?(\\[\\])?"_s));
    static const QRegularExpression name(u"\"((?:[^\"]|\"\")+)\"|([A-Za-z_][\\w$]*)"_s);
    auto names = name.globalMatch(rest);
    static const QStringList allowed { u"CHECK"_s, u"ANY"_s, u"ARRAY"_s, u"OR"_s };
    bool mentioned = false;
    while (names.hasNext()) {
        const auto match = names.next();
        const QString found
            = match.capturedLength(1) > 0 ? match.captured(1).replace(u"\"\""_s, u"\""_s) : match.captured(2);
        if (found == column) {
            mentioned = true;
        } else if (!allowed.contains(found)) {
            return {};
        }
    }
    static const QRegularExpression otherOperator(u"<|>|~|!|\\+|\\*|%"_s);
    if (!mentioned || !rest.contains(u'=') || rest.contains(otherOperator)) {
        return {};
    }
    QStringList values;
    auto constants = constant.globalMatch(definition);
    while (constants.hasNext()) {
        const QString value = constants.next().captured(1).replace(u"''"_s, u"'"_s);
        if (!values.contains(value)) {
            values.append(value);
        }
    }
    return values;
}

QString constantOfDefault(const QString &defaultSql)
{
    static const QRegularExpression form(u"^'((?:[^']|'')*)'(::.*)?$"_s);
    const auto match = form.match(defaultSql);
    return match.hasMatch() ? match.captured(1).replace(u"''"_s, u"'"_s) : QString();
}

} // namespace idemdesk::sql
