// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/compensation.h"

#include "models/casefile/case_masking.h"
#include "models/format/labels.h"
#include "models/format/time_format.h"
#include "models/keys/key_cells.h"
#include "models/keys/private_file.h"
#include "models/regions/region_export.h"
#include "models/report/report_file.h"
#include "models/report/report_page.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QStringList maskedOf(const sql::Target &target)
{
    QStringList columns;
    for (const sql::ColumnFacts &column : target.relation.columns) {
        columns += column.name;
    }
    return target.profile.masking.isEmpty() ? QStringList() : maskedNames(target.profile, columns);
}

void mask(sql::KeyRecord *record, const sql::Profile &profile, const QStringList &masked)
{
    for (auto role = record->roles.begin(); role != record->roles.end(); ++role) {
        if (masked.contains(sql::roleName(role.key()))) {
            *role = {};
        }
    }
    for (qsizetype i = 0; i < record->scope.size() && i < profile.scope.size(); ++i) {
        if (masked.contains(profile.scope.at(i).label)) {
            record->scope[i] = {};
        }
    }
}

/// What is undone on paper, too: one block a key, in which both sides stand beside each other.
QString keyHtml(const CompensationList &list, const RegionDifference &difference)
{
    const TimeFormat times;
    const auto row = [&](const QString &name, const auto &text) {
        QStringList cells { reportText(name) };
        for (std::size_t side = 0; side < list.labels.size(); ++side) {
            cells += text(difference.rows.at(side).constFirst().record);
        }
        return reportRow(cells);
    };
    const auto role = [&](sql::Role wanted) {
        return row(roleTitle(wanted), [&](const sql::KeyRecord &record) {
            return list.masked.contains(sql::roleName(wanted))
                ? reportText(Tr::tr("(masked)"))
                : u"<code>%1</code>"_s.arg(reportText(record.role(wanted).text));
        });
    };
    QStringList rows { row(Tr::tr("State"),
                           [](const sql::KeyRecord &record) { return reportText(stateLabel(record.state)); }),
        row(Tr::tr("Written"), [&](const sql::KeyRecord &record) {
            const auto at = writtenAt(record);
            return at ? reportText(times.text(*at)) : QString();
        }) };
    for (const sql::Role one : { sql::Role::ResultType, sql::Role::ResultId, sql::Role::ResponseCode,
             sql::Role::Fingerprint, sql::Role::Owner }) {
        if (list.targets[0].profile.has(one)) {
            rows += role(one);
        }
    }
    rows += row(Tr::tr("Undone by, at, reference"), [](const sql::KeyRecord &) { return u"&nbsp;"_s; });
    QStringList scope;
    const QList<sql::LabelledExpression> &parts = list.targets[0].profile.scope;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QString &label = parts.at(i).label;
        const sql::Cell part = difference.record().scope.value(i);
        scope += label + u": "_s
            + (list.masked.contains(label) ? Tr::tr("(masked)")
                    : part.null            ? u"NULL"_s
                                           : part.text);
    }
    return u"<h3><code>%1</code></h3>"_s.arg(reportText(difference.record().key.text))
        + (scope.isEmpty() ? QString() : reportParagraph(scope.join(u", "_s)))
        + (difference.onItsWay ? reportParagraph(Tr::tr("Still on its way, or being worked on: look again."))
                               : QString())
        + reportTable({ QString(), reportText(list.labels[0]), reportText(list.labels[1]) }, rows);
}

QString summaryHtml(const CompensationList &list)
{
    const sql::Profile &profile = list.targets[0].profile;
    QStringList rows { reportRow(
        { Tr::tr("Table"), reportText(profile.shownTitle() + u" ("_s + profile.relation + u')') }) };
    for (std::size_t side = 0; side < list.labels.size(); ++side) {
        rows += reportRow({ reportText(list.labels.at(side)),
            reportText(list.servers.at(side) + u"; "_s
                + Tr::tr("%n row(s) compared", nullptr,
                    int(std::min<qint64>(list.rows.at(side), std::numeric_limits<int>::max())))) });
    }
    return reportTable({}, rows);
}

