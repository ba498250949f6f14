// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/boundaries.h"

#include "sql/keys/order.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/resolve.h"
#include "sql/keys/unreadable.h"
#include "sql/types/utc.h"

#include <QCoreApplication>
#include <QTimeZone>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

qint64 floorDiv(qint64 value, qint64 by)
{
    return value / by - (value % by < 0 ? 1 : 0);
}

/// Numbers the rows of one segment on from `base` and keeps a cursor every `step` rows; gives the last number.
Result<qint64> scanSegment(Session &session, const Target &target, const ResolvedFilter &filter,
    const ResolvedOrder &order, Segment segment, qint64 base, const std::optional<Timestamp> &now, Boundaries *out)
{
    Render render(target);
    QStringList columns;
    if (!order.byIdentity()) {
        columns += order.sql;
    }
    for (const QString &name : target.profile.identity) {
        columns += u"t."_s + quoteIdentifier(name);
    }
    QStringList names;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        names += u"c"_s + QString::number(i);
    }
    TRY(const auto condition, filterCondition(render, filter));
    const QString sorted = sortList(order, segment, false);
    const QString where = condition + u" AND "_s + afterCursor(render, order, segment, {}, false);
    // Both window functions run along the sorted rows without keeping them.
    const QString sql = u"SELECT x.n + "_s + render.bindNumber(base) + u", x.last, "_s + u"x."_s + names.join(u", x."_s)
        + u" FROM (SELECT pg_catalog.row_number() OVER w, pg_catalog.lead(1, 1, 0) OVER w = 0, "_s
        + columns.join(u", "_s) + render.from() + u" WHERE "_s + where + u" WINDOW w AS (ORDER BY "_s + sorted
        + u")) x(n, last, "_s + names.join(u", "_s) + u") WHERE x.last OR (x.n + "_s + render.bindNumber(base)
        + u") % "_s + render.bindNumber(out->step) + u" = 0"_s;
    qint64 last = base;
    TRY_OR(render.located, session.each(render.finish(sql, now), [&](const Row &row) {
        last = row.integer(0);
        if (last % out->step == 0) {
            Cursor cursor;
            int at = 2;
            if (!order.byIdentity()) {
                cursor.orderValue = row.cell(at++);
            }
            for (qsizetype i = 0; i < target.profile.identity.size(); ++i) {
                cursor.identity.append(row.cell(at++));
            }
            out->cursors.append(cursor);
        }
        return !session.cancelled();
    }));
    if (session.cancelled()) {
        return makeError(ErrorKind::Cancelled, QCoreApplication::translate("KeyPage", "The request was cancelled."));
    }
    return last;
}

/// A moment as the raw text a stored form has, never after it: the smallest stored value that is not before it.
QString storedText(const Expression &value, const ExpressionType &type, Timestamp time)
{
    if (!time.finite()) {
        return time.toRfc3339();
    }
    time.micros -= durationSeconds(value.plus).value_or(0) * 1'000'000;
    const auto local = [&time](const QTimeZone &zone) {
        const qint64 seconds = floorDiv(time.micros, 1'000'000);
        const qint64 offset = zone.offsetFromUtc(QDateTime::fromSecsSinceEpoch(seconds, kUtc));
        QString text = Timestamp { Timestamp::Kind::Finite, time.micros + offset * 1'000'000 }.toRfc3339();
        text.chop(1); // the Z
        return text.replace(u'T', u' ');
    };
    switch (value.form) {
    case TimeForm::EpochMs:
        return QString::number(-floorDiv(-time.micros, 1000));
    case TimeForm::EpochS:
        return QString::number(-floorDiv(-time.micros, 1'000'000));
    case TimeForm::Utc:
        return local(QTimeZone::utc());
    case TimeForm::Zone:
        return local(QTimeZone(value.zone.toLatin1()));
    case TimeForm::Native:
    case TimeForm::Iso:
        break;
    }
    return type.typeName == u"timestamp" || type.typeName == u"date" ? local(QTimeZone::utc()) : time.toRfc3339();
}

} // namespace

static Result<Boundaries> readBoundariesOnce(Session &session, const Target &target, const Filter &filter,
    const OrderLabel &label, qint64 step, std::optional<Timestamp> now)
{
    TRY(const auto order, resolveOrder(target, label, filter));
    TRY(const auto resolved, resolveFilter(session, target, filter));
    Boundaries out;
    out.step = qMax<qint64>(1, step);
    for (const Segment segment : segmentsOf(order, false)) {
        TRY(out.rows, scanSegment(session, target, resolved, order, segment, out.rows, now, &out));
    }
    return out;
}

Result<Cursor> cursorAtTime(const Target &target, const OrderLabel &label, const Timestamp &time)
{
    TRY(const auto order, resolveOrder(target, label, {}));
    const QList<OrderChoice> choices = orderChoices(target);
    const auto choice = std::find_if(
        choices.cbegin(), choices.cend(), [&](const OrderChoice &one) { return one.label == order.label; });
    if (choice == choices.cend() || !choice->isTime) {
        return makeError(ErrorKind::Usage,
            QCoreApplication::translate("KeyPage", "The order “%1” is not by time.").arg(order.label), {},
            QCoreApplication::translate("KeyPage", "Choose an order by a time to jump to one."));
    }
    Cursor cursor;
    const bool stored = order.value.when.isEmpty() && order.value.form != TimeForm::Iso;
    cursor.orderValue = Cell::of(stored ? storedText(order.value, order.type, time) : time.toRfc3339());
    return cursor;
}

Result<Boundaries> readBoundaries(Session &session, const Target &target, const Filter &filter, const OrderLabel &label,
    qint64 step, std::optional<Timestamp> now)
{
    AroundReader around(session, target, false);
    around.prepare(filter);
    auto found = readBoundariesOnce(session, around.target(), filter, label, step, now);
    while (!found && around.learned(found.error())) {
        found = readBoundariesOnce(session, around.target(), filter, label, step, now);
    }
    return found;
}

} // namespace idemdesk::sql
