// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "models/request/request.h"

#include <QObject>
#include <QTimer>

namespace idemdesk::models {

/// A row whose key is exactly what was asked for.
struct FoundKey {
    QString target; ///< profile's name
    QString title; ///< of the table
    QString key;
    QString scope;
    QString state; ///< in words
};

/// Looks for one key in every table, where an index finds it; the newest text wins. Lives on the GUI thread.
class KeyLookup final : public QObject
{
    Q_OBJECT

public:
    explicit KeyLookup(QObject *parent = nullptr);
    ~KeyLookup() override;

    void setDatabase(sql::Database *database);
    void setTargets(const QList<TargetEntry> &targets);
    /// Asks after a pause in typing; what is blank asks nothing. changed() follows.
    void look(const QString &text);

    const QList<FoundKey> &found() const { return m_found; }
    bool busy() const { return m_pause.isActive() || m_asking.busy(); }
    /// Tables that were not looked into, as no index finds a key there or this login may not read it; by their titles.
    const QStringList &leftOut() const { return m_leftOut; }
    const std::optional<sql::Error> &error() const { return m_asking.error(); }

signals:
    void changed();

private:
    void ask();

    QList<sql::Target> m_targets;
    QString m_text;
    QTimer m_pause;
    Request m_asking { QStringLiteral("palette/keys") };
    QList<FoundKey> m_found;
    QStringList m_leftOut;
};

} // namespace idemdesk::models
