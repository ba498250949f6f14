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
#include "sql/types/tr.h"

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QCryptographicHash>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kValueChars = 2'000;
constexpr int kPdfDpi = 96;
constexpr qsizetype kMostChangesShown = 40; ///< of two requests
constexpr qsizetype kNamedChanges = 3; ///< by the sentence itself

QString safe(const QString &text, int most = kValueChars)
{
    return displayText(text, most).toHtmlEscaped();
}

QString row(const QStringList &cells, const char16_t *tag = u"td")
{
    QString html = u"<tr>"_s;
    for (const QString &cell : cells) {
        html += u"<%1>%2</%1>"_s.arg(QString::fromUtf16(tag), cell);
    }
    return html + u"</tr>"_s;
}

QString tableOf(const QStringList &header, const QStringList &rows)
{
    return u"<table border=\"1\" cellspacing=\"0\" cellpadding=\"4\" width=\"100%\">"_s
        + (header.isEmpty() ? QString() : row(header, u"th")) + rows.join(QString()) + u"</table>"_s;
}

QString heading(const QString &text)
{
    return u"<h2>%1</h2>"_s.arg(text.toHtmlEscaped());
}

QString paragraph(const QString &text)
{
    return u"<p>%1</p>"_s.arg(safe(text));
}

QString summary(const CaseFile &file)
{
    QStringList rows;
    if (!file.complaint.isEmpty()) {
        rows += row({ Tr::tr("Complaint"), safe(file.complaint) });
    }
    rows += row({ Tr::tr("Database"), safe(file.server) });
    for (const CaseRow &one : file.rows) {
        const QString scope = scopeOf(one);
        rows += row({ Tr::tr("Key"), u"<code>%1</code>"_s.arg(safe(one.key)) });
        rows += row(
            { Tr::tr("Table"), safe(one.target.profile.shownTitle() + u" ("_s + one.target.profile.relation + u')') });
        rows += row({ Tr::tr("Scope and state"),
            safe(scope + (scope.isEmpty() ? QString() : u"; "_s) + stateLabel(one.detail.record.state)) });
    }
    return tableOf({}, rows);
}

QString verdictHtml(const Verdict &verdict)
{
    QString html = heading(Tr::tr("Verdict"))
        + u"<p><b>%1</b> – %2</p><p><b>%3</b></p>"_s.arg(outcomeName(verdict.kind).toHtmlEscaped(),
            certaintyName(verdict.certainty).toHtmlEscaped(), safe(verdict.sentence));
    QStringList facts;
    for (const VerdictRule &rule : verdict.rules) {
        facts += row({ factSign(rule.sign), safe(rule.sentence) });
    }
    html += u"<table cellspacing=\"0\" cellpadding=\"3\">%1</table>"_s.arg(facts.join(QString()));
    if (!verdict.open.isEmpty()) {
        html += paragraph(Tr::tr("To be certain:")) + u"<ul>"_s;
        for (const QString &text : openSentences(verdict)) {
            html += u"<li>%1</li>"_s.arg(safe(text));
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
        rows += row({ event.at ? safe(times.text(*event.at)) : QString(), safe(event.title), safe(event.detail),
            safe(event.source) });
    }
    return heading(Tr::tr("Story, times in UTC"))
        + tableOf({ Tr::tr("At"), Tr::tr("What"), Tr::tr("More"), Tr::tr("Source") }, rows);
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
            rows += row({ u"<code>%1</code>"_s.arg(safe(change.pointer)), safe(wordsOf(change)),
                u"<code>%1</code>"_s.arg(safe(change.from)), u"<code>%1</code>"_s.arg(safe(change.to)) });
        }
    }
    const auto all = std::count_if(difference.changes.begin(), difference.changes.end(), isShown);
    const qsizetype more = all - rows.size() + difference.more;
    return tableOf({ Tr::tr("Where"), Tr::tr("What"), safe(difference.first, 60), safe(difference.second, 60) }, rows)
        + (more > 0 ? paragraph(Tr::tr(
               "%n more difference(s) are not listed here; the same case as JSON lists up to 200.", nullptr, int(more)))
                    : QString());
}

/// Tables of which the verdict knows nothing.
QString notReadHtml(const CaseFile &file)
{
    QString html = file.notRead.isEmpty() ? QString() : heading(Tr::tr("Tables that could not be searched"));
    for (const QString &text : file.notRead) {
        html += paragraph(text);
    }
    return html;
}

