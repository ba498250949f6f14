// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/duplicates/duplicate_words.h"
#include "ui/delegates/state_delegate.h"

namespace idemdesk::ui {

/// What to make of a group of duplicates, but for its text.
Badge duplicateBadge(models::DuplicateVerdict verdict);

/// The same of a cell, by its KindRole.
Badge duplicateCellBadge(const QModelIndex &index);

} // namespace idemdesk::ui
