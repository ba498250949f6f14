// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/application_log.h"

#include "models/json/json_document.h"
#include "models/logs/server_record.h"
#include "sql/types/tr.h"

#include <QCryptographicHash>
#include <QHash>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Type = JsonDocument::Type;

constexpr qsizetype kLongestAttribute = 300; ///< characters; ids are shorter

/// Scalars by their pointers, those at the top also by their names.
QHash<QString, QString> scalarsOf(const JsonDocument &document)
{
    constexpr int mostNodes = 2'000; // a log line with more is no line of interest to look through in full
    constexpr int mostDepth = 8;
    QHash<QString, QString> scalars;
    std::vector<int> depth { 0 };
    for (int node = 1; node < std::min(document.nodeCount(), mostNodes); ++node) {
        const int parent = document.parent(node);
        depth.push_back(depth[std::size_t(parent)] + 1);
        if (document.type(node) >= Type::Array || document.type(node) == Type::Null || depth.back() > mostDepth) {
            continue;
        }
        scalars.insert(document.pointer(node), document.value(node));
        if (parent == JsonDocument::kRoot) {
            scalars.insert(document.name(node), document.value(node));
        }
    }
    return scalars;
}

QString firstOf(const QHash<QString, QString> &scalars, const QStringList &names)
{
    for (const QString &name : names) {
        if (const auto found = scalars.constFind(name); found != scalars.cend()) {
            return *found;
        }
    }
    return {};
}

/// RFC 3339 with a zone, which is what names a moment.
std::optional<sql::Timestamp> momentOf(QString text)
{
    if (text.endsWith(u'Z') || text.endsWith(u'z')) {
        text.chop(1);
        text += u"+00"_s;
    }
    if (text.size() > 10 && (text[10] == u'T' || text[10] == u't')) {
        text[10] = u' ';
    }
    return text.size() > 19 ? sql::Timestamp::parse(text) : std::nullopt;
}

/// Puts a pointer in the usual ones' place; a further one for the same name joins it.
void give(QStringList *list, const QString &name, const QString &pointer, QSet<QString> *given)
{
    *list = given->contains(name) ? *list + QStringList { pointer } : QStringList { pointer };
    given->insert(name);
}

} // namespace

QMap<QString, QStringList> usualAttributes()
{
    return { { u"region"_s, { u"region"_s } },
        { u"transaction"_s, { u"transaction_id"_s, u"transactionId"_s, u"tx_id"_s } },
        { u"trace"_s, { u"trace_id"_s, u"traceId"_s, u"trace.id"_s, u"/trace/id"_s } },
        { u"span"_s, { u"span_id"_s, u"spanId"_s, u"span.id"_s, u"/span/id"_s } },
        { u"correlation"_s, { u"correlation_id"_s, u"correlationId"_s, u"request_id"_s, u"requestId"_s } },
        { u"tenant"_s, { u"tenant"_s, u"tenant_id"_s, u"account"_s, u"account_id"_s } },
        { u"resource"_s, { u"resource_id"_s, u"resourceId"_s } },
        { u"latency_ms"_s, { u"latency_ms"_s, u"duration_ms"_s } },
        { u"retries"_s, { u"retry_count"_s, u"retries"_s } } };
}

sql::Result<ApplicationLogMapping> mappingFrom(const QStringList &places)
{
    using Mapping = ApplicationLogMapping;
    const std::pair<QString, QStringList Mapping::*> names[] = { { u"key"_s, &Mapping::key },
        { u"key_hash"_s, &Mapping::keyHash }, { u"scope"_s, &Mapping::scope }, { u"outcome"_s, &Mapping::outcome },
        { u"incoming_hash"_s, &Mapping::incomingHash }, { u"existing_hash"_s, &Mapping::existingHash },
        { u"time"_s, &Mapping::time }, { u"message"_s, &Mapping::message } };
    Mapping mapping;
    QSet<QString> given; // the first pointer for a name puts the usual ones aside, the others join it
    for (const QString &place : places) {
        const QString name = place.section(u'=', 0, 0);
        const QString pointer = place.section(u'=', 1);
        if (const auto words = name == u"conflict" ? &Mapping::conflicts
                : name == u"replay"                ? &Mapping::replays
                                                   : nullptr;
            words != nullptr && !pointer.isEmpty()) {
            give(&(mapping.*words), name, pointer, &given);
            continue;
        }
        if (mapping.attributes.contains(name) && pointer.startsWith(u'/')) {
            give(&mapping.attributes[name], name, pointer, &given);
            continue;
        }
        const auto known
            = std::find_if(std::begin(names), std::end(names), [&name](const auto &one) { return one.first == name; });
        const bool named = known != std::end(names) || mapping.attributes.contains(name);
        if (known == std::end(names) || !pointer.startsWith(u'/')) {
            return sql::makeError(sql::ErrorKind::Usage,
                Tr::tr("“%1” does not say where a log line has something.").arg(place),
                named ? Tr::tr("A JSON pointer begins with a slash.")
                      : Tr::tr("“%1” is nothing that is looked for.").arg(name),
                Tr::tr("Write NAME=POINTER, such as key=/request/id. Names are key, key_hash, scope, outcome, "
                       "incoming_hash, existing_hash, time, message, %1. Or write conflict=WORD or replay=WORD for a "
                       "word of the outcome.")
                    .arg(QStringList(mapping.attributes.keys()).join(u", "_s)));
        }
        give(&(mapping.*(known->second)), name, pointer, &given);
    }
    return mapping;
}

