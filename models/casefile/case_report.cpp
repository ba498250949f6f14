// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_report.h"

#include "models/actions/action_words.h"
#include "models/audit/audit_model.h"
#include "models/casefile/case_masking.h"
#include "models/compare/compare_text.h"
#include "models/conflicts/conflict_words.h"
#include "models/fingerprint/fingerprint_text.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/time_format.h"
#include "models/keys/touch_words.h"
#include "models/report/report_page.h"
#include "models/retries/error_codes.h"
#include "models/retries/retry_words.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kMostChangesShown = 40; ///< of two requests
constexpr qsizetype kNamedChanges = 3; ///< by the sentence itself

QString summary(const CaseFile &file)
{
    QStringList rows;
    if (!file.complaint.isEmpty()) {
        rows += reportRow({ Tr::tr("Complaint"), reportText(file.complaint) });
    }
    rows += reportRow({ Tr::tr("Database"), reportText(file.server) });
    for (const CaseRow &one : file.rows) {
        const QString scope = scopeOf(one);
        rows += reportRow({ Tr::tr("Key"), u"<code>%1</code>"_s.arg(reportText(one.key)) });
        rows += reportRow({ Tr::tr("Table"),
            reportText(one.target.profile.shownTitle() + u" ("_s + one.target.profile.relation + u')') });
        rows += reportRow({ Tr::tr("Scope and state"),
            reportText(scope + (scope.isEmpty() ? QString() : u"; "_s) + stateLabel(one.detail.record.state)) });
    }
    return reportTable({}, rows);
}

QString verdictHtml(const Verdict &verdict)
{
    QString html = reportHeading(Tr::tr("Verdict"))
        + u"<p><b>%1</b> – %2</p><p><b>%3</b></p>"_s.arg(outcomeName(verdict.kind).toHtmlEscaped(),
            certaintyName(verdict.certainty).toHtmlEscaped(), reportText(verdict.sentence));
    QStringList facts;
    for (const VerdictRule &rule : verdict.rules) {
        facts += reportRow({ factSign(rule.sign), reportText(rule.sentence) });
    }
    html += u"<table cellspacing=\"0\" cellpadding=\"3\">%1</table>"_s.arg(facts.join(QString()));
    if (!verdict.open.isEmpty()) {
        html += reportParagraph(Tr::tr("To be certain:")) + u"<ul>"_s;
        for (const QString &text : openSentences(verdict)) {
            html += u"<li>%1</li>"_s.arg(reportText(text));
        }
        html += u"</ul>"_s;
    }
    return html;
}

QString storyHtml(const CaseFile &file)
{
    const TimeFormat times;
    QStringList rows;
    for (const StoryEvent &event : timelineOf(file)) {
        rows += reportRow({ event.at ? reportText(times.text(*event.at)) : QString(), reportText(event.title),
            reportText(event.detail), reportText(event.source) });
    }
    return reportHeading(Tr::tr("Story, times in UTC"))
        + reportTable({ Tr::tr("At"), Tr::tr("What"), Tr::tr("More"), Tr::tr("Source") }, rows);
}

/// What the table's own claim does with each row, as of the time when the case was made.
QString retryHtml(const CaseFile &file)
{
    const TimeFormat times = TimeFormat::named();
    QStringList rows;
    for (const CaseRow &one : file.rows) {
        const sql::Profile &profile = one.target.profile;
        const sql::RetryAnswers answers = retryWithoutMasked(profile, one.detail.retry, one.masked);
        rows += reportRow({ u"<code>%1</code>"_s.arg(reportText(one.key)),
            reportText(retrySummary(answers, profile.kind, one.detail.now, times)),
            reportText(retryReasons(answers).join(u' ')) });
    }
    QString html = reportHeading(Tr::tr("If the client retries"))
        + reportTable({ Tr::tr("Key"), Tr::tr("What happens"), Tr::tr("Why") }, rows);
    for (const CaseRow &one : file.rows) {
        const QString code = one.detail.record.role(sql::Role::ErrorCode).text;
        const QString meaning = one.masks(sql::Role::ErrorCode) ? QString() : errorCodeText(code);
        html += meaning.isEmpty() ? QString() : reportParagraph(code + u" – "_s + meaning);
    }
    return html;
}

QString wordsOf(const JsonChange &change)
{
    DiffNode node;
    node.status = change.status;
    node.forms = change.forms;
    return differenceInWords(node);
}

bool isShown(const JsonChange &change)
{
    return !change.ignored;
}

