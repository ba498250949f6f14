// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_file.h"

#include "models/actions/action_words.h"
#include "models/casefile/case_masking.h"
#include "models/conflicts/conflict_words.h"
#include "models/diff/diff_words.h"
#include "models/format/display_text.h"
#include "models/json/json_document.h"
#include "models/keys/key_cells.h"
#include "models/keys/touch_words.h"
#include "models/retries/error_codes.h"
#include "models/retries/retry_json.h"
#include "models/triage/provider_says.h"
#include "sql/keys/scope_parts.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kConflictChars = 400; ///< of what a line of the story says of one

QJsonValue cellJson(const sql::Cell &cell)
{
    return cell.null || cell.failed() ? QJsonValue() : QJsonValue(cell.text);
}

QJsonValue textJson(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

/// Nothing where a log line told no time.
std::optional<sql::Timestamp> momentOf(const sql::Timestamp &time)
{
    return time == sql::Timestamp() ? std::nullopt : std::optional(time);
}

QJsonValue momentJson(const sql::Timestamp &time)
{
    const auto moment = momentOf(time);
    return moment ? QJsonValue(moment->toRfc3339()) : QJsonValue();
}

QJsonValue maskedJson()
{
    return QJsonObject { { u"masked"_s, true } };
}

QJsonArray storyJson(const QList<StoryEvent> &story)
{
    QJsonArray events;
    for (const StoryEvent &event : story) {
        events.append(QJsonObject { { u"at"_s, event.at ? QJsonValue(event.at->toRfc3339()) : QJsonValue() },
            { u"title"_s, event.title }, { u"detail"_s, textJson(event.detail) }, { u"source"_s, event.source } });
    }
    return events;
}

/// What the row's error code means; null where it has none that is known, or it is masked.
QJsonValue errorJson(const CaseRow &row)
{
    return row.masks(sql::Role::ErrorCode) ? QJsonValue()
                                           : errorCodeJson(row.detail.record.role(sql::Role::ErrorCode).text);
}

/// What was recorded of the provider's statements; without values where the profile masks any.
QJsonArray providerJson(const CaseRow &row)
{
    QJsonArray provider;
    for (const sql::ProviderEvidence &word : row.provider) {
        provider.append(QJsonObject { { u"says"_s, sql::providerWordName(word.says) },
            { u"reference"_s, row.masked.isEmpty() ? QJsonValue(word.reference) : QJsonValue(maskedJson()) },
            { u"line"_s, word.line > 0 ? QJsonValue(word.line) : QJsonValue() },
            { u"text"_s, row.masked.isEmpty() ? textJson(word.text) : maskedJson() }, { u"file"_s, word.file },
            { u"file_sha256"_s, word.fileSha }, { u"provider"_s, word.provider }, { u"reason"_s, word.reason },
            { u"by"_s, word.who }, { u"at"_s, word.at.toRfc3339() } });
    }
    return provider;
}

/// Those that say that something happened first, some of the others, and what they come to.
QStringList statementsOf(const CaseRow &row)
{
    constexpr qsizetype most = 3;
    sql::TriageFacts facts;
    facts.record = row.detail.record;
    facts.provider = { row.provider, row.providerMore };
    facts.providerUnread = row.providerUnread;
    facts.providerNow = row.providerNow;
    QList<sql::ProviderEvidence> &words = facts.provider.words;
    std::stable_partition(words.begin(), words.end(), [](const sql::ProviderEvidence &word) {
        return word.says != sql::ProviderWord::DidNotHappen && word.says != sql::ProviderWord::NotInStatement;
    });
    const bool found = std::any_of(row.detail.effects.cbegin(), row.detail.effects.cend(),
        [](const sql::EffectResult &effect) { return !effect.rows.isEmpty(); });
    const QStringList reasons = whatProviderSays(facts, found, !row.masked.isEmpty()).reasons;
    QStringList sentences = reasons.mid(0, std::min(words.size(), most));
    if (words.size() > most) {
        sentences += Tr::tr("%Ln more statement(s) of it were recorded.", nullptr, int(words.size() - most));
    }
    return sentences + reasons.mid(words.size());
}

QJsonObject rowJson(const CaseRow &row)
{
    QJsonObject scope;
    const sql::Profile &profile = row.target.profile;
    for (qsizetype i = 0; i < profile.scope.size(); ++i) {
        const QString &label = profile.scope.at(i).label;
        scope.insert(label, row.masked.contains(label) ? maskedJson() : cellJson(row.detail.record.scope.value(i)));
    }
    QJsonObject columns;
    for (const sql::ColumnValue &column : row.detail.columns) {
        columns.insert(column.name, row.masked.contains(column.name) ? maskedJson() : cellJson(column.value));
    }
    QJsonArray effects;
    const sql::KeyDetail shown = withoutMasked(row.detail, row.masked);
    for (qsizetype i = 0; i < shown.effects.size(); ++i) {
        const sql::EffectResult &effect = shown.effects.at(i);
        const bool hidden = row.masked.contains(maskedEffect(i));
        QJsonArray found;
        for (const sql::EffectRow &one : effect.rows) {
            found.append(hidden ? maskedJson()
                                : QJsonObject { { u"id"_s, cellJson(one.id) }, { u"at"_s, cellJson(one.at) },
                                    { u"state"_s, cellJson(one.state) } });
        }
        effects.append(QJsonObject { { u"type"_s, effect.type }, { u"proves"_s, effect.proves }, { u"found"_s, found },
            { u"unreadable"_s, textJson(effect.error) } });
    }
    QJsonArray actions;
    for (const sql::KeyTouch &touch : row.touches) {
        actions.append(QJsonObject { { u"action"_s, touch.action }, { u"verb"_s, touchName(touch) },
            { u"by"_s, touch.who }, { u"at"_s, touch.at.toRfc3339() }, { u"outcome"_s, touch.outcome },
            { u"reason"_s, textJson(touch.reason) } });
    }
    return { { u"target"_s, QJsonObject { { u"title"_s, profile.shownTitle() }, { u"relation"_s, profile.relation } } },
        { u"key"_s, row.key }, { u"scope"_s, scope }, { u"state"_s, sql::stateName(row.detail.record.state) },
        { u"columns"_s, columns }, { u"effects"_s, effects }, { u"story"_s, storyJson(row.story) },
        { u"retry"_s,
            retryJson(retryWithoutMasked(profile, row.detail.retry, row.masked), profile.kind, row.detail.now) },
        { u"error"_s, errorJson(row) }, { u"actions"_s, actions }, { u"releases_known"_s, row.releasesTold },
        { u"provider_words"_s, providerJson(row) }, { u"masked"_s, QJsonArray::fromStringList(row.masked) } };
}

QJsonArray differencesJson(const QList<RequestDifference> &differences)
{
    QJsonArray list;
    for (const RequestDifference &one : differences) {
        QJsonArray changes;
        for (const JsonChange &change : one.changes) {
            changes.append(changeJson(change));
        }
        list.append(QJsonObject { { u"first"_s, one.first }, { u"second"_s, one.second },
            { u"sentence"_s, one.sentence }, { u"changes"_s, changes }, { u"more"_s, one.more } });
    }
    return list;
}

qint64 countOf(const sql::KeyRecord &record, sql::Role role, bool *known)
{
    const sql::Cell cell = record.role(role);
    *known = !cell.null && !cell.failed();
    return cell.text.toLongLong();
}

/// True if the intents stand under different keys of one scope, and all have the same fingerprint, result or effect.
/// The same request in another scope is another one's.
bool alike(const QList<CaseRow> &rows)
{
    const CaseRow first = rows.value(0);
    QStringList keys;
    for (const CaseRow &row : rows) {
        keys += row.key;
        if (row.target.profile.relation != first.target.profile.relation
            || row.detail.record.scope != first.detail.record.scope) {
            return false;
        }
    }
    if (rows.size() < 2 || keys.removeDuplicates() > 0) {
        return false;
    }
    const auto all = [&rows](auto valueOf) {
        const QString value = valueOf(rows.constFirst());
        return !value.isEmpty()
            && std::all_of(rows.begin(), rows.end(), [&](const CaseRow &row) { return valueOf(row) == value; });
    };
    return all([](const CaseRow &row) { return row.detail.record.role(sql::Role::Fingerprint).text; })
        || all([](const CaseRow &row) { return recordResultText(row.detail.record); }) || all([](const CaseRow &row) {
               return row.detail.effects.isEmpty() || row.detail.effects.constFirst().rows.isEmpty()
                   ? QString()
                   : row.detail.effects.constFirst().rows.constFirst().id.text;
           });
}

/// True if each row of one table has a fingerprint, and no two of them are the same.
bool fingerprintsDiffer(const QList<CaseRow> &rows)
{
    QSet<QString> fingerprints;
    for (const CaseRow &row : rows) {
        const sql::Cell fingerprint = row.detail.record.role(sql::Role::Fingerprint);
        if (fingerprint.null || fingerprint.failed() || fingerprint.text.isEmpty()
            || row.target.profile.relation != rows.constFirst().target.profile.relation) {
            return false;
        }
        fingerprints.insert(fingerprint.text);
    }
    return rows.size() > 1 && fingerprints.size() == rows.size();
}

/// What the row says that it led to: its result's number, else the numbers that its response names at its top. Not what
/// is masked.
QString storedAnswerOf(const CaseRow &row)
{
    if (const QString result = recordResultText(row.detail.record);
        !result.isEmpty() && !row.masks(sql::Role::ResultId)) {
        return result;
    }
    const sql::Cell body = row.detail.record.role(sql::Role::ResponseBody);
    if (body.null || body.partial() || body.failed() || row.masks(sql::Role::ResponseBody)) {
        return {};
    }
    static const QRegularExpression number(
        u"(^|_)(id|no|number|ref|reference|charge|payment|order)$|[a-z](Id|No|Number|Ref)$"_s);
    // These name who asked, or the asking itself: they differ however often it was done.
    static const QRegularExpression other(u"^(request|trace|span|correlation|session|event|message|idempotency)"_s);
    const auto response = JsonDocument::parse(body.text); // a number of 20 digits is one to the last
    const bool object = response && response->type(JsonDocument::kRoot) == JsonDocument::Type::Object;
    QMap<QString, QString> named;
    for (int i = 0; object && i < response->childCount(JsonDocument::kRoot); ++i) {
        const int member = response->child(JsonDocument::kRoot, i);
        const QString name = response->name(member);
        const JsonDocument::Type type = response->type(member);
        if (number.match(name).hasMatch() && !other.match(name).hasMatch()
            && (type == JsonDocument::Type::String || type == JsonDocument::Type::Number)) {
            named.insert(name, name + u' ' + response->value(member));
        }
    }
    return QStringList(named.values()).join(u", "_s);
}

} // namespace

