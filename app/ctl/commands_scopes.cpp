// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/json_out.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "app/ctl/out/byte_output.h"
#include "models/format/quantities.h"
#include "models/keys/private_file.h"
#include "sql/keys/export_writer.h"
#include "sql/keys/scope_reader.h"
#include "sql/keys/scope_retries.h"
#include "sql/keys/unseen.h"
#include "sql/types/tr.h"

#include <QFileInfo>
#include <QJsonArray>
#include <climits>
#include <csignal>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kPage = 200;
constexpr qint64 kCap = 10'000;

volatile std::sig_atomic_t stopAsked = 0;

QJsonObject scopeJson(const sql::Target &target, const sql::Cells &scope)
{
    QJsonObject json;
    for (qsizetype i = 0; i < target.profile.scope.size() && i < scope.size(); ++i) {
        json.insert(target.profile.scope.at(i).label, scope.at(i).null ? QJsonValue() : QJsonValue(scope.at(i).text));
    }
    return json;
}

QJsonValue countJson(const sql::RowCount &count)
{
    if (count.kind == sql::RowCount::Kind::Unknown) {
        return {};
    }
    return count.kind == sql::RowCount::Kind::Exact ? QJsonValue(count.rows)
                                                    : QJsonValue(QJsonObject { { u"at_least"_s, count.rows } });
}

QStringList scopeTexts(const sql::Cells &scope)
{
    QStringList texts;
    for (const sql::Cell &part : scope) {
        texts += part.null ? u"–"_s : part.text;
    }
    return texts;
}

QStringList scopeHeader(const sql::Target &target)
{
    QStringList header;
    for (const sql::LabelledExpression &part : target.profile.scope) {
        header += part.label.toUpper();
    }
    return header;
}

Exit showRetries(const Context &context, const OpenedTarget &opened)
{
    TRY_OR(fail, const auto scopes, sql::readScopeRetries(*opened.session, opened.target, kPage));
    QJsonArray items;
    QList<QStringList> rows;
    for (const sql::ScopeRetries &scope : scopes) {
        items.append(
            QJsonObject { { u"scope"_s, scopeJson(opened.target, scope.scope) }, { u"first_attempts"_s, scope.first },
                { u"retried"_s, scope.retried }, { u"most_attempts"_s, scope.most } });
        rows += scopeTexts(scope.scope)
            + QStringList { models::countText(scope.first), models::countText(scope.retried),
                  models::countText(scope.most) };
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() } });
    } else {
        print(table(scopeHeader(opened.target)
                + QStringList { Tr::tr("ONE ATTEMPT"), Tr::tr("RETRIED"), Tr::tr("MOST ATTEMPTS") },
            rows));
    }
    return noteHidden(opened.target) ? Exit::Unknown : Exit::Done;
}

Exit runScopes(const Context &context)
{
    TRY_OR(fail, const auto opened, openTarget(context));
    if (context.has(u"retries"_s)) {
        return showRetries(context, opened);
    }
    QJsonArray items;
    QList<QStringList> rows;
    bool partly = false;
    sql::Cells after;
    QStringList notes;
    for (bool more = true; more;) {
        TRY_OR(fail, const auto page, sql::readScopes(*opened.session, opened.target, after, kPage, kCap));
        for (const sql::ScopeCounts &scope : page.scopes) {
            QJsonObject states;
            QStringList texts = scopeTexts(scope.scope) + QStringList { models::countText(scope.stale) };
            for (const sql::KeyState state : sql::kAllStates) {
                states.insert(sql::stateName(state), countJson(scope.states.value(state)));
                texts += models::countText(scope.states.value(state));
            }
            items.append(QJsonObject { { u"scope"_s, scopeJson(opened.target, scope.scope) }, { u"states"_s, states },
                { u"stale"_s, countJson(scope.stale) }, { u"expired"_s, countJson(scope.expired) },
                { u"oldest_stale"_s, scope.oldestStale ? QJsonValue(scope.oldestStale->toRfc3339()) : QJsonValue() } });
            rows += texts + QStringList { models::countText(scope.expired) };
        }
        for (const QString &sentence : page.notes) {
            if (!notes.contains(sentence)) { // once for all pages
                notes += sentence;
                note(sentence);
            }
        }
        partly = partly || page.partly;
        more = page.more;
        after = page.next;
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() },
            { u"notes"_s, QJsonArray::fromStringList(notes) }, { u"complete"_s, !partly } });
    } else {
        // What needs somebody comes first: the last columns are those that a narrow terminal leaves out.
        QStringList header = scopeHeader(opened.target) + QStringList { Tr::tr("STUCK") };
        for (const sql::KeyState state : sql::kAllStates) {
            header += sql::stateName(state).toUpper();
        }
        print(table(header + QStringList { Tr::tr("EXPIRED") }, rows));
    }
    return partly ? Exit::Unknown : Exit::Done;
}

