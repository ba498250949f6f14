// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/action_gateway.h"

#include "sql/actions/action_json.h"
#include "sql/keys/render.h"
#include "sql/types/tr.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// One call of a function that answers with an action; `role` is what a login must be a member of.
Result<ActionRecord> actionOf(
    Session &session, const Statement &statement, const QString &what, const QString &role = u"idemdesk_operator"_s)
{
    const auto row = session.one(statement);
    if (!row) {
        Error error = failed(what, row.error());
        if (error.sqlState == u"42501") {
            error.why = Tr::tr("This login is not a member of %1.").arg(role);
            error.todo
                = Tr::tr("Ask an administrator of the database for that role, or connect as somebody who has it.");
        }
        return error;
    }
    return actionFromJson(row->constFirst().text);
}

QJsonObject planObject(const PurgePlan &plan)
{
    QJsonArray states;
    for (const KeyState state : plan.states) {
        states.append(stateName(state));
    }
    QJsonValue scopes;
    if (plan.scopes) {
        QJsonArray list;
        for (const Cells &scope : *plan.scopes) {
            list.append(QJsonDocument::fromJson(cellsToJson(scope).toUtf8()).array());
        }
        scopes = list;
    }
    return { { u"cutoff"_s, plan.cutoff.toRfc3339() }, { u"states"_s, states }, { u"scopes"_s, scopes },
        { u"images"_s, plan.images }, { u"expected"_s, plan.rows } };
}

QString planJson(const ActionRequest &request)
{
    QJsonObject object = request.purge ? planObject(*request.purge) : QJsonObject();
    if (request.group) {
        object.insert(u"group"_s,
            QJsonObject { { u"id"_s, request.group->id }, { u"name"_s, request.group->name },
                { u"member"_s, request.group->member } });
    }
    if (!request.winner.isEmpty()) {
        object.insert(u"winner"_s, request.winner);
    }
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

QString batchFunction(ActionVerb verb)
{
    switch (verb) {
    case ActionVerb::Purge:
        return u"purge_batch"_s;
    case ActionVerb::Undo:
        return u"undo_batch"_s;
    case ActionVerb::Recover:
    case ActionVerb::Requeue:
    case ActionVerb::Reclassify:
    case ActionVerb::Align:
        return u"change_batch"_s;
    case ActionVerb::Detach:
    case ActionVerb::Attach:
    case ActionVerb::Drop:
    case ActionVerb::Limit:
    case ActionVerb::Adopt:
        break; // over in one step
    }
    return u"change_batch"_s;
}

/// The server compares and stores an identity as an array of texts; a key may hold any character.
QString textArray(const Cells &cells)
{
    QStringList parts;
    for (const Cell &cell : cells) {
        parts += cell.null ? u"NULL"_s : arrayLiteral({ cell.text }).mid(1).chopped(1);
    }
    return u'{' + parts.join(u',') + u'}';
}

} // namespace

Result<ActionRecord> openAction(Session &session, const ActionRequest &request)
{
    Statement statement { u"SELECT idemdesk.open_action($1::pg_catalog.uuid, $2::pg_catalog.text, $3::pg_catalog.text, "
                          u"$4::pg_catalog.text, "
                          "$5::pg_catalog.text, $6::pg_catalog.jsonb, $7::pg_catalog.text, $8::pg_catalog.jsonb)"_s,
        {} };
    statement.bind(request.id);
    statement.bind(request.target);
    statement.bind(verbName(request.verb));
    statement.bind(request.reason);
    statement.bind(request.ticket);
    statement.bind(planJson(request));
    statement.bind(request.profileSha);
    statement.bind(request.purge ? Cell() : Cell::of(rowsToJson(request.rows)));
    return actionOf(session, statement, Tr::tr("The action could not be started."));
}

Result<ActionRecord> openUndo(Session &session, const UndoRequest &request)
{
    Statement statement { u"SELECT idemdesk.open_undo($1::pg_catalog.uuid, $2::pg_catalog.uuid, $3::pg_catalog.text, "
                          "$4::pg_catalog.text)"_s,
        {} };
    statement.bind(request.id);
    statement.bind(request.of);
    statement.bind(request.reason);
    statement.bind(request.ticket);
    return actionOf(session, statement, Tr::tr("The undo could not be started."));
}

Result<ActionRecord> setAction(Session &session, const QString &id, ActionState state, const QString &note)
{
    Statement statement {
        u"SELECT idemdesk.set_action($1::pg_catalog.uuid, $2::pg_catalog.text, $3::pg_catalog.text)"_s, {}
    };
    statement.bind(id);
    statement.bind(actionStateName(state));
    statement.bind(note);
    const QString what = state == ActionState::Paused ? Tr::tr("The action could not be paused.")
        : state == ActionState::Running               ? Tr::tr("The action could not be resumed.")
                                                      : Tr::tr("The action could not be cancelled.");
    return actionOf(session, statement, what);
}

