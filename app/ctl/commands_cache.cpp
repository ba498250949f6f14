// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/cache_option.h"
#include "app/ctl/context.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/opened_target.h"
#include "models/cache/cache_json.h"
#include "models/cache/cache_words.h"
#include "models/format/quantities.h"
#include "sql/cache/cache_comparison.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostCacheEntries = 200'000; // names are kept while they are looked at
constexpr int kMostCacheRows = 10'000; // of one page
constexpr int kMostCacheListed = 20'000;
constexpr int kLongestSettleSeconds = 600;
constexpr int kMinutesShown = 12;

QStringList findingNames()
{
    QStringList names;
    for (const sql::CacheFindingKind kind : sql::kAllOf<sql::CacheFindingKind>) {
        names += sql::cacheFindingName(kind);
    }
    return names;
}

/// Those of the kind that was asked for.
QList<sql::CacheFinding> wantedFindings(const Context &context, const sql::CacheReport &report)
{
    const auto kind = sql::cacheFindingFromName(context.value(u"kind"_s));
    QList<sql::CacheFinding> findings = report.findings;
    findings.removeIf([kind](const sql::CacheFinding &finding) { return kind && finding.kind != *kind; });
    return findings;
}

void printCacheJson(const Context &context, const sql::CacheReport &report, const sql::Target &target)
{
    QJsonArray items;
    const QList<sql::CacheFinding> findings = wantedFindings(context, report);
    for (const sql::CacheFinding &finding : findings) {
        items.append(models::cacheFindingJson(finding, target));
    }
    QJsonObject document = models::cacheReportJson(report);
    document.insert(u"target"_s, target.profile.name);
    document.insert(u"items"_s, items);
    document.insert(u"next"_s, QJsonValue());
    printJson(document);
}

QString rowCell(const QList<sql::KeyRecord> &rows)
{
    QStringList states;
    for (const sql::KeyRecord &row : rows) {
        states += sql::stateName(row.state);
    }
    return states.isEmpty() ? u"–"_s : states.join(u", "_s);
}

void printFindings(const Context &context, const sql::CacheReport &report, const sql::Target &target)
{
    const QList<sql::CacheFinding> findings = wantedFindings(context, report);
    if (findings.isEmpty()) {
        return;
    }
    QStringList header;
    for (const sql::LabelledExpression &part : target.profile.scope) {
        header += part.label.toUpper();
    }
    header += { Tr::tr("KEY"), Tr::tr("ROW"), Tr::tr("CACHED"), Tr::tr("TTL"), Tr::tr("FINDING") };
    QList<QStringList> rows;
    for (const sql::CacheFinding &finding : findings) {
        QStringList cells;
        for (const sql::Cell &part : finding.scope) {
            cells += part.null ? u"–"_s : part.text;
        }
        cells += { finding.key.text, rowCell(finding.rows), models::cacheValueText(finding.entry),
            models::cacheTtlText(finding.entry),
            models::cacheFindingText(finding.kind) + u". "_s + models::cacheFindingMeaning(finding.kind) };
        rows += cells;
    }
    print(u'\n' + table(header, rows, true));
    const auto kind = sql::cacheFindingFromName(context.value(u"kind"_s));
    const qint64 all
        = kind ? report.counts.value(*kind) : std::accumulate(report.counts.cbegin(), report.counts.cend(), qint64(0));
    if (findings.size() < all) {
        note(Tr::tr("%1 of %2 are listed; --limit lists more.")
                 .arg(models::countText(findings.size()), models::countText(all)));
    }
}