CaseSubject caseSubject(const sql::Target &target, const QString &registeredName, const sql::KeyRecord &record)
{
    return { target, registeredName, record.key.text, {}, record.identity };
}

QStringList namesOf(const sql::Target &target, const QString &registeredName)
{
    return { registeredName, target.profile.name, target.profile.relation };
}

bool isOf(const sql::ConflictRecord &conflict, const QString &key, const QStringList &names, const sql::Cells &scope)
{
    return conflict.key == key && (conflict.target.isEmpty() || names.contains(conflict.target))
        && sql::namesScope(conflict.scope, scope);
}

QString scopeOf(const CaseRow &row)
{
    QStringList parts;
    for (qsizetype i = 0; i < row.target.profile.scope.size(); ++i) {
        const QString &label = row.target.profile.scope.at(i).label;
        parts += label + u": "_s
            + (row.masked.contains(label) ? Tr::tr("(masked)") : row.detail.record.scope.value(i).text);
    }
    return parts.join(u", "_s);
}

QString intentName(const CaseFile &file, const CaseRow &row)
{
    bool severalTables = false;
    bool severalScopes = false;
    for (const CaseRow &other : file.rows) {
        const bool sameKey = other.key == row.key;
        severalTables = severalTables || (sameKey && other.target.profile.relation != row.target.profile.relation);
        severalScopes = severalScopes || (sameKey && scopeOf(other) != scopeOf(row));
    }
    QStringList where;
    if (severalTables) {
        where += row.target.profile.shownTitle();
    }
    if (const QString scope = scopeOf(row); severalScopes && !scope.isEmpty()) {
        where += scope;
    }
    return where.isEmpty() ? row.key : Tr::tr("%1 (%2)").arg(row.key, where.join(u"; "_s));
}