Result<ActionRecord> askAdoption(Session &session, const QString &id, const QString &reason, const QString &ticket)
{
    Statement statement {
        u"SELECT idemdesk.ask_adoption($1::pg_catalog.uuid, $2::pg_catalog.text, $3::pg_catalog.text)"_s, {}
    };
    statement.bind(id);
    statement.bind(reason);
    statement.bind(ticket);
    return actionOf(session, statement, Tr::tr("The restored tables could not be asked for."), u"idemdesk_admin"_s);
}

Result<ActionRecord> approveAction(Session &session, const QString &id, bool approve, const QString &note)
{
    Statement statement {
        u"SELECT idemdesk.approve_action($1::pg_catalog.uuid, $2::pg_catalog.bool, $3::pg_catalog.text)"_s, {}
    };
    statement.bind(id);
    statement.bind(approve ? u"true"_s : u"false"_s);
    statement.bind(note);
    return actionOf(session, statement,
        approve ? Tr::tr("The action could not be approved.") : Tr::tr("The action could not be declined."),
        u"idemdesk_approver"_s);
}

Result<BatchResult> noteLost(Session &session, const QString &id, int batch, int limit)
{
    Statement statement { u"SELECT idemdesk.note_lost($1::pg_catalog.uuid, $2::pg_catalog.int4, $3::pg_catalog.int4)"_s,
        {} };
    statement.bind(id);
    statement.bind(QString::number(batch));
    statement.bind(QString::number(limit));
    const auto row = session.one(statement);
    return row ? Result<BatchResult>(batchFromJson(row->constFirst().text))
               : Result<BatchResult>(
                   failed(Tr::tr("That the connection was lost in a batch could not be written down."), row.error()));
}

Result<BatchResult> runBatch(Session &session, const ActionRecord &action, int batch, int limit)
{
    Statement statement { u"SELECT idemdesk."_s + batchFunction(action.verb)
            + u"($1::pg_catalog.uuid, $2::pg_catalog.int4, $3::pg_catalog.int4)"_s,
        {} };
    statement.bind(action.id);
    statement.bind(QString::number(batch));
    statement.bind(QString::number(limit));
    TRY(session.actFor(action.target));
    QElapsedTimer timer;
    timer.start();
    TRY(const auto row,
        failed(Tr::tr("A batch of the action did not work; nothing of it was changed."), session.one(statement)));
    BatchResult result = batchFromJson(row.constFirst().text);
    result.tookMicros = timer.nsecsElapsed() / 1000;
    return result;
}

Result<std::optional<ActionRecord>> readAction(Session &session, const QString &id)
{
    Statement statement { u"SELECT idemdesk.action_state($1::pg_catalog.uuid)"_s, {} };
    statement.bind(id);
    TRY(const auto row, failed(Tr::tr("What became of the action could not be read."), session.one(statement)));
    return row.constFirst().null ? std::optional<ActionRecord>() : std::optional(actionFromJson(row.constFirst().text));
}

Result<qint64> readPutBack(Session &session, const QString &id)
{
    Statement statement {
        u"SELECT COALESCE(pg_catalog.sum((a.counts ->> 'done')::pg_catalog.int8), 0) FROM idemdesk.action AS a WHERE "
        "a.undo_of = $1::pg_catalog.uuid"_s,
        {}
    };
    statement.bind(id);
    TRY(const auto row, failed(Tr::tr("What was put back so far could not be read."), session.one(statement)));
    return row.constFirst().text.toLongLong();
}

Result<QList<ActionRecord>> readActions(Session &session, const ActionFilter &filter)
{
    Statement statement { u"SELECT pg_catalog.to_jsonb(a) FROM idemdesk.action AS a WHERE true"_s, {} };
    const auto narrow = [&](bool wanted, const QString &condition, const QString &value, const QString &type) {
        if (wanted) {
            statement.sql += u" AND "_s + condition + statement.bind(value) + u"::pg_catalog."_s + type;
        }
    };
    narrow(!filter.person.isEmpty(), u"a.requested_by = "_s, filter.person, u"text"_s);
    narrow(!filter.target.isEmpty(), u"a.target = "_s, filter.target, u"text"_s);
    narrow(filter.verb.has_value(), u"a.verb = "_s, verbName(filter.verb.value_or(ActionVerb::Recover)), u"text"_s);
    narrow(filter.state.has_value(), u"a.state = "_s, actionStateName(filter.state.value_or(ActionState::Running)),
        u"text"_s);
    narrow(filter.since.has_value(), u"a.requested_at >= "_s, filter.since.value_or(Timestamp()).toRfc3339(),
        u"timestamptz"_s);
    narrow(filter.until.has_value(), u"a.requested_at < "_s, filter.until.value_or(Timestamp()).toRfc3339(),
        u"timestamptz"_s);
    narrow(!filter.group.isEmpty(), u"a.plan -> 'group' ->> 'id' = "_s, filter.group, u"text"_s);
    if (filter.openOnly) {
        statement.sql += u" AND a.state IN ('requested', 'running', 'paused')"_s;
    }
    if (!filter.reasonOrTicket.isEmpty()) {
        const QString wanted = statement.bind(filter.reasonOrTicket) + u"::pg_catalog.text"_s;
        statement.sql += u" AND (pg_catalog.strpos(pg_catalog.lower(a.reason), pg_catalog.lower("_s + wanted
            + u")) > 0 OR pg_catalog.strpos(pg_catalog.lower(a.ticket), pg_catalog.lower("_s + wanted + u")) > 0)"_s;
    }
    statement.sql += u" ORDER BY a.requested_at DESC, a.id LIMIT "_s + statement.bind(QString::number(filter.limit))
        + u"::pg_catalog.int8"_s;
    QList<ActionRecord> actions;
    const auto read = session.each(statement, [&actions](const Row &row) {
        actions.append(actionFromJson(row.text(0)));
        return true;
    });
    return read
        ? Result<QList<ActionRecord>>(actions)
        : Result<QList<ActionRecord>>(failed(Tr::tr("The history of actions could not be read."), read.error()));
}

