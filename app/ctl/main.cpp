// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/demo/demo.h"
#include "app/translation/translation.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QGuiApplication>
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

struct Entry {
    QString name;
    Exit (*run)(const QStringList &);
    QString summary;
};

QList<Entry> entries()
{
    return {
        { u"detect"_s, runDetect, Tr::tr("find tables that look like targets, and propose a profile for each") },
        { u"targets"_s, runTargets, Tr::tr("registered targets; check a profile, register or take out a target") },
        { u"keys"_s, runKeys, Tr::tr("list keys, a page at a time") },
        { u"show"_s, runShow, Tr::tr("show one key with its story") },
        { u"scopes"_s, runScopes, Tr::tr("scopes by states, with counts; or how often their keys were tried") },
        { u"export"_s, runExport, Tr::tr("write all keys that match to a file, as CSV or JSON Lines") },
        { u"triage"_s, runTriage, Tr::tr("stale keys: is somebody still at it, did the effect happen, what to do") },
        { u"recover"_s, runRecover, Tr::tr("free stale keys, as the triage proposes") },
        { u"requeue"_s, runRequeue, Tr::tr("let poison messages and failed events be tried again") },
        { u"reclassify"_s, runReclassify, Tr::tr("correct the state of keys that failed for good by mistake") },
        { u"purge"_s, runPurge, Tr::tr("remove finished keys past their retention") },
        { u"partitions"_s, runPartitions, Tr::tr("partitions that may go whole; detach, attach or drop one") },
        { u"actions"_s, runActions, Tr::tr("the history of actions; show, pause, resume, cancel, undo one") },
        { u"requests"_s, runRequests, Tr::tr("actions that wait for another person") },
        { u"approve"_s, runApprove, Tr::tr("approve or decline a request") },
        { u"conflicts"_s, runConflicts, Tr::tr("keys that came again with another request; import logs that tell of them") },
        { u"complaint"_s, runComplaint, Tr::tr("intents that a complaint may mean: by key, customer, result, time, amount or text") },
        { u"case"_s, runCase, Tr::tr("a case file about one or several keys: verdict, story and evidence, as HTML, PDF or JSON") },
        { u"duplicates"_s, runDuplicates, Tr::tr("intents that look repeated under different keys") },
        { u"diff"_s, runDiff, Tr::tr("compare two payloads, and say which recipe makes a fingerprint") },
        { u"recipe"_s, runRecipe, Tr::tr("check a recipe for fingerprints against stored rows, and save it in the profile") },
        { u"trends"_s, runTrends, Tr::tr("what happened over time, as series of a metric") },
        { u"sample"_s, runSample, Tr::tr("take one trend sample of each registered target, for cron") },
        { u"check"_s, runCheck, Tr::tr("the health report: review checklists answered from the live database") },
        { u"metrics"_s, runMetrics, Tr::tr("how the registered targets are now, in Prometheus' text format") },
        { u"activity"_s, runActivity, Tr::tr("sessions and locks on the targets") },
        { u"console"_s, runConsole, Tr::tr("install, watch or remove the console's own schema") },
        { u"audit"_s, runAudit, Tr::tr("the trail of actions; verify, anchor or export it") },
        { u"safety"_s, runSafety, Tr::tr("what the console can hold, what is found afterwards, and what nobody can hold") },
        { u"demo"_s, runDemo, Tr::tr("start, stop or query the private demo cluster") },
    };
}

QString usage()
{
    QString text = Tr::tr("Usage: idemdeskctl COMMAND [OPTION…]\n\nCommands:\n");
    for (const Entry &entry : entries()) {
        text += u"  "_s + entry.name.leftJustified(12) + entry.summary + u'\n';
    }
    return text
        + Tr::tr("\n“idemdeskctl COMMAND --help” explains a command.\n"
            "Exit status: 0 done, 1 failed, 2 usage, 3 refused by policy or privilege, 4 finished with rows skipped, 5 cannot be known: nothing was looked at, or not all.\n");
}

/// What was printed reaches its file only now: a full disk is no success.
int ended(Exit status)
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
        return static_cast<int>(status);
    }
    const QString why = qt_error_string(errno);
    idemdesk::sql::Error error;
    error.kind = idemdesk::sql::ErrorKind::File;
    error.what = Tr::tr("The output is not complete.");
    error.why = Tr::tr("Writing it failed: %1.").arg(why);
    error.todo = Tr::tr("See whether the disk has room. What the command did in the database stands.");
    const Exit failed = fail(error);
    return static_cast<int>(status == Exit::Done || status == Exit::Skipped ? failed : status);
}

} // namespace

int main(int argc, char **argv)
{
    if (const auto status = runDemoWorkload(argc, argv)) {
        return *status;
    }
    ::umask(077); // what is noted on this computer, and what is exported, is the person's alone
    // A PDF needs fonts, and fonts a QGuiApplication; it needs no display. Everything else starts faster without.
    const bool draws = std::any_of(argv + 1, argv + argc, [](const char *argument) { return QByteArrayView(argument).endsWith(".pdf"); });
    if (draws) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const std::unique_ptr<QCoreApplication> application(draws ? new QGuiApplication(argc, argv) : new QCoreApplication(argc, argv));
    // libpq's own connect errors are told apart by their English text.
    static_cast<void>(std::setlocale(LC_MESSAGES, "C"));
    installTranslations();
    QCoreApplication::setApplicationName(u"idemdesk"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(IDEMDESK_VERSION));
    QStringList arguments = QCoreApplication::arguments();
    arguments.removeFirst();
    if (arguments.isEmpty()) {
        note(usage());
        return static_cast<int>(Exit::Usage);
    }
    const QString word = arguments.takeFirst();
    if (word == u"--help"_s || word == u"-h"_s || word == u"help"_s) {
        print(usage());
        return ended(Exit::Done);
    }
    if (word == u"--version"_s || word == u"-v"_s) {
        print(u"idemdeskctl "_s + QStringLiteral(IDEMDESK_VERSION) + u'\n');
        return ended(Exit::Done);
    }
    const auto all = entries();
    for (const Entry &entry : all) {
        if (entry.name == word) {
            return ended(entry.run(arguments));
        }
    }
    note(Tr::tr("“%1” is no command of idemdeskctl.").arg(word));
    note(usage());
    return static_cast<int>(Exit::Usage);
}
