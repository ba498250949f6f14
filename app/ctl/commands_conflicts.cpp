// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/commands_conflicts.h"
#include "app/ctl/json_out.h"
#include "models/actions/action_journal.h"
#include "models/conflicts/conflict_words.h"
#include "models/format/quantities.h"
#include "models/retries/error_codes.h"
#include "models/retries/retry_json.h"
#include "sql/conflicts/conflict_gateway.h"
#include "sql/json/json_texts.h"
#include "sql/local/local_conflicts.h"
#include "sql/types/tr.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostConflictsListed = 1'000;
constexpr int kMostLogs = 999; // files named in one call

sql::Result<sql::ConflictFilter> filterFrom(const Context &context, sql::Session &session)
{
    sql::ConflictFilter filter;
    filter.key = context.value(u"key"_s);
    filter.kind = context.value(u"kind"_s);
    filter.attribute = context.value(u"with"_s);
    filter.limit = context.number(u"limit"_s);
    TRY(filter.since, context.timeOrAgo(session, u"since"_s));
    return filter;
}

QJsonObject jsonOf(const sql::ConflictRecord &record)
{
    return { { u"id"_s, QString::fromLatin1(record.id.toHex()) }, { u"kind"_s, record.kind },
        { u"source"_s, record.fromLog ? u"log"_s : u"service"_s }, { u"target"_s, textOrNull(record.target) },
        { u"scope"_s, textOrNull(record.scope) }, { u"key"_s, record.key ? QJsonValue(*record.key) : QJsonValue() },
        { u"key_hash"_s, textOrNull(record.keyHash) }, { u"existing_hash"_s, textOrNull(record.existingHash) },
        { u"incoming_hash"_s, textOrNull(record.incomingHash) },
        { u"incoming_payload"_s, textOrNull(record.incomingPayload) }, { u"caller"_s, textOrNull(record.caller) },
        { u"first_at"_s, record.firstAt.toRfc3339() }, { u"last_at"_s, record.lastAt.toRfc3339() },
        { u"count"_s, record.count }, { u"message"_s, textOrNull(record.message) },
        { u"detail"_s, textOrNull(record.detail) }, { u"file"_s, textOrNull(record.file) },
        { u"attributes"_s, sql::jsonOfTexts(record.attributes) },
        { u"error"_s, models::errorCodeJson(models::conflictCode(record)) } };
}

/// "40P01 (temporary)".
QString codeCell(const sql::ConflictRecord &record)
{
    const QString code = models::conflictCode(record);
    const auto known = models::errorCodeOf(code);
    return known ? u"%1 (%2)"_s.arg(code, models::failureClassLabel(*known).toLower()) : u"–"_s;
}

/// That there is none of those asked for: which were, as others may be.
QString noneText(const Context &context)
{
    QStringList asked;
    for (const QString &option : { u"key"_s, u"kind"_s, u"since"_s, u"with"_s }) {
        if (context.has(option)) {
            asked += u"--"_s + option + u' ' + context.value(option);
        }
    }
    return asked.isEmpty() ? Tr::tr("No conflict is known.")
                           : Tr::tr("No conflict is known that fits %1.").arg(asked.join(u' '));
}

/// Whether this computer keeps no conflict of this database at all.
sql::Result<bool> nothingImported(const sql::Session &session)
{
    TRY(const auto local, sql::LocalConflicts::open(placeOfConflicts(session)));
    sql::ConflictFilter any;
    any.limit = 1;
    TRY(const auto page, local->page(any));
    return page.rows.isEmpty();
}

void noteSight(sql::ConflictSight sight, bool blind)
{
    if (blind && sight == sql::ConflictSight::Everything) {
        note(Tr::tr("The console schema is not installed in this database, and no log of it was imported here. Whether "
                    "there are conflicts is not known."));
    } else if (blind) {
        note(Tr::tr(
            "Nothing was seen: this login may read none of the registered tables, and conflicts are shown to who may. "
            "Whether there are any is not known."));
    } else if (sight != sql::ConflictSight::Everything) {
        note(Tr::tr("Conflicts of tables that this login may not read are not shown."));
    }
}