bool isIntent(const CaseFile &file, const CaseRow &row)
{
    const auto isMessage = [](const CaseRow &one) { return one.target.profile.kind == sql::TargetKind::Outbox; };
    return !isMessage(row) || std::all_of(file.rows.begin(), file.rows.end(), isMessage);
}

namespace {

/// Whether the first policy that fits the row's scope says that the effect happens elsewhere; nothing where none fits.
std::optional<bool> effectElsewhere(const CaseRow &row)
{
    const sql::Profile &profile = row.target.profile;
    QMap<QString, QString> scope;
    for (qsizetype i = 0; i < profile.scope.size(); ++i) {
        scope.insert(profile.scope.at(i).label, row.detail.record.scope.value(i).text);
    }
    for (const sql::PolicySpec &policy : profile.policies) {
        bool matches = true;
        for (auto it = policy.match.cbegin(); it != policy.match.cend(); ++it) {
            matches = matches && scope.value(it.key()) == *it;
        }
        if (matches) {
            return policy.effect == u"external";
        }
    }
    return std::nullopt;
}

} // namespace

namespace {

/// What stands beside the intents themselves.
VerdictFacts factsAround(const CaseFile &file)
{
    VerdictFacts facts;
    facts.conflictsElsewhere = file.conflictsElsewhere;
    facts.otherCharges = file.otherCharges;
    facts.member = file.group.member;
    facts.elsewhere = memberFacts(file);
    return facts;
}

} // namespace

