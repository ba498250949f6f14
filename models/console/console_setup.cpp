// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/console/console_setup.h"

#include "models/console/registration_steps.h"
#include "sql/console/console_schema.h"
#include "sql/console/install_rights.h"
#include "sql/lanes/database.h"
#include "sql/profile/profile_json.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kSetupDeadlineMs = 60'000;

} // namespace

ConsoleSetup::ConsoleSetup(QObject *parent)
    : QObject(parent)
{
    connect(&m_readingRights, &Request::changed, this, &ConsoleSetup::changed);
    connect(&m_checking, &Request::changed, this, &ConsoleSetup::changed);
    connect(&m_asking, &Request::changed, this, &ConsoleSetup::changed);
}

ConsoleSetup::~ConsoleSetup() = default;

void ConsoleSetup::setDatabase(sql::Database *database)
{
    if (m_checking.setDatabase(database)) {
        m_asking.setDatabase(database);
        m_readingRights.setDatabase(database);
        m_registration.reset();
        m_rights.reset();
        emit changed();
    }
}

void ConsoleSetup::clearErrors()
{
    m_checking.clearError();
    m_asking.clearError();
}

QString ConsoleSetup::script(int installedVersion)
{
    return sql::consoleScript(std::max(0, installedVersion));
}

int ConsoleSetup::newestVersion()
{
    return sql::newestConsoleVersion();
}

void ConsoleSetup::readRights()
{
    m_rights.reset();
    m_readingRights.clearError();
    m_readingRights.ask(
        { sql::LaneKind::Background, kSetupDeadlineMs },
        [](sql::Session &session) { return sql::readInstallRights(session); },
        [this](const sql::Result<sql::InstallRights> &rights) {
            if (rights) {
                m_rights = *rights;
            }
        });
}

void ConsoleSetup::install()
{
    if (busy()) {
        return;
    }
    clearErrors();
    m_asking.ask(
        { sql::LaneKind::Write, kSetupDeadlineMs, false },
        [](sql::Session &session) { return sql::installConsole(session); },
        [this](const sql::Result<int> &result) {
            emit changed();
            if (result) {
                emit installed(*result);
            }
        });
}

void ConsoleSetup::look(const sql::Target &target)
{
    run(target, {}, false);
}

void ConsoleSetup::registerTarget(const sql::Target &target, const sql::RegistrationSettings &settings)
{
    run(target, settings, true);
}

void ConsoleSetup::run(const sql::Target &target, const sql::RegistrationSettings &settings, bool store)
{
    if (busy()) {
        return;
    }
    clearErrors();
    // What the profile says is planned on a connection that can write nothing; what speaks against it there
    // ends the list.
    m_checking.ask(
        { sql::LaneKind::Background, kSetupDeadlineMs, false },
        [profile = target.profile](sql::Session &session) { return sql::checkedFindings(session, profile); },
        [this, target, settings, store](const sql::Result<QList<sql::Registration::Item>> &found) {
            if (found && sql::refuses(*found)) {
                m_registration = sql::Registration { false, *found };
            } else if (found) {
                askServer(target, settings, store, *found);
            }
        });
}

void ConsoleSetup::askServer(const sql::Target &target, const sql::RegistrationSettings &settings, bool store,
    const QList<sql::Registration::Item> &found)
{
    m_asking.ask(
        { sql::LaneKind::Write, kSetupDeadlineMs, false },
        [target, settings, store](sql::Session &session) {
            return sql::registerTarget(session, target, sql::profileToJson(target.profile), settings, store);
        },
        [this, found, name = target.profile.name](const sql::Result<sql::Registration> &result) {
            if (result) {
                m_registration = *result;
                m_registration->findings = found + m_registration->findings;
            }
            emit changed();
            if (result && result->registered) {
                emit registered(name);
            }
        });
}

QString ConsoleSetup::grants() const
{
    return m_registration ? registrationScript(m_registration->findings) : QString();
}

bool ConsoleSetup::refused() const
{
    return m_registration
        && std::any_of(m_registration->findings.cbegin(), m_registration->findings.cend(),
            [](const sql::Registration::Item &item) {
                return item.severity == u"problem" || item.severity == u"grant";
            });
}

} // namespace idemdesk::models

#include "moc_console_setup.cpp"
