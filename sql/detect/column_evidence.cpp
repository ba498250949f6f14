// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/column_evidence.h"

#include "sql/detect/words.h"
#include "sql/profile/sample_sql.h"
#include "sql/types/tr.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kEvidenceRows = 200;
constexpr int kMostBytes = 2000; ///< a longer value is not read: its size is known without fetching it
constexpr int kMostDistinct = 40;

const QStringList kTimeWords { u"at"_s, u"on"_s, u"time"_s, u"timestamp"_s, u"ts"_s, u"ms"_s, u"millis"_s, u"epoch"_s,
    u"secs"_s, u"seconds"_s, u"until"_s, u"date"_s, u"created"_s, u"expires"_s, u"expiry"_s, u"updated"_s,
    u"completed"_s, u"heartbeat"_s };

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
        return hasAny(column.words, { u"ms"_s, u"millis"_s }) && column.facts.typeName == u"int8"
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
    column->time = timeForm(*column);
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
    return expression;
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
    return table;
}

Result<void> sampleInto(Session &session, TableEvidence *table)
{
    QStringList parts;
    for (const ColumnEvidence &column : std::as_const(table->columns)) {
        const QString name = u"t."_s + quoteIdentifier(column.facts.name);
        parts.append(u"CASE WHEN pg_catalog.pg_column_size("_s + name + u") <= "_s + QString::number(kMostBytes)
            + u" THEN pg_catalog.left("_s + name + u"::pg_catalog.text, 130) ELSE '…' END"_s);
    }
    if (parts.isEmpty()) {
        return {};
    }
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
                for (int i = 0; i < table->columns.size(); ++i) {
                    ++table->columns[i].sampled;
                    if (row.isNull(i)) {
                        ++table->columns[i].nulls;
                    } else {
                        ++counts[i][row.text(i)];
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
