// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/row_mapper.h"

#include "sql/keys/state_predicate.h"
#include "sql/profile/expression_sql.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

QString timeColumn(const Target &target, const Expression &expression)
{
    const ColumnFacts *facts = plainColumnFacts(target, expression);
    const bool asStored = expression.form == TimeForm::Native && expression.plus.isEmpty() && expression.when.isEmpty();
    if (asStored && facts != nullptr && facts->typeName == u"timestamptz") {
        return u"t."_s + quoteIdentifier(facts->name);
    }
    return timestamptzSql(expression) + u"::pg_catalog.timestamptz"_s;
}

RowMapper::RowMapper(Render &render, const ResolvedOrder *order, qint64 bodyBytes)
    : m_target(render.target())
{
    const Profile &profile = m_target.profile;
    for (const QString &name : profile.identity) {
        m_identity.append(add(u"t."_s + quoteIdentifier(name)));
    }
    const auto plain = [this](const Expression &expression) {
        const ColumnFacts *facts = plainColumnFacts(m_target, expression);
        return facts != nullptr ? u"t."_s + quoteIdentifier(facts->name) : u"("_s + expression.sql + u")"_s;
    };
    for (const LabelledExpression &part : profile.scope) {
        m_scope.append(add(plain(part.value)));
    }
    m_key = add(plain(profile.key));
    if (order != nullptr && !order->byIdentity()) {
        const ColumnFacts *facts = plainColumnFacts(m_target, order->value);
        m_order = add(
            facts != nullptr && order->sql == u"("_s + order->value.sql + u")"_s ? plain(order->value) : order->sql);
    }
    for (auto it = profile.roles.cbegin(); it != profile.roles.cend(); ++it) {
        const Role role = it.key();
        if (isLargeRole(role) && bodyBytes == 0) {
            continue;
        }
        const bool cut = bodyBytes != kWhole && (isLargeRole(role) || role == Role::ErrorMessage);
        m_roles.append({ role,
            cut ? addCut(*it, bodyBytes > 0 ? bodyBytes : kMessageCharacters)
                : ValueColumn { add(isTimeRole(role) ? timeColumn(m_target, *it) : plain(*it)) } });
    }
    for (const FieldSpec &field : profile.fields) {
        const bool cut = bodyBytes != kWhole && field.type == FieldType::Text;
        m_fields.append(cut ? addCut(field.value, kMessageCharacters)
                            : ValueColumn { add(field.type == FieldType::Time ? timeColumn(m_target, field.value)
                                                                              : plain(field.value)) });
    }
    if (const auto stale = staleCondition(render)) {
        m_stale = add(u"COALESCE("_s + *stale + u", false)"_s);
    }
    if (const auto expired = expiredCondition(render)) {
        m_expired = add(u"COALESCE("_s + *expired + u", false)"_s);
    }
    if (!m_target.readable.isEmpty()) {
        m_readable = add(m_target.readable);
    }
    if (!m_target.trial.isEmpty()) { // what the row does not show may fail on it, too
        m_trial = add(m_target.trial);
    }
    m_now = add(u"$now"_s);
}

RowMapper::ValueColumn RowMapper::addCut(const Expression &expression, qint64 characters)
{
    const QString text = u"("_s + expression.sql + u")::pg_catalog.text"_s;
    const QString limit = QString::number(characters);
    return { add(u"pg_catalog.left("_s + text + u", "_s + limit + u')'),
        add(u"CASE WHEN pg_catalog.length("_s + text + u") > "_s + limit + u" THEN pg_catalog.octet_length("_s + text
            + u") END"_s) };
}

int RowMapper::add(const QString &sql)
{
    const qsizetype known = m_columns.indexOf(sql);
    if (known >= 0) {
        return static_cast<int>(known);
    }
    m_columns.append(sql);
    return static_cast<int>(m_columns.size()) - 1;
}

template <typename Source> KeyRecord RowMapper::map(const Source &cellAt, bool mayFail) const
{
    KeyRecord record;
    for (const int index : m_identity) {
        record.identity.append(cellAt(index));
    }
    for (const int index : m_scope) {
        record.scope.append(cellAt(index));
    }
    record.key = cellAt(m_key);
    if (m_order >= 0) {
        record.orderValue = cellAt(m_order);
    }
    const auto value = [&cellAt](const ValueColumn &column) {
        Cell cell = cellAt(column.index);
        if (column.bytes >= 0) {
            if (const Cell bytes = cellAt(column.bytes); !bytes.null) {
                cell.fullBytes = bytes.text.toLongLong();
            }
        }
        return cell;
    };
    for (const auto &[role, column] : m_roles) {
        record.roles.insert(role, value(column));
    }
    for (const ValueColumn &column : m_fields) {
        record.fields.append(value(column));
    }
    record.state = m_target.profile.has(Role::Status) ? stateOf(m_target, record.roles.value(Role::Status))
                                                      : m_target.profile.stateOf(std::nullopt);
    // A row on which an expression fails is unknown, whatever its status says (exact reading 7).
    bool unreadable = m_readable >= 0 && cellAt(m_readable).text != u"t";
    for (qsizetype i = 0; mayFail && i < m_columns.size(); ++i) {
        if (const QString error = cellAt(int(i)).error; !error.isEmpty()) {
            record.fault = error;
            unreadable = true;
        }
    }
    if (unreadable) {
        record.state = KeyState::Unknown;
        return record;
    }
    if (m_stale >= 0) {
        const Cell stale = cellAt(m_stale);
        record.stale = stale.failed() ? std::nullopt : std::optional<bool>(stale.text == u"t");
    }
    if (m_expired >= 0) {
        const Cell expired = cellAt(m_expired);
        record.expired = expired.failed() ? std::nullopt : std::optional<bool>(expired.text == u"t");
    }
    return record;
}

KeyRecord RowMapper::record(const Row &row) const
{
    return map([&row](int index) { return row.cell(index); }, false); // one that fails fails its statement
}

KeyRecord RowMapper::record(const Cells &cells) const
{
    return map([&cells](int index) { return cells.at(index); }, true);
}

} // namespace idemdesk::sql
