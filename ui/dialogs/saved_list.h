// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"

#include <QListWidget>

namespace idemdesk::models {
class SavedConnections;
}

namespace idemdesk::ui {

/// The saved connections by name, each with a dot in its environment's colour; the environment is also said
/// in words.
class SavedList final : public QListWidget
{
    Q_OBJECT

public:
    explicit SavedList(models::SavedConnections *saved, QWidget *parent = nullptr);

    QString currentId() const; ///< empty where none is selected
    void select(const QString &id); ///< an unknown id selects none

protected:
    void changeEvent(QEvent *event) override;

private:
    void reload();

    models::SavedConnections *m_saved;
};

/// A dot in the environment's colour; hollow where it is unmarked.
QIcon environmentDot(sql::Environment environment, const QPalette &palette);

} // namespace idemdesk::ui