QString changesHtml(const RequestDifference &difference)
{
    QStringList rows;
    for (const JsonChange &change : difference.changes) {
        if (isShown(change) && rows.size() < kMostChangesShown) {
            rows += reportRow({ u"<code>%1</code>"_s.arg(reportText(change.pointer)), reportText(wordsOf(change)),
                u"<code>%1</code>"_s.arg(reportText(change.from)), u"<code>%1</code>"_s.arg(reportText(change.to)) });
        }
    }
    const auto all = std::count_if(difference.changes.begin(), difference.changes.end(), isShown);
    const qsizetype more = all - rows.size() + difference.more;
    return reportTable(
               { Tr::tr("Where"), Tr::tr("What"), reportText(difference.first, 60), reportText(difference.second, 60) },
               rows)
        + (more > 0 ? reportParagraph(Tr::tr(
               "%n more difference(s) are not listed here; the same case as JSON lists up to 200.", nullptr, int(more)))
                    : QString());
}

/// Tables of which the verdict knows nothing.
QString notReadHtml(const CaseFile &file)
{
    QString html = file.notRead.isEmpty() ? QString() : reportHeading(Tr::tr("Tables that could not be searched"));
    for (const QString &text : file.notRead) {
        html += reportParagraph(text);
    }
    return html;
}

QString payloadsHtml(const CaseFile &file)
{
    QString html = file.differences.isEmpty() && file.notCompared.isEmpty()
        ? QString()
        : reportHeading(Tr::tr("What differs between the requests"));
    for (const RequestDifference &one : file.differences) {
        html += reportParagraph(differenceInWords(one));
        if (std::count_if(one.changes.begin(), one.changes.end(), isShown) > kNamedChanges) {
            html += changesHtml(one);
        }
    }
    for (const QString &text : file.notCompared) {
        html += reportParagraph(text);
    }
    return html;
}

QString effectsHtml(const CaseFile &file)
{
    QStringList rows;
    for (const CaseRow &one : file.rows) {
        const sql::KeyDetail shown = withoutMasked(one.detail, one.masked);
        for (const sql::EffectResult &effect : shown.effects) {
            if (!effect.error.isEmpty()) {
                rows += reportRow({ reportText(effect.type), Tr::tr("could not be read"), reportText(effect.error) });
            } else if (effect.rows.isEmpty()) {
                rows += reportRow({ reportText(effect.type), Tr::tr("none found"), QString() });
            }
            for (const sql::EffectRow &found : effect.rows) {
                rows += reportRow({ reportText(effect.type), reportText(found.id.text),
                    reportText(found.at.text + (found.state.null ? QString() : u" · "_s + found.state.text)) });
            }
        }
    }
    return reportHeading(Tr::tr("Effects"))
        + (rows.isEmpty() ? reportParagraph(Tr::tr("The profile names no effect to look for."))
                          : reportTable({ Tr::tr("Kind"), Tr::tr("Found"), Tr::tr("More") }, rows));
}

QString conflictsHtml(const CaseFile &file)
{
    QString html = reportHeading(Tr::tr("Conflicts"));
    if (!file.conflictsKnown) {
        return html
            + reportParagraph(
                Tr::tr("No conflict of this key is known. Nothing records them for this table, so there may be some."));
    }
    const TimeFormat times = TimeFormat::named();
    const bool masked = masksAny(file, sql::Role::Fingerprint);
    QStringList rows;
    for (const sql::ConflictRecord &conflict : file.conflicts) {
        if (conflict.kind == sql::kReplayKind) {
            continue;
        }
        const QString hashes = masked ? reportText(Tr::tr("(masked)"))
            : conflict.existingHash.isEmpty() || conflict.incomingHash.isEmpty()
            ? QString()
            : u"<code>%1</code><br><code>%2</code><br>%3"_s.arg(reportText(conflict.existingHash),
                reportText(conflict.incomingHash),
                reportText(compareFingerprints(conflict.existingHash, conflict.incomingHash).sentence));
        rows += reportRow({ conflict.lastAt == sql::Timestamp() ? QString() : reportText(times.text(conflict.lastAt)),
            reportText(conflictKindLabel(conflict.kind)), QString::number(conflict.count), reportText(conflict.caller),
            hashes });
    }
    return html
        + (rows.isEmpty() ? reportParagraph(Tr::tr("None is recorded."))
                          : reportTable({ Tr::tr("Last seen"), Tr::tr("What happened"), Tr::tr("Times"), Tr::tr("By"),
                                            Tr::tr("Fingerprint stored, and the one that came") },
                              rows));
}

QString replaysHtml(const CaseFile &file)
{
    const TimeFormat times = TimeFormat::named();
    QStringList rows;
    for (const sql::ConflictRecord &replay : file.conflicts) {
        if (replay.kind == sql::kReplayKind) {
            rows += reportRow({ replay.lastAt == sql::Timestamp() ? QString() : reportText(times.text(replay.lastAt)),
                QString::number(replay.count), reportText(replay.caller), reportText(replay.file) });
        }
    }
    return rows.isEmpty() ? QString()
                          : reportHeading(Tr::tr("Retries that met the key"))
            + reportTable({ Tr::tr("At"), Tr::tr("Times"), Tr::tr("By"), Tr::tr("Log") }, rows);
}