QString bodyHtml(const CompensationList &list)
{
    QString html = u"<h1>%1</h1>"_s.arg(reportText(Tr::tr("Case file: done in both regions"), 80)) + summaryHtml(list)
        + reportHeading(Tr::tr("What happened"))
        + reportParagraph(list.keys.isEmpty()
                ? Tr::tr("No key was found that succeeded in both databases with different results.")
                : Tr::tr(
                    "%n key(s) succeeded in both databases, with different results.", nullptr, int(list.keys.size())))
        + (list.keys.isEmpty()
                ? QString()
                : reportParagraph(Tr::tr("The effect may have happened twice. Reverse one of the two effects. Change "
                                         "neither row.")));
    QStringList open = list.notes;
    if (!list.all) {
        open += Tr::tr("Not every key that differs was looked at, so there may be more.");
    }
    if (!open.isEmpty()) {
        html += reportHeading(Tr::tr("What could not be looked at"));
    }
    for (const QString &text : open) {
        html += reportParagraph(text);
    }
    html += list.keys.isEmpty() ? QString() : reportHeading(Tr::tr("The keys, times in UTC"));
    for (const RegionDifference &difference : list.keys) {
        html += keyHtml(list, difference);
    }
    return html;
}

QString titleOf(const CompensationList &list)
{
    return Tr::tr("Case file: done in %1 and in %2").arg(list.labels[0], list.labels[1]);
}

} // namespace

CompensationList compensationOf(
    const CompareOutcome &outcome, const std::array<QString, 2> &labels, const QDateTime &at)
{
    CompensationList list { outcome.targets, labels, outcome.servers, outcome.rows, {}, {}, outcome.all, outcome.notes,
        at.toUTC() };
    for (const sql::Target &target : outcome.targets) {
        list.masked += maskedOf(target);
    }
    list.masked.removeDuplicates();
    for (const RegionDifference &difference : outcome.differences) {
        if (difference.kind != DifferenceKind::Results) {
            continue;
        }
        list.keys += difference;
        for (std::size_t side = 0; side < labels.size(); ++side) {
            for (sql::SideRow &row : list.keys.last().rows.at(side)) {
                mask(&row.record, outcome.targets.at(side).profile, list.masked);
            }
        }
    }
    return list;
}

QString compensationHtml(const CompensationList &list)
{
    const QByteArray json = QJsonDocument(compensationJson(list)).toJson();
    const QString sha = QString::fromLatin1(QCryptographicHash::hash(json, QCryptographicHash::Sha256).toHex());
    return reportPage(titleOf(list),
        bodyHtml(list) + reportHeading(Tr::tr("About this file"))
            + reportParagraph(
                Tr::tr("Made on %1 (UTC, this computer's clock) with Idemdesk %2.")
                    .arg(list.madeAt.toString(u"yyyy-MM-dd HH:mm:ss"_s), QCoreApplication::applicationVersion()))
            + u"<p>%1<br><code>%2</code></p>"_s.arg(reportText(Tr::tr("SHA-256 of the same case as JSON:")), sha));
}

QJsonObject compensationJson(const CompensationList &list)
{
    QJsonArray sides;
    for (std::size_t side = 0; side < list.labels.size(); ++side) {
        sides.append(QJsonObject { { u"label"_s, list.labels.at(side) }, { u"server"_s, list.servers.at(side) },
            { u"rows"_s, list.rows.at(side) } });
    }
    QJsonArray items;
    for (const RegionDifference &difference : list.keys) {
        items.append(differenceJson(difference, list.targets, list.labels));
    }
    return { { u"version"_s, 1 }, { u"target"_s, list.targets[0].profile.name }, { u"sides"_s, sides },
        { u"items"_s, items }, { u"all"_s, list.all }, { u"masked"_s, QJsonArray::fromStringList(list.masked) },
        { u"notes"_s, QJsonArray::fromStringList(list.notes) },
        { u"made_at"_s, list.madeAt.toString(u"yyyy-MM-ddTHH:mm:ssZ"_s) } };
}

bool isCompensationName(const QString &path)
{
    return isReportName(path) || path.endsWith(u".csv"_s, Qt::CaseInsensitive);
}

sql::Result<qint64> writeCompensation(const CompensationList &list, const QString &path)
{
    if (path.endsWith(u".csv"_s, Qt::CaseInsensitive)) {
        return writePrivateFile(path, differencesCsv(list.keys, list.targets, list.labels));
    }
    TRY(writeReport(path, titleOf(list), compensationHtml(list), compensationJson(list)));
    return qint64(1);
}

} // namespace idemdesk::models
