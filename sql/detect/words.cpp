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

std::optional<KeyState> stateOfWord(const QString &raw)
{
    static const QMap<QString, KeyState> vocabulary = [] {
        QMap<QString, KeyState> map;
        const auto add = [&map](KeyState state, const QString &words) {
            for (const QString &word : words.split(u' ')) {
                map.insert(word, state);
            }
        };
        add(KeyState::Pending,
            u"pending new ready queued enqueued available scheduled received waiting requested outstanding "
            "unprocessed unsent unpublished"_s);
        add(KeyState::InProgress,
            u"processing inprogress started running executing claimed leased working publishing sending inflight "
            "senttoprovider"_s);
        add(KeyState::Succeeded,
            u"succeeded success successful completed complete done finished processed applied ignored skipped "
            "published delivered sent dispatched confirmed acknowledged acked handled"_s);
        add(KeyState::FailedRetryable,
            u"failedretryable retryable retrying retry failed failure error errored failedtemporary"_s);
        add(KeyState::FailedFinal,
            u"failedfinal failedterminal failedpermanent dead deadletter deadlettered rejected discarded cancelled "
            "canceled poisoned poison abandoned exhausted"_s);
        return map;
    }();
    const auto found = vocabulary.constFind(wordsOf(raw).join(QString()));
    return found == vocabulary.constEnd() ? std::nullopt : std::optional(*found);
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
