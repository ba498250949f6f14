// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/shortcuts_dialog.h"

#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QDialogButtonBox>
#include <QGridLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ShortcutsDialog::ShortcutsDialog(QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"shortcutsDialog"_s);
    setWindowTitle(tr("Shortcuts"));
    const std::pair<QString, QString> entries[] = {
        { tr("Ctrl+1, Ctrl+2, Ctrl+7"), tr("Overview, Keys, Activity") },
        { tr("Ctrl+L"), tr("Go to the filter") },
        { tr("Enter"), tr("Apply the filter at once; on a count: show those keys") },
        { tr("Esc"), tr("From the filter to the table; in the table: stop what is running") },
        { tr("Space"), tr("Show or hide the detail") },
        { tr("F5"), tr("Refresh") },
        { tr("Ctrl+J"), tr("Jump to a time or a row") },
        { tr("Ctrl+C"), tr("Copy the selected keys as a table") },
        { tr("Ctrl+E"), tr("Export all that matches") },
        { tr("Ctrl+O"), tr("Connect") },
        { tr("Ctrl+N"), tr("Add a table") },
        { tr("F1"), tr("This sheet") },
    };
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(6 * kGrid);
    grid->setVerticalSpacing(kGrid);
    int row = 0;
    for (const auto &[keys, meaning] : entries) {
        auto *label = plainLabel(keys, this);
        label->setFont(Theme::monospace());
        grid->addWidget(label, row, 0);
        grid->addWidget(plainLabel(meaning, this), row++, 1);
    }
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(3 * kGrid);
    layout->addLayout(grid);
    layout->addWidget(buttons);
}

} // namespace idemdesk::ui
