// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/json/json_document.h"

#include <QFuture>

namespace idemdesk::models {

/// A payload made ready to be shown: as a tree where it is JSON, and as lines that a text view lays out in a moment.
struct PayloadText {
    bool json = false;
    JsonDocument document; ///< null unless json
    QString fault; ///< why it is not JSON
    QString lines; ///< pretty where it is JSON, with hostile characters as escapes; no line over 1,000 characters
    bool whole = true; ///< false where lines ends after kMostLines
    static constexpr int kMostLines = 5'000; ///< 30,000 take a text view 60 ms
};

/// Any thread. parse: false for a text that is only the beginning of a value.
PayloadText payloadText(const QString &text, bool parse);

/// The same on a thread of the global pool.
QFuture<sql::Result<PayloadText>> payloadTextLater(const QString &text, bool parse);

} // namespace idemdesk::models
