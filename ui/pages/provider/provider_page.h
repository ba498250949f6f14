// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

#include <QPointer>

class QPushButton;
class QTabWidget;

namespace idemdesk::models {
class ActionCenter;
class ConnectionController;
class EvidenceController;
class ProviderController;
class Settings;
class StatementController;
} // namespace idemdesk::models

namespace idemdesk::ui {

class OpenRequestsView;
class StatementView;
class StatementWizard;
class TargetChooser;

/// The provider's word: keys that wait for it, and its statement beside the keys. It is offered only while a table's
/// profile names a provider.
class ProviderPage final : public Page
{
    Q_OBJECT

public:
    struct Controllers {
        models::ProviderController *provider;
        models::StatementController *statement;
        models::EvidenceController *evidence;
        models::ActionCenter *actions;
    };
    ProviderPage(models::ConnectionController *connection, const Controllers &controllers, models::Settings *settings,
        QWidget *parent = nullptr);

    static Face ownFace(); ///< known before there is one
    /// Whether a table of the connection has a provider.
    static bool isFor(const models::ConnectionController &connection);
    void activate() override;
    void refresh() override;
    void refreshByItself() override; ///< a statement is compared when somebody asks
    void setTimeFormat(const models::TimeFormat &format) override;
    void showTab(const QString &name); ///< "open" or "statement"
    void showTarget(const QString &name);
    void import(); ///< opens the wizard
    void suggest(const QString &path); ///< a file that the wizard begins with; empty: none
    StatementView *statementView() const { return m_statementView; }

private:
    void wire();
    void takeTargets();
    void takeTarget();
    void syncImport();
    void showKey(const QString &key);

    models::ConnectionController *m_connection;
    Controllers m_controllers;
    models::Settings *m_settings;
    TargetChooser *m_target;
    QPushButton *m_import;
    QTabWidget *m_tabs;
    OpenRequestsView *m_openView;
    StatementView *m_statementView;
    QString m_suggested;
    QString m_left; ///< the file of a wizard that was left
    QPointer<StatementWizard> m_wizard;
};

} // namespace idemdesk::ui
