// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runbook/runbook_reader.h"

#include <QScrollArea>

class QLabel;
class QPushButton;

namespace idemdesk::ui {

class CheckList;

/// One runbook as it was answered: its questions from the top down, and what to do at the end.
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
    void addNext(const models::RunbookNext &next);
    void addLine(models::RunbookAnswer answer, const QString &lineName, const QString &sentence, int depth,
        const QString &toolTip = {});
    /// button: null for none.
    void addQuestion(const QString &text, QPushButton *button);
    QPushButton *buttonTo(const QString &objectName, const models::RunbookNext &place); ///< null: to no place

    QLabel *m_title;
    QLabel *m_symptom;
    QLabel *m_state;
    CheckList *m_lines;
};

} // namespace idemdesk::ui
