// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// What one proving query finds in real rows, from a bounded look.
struct EvidenceTrial {
    qsizetype effect = 0; ///< index into profile.effects
    qint64 unfinished = 0; ///< rows looked at whose work is not over
    qint64 unlinked = 0; ///< of these, rows with a NULL in a column the query looks by
    QStringList missing; ///< those columns
    qint64 found = 0; ///< unfinished rows that have the effect
    qint64 marked = 0; ///< succeeded rows looked at
    qint64 foundUnmarked = 0; ///< of these, rows whose effect is found with what marking them wrote taken away
    bool ofAnything = false; ///< answersAnything()
    QString error; ///< the query failed
    QString doubt; ///< a sentence: what the query reads can settle nothing, whatever it finds or does not

    /// An effect was seen to be found before its key is marked.
    bool proved() const { return doubt.isEmpty() && !ofAnything && (found > 0 || foundUnmarked > 0); }
};

/// One trial for each effect that proves and that the target's binding found nothing against.
Result<QList<EvidenceTrial>> tryEvidence(Session &session, const Target &target);

/// Whether the effect's query finds anything here: it was tried on a sample of rows of any state, with what marking a
/// success writes taken away. One that never did proves nothing by finding nothing.
Result<bool> everFinds(Session &session, const Target &target, qsizetype effect);

/// Whether the effect's query gives a row even of a key that is made up, so that nothing and an effect without a value
/// look alike, and a constant proves anything.
Result<bool> answersAnything(Session &session, const Target &target, qsizetype effect);
Finding answersAnythingFinding(const Target &target, qsizetype effect); ///< that it does

/// What a person should know of a trial; always at least one finding.
QList<Finding> evidenceFindings(const Target &target, const EvidenceTrial &trial);

} // namespace idemdesk::sql
