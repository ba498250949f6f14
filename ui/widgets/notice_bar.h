// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"
#include "ui/theme/tokens.h"

#include <QFrame>
#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace idemdesk::ui {

/// A message in its place on a page or in a dialog: what happened, why, what to do, each in a line of its own; up to
/// two buttons; SQLSTATE and the server's own words behind "Details". Everything is plain text and can be copied.
/// Hidden while there is nothing to say.
class NoticeBar : public QFrame
{
    Q_OBJECT

public:
    enum class Kind { Info, Good, Warning, Error };

    explicit NoticeBar(QWidget *parent = nullptr);

    /// primary: the text of the first button, empty for none.
    void showError(const sql::Error &error, const QString &primary = {});
    /// Shows it where there is one, and else nothing.
    void setError(const std::optional<sql::Error> &error, const QString &primary = {});
    void showNotice(Kind kind, const QString &what, const QString &why = {}, const QString &details = {},
        const QString &primary = {}, const QString &secondary = {});
    void clear();

signals:
    void primaryClicked();
    void secondaryClicked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Token token() const; ///< the colour of its kind
    QColor ground() const;
    void layOut();
    void applyColors();
    void show(
        Kind kind, const sql::Error &message, const QString &details, const QString &primary, const QString &secondary);

    Kind m_kind = Kind::Info;
    QString m_copyText; ///< what the Copy button copies: all parts, unescaped
    QLabel *m_icon;
    QLabel *m_what;
    QLabel *m_why;
    QLabel *m_todo;
    QPushButton *m_primary;
    QPushButton *m_secondary;
    QToolButton *m_more;
    QPushButton *m_copy;
    QPlainTextEdit *m_details;
};

} // namespace idemdesk::ui
