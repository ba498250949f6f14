// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/column_evidence.h"

#include "sql/detect/words.h"
#include "sql/profile/sample_sql.h"
#include "sql/types/tr.h"
#include "sql/types/utc.h"

#include <QDateTime>
#include <QHash>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kEvidenceRows = 200;
constexpr int kMostBytes = 2000; ///< a longer value is not read: its size is known without fetching it
constexpr int kMostDistinct = 40;
constexpr int kShownValue = 130; ///< enough to recognise a digest, a time or a word

const QStringList kTimeWords { u"at"_s, u"on"_s, u"time"_s, u"timestamp"_s, u"ts"_s, u"ms"_s, u"millis"_s, u"epoch"_s,
    u"secs"_s, u"seconds"_s, u"until"_s, u"date"_s, u"created"_s, u"expires"_s, u"expiry"_s, u"updated"_s,
    u"completed"_s, u"heartbeat"_s, u"expiration"_s, u"expired"_s, u"deadline"_s };
const QStringList kSpanWords { u"timeout"_s, u"duration"_s, u"ttl"_s, u"delay"_s, u"interval"_s, u"elapsed"_s,
    u"latency"_s };

/// Whole numbers between 2001 and 2100, as milliseconds or seconds.
std::optional<TimeForm> epochForm(const ColumnEvidence &column)
{
    bool milliseconds = true;
    bool seconds = true;
    int read = 0;
    for (const QString &value : column.values) {
        bool whole = false;
        const qint64 number = value.toLongLong(&whole);
        if (number == 0) {
            continue; // "not yet" in many such columns
        }
        ++read;
        milliseconds = milliseconds && whole && number > 978'000'000'000 && number < 4'102'000'000'000;
        seconds = seconds && whole && number > 978'000'000 && number < 4'102'000'000;
    }
    if (read == 0) {
        return hasAny(column.words, { u"ms"_s, u"millis"_s }) && !hasAny(column.words, kSpanWords)
                && column.facts.typeName == u"int8"
            ? std::optional(TimeForm::EpochMs)
            : std::nullopt;
    }
    return milliseconds ? std::optional(TimeForm::EpochMs) : seconds ? std::optional(TimeForm::EpochS) : std::nullopt;
}

std::optional<TimeForm> timeForm(const ColumnEvidence &column)
{
    static const QRegularExpression iso(u"^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d"_s);
    if (column.facts.typeName == u"timestamptz") {
        return TimeForm::Native;
    }
    if (column.facts.typeName == u"timestamp") {
        return TimeForm::Utc;
    }
    if (!hasAny(column.words, kTimeWords)) {
        return std::nullopt;
    }
    if (column.facts.typeName == u"int8" || column.facts.typeName == u"int4" || column.facts.typeName == u"numeric") {
        return epochForm(column);
    }
    const bool all = column.text() && !column.values.isEmpty()
        && std::all_of(column.values.begin(), column.values.end(),
            [](const QString &value) { return iso.match(value).hasMatch(); });
    return all ? std::optional(TimeForm::Iso) : std::nullopt;
}

/// Hex or base64 of a usual digest length, or raw bytes of one.
bool looksHashed(const ColumnEvidence &column)
{
    static const QRegularExpression digest(
        u"^(\\\\x)?([0-9a-fA-F]{16}|[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64}|[0-9a-fA-F]{128})$"
        "|^[A-Za-z0-9+/_-]{22}={0,2}$|^[A-Za-z0-9+/_-]{43}=?$"_s);
    return !column.values.isEmpty() && (column.text() || column.bytes())
        && std::all_of(column.values.begin(), column.values.end(),
            [](const QString &value) { return digest.match(value).hasMatch(); });
}

/// A value that may hold a whole document, in which a state may stand.
bool mayBeDocument(const ColumnEvidence &column)
{
    return column.document() || column.facts.type == u"text" || column.facts.type == u"character varying";
}

/// A default that names the zone proves in which one a table's times without a zone are; columns beside it, which the
/// same program writes, are taken to be in the same.
void readZones(TableEvidence *table)
{
    QStringList named;
    for (ColumnEvidence &column : table->columns) {
        const QString zone = column.facts.typeName == u"timestamp" ? zoneOfDefault(column.facts.defaultSql) : QString();
        if (!zone.isEmpty()) {
            column.zone = zone;
            column.zoneProven = true;
            named += named.contains(zone) ? QStringList() : QStringList { zone };
        }
    }
    static const QStringList utc { u"utc"_s, u"etc/utc"_s, u"gmt"_s, u"z"_s };
    for (ColumnEvidence &column : table->columns) {
        if (column.facts.typeName == u"timestamp" && column.zone.isEmpty() && named.size() == 1) {
            column.zone = named.first();
        }
        if (utc.contains(column.zone.toLower())) {
            column.zone.clear();
        } else if (!column.zone.isEmpty()) {
            column.time = TimeForm::Zone;
        }
    }
}

/// Comments of columns that are numbers and called a state: they often say what the numbers mean.
Result<void> readComments(Session &session, TableEvidence *table)
{
    const bool any = std::any_of(table->columns.cbegin(), table->columns.cend(), [](const ColumnEvidence &column) {
        return column.integer() && hasAny(column.words, { u"status"_s, u"state"_s });
    });
    if (!any) {
        return {};
    }
    Statement statement;
    const QString relation = statement.bind(QString::number(table->relation.oid));
    statement.sql
        = u"SELECT a.attname, pg_catalog.col_description(a.attrelid, a.attnum) FROM pg_catalog.pg_attribute a "
          "WHERE a.attrelid = %1::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped"_s.arg(relation);
    TRY(session.each(statement, [table](const Row &row) {
        if (ColumnEvidence *column = table->column(row.text(0))) {
            column->comment = row.text(1);
        }
        return true;
    }));
    return {};
}

