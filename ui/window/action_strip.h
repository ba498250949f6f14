// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace idemdesk::models {
class ActionCenter;
}

namespace idemdesk::ui {

/// The strip under the pages while an action runs, and after it: progress, rate, time left, what it waits for, Pause
/// and Cancel; or an open action that somebody left behind. It survives changing pages.
class ActionStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit ActionStrip(models::ActionCenter *center, QWidget *parent = nullptr);
    /// The page in front shows this action, which waits for a decision: it does not stand twice. Empty: it shows none.
    void setDecidedOnPage(const QString &action);

protected:
    void paintEvent(QPaintEvent *event) override;

signals:
    void outcomesWanted(const QString &action); ///< show its rows
    void undoWanted(const idemdesk::sql::ActionRecord &action);
    void actionWanted(const QString &action); ///< show it among the others
    void decisionWanted(const idemdesk::sql::ActionRecord &action, bool approve);

private:
    void wire();
    void sync();
    void askToCancel();
    void showRunner();
    void showLeftOpen();
    QString stoppedText() const;
    QString progressText() const;
    QString cancelLabel(const sql::ActionRecord &action) const; ///< of the button that ends it, by what it ends
    /// The open action that the strip is about: one that waits for this very login, else the newest.
    sql::ActionRecord leftOpen() const;
    bool decidable(const sql::ActionRecord &action) const;

    models::ActionCenter *m_center;
    QString m_onPage; ///< id of the action that the page in front decides on
    QLabel *m_icon;
    QLabel *m_title;
    QLabel *m_text;
    QProgressBar *m_bar;
    QPushButton *m_pause; ///< or Resume
    QPushButton *m_cancel;
    QPushButton *m_show;
    QPushButton *m_approve;
    QPushButton *m_decline;
    QPushButton *m_rows;
    QPushButton *m_undo;
    QPushButton *m_close;
};

} // namespace idemdesk::ui
