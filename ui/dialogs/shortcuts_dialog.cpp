// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/shortcuts_dialog.h"

#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/table_setup.h"

#include <QKeySequence>
#include <QTableWidget>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

struct Shortcut {
    QString place;
    QKeySequence keys;
    QString effect;
};

constexpr int kShortcutsWidth = 160 * kGrid;
constexpr int kColumnWidth = 30 * kGrid;
constexpr int kShortcutsHeight = 128 * kGrid;

/// In the order a person meets them; the texts name effects, not menu entries.
QList<Shortcut> shortcuts()
{
    const QString everywhere = ShortcutsDialog::tr("Everywhere");
    const QString keys = ShortcutsDialog::tr("Keys");
    return {
        { everywhere, Qt::CTRL | Qt::Key_O, ShortcutsDialog::tr("Connect to a database.") },
        { everywhere, Qt::CTRL | Qt::Key_N, ShortcutsDialog::tr("Add a table.") },
        { everywhere, Qt::CTRL | Qt::Key_1, ShortcutsDialog::tr("Go to Incident.") },
        { everywhere, Qt::CTRL | Qt::Key_2, ShortcutsDialog::tr("Go to Keys.") },
        { everywhere, Qt::CTRL | Qt::Key_3, ShortcutsDialog::tr("Go to Recovery.") },
        { everywhere, Qt::CTRL | Qt::Key_5, ShortcutsDialog::tr("Go to Complaints.") },
        { everywhere, Qt::CTRL | Qt::Key_8, ShortcutsDialog::tr("Go to Activity.") },
        { everywhere, Qt::Key_F5, ShortcutsDialog::tr("Refresh the page.") },
        { everywhere, Qt::Key_F1, ShortcutsDialog::tr("Help for this page or dialog.") },
        { everywhere, Qt::SHIFT | Qt::Key_F1, ShortcutsDialog::tr("What this field is for.") },
        { everywhere, Qt::Key_Question, ShortcutsDialog::tr("Show this table.") },
        { everywhere, QKeySequence::Quit, ShortcutsDialog::tr("Quit.") },
        { keys, Qt::CTRL | Qt::Key_L, ShortcutsDialog::tr("Go to the filter.") },
        { keys, Qt::Key_Slash, ShortcutsDialog::tr("The same, from anywhere but a field.") },
        { keys, Qt::Key_Escape,
            ShortcutsDialog::tr("In the filter: back to the table; in the table: stop what is running.") },
        { keys, Qt::Key_Return, ShortcutsDialog::tr("In the filter: apply it at once.") },
        { keys, Qt::CTRL | Qt::Key_J, ShortcutsDialog::tr("Jump to a time or a row.") },
        { keys, Qt::CTRL | Qt::Key_D, ShortcutsDialog::tr("Show or hide the detail.") },
        { keys, Qt::Key_Space, ShortcutsDialog::tr("In the table: show or hide the detail.") },
        { keys, QKeySequence::Copy, ShortcutsDialog::tr("Copy the selected rows.") },
        { keys, Qt::CTRL | Qt::Key_E, ShortcutsDialog::tr("Export all that matches.") },
        { keys, Qt::CTRL | Qt::Key_Period, ShortcutsDialog::tr("Stop what is running.") },
    };
}

} // namespace

ShortcutsDialog::ShortcutsDialog(QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"shortcutsDialog"_s);
    setWindowTitle(tr("Shortcuts"));
    setAccessibleName(windowTitle());
    QList<QStringList> rows;
    for (const Shortcut &shortcut : shortcuts()) {
        if (!shortcut.keys.isEmpty()) { // else a standard key that this desktop has not
            rows.append(
                QStringList { shortcut.place, shortcut.keys.toString(QKeySequence::NativeText), shortcut.effect });
        }
    }
    QTableWidget *table = textTable({ u"shortcutsTable"_s, tr("Shortcuts"), nullptr, { kColumnWidth, kColumnWidth } },
        { tr("Where"), tr("Keys"), tr("Effect") }, rows, kRowHeight, this);
    table->setCurrentCell(0, 0);
    auto *buttons = new ButtonRow(this);
    buttons->setDefault(buttons->addStay(u"shortcutsClose"_s, tr("Close")));
    auto *layout = dialogColumn(this);
    layout->setSpacing(3 * kGrid);
    layout->addWidget(table, 1);
    layout->addWidget(buttons);
    resize(kShortcutsWidth, kShortcutsHeight);
}

} // namespace idemdesk::ui
