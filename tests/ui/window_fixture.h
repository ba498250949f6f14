// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "models/connection/saved_connections.h"
#include "models/connection/secret_store.h"
#include "models/groups/group_store.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_table_model.h"
#include "models/settings.h"
#include "tests/support/test_cluster.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/window/main_window.h"

#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

namespace idemdesk::tests {

/// A computer without a keychain.
class NoSecrets final : public models::SecretStore
{
public:
    bool available() const override { return false; }
    void get(const QString &, QObject *, std::function<void(sql::Result<std::optional<QString>>)> done) override
    {
        done(sql::Result<std::optional<QString>>(std::optional<QString>()));
    }
    void set(const QString &, const QString &, QObject *, std::function<void(sql::Result<void>)> done) override
    {
        done({});
    }
    void remove(const QString &, QObject *, std::function<void(sql::Result<void>)> done) override { done({}); }
};

/// A real window over a real server, with settings of its own.
class WindowFixture
{
public:
    explicit WindowFixture(TestCluster &cluster)
        : m_cluster(cluster)
        , m_store(m_folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat)
        , settings(&m_store)
        , saved(&m_store)
        , groups(&m_store, &saved)
        , connection(m_folder.filePath(QStringLiteral("profiles")))
    {
        open();
    }

    /// Another window with the same settings, as after a new start.
    void open()
    {
        window = std::make_unique<ui::MainWindow>(
            ui::WindowServices { &connection, &saved, &secrets, &settings, QStringLiteral("15.0"),
                m_folder.filePath(QStringLiteral("actions.json")), m_folder.filePath(QStringLiteral("anchors.json")),
                {}, m_folder.filePath(QStringLiteral("conflicts.sqlite")), true, &groups });
        window->resize(1280, 800);
        window->show();
        window->activateWindow();
    }

    void connectAs(
        const QString &user, const QString &database, sql::Environment environment = sql::Environment::Unmarked)
    {
        sql::ConnectionSettings to;
        to.conninfo = m_cluster.conninfoAs(user, database);
        to.environment = environment;
        connection.connectTo(to);
    }

    /// Also on a page that nobody looked at yet.
    template <typename Widget> Widget *find(const QString &objectName) const
    {
        auto *widget = window->findChild<Widget *>(objectName);
        if (widget == nullptr) {
            window->makePages();
            widget = window->findChild<Widget *>(objectName);
        }
        if (widget == nullptr) {
            qFatal("There is no %s in the window.", qPrintable(objectName));
        }
        return widget;
    }

    QTableView *table() const { return window->keysPage()->table(); }
    models::KeyTableModel *model() const { return window->browser()->model(); }
    /// No page and no count is under way.
    bool calm() const
    {
        return window->browser()->hasTarget() && !model()->busy() && !model()->countBusy()
            && !window->browser()->pending();
    }

private:
    TestCluster &m_cluster;
    QTemporaryDir m_folder;
    QSettings m_store;

public:
    NoSecrets secrets;
    models::Settings settings;
    models::SavedConnections saved;
    models::GroupStore groups;
    models::ConnectionController connection;
    std::unique_ptr<ui::MainWindow> window;
};

} // namespace idemdesk::tests
