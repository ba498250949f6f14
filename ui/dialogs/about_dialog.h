// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace idemdesk::ui {

/// What this program is, its version and licence, and the libraries it runs on.
class AboutDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit AboutDialog(const QString &libpqVersion, QWidget *parent = nullptr);
};

} // namespace idemdesk::ui
