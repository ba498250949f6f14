// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_masking.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// The whole row t, as in to_jsonb(t) or t.*, and not one of its columns.
bool readsWholeRow(const QString &sql)
{
    static const QRegularExpression row(u"(?:(?<![\\w.\"'])t(?![\\w'])|(?<![\\w.])\"t\")(?!\\s*\\.\\s*[\\w\"])"_s,
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
    return row.match(sql).hasMatch();
}

/// A column whose name is only part of a text in the expression counts, too: rather too much is masked than too little.
bool reads(const sql::Expression &expression, const QString &column)
{
    if (readsWholeRow(expression.sql) || readsWholeRow(expression.when)) {
        return true;
    }
    const QRegularExpression word(u"(?<!\\w)"_s + QRegularExpression::escape(column) + u"(?!\\w)"_s,
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
    return expression.column == column || word.match(expression.sql).hasMatch()
        || word.match(expression.when).hasMatch();
}

} // namespace

QString maskedEffect(qsizetype index)
{
    return u"$.effects[%1].sql"_s.arg(index);
}

QStringList maskedNames(const sql::Profile &profile, const QStringList &columns)
{
    QStringList names = profile.masking;
    QList<std::pair<QString, sql::Expression>> named;
    for (auto role = profile.roles.cbegin(); role != profile.roles.cend(); ++role) {
        named.append({ sql::roleName(role.key()), role.value() });
    }
    for (const sql::LabelledExpression &part : profile.scope) {
        named.append({ part.label, part.value });
    }
    const auto addSql = [&named](const QString &name, const QString &sql) {
        sql::Expression expression;
        expression.sql = sql;
        named.append({ name, expression });
    };
    if (const auto &recipe = profile.fingerprintRecipe) {
        for (auto part = recipe->parts.cbegin(); part != recipe->parts.cend(); ++part) {
            if (part->isSql) {
                addSql(sql::recipePartPath(part.key()), part->text);
            }
        }
    }
    for (qsizetype i = 0; i < profile.effects.size(); ++i) {
        addSql(maskedEffect(i), profile.effects.at(i).sql);
    }
    for (const auto &[place, sql] : profile.retryExpressions()) {
        addSql(place, sql);
    }
    QStringList hidden;
    for (const QString &column : columns) {
        const bool read = std::any_of(named.cbegin(), named.cend(),
            [&](const auto &one) { return names.contains(one.first) && reads(one.second, column); });
        if (read || names.contains(column)) {
            hidden += column;
        }
    }
    for (const auto &[name, expression] : std::as_const(named)) {
        if (std::any_of(hidden.cbegin(), hidden.cend(),
                [&reader = expression](const QString &column) { return reads(reader, column); })) {
            names += name;
        }
    }
    names += hidden;
    names.removeDuplicates();
    return names;
}

namespace {

/// Values of masked columns that are long enough to be told by: an effect may read them of the same table by another
/// name.
QStringList hiddenValues(const sql::KeyDetail &detail, const QStringList &masked)
{
    constexpr qsizetype fewest = 4; // characters; "1" stands in everything
    QStringList values;
    for (const sql::ColumnValue &column : detail.columns) {
        if (masked.contains(column.name) && column.value.text.size() >= fewest) {
            values += column.value.text;
        }
    }
    return values;
}

} // namespace

sql::RetryAnswers retryWithoutMasked(
    const sql::Profile &profile, const sql::RetryAnswers &answers, const QStringList &masked)
{
    sql::RetryAnswers shown = answers;
    for (sql::RetryAnswer *answer : { &shown.same, &shown.other }) {
        const QString place = u"$.retry[%1]"_s.arg(answer->rule);
        if (masked.contains(place + u".until"_s) || masked.contains(sql::roleName(sql::Role::LeaseUntil))) {
            answer->until.reset();
        }
        if (masked.contains(place + u".http"_s)) {
            answer->http.reset();
        }
        if (!answer->outcome && profile.retry && !masked.isEmpty()) { // the server may quote a value
            answer->unknown = QCoreApplication::translate("CaseFile", "(masked)");
        }
    }
    if (masked.contains(sql::roleName(sql::Role::Attempts))) {
        shown.attempts.reset();
    }
    return shown;
}

sql::KeyDetail withoutMasked(const sql::KeyDetail &detail, const QStringList &masked)
{
    sql::KeyDetail shown = detail;
    const QString hidden = QCoreApplication::translate("CaseFile", "(masked)");
    for (auto role = shown.record.roles.begin(); role != shown.record.roles.end(); ++role) {
        if (masked.contains(sql::roleName(role.key()))) {
            *role = {};
        }
    }
    for (qsizetype i = 0; i < shown.effects.size(); ++i) {
        if (masked.contains(maskedEffect(i))) {
            sql::EffectResult &effect = shown.effects[i];
            effect.error = effect.error.isEmpty() ? QString() : hidden; // the server may quote a value
            for (sql::EffectRow &row : effect.rows) {
                row.id = sql::Cell::of(hidden);
                row.at = {};
                row.state = {};
            }
        }
    }
    const QStringList values = hiddenValues(detail, masked);
    const auto hide = [&values, &hidden](sql::Cell &cell) {
        if (std::any_of(
                values.cbegin(), values.cend(), [&cell](const QString &value) { return cell.text.contains(value); })) {
            cell = sql::Cell::of(hidden);
        }
    };
    for (sql::Cell &role : shown.record.roles) {
        hide(role);
    }
    for (sql::EffectResult &effect : shown.effects) {
        for (sql::EffectRow &row : effect.rows) {
            hide(row.id);
            hide(row.at);
            hide(row.state);
        }
    }
    return shown;
}

} // namespace idemdesk::models
