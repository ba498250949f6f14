// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/cache.h"

namespace idemdesk::models {

/// When the entries of a cache expire, to be drawn: spans of one width, the first of which begins now.
struct ExpiryPicture {
    struct Bar {
        qint64 entries = 0;
        bool crowded = false; ///< it holds a part of a crowded minute
        QString text; ///< how many, and when
    };
    /// A crowded minute: far more entries than its share.
    struct Crowd {
        double at = 0; ///< its middle, in bars from the left
        qint64 entries = 0;
        QString text; ///< "302 at 14:37"
    };
    QList<Bar> bars;
    qint64 top = 0; ///< where the axis ends: a round number that no bar is above
    QList<Crowd> crowds; ///< by time
    QString beyond; ///< "after 1 d: 4", where few expire long after the others; else empty
    QStringList ticks; ///< how long until each span begins, and until the last one ends
    QString text; ///< all of it in words, for those who do not see it
};

/// Without bars where nothing expires.
ExpiryPicture expiryPicture(const sql::CacheReport &report, const TimeFormat &format);
/// What the picture cannot show: entries that never expire, or long after all others. May be empty.
QString expiryNote(const sql::CacheReport &report);

} // namespace idemdesk::models
