// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_driver.h"
#include "sql/keys/export_rows.h"
#include "sql/keys/key_json.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kBodyPiece = 256 * 1024;

/// The cells on which an expression fails say so, and the record what is wrong with it.
void nameFaults(const ExportPlan &plan, quint32 table, const QString &ctid, KeyRecord *record)
{
    record->fault = plan.unreadable.faultOf(table, ctid);
    const QMap<QString, QString> said = plan.unreadable.faults.value({ table, ctid });
    record->key.error = said.value(u"key"_s);
    for (qsizetype i = 0; i < record->scope.size(); ++i) {
        record->scope[i].error = said.value(u"scope "_s + plan.target.profile.scope.at(i).label);
    }
    for (qsizetype i = 0; i < record->fields.size(); ++i) {
        record->fields[i].error = said.value(u"field "_s + plan.target.profile.fields.at(i).label);
    }
    for (auto role = record->roles.begin(); role != record->roles.end(); ++role) {
        role->error = said.value(roleName(role.key()));
    }
}

/// Row by row, because a line may hold a body of any size: no more than one is in memory at a time.
Result<void> writeSegment(Session &session, const ExportPlan &plan, Segment segment, ExportSink &sink)
{
    Render render(plan.target);
    RowMapper mapper(render, nullptr, RowMapper::kWhole);
    QList<int> place;
    if (plan.placed()) {
        for (const QString &column : ExportPlan::placeColumns()) {
            place += mapper.add(column);
        }
    }
    TRY(const auto statement,
        segmentStatement(render, mapper.selectList(), { plan.filter, plan.order, segment, {}, false, 0, 0, plan.now }));
    QByteArray lines;
    qint64 rows = 0;
    bool stopped = false;
    const auto flush = [&] {
        stopped = !sink.write(lines, rows);
        lines.resize(0);
        rows = 0;
        return !stopped;
    };
    const auto read = session.each(statement, [&](const Row &row) {
        KeyRecord record = mapper.record(row);
        if (plan.unreadable.many) {
            record.fault = plan.unreadable.faultOf(0, {});
        } else if (plan.placed() && record.state == KeyState::Unknown) {
            nameFaults(plan, row.text(place.at(0)).toUInt(), row.text(place.at(1)), &record);
        }
        lines += keyToJson(plan.target, record);
        lines += '\n';
        ++rows;
        if (lines.size() < kBodyPiece || flush()) {
            return true;
        }
        // The rest of the rows would still have to be read: better that the server stops sending them.
        session.interrupter()->requestCancel(nullptr);
        return false;
    });
    if (stopped) {
        return sink.error();
    }
    if (!read) {
        return render.located(read.error());
    }
    return lines.isEmpty() || flush() ? Result<void>() : Result<void>(sink.error());
}

} // namespace

Result<void> exportJsonLines(Session &session, const ExportPlan &plan, ExportSink &sink)
{
    for (const Segment segment : segmentsOf(plan.order, false)) {
        if (const auto written = writeSegment(session, plan, segment, sink); !written) {
            return written;
        }
    }
    return {};
}

} // namespace idemdesk::sql
