// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/record_model.h"

#include "models/format/labels.h"
#include "models/keys/key_cells.h"
#include "models/retries/error_codes.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

RecordGroup groupOf(sql::Role role)
{
    if (sql::isTimeRole(role)) {
        return RecordGroup::Times;
    }
    switch (role) {
    case sql::Role::Fingerprint:
    case sql::Role::Status:
    case sql::Role::Attempts:
    case sql::Role::Owner:
        return RecordGroup::Work;
    default:
        return RecordGroup::Outcome;
    }
}

QString groupTitle(RecordGroup group)
{
    switch (group) {
    case RecordGroup::Identity:
        return RecordModel::tr("Key");
    case RecordGroup::Work:
        return RecordModel::tr("Work");
    case RecordGroup::Times:
        return RecordModel::tr("Times");
    case RecordGroup::Outcome:
        return RecordModel::tr("Request and outcome");
    case RecordGroup::Fields:
        return RecordModel::tr("Fields of the profile");
    case RecordGroup::Columns:
        return RecordModel::tr("Other columns");
    }
    return {};
}

} // namespace

RecordModel::RecordModel(QObject *parent)
    : RowModel(parent)
{
}

void RecordModel::setDetail(const sql::Target &target, const sql::KeyDetail &detail)
{
    const sql::KeyRecord &record = detail.record;
    QList<RecordLine> lines;
    for (int part = 0; part < target.profile.scope.size(); ++part) {
        const sql::LabelledExpression &scope = target.profile.scope.at(part);
        const bool named = scope.label.compare(u"scope"_s, Qt::CaseInsensitive) != 0;
        lines.append({ named ? tr("Scope: %1").arg(displayText(scope.label, 60)) : tr("Scope"),
            record.scope.value(part), displayText(scope.value.sql), false, false });
    }
    lines.append({ tr("Key"), record.key, displayText(target.profile.key.sql), false, false });
    lines.append({ tr("State"), sql::Cell::of(recordStateText(record)), tr("from the profile"), false, false });
    QStringList shown; // columns whose value a role says as it stands
    for (const sql::Role role : sql::kAllOf<sql::Role>) {
        if (target.profile.has(role)) {
            const sql::Expression expression = target.profile.role(role);
            lines.append({ roleTitle(role), record.role(role), displayText(expression.sql), false,
                sql::isTimeRole(role), groupOf(role) });
            const QString meaning = role == sql::Role::ErrorCode ? errorCodeText(record.role(role).text) : QString();
            if (!meaning.isEmpty()) {
                lines.append({ tr("What the code means"), sql::Cell::of(meaning), tr("from the console"), false, false,
                    RecordGroup::Outcome });
            }
            if (expression.form == sql::TimeForm::Native && expression.plus.isEmpty() && expression.when.isEmpty()) {
                shown += expression.column;
            }
        }
    }
    for (qsizetype i = 0; i < target.profile.fields.size(); ++i) {
        const sql::FieldSpec &field = target.profile.fields.at(i);
        lines.append({ labelTitle(field.label), record.fields.value(i), displayText(field.value.sql), false,
            field.type == sql::FieldType::Time, RecordGroup::Fields });
        shown += field.value.column;
    }
    for (const sql::ColumnValue &column : detail.columns) {
        if (shown.contains(column.name)) {
            continue;
        }
        lines.append({ column.name, column.value, displayText(column.type), true, false, RecordGroup::Columns });
    }
    std::stable_sort(
        lines.begin(), lines.end(), [](const RecordLine &a, const RecordLine &b) { return a.group < b.group; });
    m_now = detail.now;
    setRows(lines);
}

std::span<const RecordModel::ColumnSpec> RecordModel::columns()
{
    using Model = RecordModel;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Name"); }, .text = [](const Model &, const RecordLine &line) { return line.name; } },
        // Safe to show as they are: itemData() says them.
        { .title = [] { return tr("Value"); },
            .text = [](const Model &model, const RecordLine &line) { return model.valueText(line); },
            .time = true },
        { .title = [] { return tr("Source"); },
            .text = [](const Model &, const RecordLine &line) { return line.source; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

std::optional<sql::Timestamp> RecordModel::timeOf(const RecordLine &line) const
{
    return line.time && !line.value.null ? sql::Timestamp::parse(line.value.text) : std::nullopt;
}

QString RecordModel::valueText(const RecordLine &line) const
{
    if (const auto time = timeOf(line)) {
        return timeFormat().text(*time); // the tooltip has it exactly
    }
    return line.value.null && !line.value.failed() ? u"NULL"_s : cellText(line.value, kToolTipChars);
}

QString RecordModel::valueToolTip(const RecordLine &line) const
{
    const auto time = timeOf(line);
    return time ? timeFormat().toolTip(*time, m_now) : cellToolTip(line.value);
}

bool RecordModel::beginsGroup(const RecordLine &line) const
{
    const auto first = std::find_if(
        m_rows.cbegin(), m_rows.cend(), [&line](const RecordLine &other) { return other.group == line.group; });
    return first != m_rows.cend() && &*first == &line;
}

QVariant RecordModel::itemData(const RecordLine &line, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        return column == Value ? valueText(line) : column == Source ? QVariant(line.source) : QVariant();
    case Qt::ToolTipRole:
        return column == Value ? valueToolTip(line)
            : column == Source ? line.source
                               : QString(displayText(line.name) + u'\n' + line.source);
    case Qt::AccessibleTextRole: {
        const auto time = timeOf(line);
        return QString(displayText(line.name) + u": "_s + (time ? timeFormat().exact(*time) : cellToolTip(line.value)));
    }
    case TitleRole:
        return beginsGroup(line) ? QVariant(groupTitle(line.group)) : QVariant();
    case RawRole:
        return line.value.null ? QVariant() : QVariant(line.value.text);
    case SectionRole:
        return line.raw ? 1 : 0;
    case NullRole:
        return line.value.null && !line.value.failed();
    case PartialRole:
        return line.value.partial();
    case ColumnNameRole:
        return line.raw ? QVariant(line.name) : QVariant();
    case FailedRole:
        return line.value.failed();
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_record_model.cpp"
