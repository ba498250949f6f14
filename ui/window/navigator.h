// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/navigation/trail.h"
#include "models/settings.h"
#include "sql/types/cell.h"

#include <QHash>
#include <QObject>
#include <QTimer>

class QLineEdit;

namespace idemdesk::ui {

class MainWindow;

/// Where one was: back and forward through pages, tables, filters and keys; filters undone and redone; and the last
/// place again after a new start. It listens, so no page needs to tell it.
class Navigator final : public QObject
{
    Q_OBJECT

public:
    /// restore: the first tables of a connection lead to where its person left it.
    Navigator(MainWindow *window, models::Settings *settings, bool restore);

    bool canBack() const { return m_trail.canBack(); }
    bool canForward() const { return m_trail.canForward(); }
    bool canUndoFilter() const;
    bool canRedoFilter() const;
    void back();
    void forward();
    void undoFilter();
    void redoFilter();

signals:
    void changed(); ///< what can be done

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Stop {
        models::SavedPlace place;
        sql::Cells key; ///< identity of the row whose detail was shown; empty: none
    };

    void wire();
    void note() { m_noting.start(); } ///< looks where one is, once what happens now is over
    void noteKey();
    void settle(); ///< what happened just now counts, too
    void record();
    void recordFilter(const models::SavedPlace &place);
    Stop here() const;
    void goTo(const Stop &stop);
    void showKey(); ///< the row one came back to, once it is read
    void restore();
    models::Trail<QString> *filters(); ///< of the table in front; null where there is none

    MainWindow *m_window;
    models::Settings *m_settings;
    QLineEdit *m_filter;
    QTimer m_noting;
    models::Trail<Stop> m_trail;
    QHash<QString, models::Trail<QString>> m_filters; ///< by table
    sql::Cells m_wanted; ///< identity of the row to show again
    bool m_restore;
    bool m_known = false; ///< where the person was on this connection is known or taken up: it may be kept
    bool m_arriving = false; ///< what is recorded next is where back or forward led
    bool m_typing = false; ///< the newest filter is being typed: the next one is the same step
};

} // namespace idemdesk::ui
