// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "models/review/review_model.h"
#include "sql/types/result.h"

#include <QObject>
#include <optional>

namespace idemdesk::models {

struct TargetEntry;

/// The tab of reviews without its widgets: asks the questions about one table on the background lane, and signs answers
/// on the write lane. Lives on the GUI thread.
class ReviewController final : public QObject
{
    Q_OBJECT

public:
    explicit ReviewController(QObject *parent = nullptr);
    ~ReviewController() override;

    ReviewModel *model() const { return m_model; }
    void setDatabase(sql::Database *database);
    void setTargets(const QList<TargetEntry> &targets);
    /// The profile's name of the table; what was read of another one is dropped. refresh() reads it.
    void choose(const QString &target);
    const QString &target() const { return m_target; }
    void refresh();
    void cancel();

    /// Signs an answer as it was shown, whatever was read meanwhile (see reviewSigning()); signedAnswer() or
    /// signFailed() follows, and the table is read anew. The same answer again after a failure is signed once.
    void sign(sql::ReviewSigning wanted);
    bool signing() const { return m_signing.busy(); }
    /// What was read can be answered now, as far as the server and what is under way let it.
    bool maySign() const { return m_report && !m_report->noAnswers && !signing(); }
    /// Writes the report as HTML, PDF or JSON, by the name's ending, on another thread; written() or writeFailed()
    /// follows.
    void write(const QString &path);

    const std::optional<ReviewReport> &report() const { return m_report; }
    bool busy() const { return m_reading.busy(); }
    const std::optional<sql::Error> &error() const { return m_reading.error(); }

signals:
    void changed();
    void signedAnswer(const QString &question, qint64 seq);
    void signFailed(const idemdesk::sql::Error &error);
    void written(const QString &path);
    void writeFailed(const idemdesk::sql::Error &error);

private:
    struct Subject {
        sql::Target target;
        QString registeredName;
    };

    void drop();

    ReviewModel *m_model;
    Request m_reading { QStringLiteral("review") };
    Request m_signing { QStringLiteral("review/sign") };
    QList<Subject> m_subjects;
    QString m_target;
    std::optional<ReviewReport> m_report;
    std::optional<sql::ReviewSigning> m_unsure; ///< its answer was lost, so it keeps its id
};

} // namespace idemdesk::models
