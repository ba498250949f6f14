// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/wizard.h"

class QPlainTextEdit;
class QPushButton;

namespace idemdesk::models {
class ConsoleSetup;
}

namespace idemdesk::ui {

class CheckList;

/// Installs or upgrades the console schema: what is made or changed and by which right, the SQL itself (to run here, or
/// to hand to an administrator), and what came of it. Nothing happens before the person says Install, or where the
/// newest version is there already.
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
    enum class Stage { First, Upgrade, There };
    static Stage stageOf(int installedVersion);
    static QString titleOf(Stage stage);
    QString script() const;
    QWidget *whatPage(const QString &connection);
    QWidget *rightsPart(QWidget *page);
    QWidget *sqlPage();
    QWidget *resultPage();
    /// To copy and to save the script.
    QWidget *scriptButtons(const QString &name, QWidget *parent);
    void save();
    void sync();
    void showRights();
    QStringList lacking() const; ///< a sentence for each right that this login has not
    void warnOfRights(); ///< before the SQL is run with a right missing
    void leadOn(); ///< which button leads, and whether the step's own can be pressed
    void showInstalled(int version);

    models::ConsoleSetup *m_setup;
    int m_installed;
    Stage m_stage;
    CheckList *m_rights = nullptr;
    QWidget *m_missing = nullptr; ///< the statements that give what is missing
    QPlainTextEdit *m_missingSql = nullptr;
    QPushButton *m_copyMissing = nullptr;
    QPushButton *m_saveSql = nullptr;
    QLabel *m_advice = nullptr;
    QLabel *m_who = nullptr; ///< who can run the SQL
    QWidget *m_script = nullptr;
    QWidget *m_sql = nullptr;
};

} // namespace idemdesk::ui
