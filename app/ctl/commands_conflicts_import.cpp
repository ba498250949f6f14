// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/commands_conflicts.h"
#include "app/ctl/json_out.h"
#include "models/conflicts/conflict_words.h"
#include "models/conflicts/log_sources.h"
#include "models/connection/target_finder.h"
#include "sql/driver/pg_driver.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

const QString kStandardInput = QStringLiteral("-");

volatile std::sig_atomic_t importStopAsked = 0;
int pipeEnds[2] = { -1, -1 };

/// While it lives, the first Ctrl-C ends the reading and what the server does for it; what was stored stands. The
/// second one ends the program.
class StopAtInterrupt
{
public:
    explicit StopAtInterrupt(std::shared_ptr<sql::PgInterrupter> interrupter)
    {
        if (::pipe2(pipeEnds, O_CLOEXEC) != 0) {
            return; // Ctrl-C then ends the program
        }
        struct sigaction action = {};
        action.sa_handler = [](int) {
            importStopAsked = 1;
            [[maybe_unused]] const ssize_t written = ::write(pipeEnds[1], "", 1);
        };
        action.sa_flags = int(SA_RESETHAND); // and not SA_RESTART: waiting for standard input ends, too
        static_cast<void>(::sigaction(SIGINT, &action, nullptr));
        m_canceller = std::thread([interrupter = std::move(interrupter)] {
            sigset_t all;
            ::sigfillset(&all);
            ::pthread_sigmask(SIG_BLOCK, &all, nullptr); // signals are for the thread that waits
            char byte = 0;
            if (::read(pipeEnds[0], &byte, 1) == 1) {
                QString reason;
                interrupter->requestCancel(&reason); // opens a connection, which no signal handler may do
            }
        });
    }
    ~StopAtInterrupt()
    {
        static_cast<void>(std::signal(SIGINT, SIG_DFL));
        if (m_canceller.joinable()) {
            ::close(pipeEnds[1]);
            m_canceller.join();
            ::close(pipeEnds[0]);
        }
    }
    StopAtInterrupt(const StopAtInterrupt &) = delete;
    StopAtInterrupt &operator=(const StopAtInterrupt &) = delete;

private:
    std::thread m_canceller;
};

/// A piece of at least one line, as the log's beginning tells its format.
sql::Result<QByteArray> fromStandardInput()
{
    constexpr qsizetype most = 256 * 1024;
    QByteArray piece;
    while (piece.size() < most && !piece.contains('\n')) {
        QByteArray part(most - piece.size(), Qt::Uninitialized);
        const ssize_t count = ::read(STDIN_FILENO, part.data(), std::size_t(part.size()));
        if (count < 0 && errno == EINTR) {
            if (importStopAsked != 0) {
                return models::readingCancelled(kStandardInput);
            }
            continue;
        }
        if (count < 0) {
            return sql::makeError(
                sql::ErrorKind::File, Tr::tr("Standard input cannot be read."), qt_error_string(errno));
        }
        if (count == 0) {
            break;
        }
        piece += part.first(count);
    }
    return piece;
}

sql::Result<models::LogFileOptions> optionsOf(const Context &context)
{
    models::LogFileOptions options;
    const QString name = context.value(u"format"_s);
    const std::pair<QString, models::LogFormat> formats[]
        = { { u"csv"_s, models::LogFormat::Csv }, { u"json"_s, models::LogFormat::Json },
              { u"stderr"_s, models::LogFormat::Stderr }, { u"application"_s, models::LogFormat::Application } };
    for (const auto &[text, format] : formats) {
        if (text == name) {
            options.format = format;
        }
    }
    if (!name.isEmpty() && !options.format) {
        return usageError(Tr::tr("“%1” is not a format of a log.").arg(name),
            Tr::tr("Use csv, json, stderr or application; without --format the log's beginning tells."));
    }
    TRY(options.mapping, models::mappingFrom(context.values(u"map"_s)));
    options.cancelled = [] { return importStopAsked != 0; };
    return options;
}

struct Source {
    QString name; ///< as it was given
    std::function<sql::Result<models::LogInput>(sql::Session &)> open;
};

sql::Result<QList<Source>> sourcesOf(const Context &context)
{
    QList<Source> sources;
    const auto addServerLog = [&sources](const QString &name) {
        sources += Source { name, [name](sql::Session &session) { return models::serverLog(session, name); } };
    };
    if (context.has(u"server"_s)) {
        addServerLog({});
    }
    for (const QString &name : context.values(u"server-log"_s)) {
        addServerLog(name);
    }
    for (const QString &path : context.positional().mid(1)) {
        if (path == kStandardInput) {
            sources += Source { path, [](sql::Session &) {
                                   return sql::Result<models::LogInput>(
                                       models::LogInput { Tr::tr("standard input"), 0, fromStandardInput, {} });
                               } };
            continue;
        }
        TRY(const auto files, models::logFilesOf(path));
        for (const QString &file : files) {
            sources += Source { file, [file](sql::Session &) { return models::logFile(file); } };
        }
    }
    if (sources.isEmpty()) {
        return usageError(Tr::tr("No log was named."),
            Tr::tr("Use “idemdeskctl conflicts import FILE…”, where FILE is a log, a folder of logs or “-” for "
                   "standard input; or --server for the server's own."));
    }
    return sources;
}

