// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/incident/incident_types.h"

#include <QAbstractListModel>

namespace idemdesk::models {

/// Sentences beneath each other, each with where it leads.
class IncidentNotes final : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { DetailTextRole = Qt::UserRole + 100, LevelOfRole, LinkRole };

    using QAbstractListModel::QAbstractListModel;
    /// Lines that stay keep their place and the selection.
    void setNotes(const QList<IncidentNote> &notes);
    const QList<IncidentNote> &notes() const { return m_notes; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QList<IncidentNote> m_notes;
};

} // namespace idemdesk::models
