// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_words.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kSharedChars = 80;

QString outcome(const sql::DuplicateGroup &group)
{
    if (group.succeeded > 1) {
        return Tr::tr("%n of them succeeded, so it was probably done more than once.", nullptr, int(group.succeeded));
    }
    return group.succeeded == 1
        ? Tr::tr("One of them succeeded; the rest look like the same request sent again under another key.")
        : Tr::tr("None of them has succeeded.");
}

} // namespace

QString duplicateReasonLabel(sql::DuplicateReason reason)
{
    switch (reason) {
    case sql::DuplicateReason::SeveralEffects:
        return Tr::tr("Several effects");
    case sql::DuplicateReason::SameResult:
        return Tr::tr("Same result");
    case sql::DuplicateReason::SameBusinessReference:
        return Tr::tr("Same business reference");
    case sql::DuplicateReason::SameFingerprint:
        return Tr::tr("Same fingerprint");
    case sql::DuplicateReason::TwoCharges:
        return Tr::tr("Two charges");
    case sql::DuplicateReason::NearPayload:
        return Tr::tr("Near payload");
    }
    return {};
}

DuplicateVerdict duplicateVerdict(const sql::DuplicateGroup &group)
{
    switch (group.reason) {
    case sql::DuplicateReason::SeveralEffects:
        return DuplicateVerdict::Twice;
    case sql::DuplicateReason::SameResult:
        return DuplicateVerdict::Once;
    case sql::DuplicateReason::TwoCharges:
        return DuplicateVerdict::Suspected;
    case sql::DuplicateReason::SameBusinessReference:
        if (!group.effectType.isEmpty()) {
            return DuplicateVerdict::Once; // they reached the same effect
        }
        break;
    case sql::DuplicateReason::SameFingerprint:
    case sql::DuplicateReason::NearPayload:
        break;
    }
    return group.succeeded > 1 ? DuplicateVerdict::Twice
        : group.succeeded == 1 ? DuplicateVerdict::Once
                               : DuplicateVerdict::NotDone;
}

QString duplicateVerdictText(const sql::DuplicateGroup &group)
{
    const qint64 times = group.reason == sql::DuplicateReason::SeveralEffects ? group.effects : group.succeeded;
    switch (duplicateVerdict(group)) {
    case DuplicateVerdict::Twice:
        return times > 2 ? Tr::tr("Probably done %1 times").arg(countText(times)) : Tr::tr("Probably done twice");
    case DuplicateVerdict::Suspected:
        return Tr::tr("Maybe charged twice");
    case DuplicateVerdict::Once:
        return Tr::tr("Done once");
    case DuplicateVerdict::NotDone:
        return Tr::tr("Not done");
    }
    return {};
}

QString duplicateApart(const sql::DuplicateGroup &group)
{
    const bool known = group.keys > 1 && group.first && group.last && group.first->finite() && group.last->finite();
    return known ? durationText((group.last->micros - group.first->micros) / sql::kMicros) : QString();
}

QString duplicateWhy(const sql::DuplicateGroup &group)
{
    const QString shared = displayText(group.shared, kSharedChars);
    const QString type = displayText(group.effectType, kSharedChars);
    const int keys = int(group.keys);
    const QString once = Tr::tr("It exists once. Either one request was sent again under another key, or several "
                                "requests change the same thing.");
    switch (group.reason) {
    case sql::DuplicateReason::SeveralEffects:
        return Tr::tr(
            "This key alone has %n effect(s) of the type “%1”: what it asks for was probably done more than once.",
            nullptr, int(group.effects))
            .arg(type);
    case sql::DuplicateReason::SameResult:
        return Tr::tr("%n key(s) led to the same result, %1.", nullptr, keys).arg(shared) + u' ' + once;
    case sql::DuplicateReason::SameBusinessReference:
        if (!type.isEmpty()) {
            return Tr::tr("%n key(s) reached the same effect of the type “%1”, %2.", nullptr, keys).arg(type, shared)
                + u' ' + once;
        }
        return Tr::tr("%n key(s) are about the same business matter, %1.", nullptr, keys).arg(shared) + u' '
            + outcome(group);
    case sql::DuplicateReason::SameFingerprint:
        return Tr::tr("%n key(s) came with the same request: their fingerprints are equal.", nullptr, keys) + u' '
            + outcome(group);
    case sql::DuplicateReason::TwoCharges:
        return Tr::tr("%n key(s) succeeded with a charge each, of one customer and amount within an hour: %1.", nullptr,
                   keys)
                   .arg(shared)
            + u' ' + Tr::tr("That is a suspicion: ask whether the customer meant it once.");
    case sql::DuplicateReason::NearPayload:
        return Tr::tr("%n key(s) came soon after each other with payloads that are the same but for %1.", nullptr, keys)
                   .arg(displayText(group.ignored.join(u", "_s), kSharedChars))
            + u' ' + outcome(group);
    }
    return {};
}

QString duplicateScope(const sql::DuplicateGroup &group)
{
    if (group.scope.isEmpty() && !group.sampleScopes.value(0).isEmpty()) {
        return Tr::tr("all");
    }
    QStringList parts;
    for (const sql::Cell &part : group.scope) {
        parts += part.null ? u"–"_s : part.text;
    }
    return parts.join(u" / "_s);
}

QString duplicateShared(const sql::DuplicateGroup &group)
{
    constexpr qsizetype kDigits = 12;
    const bool hash = group.reason == sql::DuplicateReason::SameFingerprint && group.shared.size() > 2 * kDigits;
    return hash ? group.shared.left(kDigits) + u'…' : group.shared;
}

QString duplicateReasonText(const sql::DuplicateGroup &group)
{
    const QString reason = duplicateReasonLabel(group.reason);
    return group.succeeded > 1 ? Tr::tr("%1, %2 succeeded", "reason, number").arg(reason, countText(group.succeeded))
                               : reason;
}

} // namespace idemdesk::models