QJsonObject jsonOf(const QString &name, const models::ImportCounts &counts)
{
    QJsonArray unread;
    for (const models::UnreadLine &line : counts.log.unreadKept) {
        unread.append(QJsonObject { { u"line"_s, line.line }, { u"text"_s, line.text } });
    }
    return { { u"file"_s, name }, { u"lines"_s, counts.log.lines }, { u"understood"_s, counts.log.records },
        { u"unread"_s, counts.log.unread }, { u"conflicts"_s, counts.conflicts }, { u"replays"_s, counts.replays },
        { u"other_databases"_s, counts.elsewhere }, { u"database_not_named"_s, counts.unplaced },
        { u"without_sqlstate"_s, counts.log.stateless }, { u"keys_found"_s, counts.found }, { u"new"_s, counts.stored },
        { u"unread_lines"_s, unread }, { u"notes"_s, QJsonArray::fromStringList(counts.notSearched) } };
}

void say(const QString &name, const models::ImportCounts &counts)
{
    const QString text = Tr::tr("%1: %2 line(s). Records understood: %3, not: %4. %5 told of a key, %6 of them new.",
        nullptr, int(std::min<qint64>(counts.log.lines, INT_MAX)))
                             .arg(name)
                             .arg(counts.log.lines)
                             .arg(counts.log.records)
                             .arg(counts.log.unread)
                             .arg(counts.conflicts + counts.replays)
                             .arg(counts.stored);
    print((QStringList { text } + models::importInWords(counts)).join(u' ') + u'\n');
    for (const QString &sentence : counts.notSearched) {
        note(sentence);
    }
}

} // namespace

QList<Option> importOptions()
{
    const QStringList import { u"import"_s };
    return {
        Option::word(u"format"_s, { u"csv"_s, u"json"_s, u"stderr"_s, u"application"_s },
            Tr::tr("How the log is written; else its first lines decide."))
            .with(import),
        Option::flag(u"server"_s, Tr::tr("The log that the server writes now, read through the connection."))
            .with(import),
        Option::text(u"server-log"_s, Tr::tr("NAME"), Tr::tr("This file in the server's log folder."))
            .with(import)
            .manyTimes(),
        Option::text(u"map"_s, Tr::tr("NAME=POINTER"),
            Tr::tr(
                "For services' logs: where a line has its key, key_hash, scope, outcome, incoming_hash, existing_hash, "
                "time or message, such as key=/request/id."))
            .with(import)
            .manyTimes(),
    };
}

Exit importLogs(const Context &context)
{
    TRY_OR(fail, const auto options, optionsOf(context));
    TRY_OR(fail, const auto sources, sourcesOf(context));
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    TRY_OR(fail, const auto found, models::findTargets(*session, {}));
    QList<sql::Target> targets;
    for (const models::TargetEntry &entry : found.targets) {
        targets += entry.target;
    }
    bool notLooked = false; // in all tables for the keys that logs do not name, or into a log that nobody understands
    const StopAtInterrupt stop(session->interrupter());
    QJsonArray items;
    bool keptHere = false;
    bool skipped = false;
    for (const Source &source : sources) {
        TRY_OR(fail, const auto input, source.open(*session));
        TRY_OR(fail, auto counts,
            models::importConflicts(
                *session, placeOfConflicts(*session), input, targets, options, found.problems.isEmpty()));
        keptHere = counts.keptHere;
        skipped = skipped || counts.log.unread > 0;
        if (counts.conflicts + counts.replays > 0) {
            counts.notSearched += models::problemTexts(found.problems);
        }
        if (counts.log.lines > 0 && counts.log.records == 0) {
            counts.notSearched
                += Tr::tr("Nothing in it was understood, so it tells nothing. --format names what kind of log it is.");
        }
        notLooked = notLooked || !counts.notSearched.isEmpty();
        const QString name = source.name.isEmpty() ? counts.name : source.name;
        items.append(jsonOf(name, counts));
        if (!context.json()) {
            say(name, counts);
        }
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() },
            { u"kept"_s, keptHere ? u"this computer"_s : u"database"_s } });
    } else if (keptHere) {
        note(Tr::tr("The console schema is not installed in this database, so this is kept on this computer."));
    }
    return notLooked ? Exit::Unknown : skipped ? Exit::Skipped : Exit::Done;
}

} // namespace idemdesk::app