VerdictFacts verdictFacts(const CaseFile &file)
{
    VerdictFacts facts = factsAround(file);
    QList<CaseRow> intents;
    QSet<qsizetype>
        counted; // of the records: one that names neither table nor scope fits several rows, and happened once
    for (const CaseRow &row : file.rows) {
        if (!isIntent(file, row)) {
            continue;
        }
        intents += row;
        IntentFacts intent;
        intent.label = intentName(file, row);
        intent.state = row.detail.record.state;
        intent.stuck = row.detail.record.stale.value_or(false);
        if (intent.stuck && row.detail.staleSince && row.detail.staleSince->finite()) {
            intent.stuckSeconds
                = std::max<qint64>(0, (row.detail.now.micros - row.detail.staleSince->micros) / 1'000'000);
        }
        intent.answer = storedAnswerOf(row);
        intent.charge = storedCharge(row.target, row.detail.record, row.masked);
        bool known = false;
        const qint64 attempts = countOf(row.detail.record, sql::Role::Attempts, &known);
        intent.attempts = known ? std::optional(attempts) : std::nullopt;
        intent.conflicts = file.conflictsKnown ? std::optional<qint64>(0) : std::nullopt;
        for (qsizetype i = 0; i < file.conflicts.size(); ++i) {
            const sql::ConflictRecord &conflict = file.conflicts.at(i);
            if (counted.contains(i) || !isOf(conflict, row.key, row.names, row.detail.record.scope)) {
                continue;
            }
            if (conflict.isReuse()) {
                intent.conflicts = intent.conflicts.value_or(0) + conflict.count;
                counted += i;
            } else if (conflict.kind == sql::kReplayKind) {
                intent.replays = intent.replays.value_or(0) + conflict.count;
                counted += i;
            }
        }
        for (const sql::EffectResult &effect : row.detail.effects) {
            const QString doubt = effectDoubt(effect);
            EffectFact fact { effect.type, effect.proves, doubt.isEmpty(), qint64(effect.rows.size()), {},
                effect.unlinked || effect.unproven ? doubt : QString() };
            for (const sql::EffectRow &one : effect.rows) {
                fact.ids += one.id.text;
            }
            if (!fact.ids.contains(QString())) { // one effect may show in several rows
                fact.ids.removeDuplicates();
                fact.count = fact.ids.size();
            }
            intent.effects.append(fact);
        }
        intent.external = effectElsewhere(row).value_or(intent.external);
        intent.provider = row.target.profile.provider.has_value();
        intent.statements = statementsOf(row);
        facts.intents.append(intent);
    }
    facts.alike = alike(intents);
    facts.fingerprintsDiffer = fingerprintsDiffer(intents);
    return facts;
}

