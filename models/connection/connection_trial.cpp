// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/connection_trial.h"

#include "models/background.h"
#include "sql/driver/pg_driver.h"
#include "sql/session/session.h"

#include <mutex>

namespace idemdesk::models {

namespace {

/// What ends a session while it is being opened on another thread.
class TrialCut
{
public:
    void give(std::shared_ptr<sql::PgInterrupter> interrupter)
    {
        const std::scoped_lock lock(m_mutex);
        m_interrupter = std::move(interrupter);
        if (m_cut) {
            m_interrupter->cut();
        }
    }
    void cut()
    {
        const std::scoped_lock lock(m_mutex);
        m_cut = true;
        if (m_interrupter != nullptr) {
            m_interrupter->cut();
        }
    }

private:
    std::mutex m_mutex;
    std::shared_ptr<sql::PgInterrupter> m_interrupter;
    bool m_cut = false;
};

} // namespace

ConnectionTrial::ConnectionTrial(QObject *parent)
    : QObject(parent)
{
}

void ConnectionTrial::start(const sql::ConnectionSettings &settings)
{
    const auto cut = std::make_shared<TrialCut>();
    m_trying.follow(
        later<sql::ServerFacts>([settings, cut]() -> sql::Result<sql::ServerFacts> {
            sql::Session::Options options;
            options.onSocket
                = [cut](std::shared_ptr<sql::PgInterrupter> interrupter) { cut->give(std::move(interrupter)); };
            TRY(const auto session, sql::Session::open(settings, options));
            return session->facts();
        }),
        [cut] { cut->cut(); },
        [this](const sql::Result<sql::ServerFacts> &facts) {
            if (facts) {
                emit succeeded(*facts);
            } else {
                emit failed(facts.error());
            }
        });
}

void ConnectionTrial::stop()
{
    m_trying.drop();
}

} // namespace idemdesk::models

#include "moc_connection_trial.cpp"
