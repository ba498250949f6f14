// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWizard>

class QLabel;
class QProgressBar;

namespace idemdesk::models {
class ConsoleSetup;
}

namespace idemdesk::ui {

class NoticeBar;

/// Installs or upgrades the console schema: what will be made, the SQL itself (to run here, or to hand to an
/// administrator), and what came of it. Nothing happens before the person says Install.
class InstallWizard final : public QWizard
{
    Q_OBJECT

public:
    /// installedVersion: 0 for none. setup outlives the wizard.
    InstallWizard(
        models::ConsoleSetup *setup, int installedVersion, const QString &connection, QWidget *parent = nullptr);

    void initializePage(int id) override;
    void done(int result) override;

private:
    enum Page { WhatPage, SqlPage, ResultPage };
    QWizardPage *whatPage(const QString &connection);
    QWizardPage *sqlPage();
    QWizardPage *resultPage();
    /// To copy and to save the script.
    QWidget *scriptButtons(const QString &name, QWidget *parent);
    void save();
    void sync();

    models::ConsoleSetup *m_setup;
    int m_installed;
    NoticeBar *m_result;
    QLabel *m_next;
    QProgressBar *m_bar = nullptr;
    QWidget *m_script = nullptr;
};

} // namespace idemdesk::ui
