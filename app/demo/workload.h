// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::app {

/// First argument of a process that is the demo's services; the folder and the process it is tied to (or 0) follow.
inline constexpr char kWorkloadWord[] = "--demo-workload";

/// Process id of the services at work on this demo, or 0. It is who holds the lock on a file there: never out of date.
qint64 workloadPid(const QString &folder);

} // namespace idemdesk::app
