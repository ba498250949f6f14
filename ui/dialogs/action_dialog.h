// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/triage/frozen_set.h"
#include "sql/types/action.h"
#include "sql/types/connection.h"

#include <QDialog>
#include <QList>
#include <QStringList>

class QCheckBox;
class QPushButton;
class QVBoxLayout;

namespace idemdesk::models {
class ConnectionController;
struct TargetEntry;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ReasonForm;

/// Keys that a list of them shows, one a row; the title of its tab counts all.
inline constexpr qsizetype kMostListed = 1'000;

/// What an action dialog asks about.
struct ActionQuestion {
    sql::ActionVerb verb = sql::ActionVerb::Recover;
    qint64 rows = 0;
    std::optional<qint64> keysAmong; ///< different keys of the rows, where several rows may be of one
    QString target; ///< registered name
    QString title; ///< of the table
    QString relation;
    QString connection; ///< "demo on /var/tmp/… as demo_operator"
    sql::Environment environment = sql::Environment::Unmarked;
    QList<models::StateFlow> flows; ///< what becomes of which state; none where rows go for good
    QStringList header; ///< of the plan
    QList<QStringList> plan; ///< by scope and state
    QStringList keysHeader;
    QList<QStringList> keys; ///< the first kMostListed that go; empty: the plan says it all
    QStringList skippedHeader;
    QList<QStringList> skipped; ///< what is left alone; the last of each says why
    QString size; ///< how much it is and how long it takes, in sentences; may be empty
    QStringList warnings; ///< whole sentences
    QString linkedWarning; ///< stands by itself, as a button leads to the keys that it means; may be empty
    QString warningLink; ///< of that button
    bool undoable = true;
    QString undoText; ///< how long it can be undone
    QString movesTo; ///< of a purge: the table that its rows move to; empty where they are deleted
    bool approval = false; ///< another person must approve it
    QString approvedBy; ///< who approved it already; then reason and ticket are what was approved, and stay
    QString reason; ///< else these stand in the fields at first
    QString ticket;
    bool throttle = false; ///< offer the choice to run without pauses
};

/// Several rows of one key are among them, so that rows are counted where keys would be.
bool ofSeveralRows(const ActionQuestion &question);

/// The question about so many rows of a registered table, with where it is and whether another person must approve it.
ActionQuestion questionAbout(sql::ActionVerb verb, qint64 rows, const models::TargetEntry &entry,
    const models::ConnectionController &connection);

/// The last word before a change: the plan, what is left alone, the warnings; a reason is required, and where the
/// change cannot be undone or the connection is marked as production, the target's name must be typed. Cancel is the
/// default.
class ActionDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit ActionDialog(const ActionQuestion &question, QWidget *parent = nullptr);

    QString reason() const;
    QString ticket() const;
    bool throttled() const;

signals:
    void linkClicked(); ///< the dialog has closed

private:
    void addPlan(const ActionQuestion &question, QVBoxLayout *layout);
    QWidget *buildForm(const ActionQuestion &question);
    QWidget *buildButtons(const ActionQuestion &question);
    void refresh();

    ReasonForm *m_form = nullptr;
    QCheckBox *m_fast = nullptr;
    QPushButton *m_go = nullptr;
};

} // namespace idemdesk::ui
