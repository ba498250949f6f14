// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"

#include "app/ctl/line/time_value.h"
#include "app/demo/demo.h"
#include "models/connection/connection_fields.h"
#include "models/connection/primary_link.h"
#include "models/mapping/sql_to_confirm.h"
#include "models/report/report_file.h"
#include "sql/activity/replication.h"
#include "sql/profile/profile_json.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <unistd.h>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Error;
using sql::ErrorKind;
using sql::Result;

namespace {

bool onTerminal()
{
    return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
}

/// An action on a server that only follows another one.
Error standbyRefusal(sql::Session &session)
{
    const QString primary = sql::primaryOf(session);
    return makeError(ErrorKind::Refused, Tr::tr("This server is a standby, so nothing can be changed on it."),
        primary.isEmpty() ? Tr::tr("Which server is its primary, this login may not see.")
                          : Tr::tr("Its primary is %1.").arg(primary),
        Tr::tr("Connect to the primary. With several hosts and target_session_attrs=prefer-standby it is found."));
}

} // namespace

Context::Context(CommandLine line)
    : m_line(std::move(line))
{
}

QString Context::value(const QString &option) const
{
    if (has(option)) {
        return m_line.values.value(option).constLast();
    }
    const Option *known = command().option(option);
    return known != nullptr ? known->fallback : QString();
}

std::optional<sql::Timestamp> Context::time(const QString &option) const
{
    return has(option) ? timeWithOffset(value(option)) : std::nullopt;
}

sql::Result<std::optional<sql::Timestamp>> Context::timeOrAgo(sql::Session &session, const QString &option) const
{
    const auto length = has(option) ? sql::durationSeconds(value(option)) : std::nullopt;
    if (!length) {
        return time(option);
    }
    TRY(auto now, sql::serverNow(session));
    now.micros -= *length * 1'000'000;
    return std::optional(now);
}

QString Context::target() const
{
    return has(u"target"_s) ? value(u"target"_s) : qEnvironmentVariable("IDEMDESK_TARGET");
}

Context Context::at(const sql::ConnectionSettings &member) const
{
    Context there(*this);
    there.m_member = member;
    there.m_line.values.remove(u"group"_s);
    return there;
}

Result<sql::ConnectionSettings> Context::settings() const
{
    if (m_member) {
        return *m_member;
    }
    sql::ConnectionSettings settings;
    settings.conninfo = has(u"connect"_s) ? value(u"connect"_s) : qEnvironmentVariable("IDEMDESK_CONNECT");
    settings.unverifiedPassword = has(u"unverified-password"_s);
    if (!settings.conninfo.isEmpty()) {
        TRY(models::checkConninfo(settings.conninfo));
    } else {
        static constexpr const char *kVariables[]
            = { "PGSERVICE", "PGHOST", "PGHOSTADDR", "PGDATABASE", "PGPORT", "PGUSER" };
        const bool environment = std::any_of(std::begin(kVariables), std::end(kVariables),
            [](const char *variable) { return qEnvironmentVariableIsSet(variable); });
        if (!environment) {
            const DemoStatus demo = demoStatus();
            if (demo.running) {
                settings.conninfo = demo.conninfo;
            }
        }
    }
    return settings;
}

Result<sql::ConnectionSettings> Context::primarySettings() const
{
    TRY(const auto where, settings());
    return models::primarySettings(where);
}

bool Context::acts(sql::LaneKind lane) const
{
    const bool changesRows = command().watched.isEmpty() && command().option(u"reason"_s) != nullptr;
    return lane == sql::LaneKind::Write || (changesRows && !has(u"dry-run"_s));
}

Result<std::unique_ptr<sql::Session>> Context::connect(sql::LaneKind lane) const
{
    TRY(const auto where, acts(lane) ? primarySettings() : settings());
    sql::Session::Options options;
    options.lane = lane;
    options.readOnly = lane != sql::LaneKind::Write;
    options.applicationName = u"idemdesk ctl"_s;
    options.statementTimeoutMs = 60'000;
    auto session = sql::Session::open(where, options);
    if (!session) {
        return session;
    }
    setServerNow((*session)->facts().serverNow);
    if (acts(lane) && (*session)->facts().standby) {
        return standbyRefusal(**session);
    }
    if ((*session)->facts().standby && !std::exchange(m_standbyTold, true)) {
        note(sql::standbyNote(**session)); // what it has not replayed yet passes for absent
    }
    return session;
}

sql::Result<QString> reportPath(const Context &context)
{
    const QString path = context.value(u"output"_s);
    if (!path.isEmpty() && !models::isReportName(path)) {
        return usageError(Tr::tr("A report is written as HTML, PDF or JSON."),
            Tr::tr("Name a file that ends in .html, .pdf or .json."));
    }
    if (!path.isEmpty() && QFileInfo::exists(path)) {
        return usageError(
            Tr::tr("The file %1 is there already.").arg(path), Tr::tr("Choose another name; nothing is overwritten."));
    }
    return path;
}

