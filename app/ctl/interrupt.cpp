// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/interrupt.h"

#include "app/ctl/out/output.h"

#include <QSocketNotifier>
#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace idemdesk::app {

namespace {

int sockets[2] = { -1, -1 };

/// Only what a signal handler may do: write(), and the default action for the next time.
void onSignal(int signal)
{
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(sockets[0], &byte, 1);
    std::signal(signal, SIG_DFL);
}

constexpr char kStopWord = 's';
constexpr char kEndWord = 'e';

int words[2] = { -1, -1 };

void tellWaiting(char word)
{
    [[maybe_unused]] const ssize_t written = ::write(words[1], &word, 1);
}

/// Only what a signal handler may do.
void onStopSignal(int signal)
{
    tellWaiting(kStopWord);
    std::signal(signal, SIG_DFL);
}

} // namespace

Interrupt::Interrupt(std::function<void()> handler, QObject *parent)
    : QObject(parent)
    , m_handler(std::move(handler))
    , m_notifier(nullptr)
{
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets) != 0) {
        return; // Ctrl-C then ends the program; the server keeps the action, and another call resumes or cancels it
    }
    m_notifier = new QSocketNotifier(sockets[1], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        while (::read(sockets[1], &byte, 1) == 1) { }
        m_handler();
    });
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
}

Interrupt::~Interrupt()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    for (int &socket : sockets) {
        if (socket >= 0) {
            ::close(socket);
        }
        socket = -1;
    }
}

StopAtSignal::StopAtSignal(const QString &told)
{
    if (::pipe2(words, O_CLOEXEC) != 0) {
        return; // a signal then ends the program
    }
    m_thread = std::thread([this, told] {
        char word = 0;
        if (::read(words[0], &word, 1) == 1 && word == kStopWord) {
            m_stop.request_stop();
            if (!told.isEmpty()) {
                note(told);
            }
        }
    });
    std::signal(SIGINT, onStopSignal);
    std::signal(SIGTERM, onStopSignal);
}

StopAtSignal::~StopAtSignal()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (m_thread.joinable()) {
        tellWaiting(kEndWord);
        m_thread.join();
        ::close(words[0]);
        ::close(words[1]);
    }
}

} // namespace idemdesk::app
