// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/server_record.h"

#include "models/logs/statement_literals.h"

#include <QCryptographicHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kMostStatementChars = 4'000; ///< kept of a statement

constexpr QStringView kSomeRefusal = u"P40xx"; ///< by its shape; which one, the log does not say

/// What the functions of 001 say of a claim, with its status or how many rows were changed.
const QRegularExpression &claimDetail()
{
    static const QRegularExpression detail(u"^(?:status=(\\S*) )?scope=(.*) key=(.*?)(?: (row_count|status)=\\S*)?$"_s,
        QRegularExpression::DotMatchesEverythingOption);
    return detail;
}

/// The SQLSTATE, or the one that the texts' shape stands for.
QString stateOf(const ServerRecord &record)
{
    if (!record.sqlState.isEmpty()) {
        return record.sqlState;
    }
    static const QRegularExpression key(u"\\([^()]+\\)=\\(.*\\)"_s, QRegularExpression::DotMatchesEverythingOption);
    if (record.detail.contains(u"existing_hash=") && record.detail.contains(u"incoming_hash=")) {
        return u"P4002"_s;
    }
    if (record.detail.startsWith(u"consumer=") && record.detail.contains(u" message_id=")) {
        return u"P4050"_s;
    }
    if (const auto match = claimDetail().match(record.detail); match.hasMatch()) {
        return !match.captured(1).isEmpty() || match.captured(4) == u"status" ? u"P4099"_s
            : match.captured(4).isEmpty()                                     ? kSomeRefusal.toString()
                                                                              : u"P4010"_s;
    }
    static const QRegularExpression quote(u"[\"«»„“”]"_s);
    if (record.message.contains(quote) && key.match(record.detail).hasMatch()
        && !record.detail.contains(u"is not present in table") && !record.detail.contains(u"is still referenced")) {
        return record.message.startsWith(u"duplicate key") || !record.message.startsWith(u"insert or update")
            ? u"23505"_s
            : QString();
    }
    if (record.message.startsWith(u"deadlock detected")) {
        return u"40P01"_s;
    }
    return record.message.startsWith(u"could not serialize access") ? u"40001"_s : QString();
}

/// Key and scope out of the statement's constants: by the names they were given, else from their places before the
/// hash.
void keyFromStatement(LogEvent &event, const ServerRecord &record)
{
    for (const QString &text : { record.statement, record.context }) {
        const QList<Literal> literals = literalsOf(text);
        for (const Literal &literal : literals) {
            const QString name = literal.name.toLower();
            if (event.key.isEmpty() && (name.endsWith(u"idempotency_key") || name == u"p_key" || name == u"key")) {
                event.key = literal.value;
                event.keySource = KeySource::Statement;
            } else if (event.scope.isEmpty() && name.endsWith(u"scope")) {
                event.scope = literal.value;
            }
        }
        for (qsizetype i = 1; i < literals.size() && event.key.isEmpty() && !event.incomingHash.isEmpty(); ++i) {
            if (literals[i].value == event.incomingHash) {
                event.key = literals[i - 1].value;
                event.scope = i > 1 ? literals[i - 2].value : QString();
                event.keySource = KeySource::Statement;
            }
        }
        if (!event.key.isEmpty()) {
            return;
        }
    }
}

void readKeyConflict(LogEvent &event, const ServerRecord &record)
{
    static const QRegularExpression hashes(u"existing_hash=(\\S*) incoming_hash=(\\S*)"_s);
    const auto match = hashes.match(record.detail);
    event.existingHash = match.captured(1);
    event.incomingHash = match.captured(2);
    event.conflict = true;
    keyFromStatement(event, record);
}

void readMessageConflict(LogEvent &event, const ServerRecord &record)
{
    static const QRegularExpression parts(
        u"^consumer=(.*) message_id=(.*)$"_s, QRegularExpression::DotMatchesEverythingOption);
    event.conflict = true;
    if (const auto match = parts.match(record.detail); match.hasMatch()) {
        event.scope = match.captured(1);
        event.key = match.captured(2);
        event.keySource = KeySource::Detail;
    }
}

