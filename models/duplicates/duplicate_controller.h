// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/duplicates/duplicate_model.h"
#include "models/request/request.h"
#include "sql/types/error.h"
#include "sql/types/target.h"

#include <QObject>

namespace idemdesk::models {

/// Looks for duplicates in one target at a time, on the background lane. Lives on the GUI thread.
class DuplicateController final : public QObject
{
    Q_OBJECT

public:
    explicit DuplicateController(QObject *parent = nullptr);

    DuplicateModel *model() const { return m_model; } ///< what the last search found
    void setDatabase(sql::Database *database); ///< forgets what was found in another one
    /// Replaces a search that still runs. found() or failed() follows, unless it is cancelled or replaced.
    void search(const sql::Target &target, const sql::DuplicateRequest &request);
    void cancel(); ///< what was found before stays
    bool running() const { return m_searching.busy(); }
    bool searched() const { return m_searched; } ///< the model holds an answer, be it an empty one
    const QStringList &notes() const
    {
        return m_notes;
    } ///< sentences beside the last answer: what could not be searched, what it costs
    bool complete() const { return m_complete; } ///< false: some of what was to be looked for could not be read

signals:
    void found(const QList<idemdesk::sql::DuplicateGroup> &groups);
    void failed(const idemdesk::sql::Error &error);
    void runningChanged(bool running);

private:
    void tellRunning(); ///< where it is another answer than the last time

    DuplicateModel *m_model;
    Request m_searching { QStringLiteral("duplicates") };
    QStringList m_notes;
    bool m_complete = true;
    bool m_toldRunning = false;
    bool m_searched = false;
};

} // namespace idemdesk::models
