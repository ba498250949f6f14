// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/timestamp.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// A retry that met the stored key: no conflict, but part of a key's story. Only logs of services tell of it.
inline constexpr QLatin1String kReplayKind("replay");
/// A claim, or its end, that the service's functions refused (P40xx).
inline constexpr QLatin1String kRefusedKind("refused");

/// Of a request that a service records only the beginning is kept, so many characters.
inline constexpr qsizetype kMostPayloadChars = 65'536;

/// How the console calls what a service's log says beside a key: "trace", "region", "latency_ms".
const QStringList &logAttributeNames();

/// A key that came again with another request, or a violation, deadlock or serialization failure on a target, as a
/// service recorded it or a log told it. All texts are hostile.
struct ConflictRecord {
    QByteArray id; ///< the same report or record has the same id
    QString kind; ///< "key_conflict", "message_conflict", "unique_violation", "deadlock", "serialization_failure",
                  ///< "refused", "application"; or "replay"
    bool fromLog = false; ///< else a service recorded it
    QString target; ///< registered or profile name; empty: not known
    QString scope;
    std::optional<QString> key; ///< nothing: the log does not name it
    QString keyHash;
    QString existingHash;
    QString incomingHash;
    QString incomingPayload; ///< its beginning; empty where none was recorded
    QString caller;
    Timestamp firstAt;
    Timestamp lastAt;
    qint64 count = 1;
    QString message;
    QString detail;
    QString file; ///< the log it was imported from
    QMap<QString, QString> attributes; ///< what a service's log says beside: "trace", "region", "latency_ms"

    /// The key came again with another request; else a violation or failure that says nothing of requests.
    bool isReuse() const
    {
        return kind == QLatin1String("key_conflict") || kind == QLatin1String("message_conflict")
            || kind == QLatin1String("application");
    }
};

struct ConflictFilter {
    std::optional<Timestamp> since;
    QString key; ///< empty: any
    QString kind; ///< empty: any but replays
    QString attribute; ///< one of the attributes is just that; empty: any
    int limit = 200;
    std::optional<ConflictRecord> after; ///< the last of the page before
};

struct ConflictPage {
    QList<ConflictRecord> rows; ///< newest first
    bool more = false;
};

} // namespace idemdesk::sql
