// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/groups/group_store.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace idemdesk::models {
class SavedConnections;
}

namespace idemdesk::ui {

/// One group: its name, its kind, and a line for each member with its label and connection.
class GroupForm final : public QWidget
{
    Q_OBJECT

public:
    /// connections: outlives the form.
    explicit GroupForm(models::SavedConnections *connections, QWidget *parent);

    void setGroup(const models::SavedGroup &group);
    models::SavedGroup group() const; ///< as it stands in the fields; nothing of it is checked
    bool edited() const { return !(group() == m_before); }
    void adopt() { m_before = group(); } ///< what is in the fields is saved
    void focusFirst();

signals:
    void changed();

private:
    struct Line {
        QWidget *widget = nullptr;
        QLineEdit *label = nullptr;
        QComboBox *connection = nullptr;
        QPushButton *remove = nullptr;
    };

    void addLine(const models::SavedGroupMember &member);
    void removeLine(QWidget *widget);
    void fillConnections(QComboBox *box, const models::SavedGroupMember &member) const;
    void nameLines();

    models::SavedConnections *m_connections;
    models::SavedGroup m_before;
    QLineEdit *m_name;
    QComboBox *m_kind;
    QVBoxLayout *m_members;
    QPushButton *m_add;
    QList<Line> m_lines;
};

} // namespace idemdesk::ui
