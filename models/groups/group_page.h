// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

namespace idemdesk::models {

/// Which rows of the members' pages make up the group's page.
struct MergedPage {
    struct Place {
        qsizetype member = 0;
        qsizetype row = 0; ///< of the member's own page
    };
    QList<Place> rows;
    bool more = false; ///< rows follow
};

/// Puts the members' pages together. ranks: by member and row, the place of the row's sort value among those of all
/// members; within a member they come as its server sorted them. Members that are equal in it come in their order.
/// mores: whether rows follow a member's page; then nothing behind its last row can be told, and the page ends there.
MergedPage mergePages(const QList<QList<qint64>> &ranks, const QList<bool> &mores, qsizetype limit);

} // namespace idemdesk::models