void conclude(ColumnEvidence *column, const QHash<QString, int> &counts)
{
    QList<std::pair<int, QString>> ranked;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
        ranked.append({ -it.value(), it.key() });
    }
    std::sort(ranked.begin(), ranked.end());
    for (const auto &[count, value] : ranked) {
        if (column->values.size() < kMostDistinct) {
            column->values.append(value);
        }
    }
    column->hashLike = looksHashed(*column);
    if (column->time != TimeForm::Zone) {
        column->time = timeForm(*column);
    }
}

} // namespace

Expression ColumnEvidence::expression() const
{
    static const QRegularExpression plain(u"^[a-z_][a-z0-9_]*$"_s);
    Expression expression;
    expression.column = facts.name;
    const bool timed = time.value_or(TimeForm::Native) != TimeForm::Native;
    expression.sql
        = plain.match(facts.name).hasMatch() && !timed ? u"t."_s + facts.name : u"t."_s + quoteIdentifier(facts.name);
    expression.form = time.value_or(TimeForm::Native);
    expression.zone = expression.form == TimeForm::Zone ? zone : QString();
    return expression;
}

std::optional<qint64> sampledTime(const ColumnEvidence &column, const Cell &value)
{
    if (value.null || !column.time) {
        return std::nullopt;
    }
    bool whole = false;
    const qint64 number = value.text.toLongLong(&whole);
    switch (*column.time) {
    case TimeForm::EpochMs:
        return whole ? std::optional(number) : std::nullopt;
    case TimeForm::EpochS:
        return whole ? std::optional(number * 1000) : std::nullopt;
    case TimeForm::Native:
    case TimeForm::Utc:
    case TimeForm::Zone:
    case TimeForm::Iso:
        break;
    }
    constexpr int seconds = 19; // "2026-11-20 10:00:00"
    const QDateTime time = QDateTime::fromString(value.text.left(seconds).replace(u' ', u'T'), Qt::ISODate);
    return time.isValid() ? std::optional(QDateTime(time.date(), time.time(), kUtc).toMSecsSinceEpoch()) : std::nullopt;
}

ColumnEvidence *TableEvidence::column(const QString &name)
{
    for (ColumnEvidence &column : columns) {
        if (column.facts.name == name) {
            return &column;
        }
    }
    return nullptr;
}

TableEvidence evidenceOf(const RelationFacts &relation)
{
    TableEvidence table;
    table.relation = relation;
    table.words = wordsOf(relation.name);
    for (const ColumnFacts &facts : relation.columns) {
        if (!facts.selectable) {
            continue;
        }
        ColumnEvidence column;
        column.facts = facts;
        column.words = wordsOf(facts.name);
        column.allowed = facts.enumLabels;
        for (const CheckFacts &check : relation.checks) {
            const QStringList values
                = column.allowed.isEmpty() ? valuesOfCheck(check.definition, facts.name) : QStringList();
            if (!values.isEmpty()) {
                column.allowed = values;
            }
        }
        column.defaultConstant = constantOfDefault(facts.defaultSql);
        column.time = timeForm(column);
        table.columns.append(column);
    }
    readZones(&table);
    return table;
}

Result<void> sampleInto(Session &session, TableEvidence *table)
{
    QStringList parts;
    for (const ColumnEvidence &column : std::as_const(table->columns)) {
        const QString name = u"t."_s + quoteIdentifier(column.facts.name);
        // The size of NULL is NULL, which is not larger: it stays NULL.
        parts.append(u"CASE WHEN pg_catalog.pg_column_size("_s + name + u") > "_s + QString::number(kMostBytes)
            + u" THEN '…' ELSE pg_catalog.left("_s + name + u"::pg_catalog.text, "_s
            + QString::number(mayBeDocument(column) ? kMostBytes : kShownValue) + u") END"_s);
    }
    if (parts.isEmpty()) {
        return {};
    }
    table->reader = session.facts().user;
    TRY(readComments(session, table));
    const auto begun = session.begin();
    if (!begun) {
        return begun;
    }
    QList<QHash<QString, int>> counts(table->columns.size());
    const auto limited = session.run({ u"SET LOCAL statement_timeout = 2000"_s, {} });
    const auto read = limited.ok()
        ? session.each({ sampleSql(table->relation, parts.join(u", "_s), kEvidenceRows), {} },
            [&](const Row &row) {
                ++table->sampled;
                table->rows.append(Cells());
                for (int i = 0; i < table->columns.size(); ++i) {
                    ++table->columns[i].sampled;
                    table->rows.last().append(row.isNull(i) ? Cell() : Cell::of(row.text(i)));
                    if (row.isNull(i)) {
                        ++table->columns[i].nulls;
                    } else {
                        ++counts[i][row.text(i).left(kShownValue)];
                    }
                }
                return true;
            })
        : limited;
    session.rollback();
    if (!read) {
        const ErrorKind kind = read.error().kind;
        if (kind == ErrorKind::ConnectionLost || kind == ErrorKind::Cancelled || kind == ErrorKind::Superseded) {
            return read.error();
        }
        table->sampled = 0;
        table->rows.clear();
        table->sampleFault
            = Tr::tr("Its rows could not be looked at: %1").arg(read.error().detail.section(u'\n', 0, 0));
        return {};
    }
    for (qsizetype i = 0; i < table->columns.size(); ++i) {
        conclude(&table->columns[i], counts.at(i));
    }
    return {};
}

} // namespace idemdesk::sql
