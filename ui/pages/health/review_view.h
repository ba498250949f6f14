// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/review.h"

#include <QWidget>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class ConnectionController;
class ReviewController;
class ReviewGroups;
class Settings;
struct ReviewItem;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BadgeView;
class BusyBar;
class ContentStack;
class NoticeBar;
class TargetChooser;

/// The questions of the review checklists about one table: what the console found, what a person signed, and a way to
/// sign what only a person knows.
class ReviewView final : public QWidget
{
    Q_OBJECT

public:
    ReviewView(models::ConnectionController *connection, models::ReviewController *review, models::Settings *settings,
        QWidget *parent = nullptr);

    void activate(); ///< the tab is shown
    void showTarget(const QString &name);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *buildBar();
    QWidget *buildStand();
    void syncStand();
    QWidget *buildList();
    void wire();
    void onTargetsChanged();
    void sync();
    void showItem();
    void selectAgain();
    void askSign();
    void save();
    const models::ReviewItem *current() const; ///< null: a heading is selected, or nothing

    models::ConnectionController *m_connection;
    models::ReviewController *m_review;
    TargetChooser *m_targets;
    QPushButton *m_save;
    QToolButton *m_refresh;
    NoticeBar *m_notice;
    QWidget *m_stand;
    QProgressBar *m_progress;
    QLabel *m_settled;
    QList<BadgeView *> m_badges; ///< in the order of models::ReviewStand
    BusyBar *m_busy;
    ContentStack *m_stack;
    models::ReviewGroups *m_groups;
    QTableView *m_table;
    QLabel *m_question;
    QLabel *m_found;
    QLabel *m_signature;
    QPushButton *m_sign;
    /// An answer that was not signed; the dialog offers it again.
    std::optional<sql::ReviewSigning> m_unsigned;
    bool m_failed = false; ///< the notice says why the table was not read
    QString m_chosen; ///< id of the question that the person looks at
};

} // namespace idemdesk::ui
