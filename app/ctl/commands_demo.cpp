// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/json_out.h"
#include "app/demo/demo.h"
#include "app/demo/demo_regions.h"
#include "app/demo/demo_statement.h"
#include "models/format/shell_word.h"
#include "models/keys/private_file.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

/// Of the regions; empty where they do not run.
QString groupFile(const DemoStatus &status)
{
    const DemoRegions regions(status.folder);
    return regions.running() ? regions.groupFile() : QString();
}

QJsonObject jsonOf(const DemoStatus &status)
{
    return {
        { u"running"_s, status.running },
        { u"loaded"_s, status.loaded },
        { u"workload"_s, status.workload },
        { u"folder"_s, status.folder },
        { u"conninfo"_s, status.conninfo },
        { u"server_pid"_s, status.serverPid },
        { u"workload_pid"_s, status.workloadPid },
        { u"cache"_s, textOrNull(status.cache) },
        { u"regions"_s, DemoRegions(status.folder).running() },
        { u"group_file"_s, textOrNull(groupFile(status)) },
    };
}

void report(const Context &context, const DemoStatus &status)
{
    if (context.json()) {
        printJson(jsonOf(status));
        return;
    }
    const QString group = groupFile(status);
    if (!group.isEmpty()) {
        print(Tr::tr("The two regions run. Compare them with: %1")
                  .arg(u"idemdeskctl compare --group %1 --target plpgsql-request"_s.arg(group))
            + u'\n');
    }
    if (!status.running && !group.isEmpty()) {
        return;
    }
    if (!status.running) {
        print(Tr::tr("The demo does not run. “idemdeskctl demo start” starts it.") + u'\n');
        return;
    }
    print(Tr::tr("The demo runs in %1; its services are %2.")
              .arg(status.folder, status.workload ? Tr::tr("at work") : Tr::tr("stopped"))
        + u'\n' + Tr::tr("Connect with: %1").arg(status.conninfo) + u'\n'
        + (status.cache.isEmpty() ? Tr::tr("It has no cache: redis-server is not installed, or does not run.")
                                  : Tr::tr("Its cache: --cache %1").arg(models::shellWord(status.cache)))
        + u'\n');
}

Exit startRegions(const Context &context, const Demo &demo)
{
    DemoRegions regions(demo.status().folder);
    const StopAtSignal interrupt;
    TRY_OR(fail, regions.start([](const QString &step) { note(step); }, interrupt.token()));
    report(context, demo.status());
    return Exit::Done;
}

Exit stopDemo(const Context &context, Demo &demo)
{
    const bool remove = context.has(u"remove"_s);
    DemoRegions regions(demo.status().folder);
    const auto stopped = remove ? regions.destroy() : regions.stop();
    TRY_OR(fail, remove ? demo.destroy() : demo.stop()); // whatever became of the regions
    if (!stopped) {
        return fail(stopped.error());
    }
    if (context.json()) {
        printJson(jsonOf(demo.status()));
    } else {
        print((remove ? Tr::tr("The demo is stopped, and its data is removed.")
                      : Tr::tr("The demo is stopped. “idemdeskctl demo start” goes on with its data."))
            + u'\n');
    }
    return Exit::Done;
}

Exit writeStatement(const Context &context, const Demo &demo)
{
    const DemoStatus status = demo.status();
    const QString path = context.value(u"output"_s);
    if (path.isEmpty()) {
        return misused(Tr::tr("Where to write the statement was not said."), Tr::tr("Add -o FILE."));
    }
    if (!status.running) {
        return fail(sql::makeError(sql::ErrorKind::Unreachable, Tr::tr("The demo does not run."), {},
            Tr::tr("“idemdeskctl demo start” starts it.")));
    }
    TRY_OR(fail, const auto csv, demoStatement(status.conninfo));
    TRY_OR(fail, models::writePrivateFile(path, csv, models::FileThere::Refuse));
    if (context.json()) {
        QJsonObject document = jsonOf(status);
        document.insert(u"statement"_s, path);
        printJson(document);
        return Exit::Done;
    }
    QStringList words { u"idemdeskctl provider"_s, models::shellWord(path), u"--target started-key"_s };
    for (const QString &part : demoStatementMap()) {
        words += u"--map "_s + models::shellWord(part);
    }
    print(Tr::tr("Compare it with: %1").arg(words.join(u' ')) + u'\n');
    return Exit::Done;
}

Exit runDemo(const Context &context)
{
    const QString what = context.positional().value(0);
    Demo demo;
    if (what == u"status"_s) {
        report(context, demo.status());
        return Exit::Done;
    }
    if (what == u"start"_s && context.has(u"regions"_s)) {
        return startRegions(context, demo);
    }
    if (what == u"start"_s) {
        Demo::Options options;
        options.workload = !context.has(u"no-workload"_s);
        options.progress = [said = qsizetype(0)](const QList<DemoStep> &steps) mutable {
            for (; said < steps.size() && steps.at(said).state != DemoStep::State::Waiting; ++said) {
                note(steps.at(said).text);
            }
        };
        const StopAtSignal interrupt;
        options.stop = interrupt.token();
        TRY_OR(fail, const auto started, demo.start(options));
        report(context, started);
        return Exit::Done;
    }
    if (what == u"statement"_s) {
        return writeStatement(context, demo);
    }
    if (what == u"stop"_s) {
        return stopDemo(context, demo);
    }
    return misused(Tr::tr("“%1” is nothing that the demo does.").arg(what));
}

} // namespace

Command demoCommand()
{
    return { .name = u"demo"_s,
        .synopsis = u"start|stop|status|statement"_s,
        .summary = Tr::tr("start, stop or query the private demo cluster"),
        .about = Tr::tr(
            "“start” makes, fills and starts the private demo cluster, and leaves it running with its "
            "services at work.\n\n"
            "With --regions it starts two small databases instead, “eu” and “us”, and writes a group file for "
            "--group. They differ in every way that two regions come to differ.\n\n"
            "“stop” stops the services and all servers.\n\n"
            "“status” says whether the demo runs, and how to connect to it.\n\n"
            "“statement” writes what a provider of charges would send about the last day. It differs from the keys in "
            "every way that a statement can."),
        .arguments = { { u"start|stop|status|statement"_s, Tr::tr("What to do."), 1, 1,
            { u"start"_s, u"stop"_s, u"status"_s, u"statement"_s } } },
        .options = { jsonOption(),
            Option::flag(u"no-workload"_s, Tr::tr("Leave the tables still, without services at work."))
                .with({ u"start"_s }),
            Option::flag(u"regions"_s, Tr::tr("Start two small regions instead, with replication and differences."))
                .with({ u"start"_s }),
            outputOption(Tr::tr("The new file for the statement.")).with({ u"statement"_s }),
            Option::flag(u"remove"_s, Tr::tr("Remove the demo's data, too.")).with({ u"stop"_s }) },
        .examples = { { Tr::tr("Make and start the demo:"), u"demo start"_s },
            { Tr::tr("A provider's statement to try “provider” with:"), u"demo statement -o charges.csv"_s },
            { Tr::tr("Two regions that differ:"), u"demo start --regions"_s },
            { Tr::tr("Stop it and remove its data:"), u"demo stop --remove"_s } },
        .run = runDemo,
        .watched = { u"status"_s },
        .tables = false };
}

} // namespace idemdesk::app