ApplicationLine applicationLine(const QByteArray &line, const ApplicationLogMapping &mapping)
{
    LogEvent event;
    const auto document = JsonDocument::parse(decodedText(line, &event.otherEncoding));
    if (!document || document->type(JsonDocument::kRoot) != Type::Object) {
        return {};
    }
    const QHash<QString, QString> scalars = scalarsOf(*document);
    event.key = firstOf(scalars, mapping.key);
    event.keyHash = firstOf(scalars, mapping.keyHash);
    if (event.key.isEmpty() && event.keyHash.isEmpty()) {
        return { true, std::nullopt };
    }
    event.keySource = event.key.isEmpty() ? KeySource::Unknown : KeySource::Field;
    event.scope = firstOf(scalars, mapping.scope);
    event.outcome = firstOf(scalars, mapping.outcome);
    event.incomingHash = firstOf(scalars, mapping.incomingHash);
    event.existingHash = firstOf(scalars, mapping.existingHash);
    event.message = firstOf(scalars, mapping.message);
    event.timeText = firstOf(scalars, mapping.time);
    event.time = momentOf(event.timeText);
    for (auto it = mapping.attributes.cbegin(); it != mapping.attributes.cend(); ++it) {
        if (const QString value = firstOf(scalars, *it); !value.isEmpty()) {
            event.attributes.insert(it.key(), value.left(kLongestAttribute));
        }
    }
    const bool twoHashes
        = !event.existingHash.isEmpty() && !event.incomingHash.isEmpty() && event.existingHash != event.incomingHash;
    event.conflict = mapping.conflicts.contains(event.outcome, Qt::CaseInsensitive) || twoHashes;
    event.replay = !event.conflict && mapping.replays.contains(event.outcome, Qt::CaseInsensitive);
    event.id = QCryptographicHash::hash(line, QCryptographicHash::Sha256);
    return { true, event };
}

QString readingInWords(const ApplicationLine &line)
{
    if (!line.understood) {
        return Tr::tr("This line is not a JSON object.");
    }
    if (!line.event) {
        return Tr::tr("No key is found in this line.");
    }
    const LogEvent &event = *line.event;
    QStringList found;
    for (const auto &[title, text] : { std::pair(Tr::tr("key"), event.key),
             std::pair(Tr::tr("hash of the key"), event.keyHash), std::pair(Tr::tr("scope"), event.scope),
             std::pair(Tr::tr("outcome"), event.outcome), std::pair(Tr::tr("fingerprint received"), event.incomingHash),
             std::pair(Tr::tr("fingerprint stored"), event.existingHash), std::pair(Tr::tr("time"), event.timeText),
             std::pair(Tr::tr("message"), event.message) }) {
        if (!text.isEmpty()) {
            found += title + u' ' + text;
        }
    }
    for (auto it = event.attributes.cbegin(); it != event.attributes.cend(); ++it) {
        found += it.key() + u' ' + it.value();
    }
    const QString what = event.conflict ? Tr::tr("A conflict:")
        : event.replay                  ? Tr::tr("A retry that met the stored key:")
                                        : Tr::tr("Neither a conflict nor a replay, so it is left out:");
    const QString late = event.timeText.isEmpty() || event.time
        ? QString()
        : u' ' + Tr::tr("The time is not understood: it needs a date, a time and a zone, as RFC 3339 writes it.");
    return what + u' ' + found.join(u"; "_s) + u'.' + late;
}

} // namespace idemdesk::models