/// All minutes where there are few, else those in which the most expire.
void printMinutes(const sql::CacheReport &report)
{
    QList<sql::CacheMinute> minutes = report.minutes;
    if (minutes.size() > kMinutesShown) {
        std::stable_sort(minutes.begin(), minutes.end(),
            [](const sql::CacheMinute &a, const sql::CacheMinute &b) { return a.entries > b.entries; });
        minutes = minutes.mid(0, kMinutesShown);
        std::sort(minutes.begin(), minutes.end(),
            [](const sql::CacheMinute &a, const sql::CacheMinute &b) { return a.from < b.from; });
    }
    QList<QStringList> rows;
    for (const sql::CacheMinute &minute : std::as_const(minutes)) {
        rows += QStringList { minute.from.toRfc3339().left(16).replace(u'T', u' '), models::countText(minute.entries),
            minute.crowded ? Tr::tr("crowded") : QString() };
    }
    if (!rows.isEmpty()) {
        print(u'\n' + table({ Tr::tr("EXPIRES IN (UTC)"), Tr::tr("ENTRIES"), Tr::tr("NOTE") }, rows));
    }
    if (minutes.size() < report.minutes.size()) {
        note(Tr::tr("The fullest %1 of %2 minutes are listed; --json has all.")
                 .arg(models::countText(minutes.size()), models::countText(report.minutes.size())));
    }
}

void printLines(const QStringList &lines)
{
    for (const QString &line : lines) {
        print(wrapped(line, lineWidth()) + u'\n');
    }
}

Exit runCache(const Context &context)
{
    TRY_OR(fail, const auto opened, openTarget(context));
    warnOfProblems(opened.target.findings);
    sql::CacheRequest request;
    request.mostEntries = context.number(u"entries"_s);
    request.mostRows = context.number(u"rows"_s);
    request.settleMs = context.number(u"settle"_s) * 1'000;
    request.mostFindings = context.number(u"limit"_s);
    const StopAtSignal signal;
    const std::stop_token stop = signal.token();
    TRY_OR(fail, const auto cache, openCache(context, [stop] { return stop.stop_requested(); }));
    TRY_OR(fail, const auto report, sql::compareCache(*opened.session, *cache, opened.target, request));
    for (const QString &text : report.notes) {
        note(text);
    }
    if (context.json()) {
        printCacheJson(context, report, opened.target);
        return report.complete() ? Exit::Done : Exit::Unknown;
    }
    printLines(models::cacheLookedAt(report) + QStringList { models::cacheSummary(report) });
    printFindings(context, report, opened.target);
    printMinutes(report);
    print(u"\n"_s);
    printLines(models::cacheTtlTexts(report) + models::cacheServerTexts(report.facts));
    return report.complete() ? Exit::Done : Exit::Unknown;
}

} // namespace

Command cacheCommand()
{
    return { .name = u"cache"_s,
        .synopsis = {},
        .summary = Tr::tr("compare a table with the Redis in front of it"),
        .about = Tr::tr(
            "Looks at a sample of both sides and names what disagrees. That is an entry without a row, or a row in "
            "progress without an entry. Or an entry says “under way” of a finished row, or its time to live is off the "
            "baseline. What it means for the next retry stands beside it. Minutes in which many entries expire are "
            "named, too.\n\n"
            "The profile's “cache” says how entries are called and what their values mean. What disagrees is looked at "
            "again after a moment, as both sides are read one after the other.\n\n"
            "Nothing is written to Redis; names come by SCAN. Reading counts as hits there, and as use of an entry. "
            "Exit status 5 where not every entry, or not every row in progress, was looked at."),
        .options = connectOptions() + targetOptions()
            + QList { jsonOption(), cacheOption(),
                Option::number(
                    u"entries"_s, 1, kMostCacheEntries, Tr::tr("Look at so many entries at most."), u"10000"_s),
                Option::number(u"rows"_s, 1, kMostCacheRows,
                    Tr::tr("Look at so many rows in progress at most, and at so many recent ones."), u"1000"_s),
                Option::number(u"settle"_s, 0, kLongestSettleSeconds,
                    Tr::tr("Look again after so many seconds at what disagrees."), u"2"_s),
                Option::word(u"kind"_s, findingNames(), Tr::tr("List only findings of this kind.")),
                Option::number(
                    u"limit"_s, 1, kMostCacheListed, Tr::tr("List so many findings of each kind at most."), u"200"_s) },
        .examples = { { Tr::tr("What disagrees between a table and its cache:"),
                          u"cache --target app.idempotency_request --cache redis://localhost:6379/0"_s },
            { Tr::tr("What holds retries off although the row is finished, for a script:"),
                u"cache --target app.idempotency_request --cache unix:///run/r.sock --kind behind --json"_s } },
        .run = runCache,
        .watched = { QString() } };
}

} // namespace idemdesk::app
