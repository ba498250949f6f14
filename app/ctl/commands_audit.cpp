// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/action_id.h"
#include "app/ctl/context.h"
#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/json_out.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "app/ctl/out/byte_output.h"
#include "models/audit/audit_export.h"
#include "models/audit/audit_model.h"
#include "models/audit/trail_check.h"
#include "models/keys/private_file.h"
#include "sql/console/console_schema.h"
#include "sql/types/tr.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QUuid>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostTrailRows = 1'000'000; // that --limit may ask for

QString anchorState(models::AnchorState state)
{
    switch (state) {
    case models::AnchorState::None:
        return u"none"_s;
    case models::AnchorState::Unreadable:
        return u"unreadable"_s;
    case models::AnchorState::Matches:
        return u"matches"_s;
    case models::AnchorState::CutOff:
        return u"cut_off"_s;
    case models::AnchorState::Rewritten:
        break;
    }
    return u"rewritten"_s;
}

Exit verify(const Context &context, sql::Session &session)
{
    const auto status = sql::readConsoleStatus(session);
    if (status && status->installedVersion == 0) {
        const QString none = Tr::tr("The console schema is not installed in this database, so there is no audit log to "
                                    "verify. “idemdeskctl console status” says more.");
        if (context.json()) {
            printJson({ { u"intact"_s, QJsonValue() }, { u"finding"_s, none } });
        } else {
            note(none);
        }
        return Exit::Unknown;
    }
    models::AnchorStore store(models::AnchorStore::defaultPath());
    TRY_OR(fail, const auto check, models::checkTrail(session, &store));
    const sql::AuditVerdict &chain = check.chain;
    if (context.json()) {
        QJsonArray problems;
        for (const sql::AuditProblem &problem : chain.problems) {
            problems.append(QJsonObject { { u"in_chain"_s, problem.inChain },
                { u"row"_s, problem.seq > 0 ? QJsonValue(problem.seq) : QJsonValue() },
                { u"problem"_s, problem.text } });
        }
        printJson({ { u"intact"_s, check.whole() }, { u"chain_intact"_s, chain.chainIntact() },
            { u"tables_agree"_s,
                std::none_of(chain.problems.cbegin(), chain.problems.cend(),
                    [](const sql::AuditProblem &problem) { return !problem.inChain; }) },
            { u"checked"_s, chain.checked }, { u"problems"_s, problems },
            { u"anchor"_s, anchorState(check.anchorState) }, { u"head"_s, chain.headSeq },
            { u"head_hash"_s, chain.headHash }, { u"findings"_s, QJsonArray::fromStringList(check.findings()) },
            { u"finding"_s, check.sentence() },
            { u"protected"_s, status ? QJsonValue(!status->red()) : QJsonValue() } });
    } else if (check.whole()) {
        print(check.sentence() + u'\n');
    } else {
        note(check.sentence());
        note(check.meaning());
    }
    if (!context.json() && (!status || status->red())) { // intact so far says nothing of the next change
        note(status ? Tr::tr("The audit log is not protected now. “idemdeskctl console status” says why.")
                    : Tr::tr("Whether the audit log is protected could not be read."));
    }
    return check.whole() ? Exit::Done : Exit::Failed;
}

/// One line for a log host, and the same noted on this computer.
Exit anchor(const Context &context, sql::Session &session)
{
    TRY_OR(fail, const auto head, sql::readAnchor(session));
    QJsonObject line { { u"system"_s, head.systemId }, { u"database_oid"_s, qint64(head.databaseOid) },
        { u"database"_s, head.database }, { u"seq"_s, head.seq }, { u"hash"_s, head.hash },
        { u"at"_s, head.at.toRfc3339() } };
    if (context.json()) {
        line.insert(u"version"_s, kShapesVersion);
    }
    print(QString::fromUtf8(QJsonDocument(line).toJson(QJsonDocument::Compact)) + u'\n');
    models::AnchorStore store(models::AnchorStore::defaultPath());
    // A head that contradicts the note must not replace it.
    const auto seen = store.anchorOf(head.systemId, head.databaseOid);
    if (seen && !context.has(u"accept"_s)) {
        TRY_OR(fail, const auto hash, sql::readHashAt(session, seen->seq));
        if (hash != seen->hash) {
            note(Tr::tr("This head does not continue the audit log that this computer saw before. “idemdeskctl audit "
                        "verify” says more. Where a backup was restored, “audit anchor --accept” takes this head as "
                        "the new beginning."));
            return Exit::Failed;
        }
    }
    const auto kept = head.seq > 0 ? store.keep(head) : sql::Result<void>();
    return kept ? Exit::Done : fail(kept.error());
}

sql::Result<sql::AuditFilter> trailFilter(const Context &context, sql::Session &session)
{
    sql::AuditFilter filter;
    filter.person = context.value(u"person"_s);
    filter.action = context.value(u"action"_s);
    filter.what = context.value(u"what"_s);
    const QUuid group(context.value(u"group-id"_s));
    if (context.has(u"group-id"_s) && group.isNull()) {
        return usageError(Tr::tr("--group-id takes the whole id that the action over the group told."));
    }
    filter.group = group.isNull() ? QString() : group.toString(QUuid::WithoutBraces);
    filter.limit = context.number(u"limit"_s);
    TRY(filter.since, context.timeOrAgo(session, u"since"_s));
    filter.until = context.time(u"until"_s);
    return filter;
}

