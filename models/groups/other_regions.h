// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/primary_link.h"
#include "models/groups/held_elsewhere.h"
#include "models/request/request.h"

#include <QObject>
#include <memory>
#include <vector>

namespace idemdesk::models {

class GroupSession;

/// Asks all other members of a group of regions what they hold of keys that one of them would change: on their
/// primaries, for a standby may not have what matters yet. Reads only. Lives on the GUI thread.
class OtherRegions final : public QObject
{
    Q_OBJECT

public:
    /// group: outlives it. member: the one that would change the keys.
    OtherRegions(GroupSession *group, int member, QObject *parent = nullptr);
    ~OtherRegions() override;

    /// target, here: the name of the table's profile, and as the one that would change the keys knows it. answered()
    /// follows once, never within this call.
    void ask(const QString &target, const sql::Profile &here, const QList<FrozenKey> &keys);
    void stop(); ///< nobody waits any more

signals:
    void answered(const QList<idemdesk::models::RegionWord> &words);

private:
    struct Other {
        int member = 0;
        PrimaryLink primary;
        Request asking { QStringLiteral("group/held") };
        bool waiting = false; ///< for the member, or its primary, to answer
        std::optional<RegionWord> word;
    };

    void go(Other *other);
    void askOne(Other *other, const sql::Target &there);
    void take(Other *other, const QHash<QString, QString> &against);
    void miss(Other *other, const sql::Error &why);
    void tellWhenAll();

    GroupSession *m_group;
    std::vector<std::unique_ptr<Other>> m_others;
    QString m_target;
    sql::Profile m_here;
    QList<FrozenKey> m_keys;
    bool m_open = false; ///< somebody waits for answered()
};

} // namespace idemdesk::models
