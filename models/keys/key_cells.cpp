// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/key_cells.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/retries/retry_words.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::Role;

sql::Cell cellOf(const sql::KeyRecord &record, const KeyColumnSpec &spec)
{
    switch (spec.column) {
    case KeyColumn::ScopePart:
        return record.scope.value(spec.part);
    case KeyColumn::Own:
        return record.fields.value(spec.part);
    case KeyColumn::Key:
        return record.key;
    case KeyColumn::State:
        return record.role(Role::Status);
    case KeyColumn::Age: {
        const sql::Cell created = record.role(Role::CreatedAt);
        return created.null && !created.failed() ? record.role(Role::ClaimedAt) : created;
    }
    case KeyColumn::Result: {
        const sql::Cell id = record.role(Role::ResultId);
        if (id.failed() || record.role(Role::ResultType).failed()) {
            return id.failed() ? id : record.role(Role::ResultType);
        }
        const QString text = recordResultText(record);
        return text.isEmpty() ? sql::Cell() : sql::Cell::of(text);
    }
    case KeyColumn::Error: {
        const sql::Cell code = record.role(Role::ErrorCode);
        const sql::Cell message = record.role(Role::ErrorMessage);
        if (code.null || code.text.isEmpty() || code.failed()) {
            return message.null && code.failed() ? code : message;
        }
        if (message.null || message.text.isEmpty()) {
            return code;
        }
        sql::Cell both = message;
        both.text = code.text + u": "_s + message.text;
        return both;
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
    const auto role = shownRole(spec.column);
    return role ? record.role(*role) : sql::Cell();
}

} // namespace

QString relativeText(const sql::Timestamp &time, const sql::Timestamp &now)
{
    const QString age = TimeFormat::age(time, now);
    return time.finite() && time <= now ? Tr::tr("%1 ago").arg(age) : age;
}

QString stuckText(const QString &text, sql::KeyState state)
{
    return state == sql::KeyState::InProgress ? Tr::tr("Stuck") : Tr::tr("%1, stuck").arg(text);
}

QString recordStateText(const sql::KeyRecord &record)
{
    QString text = stateLabel(record.state);
    if (record.state == sql::KeyState::Unknown) {
        const sql::Cell status = record.role(Role::Status);
        if (!status.null) {
            text += u": "_s + cellText(status, 40);
        }
    }
    if (record.stale.value_or(false)) {
        text = stuckText(text, record.state);
    }
    if (record.expired.value_or(false)) {
        text = Tr::tr("%1, expired").arg(text);
    }
    return text;
}

QString keyFactsText(const sql::KeyDetail &detail)
{
    const sql::KeyRecord &record = detail.record;
    QStringList facts;
    if (record.stale.value_or(false)) {
        facts += detail.staleSince ? Tr::tr("stuck for %1").arg(TimeFormat::age(*detail.staleSince, detail.now))
                                   : Tr::tr("stuck");
    }
    const QString stuckFor = detail.staleSince ? TimeFormat::age(*detail.staleSince, detail.now) : QString();
    for (const Role role : { Role::CreatedAt, Role::ClaimedAt }) {
        if (const auto at = record.time(role); at && at->finite() && *at <= detail.now) {
            const QString age = TimeFormat::age(*at, detail.now);
            facts += facts.isEmpty() || age != stuckFor ? QStringList { Tr::tr("%1 old").arg(age) } : QStringList();
            break;
        }
    }
    bool whole = false;
    const int attempts = record.role(Role::Attempts).text.toInt(&whole);
    if (whole) {
        facts += Tr::tr("%n attempt(s)", nullptr, attempts);
    }
    if (const sql::Cell owner = record.role(Role::Owner); !owner.null && !owner.text.isEmpty()) {
        facts += Tr::tr("owner %1").arg(cellText(owner, 60));
    }
    return facts.join(u" · "_s);
}

bool retryMayRepeat(const sql::KeyDetail &detail)
{
    const auto proves = [](const sql::EffectResult &effect) { return effect.proves; };
    const auto absent = [](const sql::EffectResult &effect) {
        return effect.rows.isEmpty() && effect.error.isEmpty() && !effect.unproven && !effect.unlinked
            && !effect.checking;
    };
    const bool disproved = std::any_of(detail.effects.cbegin(), detail.effects.cend(), proves)
        && std::all_of(detail.effects.cbegin(), detail.effects.cend(), absent);
    return retryRuns(detail.retry) && !disproved;
}

QString recordResultText(const sql::KeyRecord &record)
{
    const sql::Cell type = record.role(Role::ResultType);
    const sql::Cell id = record.role(Role::ResultId);
    if (type.null) {
        return id.text;
    }
    return id.null ? type.text : type.text + u'/' + id.text;
}

QString keyCellText(
    const sql::KeyRecord &record, const KeyColumnSpec &spec, const TimeFormat &times, const sql::Timestamp &now)
{
    if (spec.column == KeyColumn::State) {
        return recordStateText(record);
    }
    const sql::Cell cell = cellOf(record, spec);
    if (cell.failed()) {
        return Tr::tr("error");
    }
    if (!cell.null && spec.time) {
        if (const auto time = sql::Timestamp::parse(cell.text)) {
            const bool relative
                = spec.column == KeyColumn::Lease || spec.column == KeyColumn::Expires || spec.column == KeyColumn::Own;
            return spec.column == KeyColumn::Age ? TimeFormat::age(*time, now)
                : relative                       ? relativeText(*time, now)
                                                 : times.text(*time);
        }
    }
    return cellText(cell);
}

QString keyCellToolTip(
    const sql::KeyRecord &record, const KeyColumnSpec &spec, const TimeFormat &times, const sql::Timestamp &now)
{
    const sql::Cell cell = cellOf(record, spec);
    if (spec.column == KeyColumn::State) {
        QString text = recordStateText(record);
        text += u'\n' + Tr::tr("Raw status: %1").arg(cellToolTip(cell));
        if (!record.stale && (record.state == sql::KeyState::InProgress || record.state == sql::KeyState::Pending)) {
            text += u'\n' + Tr::tr("The profile has no rule that says when such a row is stuck.");
        }
        return text;
    }
    if (!cell.null && !cell.failed() && spec.time) {
        if (const auto time = sql::Timestamp::parse(cell.text)) {
            return times.toolTip(*time, now);
        }
    }
    return cellToolTip(cell);
}

QVariant keyCellRaw(const sql::KeyRecord &record, const KeyColumnSpec &spec)
{
    const sql::Cell cell = cellOf(record, spec);
    return cell.null ? QVariant() : QVariant(cell.text);
}

QVariant keyColumnHeading(const KeyColumnSpec &spec, int role)
{
    switch (role) {
    case Qt::DisplayRole:
        return spec.title;
    case Qt::ToolTipRole:
        return spec.help;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((spec.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    default:
        return {};
    }
}

QString keyCellError(const sql::KeyRecord &record, const KeyColumnSpec &spec)
{
    return cellOf(record, spec).error;
}

} // namespace idemdesk::models