/// Row by row, however long the trail is; a file that could not be written whole is not left behind.
Exit exportRows(const Context &context, sql::Session &session, sql::AuditFilter filter)
{
    if (!context.has(u"limit"_s)) {
        filter.limit = 0;
    }
    const auto format
        = context.value(u"format"_s) == u"jsonl" ? models::AuditFormat::JsonLines : models::AuditFormat::Csv;
    const auto write = [&](QIODevice &out) { return models::writeTrail(session, filter, out, format); };
    if (!context.has(u"output"_s)) {
        const auto written = writeToStandardOutput(write);
        return written ? Exit::Done : fail(written.error());
    }
    TRY_OR(fail, const auto written,
        models::writePrivateFile(context.value(u"output"_s), write, models::FileThere::Refuse));
    note(Tr::tr("%Ln row(s) written.", nullptr, int(written)));
    return Exit::Done;
}

Exit list(const Context &context, sql::Session &session, bool exported)
{
    TRY_OR(fail, const auto target, targetOfTrail(context, session));
    TRY_OR(fail, auto filter, trailFilter(context, session));
    filter.target = target;
    if (!filter.action.isEmpty()) {
        TRY_OR(fail, filter.action, wholeActionId(session, filter.action));
    }
    if (exported) {
        return exportRows(context, session, filter);
    }
    TRY_OR(fail, const auto rows, sql::readAudit(session, filter));
    if (context.json()) {
        QByteArrayList items = models::auditText(rows, models::AuditFormat::JsonLines).split('\n');
        items.removeAll(QByteArray());
        printJsonItems(items); // as they are: numbers of the facts keep their text
        return Exit::Done;
    }
    if (rows.isEmpty()) {
        print(Tr::tr("The audit log has no such row.") + u'\n');
        return Exit::Done;
    }
    QList<QStringList> cells;
    for (const sql::AuditRow &row : rows) {
        cells += QStringList { QString::number(row.seq), timeCell(row.at), row.who, models::auditWhatLabel(row.what),
            row.target, row.batch > 0 ? QString::number(row.batch) : QString(), models::auditFactsText(row) };
    }
    print(table({ Tr::tr("ROW"), Tr::tr("AT"), Tr::tr("WHO"), Tr::tr("WHAT"), Tr::tr("TARGET"), Tr::tr("BATCH"),
                    Tr::tr("FACTS") },
        cells));
    return Exit::Done;
}

Exit runAudit(const Context &context)
{
    const QString word = context.positional().value(0);
    TRY_OR(fail, const auto session, context.connect());
    if (word == u"verify") {
        return verify(context, *session);
    }
    if (noteNotInstalled(*session, Tr::tr("so there is no audit log"))) {
        return Exit::Unknown;
    }
    return word == u"anchor" ? anchor(context, *session) : list(context, *session, word == u"export");
}

} // namespace

Command auditCommand()
{
    return { .name = u"audit"_s,
        .synopsis = u"[verify|anchor|export]"_s,
        .summary = Tr::tr("the audit log: list, verify, anchor or export it"),
        .about = Tr::tr("Lists the audit log. “verify” computes each row's hash again and compares the audit log with "
                        "what this computer saw of it before. “anchor” writes its newest row for a log host. “export” "
                        "writes rows as CSV or JSON Lines."),
        .arguments = { { u"verify|anchor|export"_s,
            Tr::tr("Check the audit log; write its newest row for a log host; write rows to a file. Else rows are "
                   "listed."),
            0, 1, { u"verify"_s, u"anchor"_s, u"export"_s } } },
        .options = connectOptions()
            + QList { jsonOption(), groupOption().with({ QString() }),
                Option::text(u"person"_s, Tr::tr("LOGIN"), Tr::tr("Only rows of this login.")),
                Option::text(u"target"_s, Tr::tr("NAME"),
                    Tr::tr("Only rows about this target: its name, table, or a beginning that no other has.")),
                Option::text(u"action"_s, Tr::tr("ID"),
                    Tr::tr("Only rows of this action: its id, or the beginning of it that no other has.")),
                Option::text(u"group-id"_s, Tr::tr("ID"),
                    Tr::tr("Only rows of the action over a group that has this id, as with --group over its members.")),
                Option::word(u"what"_s, models::auditWhats(), Tr::tr("Only this kind.")),
                Option::timeOrLength(u"since"_s, Tr::tr("Only rows from this time on, or of the last so long.")),
                Option::time(u"until"_s, Tr::tr("Only rows before this time.")),
                Option::number(
                    u"limit"_s, 1, kMostTrailRows, Tr::tr("At most so many rows, the newest first."), u"100"_s),
                Option::word(u"format"_s, { u"csv"_s, u"jsonl"_s }, Tr::tr("How it is written."), u"csv"_s)
                    .with({ u"export"_s }),
                Option::flag(u"accept"_s,
                    Tr::tr(
                        "Note this head even though it does not continue what this computer saw, as after a restore."))
                    .with({ u"anchor"_s }),
                outputOption(Tr::tr("A new file, instead of standard output.")).with({ u"export"_s }) },
        .examples = { { Tr::tr("Is the audit log intact?"), u"audit verify"_s },
            { Tr::tr("What one login did in November:"),
                u"audit export --person kim --since 2026-11-01T00:00:00Z --format jsonl -o kim.jsonl"_s } },
        .run = overMembers(runAudit),
        .watched = { QString(), u"verify"_s } };
}

} // namespace idemdesk::app