/// Scope and key out of the detail; of a claim that names none there, out of the statement.
void readRefusal(LogEvent &event, const ServerRecord &record)
{
    if (const auto match = claimDetail().match(record.detail); match.hasMatch()) {
        event.scope = match.captured(2);
        event.key = match.captured(3);
        event.keySource = KeySource::Detail;
    } else {
        keyFromStatement(event, record);
    }
}

/// "Key (a, b)=(x, y) already exists.", in whatever language. A value that holds a separator leaves the parts unknown.
void readUniqueViolation(LogEvent &event, const ServerRecord &record)
{
    static const QRegularExpression name(u"[\"«»„“]([^\"«»“”]+)[\"«»“”]"_s);
    static const QRegularExpression key(u"\\((.+?)\\)=\\((.*)\\)"_s, QRegularExpression::DotMatchesEverythingOption);
    event.constraint = name.match(record.message).captured(1);
    const auto match = key.match(record.detail);
    if (!match.hasMatch()) {
        return;
    }
    const QStringList names = match.captured(1).split(u", "_s);
    const QStringList values = names.size() == 1 ? QStringList { match.captured(2) } : match.captured(2).split(u", "_s);
    if (names.size() != values.size()) {
        return;
    }
    for (qsizetype i = 0; i < names.size(); ++i) {
        event.columns.insert(names[i], values[i]);
        const QString lower = names[i].toLower();
        if (lower.endsWith(u"key") || lower == u"message_id" || (i == names.size() - 1 && event.key.isEmpty())) {
            event.key = values[i];
            event.keySource = KeySource::Detail;
        } else if (lower.endsWith(u"scope") || lower.endsWith(u"consumer_name")) {
            event.scope = values[i];
        }
    }
}

} // namespace

QString decodedText(const QByteArray &bytes, bool *otherEncoding)
{
    QString text;
    if (bytes.isValidUtf8()) {
        text = QString::fromUtf8(bytes);
    } else {
        text = QString::fromLatin1(bytes);
        *otherEncoding = true;
    }
    return text.replace(QChar(u'\0'), QChar(QChar::ReplacementCharacter));
}

bool maybeInteresting(const QByteArray &record)
{
    for (const char *mark : { "P40", "23505", "40P01", "40001" }) {
        if (record.contains(mark)) {
            return true;
        }
    }
    return false;
}

std::optional<LogEvent> eventOf(const ServerRecord &record)
{
    static const QRegularExpression claimState(u"^P40([0-9]{2}|xx)$"_s);
    LogEvent event;
    event.sqlState = stateOf(record);
    if (event.sqlState == u"P4002") {
        event.kind = LogEventKind::KeyConflict;
        readKeyConflict(event, record);
    } else if (event.sqlState == u"P4050") {
        event.kind = LogEventKind::MessageConflict;
        readMessageConflict(event, record);
    } else if (claimState.match(event.sqlState).hasMatch()) {
        event.kind = LogEventKind::Refused;
        if (event.sqlState == kSomeRefusal) {
            event.sqlState.clear();
        } else {
            event.attributes.insert(u"sqlstate"_s, event.sqlState);
        }
        readRefusal(event, record);
    } else if (event.sqlState == u"23505") {
        event.kind = LogEventKind::UniqueViolation;
        readUniqueViolation(event, record);
    } else if (event.sqlState == u"40P01") {
        event.kind = LogEventKind::Deadlock;
    } else if (event.sqlState == u"40001") {
        event.kind = LogEventKind::SerializationFailure;
    } else {
        return std::nullopt;
    }
    event.timeText = record.time;
    // "2026-11-20 12:34:56.789 UTC": only zones that are offsets or UTC itself name a moment for certain.
    QString time = record.time;
    static const QRegularExpression utc(u" (UTC|GMT|Z)$"_s);
    event.time = sql::Timestamp::parse(time.replace(utc, u"+00"_s));
    event.user = record.user;
    event.database = record.database;
    event.application = record.application;
    event.session = record.session;
    event.message = record.message.left(kMostStatementChars);
    event.detail = record.detail.left(kMostStatementChars);
    event.statement = record.statement.left(kMostStatementChars);
    event.otherEncoding = record.otherEncoding;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString &part :
        { record.time, record.session, record.sessionLine, record.message, record.detail, record.statement }) {
        hash.addData(part.toUtf8() + '\0');
    }
    event.id = hash.result();
    return event;
}

} // namespace idemdesk::models
