// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace idemdesk::ui {

/// Name, version, licence, and the libraries in use.
class AboutDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit AboutDialog(const QString &libpqVersion, QWidget *parent = nullptr);
};

} // namespace idemdesk::ui
