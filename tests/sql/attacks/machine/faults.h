// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace idemdesk::tests::machine {

/// Faults that the machine must find: each takes one check out of the installed schema. The guard is told
/// that this is how it was installed, so that only the behaviour can give it away.
QStringList faultNames();
/// SQL that plants it, as superuser; it raises where the check is not there any more. "nothing" plants none and only
/// tells the guard anew. Empty for an unknown name.
QString faultSql(const QString &name);

} // namespace idemdesk::tests::machine
