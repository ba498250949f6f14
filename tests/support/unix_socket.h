// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace idemdesk::tests {

/// A stream socket that listens at this path; a file there is replaced. Failures end the test program.
int listenAt(const QByteArray &path);

/// A stream socket connected to this path, or -1.
int connectAt(const QByteArray &path);

} // namespace idemdesk::tests
