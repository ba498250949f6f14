// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/out/terminal.h"

#include <QProcess>
#include <csignal>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kUsualWidth = 80;
constexpr int kUsualHeight = 24;
constexpr int kLeastWidth = 40; // below this nothing can be fitted

} // namespace

const Terminal &Terminal::instance()
{
    static const Terminal terminal;
    return terminal;
}

Terminal::Terminal()
    : m_isTerminal(::isatty(STDOUT_FILENO) != 0)
    , m_colours(m_isTerminal && qEnvironmentVariableIsEmpty("NO_COLOR") && qgetenv("TERM") != "dumb")
    , m_height(kUsualHeight)
{
    winsize size {};
    if (::isatty(STDERR_FILENO) != 0) {
        const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= kLeastWidth;
        m_noteWidth = known ? size.ws_col : kUsualWidth;
    }
    if (m_isTerminal) {
        const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
        m_width = known ? size.ws_col : kUsualWidth;
        m_height = known && size.ws_row > 0 ? size.ws_row : kUsualHeight;
    }
    bool number = false;
    const int asked = qEnvironmentVariableIntValue("COLUMNS", &number);
    if (number && asked >= kLeastWidth) {
        m_width = asked;
    }
}

bool page(const QByteArray &text)
{
    const Terminal &terminal = Terminal::instance();
    const QString pager = qEnvironmentVariableIsSet("PAGER") ? qEnvironmentVariable("PAGER") : u"less"_s;
    if (!terminal.isTerminal() || pager.trimmed().isEmpty() || text.count('\n') < terminal.height()) {
        return false;
    }
    static_cast<void>(std::fflush(stdout));
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!environment.contains(u"LESS"_s)) {
        environment.insert(u"LESS"_s, u"FRSX"_s); // as git asks for it: colours, and long lines cut
    }
    process.setProcessEnvironment(environment);
    process.start(u"/bin/sh"_s, { u"-c"_s, u"exec "_s + pager });
    if (!process.waitForStarted()) {
        return false;
    }
    const auto before = std::signal(SIGINT, SIG_IGN); // Ctrl-C is the pager's while it is there
    process.write(text);
    process.closeWriteChannel();
    process.waitForFinished(-1);
    static_cast<void>(std::signal(SIGINT, before));
    constexpr int kNotFound = 127;
    return process.exitCode() != kNotFound;
}

} // namespace idemdesk::app
