// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/retries/retry_json.h"

#include "models/retries/error_codes.h"
#include "models/retries/retry_words.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QJsonValue filled(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonObject answerJson(const sql::RetryAnswer &answer, const QString &sentence)
{
    return { { u"outcome"_s, answer.outcome ? QJsonValue(sql::retryOutcomeName(*answer.outcome)) : QJsonValue() },
        { u"sentence"_s, sentence },
        { u"until"_s, answer.until ? QJsonValue(answer.until->toRfc3339()) : QJsonValue() },
        { u"sqlstate"_s, filled(answer.sqlState) },
        { u"http"_s, answer.http ? QJsonValue(*answer.http) : QJsonValue() },
        { u"reason"_s, filled(answer.outcome ? answer.reason : answer.unknown) } };
}

} // namespace

QJsonObject retryJson(const sql::RetryAnswers &answers, sql::TargetKind kind, const sql::Timestamp &now)
{
    const TimeFormat times = TimeFormat::named();
    return { { u"at"_s, now.toRfc3339() },
        { u"same"_s, answerJson(answers.same, sameRetrySentence(answers.same, kind, now, times)) },
        { u"other"_s, answerJson(answers.other, otherRetrySentence(answers.other, kind, now, times)) },
        { u"reasons"_s, QJsonArray::fromStringList(retryReasons(answers)) } };
}

QJsonValue errorCodeJson(const QString &code)
{
    const auto known = errorCodeOf(code);
    return known ? QJsonValue(QJsonObject { { u"code"_s, code }, { u"class"_s, failureClassName(known->cls) },
               { u"meaning"_s, known->meaning }, { u"advice"_s, known->advice }, { u"by_name"_s, known->byName } })
                 : QJsonValue();
}

} // namespace idemdesk::models
