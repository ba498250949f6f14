// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "sql/types/connection.h"
#include "sql/types/result.h"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>

namespace idemdesk::models {

/// The same connection for what writes: where its conninfo lets any server do, or prefers a standby, only the primary
/// does. Else as it is.
sql::Result<sql::ConnectionSettings> primarySettings(const sql::ConnectionSettings &settings);

/// "orders on db.example:5432 as app": safe to show.
QString placeText(const sql::ServerFacts &facts);

/// Where actions of a connection go: the connection itself, or where that leads to a standby and its conninfo names the
/// primary, too, a second one to that. Nothing is opened unless it is needed. Lives on the GUI thread.
class PrimaryLink final : public QObject
{
    Q_OBJECT

public:
    explicit PrimaryLink(QObject *parent = nullptr);
    ~PrimaryLink() override;

    /// Follows this connection, which outlives it or is replaced first; null: none. One to the primary that was opened
    /// for the one before is closed.
    void follow(sql::Database *reading);
    void retry(); ///< where the primary did not answer

    /// Nothing while it is looked for, and where there is none.
    sql::Database *database() const;
    /// It is another one than the one that reads.
    bool elsewhere() const { return m_primary != nullptr; }
    bool looking() const; ///< it is being connected to, or not told yet
    /// Why nothing can be written, as a sentence that names the primary where that is known; empty where database() is
    /// there, or looked for.
    QString whyNone() const;
    /// "db1:5432": of the primary where it is known; hostile.
    QString place() const;

signals:
    void changed(); ///< any of these

private:
    void look();
    void onState();
    void askName();

    QPointer<sql::Database> m_reading;
    std::unique_ptr<sql::Database> m_primary;
    Request m_naming { QStringLiteral("primary/name") };
    QString m_name; ///< of the primary, as the standby knows it
    bool m_asked = false;
    QTimer m_again; ///< until the primary is tried again
};

} // namespace idemdesk::models
