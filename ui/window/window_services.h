// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::models {
class ConnectionController;
class GroupStore;
class SavedConnections;
class SecretStore;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

/// What the window works with; all of it outlives the window.
struct WindowServices {
    models::ConnectionController *connection = nullptr;
    models::SavedConnections *saved = nullptr;
    models::SecretStore *secrets = nullptr;
    models::Settings *settings = nullptr;
    QString libpqVersion; ///< for the About dialog
    QString actionJournal; ///< file that remembers what was asked of servers
    QString anchors; ///< file with the newest row of each trail this computer has seen
    QString localSamples; ///< file with samples of tables that are not registered; empty: none are taken
    QString localConflicts; ///< file with what logs told of databases without the console schema
    bool takeUp = true; ///< the first connection shows what its person looked at last
    models::GroupStore *groups = nullptr; ///< null: this window opens no group
};

} // namespace idemdesk::ui
