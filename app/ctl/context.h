// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/line/command_line.h"
#include "app/ctl/out/output.h"
#include "sql/session/session.h"
#include "sql/types/target.h"
#include "sql/types/timestamp.h"

#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::app {

/// One call of idemdeskctl: the command with what was written, and where it leads.
class Context
{
public:
    explicit Context(CommandLine line);

    const Command &command() const { return *m_line.command; }
    bool json() const { return has(QStringLiteral("json")); }
    QStringList positional() const { return m_line.positional; }
    /// What was given, else the option's fallback.
    QString value(const QString &option) const;
    QStringList values(const QString &option) const { return m_line.values.value(option); }
    bool has(const QString &option) const { return m_line.values.contains(option); }
    /// The value of an option that takes a number; the command line was checked, so that it is one.
    int number(const QString &option) const { return value(option).toInt(); }
    /// The value of an option that takes a length of time.
    qint64 seconds(const QString &option) const { return sql::durationSeconds(value(option)).value_or(0); }
    /// The value of an option that takes a time; nothing where it was not given.
    std::optional<sql::Timestamp> time(const QString &option) const;
    /// The value of an option that takes a time or a length: the time, or so long before now by the server's clock.
    sql::Result<std::optional<sql::Timestamp>> timeOrAgo(sql::Session &session, const QString &option) const;
    /// --target, else IDEMDESK_TARGET: for commands that need one. Those that look at all tables ask has("target").
    QString target() const;

    /// The same call in one member of a group: without --group, and leading there.
    Context at(const sql::ConnectionSettings &member) const;
    /// The label of the member that at() leads to; empty: no group was asked for.
    QString member() const { return m_member ? m_member->name : QString(); }
    /// Where at(), --connect, IDEMDESK_CONNECT, the libpq environment, or else the running demo leads.
    sql::Result<sql::ConnectionSettings> settings() const;
    /// The same for what changes something: where the conninfo prefers a standby, its primary.
    sql::Result<sql::ConnectionSettings> primarySettings() const;
    /// Opens a session there.
    sql::Result<std::unique_ptr<sql::Session>> connect(sql::LaneKind lane = sql::LaneKind::Read) const;
    /// The profile of --target: a shipped name, or a file whose SQL was trusted.
    sql::Result<sql::Profile> profile() const;
    /// A shipped profile by its name, title or table, or one from a file. The SQL of a file runs only once a person has
    /// seen it and said so: by --trust with the file's SHA-256, or on a terminal; and never as superuser (DESIGN 3).
    sql::Result<sql::Profile> profileNamed(const QString &nameOrFile) const;
    /// Refuses a session of a superuser where profileNamed() read a file: what a profile says runs with its rights.
    sql::Result<void> checkSession(const sql::Session &session) const;
    /// An error unless a person has seen SQL and said that it may run: by --trust with the SHA-256 of `text`, which is
    /// the file's whole content or the profile, or on a terminal, where `sql` is shown. what: "The file x".
    sql::Result<void> confirm(const QString &what, const QByteArray &text, const QString &sql) const;

private:
    sql::Result<sql::Profile> trusted(const QString &file) const;
    bool acts(sql::LaneKind lane) const; ///< a session that is opened now is to change something

    CommandLine m_line;
    std::optional<sql::ConnectionSettings> m_member;
    mutable bool m_standbyTold = false; ///< once for a command
    mutable std::optional<std::pair<QString, sql::Profile>>
        m_trusted; ///< the file that was read and trusted in this call
};

/// --output of a command that writes a report: empty without it, else the name of a new file that ends in .html, .pdf
/// or .json.
sql::Result<QString> reportPath(const Context &context);
/// True where a name as a person writes it, with or without schema and quotes, is that of the relation.
bool isRelation(const QString &relation, const QString &written);
/// What a person types on the terminal; nothing where there is no terminal to ask.
std::optional<QString> answerTo(const QString &question);
} // namespace idemdesk::app
