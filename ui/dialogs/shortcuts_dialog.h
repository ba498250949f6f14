// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace idemdesk::ui {

/// Every shortcut of the window in one table.
class ShortcutsDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit ShortcutsDialog(QWidget *parent = nullptr);
};

} // namespace idemdesk::ui
