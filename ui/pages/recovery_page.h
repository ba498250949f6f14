// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"
#include "sql/types/profile.h"

#include <QWidget>
#include <optional>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class ActionCenter;
class ConnectionController;
class Settings;
class TriageController;
struct FrozenSet;
}

namespace idemdesk::ui {

class ActionDialog;
class EmptyState;
class NoticeBar;

/// Stale keys with what is known about each: is somebody still at it, did the effect happen, what may be done. What is checked is
/// recovered together; a key that needs review goes alone, by an explicit choice.
class RecoveryPage final : public QWidget
{
    Q_OBJECT

public:
    RecoveryPage(models::ConnectionController *connection, models::TriageController *triage, models::ActionCenter *center,
        models::Settings *settings, QWidget *parent = nullptr);

    void showTarget(const QString &name, const QString &filter = {}); ///< and read its keys
    void activate(); ///< the page came to the front: read what was never read
    ActionDialog *dialog() const { return m_dialog; }
    void openDialog(); ///< for what is checked
    void selectRow(int row);

signals:
    void connectClicked();
    void installClicked();
    void registerClicked(const QString &target);
    void keyWanted(const QString &target, const QString &key); ///< show it on the keys page

private:
    void buildBar();
    QWidget *buildTable();
    QWidget *buildFoot();
    void wire();
    void onTargetsChanged();
    void chooseTarget(const QString &name);
    void update();
    void updateEmpty();
    void updateClasses();
    void updateCurrent();
    void ask(const models::FrozenSet &set);
    void fillChoices();

    models::ConnectionController *m_connection;
    models::TriageController *m_triage;
    models::ActionCenter *m_center;
    models::Settings *m_settings;
    QComboBox *m_targets;
    QComboBox *m_verbs;
    QLineEdit *m_filter;
    QToolButton *m_read;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    NoticeBar *m_rights;
    QHBoxLayout *m_classes;
    QWidget *m_classBar;
    QStackedWidget *m_stack;
    QTableView *m_table;
    EmptyState *m_empty;
    QLabel *m_why;
    QToolButton *m_one;
    QMenu *m_oneMenu;
    QLabel *m_chosen;
    QPushButton *m_go;
    ActionDialog *m_dialog = nullptr;
};

} // namespace idemdesk::ui
