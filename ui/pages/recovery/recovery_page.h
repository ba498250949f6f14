// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"
#include "sql/types/profile.h"
#include "ui/pages/page.h"

#include <QSet>
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class ActionCenter;
class ConnectionController;
class Settings;
class TriageController;
class TriageModel;
class TriageGroups;
struct FrozenSet;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ActionDialog;
class CausesView;
class ClassBar;
class ContentStack;
class NoticeBar;
class RightsNotice;
class TargetChooser;

/// Stuck keys by what is known about them: is somebody still at it, did the effect happen, what may be done. Chips
/// filter, check boxes select; what is checked is recovered together. A key that needs review goes alone, by an
/// explicit choice.
class RecoveryPage final : public Page
{
    Q_OBJECT

public:
    RecoveryPage(models::ConnectionController *connection, models::TriageController *triage,
        models::ActionCenter *center, models::Settings *settings, QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void refresh() override;
    void setTimeFormat(const models::TimeFormat &format) override;
    /// And read its keys, those that are stuck or that the filter finds.
    void showTarget(const QString &name, const QString &filter = {}, sql::ActionVerb verb = sql::ActionVerb::Recover);
    /// And read these of its keys alone, to recover or requeue them.
    void showChosen(const QString &name, sql::ActionVerb verb, const QList<sql::Cells> &identities);
    void activate() override; ///< the page came to the front: read what was never read
    ActionDialog *dialog() const { return m_dialog; }
    void openDialog(); ///< for what is checked
    void selectRow(int row);

signals:
    void keyWanted(const QString &target, const QString &key); ///< show it on the keys page

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildBar();
    void buildCauses();
    void buildTable();
    QWidget *buildFoot();
    void wire();
    void follow(); ///< what changes elsewhere
    void wireNotice();
    void onTargetsChanged();
    void chooseTarget(const QString &name);
    void chooseVerb(sql::ActionVerb verb);
    void readMatching(); ///< what the filter says
    void readAgain(); ///< what is shown, else what the filter says
    void sync();
    void syncColumns(); ///< those that tell something, in the room that there is
    void measureColumns();
    void fitColumns();
    bool noStaleRule() const;
    bool providerSaysNothingHappened(int row) const; ///< so a retry does not do the work twice
    bool noticeSaysWhy() const; ///< none of the keys can be recovered together, and the notice above says why
    void syncNotice();
    void syncChosenNotice();
    static QString chosenText(const models::TriageModel &model);
    void syncSelection(const QString &why);
    void showClasses(); ///< those of the chips, and only these, each under its heading
    void selectAgain();
    int rowOf(const sql::Cells &identity) const; ///< of the model; -1: it is not there
    int currentRow() const; ///< of the model; -1: none, or a heading
    void updateEmpty();
    void updateCurrent();
    void showFacts(int row);
    void showDecisions(int row); ///< what may be done with this one key; -1: with none
    void ask(const models::FrozenSet &set);
    /// One key, wherever it stands by now.
    void askAboutOne(const QString &target, const sql::KeyRecord &key, const std::optional<sql::KeyState> &to);
    void fillChoices();

    models::ConnectionController *m_connection;
    models::TriageController *m_triage;
    models::ActionCenter *m_center;
    models::Settings *m_settings;
    TargetChooser *m_targets;
    QComboBox *m_verbs;
    QLineEdit *m_filter;
    QToolButton *m_read;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    RightsNotice *m_rights;
    ClassBar *m_classBar;
    QToolButton *m_causesButton;
    CausesView *m_causes;
    QCheckBox *m_all;
    ContentStack *m_stack;
    models::TriageGroups *m_groups;
    QTableView *m_table;
    QLabel *m_why;
    QLabel *m_oneName;
    QLabel *m_oneFacts; ///< scope, how long it is stuck, attempts and owner
    QLabel *m_leads; ///< what each of the buttons beside it leads to
    QPushButton *m_look; ///< before anything is decided
    QList<QPushButton *> m_oneButtons; ///< where nothing goes together; else, or where they are many, the menu
    QToolButton *m_one;
    QMenu *m_oneMenu;
    QLabel *m_chosen;
    QToolButton *m_rest; ///< leads to the keys that do not go together
    QLabel *m_becomes;
    QPushButton *m_go;
    sql::Cells m_current; ///< identity of the selected key
    sql::KeyRecord m_decided; ///< the key that m_oneButtons are about
    QList<std::optional<sql::KeyState>> m_decisions; ///< by m_oneButtons
    ActionDialog *m_dialog = nullptr;
    QList<int> m_contents; ///< pixels of the widest text of each column; empty: not measured
    QSet<int> m_widened; ///< columns whose width the person chose
    int m_lastShown = -1; ///< column that fills the width
    bool m_fitting = false;
};

} // namespace idemdesk::ui
