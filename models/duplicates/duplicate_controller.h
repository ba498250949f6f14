// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/duplicates/duplicate_model.h"
#include "models/request/request.h"
#include "sql/types/error.h"
#include "sql/types/target.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace idemdesk::models {

/// Looks for duplicates in one target at a time, on the background lane. Lives on the GUI thread.
class DuplicateController final : public QObject
{
    Q_OBJECT

public:
    explicit DuplicateController(QObject *parent = nullptr);

    DuplicateModel *model() const { return m_model; } ///< what the last search found
    void setDatabase(sql::Database *database); ///< forgets what was found in another one
    /// Replaces a search that still runs. Groups come into the model as they are found; found() or failed() follows,
    /// unless it is cancelled or replaced.
    void search(const sql::Target &target, const sql::DuplicateRequest &request);
    void cancel(); ///< what was found so far stays
    bool running() const { return m_searching.busy(); }
    bool searched() const { return m_searched; } ///< the model holds an answer, be it an empty one
    /// The model holds what a search found that still runs, or that was stopped or failed: there may be more.
    bool partly() const { return m_partly; }
    const QStringList &notes() const
    {
        return m_notes;
    } ///< sentences beside the last answer: what could not be searched, what it costs
    bool complete() const { return m_complete; } ///< false: some of what was to be looked for could not be read

signals:
    void found(const QList<idemdesk::sql::DuplicateGroup> &groups);
    void failed(const idemdesk::sql::Error &error);
    void runningChanged(bool running);
    void foundSoFar(); ///< more groups than before, while the search goes on

private:
    struct SoFar; ///< what the searching thread hands over
    void take(); ///< what was found since
    void tellRunning(); ///< where it is another answer than the last time

    DuplicateModel *m_model;
    Request m_searching { QStringLiteral("duplicates") };
    QStringList m_notes;
    std::shared_ptr<SoFar> m_soFar;
    sql::Target m_target; ///< that is searched
    QTimer m_poll;
    bool m_complete = true;
    bool m_partly = false;
    bool m_toldRunning = false;
    bool m_searched = false;
};

} // namespace idemdesk::models
