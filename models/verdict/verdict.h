// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/stored_charge.h"
#include "sql/types/key_record.h"
#include "sql/types/triage.h"

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::models {

/// What is known of one effect that a profile declares, for one intent.
struct EffectFact {
    QString type;
    bool proves = true;
    bool readable = true; ///< false: the evidence could not be read, which never counts as "none"
    qint64 count = 0;
    QStringList ids = {}; ///< of the effects found, where they have one: two intents may share an effect
    QString doubt = {}; ///< not readable, though the query ran: why finding none says nothing
};

/// What is known of one intent. What is not known is left empty, never guessed.
struct IntentFacts {
    QString label; ///< its key, with its scope where that is needed to tell it from others; hostile
    sql::KeyState state = sql::KeyState::Unknown;
    QList<EffectFact> effects; ///< empty: the profile declares none
    bool external = false; ///< its effect happens outside of this database
    QString answer; ///< what the row itself says that it led to: a result's number, or what its response names; empty:
                    ///< nothing
    StoredCharge charge = {}; ///< what its answer tells of customer and amount
    std::optional<qint64> attempts;
    std::optional<qint64> replays; ///< as imported logs tell; nothing: none tells of any
    std::optional<qint64> conflicts; ///< refused reuses of the key; nothing: not recorded and no log imported
    bool stuck = false; ///< not finished, and past its lease or age: nobody is at it any more
    std::optional<qint64> stuckSeconds = {}; ///< nothing: not known for how long
    bool provider = false; ///< its profile tells of a provider, whose statement can be compared with it
    QStringList statements = {}; ///< what was recorded of the provider's statements: sentences, safe to show
};

/// What another member of a group holds that may belong to the same complaint.
struct MemberFact {
    QString label; ///< hostile
    bool searched = false; ///< all of it that may hold a match
    QString why = {}; ///< it was not, or not all of it: sentences; may be empty
    qint64 same = 0; ///< matches that are the intents' own, as replication brings them
    qint64 apart = 0; ///< matches of which nothing tells that they belong to the intents
    QStringList otherResults = {}; ///< keys of the intents that were carried out there with another result: hostile
    QStringList otherCharges = {}; ///< keys there with another charge of the same customer and amount, within an hour
};

/// What a complaint's verdict stands on.
struct VerdictFacts {
    QList<IntentFacts> intents; ///< those the person picked
    bool alike
        = false; ///< several: same fingerprint, result or business reference, so that one command was sent as several
    bool searchedAll = false; ///< every scope and target was searched for further intents
    sql::Known purged = sql::Known::Unreadable; ///< rows of that time may have been purged
    QStringList otherCharges = {}; ///< keys beside these that hold a charge of the same customer and amount, within an
                                   ///< hour: hostile
    qint64 conflictsElsewhere
        = 0; ///< refused reuses of the same keys in another scope or table, which say nothing of these intents
    bool fingerprintsDiffer = false; ///< each has one, made the same way, and no two of them are the same
    QString member = {}; ///< of a group, whose rows these are: hostile; empty: there is no group
    QList<MemberFact> elsewhere = {}; ///< the other members of that group
};

enum class VerdictKind {
    OneEffect, ///< one effect, perhaps replayed
    SeveralEffects, ///< one intent had several effects
    SeveralIntents, ///< several intents, each with its effect
    ConflictRefused, ///< the key came again with another request, which was refused
    NothingDone, ///< ended without an effect
    Unfinished, ///< in progress: unknown yet
    Stuck, ///< past its lease or age and never finished: waiting settles nothing
    EvidenceMissing
};

/// How far the facts carry the verdict.
enum class Certainty { Open, Likely, Proven };

/// What a fact does to the verdict: it is there, something is missing or speaks against, or nobody knows.
enum class FactSign { Yes, No, Unknown };

/// One rule that had a say, with the facts it saw.
struct VerdictRule {
    QString id; ///< stable: "effect-unreadable"
    QString sentence;
    FactSign sign = FactSign::Unknown;
};

/// What settles an open point. Hand: a person outside of the console.
enum class SettledBy { Hand, Search, Recovery, Logs, Trail, Provider };

struct OpenPoint {
    SettledBy by = SettledBy::Hand;
    QString sentence; ///< what to do
};

struct Verdict {
    VerdictKind kind = VerdictKind::EvidenceMissing;
    Certainty certainty = Certainty::Open;
    QString sentence; ///< the verdict in one or two sentences
    QList<VerdictRule> rules; ///< in the order they were applied
    QList<OpenPoint> open; ///< what it takes to be certain
    qint64 effects = 0; ///< effects seen for certain
};

/// Judges by rules, each of which is named in the answer. Never more certain than the facts: what is unreadable, not
/// declared or not searched lowers the certainty, and nothing raises it again.
Verdict verdictOf(const VerdictFacts &facts);

/// Stable words for programs: "one_effect", "proven".
QString kindWord(VerdictKind kind);
QString certaintyWord(Certainty certainty);
/// "Proven", "Likely", "Not proven".
QString certaintyName(Certainty certainty);
/// The outcome in two or three words, for a badge: "Done more than once".
QString outcomeName(VerdictKind kind);
QString factSign(FactSign sign); ///< "✓", "✗", "?"
QString factWord(FactSign sign); ///< the same, to be read aloud
QStringList openSentences(const Verdict &verdict);

} // namespace idemdesk::models
