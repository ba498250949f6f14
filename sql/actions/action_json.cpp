// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/action_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

QJsonObject objectOf(const QString &json)
{
    return QJsonDocument::fromJson(json.toUtf8()).object();
}

/// JSON writes times with a T where PostgreSQL prints a space.
std::optional<Timestamp> timeOf(const QJsonValue &value)
{
    return value.isString() ? Timestamp::parse(value.toString().replace(u'T', u' ')) : std::nullopt;
}

QMap<QString, qint64> countsOf(const QJsonValue &value)
{
    QMap<QString, qint64> counts;
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        counts.insert(it.key(), it.value().toInteger());
    }
    return counts;
}

QJsonArray arrayOf(const Cells &cells)
{
    QJsonArray array;
    for (const Cell &cell : cells) {
        array.append(cell.null ? QJsonValue() : QJsonValue(cell.text));
    }
    return array;
}

} // namespace

ActionRecord actionFromJson(const QString &json)
{
    const QJsonObject object = objectOf(json);
    ActionRecord action;
    action.id = object.value(u"id"_s).toString();
    action.target = object.value(u"target"_s).toString();
    action.verb = verbFromName(object.value(u"verb"_s).toString()).value_or(ActionVerb::Recover);
    action.state = actionStateFromName(object.value(u"state"_s).toString()).value_or(ActionState::Finding);
    action.undoOf = object.value(u"undo_of"_s).toString();
    action.requestedBy = object.value(u"requested_by"_s).toString();
    action.requestedAt = timeOf(object.value(u"requested_at"_s)).value_or(Timestamp());
    action.approvedBy = object.value(u"approved_by"_s).toString();
    action.approvedAt = timeOf(object.value(u"approved_at"_s));
    action.finishedAt = timeOf(object.value(u"finished_at"_s));
    action.keepUntil = object.value(u"keep_until"_s).toString();
    action.note = object.value(u"note"_s).toString();
    action.reason = object.value(u"reason"_s).toString();
    action.ticket = object.value(u"ticket"_s).toString();
    action.planJson = QJsonDocument(object.value(u"plan"_s).toObject()).toJson(QJsonDocument::Compact);
    action.plannedRows = object.value(u"planned_rows"_s).toInteger();
    action.lastBatch = object.value(u"last_batch"_s).toInt();
    action.counts = countsOf(object.value(u"counts"_s));
    return action;
}

BatchResult batchFromJson(const QString &json)
{
    const QJsonObject object = objectOf(json);
    BatchResult result;
    result.batch = object.value(u"batch"_s).toInt();
    result.repeated = object.value(u"repeated"_s).toBool();
    result.counts = countsOf(object.value(u"counts"_s));
    result.totals = countsOf(object.value(u"totals"_s));
    const QJsonArray outcomes = object.value(u"outcomes"_s).toArray();
    for (const QJsonValue &value : outcomes) {
        result.outcomes.append(
            { value[u"n"_s].toInt(), value[u"outcome"_s].toString(), value[u"detail"_s].toString() });
    }
    result.state = actionStateFromName(object.value(u"state"_s).toString()).value_or(ActionState::Finding);
    result.note = object.value(u"note"_s).toString();
    result.planned = object.value(u"planned"_s).toInteger();
    result.sweep = object.value(u"sweep"_s).toBool();
    return result;
}

Cells cellsFromJson(const QString &json)
{
    Cells cells;
    const QJsonArray array = QJsonDocument::fromJson(json.toUtf8()).array();
    for (const QJsonValue &value : array) {
        cells.append(value.isNull() ? Cell() : Cell::of(value.toString()));
    }
    return cells;
}

QString rowsToJson(const QList<FrozenRow> &rows)
{
    QJsonArray array;
    for (const FrozenRow &row : rows) {
        QJsonObject object { { u"i"_s, arrayOf(row.identity) }, { u"g"_s, arrayOf(row.guard) }, { u"r"_s, row.rule } };
        if (!row.effectId.null) {
            object.insert(u"e"_s, row.effectId.text);
            object.insert(u"t"_s, row.effectType);
        }
        if (row.other) {
            const Cell &print = row.other->fingerprint;
            object.insert(u"w"_s,
                QJsonObject { { u"state"_s, stateName(row.other->state) },
                    { u"fingerprint"_s, print.null ? QJsonValue() : QJsonValue(print.text) },
                    { u"at"_s, row.other->writtenAt ? QJsonValue(row.other->writtenAt->toRfc3339()) : QJsonValue() },
                    { u"values"_s, arrayOf(row.other->values) } });
        }
        array.append(object);
    }
    return QString::fromUtf8(QJsonDocument(array).toJson(QJsonDocument::Compact));
}

QString cellsToJson(const Cells &cells)
{
    return QString::fromUtf8(QJsonDocument(arrayOf(cells)).toJson(QJsonDocument::Compact));
}

} // namespace idemdesk::sql
