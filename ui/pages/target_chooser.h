// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QComboBox;

namespace idemdesk::sql {
struct Profile;
}

namespace idemdesk::ui {

/// A chooser of tables that takes the room there is and no more, however long the names are; the list it drops shows
/// them whole.
void setUpTargetChooser(QComboBox *chooser);
/// One table by its name in the database and its title, with the profile's name as data.
void addTarget(QComboBox *chooser, const sql::Profile &profile);

} // namespace idemdesk::ui
