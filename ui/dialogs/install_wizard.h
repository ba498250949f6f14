// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/wizard.h"

namespace idemdesk::models {
class ConsoleSetup;
}

namespace idemdesk::ui {

/// Installs or upgrades the console schema: what gets installed, the SQL itself (to run here, or to hand to an
/// administrator), and what came of it. Nothing happens before the person says Install.
class InstallWizard final : public Wizard
{
    Q_OBJECT

public:
    enum Step { WhatStep, SqlStep, ResultStep };

    /// installedVersion: 0 for none. setup outlives the wizard.
    InstallWizard(
        models::ConsoleSetup *setup, int installedVersion, const QString &connection, QWidget *parent = nullptr);

    void done(int result) override;

protected:
    void entered(int step) override;
    void go(int step) override;

private:
    QWidget *whatPage(const QString &connection);
    QWidget *sqlPage();
    QWidget *resultPage();
    /// To copy and to save the script.
    QWidget *scriptButtons(const QString &name, QWidget *parent);
    void save();
    void sync();
    void showInstalled(int version);

    models::ConsoleSetup *m_setup;
    int m_installed;
    QLabel *m_advice = nullptr;
    QWidget *m_script = nullptr;
    QWidget *m_sql = nullptr;
};

} // namespace idemdesk::ui
