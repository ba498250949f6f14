// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace idemdesk::models {
class CaseController;
}

namespace idemdesk::ui {

/// The case of one key, opened from its detail pane.
class CaseDialog final : public QDialog
{
    Q_OBJECT

public:
    /// The controller becomes the dialog's own; it reads already.
    explicit CaseDialog(models::CaseController *controller, QWidget *parent = nullptr);
};

} // namespace idemdesk::ui