/// Says what was not looked at, and that what was written is not all.
Exit notedUnseen(const QStringList &unseen)
{
    for (const QString &text : unseen) {
        note(text);
    }
    if (!unseen.isEmpty()) {
        note(Tr::tr("Not all keys could be looked at, so that more may match than was written."));
    }
    return unseen.isEmpty() ? Exit::Done : Exit::Unknown;
}

Exit runExport(const Context &context)
{
    const QString format = context.value(u"format"_s);
    const QString path = context.value(u"output"_s);
    if ((format != u"csv" && format != u"jsonl") || (!path.isEmpty() && QFileInfo::exists(path))) {
        return fail(sql::makeError(sql::ErrorKind::Usage,
            format != u"csv" && format != u"jsonl" ? Tr::tr("“%1” is not a format.").arg(format)
                                                   : Tr::tr("The file %1 is there already.").arg(path),
            {},
            format != u"csv" && format != u"jsonl" ? Tr::tr("Use --format csv or --format jsonl.")
                                                   : Tr::tr("Choose another name; nothing is overwritten.")));
    }
    TRY_OR(fail, const auto opened, openTarget(context));
    const auto filter = filterOf(context, opened.target);
    if (!filter) {
        return failFilter(context, filter.error());
    }
    // The first Ctrl-C ends the reading, so that no half file is left; the second one ends the program.
    static_cast<void>(std::signal(SIGINT, [](int signal) {
        stopAsked = 1;
        static_cast<void>(std::signal(signal, SIG_DFL));
    }));
    // Where rows are hidden, or left out because an expression fails on them, the file is not all that matches.
    QStringList unseen = sql::unseenNotes(opened.target);
    const auto write = [&](QIODevice &out) -> sql::Result<qint64> {
        const auto done = sql::exportRows(*opened.session, opened.target, *filter, context.value(u"order"_s),
            format == u"csv" ? sql::ExportFormat::Csv : sql::ExportFormat::JsonLines, out,
            [](const sql::ExportProgress &) { return stopAsked == 0; });
        if (done && !done->note.isEmpty() && filter->terms.isEmpty()) {
            note(done->note);
        } else if (done && !done->note.isEmpty()) {
            unseen += done->note;
        }
        return done ? sql::Result<qint64>(done->rows) : sql::Result<qint64>(done.error());
    };
    if (path.isEmpty()) {
        const auto rows = writeToStandardOutput(write);
        return rows ? notedUnseen(unseen) : fail(rows.error());
    }
    TRY_OR(fail, const auto rows, models::writePrivateFile(path, write, models::FileThere::Refuse));
    note(Tr::tr("%n key(s) written.", nullptr, int(qMin<qint64>(rows, INT_MAX))));
    return notedUnseen(unseen);
}

} // namespace

Command scopesCommand()
{
    return { .name = u"scopes"_s,
        .summary = Tr::tr("scopes by states, with counts; or how often their keys were tried"),
        .about
        = Tr::tr("Lists scopes by states, with counts. A count is exact up to a bound, and says where it is one."),
        .options = connectOptions() + QList { groupOption() } + targetOptions()
            + QList { jsonOption(),
                Option::flag(u"retries"_s,
                    Tr::tr("How often the keys of each scope were tried, the most retried scopes first.")) },
        .examples = { { Tr::tr("Where keys are stuck:"), u"scopes --target app.idempotency_request"_s },
            { Tr::tr("Whose clients retry most:"), u"scopes --target app.idempotency_request --retries"_s } },
        .run = overMembers(runScopes),
        .watched = { QString() } };
}

Command exportCommand()
{
    return { .name = u"export"_s,
        .summary = Tr::tr("write all keys that match to a file, as CSV or JSON Lines"),
        .about
        = Tr::tr("Writes all keys that match, as CSV or JSON Lines. A file appears only when it is complete; none is "
                 "overwritten. Exit status 5 where some rows could not be looked at, so that more may match.\n\n"
                 "A row on which an expression of the profile fails is written with what can be read, in the state "
                 "“unknown”. Its “fault” says what failed."),
        .options = connectOptions() + targetOptions()
            + QList { filterOption(Tr::tr("Only keys that match, in the language of “keys”.")),
                Option::text(u"order"_s, Tr::tr("LABEL"), Tr::tr("By this order; a leading “-” turns it.")),
                Option::word(u"format"_s, { u"csv"_s, u"jsonl"_s }, Tr::tr("How it is written."), u"csv"_s),
                outputOption(Tr::tr("A new file, instead of standard output.")) },
        .examples = { { Tr::tr("Failed keys for a spreadsheet:"),
                          u"export --target app.idempotency_request --filter state:failed_final -o failed.csv"_s },
            { Tr::tr("Stuck keys into another program:"),
                u"export --target app.idempotency_request --filter state:stale --format jsonl | jq -r .key"_s } },
        .run = runExport };
}

} // namespace idemdesk::app
