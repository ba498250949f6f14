// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "app/demo/demo.h"
#include "sql/types/tr.h"

#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

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
    };
}

void report(const Context &context, const DemoStatus &status)
{
    if (context.json()) {
        printJson(jsonOf(status));
        return;
    }
    if (!status.running) {
        print(Tr::tr("The demo does not run. “idemdeskctl demo start” starts it.") + u'\n');
        return;
    }
    print(Tr::tr("The demo runs in %1; its services are %2.")
              .arg(status.folder, status.workload ? Tr::tr("at work") : Tr::tr("stopped"))
        + u'\n' + Tr::tr("Connect with: %1").arg(status.conninfo) + u'\n');
}

/// Asks a start to stop at Ctrl-C (SIGINT) or SIGTERM, while it lives. A second signal ends the program at once.
class DemoInterrupt
{
public:
    DemoInterrupt()
    {
        if (pipe2(s_pipe, O_CLOEXEC) != 0) {
            return; // a signal then ends the program, and the next start makes anew what this one left
        }
        m_thread = std::thread([this] {
            char word = 0;
            if (::read(s_pipe[0], &word, 1) == 1 && word == kStop) {
                m_stop.request_stop();
            }
        });
        std::signal(SIGINT, onSignal);
        std::signal(SIGTERM, onSignal);
    }
    ~DemoInterrupt()
    {
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
        if (m_thread.joinable()) {
            tell(kEnd);
            m_thread.join();
            ::close(s_pipe[0]);
            ::close(s_pipe[1]);
        }
    }
    DemoInterrupt(const DemoInterrupt &) = delete;
    DemoInterrupt &operator=(const DemoInterrupt &) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

private:
    static constexpr char kStop = 's';
    static constexpr char kEnd = 'e';

    static void tell(char word) { [[maybe_unused]] const ssize_t written = ::write(s_pipe[1], &word, 1); }
    /// Only what a signal handler may do.
    static void onSignal(int signal)
    {
        tell(kStop);
        std::signal(signal, SIG_DFL);
    }

    inline static int s_pipe[2] = { -1, -1 };
    std::stop_source m_stop;
    std::thread m_thread;
};

Exit runDemo(const Context &context)
{
    const QString what = context.positional().value(0);
    Demo demo;
    if (what == u"status"_s) {
        report(context, demo.status());
        return Exit::Done;
    }
    if (what == u"start"_s) {
        Demo::Options options;
        options.workload = !context.has(u"no-workload"_s);
        options.progress = [said = qsizetype(0)](const QList<DemoStep> &steps) mutable {
            for (; said < steps.size() && steps.at(said).state != DemoStep::State::Waiting; ++said) {
                note(steps.at(said).text);
            }
        };
        const DemoInterrupt interrupt;
        options.stop = interrupt.token();
        TRY_OR(fail, const auto started, demo.start(options));
        report(context, started);
        return Exit::Done;
    }
    if (what == u"stop"_s) {
        TRY_OR(fail, context.has(u"remove"_s) ? demo.destroy() : demo.stop());
        report(context, demo.status());
        return Exit::Done;
    }
    return misused(Tr::tr("“%1” is nothing that the demo does.").arg(what));
}

} // namespace

Command demoCommand()
{
    return { .name = u"demo"_s,
        .synopsis = u"start|stop|status"_s,
        .summary = Tr::tr("start, stop or query the private demo cluster"),
        .about = Tr::tr("“start” makes, fills and starts the private demo cluster, and leaves it running with its "
                        "services at work.\n\n"
                        "“stop” stops the services and the server.\n\n"
                        "“status” says whether the demo runs, and how to connect to it."),
        .arguments
        = { { u"start|stop|status"_s, Tr::tr("What to do."), 1, 1, { u"start"_s, u"stop"_s, u"status"_s } } },
        .options = { jsonOption(),
            Option::flag(u"no-workload"_s, Tr::tr("Leave the tables still, without services at work."))
                .with({ u"start"_s }),
            Option::flag(u"remove"_s, Tr::tr("Remove the demo's data, too.")).with({ u"stop"_s }) },
        .examples = { { Tr::tr("Make and start the demo:"), u"demo start"_s },
            { Tr::tr("Stop it and remove its data:"), u"demo stop --remove"_s } },
        .run = runDemo,
        .watched = { u"status"_s },
        .tables = false };
}

} // namespace idemdesk::app
