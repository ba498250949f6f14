// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QFrame>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace idemdesk::ui {

/// A message in its place on the page: what happened, why, what to do; up to two buttons; SQLSTATE and the server's own
/// words behind "Details", which can be copied. Hidden while there is nothing to say.
class NoticeBar final : public QFrame
{
    Q_OBJECT

public:
    enum class Kind { Info, Warning, Error };

    explicit NoticeBar(QWidget *parent = nullptr);

    /// primary: the text of the first button, empty for none.
    void showError(const sql::Error &error, const QString &primary = {});
    void showNotice(Kind kind, const QString &what, const QString &why = {}, const QString &details = {},
        const QString &primary = {}, const QString &secondary = {});
    void clear();

signals:
    void primaryClicked();
    void secondaryClicked();

private:
    void applyColors();

    Kind m_kind = Kind::Info;
    QLabel *m_icon;
    QLabel *m_what;
    QLabel *m_why;
    QPushButton *m_primary;
    QPushButton *m_secondary;
    QToolButton *m_more;
    QPushButton *m_copy;
    QPlainTextEdit *m_details;
};

} // namespace idemdesk::ui
