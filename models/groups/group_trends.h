// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/request/request.h"
#include "sql/types/trend.h"

#include <QObject>
#include <memory>
#include <vector>

namespace idemdesk::models {

class GroupSession;

/// What a person chose to see of a group over time.
struct GroupTrendChoice {
    QString target; ///< profile's name; empty: none
    QString metric = QStringLiteral("claims");
    qint64 spanSeconds = 86'400; ///< up to each member's now
    bool summed = false; ///< one series for all members, where the metric may be added up

    friend bool operator==(const GroupTrendChoice &, const GroupTrendChoice &) = default;
};

/// One metric of one table over time, in all members of a group at once: a series each, or their sum. A member that
/// does not answer is named, and is never a zero. Lives on the GUI thread.
class GroupTrends final : public QObject
{
    Q_OBJECT

public:
    /// session: outlives this object.
    explicit GroupTrends(GroupSession *session, QObject *parent = nullptr);
    ~GroupTrends() override;

    void choose(const GroupTrendChoice &choice); ///< reads where something changed; summing alone reads nothing
    void refresh(); ///< the same again
    void setTimeFormat(const TimeFormat &format); ///< its zone's days and weeks count

    const GroupTrendChoice &choice() const { return m_choice; }
    const TimeFormat &timeFormat() const { return m_format; }
    QString bucket() const; ///< its length, as it fits the span
    /// Those that rows of the table can tell, as the first member that has it gives them.
    QList<sql::TrendMetric> metrics() const;
    QString whyNotSummed() const; ///< a sentence; empty where the metric may be added up

    bool busy() const { return m_pending > 0; }
    int asked() const { return int(m_parts.size()); } ///< members
    int answered() const; ///< of these, those whose numbers are there
    /// A series for each member, in the group's order, or their sum; one that did not answer has a series without
    /// values, which says so by its name. Nothing where none answered.
    std::optional<sql::TrendAnswer> answer() const;
    QStringList missing() const; ///< which members did not answer and why, a sentence each
    QStringList notes() const; ///< what the numbers cannot say, each with the members it is of

signals:
    void changed();

private:
    struct Part {
        QString label;
        std::optional<sql::TrendAnswer> answer;
        std::optional<sql::Error> error;
        std::unique_ptr<Request> request;
    };

    void readPart(std::size_t number);
    void giveUp(int member);
    sql::TrendSeries seriesOf(const Part &part, const QList<sql::Timestamp> &buckets) const;
    sql::TrendSeries sumOf(const QList<sql::TrendSeries> &series) const;

    GroupSession *m_session;
    GroupTrendChoice m_choice;
    TimeFormat m_format;
    std::vector<Part> m_parts; ///< a member each, by its place
    int m_pending = 0;
};

} // namespace idemdesk::models