QString payloadsHtml(const CaseFile &file)
{
    QString html = file.differences.isEmpty() && file.notCompared.isEmpty()
        ? QString()
        : heading(Tr::tr("What differs between the requests"));
    for (const RequestDifference &one : file.differences) {
        html += paragraph(differenceInWords(one));
        if (std::count_if(one.changes.begin(), one.changes.end(), isShown) > kNamedChanges) {
            html += changesHtml(one);
        }
    }
    for (const QString &text : file.notCompared) {
        html += paragraph(text);
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
                rows += row({ safe(effect.type), Tr::tr("could not be read"), safe(effect.error) });
            } else if (effect.rows.isEmpty()) {
                rows += row({ safe(effect.type), Tr::tr("none found"), QString() });
            }
            for (const sql::EffectRow &found : effect.rows) {
                rows += row({ safe(effect.type), safe(found.id.text),
                    safe(found.at.text + (found.state.null ? QString() : u" · "_s + found.state.text)) });
            }
        }
    }
    return heading(Tr::tr("Effects"))
        + (rows.isEmpty() ? paragraph(Tr::tr("The profile names no effect to look for."))
                          : tableOf({ Tr::tr("Kind"), Tr::tr("Found"), Tr::tr("More") }, rows));
}

QString conflictsHtml(const CaseFile &file)
{
    QString html = heading(Tr::tr("Conflicts"));
    if (!file.conflictsKnown) {
        return html
            + paragraph(
                Tr::tr("No conflict of this key is known. Nothing records them for this table, so there may be some."));
    }
    const TimeFormat times;
    const bool masked = masksAny(file, sql::Role::Fingerprint);
    QStringList rows;
    for (const sql::ConflictRecord &conflict : file.conflicts) {
        if (conflict.kind == sql::kReplayKind) {
            continue;
        }
        const QString hashes = masked ? safe(Tr::tr("(masked)"))
            : conflict.existingHash.isEmpty() || conflict.incomingHash.isEmpty()
            ? QString()
            : u"<code>%1</code><br><code>%2</code><br>%3"_s.arg(safe(conflict.existingHash),
                safe(conflict.incomingHash),
                safe(compareFingerprints(conflict.existingHash, conflict.incomingHash).sentence));
        rows += row({ conflict.lastAt == sql::Timestamp() ? QString() : safe(times.text(conflict.lastAt)),
            safe(conflictKindLabel(conflict.kind)), QString::number(conflict.count), safe(conflict.caller), hashes });
    }
    return html
        + (rows.isEmpty() ? paragraph(Tr::tr("None is recorded."))
                          : tableOf({ Tr::tr("Last seen"), Tr::tr("What happened"), Tr::tr("Times"), Tr::tr("By"),
                                        Tr::tr("Fingerprint stored, and the one that came") },
                              rows));
}

QString replaysHtml(const CaseFile &file)
{
    const TimeFormat times;
    QStringList rows;
    for (const sql::ConflictRecord &replay : file.conflicts) {
        if (replay.kind == sql::kReplayKind) {
            rows += row({ replay.lastAt == sql::Timestamp() ? QString() : safe(times.text(replay.lastAt)),
                QString::number(replay.count), safe(replay.caller), safe(replay.file) });
        }
    }
    return rows.isEmpty() ? QString()
                          : heading(Tr::tr("Retries that met the key"))
            + tableOf({ Tr::tr("At"), Tr::tr("Times"), Tr::tr("By"), Tr::tr("Log") }, rows);
}

QString recordHtml(const CaseFile &file)
{
    QString html = heading(Tr::tr("Record"));
    for (const CaseRow &one : file.rows) {
        QStringList rows;
        for (const sql::ColumnValue &column : one.detail.columns) {
            const bool masked = one.masked.contains(column.name);
            const QString value = masked ? Tr::tr("(masked)") : column.value.null ? u"NULL"_s : column.value.text;
            rows += row({ safe(column.name), u"<code>%1</code>"_s.arg(safe(value)) });
        }
        html += paragraph(Tr::tr("%1 in %2").arg(one.key, one.target.profile.relation))
            + tableOf({ Tr::tr("Column"), Tr::tr("Value") }, rows);
    }
    return html;
}

