// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/palette/palette_model.h"

#include <QObject>

namespace idemdesk::models {
class Settings;
struct SavedView;
} // namespace idemdesk::models

namespace idemdesk::ui {

class CommandList;
class MainWindow;

/// What the command palette offers of a window, and what becomes of the choice.
class PaletteSource final : public QObject
{
    Q_OBJECT

public:
    PaletteSource(MainWindow *window, CommandList *commands, models::Settings *settings);

    void open(); ///< a palette over the window
    /// As they are now: an action that cannot run is none of them. What was taken last from here stands first.
    QList<models::PaletteEntry> entries() const;

private:
    void take(const models::PaletteEntry &entry);
    void remember(const models::PaletteEntry &entry);
    void bringRecent(QList<models::PaletteEntry> *entries) const;
    void addPages(QList<models::PaletteEntry> *entries) const;
    void addTables(QList<models::PaletteEntry> *entries) const;
    void addActions(QList<models::PaletteEntry> *entries) const;
    QList<models::SavedView> views() const; ///< in the order of their entries

    MainWindow *m_window;
    CommandList *m_commands;
    models::Settings *m_settings;
};

} // namespace idemdesk::ui
