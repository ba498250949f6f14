// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/open_request_list.h"
#include "models/provider/open_requests.h"
#include "models/request/request.h"

#include <QObject>
#include <QTimeZone>

namespace idemdesk::models {

/// The keys of one table whose effect at a provider is not settled, read a page at a time. Lives on the GUI thread.
class ProviderController final : public QObject
{
    Q_OBJECT

public:
    explicit ProviderController(QObject *parent = nullptr);

    void setDatabase(sql::Database *database);
    void setTarget(const sql::Target &target); ///< what was read of another table is dropped
    const sql::Target &target() const { return m_target; }
    /// Reads keys in these states that match the filter; an error in it is error() at once, and the old rows stay.
    /// changed() follows.
    void read(const QList<sql::ProviderState> &states, const QString &filter, const QTimeZone &zone);
    void refresh(); ///< the same again
    void cancel() { m_reading.cancel(); }
    /// Writes the references of all that was read last, and of what would come behind it; exported() or exportFailed()
    /// follows.
    void exportReferences(const QString &path);
    bool exporting() const { return m_exporting.busy(); }

    bool busy() const { return m_reading.busy(); }
    std::optional<sql::Error> error() const { return m_reading.error(); }
    bool loaded() const { return m_loaded; } ///< the list holds an answer, be it an empty one
    bool more() const { return m_next.has_value(); }
    bool filtered() const { return !m_filter.terms.isEmpty(); } ///< so that keys were left out
    const QStringList &notes() const { return m_notes; }
    bool complete() const { return m_complete; } ///< every row could be looked at
    OpenRequestList *list() const { return m_list; }

signals:
    void changed();
    void exported(const idemdesk::models::WrittenReferences &written);
    void exportFailed(const idemdesk::sql::Error &error);

private:
    void forget();
    void ask(const std::optional<sql::Cursor> &from);

    Request m_reading { QStringLiteral("provider") };
    Request m_exporting { QStringLiteral("references") };
    sql::Target m_target;
    QList<sql::ProviderState> m_states;
    sql::Filter m_filter;
    std::optional<sql::Cursor> m_next;
    QStringList m_notes;
    bool m_complete = true;
    bool m_loaded = false;
    OpenRequestList *m_list;
};

} // namespace idemdesk::models
