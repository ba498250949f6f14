// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/cell.h"
#include "sql/types/duplicate.h"
#include "sql/types/error.h"

#include <QWidget>
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class ConnectionController;
class DuplicateAmounts;
class DuplicateController;
class DuplicateKeyModel;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BadgeView;
class BusyBar;
class ContentStack;
class NoticeBar;
class TargetChooser;

/// Intents that look carried out more than once, the strongest evidence first, each with its reason and the way to its
/// keys and verdict.
class DuplicatesView final : public QWidget
{
    Q_OBJECT

public:
    DuplicatesView(models::ConnectionController *connection, models::DuplicateController *duplicates,
        models::Settings *settings, QWidget *parent = nullptr);

    void showTarget(const QString &name); ///< one that is not there leaves the choice
    void setFilter(const QString &text); ///< as if typed
    void setTimeFormat(const models::TimeFormat &format);
    void search();
    /// Back to the group that was looked at; so many groups further where there are so many, and to its verdict.
    void focusGroups(int step = 0);

signals:
    void connectClicked();
    void keysWanted(const QString &target, const QString &filter);
    void judgeWanted(const QString &target, const QStringList &keys, const QList<idemdesk::sql::Cells> &scopes);

private:
    QWidget *buildBar();
    QWidget *buildDetail();
    void onTargetsChanged();
    void wire();
    void wireGroups();
    void sync();
    void showGroup();
    void showStake();
    void showTotal();
    void judge();
    void lookAgain();
    void syncColumns();

    models::ConnectionController *m_connection;
    models::DuplicateController *m_duplicates;
    TargetChooser *m_targets;
    QComboBox *m_span;
    QLineEdit *m_filter;
    QCheckBox *m_across;
    QPushButton *m_search;
    BusyBar *m_progress;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    QToolButton *m_about; ///< shows how the search went
    QLabel *m_notes;
    ContentStack *m_stack;
    QSplitter *m_split;
    QTableView *m_table;
    BadgeView *m_badge; ///< what to make of the group
    QLabel *m_stake; ///< how much, and how far apart
    QLabel *m_why;
    models::DuplicateKeyModel *m_keyModel;
    models::DuplicateAmounts *m_amounts;
    QTableView *m_keys;
    QLabel *m_more; ///< how many keys of the group are not in the table
    QToolButton *m_copy; ///< what the keys share
    QLabel *m_total; ///< of all groups
    QPushButton *m_judge;
    QPushButton *m_show;
    models::TimeFormat m_format;
    std::optional<sql::DuplicateGroup> m_looked;
    std::optional<sql::Error> m_error;
};

} // namespace idemdesk::ui
