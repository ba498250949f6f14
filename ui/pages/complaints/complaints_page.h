// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "models/complaint/complaint.h"
#include "models/format/time_format.h"
#include "ui/pages/page.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class ComplaintController;
class ConnectionController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class CaseView;
class ContentStack;
class NoticeBar;

/// From what support has in hand to a verdict: a question, the intents that may be meant, and the case of those that
/// are picked, which takes the whole page until one goes back.
class ComplaintsPage final : public Page
{
    Q_OBJECT

public:
    ComplaintsPage(models::ConnectionController *connection, models::ComplaintController *complaint,
        models::Settings *settings, QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void activate() override; ///< the first field has the keyboard, while nothing was asked
    void refresh() override { ask(); }
    void refreshByItself() override { } // an answer stays while it is read
    void setTimeFormat(const models::TimeFormat &format) override;
    void askConflict(const sql::ConflictRecord &conflict); ///< for its key alone
    /// For what the intents led to, in every table; for the key where that is not known.
    void askReference(const QString &reference, const QString &key);
    /// For keys that the search for duplicates found; a button leads back there.
    void judgeKeys(const QString &target, const QStringList &keys, const QList<sql::Cells> &scopes);
    void ask(); ///< looks for what the fields say
    void showForm(); ///< whole, though there are matches; the keyboard stays where it is
    void clear(); ///< for the next complaint

signals:
    /// One key of this table that two members of the group did, beside each other.
    /// one, other: members of the group that have the key
    void differencesWanted(const QString &target, const QString &key, int one, int other);
    void compareWanted(const QList<idemdesk::models::CaseRequest> &requests);
    /// Back to where the keys of this verdict came from: to the same group, or so many groups further.
    void duplicatesWanted(int step);
    /// Connect the window to this member of its group, and show these keys there.
    void memberKeysWanted(int member, const QString &target, const QString &filter);

private:
    QWidget *buildQuestion();
    void addFields(QGridLayout *grid);
    QWidget *buildQuestionFoot();
    QWidget *buildSearch();
    QWidget *buildCandidates();
    QWidget *buildCase();
    void wire();
    void openRow(int row); ///< judges it, or leads to the member that has it
    void showThere(int row);
    void sync();
    QWidget *buildAsked();
    void syncFold(); ///< once there are matches, the form is one line of what was asked
    void syncChips();
    void editSearch(QLineEdit *field); ///< the form again, with the keyboard in this field
    void fitMatches();
    void syncCounted(const QString &searched);
    void syncIncomplete();
    void syncMembers();
    QString membersText() const; ///< "2 of 3 members answered"; empty where there is no group
    QString searchedText() const; ///< how many tables were searched, and how many were not
    QList<QLineEdit *> fields() const { return { m_customer, m_resource, m_amount, m_at, m_text, m_key }; }
    void updateEmpty(const QString &searched, const QStringList &notes);
    void showCase();
    QString questionText() const; ///< what was asked, in a line
    QString askedText() const; ///< the same, or which keys another page led here with

    models::ConnectionController *m_connection;
    models::ComplaintController *m_complaint;
    models::TimeFormat m_format;
    QLineEdit *m_key;
    QLineEdit *m_customer;
    QLineEdit *m_resource;
    QLineEdit *m_amount;
    QLineEdit *m_at;
    QComboBox *m_window;
    QLineEdit *m_text;
    QPushButton *m_find;
    BusyBar *m_progress;
    QPushButton *m_clear;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    NoticeBar *m_silent; ///< members of the group that did not answer
    ContentStack *m_stack;
    QStackedWidget *m_steps; ///< the search, or the case
    QWidget *m_form; ///< the fields and what to do with them
    QWidget *m_askedRow; ///< in their place: what was asked
    QList<QToolButton *> m_chipButtons;
    QPushButton *m_edit;
    bool m_editing = false; ///< the person wants the form though there are matches
    QToolButton *m_about; ///< shows which tables were not searched, and why
    QTableView *m_table;
    QLabel *m_counted;
    NoticeBar *m_across; ///< what two members seem to have done twice
    QLabel *m_brief; ///< what nobody may miss of what was found
    NoticeBar *m_incomplete;
    QLabel *m_notSearched; ///< which tables, by name
    QPushButton *m_there; ///< leads to the match's own member
    QPushButton *m_judge;
    QPushButton *m_back;
    QLabel *m_asked;
    QPushButton *m_next;
    CaseView *m_case;
    bool m_fromDuplicates = false;
};

} // namespace idemdesk::ui
