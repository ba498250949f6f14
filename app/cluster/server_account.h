// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcessEnvironment>

#include <sys/types.h>

namespace idemdesk::app {

/// An account that a private server runs as.
struct ServerAccount {
    uid_t user = 0; ///< 0: there is none, and servers refuse root
    gid_t group = 0;
    QByteArray name;
};

/// This account, or for root an unprivileged one.
ServerAccount serverAccount();

/// In the child between fork and exec: become the account, and get this signal when the parent's thread ends; 0: none.
void become(const ServerAccount &account, int signalWithParent);

/// The environment without what libpq and the server read from it: PGHOSTADDR or PGPORT are meant for other servers.
QProcessEnvironment cleanEnvironment();

/// Whether a process of this number runs; one that ended and was not collected yet does not.
bool processRuns(qint64 pid);

} // namespace idemdesk::app
