// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/activity.h"

#include <QStackedWidget>

class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace idemdesk::models {
class ActivityModel;
}

namespace idemdesk::ui {

class BadgeView;
class EmptyState;

/// One session: whom it holds up, what it does and holds, its statement, and what can be sent to it. Where none is
/// chosen, how to choose one.
class SessionPane final : public QStackedWidget
{
    Q_OBJECT

public:
    explicit SessionPane(QWidget *parent);

    /// null: none is chosen. gone: the session that was and that the list has no more; 0: there was none.
    void showSession(const models::ActivityModel &model, const sql::BackendActivity *backend, int gone);
    QPushButton *cancelButton() const { return m_cancel; }
    QPushButton *terminateButton() const { return m_terminate; }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitStatement(); ///< as high as its text
    QWidget *buildHead(QWidget *parent);
    QWidget *buildFacts(QWidget *parent);
    QLabel *addFact(QFormLayout *form, const QString &name);
    void showChoice(int gone);
    void showFacts(const models::ActivityModel &model, const sql::BackendActivity &backend);

    EmptyState *m_choose;
    QWidget *m_detail;
    QLabel *m_title;
    BadgeView *m_standing;
    QPushButton *m_cancel;
    QPushButton *m_terminate;
    QLabel *m_state = nullptr;
    QLabel *m_transaction = nullptr;
    QLabel *m_began = nullptr;
    QLabel *m_wait = nullptr;
    QLabel *m_user = nullptr;
    QLabel *m_application = nullptr;
    QLabel *m_client = nullptr;
    QLabel *m_locks;
    QPlainTextEdit *m_statement;
};

} // namespace idemdesk::ui
