// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/review/review_gateway.h"

#include "sql/types/tr.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

Error reviewNeedsConsole(Error error)
{
    if (error.sqlState == u"42P01" || error.sqlState == u"3F000" || error.sqlState == u"42883") {
        error.what = Tr::tr("No review is kept in this database.");
        error.why = Tr::tr("The console schema is not installed here, or is an older one.");
        error.todo = Tr::tr("Install or upgrade it; then answers can be signed.");
    }
    return error;
}

} // namespace

Result<QList<ReviewAnswer>> readReview(Session &session, const QString &table)
{
    // Served by the index of reviews alone, however long the trail is.
    Statement statement { u"SELECT DISTINCT ON (a.facts ->> 'question') a.seq, a.at, a.who, a.target, a.facts "
                          "FROM ONLY idemdesk.audit AS a WHERE a.what = 'review' AND a.facts ->> 'table' = "
                          "$1::pg_catalog.text ORDER BY a.facts ->> 'question', a.seq DESC"_s,
        {} };
    statement.bind(table);
    QList<ReviewAnswer> answers;
    TRY_OR(reviewNeedsConsole, session.each(statement, [&answers](const Row &row) {
        const QJsonObject facts = QJsonDocument::fromJson(row.text(4).toUtf8()).object();
        const auto verdict = reviewVerdict(facts[u"verdict"_s].toString());
        if (verdict) {
            ReviewAnswer answer;
            answer.relation = quint32(facts[u"relation"_s].toInteger());
            answer.seq = row.integer(0);
            answer.at = Timestamp::parse(row.text(1)).value_or(Timestamp());
            answer.who = row.text(2);
            answer.said = { facts[u"id"_s].toString(), facts[u"table"_s].toString(), row.text(3),
                facts[u"question"_s].toString(), *verdict, facts[u"note"_s].toString(), facts[u"asked"_s].toString(),
                facts[u"found"_s].toString() };
            answers += answer;
        }
        return true;
    }));
    return answers;
}

Result<qint64> signReview(Session &session, const ReviewSigning &signing)
{
    Statement statement { u"SELECT idemdesk.sign_review($1::pg_catalog.uuid, $2::pg_catalog.text, "
                          "$3::pg_catalog.text, $4::pg_catalog.text, $5::pg_catalog.text, $6::pg_catalog.text, "
                          "$7::pg_catalog.text, $8::pg_catalog.text)"_s,
        {} };
    statement.bind(signing.id);
    statement.bind(signing.table);
    statement.bind(signing.target.isEmpty() ? Cell() : Cell::of(signing.target));
    for (const QString &text :
        { signing.question, reviewVerdictName(signing.verdict), signing.note, signing.asked, signing.found }) {
        statement.bind(text);
    }
    const auto row = session.one(statement);
    if (!row) {
        Error error = reviewNeedsConsole(row.error());
        error.what = answerLost(error) ? Tr::tr("Whether the answer was signed is not known.")
                                       : Tr::tr("The answer was not signed.");
        if (error.sqlState == u"42501") {
            error.why = Tr::tr("This login may look, but not sign.");
            error.todo
                = Tr::tr("Who may sign: operators, approvers and admins of the console. Ask an administrator for "
                         "one of these roles.");
        }
        if (answerLost(error)) {
            error.todo = Tr::tr("Try again: the same answer is signed once.");
        }
        return error;
    }
    return row->constFirst().text.toLongLong();
}

} // namespace idemdesk::sql
