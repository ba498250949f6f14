// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command_table.h"
#include "app/ctl/context.h"
#include "app/ctl/line/help_text.h"
#include "app/demo/demo.h"
#include "app/translation/translation.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QTemporaryDir>
#include <QThread>
#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <memory>
#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace idemdesk::app;
using idemdesk::Tr;

namespace {

/// What was printed reaches its file only now: a full disk is no success.
int ended(Exit status)
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
        return static_cast<int>(status);
    }
    const int number = printError() != 0 ? printError() : errno;
    if (number == EPIPE) {
        return static_cast<int>(status); // whoever reads has seen enough
    }
    idemdesk::sql::Error error;
    error.kind = idemdesk::sql::ErrorKind::File;
    error.what = Tr::tr("The output is not complete.");
    error.why = number == 0 ? QString() : Tr::tr("Writing it failed: %1.").arg(qt_error_string(number));
    error.todo = Tr::tr("See whether the disk has room. What the command did in the database stands.");
    const Exit failed = fail(error);
    return static_cast<int>(status == Exit::Done || status == Exit::Skipped ? failed : status);
}

Exit once(const Context &context, bool again)
{
    setOutputStyle({ .json = context.json(),
        .wide = context.has(u"wide"_s),
        .verbose = context.has(u"verbose"_s),
        .again = again,
        .columns = context.value(u"columns"_s).split(u',', Qt::SkipEmptyParts) });
    return endOutput(context.command().run(context));
}

/// Again and again, until Ctrl-C ends the program. What fails now may work the next time, but for a line that is wrong.
Exit watched(const Context &context)
{
    for (;;) {
        const Exit status = once(context, true);
        if (status == Exit::Usage || std::ferror(stdout) != 0) {
            return status;
        }
        QThread::sleep(static_cast<unsigned long>(context.number(u"watch"_s)));
    }
}

Exit answered(const QStringList &arguments)
{
    if (arguments == QStringList { u"--version"_s } || arguments == QStringList { u"-v"_s }) {
        print(u"idemdeskctl "_s + QStringLiteral(IDEMDESK_VERSION) + u'\n');
        return Exit::Done;
    }
    setOutputStyle(
        { .json = arguments.contains(u"--json"_s), .columns = {} }); // for what is wrong with the line itself
    const auto line = readCommandLine(commandTable(), arguments);
    if (!line) {
        return endOutput(fail(line.error()));
    }
    if (line->help) {
        print(
            line->command != nullptr ? helpText(*line->command, helpWidth()) : usageText(commandTable(), helpWidth()));
        return endOutput(Exit::Done);
    }
    if (line->command == nullptr) {
        note(usageText(commandTable(), helpWidth()));
        return Exit::Usage;
    }
    const Context context(*line);
    return context.has(u"watch"_s) ? watched(context) : once(context, false);
}

} // namespace

int main(int argc, char **argv)
{
    if (const auto status = runDemoWorkload(argc, argv)) {
        return *status;
    }
    ::umask(077); // what is noted on this computer, and what is exported, is the person's alone
    // A PDF needs fonts, and fonts a QGuiApplication; it needs no display. Everything else starts faster without.
    const bool draws = std::any_of(
        argv + 1, argv + argc, [](const char *argument) { return QByteArrayView(argument).endsWith(".pdf"); });
    std::optional<QTemporaryDir> runtime; // a session without one (cron, su) is warned of it by Qt
    if (draws) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR") && runtime.emplace().isValid()) {
            qputenv("XDG_RUNTIME_DIR", runtime->path().toLocal8Bit());
        }
    }
    const std::unique_ptr<QCoreApplication> application(
        draws ? new QGuiApplication(argc, argv) : new QCoreApplication(argc, argv));
    // libpq's own connect errors are told apart by their English text.
    static_cast<void>(std::setlocale(LC_MESSAGES, "C"));
    installTranslations();
    QCoreApplication::setApplicationName(u"idemdesk"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(IDEMDESK_VERSION));
    return ended(answered(QCoreApplication::arguments().mid(1)));
}