Result<QList<AskedRow>> readAskedRows(Session &session, const QString &id, int limit)
{
    Statement statement {
        u"SELECT pg_catalog.to_jsonb(r.identity), r.rule, r.effect_id, r.winner::pg_catalog.text FROM "
        "idemdesk.rows_asked($1::pg_catalog.uuid, $2::pg_catalog.int4) AS r ORDER BY r.ordinal"_s,
        {}
    };
    statement.bind(id);
    statement.bind(QString::number(limit));
    QList<AskedRow> rows;
    const auto read = session.each(statement, [&rows](const Row &row) {
        rows.append({ cellsFromJson(row.text(0)), row.isNull(1) ? -1 : static_cast<int>(row.integer(1)), row.text(2),
            row.text(3).toUtf8() });
        return true;
    });
    return read ? Result<QList<AskedRow>>(rows)
                : Result<QList<AskedRow>>(failed(Tr::tr("The rows of the action could not be read."), read.error()));
}

Result<QList<ActionItem>> readItems(Session &session, const QString &id, int afterBatch, int afterOrdinal, int limit)
{
    Statement statement { u"SELECT i.batch, i.ordinal, pg_catalog.to_jsonb(i.identity), i.outcome, i.detail, "
                          u"pg_catalog.to_jsonb(i.columns), "
                          "pg_catalog.to_jsonb(i.before), pg_catalog.to_jsonb(i.after), i.restored_by FROM "
                          "idemdesk.items($1::pg_catalog.uuid, "
                          "$2::pg_catalog.int4, $3::pg_catalog.int4, $4::pg_catalog.int4) AS i"_s,
        {} };
    statement.bind(id);
    statement.bind(QString::number(afterBatch));
    statement.bind(QString::number(afterOrdinal));
    statement.bind(QString::number(limit));
    QList<ActionItem> items;
    const auto read = session.each(statement, [&items](const Row &row) {
        ActionItem item;
        item.batch = static_cast<int>(row.integer(0));
        item.ordinal = static_cast<int>(row.integer(1));
        item.identity = cellsFromJson(row.text(2));
        item.outcome = row.text(3);
        item.detail = row.text(4);
        for (const Cell &cell : cellsFromJson(row.text(5))) {
            item.columns.append(cell.text);
        }
        item.before = cellsFromJson(row.text(6));
        item.after = cellsFromJson(row.text(7));
        item.restoredBy = row.text(8);
        items.append(item);
        return true;
    });
    return read ? Result<QList<ActionItem>>(items)
                : Result<QList<ActionItem>>(failed(Tr::tr("The rows of the action could not be read."), read.error()));
}

Result<QList<KeyTouch>> readTouches(Session &session, const QString &target, const Cells &identity)
{
    Statement statement {
        u"SELECT a.action, a.verb, a.who, a.approved_by, a.at, a.reason, a.ticket, a.outcome, a.detail, a.undone_by "
        "FROM idemdesk.actions_on($1::pg_catalog.text, $2::pg_catalog.text[]) AS a"_s,
        {}
    };
    statement.bind(target);
    statement.bind(textArray(identity));
    QList<KeyTouch> touches;
    const auto read = session.each(statement, [&touches](const Row &row) {
        KeyTouch touch;
        touch.action = row.text(0);
        touch.verb = verbFromName(row.text(1)).value_or(ActionVerb::Recover);
        touch.who = row.text(2);
        touch.approvedBy = row.text(3);
        touch.at = Timestamp::parse(row.text(4)).value_or(Timestamp());
        touch.reason = row.text(5);
        touch.ticket = row.text(6);
        touch.outcome = row.text(7);
        touch.detail = row.text(8);
        touch.undoneBy = row.text(9);
        touches.append(touch);
        return true;
    });
    return read ? Result<QList<KeyTouch>>(touches)
                : Result<QList<KeyTouch>>(failed(Tr::tr("What was done to this key could not be read."), read.error()));
}

Result<QStringList> maintain(Session &session)
{
    TRY(const auto row,
        failed(Tr::tr("The console's own tables could not be cleaned."),
            session.one({ u"SELECT pg_catalog.to_jsonb(idemdesk.maintain())"_s, {} })));
    QStringList dropped;
    for (const Cell &cell : cellsFromJson(row.constFirst().text)) {
        dropped.append(cell.text);
    }
    return dropped;
}

} // namespace idemdesk::sql
