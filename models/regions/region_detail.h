// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/regions/region_compare.h"
#include "models/request/request.h"
#include "models/table/row_model.h"

#include <array>

namespace idemdesk::models {

/// One thing that both sides say of a key.
struct SideLine {
    QString what;
    std::array<QString, 2> said; ///< hostile; empty where the side has nothing there
    bool differs = false;
    bool time = false; ///< both are timestamptz texts
    int rank = 3; ///< of those that differ the lowest is read first: what is at stake
};

/// What both sides have for one key, line by line: first those that differ, with a sign. What the list left out,
/// request and answer, is read when the key is shown. Lives on the GUI thread.
class RegionDetail final : public RowModel<RegionDetail, SideLine>
{
    Q_OBJECT

public:
    enum Column { What, First, Second, ColumnCount };

    explicit RegionDetail(QObject *parent = nullptr);

    /// Both sides of what was compared; a null database reads nothing. Clears what is shown.
    void setSides(const std::array<sql::Database *, 2> &databases, const std::array<sql::Target, 2> &targets);
    void show(const RegionDifference &difference);
    void clear();
    bool busy() const { return m_reading[0].busy() || m_reading[1].busy(); }
    /// What could not be read of the key's request and answer, a sentence each; hostile texts.
    const QStringList &notes() const { return m_notes; }

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const SideLine &line, int column, int role) const; ///< FailedRole of What: it differs

signals:
    void changed(); ///< notes() or busy()

private:
    using Bodies = QList<sql::KeyRecord>;

    void readBodies(const RegionDifference &difference);
    void addBodies();
    void addBody(sql::Role role);
    QString sideText(const SideLine &line, int side, bool exact) const;

    std::array<Request, 2> m_reading { Request(QStringLiteral("first side")), Request(QStringLiteral("second side")) };
    std::array<sql::Target, 2> m_targets;
    std::array<std::optional<Bodies>, 2> m_bodies;
    QStringList m_notes;
    quint64 m_shown = 0;
};

} // namespace idemdesk::models
