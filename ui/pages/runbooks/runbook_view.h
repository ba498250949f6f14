// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runbook/runbook_reader.h"

#include <QScrollArea>

class QLabel;
class QPushButton;

namespace idemdesk::ui {

class CheckList;
class RunbookResult;

/// One runbook as it was answered: what holds and what to do, then its questions from the top down, and the commands at
/// the end.
class RunbookView final : public QScrollArea
{
    Q_OBJECT

public:
    explicit RunbookView(QWidget *parent);
    /// Null: nothing was read of this runbook yet.
    void setReport(const models::Runbook &book, const models::RunbookReport *report);

signals:
    void placeWanted(const idemdesk::models::RunbookNext &place);

private:
    void addStep(int number, const models::RunbookStepResult &result);
    /// What was seen, a line each; tables that the question is not about are one line.
    void addSeen(const models::RunbookStepResult &result, const QString &id);
    void addRows(const QString &id, const QList<std::pair<qsizetype, models::RunbookSighting>> &rows, bool summed);
    static QString onlyLine(const models::RunbookStepResult &result, const models::RunbookSighting &sighting);
    void addNext(const models::RunbookReport &report);
    void addCommands(const models::RunbookReport &report);
    static models::RunbookNext wayToAct(const models::RunbookReport &report); ///< to no page: there is none
    QLabel *signLabel(models::RunbookAnswer answer, QWidget *parent) const;
    void addLine(models::RunbookAnswer answer, const QString &lineName, const QString &sentence, int depth,
        const QString &toolTip = {});
    /// button: null for none.
    void addQuestion(const QString &text, QPushButton *button);
    QPushButton *buttonTo(const QString &objectName, const models::RunbookNext &place); ///< null: to no place

    QLabel *m_title;
    QLabel *m_symptom;
    QLabel *m_state;
    RunbookResult *m_result;
    models::RunbookNext m_act; ///< where the result's button leads
    CheckList *m_lines;
};

} // namespace idemdesk::ui
