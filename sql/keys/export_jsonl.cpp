// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_driver.h"
#include "sql/keys/export_rows.h"
#include "sql/keys/key_json.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kBodyPiece = 256 * 1024;

/// Row by row, because a line may hold a body of any size: no more than one is in memory at a time.
Result<void> writeSegment(Session &session, const ExportPlan &plan, Segment segment, ExportSink &sink)
{
    Render render(plan.target);
    const RowMapper mapper(render, nullptr, RowMapper::kWhole);
    const auto statement = segmentStatement(render, mapper.selectList(), { plan.filter, plan.order, segment, {}, false, 0, 0, plan.now });
    if (!statement) {
        return statement.error();
    }
    QByteArray lines;
    qint64 rows = 0;
    bool stopped = false;
    const auto flush = [&] {
        stopped = !sink.write(lines, rows);
        lines.resize(0);
        rows = 0;
        return !stopped;
    };
    const auto read = session.each(*statement, [&](const Row &row) {
        lines += keyToJson(plan.target, mapper.record(row));
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
