// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_interrupter.h"

#include "sql/driver/pg_text.h"

#include <QCoreApplication>

#include <array>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace idemdesk::sql {

PgSocketInterrupter::~PgSocketInterrupter()
{
    disarm();
}

void PgSocketInterrupter::cut()
{
    const std::lock_guard lock(m_mutex);
    m_cut = m_cut || m_expecting || m_descriptor >= 0;
    if (m_descriptor >= 0) {
        ::shutdown(m_descriptor, SHUT_RDWR);
    }
}

bool PgSocketInterrupter::requestCancel(QString *reason)
{
    std::shared_ptr<PGcancel> cancel;
    {
        const std::lock_guard lock(m_mutex);
        cancel = m_cancel; // kept alive here: PQcancel blocks and must not hold the lock that cut() needs
    }
    std::array<char, 256> text {};
    if (cancel && PQcancel(cancel.get(), text.data(), int(text.size())) == 1) {
        return true;
    }
    if (reason != nullptr) {
        *reason = cancel ? escapeControls(decodeText(text.data(), qsizetype(std::strlen(text.data()))).trimmed())
                         : QCoreApplication::translate("PgDriver", "The connection is closed.");
    }
    return false;
}

void PgSocketInterrupter::expect()
{
    const std::lock_guard lock(m_mutex);
    m_expecting = true;
    m_cut = false;
}

void PgSocketInterrupter::arm(PGconn *connection)
{
    const int descriptor = PQsocket(connection);
    const std::lock_guard lock(m_mutex);
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
    m_descriptor = descriptor < 0 ? -1 : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (m_cut && m_descriptor >= 0) {
        ::shutdown(m_descriptor, SHUT_RDWR);
    }
}

void PgSocketInterrupter::allowCancel(PGconn *connection)
{
    std::shared_ptr<PGcancel> cancel(PQgetCancel(connection), PQfreeCancel);
    const std::lock_guard lock(m_mutex);
    m_cancel = std::move(cancel);
}

void PgSocketInterrupter::disarm()
{
    std::shared_ptr<PGcancel> cancel;
    const std::lock_guard lock(m_mutex);
    cancel.swap(m_cancel);
    m_expecting = false;
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
        m_descriptor = -1;
    }
}

bool PgSocketInterrupter::wasCut() const
{
    const std::lock_guard lock(m_mutex);
    return m_cut;
}

int PgSocketInterrupter::descriptor() const
{
    const std::lock_guard lock(m_mutex);
    return m_descriptor;
}

} // namespace idemdesk::sql
