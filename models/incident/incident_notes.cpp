// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/incident/incident_notes.h"

#include "models/incident/incident_tiles.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

void IncidentNotes::setNotes(const QList<IncidentNote> &notes)
{
    if (notes == m_notes) {
        return; // nothing flickers, and a reader is not told again
    }
    if (notes.size() == m_notes.size()) {
        m_notes = notes;
        emit dataChanged(index(0), index(int(m_notes.size()) - 1));
        return;
    }
    beginResetModel();
    m_notes = notes;
    endResetModel();
}

namespace {

QString accessibleText(const IncidentNote &note)
{
    QStringList parts { levelWord(note.level), note.text, note.detail };
    parts.removeAll(QString());
    return parts.join(u". "_s);
}

} // namespace

int IncidentNotes::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_notes.size());
}

QVariant IncidentNotes::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const IncidentNote &note = m_notes.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return note.text;
    case Qt::ToolTipRole:
        return note.detail.isEmpty() ? note.text : note.text + u'\n' + note.detail;
    case Qt::AccessibleTextRole:
        return accessibleText(note);
    case DetailTextRole:
        return note.detail;
    case LevelOfRole:
        return int(note.level);
    case LinkRole:
        return QVariant::fromValue(note.link);
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_incident_notes.cpp"
