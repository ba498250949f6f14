// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/drill/drill_tests.h"
#include "sql/drill/drill_gateway.h"
#include "sql/types/connection.h"
#include "sql/types/target.h"

#include <QList>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace idemdesk::models {

enum class DrillVerdict { Failed, Passed, NotApplicable };
QString drillVerdictName(DrillVerdict verdict); ///< "not_applicable", as --json writes it
QString drillVerdictLabel(DrillVerdict verdict); ///< "Does not apply"
QString drillVerdictSign(DrillVerdict verdict); ///< "✗", "✓", "–"

struct DrillResult {
    const DrillTest *test = nullptr;
    DrillVerdict verdict = DrillVerdict::NotApplicable;
    QString seen; ///< sentences; may hold texts from the database
};

struct DrillReport {
    QString target; ///< the profile's name
    QString title;
    QString server; ///< "database as user"
    sql::Environment environment = sql::Environment::Unmarked; ///< as the database's owner says
    QString run; ///< all keys of this drill begin with "idemdesk-drill-" and this
    sql::Timestamp at; ///< by the server's clock
    QList<DrillResult> results; ///< those that were run, in their order
    QStringList left; ///< sentences: what could not be taken away
    bool stopped = false; ///< by the person, before all were run

    qsizetype count(DrillVerdict verdict) const;
};

/// Runs the tests one after the other, on sessions of its own that write with the login's own rights. All that it makes
/// is marked by its key, and taken away when a test ends, also when it was stopped. Blocks; for a thread beside the
/// GUI.
class DrillRunner
{
public:
    /// Told before each test, on the thread that runs.
    using Progress = std::function<void(const DrillTest &)>;

    DrillRunner(sql::ConnectionSettings settings, sql::Target target, sql::DrillSpec spec);

    /// With what every key of this drill begins.
    QString prefix() const { return sql::kDrillKeys.toString() + m_run + u'-'; }
    /// Refused where the connection or the database is not for development, test or staging. An error is what kept the
    /// drill from going on; what a test found is its result.
    sql::Result<DrillReport> run(const std::stop_token &stop, const Progress &progress);

private:
    using Told = sql::Result<DrillResult>;

    /// One command, whose traces are taken away when its test ends.
    sql::DrillCall call(const QString &name, const QString &payload = QStringLiteral("a"), const QString &fact = {});
    sql::Result<std::unique_ptr<sql::Session>> open() const;
    /// Each command in a session of its own: what one leaves in it reaches no other.
    sql::Result<sql::DrillAnswer> perform(const sql::DrillCall &call);
    /// As a client that is gone before it commits.
    sql::Result<sql::DrillAnswer> performAndVanish(const sql::DrillCall &call);
    sql::Result<qint64> effects(const sql::DrillCall &call) { return sql::drillEffects(*m_session, m_spec, call); }

    Told runTest(const DrillTest &test);
    Told twice();
    Told atOnce();
    Told otherPayload();
    Told crash();
    Told redelivery();
    Told replay();
    Told expiry();
    Told twoKeys();
    bool usesFact() const;
    void tidyUp(DrillReport *report);
    void lookForEarlier(DrillReport *report);
    sql::Result<void> probe(DrillReport *report);
    sql::Error interrupted(sql::Error error, DrillReport *report);
    sql::Result<std::optional<DrillResult>> begin(const sql::DrillCall &call, sql::DrillAnswer *first);

    sql::ConnectionSettings m_settings;
    sql::Target m_target;
    sql::DrillSpec m_spec;
    QString m_run;
    QString m_server; ///< the one that the drill began on
    std::unique_ptr<sql::Session> m_session; ///< counts and takes away; no command runs in it
    QList<sql::DrillCall> m_calls; ///< of the test that runs
};

} // namespace idemdesk::models
