// SPDX-License-Identifier: GPL-3.0-or-later
// What the status line says of the list.
#include "models/format/quantities.h"
#include "models/keys/key_browser.h"
#include "sql/lanes/database.h"
#include "sql/types/tr.h"

namespace idemdesk::models {

namespace {

constexpr qint64 kShownSkewMicros = 2'000'000;

} // namespace

KeyListStatus KeyBrowserController::status() const
{
    KeyListStatus status;
    status.count = m_model->count();
    status.estimate = m_model->estimate();
    status.approximate = m_model->numbersApproximate();
    status.busy = m_model->busy();
    status.counting = m_model->countBusy();
    status.tookMicros = m_model->tookMicros();
    status.order = m_model->orderUsed();
    status.clockSkewMicros = m_database == nullptr ? 0 : m_database->facts().clockSkewMicros;
    const int rows = m_model->rowCount();
    if (rows > 0) {
        const int first = qBound(0, m_model->firstVisibleRow(), rows - 1);
        const int last = m_model->lastVisibleRow() < 0 ? qMin(rows, PageCache::kSize) - 1 : qBound(first, m_model->lastVisibleRow(), rows - 1);
        status.firstRow = m_model->numberOf(first) + 1;
        status.lastRow = m_model->numberOf(last) + 1;
        if (status.firstRow < 1) { // more rows lie before the place jumped to than were thought
            status.lastRow += 1 - status.firstRow;
            status.firstRow = 1;
        }
    }
    if (m_sincePage.isValid() && m_model->serverNow()) {
        status.dataAgeMs = m_sincePage.elapsed();
        const qint64 since = m_sinceNow.isValid() ? m_sinceNow.elapsed() : 0;
        status.serverNow = sql::Timestamp { sql::Timestamp::Kind::Finite, m_model->serverNow()->micros + since * 1'000 };
        status.tookText = tookText(status.tookMicros);
        status.ageText = Tr::tr("data %1 old").arg(durationText(status.dataAgeMs / 1'000));
    }
    if (qAbs(status.clockSkewMicros) > kShownSkewMicros) {
        status.skewText = Tr::tr("The server's clock differs from this computer's by %1.")
                              .arg(durationText(qAbs(status.clockSkewMicros) / 1'000'000));
    }
    status.rowsText = rowsText(status);
    return status;
}

QString KeyBrowserController::rowsText(const KeyListStatus &status)
{
    if (status.firstRow == 0) {
        return status.busy ? Tr::tr("Reading…") : Tr::tr("No rows");
    }
    const QString range = status.approximate
        ? Tr::tr("about %1–%2").arg(countText(status.firstRow), countText(status.lastRow))
        : Tr::tr("%1–%2").arg(countText(status.firstRow), countText(status.lastRow));
    const QString count = countText(status.count);
    if (count.isEmpty()) {
        return status.estimate.kind == sql::RowCount::Kind::Unknown ? range : Tr::tr("%1 of %2").arg(range, countText(status.estimate));
    }
    if (status.count.kind == sql::RowCount::Kind::AtLeast && status.estimate.rows > status.count.rows) {
        return Tr::tr("%1 of %2 (%3)").arg(range, count, countText(status.estimate));
    }
    return Tr::tr("%1 of %2").arg(range, count);
}

} // namespace idemdesk::models