bool masksAny(const CaseFile &file, sql::Role role)
{
    return std::any_of(file.rows.begin(), file.rows.end(), [role](const CaseRow &row) { return row.masks(role); });
}

QString businessReference(const CaseFile &file)
{
    for (const CaseRow &row : file.rows) {
        const sql::Cell id = row.detail.record.role(sql::Role::ResultId);
        if (!id.null && !id.failed() && !row.masks(sql::Role::ResultId)) {
            return id.text;
        }
    }
    return {};
}

QStringList caseKeys(const CaseFile &file)
{
    QStringList keys;
    for (const CaseRow &row : file.rows) {
        keys += row.key;
    }
    keys.removeDuplicates();
    return keys;
}

QList<StoryEvent> timelineOf(const CaseFile &file)
{
    QList<StoryEvent> line;
    const bool several = caseKeys(file).size() > 1;
    const auto named = [several](const QString &key, const QString &text) {
        return several ? Tr::tr("%1: %2").arg(displayText(key, 60), text) : text;
    };
    for (const CaseRow &row : file.rows) {
        for (StoryEvent event : row.story) {
            if (event.kind == StoryEvent::Kind::Now && !line.isEmpty() && line.constLast().kind != StoryEvent::Kind::Now
                && &row != &file.rows.constFirst()) {
                continue; // once is enough
            }
            if (file.rows.size() > 1) {
                event.state.reset(); // of one of them
            }
            event.title = event.kind == StoryEvent::Kind::Now ? event.title : named(row.key, event.title);
            line += event;
        }
        for (const sql::KeyTouch &touch : row.touches) {
            StoryEvent event = touchEvent(touch);
            event.title = named(row.key, event.title);
            line += event;
        }
        for (const sql::ProviderEvidence &word : row.provider) {
            StoryEvent event = providerEvent(word, !row.masked.isEmpty());
            event.title = named(row.key, event.title);
            line += event;
        }
    }
    for (const sql::ConflictRecord &conflict : file.conflicts) {
        const QString code = conflictCode(conflict);
        QStringList detail { conflict.count == 1
                ? Tr::tr("once")
                : Tr::tr("%n time(s)", nullptr, int(std::min<qint64>(conflict.count, 1'000'000))),
            conflict.caller, errorCodeMeaning(code), conflictAttributes(conflict) };
        detail.removeAll(QString());
        const QString kind = conflictKindLabel(conflict.kind);
        line += { StoryEvent::Kind::Conflict,
            named(conflict.key.value_or(QString()), code.isEmpty() ? kind : Tr::tr("%1, %2").arg(kind, code)),
            displayText(detail.join(u" · "_s), kConflictChars),
            conflict.fromLog ? Tr::tr("log %1").arg(displayText(conflict.file, 80)) : u"idemdesk.conflict"_s,
            momentOf(conflict.lastAt), false };
    }
    sortStory(&line, file.rows.isEmpty() ? sql::Timestamp() : file.rows.constLast().detail.now);
    return line;
}

