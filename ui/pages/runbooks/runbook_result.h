// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runbook/runbook_reader.h"
#include "ui/theme/tokens.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace idemdesk::ui {

/// A runbook's outcome at a glance: what holds now with its sign, how many answers say so, and the one way to act.
class RunbookResult final : public QFrame
{
    Q_OBJECT

public:
    explicit RunbookResult(QWidget *parent);

    /// act: the text of the button; empty: there is none.
    void showReport(const models::RunbookReport &report, const QString &act);

signals:
    void actClicked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    models::RunbookAnswer m_answer = models::RunbookAnswer::Nothing;
    QLabel *m_sign;
    QLabel *m_headline;
    QLabel *m_rest;
    QPushButton *m_act;
};

/// The colour of an answer. A finding warns: a cross in red beside "Yes." would read as the opposite of the answer.
Token answerToken(models::RunbookAnswer answer);

} // namespace idemdesk::ui
