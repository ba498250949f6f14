// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/timestamp.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::models {

enum class LogFormat { Csv, Json, Stderr, Application };

enum class LogEventKind {
    KeyConflict, ///< P4002: a key came back with another request
    MessageConflict, ///< P4050: a message id came back with another payload
    UniqueViolation, ///< 23505
    Deadlock, ///< 40P01
    SerializationFailure, ///< 40001
    Refused, ///< another P40xx: a claim, or its end, was refused; sqlState says which
    Application ///< a line of a service's own log that names a key
};

/// Where a key was found; a key that is found nowhere is unknown, never guessed.
enum class KeySource { Unknown, Detail, Statement, Field };

/// One thing in a log that the console looks for. All texts are hostile.
struct LogEvent {
    LogEventKind kind = LogEventKind::Application;
    QString sqlState; ///< empty where the log does not name it
    std::optional<sql::Timestamp> time;
    QString timeText; ///< as the log writes it
    QString user;
    QString database;
    QString application;
    QString session; ///< session id or pid
    QString message;
    QString detail;
    QString statement; ///< in part
    QString existingHash; ///< fingerprint stored
    QString incomingHash; ///< fingerprint that came
    QString constraint;
    QMap<QString, QString> columns; ///< of a unique violation's key, by name
    KeySource keySource = KeySource::Unknown;
    QString scope;
    QString key;
    QString keyHash; ///< where the log carries a hash of the key instead
    QString outcome; ///< of a service's own log
    QMap<QString, QString> attributes; ///< what ties it to a trace and a place, by ApplicationLogMapping's names
    bool conflict = false; ///< says that a key was reused for another request
    bool replay = false; ///< says that a retry met the stored key
    bool otherEncoding = false; ///< the record was not UTF-8; shown byte by byte
    QByteArray id; ///< the same record has the same id in every import
};

} // namespace idemdesk::models
