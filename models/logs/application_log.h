// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/logs/log_event.h"
#include "sql/types/result.h"

#include <QMap>
#include <QStringList>

namespace idemdesk::models {

/// region, transaction, trace, span, correlation, tenant, resource, latency_ms, retries: where logs commonly have them.
QMap<QString, QStringList> usualAttributes();

/// Which members of a service's JSON line mean what. A name with slashes is a JSON pointer into the line; the first
/// that is there counts. The defaults read common shapes.
struct ApplicationLogMapping {
    QStringList key { QStringLiteral("idempotency_key"), QStringLiteral("idempotencyKey"),
        QStringLiteral("Idempotency-Key"), QStringLiteral("message_id") };
    QStringList keyHash { QStringLiteral("idempotency_key_hash"), QStringLiteral("idempotencyKeyHash"),
        QStringLiteral("key_hash") };
    QStringList scope { QStringLiteral("idempotency_scope"), QStringLiteral("operation"),
        QStringLiteral("operation_name"), QStringLiteral("scope"), QStringLiteral("consumer") };
    QStringList outcome { QStringLiteral("constraint_status"), QStringLiteral("outcome"),
        QStringLiteral("idempotency_outcome") };
    QStringList incomingHash { QStringLiteral("request_hash"), QStringLiteral("incoming_hash"),
        QStringLiteral("fingerprint") };
    QStringList existingHash { QStringLiteral("existing_hash"), QStringLiteral("stored_hash") };
    QStringList time { QStringLiteral("time"), QStringLiteral("timestamp"), QStringLiteral("ts"),
        QStringLiteral("@timestamp") };
    QStringList message { QStringLiteral("message"), QStringLiteral("msg") };
    /// What ties the line to a trace, a place and a cost (seeds 000 section 5, 003 section 29), by the console's names.
    QMap<QString, QStringList> attributes = usualAttributes();
    /// Outcomes that say that the key was reused for another request.
    QStringList conflicts { QStringLiteral("conflict"), QStringLiteral("key_conflict"), QStringLiteral("hash_mismatch"),
        QStringLiteral("payload_mismatch"), QStringLiteral("rejected_mismatch") };
    /// Outcomes that say that a retry met the stored key (seed 000's "conflict_resolved").
    QStringList replays { QStringLiteral("conflict_resolved"), QStringLiteral("replay"), QStringLiteral("replayed"),
        QStringLiteral("replay_success") };
};

/// The defaults, with another place for what each "NAME=POINTER" names: key, key_hash, scope, outcome, incoming_hash,
/// existing_hash, time, message or an attribute, where the pointer is a JSON pointer into a line. Error: Usage.
sql::Result<ApplicationLogMapping> mappingFrom(const QStringList &places);

/// What a line said: an event, or that it is a JSON object that names no key.
struct ApplicationLine {
    bool understood = false;
    std::optional<LogEvent> event;
};
ApplicationLine applicationLine(const QByteArray &line, const ApplicationLogMapping &mapping = {});

/// What was read of the line, for a person who tries a mapping: "A conflict: key k-1; scope pay; outcome conflict; time
/// …"
QString readingInWords(const ApplicationLine &line);

} // namespace idemdesk::models
