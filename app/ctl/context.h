// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"

#include <QCommandLineParser>
#include <QString>
#include <QStringList>
#include <functional>

namespace idemdesk::app {

/// Exit statuses of the terminal program (DESIGN 5, contract).
enum class Exit { Done = 0, Failed = 1, Usage = 2, Refused = 3, Skipped = 4, Unknown = 5 };

/// One call of idemdeskctl after its command word: its options, and where its answer goes.
class Context
{
public:
    explicit Context(const QString &command);

    QCommandLineParser &parser() { return m_parser; }
    /// Adds --connect, --target and --json as the command needs them.
    void addConnectOption();
    void addTargetOption();
    void addTrustOption();
    void addJsonOption();
    /// Nothing on success; else the status to leave with (usage shown on stderr, or help on stdout).
    std::optional<Exit> parse(const QStringList &arguments, int leastPositional, int mostPositional);

    bool json() const;
    QStringList positional() const { return m_parser.positionalArguments(); }
    QString value(const QString &option) const { return m_parser.value(option); }
    QStringList values(const QString &option) const { return m_parser.values(option); }
    bool has(const QString &option) const { return m_parser.isSet(option); }

    /// Where --connect, the libpq environment, or else the running demo leads.
    sql::Result<sql::ConnectionSettings> settings() const;
    /// Opens a session as --connect, the libpq environment, or else the running demo says.
    sql::Result<std::unique_ptr<sql::Session>> connect(sql::LaneKind lane = sql::LaneKind::Read) const;
    /// The profile of --target: a shipped name, or a file whose SQL was trusted.
    sql::Result<sql::Profile> profile() const;
    /// A shipped profile, or one from a file. The SQL of a file runs only once a person has seen it and said so: by --trust with the
    /// file's SHA-256, or on a terminal; and never as superuser (DESIGN 3).
    sql::Result<sql::Profile> profileNamed(const QString &nameOrFile) const;
    /// Refuses a session of a superuser where profileNamed() read a file: what a profile says runs with its rights.
    sql::Result<void> checkSession(const sql::Session &session) const;

private:
    sql::Result<sql::Profile> trusted(const QString &file) const;

    mutable std::optional<std::pair<QString, sql::Profile>> m_trusted; ///< the file that was read and trusted in this call
    QCommandLineParser m_parser;
};

/// The command line is not well formed: what is wrong, what to write instead, and why.
sql::Error usageError(const QString &what, const QString &todo = {}, const QString &why = {});
/// Says an error on stderr in its three parts and gives the exit status that fits its kind.
Exit fail(const sql::Error &error);
/// What a person types on the terminal; nothing where there is no terminal to ask.
std::optional<QString> answerTo(const QString &question);
/// A line on stderr, control characters escaped.
void note(const QString &text);
/// Text on stdout as it is (JSON, tables whose cells are escaped already).
void print(const QString &text);

/// An aligned table; cells are escaped, and cut at 60 characters unless `whole`.
QString table(const QStringList &header, const QList<QStringList> &rows, bool whole = false);

using Command = std::function<Exit(const QStringList &arguments)>;
Exit runSample(const QStringList &arguments);
Exit runScopes(const QStringList &arguments);
Exit runExport(const QStringList &arguments);
Exit runConflicts(const QStringList &arguments);
Exit runComplaint(const QStringList &arguments);
Exit runCase(const QStringList &arguments);
Exit runDuplicates(const QStringList &arguments);
Exit runRecipe(const QStringList &arguments);
Exit runCheck(const QStringList &arguments);
Exit runMetrics(const QStringList &arguments);
Exit runConsole(const QStringList &arguments);
Exit runAudit(const QStringList &arguments);
Exit runDiff(const QStringList &arguments);
Exit runDemo(const QStringList &arguments);
Exit runSafety(const QStringList &arguments);
Exit runDetect(const QStringList &arguments);
Exit runTargets(const QStringList &arguments);
Exit runKeys(const QStringList &arguments);
Exit runShow(const QStringList &arguments);
Exit runActivity(const QStringList &arguments);
Exit runTrends(const QStringList &arguments);
Exit runTriage(const QStringList &arguments);
Exit runRecover(const QStringList &arguments);
Exit runRequeue(const QStringList &arguments);
Exit runReclassify(const QStringList &arguments);
Exit runPurge(const QStringList &arguments);
Exit runPartitions(const QStringList &arguments);
Exit runActions(const QStringList &arguments);
Exit runRequests(const QStringList &arguments);
Exit runApprove(const QStringList &arguments);

} // namespace idemdesk::app