Exit list(const Context &context)
{
    TRY_OR(fail, const auto session, context.connect());
    TRY_OR(fail, const auto filter, filterFrom(context, *session));
    TRY_OR(fail, const auto there, sql::keepsConflicts(*session));
    sql::Result<sql::ConflictPage> page = sql::ConflictPage();
    if (there) {
        page = sql::readConflicts(*session, filter);
    } else {
        const auto local = sql::LocalConflicts::open(placeOfConflicts(*session));
        page = local ? (*local)->page(filter) : sql::Result<sql::ConflictPage>(local.error());
    }
    if (!page) {
        return fail(page.error());
    }
    TRY_OR(fail, const auto sight,
        there ? sql::conflictSight(*session) : sql::Result<sql::ConflictSight>(sql::ConflictSight::Everything));
    // "None" is no answer for a login from which all are kept, nor where nothing tells of conflicts.
    TRY_OR(fail, const bool untold, there ? sql::Result<bool>(false) : nothingImported(*session));
    const bool blind = page->rows.isEmpty() && (untold || sight == sql::ConflictSight::Nothing);
    QJsonArray items;
    QList<QStringList> rows;
    for (const sql::ConflictRecord &record : page->rows) {
        items.append(jsonOf(record));
        rows += QStringList { timeCell(record.lastAt), record.key.value_or(Tr::tr("(not named)")), record.target,
            models::conflictKindLabel(record.kind), record.scope, models::countText(record.count), record.caller,
            codeCell(record), models::conflictAttributes(record) };
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() }, { u"more"_s, page->more },
            { u"kept"_s, there ? u"database"_s : u"this computer"_s },
            { u"complete"_s, !blind && sight == sql::ConflictSight::Everything } });
        noteSight(sight, blind);
        return blind ? Exit::Unknown : Exit::Done;
    }
    noteSight(sight, blind);
    if (rows.isEmpty() && !blind) {
        print(noneText(context) + u'\n');
    } else if (!rows.isEmpty()) {
        print(table({ Tr::tr("AT"), Tr::tr("KEY"), Tr::tr("TARGET"), Tr::tr("KIND"), Tr::tr("SCOPE"), Tr::tr("TIMES"),
                        Tr::tr("BY"), Tr::tr("CODE"), Tr::tr("BESIDE") },
            rows));
    }
    if (!there && !blind) {
        note(Tr::tr(
            "The console schema is not installed in this database; this is what was imported on this computer."));
    }
    if (page->more) {
        note(Tr::tr("There are more; --limit and --since choose."));
    }
    return blind ? Exit::Unknown : Exit::Done;
}

Exit runConflicts(const Context &context)
{
    const QString word = context.positional().value(0);
    return word.isEmpty() ? list(context) : importLogs(context);
}

} // namespace

sql::LocalPlace placeOfConflicts(const sql::Session &session)
{
    return { sql::LocalConflicts::defaultPath(), models::ActionJournal::serverOf(session.facts()) };
}

Command conflictsCommand()
{
    return { .name = u"conflicts"_s,
        .synopsis = u"[import FILE…]"_s,
        .summary = Tr::tr("keys that came again with another request; import logs that tell of them"),
        .about = Tr::tr("Lists keys that came again with another request, as services recorded them or "
                        "imported logs tell, newest first. With --kind replay it lists the retries that met a "
                        "stored key, as a service's log says; a case counts them.\n\n“import” reads server "
                        "logs (csvlog, jsonlog or stderr) and services' logs (JSON Lines) and keeps what they "
                        "tell of keys: in the console's schema, with a row in the audit log, or on this "
                        "computer where the database has none. The same log twice adds nothing. A key that "
                        "the log does not name is looked up in the tables, by its hash or by the stored "
                        "fingerprint; where several keys fit it stays unknown.\n\nFILE may be a folder, of "
                        "which *.csv, *.json, *.jsonl and *.log are read in the order of their names, or - "
                        "for standard input.\n\nWith --map the words conflict=WORD and replay=WORD say which "
                        "words of the outcome mean that the key was used for another request, or that a retry "
                        "met it.\n\n--server and --server-log read only what the log tells of this database. "
                        "They need logging_collector, and a role with pg_monitor and EXECUTE on "
                        "pg_read_binary_file(text,bigint,bigint,boolean)."),
        .arguments = { { u"import"_s, Tr::tr("Read logs and keep what they tell; else what is kept is listed."), 0, 1,
                           { u"import"_s } },
            { u"FILE"_s, Tr::tr("A log, a folder of logs, or - for standard input."), 0, kMostLogs, {} } },
        .options = connectOptions()
            + QList { jsonOption(),
                Option::timeOrLength(u"since"_s, Tr::tr("Only those after this time, or of the last so long.")),
                Option::text(u"key"_s, Tr::tr("KEY"), Tr::tr("Only those of this key.")),
                Option::text(u"with"_s, Tr::tr("VALUE"),
                    Tr::tr("Only those whose log line has this trace, region, tenant or other value beside the key.")),
                Option::word(u"kind"_s,
                    { u"key_conflict"_s, u"message_conflict"_s, u"unique_violation"_s, u"deadlock"_s,
                        u"serialization_failure"_s, u"refused"_s, u"application"_s, u"replay"_s },
                    Tr::tr("Only this kind.")),
                Option::number(u"limit"_s, 1, kMostConflictsListed, Tr::tr("At most so many."), u"200"_s) }
            + importOptions(),
        .examples = { { Tr::tr("What was reused in the last day:"), u"conflicts --since 1d"_s },
            { Tr::tr("Read the log of a service:"), u"conflicts import service.jsonl --map key=/request/id"_s } },
        .run = runConflicts,
        .watched = { QString() } };
}

} // namespace idemdesk::app
