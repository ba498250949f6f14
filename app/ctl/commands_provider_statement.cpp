// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/commands_provider.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/json_out.h"
#include "app/ctl/opened_target.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/provider/statement_comparison.h"
#include "models/provider/statement_memory.h"
#include "models/provider/statement_recorder.h"
#include "models/provider/statement_words.h"
#include "sql/actions/action_json.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QSettings>
#include <QStandardPaths>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

QString settingsFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + u"/idemdesk.ini"_s;
}

/// --provider, else as the profile calls it.
QString providerName(const Context &context, const sql::Profile &profile)
{
    return context.has(u"provider"_s) ? context.value(u"provider"_s)
        : profile.provider            ? profile.provider->name
                                      : QString();
}

/// --map, else what is remembered, which is said; empty: the names of the columns decide.
sql::Result<models::StatementMap> mapOf(const Context &context, const QString &provider)
{
    if (context.has(u"map"_s)) {
        TRY(auto map, models::statementMapFrom(context.values(u"map"_s)));
        const bool byNames = map.allHappened && context.values(u"map"_s).size() == 1;
        if (map.empty() && !byNames) {
            return usageError(
                Tr::tr("--map does not say which column holds the reference."), Tr::tr("Add --map reference=COLUMN."));
        }
        return map;
    }
    const QSettings settings(settingsFile(), QSettings::IniFormat);
    const auto known = provider.isEmpty() ? models::StatementMap() : models::rememberedMap(settings, provider);
    if (!known.empty()) {
        note(Tr::tr("The columns are read as remembered for “%1”; --map says them anew.").arg(provider));
    }
    return known;
}

/// Whose map a preview shows: the one that comparing would read by. Without a database the file is shown all the same.
QString previewProvider(const Context &context)
{
    if (context.has(u"provider"_s) || context.has(u"map"_s)) {
        return context.value(u"provider"_s);
    }
    const auto opened = openTarget(context);
    if (opened) {
        return providerName(context, opened->target.profile);
    }
    note(Tr::tr("What is remembered for the provider is not known here, so comparing may read it differently. %1")
             .arg(opened.error().line()));
    return {};
}

QJsonObject lineJson(const models::MappedLine &mapped)
{
    const sql::StatementLine &line = mapped.line;
    return { { u"line"_s, line.number }, { u"text"_s, line.text }, { u"fault"_s, textOrNull(mapped.fault) },
        { u"reference"_s, textOrNull(line.reference) }, { u"amount"_s, textOrNull(line.amount) },
        { u"currency"_s, textOrNull(line.currency) },
        { u"at"_s, line.at ? QJsonValue(line.at->toRfc3339()) : QJsonValue() },
        { u"outcome"_s,
            line.outcome == sql::LineOutcome::Happened     ? u"happened"_s
                : line.outcome == sql::LineOutcome::Failed ? u"failed"_s
                                                           : u"other"_s } };
}

Exit runPreview(const Context &context, const QString &path, const models::StatementMap &map)
{
    TRY_OR(fail, const auto preview, models::previewStatement(path, map));
    if (context.json()) {
        QJsonArray items;
        for (const models::MappedLine &line : preview.lines) {
            items.append(lineJson(line));
        }
        printJson({ { u"columns"_s, QJsonArray::fromStringList(preview.columns) },
            { u"map"_s, QJsonArray::fromStringList(preview.map.toTexts()) }, { u"items"_s, items },
            { u"next"_s, QJsonValue() } });
        return Exit::Done;
    }
    QStringList columns;
    for (const QString &column : preview.columns) {
        columns += models::displayText(column);
    }
    print(Tr::tr("Columns: %1").arg(columns.join(u", "_s)) + u'\n');
    print((preview.map.empty() ? Tr::tr("Which of them holds the reference is not clear; say it with --map.")
                               : Tr::tr("Read: %1.").arg(preview.map.inWords()))
        + u"\n\n"_s);
    if (!preview.map.empty() && !preview.map.tellsOutcome()) {
        note(Tr::tr("Nothing says what became of each line; comparing needs --map state=COLUMN or outcome=happened."));
    }
    QList<QStringList> rows;
    for (const models::MappedLine &mapped : preview.lines) {
        const sql::StatementLine &line = mapped.line;
        rows += QStringList { QString::number(line.number), line.reference,
            line.currency.isEmpty() ? line.amount : line.amount + u' ' + line.currency,
            line.at ? line.at->toRfc3339() : QString(), mapped.fault.isEmpty() ? line.text : mapped.fault };
    }
    print(table({ Tr::tr("LINE"), Tr::tr("REFERENCE"), Tr::tr("AMOUNT"), Tr::tr("TIME"), Tr::tr("TEXT") }, rows));
    return Exit::Done;
}

