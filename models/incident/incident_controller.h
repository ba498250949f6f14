// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/incident/history_reader.h"
#include "models/incident/incident_notes.h"
#include "models/request/request.h"

#include <QDateTime>
#include <QObject>
#include <QTimer>
#include <algorithm>

namespace idemdesk::models {

class ActionCenter;
class AlertController;
class OverviewController;

/// What needs a person, at a glance: figures, what changed in the last hour, what runs and what fires. It puts together
/// what others read and reads the last day itself, on the background lane. What is shown stays until the next reading
/// is there, and says from when it is. Lives on the GUI thread.
class IncidentController final : public QObject
{
    Q_OBJECT

public:
    /// All of them outlive it.
    struct Sources {
        OverviewController *overview = nullptr;
        AlertController *alerts = nullptr;
        ActionCenter *actions = nullptr;
    };

    explicit IncidentController(const Sources &sources, QObject *parent = nullptr);
    ~IncidentController() override;

    void setDatabase(sql::Database *database);
    /// notRead: tables that are there and could not be looked at.
    void setTargets(const QList<TargetEntry> &targets, qsizetype notRead);
    void setLocalPlace(const sql::LocalPlace &place) { m_place = place; }
    void setTimeFormat(const TimeFormat &format);
    void refresh();
    void setAutoRefresh(int seconds); ///< 0: off
    void hold() { ++m_holds; } ///< pauses auto-refresh; calls nest
    void release() { m_holds = std::max(0, m_holds - 1); }

    const QList<IncidentTile> &tiles() const { return m_tiles; }
    IncidentNotes *changes() const { return m_changes; }
    IncidentNotes *alerts() const { return m_alertNotes; }
    IncidentNotes *actions() const { return m_actionNotes; }
    bool busy() const;
    bool read() const { return m_reading.has_value(); }
    const QDateTime &lastRead() const { return m_lastRead; } ///< local time of the newest whole reading
    /// Why the newest reading failed: what is shown is older then.
    const std::optional<sql::Error> &error() const { return m_asking.error(); }

signals:
    void changed();

private:
    void readDay();
    void accept(const IncidentReading &reading);
    void rebuildSoon() { m_rebuild.start(); }
    void rebuild();
    QList<IncidentNote> changeNotes() const;
    QList<IncidentNote> alertNotes() const;
    QList<IncidentNote> actionNotes() const;

    Sources m_from;
    Request m_asking { QStringLiteral("incident") };
    QList<TargetEntry> m_targets;
    qsizetype m_notRead = 0;
    sql::LocalPlace m_place;
    TimeFormat m_format;
    std::optional<IncidentReading> m_reading;
    QDateTime m_lastRead;
    QList<IncidentTile> m_tiles;
    IncidentNotes *m_changes;
    IncidentNotes *m_alertNotes;
    IncidentNotes *m_actionNotes;
    QTimer m_rebuild; ///< once for all that changed together
    QTimer m_auto;
    int m_holds = 0;
};

} // namespace idemdesk::models
