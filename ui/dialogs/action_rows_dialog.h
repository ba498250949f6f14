// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace idemdesk::models {
class ActionRows;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

/// What became of each row of an action.
class ActionRowsDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Takes the model over.
    ActionRowsDialog(
        models::ActionRows *rows, const QString &title, models::Settings *settings, QWidget *parent = nullptr);
};

} // namespace idemdesk::ui