/// What is shown of a comparison, as many of each kind as --limit says; and what is recorded of it.
struct StatementOutput {
    int limit = 0;
    QMap<models::StatementFindingKind, QList<models::StatementFinding>> kept {};
    models::StatementRecorder *recorder = nullptr;

    sql::Result<void> take(const models::StatementFinding &finding)
    {
        QList<models::StatementFinding> &list = kept[finding.kind];
        if (list.size() < limit) {
            list.append(finding);
        }
        return recorder != nullptr ? recorder->take(finding) : sql::Result<void>();
    }
};

QJsonValue spanJson(const models::StatementSpan &span)
{
    return span.known()
        ? QJsonValue(QJsonObject { { u"from"_s, span.from->toRfc3339() }, { u"to"_s, span.to->toRfc3339() } })
        : QJsonValue();
}

QJsonObject countsJson(const models::StatementComparison &answer)
{
    QJsonObject counts { { u"matched"_s, answer.counts.matched }, { u"not_compared"_s, answer.counts.notCompared },
        { u"without_reference"_s, answer.counts.withoutReference }, { u"left_aside"_s, answer.counts.leftAside },
        { u"nearly"_s, answer.counts.nearly }, { u"taken_back"_s, answer.counts.takenBack },
        { u"unreadable"_s, answer.counts.unreadable } };
    for (const models::StatementFindingKind kind : sql::kAllOf<models::StatementFindingKind>) {
        const bool unknown = kind == models::StatementFindingKind::NotInStatement && !answer.span.known();
        counts.insert(models::findingKindName(kind), unknown ? QJsonValue() : QJsonValue(answer.counts.of(kind)));
    }
    return counts;
}

void printStatementJson(const models::StatementFacts &facts, const QString &provider,
    const models::StatementComparison &answer, const StatementOutput &output)
{
    QJsonArray items;
    bool more = false;
    for (const models::StatementFindingKind kind : sql::kAllOf<models::StatementFindingKind>) {
        const QList<models::StatementFinding> kept = output.kept.value(kind);
        more = more || answer.counts.of(kind) > kept.size();
        for (const models::StatementFinding &finding : kept) {
            items.append(models::findingJson(finding));
        }
    }
    QJsonArray refused;
    for (const models::RefusedLine &line : facts.refusedKept) {
        refused.append(QJsonObject { { u"line"_s, line.line }, { u"why"_s, line.why } });
    }
    printJson({ { u"file"_s, facts.name }, { u"sha256"_s, facts.sha }, { u"provider"_s, textOrNull(provider) },
        { u"map"_s, QJsonArray::fromStringList(facts.map.toTexts()) }, { u"lines"_s, facts.lines },
        { u"repeated"_s, facts.repeated }, { u"aside"_s, facts.aside }, { u"unread"_s, facts.refused },
        { u"unread_lines"_s, refused }, { u"covered"_s, spanJson(answer.span) }, { u"counts"_s, countsJson(answer) },
        { u"items"_s, items }, { u"next"_s, QJsonValue() }, { u"all"_s, !more },
        { u"recorded"_s, output.recorder != nullptr ? QJsonValue(output.recorder->recorded()) : QJsonValue() },
        { u"notes"_s, QJsonArray::fromStringList(answer.notes) }, { u"complete"_s, answer.complete } });
}

