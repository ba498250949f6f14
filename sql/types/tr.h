// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace idemdesk {

/// Translates the texts of code that is no QObject: Tr::tr("…"). One context for all, so that no file needs its own.
struct Tr {
    Q_DECLARE_TR_FUNCTIONS(Tr)
};

} // namespace idemdesk
