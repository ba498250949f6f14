// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/story_model.h"

namespace idemdesk::models {

/// A key's story on an axis of time from 0 to 1. Its stretches are to scale; one that would press all others to nothing
/// is cut short, and says how long it is.
struct StoryScale {
    /// What a mark's shape and colour stand for.
    struct Mark {
        StoryEvent::Kind kind = StoryEvent::Kind::Created;
        double at = 0;
        bool future = false;
        QString text; ///< the event, and when
    };
    struct Span {
        enum class Kind {
            Attempt, ///< the newest, from its claim on
            Unfinished, ///< the rest of one of which no end is known
            Lease
        };
        Kind kind = Kind::Attempt;
        double from = 0;
        double to = 0;
        QString text;
    };
    /// A stretch that is cut short.
    struct Gap {
        double from = 0;
        double to = 0;
        bool future = false; ///< what would happen next lies behind it
        QString text; ///< "27 d of silence"
    };
    QList<Mark> marks; ///< by time
    QList<Span> spans;
    QList<Gap> gaps;
    double now = 1;

    bool empty() const { return marks.size() < 2; }
    QString text() const; ///< all of it in words, for those who do not see it
};

/// events: with their times, in their order; of one key.
StoryScale scaleOf(const QList<StoryEvent> &events);

} // namespace idemdesk::models
