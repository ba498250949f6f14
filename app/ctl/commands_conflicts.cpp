// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/commands_conflicts.h"
#include "app/ctl/json_out.h"
#include "models/actions/action_journal.h"
#include "models/conflicts/conflict_words.h"
#include "sql/conflicts/conflict_gateway.h"
#include "sql/local/local_conflicts.h"
#include "sql/types/tr.h"

#include <QDateTime>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostConflictsListed = 1'000;

sql::Result<sql::ConflictFilter> filterFrom(const Context &context)
{
    sql::ConflictFilter filter;
    filter.key = context.value(u"key"_s);
    filter.kind = context.value(u"kind"_s);
    const QStringList kinds { u"key_conflict"_s, u"message_conflict"_s, u"unique_violation"_s, u"deadlock"_s, u"serialization_failure"_s, u"application"_s, QString(sql::kReplayKind) };
    if (context.has(u"kind"_s) && !kinds.contains(filter.kind)) {
        return usageError(Tr::tr("“%1” is no kind of conflict.").arg(filter.kind), Tr::tr("The option --kind takes one of these: %1.").arg(kinds.join(u", "_s)));
    }
    bool number = false;
    filter.limit = context.value(u"limit"_s).toInt(&number);
    if (!number || filter.limit < 1 || filter.limit > kMostConflictsListed) {
        return usageError(Tr::tr("--limit takes a number from 1 to %1.").arg(kMostConflictsListed), {});
    }
    if (context.has(u"since"_s)) {
        const QString text = context.value(u"since"_s);
        QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
        if (const auto span = sql::durationSeconds(text)) {
            time = QDateTime::currentDateTimeUtc().addSecs(-*span);
        } else if (!time.isValid() || time.timeSpec() == Qt::LocalTime) {
            return usageError(Tr::tr("“%1” is neither a time nor a length of time.").arg(text), Tr::tr("Write a time with its offset, such as 2026-11-01T00:00:00Z, or a length such as 7d."));
        }
        filter.since = sql::Timestamp::fromDateTime(time);
    }
    return filter;
}

QJsonObject jsonOf(const sql::ConflictRecord &record)
{
    const auto text = [](const QString &value) { return value.isEmpty() ? QJsonValue() : QJsonValue(value); };
    return { { u"id"_s, QString::fromLatin1(record.id.toHex()) }, { u"kind"_s, record.kind }, { u"source"_s, record.fromLog ? u"log"_s : u"service"_s }, { u"target"_s, text(record.target) },
        { u"scope"_s, text(record.scope) }, { u"key"_s, record.key ? QJsonValue(*record.key) : QJsonValue() }, { u"key_hash"_s, text(record.keyHash) },
        { u"existing_hash"_s, text(record.existingHash) }, { u"incoming_hash"_s, text(record.incomingHash) }, { u"incoming_payload"_s, text(record.incomingPayload) },
        { u"caller"_s, text(record.caller) }, { u"first_at"_s, record.firstAt.toRfc3339() }, { u"last_at"_s, record.lastAt.toRfc3339() }, { u"count"_s, record.count },
        { u"message"_s, text(record.message) }, { u"detail"_s, text(record.detail) }, { u"file"_s, text(record.file) } };
}

Exit list(const Context &context)
{
    const auto filter = filterFrom(context);
    if (!filter) {
        return fail(filter.error());
    }
    const auto session = context.connect();
    if (!session) {
        return fail(session.error());
    }
    const auto there = sql::keepsConflicts(**session);
    if (!there) {
        return fail(there.error());
    }
    sql::Result<sql::ConflictPage> page = sql::ConflictPage();
    if (*there) {
        page = sql::readConflicts(**session, *filter);
    } else {
        const auto local = sql::LocalConflicts::open(placeOfConflicts(**session));
        page = local ? (*local)->page(*filter) : sql::Result<sql::ConflictPage>(local.error());
    }
    if (!page) {
        return fail(page.error());
    }
    QJsonArray items;
    QList<QStringList> rows;
    for (const sql::ConflictRecord &record : page->rows) {
        items.append(jsonOf(record));
        rows += QStringList { record.lastAt.toRfc3339(), models::conflictKindLabel(record.kind), record.target, record.scope, record.key.value_or(Tr::tr("(not named)")), QString::number(record.count),
            record.caller };
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() }, { u"more"_s, page->more }, { u"kept"_s, *there ? u"database"_s : u"this computer"_s } });
        return Exit::Done;
    }
    print(table({ Tr::tr("AT"), Tr::tr("KIND"), Tr::tr("TARGET"), Tr::tr("SCOPE"), Tr::tr("KEY"), Tr::tr("TIMES"), Tr::tr("BY") }, rows));
    if (!*there) {
        note(Tr::tr("The console schema is not installed in this database; this is what was imported on this computer."));
    }
    if (page->more) {
        note(Tr::tr("There are more; --limit and --since choose."));
    }
    return Exit::Done;
}

} // namespace

sql::LocalPlace placeOfConflicts(const sql::Session &session) { return { sql::LocalConflicts::defaultPath(), models::ActionJournal::serverOf(session.facts()) }; }

Exit runConflicts(const QStringList &arguments)
{
    Context context(u"conflicts [import FILE…]"_s);
    context.addConnectOption();
    context.addJsonOption();
    context.parser().addOption({ u"since"_s, Tr::tr("Only those after this time, or of the last so long."), Tr::tr("TIME|LENGTH") });
    context.parser().addOption({ u"key"_s, Tr::tr("Only those of this key."), Tr::tr("KEY") });
    context.parser().addOption({ u"kind"_s, Tr::tr("Only key_conflict, message_conflict, unique_violation, deadlock, serialization_failure, application or replay."), Tr::tr("KIND") });
    context.parser().addOption({ u"limit"_s, Tr::tr("At most so many."), Tr::tr("N"), u"200"_s });
    addImportOptions(context.parser());
    context.parser().addPositionalArgument(u"import"_s, Tr::tr("Read server logs or services' logs and keep what they tell of keys; FILE is a log, a folder of logs or - for standard input. Else what is kept is listed."), u"[import FILE…]"_s);
    if (const auto exit = context.parse(arguments, 0, 1'000)) {
        return *exit;
    }
    const QString word = context.positional().value(0);
    for (const QString &option : { u"format"_s, u"server"_s, u"server-log"_s, u"map"_s }) {
        if (word.isEmpty() && context.has(option)) {
            return fail(usageError(Tr::tr("--%1 goes with “conflicts import”.").arg(option), Tr::tr("Use “idemdeskctl conflicts import” with it.")));
        }
    }
    if (!word.isEmpty() && word != u"import") {
        return fail(usageError(Tr::tr("“%1” is nothing to do with conflicts.").arg(word), Tr::tr("Use “conflicts” or “conflicts import FILE…”.")));
    }
    return word.isEmpty() ? list(context) : importLogs(context);
}

} // namespace idemdesk::app
