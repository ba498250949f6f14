// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"
#include "sql/types/key_page.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace idemdesk::models {
class KeyBrowserController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class Chip;
class FilterCompleter;

/// The filter text with completion, its error marked in place, history, saved views and quick chips. Typing applies
/// after a pause, Enter at once.
/// The filter's text with its error, its history and views, and chips for the terms that are asked for most.
class FilterBar final : public QWidget
{
    Q_OBJECT

public:
    FilterBar(models::KeyBrowserController *browser, models::Settings *settings, QWidget *parent = nullptr);

    void setText(const QString &text); ///< as if typed, applied at once
    QString text() const;
    void focusText();
    /// "" with no error; the field underlines the part that is wrong.
    void showError(const std::optional<sql::Error> &error);
    void setConflictsKnown(bool known); ///< the server keeps conflicts, and this login may read them
    void setStuck(const sql::RowCount &stuck); ///< of the table in front, as far as they were counted
    void retarget(); ///< another table: history, views and chips follow

signals:
    void escaped(); ///< Escape with nothing to take back: go to the table

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void layOut();
    void wire();
    void apply();
    void showText(const QString &text);
    void commit(); ///< applies what was meant: it goes into the history
    void markWrong(bool wrong);
    void toggleChip(const QString &term);
    void updateChips();
    void fillHistory();
    void fillViews();
    void saveView();
    QString targetName() const;

    models::KeyBrowserController *m_browser;
    models::Settings *m_settings;
    QLineEdit *m_edit;
    QWidget *m_edge; ///< of a field with a mistake
    QLabel *m_error;
    QWidget *m_chipRow; ///< gives its place to the error
    QString m_applied; ///< the text of the rows shown
    QPushButton *m_history;
    QPushButton *m_views;
    QList<Chip *> m_chips;
    FilterCompleter *m_completer;
    QTimer m_debounce;
    sql::RowCount m_stuck;
    bool m_conflictsKnown = false;
    bool m_typing = false; ///< a term is being written and its candidates are open
};

} // namespace idemdesk::ui
