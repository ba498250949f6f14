// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/target_titles.h"

#include "models/connection/connection_controller.h"
#include "models/format/labels.h"

namespace idemdesk::models {

TargetTitles::TargetTitles(const QList<TargetEntry> &targets)
{
    for (const TargetEntry &entry : targets) {
        const sql::Profile &profile = entry.target.profile;
        m_titled.insert(entry.registration ? entry.registration->name : profile.name,
            { targetTitle(profile), targetPlace(profile) });
    }
}

QString TargetTitles::title(const QString &name) const
{
    return m_titled.value(name, { name, {} }).title;
}

QString TargetTitles::place(const QString &name) const
{
    return m_titled.value(name).place;
}

QString TargetTitles::nameFor(const QString &typed) const
{
    if (m_titled.contains(typed)) {
        return typed;
    }
    for (auto it = m_titled.cbegin(); it != m_titled.cend(); ++it) {
        if (it->title.compare(typed, Qt::CaseInsensitive) == 0 || it->place.compare(typed, Qt::CaseInsensitive) == 0) {
            return it.key();
        }
    }
    return typed;
}

} // namespace idemdesk::models
