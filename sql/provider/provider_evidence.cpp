// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/provider/provider_evidence.h"

#include "sql/actions/action_json.h"
#include "sql/types/tr.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Nothing that a jsonb refuses, and no more of it than the database takes.
QString storable(QString text, qsizetype most)
{
    text.replace(QChar(0), QChar(QChar::ReplacementCharacter));
    text.truncate(most);
    if (!text.isEmpty() && text.back().isHighSurrogate()) {
        text.chop(1);
    }
    return text;
}

QJsonValue orNull(const QString &text, qsizetype most = kMostProviderText)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(storable(text, most));
}

QJsonObject wordJson(const ProviderEvidence &word)
{
    QJsonValue identity;
    if (!word.identity.isEmpty()) {
        QJsonArray cells;
        for (const Cell &cell : word.identity) {
            cells.append(cell.null ? QJsonValue() : QJsonValue(cell.text));
        }
        identity = cells;
    }
    const bool line = word.line > 0;
    return { { u"identity"_s, identity }, { u"key"_s, orNull(word.key) },
        { u"reference"_s, storable(word.reference, kMostProviderReference) },
        { u"says"_s, providerWordName(word.says) }, { u"line"_s, line ? QJsonValue(word.line) : QJsonValue() },
        { u"text"_s, line ? QJsonValue(storable(word.text, kMostProviderText)) : QJsonValue() },
        { u"detail"_s, orNull(word.detail) },
        { u"covered_from"_s, word.from ? QJsonValue(word.from->toRfc3339()) : QJsonValue() },
        { u"covered_to"_s, word.to ? QJsonValue(word.to->toRfc3339()) : QJsonValue() },
        { u"line_at"_s, word.lineAt ? QJsonValue(word.lineAt->toRfc3339()) : QJsonValue() },
        { u"amount"_s, orNull(word.amount) }, { u"currency"_s, orNull(word.currency) } };
}

bool consoleAbsent(const Error &error)
{
    return QStringList { u"42P01"_s, u"3F000"_s, u"42883"_s, u"42703"_s }.contains(error.sqlState);
}

bool consoleLacks(const Error &error)
{
    return error.kind == ErrorKind::Privilege || consoleAbsent(error);
}

ProviderEvidence evidenceOf(const Row &row)
{
    ProviderEvidence word;
    word.identity = cellsFromJson(row.text(0));
    word.key = row.text(1);
    word.reference = row.text(2);
    word.says = providerWordFromName(row.text(3)).value_or(ProviderWord::Contradictory);
    word.line = row.integer(4);
    word.text = row.text(5);
    word.detail = row.text(6);
    word.from = row.isNull(7) ? std::nullopt : Timestamp::parse(row.text(7));
    word.to = row.isNull(8) ? std::nullopt : Timestamp::parse(row.text(8));
    word.provider = row.text(9);
    word.file = row.text(10);
    word.fileSha = row.text(11);
    word.reason = row.text(12);
    word.who = row.text(13);
    word.at = Timestamp::parse(row.text(14)).value_or(Timestamp());
    word.lineAt = row.isNull(15) ? std::nullopt : Timestamp::parse(row.text(15));
    word.amount = row.text(16);
    word.currency = row.text(17);
    word.knownSince = Timestamp::parse(row.text(18)).value_or(word.at);
    return word;
}

/// Whether words of a row may be there, without being allowed to look: the catalog is everybody's.
Result<bool> keepsWords(Session &session)
{
    TRY(const auto row,
        session.one({ u"SELECT EXISTS (SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n "
                      "ON n.oid = c.relnamespace WHERE n.nspname = 'idemdesk' AND c.relname = 'provider_word_seen')"_s,
            {} }));
    return row.constFirst().text == u"t";
}

/// The view leaves out tables that this login may not read as a whole: then no word is not the same as none.
Result<bool> mayReadWords(Session &session, quint32 relation)
{
    Statement statement { u"SELECT $1::pg_catalog.oid = ANY (ARRAY(SELECT idemdesk.readable_tables())) OR "
                          "NOT EXISTS (SELECT FROM idemdesk.known_tables() AS k WHERE k.relation = $1)"_s,
        {} };
    statement.bind(QString::number(relation));
    TRY(const auto row, session.one(statement));
    return row.constFirst().text == u"t";
}

