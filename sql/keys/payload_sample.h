// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"

#include <QMap>

namespace idemdesk::sql {

/// What one row holds from which its fingerprint can be made again.
struct PayloadRow {
    QString key;
    QString fingerprint; ///< as it is stored
    std::optional<QByteArray> payload; ///< nothing where none is stored, or where it is larger than what is read
    bool tooLarge = false;
    QMap<QString, QByteArray> parts; ///< by recipePartNames(); those that are NULL in this row are not in it
};

struct PayloadSample {
    QList<PayloadRow> rows;
    QString payloadType; ///< typname of the payload: "jsonb"; empty where the profile names none
    bool newestFirst = false; ///< else in no particular order: no index would have found the newest
};

/// What the one row with this identity holds; a profile without a fingerprint or a request's payload leaves that empty.
/// Error: Usage where binding found one of the parts broken, MissingObject where the row is gone.
Result<PayloadRow> readPayload(Session &session, const Target &target, const Cells &identity,
    const QMap<QString, RecipePart> &parts, qint64 maxBytes);

/// Rows with a fingerprint, their payload up to `maxBytes`, and these parts of the request, which binding the target
/// has checked.
Result<PayloadSample> readPayloadSample(
    Session &session, const Target &target, const QMap<QString, RecipePart> &parts, int limit, qint64 maxBytes);

} // namespace idemdesk::sql
