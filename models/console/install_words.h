// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/install_rights.h"

#include <QStringList>

namespace idemdesk::models {

/// What an installation or an upgrade makes and what it leaves alone, as sentences; of the newest version, what is
/// there.
struct InstallContents {
    QString madeTitle;
    QStringList made;
    QStringList kept;
    QString run; ///< how: in one transaction
};
/// installedVersion: 0 where nothing is installed.
InstallContents installContents(int installedVersion, int newestVersion);

/// One right that is needed, and what gives it.
struct InstallCheck {
    bool there = false;
    QString sentence; ///< safe to show
    QString statement; ///< what an administrator runs, with its semicolon; empty where none helps
};
QList<InstallCheck> installChecks(const sql::InstallRights &rights, int installedVersion);
QString missingStatements(const QList<InstallCheck> &checks); ///< a line each; empty where nothing is missing

} // namespace idemdesk::models
