// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QFrame>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace idemdesk::ui {

/// A failure in its place in a dialog: what happened, why, what to do, each in a line of its own; SQLSTATE
/// and the server's own words behind "Details". Everything is plain text and can be copied. Hidden while
/// there is nothing to say.
class ErrorBanner final : public QFrame
{
    Q_OBJECT

public:
    explicit ErrorBanner(QWidget *parent = nullptr);

    void showError(const sql::Error &error);
    void clear();
    void setRetryVisible(bool visible); ///< off at first
    /// What the Copy button copies: all parts, unescaped.
    QString copyText() const;

signals:
    void retryClicked();

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyColors();
    void setDetailsOpen(bool open);

    sql::Error m_error;
    bool m_coloring = false;
    QLabel *m_what;
    QLabel *m_why;
    QLabel *m_todo;
    QPushButton *m_retry;
    QToolButton *m_detailsButton;
    QPushButton *m_copy;
    QPlainTextEdit *m_details;
};

} // namespace idemdesk::ui
