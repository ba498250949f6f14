// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/interrupt.h"

#include "app/ctl/out/output.h"

#include <QSocketNotifier>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace idemdesk::app {

namespace {

constexpr char kSignalWord = 's';
constexpr char kEndWord = 'e';

int ends[2] = { -1, -1 }; // of the pipe by which the handler tells: what reads, what writes

void tell(char word)
{
    [[maybe_unused]] const ssize_t written = ::write(ends[1], &word, 1);
}

/// Only what a signal handler may do: write(), and the default action for the next time.
void onSignal(int signal)
{
    tell(kSignalWord);
    std::signal(signal, SIG_DFL);
}

/// Takes the signals; false: none is taken, and a signal ends the program.
bool listen(int flags)
{
    if (::pipe2(ends, O_CLOEXEC | flags) != 0) {
        return false;
    }
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
    return true;
}

void leaveSignals()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

void closeEnds()
{
    for (int &end : ends) {
        if (end >= 0) {
            ::close(end);
        }
        end = -1;
    }
}

} // namespace

Interrupt::Interrupt(std::function<void()> handler, QObject *parent)
    : QObject(parent)
    , m_handler(std::move(handler))
    , m_notifier(nullptr)
{
    if (!listen(O_NONBLOCK)) {
        return; // Ctrl-C then ends the program; the server keeps the action, and another call resumes or cancels it
    }
    m_notifier = new QSocketNotifier(ends[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        while (::read(ends[0], &byte, 1) == 1) { }
        m_handler();
    });
}

Interrupt::~Interrupt()
{
    leaveSignals();
    delete m_notifier; // before what it looks at is closed
    closeEnds();
}

StopAtSignal::StopAtSignal(const QString &told)
{
    if (!listen(0)) {
        return;
    }
    m_thread = std::thread([this, told] {
        char word = 0;
        if (::read(ends[0], &word, 1) == 1 && word == kSignalWord) {
            m_stop.request_stop();
            if (!told.isEmpty()) {
                note(told);
            }
        }
    });
}

StopAtSignal::~StopAtSignal()
{
    leaveSignals();
    if (m_thread.joinable()) {
        tell(kEndWord);
        m_thread.join();
    }
    closeEnds();
}

} // namespace idemdesk::app