QString trailRowsHtml(const CaseFile &file)
{
    const TimeFormat times;
    QStringList rows;
    for (const sql::AuditRow &one : file.trailRows) {
        rows += row({ QString::number(one.seq), safe(times.text(one.at)), safe(one.who), safe(auditWhatLabel(one.what)),
            u"<code>%1</code>"_s.arg(safe(one.hash)) });
    }
    return rows.isEmpty()
        ? QString()
        : tableOf({ Tr::tr("Row"), Tr::tr("At"), Tr::tr("By"), Tr::tr("What"), Tr::tr("Hash") }, rows);
}

QString actionsHtml(const CaseFile &file)
{
    const TimeFormat times;
    QStringList rows;
    for (const CaseRow &one : file.rows) {
        for (const sql::KeyTouch &touch : one.touches) {
            rows += row({ safe(times.text(touch.at)), safe(verbLabel(touch.verb)), safe(touch.who), safe(touch.outcome),
                safe(touch.reason) });
        }
    }
    QString html = heading(Tr::tr("What was done to the key from the console"))
        + (rows.isEmpty()
                ? paragraph(Tr::tr("Nothing."))
                : tableOf({ Tr::tr("At"), Tr::tr("Action"), Tr::tr("By"), Tr::tr("Outcome"), Tr::tr("Reason") }, rows));
    if (!file.trail) {
        return html
            + paragraph(
                Tr::tr("There is no audit log in this database, or the login that made this file may not see it."));
    }
    return html
        + (file.trail->intact ? u"<p>%1<br><code>%2</code></p>"_s.arg(
               safe(Tr::tr(
                   "The audit log was verified when this file was made: %n row(s), of which the newest has the hash",
                   nullptr, int(file.trail->checked))),
               safe(file.trail->headHash))
                              : paragraph(Tr::tr("The audit log could not be verified when this file was made: %1.")
                                              .arg(file.trail->problem())))
        + trailRowsHtml(file);
}

} // namespace

QString caseHtml(const CaseFile &file, const QByteArray &json)
{
    const QString sha = QString::fromLatin1(QCryptographicHash::hash(json, QCryptographicHash::Sha256).toHex());
    return u"<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>%1</title><style>body { font-family: "
           u"sans-serif; font-size: 10pt; } "
           "code { font-family: monospace; } th { text-align: left; } td, th { vertical-align: top; }"
           "</style></head><body>"_s.arg(safe(Tr::tr("Case file: %1").arg(caseKeys(file).join(u", "_s)), 120))
        + u"<h1>%1</h1>"_s.arg(safe(Tr::tr("Case file"), 80)) + summary(file) + verdictHtml(file.verdict)
        + notReadHtml(file) + storyHtml(file) + payloadsHtml(file) + effectsHtml(file) + conflictsHtml(file)
        + replaysHtml(file) + recordHtml(file) + actionsHtml(file) + heading(Tr::tr("About this file"))
        + paragraph(Tr::tr("Made by %1 on %2 (UTC, the server's clock) with Idemdesk %3.")
                        .arg(file.madeBy, file.madeAt.toUTC().toString(u"yyyy-MM-dd HH:mm:ss"_s),
                            QCoreApplication::applicationVersion()))
        + u"<p>%1<br><code>%2</code></p></body></html>\n"_s.arg(safe(Tr::tr("SHA-256 of the same case as JSON:")), sha);
}

bool writeCasePdf(const CaseFile &file, const QByteArray &json, QIODevice *device)
{
    QPdfWriter writer(device);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(15, 15, 15, 18), QPageLayout::Millimeter);
    writer.setResolution(kPdfDpi);
    writer.setTitle(Tr::tr("Case file: %1").arg(displayText(caseKeys(file).join(u", "_s), 120)));
    writer.setCreator(u"Idemdesk"_s);
    QTextDocument document;
    document.documentLayout()->setPaintDevice(&writer);
    document.setHtml(caseHtml(file, json));
    const QSizeF page(writer.width(), writer.height());
    document.setPageSize(page);
    QPainter painter;
    if (!painter.begin(&writer)) {
        return false;
    }
    const int pages = document.pageCount();
    for (int i = 0; i < pages; ++i) {
        if (i > 0 && !writer.newPage()) {
            return false;
        }
        painter.save();
        painter.translate(0, -i * page.height());
        document.drawContents(&painter, QRectF(0, i * page.height(), page.width(), page.height()));
        painter.restore();
        painter.drawText(QRectF(0, page.height() + 8, page.width(), 20), Qt::AlignRight,
            Tr::tr("Page %1 of %2").arg(i + 1).arg(pages));
    }
    return painter.end();
}

} // namespace idemdesk::models
