// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/region_export.h"

#include "models/format/csv_cell.h"
#include "models/keys/key_cells.h"
#include "sql/keys/key_json.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QJsonValue rowsJson(const sql::Target &target, const QList<sql::SideRow> &rows)
{
    QJsonArray list;
    for (const sql::SideRow &row : rows) {
        list.append(QJsonDocument::fromJson(sql::keyToJson(target, row.record)).object());
    }
    return list;
}

QJsonValue jsonOf(const sql::Cell &cell)
{
    return cell.null ? QJsonValue() : QJsonValue(cell.text);
}

/// States, last writing and result of one side.
QStringList sideCells(const QList<sql::SideRow> &rows)
{
    QStringList states;
    for (const sql::SideRow &row : rows) {
        states += sql::stateName(row.record.state);
    }
    const bool one = rows.size() == 1;
    const auto at = one ? writtenAt(rows.constFirst().record) : std::nullopt;
    return { rows.isEmpty() ? u"missing"_s : states.join(u' '), at ? at->toRfc3339() : QString(),
        one ? recordResultText(rows.constFirst().record) : QString() };
}

QByteArray differenceLine(const QStringList &cells)
{
    QByteArrayList line;
    for (const QString &cell : cells) {
        line += csvCell(cell);
    }
    return line.join(',') + "\r\n";
}

} // namespace

QJsonObject differenceJson(
    const RegionDifference &difference, const std::array<sql::Target, 2> &targets, const std::array<QString, 2> &labels)
{
    QJsonObject sides;
    for (std::size_t side = 0; side < labels.size(); ++side) {
        sides.insert(labels.at(side), rowsJson(targets.at(side), difference.rows.at(side)));
    }
    QJsonObject scope;
    const sql::KeyRecord &record = difference.record();
    const QList<sql::LabelledExpression> &parts = targets[0].profile.scope;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        scope.insert(parts.at(i).label, jsonOf(record.scope.at(i)));
    }
    return { { u"scope"_s, scope }, { u"key"_s, jsonOf(record.key) }, { u"kind"_s, differenceName(difference.kind) },
        { u"on_its_way"_s, difference.onItsWay }, { u"rule"_s, ruleName(difference.rule) },
        { u"keep"_s, difference.keep < 0 ? QJsonValue() : QJsonValue(labels.at(std::size_t(difference.keep))) },
        { u"proposal"_s, ruleText(difference, labels) }, { u"sides"_s, sides } };
}

QByteArray differencesJsonLines(const QList<RegionDifference> &differences, const std::array<sql::Target, 2> &targets,
    const std::array<QString, 2> &labels)
{
    QByteArray text;
    for (const RegionDifference &difference : differences) {
        text += QJsonDocument(differenceJson(difference, targets, labels)).toJson(QJsonDocument::Compact) + '\n';
    }
    return text;
}

QByteArray differencesCsv(const QList<RegionDifference> &differences, const std::array<sql::Target, 2> &targets,
    const std::array<QString, 2> &labels)
{
    QStringList header { u"difference"_s, u"on_its_way"_s };
    for (const sql::LabelledExpression &part : targets[0].profile.scope) {
        header += part.label;
    }
    header += u"key"_s;
    for (const QString &label : labels) {
        header += { label + u" state"_s, label + u" written"_s, label + u" result"_s };
    }
    QByteArray text = differenceLine(header << u"rule"_s << u"keep"_s << u"proposal"_s);
    for (const RegionDifference &difference : differences) {
        QStringList cells { differenceName(difference.kind), difference.onItsWay ? u"true"_s : u"false"_s };
        for (const sql::Cell &part : difference.record().scope) {
            cells += part.text;
        }
        cells += difference.record().key.text;
        cells += sideCells(difference.rows[0]) + sideCells(difference.rows[1]);
        cells += { ruleName(difference.rule), difference.keep < 0 ? QString() : labels.at(std::size_t(difference.keep)),
            ruleText(difference, labels) };
        text += differenceLine(cells);
    }
    return text;
}

} // namespace idemdesk::models
