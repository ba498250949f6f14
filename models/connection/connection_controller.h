// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/target_problem.h"
#include "models/request/request.h"
#include "sql/types/action.h"
#include "sql/types/connection.h"
#include "sql/types/proposal.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>

namespace idemdesk::models {

/// Where a target's profile comes from.
enum class TargetSource { Registered, Shipped, Saved, File };

/// One target of this connection.
struct TargetEntry {
    sql::Target target;
    TargetSource source = TargetSource::Shipped;
    QString file; ///< of a saved profile or a file
    std::optional<sql::RegisteredTarget> registration; ///< only such a target drives actions
    sql::CompiledTarget compiled; ///< of the registration, else empty

    /// When it was registered as it is now; nothing where it is not.
    std::optional<sql::Timestamp> registeredAt() const
    {
        return registration ? std::optional(registration->registeredAt) : std::nullopt;
    }
};

/// One connection set and its targets. Owns the Database. Lives on the GUI thread.
class ConnectionController final : public QObject
{
    Q_OBJECT

public:
    /// profileFolder: the person's own profiles (*.json); it need not exist.
    explicit ConnectionController(QString profileFolder, QObject *parent = nullptr);
    ~ConnectionController() override;

    void connectTo(const sql::ConnectionSettings &settings);
    void disconnectNow();
    void reconnectNow();

    sql::Database *database() const; ///< null while there is no connection set
    const sql::ConnectionSettings &settings() const { return m_settings; } ///< without the password
    sql::LinkState state() const;
    const sql::ServerFacts &facts() const; ///< of the newest connection
    bool everConnected() const { return m_everConnected; } ///< since connectTo()
    std::optional<sql::Error> error() const; ///< why it is not connected
    bool singleConnection() const; ///< too few slots: everything shares one connection
    int retryInMs() const;
    /// "orders on db.example:5432 as app" by what the server said, else by the conninfo.
    QString title() const;
    /// Sentences for the notice under the band: single connection, warnings of the server, clocks that differ.
    QStringList notices() const;
    QString clockWarning() const; ///< a sentence where the clocks differ by over 2 s, else empty

    const QList<TargetEntry> &targets() const { return m_targets; }
    /// Those and the archives that their rows are moved to: where a key is looked for.
    QList<TargetEntry> searched() const { return m_targets + m_archives; }
    const TargetEntry *target(const QString &profileName) const; ///< an archive, too
    const QList<TargetProblem> &problems() const { return m_problems; }
    /// For a page without any table: "2 tables could not be read, so …" where that is why, else empty.
    QString noTableBecause() const
    {
        return m_targets.isEmpty() && !m_problems.isEmpty() ? problemSummary(m_problems) : QString();
    }
    bool targetsLoading() const { return m_finding.busy(); }
    bool targetsLoaded() const { return m_loaded; } ///< looked at least once since connecting
    void refreshTargets();
    /// Binds one more profile (a file, or a form's result that was just saved) and adds it; targetAdded() or
    /// targetFailed() follows.
    void addProfile(const sql::Profile &profile, TargetSource source, const QString &file, bool confirmed);
    /// What stands in a profile file; nothing of it runs. A failure says where the file is wrong.
    static sql::Result<sql::Profile> profileIn(const QString &path);
    /// Reads a profile file and adds it; it still needs the person's confirmation where `confirmed` is false.
    void addProfileFile(const QString &path, bool confirmed);
    /// A profile that was added by hand this session is taken out; the tables are looked at again.
    void forgetProfile(const QString &profileName);
    QString profileFolder() const { return m_profileFolder; }

signals:
    void databaseChanged(); ///< database() is another object, or null
    void stateChanged();
    void factsChanged();
    void retryTick(); ///< each second while a reconnect is due: retryInMs() is new
    void targetsChanged();
    void targetAdded(const QString &profileName);
    void targetFailed(const QString &profileName, const idemdesk::sql::Error &error);

private:
    void onState(sql::LinkState state);
    void acceptTargets(const QList<TargetEntry> &found, const QList<TargetProblem> &problems);

    QString m_profileFolder;
    sql::ConnectionSettings m_settings;
    std::unique_ptr<sql::Database> m_database;
    QList<TargetEntry> m_targets;
    QList<TargetEntry> m_archives;
    QList<TargetEntry> m_extra; ///< added by hand this session
    QList<TargetProblem> m_problems;
    bool m_everConnected = false;
    Request m_finding { QStringLiteral("connection/targets") };
    bool m_loaded = false;
    QTimer m_retryTimer;
    sql::ServerFacts m_noFacts;
};

} // namespace idemdesk::models
