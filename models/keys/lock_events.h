// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/story_model.h"
#include "sql/types/key_lock.h"

namespace idemdesk::models {

/// Who holds what stands for a key, an event each, and who waits for it, one event for all who wait for the same. Their
/// time is when the transaction began. What could not be looked at is an event, too. Unsorted.
QList<StoryEvent> lockEvents(const sql::KeyLocks &locks);

} // namespace idemdesk::models
