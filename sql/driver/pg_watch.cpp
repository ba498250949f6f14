// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_watch.h"

#include "sql/driver/pg_text.h"

#include <QAbstractEventDispatcher>
#include <cstring>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

struct NotifyFree {
    void operator()(PGnotify *notify) const { PQfreemem(notify); }
};

QString textOf(const char *bytes)
{
    return bytes == nullptr ? QString() : decodeText(bytes, qsizetype(std::strlen(bytes)));
}

} // namespace

PgWatch::PgWatch(PgLink *link, PgDriver *driver)
    : QObject(driver)
    , m_link(link)
{
}

void PgWatch::start()
{
    m_link->onSettled = [this] { handOut(); };
    m_link->onLoss = [this] { lost(); };
    if (QAbstractEventDispatcher::instance() != nullptr) {
        // The interrupter's duplicate: libpq may close its own descriptor while the notifier still polls it.
        m_notifier = std::make_unique<QSocketNotifier>(m_link->interrupter->descriptor(), QSocketNotifier::Read);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, &PgWatch::look);
    }
}

void PgWatch::stop()
{
    m_link->onSettled = {};
    m_link->onLoss = {};
    m_notifier.reset();
}

void PgWatch::look()
{
    if (m_link->stream != nullptr) {
        m_notifier->setEnabled(false); // rows are coming that somebody else reads; settled() switches it on again
        return;
    }
    if (PQconsumeInput(m_link->connection()) == 0) {
        // A server that shuts down says why first; libpq takes that for a notice, as nobody had asked.
        const bool told = !m_link->notices.isEmpty() && m_link->notices.constLast().severity == "FATAL"_L1;
        m_link->failure = told ? m_link->notices.constLast() : failureOf(m_link->connection());
        m_link->failure.connectionLost = true;
    }
    while (PQstatus(m_link->connection()) == CONNECTION_OK && PQisBusy(m_link->connection()) == 0) {
        const PgResultPtr unasked(PQgetResult(m_link->connection())); // none, but looking parses what arrived
        if (!unasked) {
            break;
        }
    }
    m_link->settled();
}

void PgWatch::handOut()
{
    while (const std::unique_ptr<PGnotify, NotifyFree> notify { PQnotifies(m_link->connection()) }) {
        const bool self = notify->be_pid == PQbackendPID(m_link->connection());
        emit notified(textOf(notify->relname), self, textOf(notify->extra));
    }
    if (m_notifier && !m_notifier->isEnabled()) {
        m_notifier->setEnabled(true);
    }
}

void PgWatch::lost()
{
    if (m_notifier) {
        m_notifier->setEnabled(false);
        m_notifier.release()->deleteLater(); // this may be its own signal
    }
    emit died();
}

} // namespace idemdesk::sql
