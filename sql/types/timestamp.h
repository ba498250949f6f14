// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>
#include <compare>
#include <optional>

namespace idemdesk::sql {

constexpr qint64 kMicros = 1'000'000; ///< of a second
constexpr qint64 kHour = 3'600; ///< in seconds
constexpr qint64 kDay = 86'400; ///< in seconds

/// A timestamptz to the microsecond, with PostgreSQL's infinities. QDateTime keeps only milliseconds.
struct Timestamp {
    enum class Kind : quint8 { Finite, MinusInfinity, PlusInfinity };
    Kind kind = Kind::Finite;
    qint64 micros = 0; ///< microseconds since 1970-01-01 00:00 UTC; 0 for the infinities

    bool finite() const { return kind == Kind::Finite; }

    /// Reads what PostgreSQL prints under DateStyle ISO: "2026-11-20 12:34:56.123456+00", offsets with minutes
    /// and seconds, years up to 294000, "BC", "infinity", "-infinity". Nothing where it is not such a text.
    static std::optional<Timestamp> parse(const QString &text);

    /// RFC 3339 in UTC with six digits, "infinity" or "-infinity".
    QString toRfc3339() const;

    /// To the millisecond, in UTC; invalid for an infinity.
    QDateTime toDateTime() const;

    static Timestamp fromDateTime(const QDateTime &time);

    friend std::strong_ordering operator<=>(const Timestamp &a, const Timestamp &b);
    friend bool operator==(const Timestamp &a, const Timestamp &b) = default;
};

} // namespace idemdesk::sql
