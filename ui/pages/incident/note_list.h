// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/incident/incident_types.h"

#include <QListView>
#include <QWidget>

namespace idemdesk::models {
class IncidentNotes;
}

namespace idemdesk::ui {

/// A card with a title and sentences beneath each other. Those that lead somewhere do so by a click or Return.
class NoteCard final : public QWidget
{
    Q_OBJECT

public:
    NoteCard(const QString &objectName, const QString &title, models::IncidentNotes *notes, QWidget *parent);
    QListView *list() const { return m_list; }

signals:
    void linkActivated(const idemdesk::models::IncidentLink &link);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QListView *m_list;
};

} // namespace idemdesk::ui
