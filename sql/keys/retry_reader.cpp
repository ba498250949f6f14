// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/retry_reader.h"

#include "sql/keys/detail_reader.h"
#include "sql/keys/retry_rules.h"
#include "sql/keys/state_predicate.h"
#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Why the profile says nothing: it has no rules, or they cannot be used on this table.
QString whyNoRules(const Target &target)
{
    for (const Finding &finding : target.findings) {
        if (finding.severity == Finding::Severity::Problem && finding.jsonPath.startsWith(u"$.retry"_s)) {
            return Tr::tr("The profile's rules for retries cannot be used, at %1: %2")
                .arg(finding.jsonPath, finding.text);
        }
    }
    for (const Finding &finding : target.findings) {
        if (finding.severity == Finding::Severity::Problem
            && (finding.jsonPath.startsWith(u"$.roles"_s) || finding.jsonPath.startsWith(u"$.stale"_s)
                || finding.jsonPath.startsWith(u"$.policies"_s))) {
            return Tr::tr("The profile cannot be used as a whole, at %1: %2").arg(finding.jsonPath, finding.text);
        }
    }
    return Tr::tr("The profile does not say how the service claims its keys (“retry”).");
}

RetryAnswers unknownFor(const QString &why)
{
    RetryAnswers answers;
    answers.same.unknown = why;
    answers.other.unknown = why;
    return answers;
}

/// One statement that finds, for either payload, the first rule that holds and what it says.
class RetryQuestion
{
public:
    explicit RetryQuestion(const Target &target)
        : m_target(target)
        , m_render(target)
        , m_rules(m_render)
    {
    }

    Statement statement(const KeyRecord &record, const Timestamp &now)
    {
        QStringList columns { attemptsLimit(m_render) };
        for (const RetryPayload payload : { RetryPayload::Same, RetryPayload::Other }) {
            columns += m_rules.firstOf(payload, [](qsizetype index) { return QString::number(index); });
            columns += m_rules.firstOf(payload, [this](qsizetype index) { return untilOf(rule(index)); });
            columns += m_rules.firstOf(payload, [this](qsizetype index) { return httpOf(rule(index)); });
        }
        const QString where = identityCondition(m_render, record.identity);
        const QString list = columns.join(u", "_s);
        return m_render.finish(u"SELECT "_s + list + m_render.unusedBinds(list + where) + m_render.from() + u" WHERE "_s
                + where + u" LIMIT 1"_s,
            now);
    }

    RetryAnswer answer(const Cells &row, RetryPayload payload) const
    {
        const qsizetype at = payload == RetryPayload::Same ? 1 : 4;
        RetryAnswer answer;
        if (row.at(at).null) {
            answer.unknown = Tr::tr("No rule of the profile fits this row.");
            return answer;
        }
        answer.rule = row.at(at).text.toLongLong();
        const RetryRule &first = rule(answer.rule);
        answer.outcome = first.outcome;
        answer.sqlState = first.sqlState;
        answer.reason = first.reason;
        if (const Cell &until = row.at(at + 1); !until.null) {
            answer.until = Timestamp::parse(until.text);
        }
        if (const Cell &http = row.at(at + 2); !http.null) {
            bool number = false;
            const double status = http.text.toDouble(&number);
            answer.http = number && status >= 100 && status < 600 ? std::optional(int(status)) : std::nullopt;
        }
        return answer;
    }

private:
    const RetryRule &rule(qsizetype index) const { return m_rules.rules().at(index); }

    QString untilOf(const RetryRule &rule) const
    {
        const Profile &profile = m_target.profile;
        return (rule.untilLease() && profile.has(Role::LeaseUntil) ? timestamptzSql(profile.role(Role::LeaseUntil))
                       : rule.until.isEmpty() || rule.untilLease() ? u"NULL"_s
                                                                   : u"("_s + rule.until + u")"_s)
            + u"::pg_catalog.timestamptz"_s;
    }

    static QString httpOf(const RetryRule &rule)
    {
        return (rule.http.isEmpty() ? u"NULL"_s : u"("_s + rule.http + u")"_s) + u"::pg_catalog.numeric"_s;
    }

    const Target &m_target;
    Render m_render;
    const RetryRules m_rules; ///< rendered by m_render, so that it stands behind it
};

bool isConnections(ErrorKind kind)
{
    return kind == ErrorKind::ConnectionLost || kind == ErrorKind::Cancelled || kind == ErrorKind::Superseded;
}

} // namespace

Result<RetryAnswers> readRetry(Session &session, const Target &target, const KeyRecord &record, const Timestamp &now)
{
    if (!target.profile.retry) {
        return unknownFor(whyNoRules(target));
    }
    if (!record.fault.isEmpty()) {
        return unknownFor(Tr::tr("The row cannot be read: %1").arg(record.fault));
    }
    RetryQuestion question(target);
    const auto rows = session.all(question.statement(record, now));
    if (!rows) {
        return isConnections(rows.error().kind)
            ? Result<RetryAnswers>(rows.error())
            : unknownFor(Tr::tr("A rule for retries fails on this row: %1").arg(rows.error().line()));
    }
    if (rows->isEmpty()) {
        return unknownFor(rowGone().line());
    }
    const Cells &row = rows->first();
    RetryAnswers answers;
    answers.same = question.answer(row, RetryPayload::Same);
    answers.same.unfinished = record.state == KeyState::InProgress || record.state == KeyState::Pending;
    answers.other = question.answer(row, RetryPayload::Other);
    answers.expired = record.expired.value_or(false);
    if (!row.first().null) {
        answers.maxAttempts = row.first().text.toLongLong();
    }
    if (const Cell attempts = record.role(Role::Attempts); !attempts.null && !attempts.failed()) {
        bool number = false;
        const qint64 made = attempts.text.toLongLong(&number);
        answers.attempts = number ? std::optional(made) : std::nullopt;
    }
    return answers;
}

} // namespace idemdesk::sql
