// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "models/runbook/runbook_marks.h"
#include "models/runbook/runbook_reader.h"
#include "sql/types/result.h"

#include <QObject>
#include <optional>

namespace idemdesk::models {

class AlertController;
struct TargetEntry;

/// The page of runbooks without its widgets: which one is open, and what was read for it, on the background lane. Lives
/// on the GUI thread.
class RunbookController final : public QObject
{
    Q_OBJECT

public:
    explicit RunbookController(QObject *parent = nullptr);
    ~RunbookController() override;

    void setDatabase(sql::Database *database);
    /// known: they were looked for; until then a reading waits for them. What was read of others is dropped.
    void setTargets(const QList<TargetEntry> &targets, const QList<TargetProblem> &problems, bool known = true);
    /// Alerts that fire mark the runbooks that they lead to, beside the answers of those that were read. They outlive
    /// this.
    void watch(const AlertController *alerts);
    /// target: the profile's name of the only table to look at; empty: all. What was read of another one is dropped,
    /// and this one is read.
    void open(const QString &name, const QString &target = {});
    void refresh();
    void cancel();
    /// Writes what was read as HTML, PDF or JSON, by the name's ending, on another thread; written() or writeFailed()
    /// follows.
    void write(const QString &path);

    const Runbook *book() const { return m_book; } ///< the one that is open; never null
    const QString &target() const { return m_target; }
    const std::optional<RunbookReport> &report() const { return m_report; }
    /// By the runbook's name, for the table that is open.
    const QHash<QString, RunbookMark> &marks() const { return m_marks; }
    bool busy() const { return m_reading.busy(); }
    const std::optional<sql::Error> &error() const { return m_reading.error(); }

signals:
    void changed();
    void marksChanged();
    void written(const QString &path);
    void writeFailed(const idemdesk::sql::Error &error);

private:
    void mark();

    const AlertController *m_alerts = nullptr; ///< null: nothing is marked
    QHash<QString, RunbookMark> m_marks;
    QHash<QString, int> m_answers; ///< that need a person, by the runbook's name; of those read for this table
    Request m_reading { QStringLiteral("runbook") };
    QList<RunbookSubject> m_subjects;
    QList<TargetProblem> m_problems;
    bool m_known = false;
    bool m_wanted = false; ///< a reading, as soon as the tables are known
    const Runbook *m_book;
    QString m_target;
    std::optional<RunbookReport> m_report;
};

} // namespace idemdesk::models
