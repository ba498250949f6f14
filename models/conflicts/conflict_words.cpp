// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/conflicts/conflict_words.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/retries/error_codes.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString conflictKindLabel(const QString &kind)
{
    const std::pair<QString, QString> labels[] = { { u"key_conflict"_s, Tr::tr("Key reused, different request") },
        { u"message_conflict"_s, Tr::tr("Message id used again") },
        { u"unique_violation"_s, Tr::tr("Unique violation") }, { u"deadlock"_s, Tr::tr("Deadlock") },
        { u"serialization_failure"_s, Tr::tr("Serialization failure") }, { u"application"_s, Tr::tr("Service's log") },
        { u"refused"_s, Tr::tr("Claim refused") }, { QString(sql::kReplayKind), Tr::tr("Retry met the key") } };
    for (const auto &[name, label] : labels) {
        if (name == kind) {
            return label;
        }
    }
    return kind;
}

QString conflictKindMark(const QString &kind)
{
    const std::pair<QString, QString> marks[]
        = { { u"key_conflict"_s, Tr::tr("Reused key") }, { u"message_conflict"_s, Tr::tr("Reused message id") },
              { u"serialization_failure"_s, Tr::tr("Serialization") }, { u"application"_s, Tr::tr("Reused key") } };
    for (const auto &[name, mark] : marks) {
        if (name == kind) {
            return mark;
        }
    }
    return conflictKindLabel(kind);
}

QString conflictCode(const sql::ConflictRecord &record)
{
    if (const QString code = record.attributes.value(u"sqlstate"_s); !code.isEmpty()) {
        return code;
    }
    if (const auto said = errorCodesIn(record.message + u' ' + record.detail); !said.isEmpty()) {
        return said.first().code;
    }
    const std::pair<QString, QString> codes[] = { { u"key_conflict"_s, u"P4002"_s },
        { u"message_conflict"_s, u"P4050"_s }, { u"unique_violation"_s, u"23505"_s }, { u"deadlock"_s, u"40P01"_s },
        { u"serialization_failure"_s, u"40001"_s } };
    for (const auto &[kind, code] : codes) {
        if (kind == record.kind) {
            return code;
        }
    }
    return {};
}

QString conflictSentence(const sql::ConflictRecord &record)
{
    QString text;
    if (record.kind == u"key_conflict" || record.kind == u"message_conflict" || record.kind == u"application") {
        text = !record.existingHash.isEmpty() && !record.incomingHash.isEmpty()
            ? Tr::tr("The same key came with another request: its fingerprint differs from the stored one.")
            : Tr::tr("The same key came with another request, as the service says.");
    } else if (record.kind == sql::kReplayKind) {
        text = Tr::tr(
            "A retry met the stored key, as the service's log says. That is what the key is for: no conflict.");
    } else if (record.kind == u"unique_violation") {
        text = Tr::tr("The database refused a second row for the same key. If the request was the same, a duplicate "
                      "was kept out: no conflict.");
    } else if (record.kind == u"refused") {
        text = Tr::tr("The table's own function refused a claim, or its end.");
    } else if (record.kind == u"deadlock") {
        text = Tr::tr("A transaction on the table was ended to resolve a deadlock. Trying it again is right.");
    } else {
        text = Tr::tr("A transaction on the table could not be serialized with others. Trying it again is right.");
    }
    if (!record.key) {
        text += u' ' + Tr::tr("The log does not name the key.");
    }
    return text;
}

QString conflictMeaning(const sql::ConflictRecord &record)
{
    const QString code = conflictCode(record);
    return code.isEmpty() ? QString() : Tr::tr("Error %1 – %2", "code, meaning").arg(code, errorCodeText(code));
}

QString conflictAttributes(const sql::ConflictRecord &record)
{
    QStringList texts;
    for (auto it = record.attributes.cbegin(); it != record.attributes.cend(); ++it) {
        texts += displayText(it.key() + u' ' + it.value());
    }
    return texts.join(u", "_s);
}

QStringList importInWords(const ImportCounts &counts)
{
    QStringList words;
    if (counts.replays > 0) {
        words += Tr::tr("%n of them were retries that met a stored key.", nullptr, int(counts.replays));
    }
    if (counts.found > 0) {
        words += Tr::tr("%n key(s) that the log does not name were found in the tables.", nullptr, int(counts.found));
    }
    if (counts.elsewhere > 0) {
        words += Tr::tr("%n record(s) of other databases were left out.", nullptr, int(counts.elsewhere));
    }
    if (counts.unplaced > 0) {
        words += Tr::tr("Of %n record(s) the log does not name the database; they were taken to be of this one.",
            nullptr, int(counts.unplaced));
    }
    if (counts.timeless > 0) {
        words += Tr::tr("Of %n record(s) the time is not known; they stand at the time of the import.", nullptr,
            int(counts.timeless));
    }
    if (counts.log.stateless > 0) {
        words += Tr::tr("%n error(s) carry no SQLSTATE, so that a refusal such as P4029 may be among them.", nullptr,
                     int(counts.log.stateless))
            + u' ' + Tr::tr("With %e in log_line_prefix the server writes it.");
    }
    QStringList others;
    for (auto word = counts.otherOutcomes.cbegin(); word != counts.otherOutcomes.cend(); ++word) {
        others += Tr::tr("“%1” (%2)", "word, number of lines").arg(displayText(word.key(), 40), countText(*word));
    }
    if (!others.isEmpty()) {
        words += Tr::tr("Taken for neither a conflict nor a retry: %1.").arg(others.join(u", "_s)) + u' '
            + Tr::tr("Where one is either, say so with a mapping (conflict=WORD or replay=WORD).");
    }
    return words;
}

} // namespace idemdesk::models
