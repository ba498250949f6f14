// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/trend_export.h"

#include "models/format/csv_cell.h"
#include "models/trends/trend_words.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QByteArray number(const std::optional<double> &value)
{
    return value ? QByteArray::number(*value, 'g', 17) : QByteArray();
}

} // namespace

QByteArray trendCsv(const sql::TrendAnswer &answer, const std::optional<sql::TrendAnswer> &previous)
{
    QByteArrayList header { "from", "to", "open" };
    for (const sql::TrendSeries &series : answer.series) {
        header.append(csvCell(seriesName(series)));
    }
    if (previous) {
        header.append(csvCell(Tr::tr("The period before")));
    }
    QByteArray text = header.join(',') + "\r\n";
    for (qsizetype i = 0; i < answer.buckets.size(); ++i) {
        const bool last = i + 1 == answer.buckets.size();
        QByteArrayList line { answer.buckets.at(i).toRfc3339().toUtf8(),
            (last ? answer.end : answer.buckets.at(i + 1)).toRfc3339().toUtf8(),
            last && answer.lastOpen ? "true" : "false" };
        for (const sql::TrendSeries &series : answer.series) {
            line.append(number(series.values.value(i)));
        }
        if (previous) {
            line.append(
                previous->series.isEmpty() ? QByteArray() : number(previous->series.constFirst().values.value(i)));
        }
        text += line.join(',') + "\r\n";
    }
    return text;
}

} // namespace idemdesk::models
