// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace idemdesk::models {
class SavedConnections;
}

namespace idemdesk::ui {

class SavedList;

/// The saved connections with what is done to one of them; where there are none, what will stand here. It changes none
/// itself: whoever holds the form does, for there may be edits in it.
class SavedPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit SavedPanel(models::SavedConnections *saved, QWidget *parent = nullptr);

    QString currentId() const; ///< empty where none is selected
    void select(const QString &id); ///< tells nobody; an unknown id selects none

signals:
    void chosen(const QString &id); ///< by the person
    void newClicked();
    void duplicateClicked(const QString &id);
    void removeConfirmed(const QString &id);
    void opened(); ///< a double click

private:
    QWidget *buildEmpty();
    void askRemove();
    void sync();

    models::SavedConnections *m_saved;
    SavedList *m_list;
    QWidget *m_empty;
    QPushButton *m_new;
    QPushButton *m_duplicate;
    QPushButton *m_remove;
};

} // namespace idemdesk::ui
