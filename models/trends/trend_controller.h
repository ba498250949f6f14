// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "models/format/time_format.h"
#include "models/request/request.h"
#include "models/trends/scope_colors.h"
#include "models/trends/trend_picture.h"
#include "sql/types/local_place.h"
#include "sql/types/trend.h"

#include <QDeadlineTimer>
#include <QObject>

namespace idemdesk::models {

class TrendTableModel;

/// What a person chose to see.
struct TrendChoice {
    QString metric = QStringLiteral("claims");
    sql::TrendSource source = sql::TrendSource::Rows;
    qint64 spanSeconds = 86'400; ///< up to now, where since is not set
    std::optional<sql::Timestamp> since; ///< a range of one's own
    std::optional<sql::Timestamp> until;
    QString bucket; ///< empty: chosen to fit
    bool byScope = false;
    bool compare = false; ///< with the period of the same length before; of all scopes together

    friend bool operator==(const TrendChoice &, const TrendChoice &) = default;
};

/// One metric of one range, with what is drawn behind it.
struct TrendReading {
    sql::TrendAnswer answer;
    std::optional<sql::TrendAnswer> previous; ///< the same length just before
    std::optional<sql::TrendAnswer> hours; ///< the same range by the hour
    std::optional<sql::Timestamp> sampledAt; ///< the minute of the newest sample, of a level
};

/// The trends page without its widgets: reads one series set at a time on the background lane; the newest choice wins.
/// What is shown stays until the next is there. Lives on the GUI thread.
class TrendController final : public QObject
{
    Q_OBJECT

public:
    explicit TrendController(QObject *parent = nullptr);
    ~TrendController() override;

    void setDatabase(sql::Database *database);
    void setTarget(const TargetEntry &entry); ///< an unbound target: none
    /// Where samples of tables that are not registered are kept.
    void setLocalPlace(const sql::LocalPlace &place) { m_place = place; }
    void setTimeFormat(const TimeFormat &format); ///< its zone's days and weeks count
    /// What was done and what fired, of all targets.
    void setEvents(const QList<TrendEvent> &events);
    const QList<TrendEvent> &events() const { return m_events; }
    /// Reads where something changed.
    void choose(const TrendChoice &choice);
    /// Reads again. Of a range that ends now only the buckets that were open are counted anew, and everything every ten
    /// minutes.
    void refresh();
    void cancel();

    const TargetEntry &target() const { return m_target; }
    const TrendChoice &choice() const { return m_choice; }
    const TimeFormat &timeFormat() const { return m_format; }
    QString bucket() const; ///< as chosen, or as it fits
    /// Where an alert rule of the target says what the metric shown should not pass.
    QList<TrendLimit> limits() const;
    const QList<sql::TrendMetric> &metrics() const { return m_metrics; }
    bool busy() const { return m_reading.busy(); }
    const std::optional<sql::Error> &error() const { return m_reading.error(); }
    const std::optional<sql::TrendAnswer> &answer() const { return m_answer; }
    const std::optional<sql::TrendAnswer> &previous() const { return m_previous; }
    /// The same by the hour, for how far a level went within its buckets; nothing where a bucket is an hour or less.
    const std::optional<sql::TrendAnswer> &hours() const { return m_hours; }
    /// The minute whose sample a level's open bucket shows; nothing where it is not of a sample.
    const std::optional<sql::Timestamp> &sampledAt() const { return m_sampledAt; }
    const QList<int> &colors() const { return m_colors; } ///< of the answer's series, the same in every metric
    TrendTableModel *table() const { return m_table; }
    /// The filter of the keys behind one bucket of one series (-1: of all); empty where there is none.
    QString filterAt(qsizetype bucket, qsizetype series) const;

    /// The shortest bucket of which a range of this length has at most some 400; a day or more beyond two weeks, where
    /// each day's rhythm would be a sawtooth.
    static QString bucketFor(qint64 seconds);

signals:
    void changed();

private:
    sql::TrendRequest request() const;
    void read(bool whole);
    void accept(const TrendReading &reading);
    /// Joins the buckets that were read anew with those of before; reads all of it where they do not fit.
    void acceptPart(const sql::TrendAnswer &part);
    void forget(); ///< what is shown

    Request m_reading { QStringLiteral("trends") };
    TargetEntry m_target;
    TimeFormat m_format;
    sql::LocalPlace m_place;
    TrendChoice m_choice;
    QList<sql::TrendMetric> m_metrics;
    QList<TrendEvent> m_events;
    ScopeColors m_scopeColors;
    QList<int> m_colors;
    TrendTableModel *m_table;
    std::optional<sql::TrendAnswer> m_answer;
    std::optional<sql::TrendAnswer> m_previous;
    std::optional<sql::TrendAnswer> m_hours;
    std::optional<sql::Timestamp> m_sampledAt;
    QDeadlineTimer m_wholeUntil; ///< until then closed buckets are taken as they were read
};

} // namespace idemdesk::models
