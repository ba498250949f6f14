// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "sql/types/connection.h"

#include <QObject>

namespace idemdesk::models {

/// Tries a connection beside the one in use: one session is opened, what the server says of itself is told, and the
/// session is closed again. Lives on the GUI thread.
class ConnectionTrial final : public QObject
{
    Q_OBJECT

public:
    explicit ConnectionTrial(QObject *parent = nullptr);

    void start(const sql::ConnectionSettings &settings);
    void stop(); ///< neither signal follows
    bool busy() const { return m_trying.busy(); }

signals:
    void succeeded(const idemdesk::sql::ServerFacts &facts);
    void failed(const idemdesk::sql::Error &error);

private:
    Request m_trying { QStringLiteral("connection/trial") };
};

} // namespace idemdesk::models
