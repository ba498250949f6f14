// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/incident/incident_types.h"

#include <QListView>
#include <QWidget>

class QToolButton;

namespace idemdesk::models {
class IncidentNotes;
}

namespace idemdesk::ui {

class NoteDelegate;

/// A card with a title and sentences beneath each other. Those that lead somewhere do so by a click or Return. The list
/// ends at a whole sentence; where there are more, a button says how many.
class NoteCard final : public QWidget
{
    Q_OBJECT

public:
    NoteCard(const QString &objectName, const QString &title, models::IncidentNotes *notes, QWidget *parent);
    QListView *list() const { return m_list; }
    void setCountsKinds() { m_kinds = true; } ///< an entry stands for several things of one kind
    void setExpanded(bool expanded); ///< the button shows fewer again
    void setScrollable(bool scrollable); ///< false on a wall: no bar and no button

signals:
    void linkActivated(const idemdesk::models::IncidentLink &link);
    void allWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void fit();
    void fitLater();
    int wanted() const; ///< pixels that all entries take at length; leaves the delegate so

    QString m_title;
    QListView *m_list;
    NoteDelegate *m_delegate;
    QToolButton *m_all;
    bool m_expanded = false;
    bool m_kinds = false;
};

} // namespace idemdesk::ui
