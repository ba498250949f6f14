// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "models/request/request.h"
#include "sql/actions/registration.h"
#include "sql/types/install_rights.h"

#include <QObject>
#include <optional>

namespace idemdesk::models {

/// Installing the console schema and registering targets, without the widgets. One thing at a time. Lives on the GUI
/// thread.
class ConsoleSetup final : public QObject
{
    Q_OBJECT

public:
    explicit ConsoleSetup(QObject *parent = nullptr);
    ~ConsoleSetup() override;

    void setDatabase(sql::Database *database);
    /// What would be run, for somebody with the rights to read and run it.
    static QString script(int installedVersion);
    static int newestVersion();

    /// What this login may do of what installing needs; changed() follows. It makes nobody wait: busy() stays as it is.
    void readRights();
    const std::optional<sql::InstallRights> &rights() const { return m_rights; } ///< of the last reading
    const std::optional<sql::Error> &rightsError() const { return m_readingRights.error(); }

    void install(); ///< installs or upgrades; installed() follows, or changed() with an error
    /// Only tells what registering would say; registered() does not follow.
    void look(const sql::Target &target);
    void registerTarget(const sql::Target &target, const sql::RegistrationSettings &settings);

    bool busy() const { return m_asking.busy() || m_checking.busy(); }
    const std::optional<sql::Error> &error() const
    {
        return m_checking.error() ? m_checking.error() : m_asking.error();
    }
    const std::optional<sql::Registration> &registration() const { return m_registration; } ///< of the last look or try
    /// What must be run first, with who runs it as comments; empty where nothing is missing.
    QString grants() const;
    bool refused() const; ///< a problem or a missing grant stands against it

signals:
    void changed();
    void installed(int version);
    void registered(const QString &name);

private:
    void run(const sql::Target &target, const sql::RegistrationSettings &settings, bool store);
    void askServer(const sql::Target &target, const sql::RegistrationSettings &settings, bool store,
        const QList<sql::Registration::Item> &found);

    void clearErrors();

    Request m_readingRights { QStringLiteral("setup-rights") };
    Request m_checking { QStringLiteral("setup-check") }; ///< what can be said without writing
    Request m_asking { QStringLiteral("setup") };
    std::optional<sql::Registration> m_registration;
    std::optional<sql::InstallRights> m_rights;
};

} // namespace idemdesk::models
