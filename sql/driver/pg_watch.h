// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_link.h"

#include <QObject>
#include <QSocketNotifier>
#include <QStringList>

namespace idemdesk::sql {

/// Watches an idle connection on its thread's event loop: notifications, and its end. Without an event loop it only
/// hands out what statements bring along.
class PgWatch final : public QObject
{
    Q_OBJECT

public:
    PgWatch(PgLink *link, PgDriver *driver);

    void start();
    void stop();

signals: // to be connected queued: they come in the middle of an exchange
    void died();
    void notified(const QString &name, bool self, const QString &payload);

private:
    void look();
    void handOut();
    void lost();

    PgLink *m_link;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace idemdesk::sql
