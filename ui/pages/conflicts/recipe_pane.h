// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace idemdesk::models {
class CompareController;
class ConnectionController;
class RecipeKeeper;
} // namespace idemdesk::models

namespace idemdesk::ui {

class TargetChooser;

/// The recipe that makes a stored fingerprint: tries it on a table's rows, and keeps it in the table's profile. Shown
/// where a comparison found one.
class RecipePane final : public QWidget
{
    Q_OBJECT

public:
    RecipePane(models::ConnectionController *connection, models::CompareController *compare,
        models::RecipeKeeper *keeper, QWidget *parent = nullptr);

    void sync(); ///< the comparison is another one

signals:
    void checkWanted(const QString &target); ///< try it on the rows of this table
    void saved(const QString &path);
    void failed(const idemdesk::sql::Error &error);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void fillTargets();
    void save();

    models::ConnectionController *m_connection;
    models::CompareController *m_compare;
    models::RecipeKeeper *m_keeper;
    QLabel *m_found; ///< the recipe
    QLabel *m_of; ///< which payload it makes the fingerprint of
    QWidget *m_keep;
    TargetChooser *m_target;
    QPushButton *m_check;
    QPushButton *m_save;
    QLabel *m_checked;
};

} // namespace idemdesk::ui
