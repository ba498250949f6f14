// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/review/review_reader.h"

#include "models/format/labels.h"
#include "sql/health/health_report.h"
#include "sql/review/review_gateway.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QUuid>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kSubjectDigits = 12;
constexpr qsizetype kMostFound = 3'900; ///< characters that an answer keeps of what was found

/// What the health report says to a question: its worst findings of these ids. Findings of another id are other
/// questions' answers.
void answerFrom(const sql::HealthReport &health, ReviewItem *item)
{
    const QStringList ids = item->question->findings();
    QStringList seen;
    for (const sql::HealthFinding &finding : health.findings) {
        if (!ids.contains(finding.id)) {
            continue;
        }
        item->notRead = item->notRead || finding.notRead;
        if (!item->level || finding.level < *item->level) {
            item->level = finding.level;
            seen.clear();
        }
        if (finding.level == *item->level) {
            seen += finding.seen.isEmpty() ? finding.title : finding.seen;
        }
    }
    seen.removeDuplicates();
    item->seen = seen.join(u' ');
}

ReviewStand standOfLevel(std::optional<sql::HealthLevel> level)
{
    if (level == sql::HealthLevel::Problem || level == sql::HealthLevel::Advice) {
        return ReviewStand::Gap;
    }
    return level == sql::HealthLevel::Good ? ReviewStand::Settled : ReviewStand::Open;
}

/// Whether a signed answer was given of what the console finds now.
bool signedOfThis(const ReviewItem &item, const sql::ReviewAnswer &answer)
{
    return answer.said.found.section(u':', 0, 0) == item.found().section(u':', 0, 0);
}

bool isAsked(const ReviewQuestion &question, sql::TargetKind kind)
{
    return !question.ofMessages || kind == sql::TargetKind::Inbox || kind == sql::TargetKind::Outbox
        || kind == sql::TargetKind::Job;
}

bool endsTheReview(const sql::Error &error)
{
    return error.kind == sql::ErrorKind::ConnectionLost || error.kind == sql::ErrorKind::Cancelled
        || error.kind == sql::ErrorKind::Superseded;
}

} // namespace

QString reviewStandName(ReviewStand stand)
{
    switch (stand) {
    case ReviewStand::Gap:
        return u"gap"_s;
    case ReviewStand::Open:
        return u"open"_s;
    case ReviewStand::Settled:
        return u"settled"_s;
    case ReviewStand::NotApplicable:
        break;
    }
    return u"not_applicable"_s;
}

QString reviewStandLabel(ReviewStand stand)
{
    switch (stand) {
    case ReviewStand::Gap:
        return Tr::tr("Gap");
    case ReviewStand::Open:
        return Tr::tr("Open");
    case ReviewStand::Settled:
        return Tr::tr("Settled");
    case ReviewStand::NotApplicable:
        break;
    }
    return Tr::tr("Does not apply");
}

QString reviewStandSign(ReviewStand stand)
{
    switch (stand) {
    case ReviewStand::Gap:
        return u"✗"_s;
    case ReviewStand::Open:
        return u"?"_s;
    case ReviewStand::Settled:
        return u"✓"_s;
    case ReviewStand::NotApplicable:
        break;
    }
    return u"–"_s;
}

ReviewStand standOf(sql::ReviewVerdict verdict)
{
    switch (verdict) {
    case sql::ReviewVerdict::Settled:
        return ReviewStand::Settled;
    case sql::ReviewVerdict::Gap:
        return ReviewStand::Gap;
    case sql::ReviewVerdict::NotApplicable:
        break;
    }
    return ReviewStand::NotApplicable;
}

QString ReviewItem::found() const
{
    if (!level) {
        return {};
    }
    // What is good may be said in other words tomorrow. What is not is signed for just this: numbers move, and are
    // left out.
    QString subject;
    if (*level != sql::HealthLevel::Good) {
        static const QRegularExpression numbers(u"[0-9][0-9.,]*"_s);
        const QByteArray digest
            = QCryptographicHash::hash(QString(seen).remove(numbers).toUtf8(), QCryptographicHash::Sha256).toHex();
        subject = u" [%1]"_s.arg(QString::fromLatin1(digest.left(kSubjectDigits)));
    }
    return (sql::healthLevelName(*level) + subject + u": "_s + seen).left(kMostFound);
}

qsizetype ReviewReport::count(ReviewStand stand) const
{
    return std::count_if(items.cbegin(), items.cend(), [stand](const ReviewItem &item) { return item.stand == stand; });
}

qsizetype ReviewReport::notRead() const
{
    return std::count_if(items.cbegin(), items.cend(), [](const ReviewItem &item) { return item.notRead; });
}

const ReviewItem *ReviewReport::item(const QString &question) const
{
    const auto found = std::find_if(items.cbegin(), items.cend(),
        [&question](const ReviewItem &item) { return item.question->name() == question; });
    return found != items.cend() ? &*found : nullptr;
}

sql::Result<ReviewReport> readReviewReport(
    sql::Session &session, const sql::Target &target, const QString &registeredName)
{
    ReviewReport report;
    report.target = target.profile.name;
    report.registeredName = registeredName;
    report.title = targetTitle(target.profile);
    report.place = targetPlace(target.profile);
    report.table = target.relation.sql;
    report.server = Tr::tr("%1 as %2", "database, login").arg(session.facts().database, session.facts().user);
    TRY(report.at, sql::serverNow(session));
    TRY(const auto health, sql::readHealth(session, target));
    const auto answers = sql::readReview(session, report.table);
    if (!answers) {
        if (endsTheReview(answers.error())) {
            return answers.error();
        }
        report.noAnswers = answers.error();
    }
    const QList<sql::ReviewAnswer> signedOnes = answers ? *answers : QList<sql::ReviewAnswer>();
    for (const ReviewQuestion &question : reviewQuestions()) {
        if (!isAsked(question, target.profile.kind)) {
            continue;
        }
        ReviewItem item;
        item.question = &question;
        answerFrom(health, &item);
        item.stand = standOfLevel(item.level);
        if (item.stand == ReviewStand::Settled && question.partly) {
            item.stand = ReviewStand::Open;
        }
        const auto given = std::find_if(signedOnes.cbegin(), signedOnes.cend(),
            [&question](const sql::ReviewAnswer &answer) { return answer.said.question == question.name(); });
        if (given != signedOnes.cend()) {
            item.answer = *given;
            item.otherTable = given->relation != target.relation.oid;
            item.changed = item.otherTable || !signedOfThis(item, *given);
            item.stand = item.changed ? item.stand : standOf(given->said.verdict);
        }
        report.items += item;
    }
    return report;
}

sql::ReviewSigning reviewSigning(
    const ReviewReport &report, const ReviewItem &item, sql::ReviewVerdict verdict, const QString &note)
{
    return { QUuid::createUuid().toString(QUuid::WithoutBraces), report.table, report.registeredName,
        item.question->name(), verdict, note, item.question->text(), item.found() };
}

} // namespace idemdesk::models
