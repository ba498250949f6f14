// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/console/console_setup.h"

#include "models/async.h"
#include "models/console/registration_steps.h"
#include "sql/console/console_schema.h"
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
}

ConsoleSetup::~ConsoleSetup() = default;

void ConsoleSetup::setDatabase(sql::Database *database)
{
    if (m_database != database) {
        m_database = database;
        m_busy = false;
        m_error.reset();
        m_registration.reset();
        emit changed();
    }
}

QString ConsoleSetup::script(int installedVersion) { return sql::consoleScript(std::max(0, installedVersion)); }

int ConsoleSetup::newestVersion() { return sql::newestConsoleVersion(); }

void ConsoleSetup::install()
{
    if (m_database == nullptr || m_busy) {
        return;
    }
    m_busy = true;
    m_error.reset();
    auto future = m_database->run(sql::LaneKind::Write, { QString(), kSetupDeadlineMs, false }, [](sql::Session &session) { return sql::installConsole(session); });
    whenDone(future, this, [this](const sql::Result<int> &result) {
        m_busy = false;
        if (!result) {
            m_error = result.error();
        }
        emit changed();
        if (result) {
            emit installed(*result);
        }
    });
    emit changed();
}

void ConsoleSetup::look(const sql::Target &target) { run(target, {}, false); }

void ConsoleSetup::registerTarget(const sql::Target &target, const sql::RegistrationSettings &settings) { run(target, settings, true); }

void ConsoleSetup::run(const sql::Target &target, const sql::RegistrationSettings &settings, bool store)
{
    if (m_database == nullptr || m_busy) {
        return;
    }
    m_busy = true;
    m_error.reset();
    // What the profile says is planned on a connection that can write nothing; what speaks against it there
    // ends the list.
    auto checked = m_database->run(sql::LaneKind::Background, { QString(), kSetupDeadlineMs, false },
        [profile = target.profile](sql::Session &session) { return sql::checkedFindings(session, profile); });
    whenDone(checked, this,
        [this, target, settings, store](const sql::Result<QList<sql::Registration::Item>> &found) {
            if (!found) {
                m_error = found.error();
            } else if (sql::refuses(*found)) {
                m_registration = sql::Registration { false, *found };
            }
            if (!found || sql::refuses(*found) || m_database == nullptr) {
                m_busy = false;
                emit changed();
                return;
            }
            askServer(target, settings, store, *found);
        });
    emit changed();
}

void ConsoleSetup::askServer(const sql::Target &target, const sql::RegistrationSettings &settings, bool store,
    const QList<sql::Registration::Item> &found)
{
    auto future = m_database->run(sql::LaneKind::Write, { QString(), kSetupDeadlineMs, false }, [target, settings, store](sql::Session &session) {
        return sql::registerTarget(session, target, sql::profileToJson(target.profile), settings, store);
    });
    whenDone(future, this,
        [this, found, name = target.profile.name](const sql::Result<sql::Registration> &result) {
            m_busy = false;
            if (result) {
                m_registration = *result;
                m_registration->findings = found + m_registration->findings;
            } else {
                m_error = result.error();
            }
            emit changed();
            if (result && result->registered) {
                emit registered(name);
            }
        });
}

QString ConsoleSetup::grants() const { return m_registration ? registrationScript(m_registration->findings) : QString(); }

bool ConsoleSetup::refused() const
{
    return m_registration && std::any_of(m_registration->findings.cbegin(), m_registration->findings.cend(), [](const sql::Registration::Item &item) {
        return item.severity == u"problem" || item.severity == u"grant";
    });
}

} // namespace idemdesk::models

#include "moc_console_setup.cpp"