QString recordHtml(const CaseFile &file)
{
    QString html = reportHeading(Tr::tr("Record"));
    for (const CaseRow &one : file.rows) {
        QStringList rows;
        for (const sql::ColumnValue &column : one.detail.columns) {
            const bool masked = one.masked.contains(column.name);
            const QString value = masked ? Tr::tr("(masked)") : column.value.null ? u"NULL"_s : column.value.text;
            rows += reportRow({ reportText(column.name), u"<code>%1</code>"_s.arg(reportText(value)) });
        }
        html += reportParagraph(Tr::tr("%1 in %2").arg(one.key, one.target.profile.relation))
            + reportTable({ Tr::tr("Column"), Tr::tr("Value") }, rows);
    }
    return html;
}

QString trailRowsHtml(const CaseFile &file)
{
    const TimeFormat times = TimeFormat::named();
    QStringList rows;
    for (const sql::AuditRow &one : file.trailRows) {
        rows += reportRow({ QString::number(one.seq), reportText(times.text(one.at)), reportText(one.who),
            reportText(auditWhatLabel(one.what)), u"<code>%1</code>"_s.arg(reportText(one.hash)) });
    }
    return rows.isEmpty()
        ? QString()
        : reportTable({ Tr::tr("Row"), Tr::tr("At"), Tr::tr("By"), Tr::tr("What"), Tr::tr("Hash") }, rows);
}

QString actionsHtml(const CaseFile &file)
{
    const TimeFormat times = TimeFormat::named();
    QStringList rows;
    for (const CaseRow &one : file.rows) {
        for (const sql::KeyTouch &touch : one.touches) {
            rows += reportRow({ reportText(times.text(touch.at)), reportText(touchLabel(touch)), reportText(touch.who),
                reportText(touch.release ? touchOutcome(touch) : touch.outcome), reportText(touch.reason) });
        }
    }
    QString html = reportHeading(Tr::tr("What was done to the key from the console"))
        + (rows.isEmpty()
                ? reportParagraph(Tr::tr("Nothing."))
                : reportTable(
                    { Tr::tr("At"), Tr::tr("Action"), Tr::tr("By"), Tr::tr("Outcome"), Tr::tr("Reason") }, rows));
    if (std::any_of(file.rows.cbegin(), file.rows.cend(), [](const CaseRow &row) { return !row.releasesTold; })) {
        html += reportParagraph(Tr::tr("Whether a claim in the cache was ever released cannot be told here."));
    }
    if (!file.trail) {
        return html
            + reportParagraph(
                Tr::tr("There is no audit log in this database, or the login that made this file may not see it."));
    }
    return html
        + (file.trail->intact
                ? u"<p>%1<br><code>%2</code></p>"_s.arg(
                    reportText(Tr::tr("The audit log was verified when this file was made: %Ln row(s), of which "
                                      "the newest has the hash",
                        nullptr, int(file.trail->checked))),
                    reportText(file.trail->headHash))
                : reportParagraph(Tr::tr("The audit log could not be verified when this file was made: %1.")
                                      .arg(file.trail->problem())))
        + trailRowsHtml(file);
}

} // namespace

QString caseHtml(const CaseFile &file, const QByteArray &json)
{
    const QString sha = QString::fromLatin1(QCryptographicHash::hash(json, QCryptographicHash::Sha256).toHex());
    return reportPage(Tr::tr("Case file: %1").arg(caseKeys(file).join(u", "_s)),
        u"<h1>%1</h1>"_s.arg(reportText(Tr::tr("Case file"), 80)) + summary(file) + verdictHtml(file.verdict)
            + notReadHtml(file) + retryHtml(file) + storyHtml(file) + payloadsHtml(file) + effectsHtml(file)
            + conflictsHtml(file) + replaysHtml(file) + recordHtml(file) + actionsHtml(file)
            + reportHeading(Tr::tr("About this file"))
            + reportParagraph(Tr::tr("Made by %1 on %2 (UTC, the server's clock) with Idemdesk %3.")
                                  .arg(file.madeBy, file.madeAt.toUTC().toString(u"yyyy-MM-dd HH:mm:ss"_s),
                                      QCoreApplication::applicationVersion()))
            + u"<p>%1<br><code>%2</code></p>"_s.arg(reportText(Tr::tr("SHA-256 of the same case as JSON:")), sha));
}

bool writeCasePdf(const CaseFile &file, const QByteArray &json, QIODevice *device)
{
    return writeReportPdf(
        Tr::tr("Case file: %1").arg(displayText(caseKeys(file).join(u", "_s), 120)), caseHtml(file, json), device);
}

} // namespace idemdesk::models
