// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"

#include <QDialog>

class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace idemdesk::ui {

/// What a reason is asked for.
struct ReasonQuestion {
    QString heading; ///< the question itself
    QString label; ///< of the line to fill in
    QString verb; ///< on the button
    bool required = true; ///< the line may not stay empty
    QString toType; ///< what must be typed on production, as everywhere else; empty: nothing
    sql::Environment environment = sql::Environment::Unmarked;
    QString connection = {};
    QString name = QStringLiteral("auditAsk"); ///< of the dialog and its parts, by which help explains them
    QList<QStringList> facts; ///< label and value of each, to be read before; safe to show
    QString detailsLabel;
    QString details; ///< a longer text, shown as it is; empty: none
};

/// Asks for one line of text before something is done. Cancel is the default.
class ReasonDialog final : public QDialog
{
    Q_OBJECT

public:
    ReasonDialog(const ReasonQuestion &question, QWidget *parent);
    QString text() const;

private:
    void addFacts(const ReasonQuestion &question, QVBoxLayout *layout);
    void refresh();

    bool m_required;
    QString m_toType;
    QLineEdit *m_line;
    QLineEdit *m_typed = nullptr;
    QPushButton *m_go;
};

} // namespace idemdesk::ui
