// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/review/review_reader.h"
#include "sql/types/connection.h"

#include <QDialog>

class QComboBox;
class QPlainTextEdit;
class QPushButton;

namespace idemdesk::ui {

class ButtonRow;

/// Asks for a person's answer to a question of a review, which becomes a row of the audit log: a verdict, and a note
/// that says how it is known. Cancel is the default.
class SignDialog final : public QDialog
{
    Q_OBJECT

public:
    /// login: who will have signed. Every text may come from the database.
    SignDialog(const models::ReviewReport &report, const models::ReviewItem &item, const QString &login,
        const QString &connection, sql::Environment environment, QWidget *parent = nullptr);

    /// What was said before and could not be signed.
    void fillIn(sql::ReviewVerdict verdict, const QString &note);
    sql::ReviewVerdict verdict() const;
    QString note() const;

private:
    void refresh();

    QComboBox *m_verdict;
    QPlainTextEdit *m_note;
    ButtonRow *m_buttons;
    QPushButton *m_go;
};

} // namespace idemdesk::ui