void printStatement(
    const models::StatementFacts &facts, const models::StatementComparison &answer, const StatementOutput &output)
{
    QList<QStringList> counts { { Tr::tr("Agree"), models::countText(answer.counts.matched) } };
    for (const models::StatementFindingKind kind : sql::kAllOf<models::StatementFindingKind>) {
        const bool unknown = kind == models::StatementFindingKind::NotInStatement && !answer.span.known();
        counts += QStringList { models::findingKindText(kind),
            unknown ? Tr::tr("not known") : models::countText(answer.counts.of(kind)) };
    }
    print(Tr::tr("%1: %Ln line(s). SHA-256 %2.", nullptr, int(std::min<qint64>(facts.lines, INT_MAX)))
              .arg(facts.name, facts.sha)
        + u'\n');
    if (answer.span.known()) {
        print(Tr::tr("It covers %1 to %2.").arg(answer.span.from->toRfc3339(), answer.span.to->toRfc3339()) + u'\n');
    }
    print(u'\n' + table({ Tr::tr("REQUESTS"), Tr::tr("COUNT") }, counts));
    QList<QStringList> rows;
    bool more = false;
    for (const models::StatementFindingKind kind : sql::kAllOf<models::StatementFindingKind>) {
        const QList<models::StatementFinding> kept = output.kept.value(kind);
        more = more || answer.counts.of(kind) > kept.size();
        for (const models::StatementFinding &finding : kept) {
            rows += QStringList { models::findingKindText(kind), finding.reference,
                finding.here ? finding.here->key : u"–"_s, models::lineNumbers(finding), finding.detail };
        }
    }
    if (!rows.isEmpty()) {
        print(u'\n'
            + table({ Tr::tr("FINDING"), Tr::tr("REFERENCE"), Tr::tr("KEY"), Tr::tr("LINE"), Tr::tr("WHAT") }, rows,
                QStringList { Tr::tr("WHAT") }));
    }
    if (more) {
        note(Tr::tr("Not all differences are listed; --limit lists more of each."));
    }
}

sql::Result<void> checkRecord(const Context &context, const QString &provider)
{
    if (!context.has(u"record"_s)) {
        return context.has(u"complete"_s) || context.has(u"reason"_s)
            ? sql::Result<void>(usageError(Tr::tr("--complete and --reason belong to --record."), {}))
            : sql::Result<void>();
    }
    if (context.value(u"reason"_s).trimmed().isEmpty()) {
        return usageError(Tr::tr("What is recorded needs a reason."), Tr::tr("Add --reason TEXT."));
    }
    if (provider.trimmed().isEmpty()) {
        return usageError(Tr::tr("Whose statement it is was not said."), Tr::tr("Add --provider NAME."));
    }
    return {};
}

/// Only what was recorded by, or what the person wants kept: a trial is no word about the next statement.
void remember(const Context &context, const QString &provider, const models::StatementMap &map)
{
    const bool wanted = context.has(u"record"_s) || context.has(u"remember"_s);
    if (!context.has(u"map"_s) || provider.isEmpty() || !wanted) {
        return;
    }
    QSettings settings(settingsFile(), QSettings::IniFormat);
    if (!models::rememberMap(&settings, provider, map)) {
        note(Tr::tr("How to read statements of %1 could not be remembered.").arg(provider));
    }
}

} // namespace

