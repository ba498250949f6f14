// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/target_titles.h"

#include "models/connection/connection_controller.h"
#include "models/format/labels.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

TargetTitles::TargetTitles(const QList<TargetEntry> &targets)
{
    QHash<QString, int> uses; // one profile may be registered for two tables, and keeps its title
    for (const TargetEntry &entry : targets) {
        const sql::Profile &profile = entry.target.profile;
        const QString name = entry.registration ? entry.registration->name : profile.name;
        m_titled.insert(name, { targetTitle(profile), targetPlace(profile) });
        ++uses[targetTitle(profile)];
    }
    for (auto it = m_titled.begin(); it != m_titled.end(); ++it) {
        if (uses.value(it->title) > 1) {
            it->title = u"%1 (%2)"_s.arg(it->title, it.key());
        }
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
    QStringList found;
    for (auto it = m_titled.cbegin(); it != m_titled.cend(); ++it) {
        if (it->title.compare(typed, Qt::CaseInsensitive) == 0 || it->place.compare(typed, Qt::CaseInsensitive) == 0) {
            found += it.key();
        }
    }
    return found.size() == 1 ? found.first() : typed;
}

} // namespace idemdesk::models