QByteArray caseJson(const CaseFile &file)
{
    QJsonArray rows;
    for (const CaseRow &row : file.rows) {
        rows.append(rowJson(row));
    }
    QJsonArray conflicts;
    QJsonArray replays;
    const bool hashesMasked = masksAny(file, sql::Role::Fingerprint);
    for (const sql::ConflictRecord &conflict : file.conflicts) {
        (conflict.kind == sql::kReplayKind ? replays : conflicts)
            .append(QJsonObject { { u"key"_s, conflict.key ? QJsonValue(*conflict.key) : QJsonValue() },
                { u"kind"_s, conflict.kind }, { u"source"_s, conflict.fromLog ? u"log"_s : u"service"_s },
                { u"existing_hash"_s, hashesMasked ? maskedJson() : textJson(conflict.existingHash) },
                { u"incoming_hash"_s, hashesMasked ? maskedJson() : textJson(conflict.incomingHash) },
                { u"caller"_s, textJson(conflict.caller) }, { u"first_at"_s, momentJson(conflict.firstAt) },
                { u"last_at"_s, momentJson(conflict.lastAt) }, { u"count"_s, conflict.count },
                { u"file"_s, textJson(conflict.file) } });
    }
    QJsonArray rules;
    for (const VerdictRule &rule : file.verdict.rules) {
        rules.append(QJsonObject { { u"id"_s, rule.id }, { u"sentence"_s, rule.sentence } });
    }
    const QJsonObject verdict { { u"kind"_s, kindWord(file.verdict.kind) },
        { u"certainty"_s, certaintyWord(file.verdict.certainty) }, { u"sentence"_s, file.verdict.sentence },
        { u"rules"_s, rules }, { u"would_settle"_s, QJsonArray::fromStringList(openSentences(file.verdict)) },
        { u"effects_seen"_s, file.verdict.effects } };
    QJsonArray trailRows;
    for (const sql::AuditRow &row : file.trailRows) {
        trailRows.append(QJsonObject { { u"seq"_s, row.seq }, { u"at"_s, row.at.toRfc3339() }, { u"who"_s, row.who },
            { u"what"_s, row.what }, { u"action"_s, row.action }, { u"previous_hash"_s, row.previousHash },
            { u"hash"_s, row.hash } });
    }
    QJsonValue trail;
    if (file.trail) {
        trail = QJsonObject { { u"intact"_s, file.trail->intact }, { u"checked"_s, file.trail->checked },
            { u"head_seq"_s, file.trail->headSeq }, { u"head_hash"_s, file.trail->headHash },
            { u"problem"_s, textJson(file.trail->problem()) }, { u"rows"_s, trailRows } };
    }
    const QJsonObject document { { u"idemdesk_case"_s, 1 }, { u"complaint"_s, textJson(file.complaint) },
        { u"server"_s, file.server }, { u"keys"_s, QJsonArray::fromStringList(caseKeys(file)) },
        { u"verdict"_s, verdict }, { u"timeline"_s, storyJson(timelineOf(file)) }, { u"rows"_s, rows },
        { u"conflicts"_s, file.conflictsKnown ? QJsonValue(conflicts) : QJsonValue() },
        { u"replays"_s, replays.isEmpty() ? QJsonValue() : QJsonValue(replays) },
        { u"differences"_s, differencesJson(file.differences) },
        { u"not_compared"_s, QJsonArray::fromStringList(file.notCompared) }, { u"trail"_s, trail },
        { u"not_read"_s, QJsonArray::fromStringList(file.notRead) }, { u"made_by"_s, file.madeBy },
        { u"made_at"_s, file.madeAt.toString(Qt::ISODateWithMs) } };
    return QJsonDocument(document).toJson(QJsonDocument::Indented);
}

} // namespace idemdesk::models
