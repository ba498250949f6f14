// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QString>

namespace idemdesk::models {

struct TargetEntry;

/// Actions, audit rows and conflicts carry the name under which a table is registered; a person knows it by its title.
/// What these give is as it stands in the profile, not yet safe to show.
class TargetTitles
{
public:
    TargetTitles() = default;
    explicit TargetTitles(const QList<TargetEntry> &targets);

    /// The name itself where no table of this connection has it; with the name behind it where two have this title.
    QString title(const QString &name) const;
    QString place(const QString &name) const; ///< the table's name in the database; empty where the title says it
    /// What a person typed to name a table: its title, its place or its name. What fits none, or more than one, stays.
    QString nameFor(const QString &typed) const;

private:
    struct Titled {
        QString title;
        QString place;
    };
    QHash<QString, Titled> m_titled; ///< by registered name, else the profile's
};

} // namespace idemdesk::models
