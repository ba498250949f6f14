// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/alerts/alert_model.h"
#include "models/connection/connection_controller.h"
#include "models/request/request.h"
#include "sql/types/local_place.h"

#include <QObject>
#include <QSet>
#include <QTimer>

namespace idemdesk::models {

/// Judges the alert rules of every target each minute, on the background lane: from samples and what services report,
/// of a table that is not registered from the samples on this computer. Lives on the GUI thread.
class AlertController final : public QObject
{
    Q_OBJECT

public:
    explicit AlertController(QObject *parent = nullptr);
    ~AlertController() override;

    AlertModel *model() const { return m_model; }
    void setDatabase(sql::Database *database);
    /// problems: tables that could not be read; what was registered of them is not judged.
    void setTargets(const QList<TargetEntry> &targets, const QList<TargetProblem> &problems = {});
    const QList<TargetProblem> &notJudged() const { return m_problems; }
    /// What is acknowledged is kept there, for each connection by its title. settings outlives the controller.
    void keepIn(Settings *settings, const QString &connection);
    void setLocalPlace(const sql::LocalPlace &place) { m_place = place; }
    void refresh();
    void setPeriod(int milliseconds) { m_timer.start(milliseconds); }
    bool judged() const { return m_judged; } ///< at least once since the targets are known
    qsizetype firing() const; ///< acknowledged or not
    qsizetype unacknowledged() const; ///< of those that fire
    /// A person knows of it. It counts again once it gets worse, and anew once it has ended.
    void acknowledge(const AlertEntry &alert, const QString &note);
    void withdraw(const AlertEntry &alert); ///< takes that back
    const std::optional<sql::Error> &error() const; ///< why they could not be judged, or a rule that is written wrongly

signals:
    void changed();
    /// A rule began to fire after the first look.
    void raised(const QString &title, const QString &text);

private:
    void accept(const QList<AlertModel::Entry> &entries);
    QList<AlertModel::Entry> withAcknowledged(QList<AlertModel::Entry> entries);
    void show(const QList<AlertModel::Entry> &entries);
    QList<SavedAcknowledgement> kept() const;
    void forget(const AlertModel::Entry &entry);
    void raise(const AlertModel::Entry &entry);

    AlertModel *m_model;
    Request m_judging { QStringLiteral("alerts") };
    QList<TargetEntry> m_targets;
    QList<TargetProblem> m_problems;
    sql::LocalPlace m_place;
    Settings *m_settings = nullptr; ///< null: nothing can be acknowledged
    QString m_connection;
    QTimer m_timer;
    QSet<QString> m_firing;
    bool m_judged = false;
    std::optional<sql::Error> m_ruleError; ///< of one table; the others are judged all the same
};

} // namespace idemdesk::models
