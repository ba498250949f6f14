// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/finding_list.h"
#include "models/provider/statement_check.h"
#include "models/request/request.h"
#include "sql/types/target.h"

#include <QObject>
#include <QTimer>
#include <memory>
#include <stop_token>

namespace idemdesk::models {

/// A provider's statement compared with one table in the background, and what was found. Lives on the GUI thread; one
/// comparison at a time.
class StatementController final : public QObject
{
    Q_OBJECT

public:
    explicit StatementController(QObject *parent = nullptr);
    ~StatementController() override;

    void setDatabase(sql::Database *database); ///< forgets what was found in another one
    void setTarget(const sql::Target &target); ///< the same of another table
    /// Replaces a comparison that still runs; changed() follows, and progress() on the way.
    void compare(const StatementQuestion &question);
    void compareAgain(); ///< the same question
    void cancel();
    void forget(); ///< what was found

    bool busy() const { return m_comparing.busy(); }
    std::optional<sql::Error> error() const { return m_comparing.error(); }
    const std::optional<StatementQuestion> &question() const { return m_question; } ///< the newest one
    const std::shared_ptr<const StatementResult> &result() const { return m_result; } ///< null: none yet
    FindingList *list() const { return m_list; }
    QString progressText() const; ///< "Reading the file: 40 %"
    int percent() const; ///< -1: not known

    /// Writes all findings to a file, CSV or JSON Lines by its ending; written() or writeFailed() follows.
    void write(const QString &path);

signals:
    void changed();
    void progress();
    void written(const QString &path);
    void writeFailed(const idemdesk::sql::Error &error);

private:
    struct Job; ///< what the comparing thread and this share
    void stop();

    Request m_comparing { QStringLiteral("statement") };
    sql::Target m_target;
    std::shared_ptr<Job> m_job;
    std::optional<StatementQuestion> m_question;
    std::shared_ptr<const StatementResult> m_result;
    QTimer m_poll;
    FindingList *m_list;
};

} // namespace idemdesk::models
