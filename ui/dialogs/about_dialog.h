// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLayout;
class QPushButton;

namespace idemdesk::ui {

/// What this program is, its version and licence, and the libraries it runs on.
class AboutDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit AboutDialog(const QString &libpqVersion, QWidget *parent = nullptr);

private:
    QLayout *buildFacts(const QString &libpqVersion);
    QWidget *buildButtons(const QString &libpqVersion);

    QPushButton *m_close = nullptr;
};

} // namespace idemdesk::ui
