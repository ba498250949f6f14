// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "models/retries/cause_model.h"
#include "sql/types/error.h"
#include "sql/types/target.h"

#include <QObject>

namespace idemdesk::models {

/// Why keys of a table failed, grouped, read on the background lane. Lives on the GUI thread.
class CauseController final : public QObject
{
    Q_OBJECT

public:
    explicit CauseController(QObject *parent = nullptr);

    CauseModel *model() const { return m_model; }
    void setDatabase(sql::Database *database);
    void setTarget(const sql::Target &target); ///< forgets what was read of another one
    void read();

    const sql::Target &target() const { return m_target; }
    bool busy() const { return m_reading.busy(); }
    bool loaded() const { return m_loaded; }
    const sql::CausePage &page() const { return m_page; }
    const std::optional<sql::Error> &error() const { return m_reading.error(); }

signals:
    void changed();

private:
    void forget();

    CauseModel *m_model;
    Request m_reading { QStringLiteral("causes") };
    sql::Target m_target;
    sql::CausePage m_page;
    bool m_loaded = false;
};

} // namespace idemdesk::models
