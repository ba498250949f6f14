// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/demo/demo.h"
#include "sql/types/result.h"

#include <QString>
#include <functional>
#include <stop_token>

namespace idemdesk::app {

class PrivateCluster;

/// The demo of two regions: two small private clusters, "eu" and "us", with the keys of one shop. Logical replication
/// takes them from eu to us; the way back is off, and each kind of difference was made by hand. A group file beside
/// them names both. Every function is synchronous and may take seconds.
class DemoRegions
{
public:
    /// folder: of the demo; the clusters lie beside it.
    explicit DemoRegions(const QString &folder, Demo::Life life = Demo::Life::Own);

    /// Makes what is missing and starts what does not run. A start that fails or is stopped leaves nothing running.
    /// progress: gets a sentence at each step.
    sql::Result<void> start(const std::function<void(const QString &)> &progress, const std::stop_token &stop);
    sql::Result<void> stop(); ///< both; not running is a success
    sql::Result<void> destroy(); ///< stops them and removes all of it
    bool running() const; ///< both
    QString groupFile() const { return m_folder + QStringLiteral("-regions.json"); }

private:
    sql::Result<void> startHere(const std::function<void(const QString &)> &progress, const std::stop_token &stop);
    sql::Result<void> startOne(const QString &label, const std::stop_token &stop) const;
    sql::Result<void> makeDatabase(const QString &label) const;
    sql::Result<void> replicate(const std::stop_token &stop) const;
    sql::Result<void> writeGroup() const;
    bool loaded() const;
    QString folderOf(const QString &label) const { return m_folder + u'-' + label; }
    QString conninfo(const QString &label, const QString &database, const QString &role = {}) const;

    QString m_folder;
    bool m_tied = false;
};

} // namespace idemdesk::app