QList<Option> statementOptions()
{
    return {
        Option::text(u"map"_s, Tr::tr("NAME=COLUMN"),
            Tr::tr(
                "Which column of a statement is its reference, amount (or amount_minor, whole cents; or amount_comma), "
                "currency, time (or time_utc), state or id. Also currency_code=EUR, and happened=WORD,… and "
                "failed=WORD,… for the state. Without a state: outcome=happened, if each line happened."))
            .manyTimes(),
        Option::text(u"provider"_s, Tr::tr("NAME"), Tr::tr("Whose statement it is. Else as the profile says.")),
        Option::flag(u"remember"_s,
            Tr::tr("Remember --map for the provider's next statements. With --record it is remembered, too.")),
        Option::flag(u"preview"_s, Tr::tr("Show the columns and how the first lines are read, and compare nothing.")),
        Option::time(u"since"_s, Tr::tr("The statement covers all from this time on; else from its first line on.")),
        Option::time(u"until"_s,
            Tr::tr("The statement covers all up to this time, at most to its last line; else up to shortly before "
                   "that.")),
        Option::length(
            u"margin"_s, Tr::tr("How long before its last line: a provider may book a request later."), u"10m"_s),
        Option::flag(u"record"_s, Tr::tr("Record what was found as evidence, under your login. Needs --reason.")),
        Option::flag(u"complete"_s,
            Tr::tr(
                "With --record: you vouch that the statement holds every request of its time, so that “only here” is "
                "recorded, too.")),
        Option::text(u"reason"_s, Tr::tr("TEXT"), Tr::tr("With --record: why; recorded in the audit log.")),
    };
}

Exit runStatement(const Context &context)
{
    const QString path = context.positional().constFirst();
    const bool record = context.has(u"record"_s);
    if (context.has(u"preview"_s)) {
        TRY_OR(fail, const auto shown, mapOf(context, previewProvider(context)));
        return runPreview(context, path, shown);
    }
    TRY_OR(fail, const auto opened, openTarget(context, record));
    const QString provider = providerName(context, opened.target.profile);
    TRY_OR(fail, checkRecord(context, provider));
    TRY_OR(fail, const auto map, mapOf(context, provider));
    TRY_OR(fail, const auto target, sql::ProviderTarget::bind(*opened.session, opened.target, true));
    const StopAtSignal stop;
    TRY_OR(fail, const auto store, sql::StatementStore::open());
    TRY_OR(fail, const auto facts, models::readStatement(path, map, target, store.get(), stop.token()));
    std::unique_ptr<sql::Session> writing;
    std::optional<models::StatementRecorder> recorder;
    if (record) {
        TRY_OR(fail, writing, context.connect(sql::LaneKind::Write));
        const sql::ProviderRecording recording { QUuid::createUuid().toString(QUuid::WithoutBraces),
            opened.registered->name, provider, facts.name.left(200), facts.sha, context.value(u"reason"_s) };
        recorder.emplace(*writing, recording, context.has(u"complete"_s));
    }
    StatementOutput output { context.number(u"limit"_s) };
    output.recorder = recorder ? &*recorder : nullptr;
    const models::CompareStatementOptions options { context.time(u"since"_s), context.time(u"until"_s),
        context.seconds(u"margin"_s), stop.token() };
    const auto answer = models::compareStatement(*opened.session, target, facts, store.get(), options,
        [&output](const models::StatementFinding &finding) { return output.take(finding); });
    auto finished = answer && recorder ? recorder->finish() : sql::Result<void>();
    if (recorder && recorder->recorded() > 0 && !(answer && finished)) {
        note(Tr::tr("%Ln finding(s) were recorded before that.", nullptr, int(recorder->recorded())));
    }
    if (!finished || !answer) {
        return fail(!finished ? finished.error() : answer.error());
    }
    remember(context, provider, facts.map);
    for (const QString &text : models::statementNotes(facts, *answer)) {
        note(text);
    }
    if (context.json()) {
        printStatementJson(facts, provider, *answer, output);
    } else {
        printStatement(facts, *answer, output);
        if (recorder) {
            print(u'\n' + Tr::tr("%Ln finding(s) recorded as evidence.", nullptr, int(recorder->recorded())) + u'\n');
        }
    }
    return answer->complete ? Exit::Done : Exit::Unknown;
}

} // namespace idemdesk::app
