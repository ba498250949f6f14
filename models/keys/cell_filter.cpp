// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/cell_filter.h"

#include "models/filter/filter_parser.h"
#include "models/keys/key_cells.h"
#include "sql/types/filter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// The field that compares the role alone; nothing where the language has none.
const sql::FilterFieldFacts *fieldOfRole(sql::Role role)
{
    for (const sql::FilterField field : sql::kAllOf<sql::FilterField>) {
        const sql::FilterFieldFacts &facts = sql::filterFieldFacts(field);
        const bool alone = facts.compares == sql::FilterCompares::Time || facts.compares == sql::FilterCompares::Text
            || facts.compares == sql::FilterCompares::Integer || facts.compares == sql::FilterCompares::Number;
        if (alone && std::find(facts.roles.cbegin(), facts.roles.cend(), role) != facts.roles.cend()) {
            return &facts;
        }
    }
    return nullptr;
}

std::optional<CellFilter> valueFilter(const QString &field, const sql::Cell &cell)
{
    if (cell.failed() || cell.partial()) {
        return std::nullopt;
    }
    const QString name = quoteFilterValue(field);
    return CellFilter { field, name + (cell.null ? u":null"_s : u':' + quoteFilterValue(cell.text)) };
}

std::optional<CellFilter> dayFilter(
    const QString &field, const std::optional<sql::Timestamp> &time, const QTimeZone &zone)
{
    if (!time || !time->finite()) {
        return std::nullopt;
    }
    return CellFilter { field, field + u':' + time->toDateTime().toTimeZone(zone).date().toString(Qt::ISODate) };
}

std::optional<CellFilter> roleFilter(const sql::KeyRecord &record, sql::Role role, const QTimeZone &zone)
{
    const sql::FilterFieldFacts *field = fieldOfRole(role);
    if (field == nullptr) {
        return std::nullopt;
    }
    const QString name = QString::fromUtf16(field->name);
    return sql::isTimeRole(role) && !record.role(role).null ? dayFilter(name, record.time(role), zone)
                                                            : valueFilter(name, record.role(role));
}

} // namespace

std::optional<CellFilter> cellFilter(
    const sql::KeyRecord &record, const KeyColumnSpec &spec, const sql::Profile &profile, const QTimeZone &zone)
{
    switch (spec.column) {
    case KeyColumn::ScopePart:
        return valueFilter(profile.scope.at(spec.part).label, record.scope.value(spec.part));
    case KeyColumn::Own: {
        const sql::FieldSpec &field = profile.fields.at(spec.part);
        const sql::Cell cell = record.fields.value(spec.part);
        return field.type == sql::FieldType::Time && !cell.null
            ? dayFilter(field.label, sql::Timestamp::parse(cell.text), zone)
            : valueFilter(field.label, cell);
    }
    case KeyColumn::Key:
        return record.key.null ? std::nullopt : valueFilter(u"key"_s, record.key);
    case KeyColumn::State:
        return CellFilter { u"state"_s,
            u"state:"_s + (record.stale.value_or(false) ? u"stuck"_s : sql::stateName(record.state)) };
    case KeyColumn::Age:
        return roleFilter(
            record, record.role(sql::Role::CreatedAt).null ? sql::Role::ClaimedAt : sql::Role::CreatedAt, zone);
    case KeyColumn::Result: {
        const QString result = recordResultText(record);
        return result.isEmpty() ? std::nullopt : valueFilter(u"result"_s, sql::Cell::of(result));
    }
    case KeyColumn::Error: {
        const sql::Cell code = record.role(sql::Role::ErrorCode);
        return valueFilter(u"error"_s, code.null ? record.role(sql::Role::ErrorMessage) : code);
    }
    case KeyColumn::Attempts:
    case KeyColumn::Lease:
    case KeyColumn::Owner:
    case KeyColumn::Expires:
    case KeyColumn::Status:
    case KeyColumn::Created:
    case KeyColumn::Updated:
    case KeyColumn::Claimed:
    case KeyColumn::Completed:
    case KeyColumn::Heartbeat:
    case KeyColumn::Fingerprint:
    case KeyColumn::Code:
        break;
    }
    return roleFilter(record, *shownRole(spec.column), zone);
}

} // namespace idemdesk::models