bool isRelation(const QString &relation, const QString &written)
{
    const QString whole = QString(relation).remove(u'"');
    const QString name = QString(written).remove(u'"');
    return !name.isEmpty() && (whole == name || whole.section(u'.', -1) == name);
}

std::optional<QString> answerTo(const QString &question)
{
    if (!onTerminal()) {
        return std::nullopt;
    }
    note(question);
    flushOutput();
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly | QIODevice::Text)) {
        return std::nullopt;
    }
    return QString::fromUtf8(input.readLine(1024)).trimmed();
}

Result<sql::Profile> Context::trusted(const QString &file) const
{
    if (m_trusted && m_trusted->first == file) {
        return m_trusted->second;
    }
    if (const auto readable = sql::profileFromFile(file); !readable) {
        return readable;
    }
    // What was shown or named by its hash is what runs, whatever becomes of the file meanwhile.
    QFile opened(file);
    if (!opened.open(QIODevice::ReadOnly)) {
        return makeError(ErrorKind::File, Tr::tr("The profile %1 could not be read.").arg(file), opened.errorString());
    }
    const QByteArray text = opened.readAll();
    const auto profile = sql::profileFromJson(text, QFileInfo(file).fileName());
    if (!profile) {
        return profile;
    }
    TRY(confirm(Tr::tr("The file %1").arg(file), text, models::confirmationText(*profile)));
    m_trusted = { file, *profile };
    return profile;
}

Result<void> Context::confirm(const QString &what, const QByteArray &text, const QString &sql) const
{
    const QString sha = QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex());
    if (values(u"trust"_s).contains(sha, Qt::CaseInsensitive)) {
        return {};
    }
    if (has(u"trust"_s)) {
        return makeError(ErrorKind::Refused, Tr::tr("%1 is not what --trust names.").arg(what),
            Tr::tr("Its SHA-256 is %1.").arg(sha), Tr::tr("Look at what changed before you trust it."));
    }
    note(Tr::tr("%1 runs this SQL:").arg(what));
    note(sql);
    if (answerTo(Tr::tr("Type “yes” to run it:")) != u"yes"_s) {
        return makeError(ErrorKind::Refused, Tr::tr("%1 was not used.").arg(what),
            Tr::tr("It runs in your name, and nobody has confirmed it."),
            Tr::tr("Read the SQL above. To run it: --trust %1").arg(sha));
    }
    return {};
}

Result<void> Context::checkSession(const sql::Session &session) const
{
    if (!m_trusted || !session.facts().superuser) {
        return {};
    }
    return makeError(ErrorKind::Refused, Tr::tr("The SQL of a profile file is not run as a superuser."),
        Tr::tr("“%1” may do anything on this server, and so could the file.").arg(session.facts().user),
        Tr::tr("Connect with a login that may only read the table."));
}

Result<sql::Profile> Context::profileNamed(const QString &nameOrFile) const
{
    if (const auto shipped = sql::shippedProfile(nameOrFile)) {
        return *shipped;
    }
    if (QFileInfo::exists(nameOrFile)) {
        return trusted(nameOrFile);
    }
    QStringList names;
    QList<sql::Profile> meant;
    for (const sql::Profile &profile : sql::offeredProfiles()) {
        names += profile.name;
        if (isRelation(profile.relation, nameOrFile) || profile.title.compare(nameOrFile, Qt::CaseInsensitive) == 0) {
            meant += profile;
        }
    }
    if (meant.size() == 1) {
        return meant.constFirst();
    }
    if (meant.size() > 1) {
        QStringList which;
        for (const sql::Profile &profile : std::as_const(meant)) {
            which += profile.name;
        }
        return usageError(Tr::tr("“%1” means several of the shipped profiles.").arg(nameOrFile),
            Tr::tr("Name one of them: %1.").arg(which.join(u", "_s)));
    }
    const QString near = didYouMean(nameOrFile, names);
    return usageError(Tr::tr("There is no target “%1”.").arg(nameOrFile),
        near.isEmpty() ? Tr::tr("“idemdeskctl detect” proposes profiles for the tables of a database.") : near,
        Tr::tr("It is neither a profile file nor one of the shipped profiles: %1.").arg(names.join(u", "_s)));
}

Result<sql::Profile> Context::profile() const
{
    if (target().isEmpty()) {
        return usageError(Tr::tr("The option --target is missing."),
            Tr::tr("“idemdeskctl targets” lists those that are registered. IDEMDESK_TARGET may name one, too."));
    }
    auto named = profileNamed(target());
    if (named && has(u"relation"_s)) {
        named->relation = value(u"relation"_s);
    }
    return named;
}

} // namespace idemdesk::app