/// Each word once, as it was said first: a file that is recorded again knows no more than it did when it was first
/// recorded of this table, of whichever row. Where there are more
/// than are read, those that say that something happened come before the others.
QString wordsSql()
{
    const QString same = u"v.file_sha, v.says, v.reference, v.line, v.line_at, v.amount, v.currency, v.covered_from, "
                         "v.covered_to"_s;
    return u"SELECT pg_catalog.to_jsonb(w.identity), w.key, w.reference, w.says, w.line, w.text, w.detail, "
           "w.covered_from, w.covered_to, w.provider, w.file, w.file_sha, w.reason, w.recorded_by, w.recorded_at, "
           "w.line_at, w.amount, w.currency, "
           "(SELECT s.recorded_at FROM idemdesk.provider_word_seen AS s WHERE s.file_sha = w.file_sha AND "
           "s.relation = $1::pg_catalog.oid ORDER BY s.recorded_at LIMIT 1) "
           "FROM pg_catalog.jsonb_array_elements($2::pg_catalog.jsonb) AS j (cells) CROSS JOIN LATERAL (SELECT "
           "ARRAY(SELECT e.value FROM pg_catalog.jsonb_array_elements_text(j.cells) WITH ORDINALITY AS e (value, "
           "place) ORDER BY e.place) AS identity) AS i CROSS JOIN LATERAL (SELECT d.* FROM (SELECT DISTINCT ON ("_s
        + same
        + u") v.* FROM idemdesk.provider_word_seen AS v "
          "WHERE v.identity_hash = pg_catalog.hashtextextended(i.identity::pg_catalog.text, 0) "
          "AND v.identity = i.identity AND v.relation = $1::pg_catalog.oid ORDER BY "_s
        + same
        + u", v.recorded_at, v.ordinal) AS d ORDER BY d.says IN ('did_not_happen', 'not_in_statement'), "
          "d.recorded_at DESC, d.ordinal LIMIT "_s
        + QString::number(kMostWordsOfRow + 1) + u") AS w"_s;
}

} // namespace

Result<qint64> recordProviderWords(
    Session &session, const ProviderRecording &recording, int batch, const QList<ProviderEvidence> &words)
{
    QJsonArray list;
    for (const ProviderEvidence &word : words) {
        list.append(wordJson(word));
    }
    Statement statement { u"SELECT idemdesk.record_provider_words($1::pg_catalog.uuid, $2::pg_catalog.int4, "
                          "$3::pg_catalog.text, $4::pg_catalog.text, $5::pg_catalog.text, $6::pg_catalog.text, "
                          "$7::pg_catalog.text, $8::pg_catalog.jsonb)"_s,
        {} };
    statement.bind(recording.id);
    statement.bind(QString::number(batch));
    for (const QString &text :
        { recording.target, recording.provider, recording.file, recording.fileSha, recording.reason }) {
        statement.bind(text);
    }
    statement.bind(QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact)));
    const auto row = session.one(statement);
    if (row) {
        return row->constFirst().text.toLongLong();
    }
    Error error = row.error();
    error.what = answerLost(error) ? Tr::tr("Whether the statement was recorded is not known.")
                                   : Tr::tr("The statement was not recorded.");
    if (error.sqlState == u"42501") {
        error.why = Tr::tr("This login may look, but not record.");
        error.todo = Tr::tr("Operators of the console may record. Ask an administrator for that role.");
    } else if (consoleAbsent(error)) {
        error.why = Tr::tr("The console schema is not installed here, or is an older one.");
        error.todo = Tr::tr("Install or upgrade it; then statements can be recorded.");
    } else if (answerLost(error)) {
        error.todo = Tr::tr("See with “audit” whether it is there before you record it again.");
    }
    return error;
}

Result<QList<ProviderWords>> readProviderWords(
    Session &session, quint32 relation, const QList<Cells> &identities, bool *readable)
{
    *readable = true;
    QList<ProviderWords> all(identities.size());
    const auto unread = [](const Error &error) {
        return failed(Tr::tr("What providers' statements say of these keys could not be read."), error);
    };
    const auto kept = identities.isEmpty() ? Result<bool>(false) : keepsWords(session);
    if (!kept) {
        return unread(kept.error());
    }
    if (!*kept) {
        return all;
    }
    const auto allowed = mayReadWords(session, relation);
    if (!allowed && !consoleLacks(allowed.error())) {
        return unread(allowed.error());
    }
    *readable = allowed && *allowed;
    if (!*readable) {
        return all;
    }
    QJsonArray wanted;
    QHash<QString, qsizetype> places;
    for (qsizetype i = 0; i < identities.size(); ++i) {
        const QString json = cellsToJson(identities.at(i));
        wanted.append(QJsonDocument::fromJson(json.toUtf8()).array());
        places.insert(json, i);
    }
    Statement statement { wordsSql(), {} };
    statement.bind(QString::number(relation));
    statement.bind(QString::fromUtf8(QJsonDocument(wanted).toJson(QJsonDocument::Compact)));
    const auto read = session.each(statement, [&](const Row &row) {
        const ProviderEvidence word = evidenceOf(row);
        if (const auto place = places.constFind(cellsToJson(word.identity)); place != places.cend()) {
            ProviderWords &words = all[*place];
            words.more = words.words.size() >= kMostWordsOfRow;
            words.words += words.more ? QList<ProviderEvidence>() : QList<ProviderEvidence> { word };
        }
        return true;
    });
    for (ProviderWords &words : all) {
        std::stable_sort(words.words.begin(), words.words.end(),
            [](const ProviderEvidence &one, const ProviderEvidence &other) { return other.at < one.at; });
    }
    if (!read && consoleLacks(read.error())) {
        *readable = false;
        return QList<ProviderWords>(identities.size());
    }
    return read ? Result<QList<ProviderWords>>(all) : Result<QList<ProviderWords>>(unread(read.error()));
}

} // namespace idemdesk::sql
