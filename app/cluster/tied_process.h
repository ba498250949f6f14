// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QString>
#include <QStringList>
#include <functional>
#include <stop_token>

namespace idemdesk::app {

/// A program to run as a child of this process. It is no QProcess: that belongs to one thread and needs its events, and
/// where this process is killed at its fork, the child waits for a word from it for ever, with every lock it inherited.
struct TiedProgram {
    QString program;
    QStringList arguments;
    QStringList environment; ///< "NAME=value"; all of it
    QString output; ///< file that standard output and error are added to, or /dev/null
    /// Runs in the child between fork and exec, before the output is opened: nothing that allocates. It is what ties
    /// the child to the thread that starts it (PR_SET_PDEATHSIG), so that thread must live as long as the child shall.
    std::function<void()> inChild;
};

/// Gives its process id. Standard input is /dev/null and the working directory is "/".
sql::Result<qint64> startTied(const TiedProgram &program);

enum class TiedEnd { Succeeded, Failed, TookTooLong, Stopped };

/// Starts it and waits for its end. After timeoutMs, or asked to stop, it gets SIGTERM and five seconds later SIGKILL.
sql::Result<TiedEnd> runTied(const TiedProgram &program, int timeoutMs, const std::stop_token &stop);

/// Takes note of the end of a child of startTied(), waiting for it at most timeoutMs. False while it still runs; true
/// for any process that is no such child. May be called from any thread.
bool collectTied(qint64 pid, int timeoutMs);

/// Takes note of every such child that ended by itself.
void collectEnded();

} // namespace idemdesk::app
