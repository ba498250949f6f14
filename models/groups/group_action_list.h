// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/groups/member_action.h"
#include "models/table/row_model.h"
#include "sql/types/health.h"

#include <QMap>

namespace idemdesk::models {

/// One member of a group beside an action over all of them.
struct MemberActionRow {
    QString label; ///< hostile
    MemberAction::Stage stage = MemberAction::Stage::Idle;
    QMap<TriageClass, qint64> classes; ///< keys by what the evidence makes of them; of a recovery alone
    bool known = false; ///< there is a plan: what is not there is none
    qint64 rows = 0; ///< that it would change
    qint64 left = 0; ///< keys that are left alone
    qint64 bytes = 0; ///< of a purge, estimated
    std::optional<sql::Timestamp> oldest; ///< when the first row became due
    std::optional<qint64> done; ///< nothing: it was not begun
    qint64 asked = 0; ///< rows that were asked for
    sql::HealthLevel level = sql::HealthLevel::Unknown;
    QString state; ///< how it stands, in a word or two
    QString said; ///< the same in sentences; safe to show
};

/// The members of a group beside each other: what an action would do in each of them, and how it goes there.
class GroupActionList final : public RowModel<GroupActionList, MemberActionRow>
{
    Q_OBJECT

public:
    enum Column {
        Member,
        Safe,
        Happened,
        Abandoned,
        Review,
        Busy,
        Rows,
        Left,
        Size,
        Oldest,
        Done,
        State,
        Note,
        ColumnCount
    };

    GroupActionList(const QStringList &labels, QObject *parent);
    void take(int member, const MemberAction &action);
    /// Some member says something there: a note, or another number than 0.
    bool says(int column) const;

    static std::span<const ColumnSpec> columns();
    /// ShareRole of Done: how much of what was asked for. LevelRole of State.
    QVariant itemData(const MemberActionRow &row, int column, int role) const;

private:
    template <TriageClass cls> static QString classText(const GroupActionList &, const MemberActionRow &row);
};

/// One line of what a member would do, or leave alone.
struct MemberPlanLine {
    qint64 rows = 0;
    QString scope;
    std::optional<TriageClass> cls; ///< of a recovery
    std::optional<sql::KeyState> state; ///< of a purge
    std::optional<sql::KeyState> to; ///< what it becomes; nothing: it is deleted, or left
    QString becomes; ///< empty: nothing, it is left
    QString why; ///< of what is left
    bool left = false;
};

/// The plan of one member in lines: first what goes, most rows first; then what is left alone, counted by reason.
class MemberPlanLines final : public RowModel<MemberPlanLines, MemberPlanLine>
{
    Q_OBJECT

public:
    enum Column { Rows, Scope, Class, State, Becomes, Why, ColumnCount };

    explicit MemberPlanLines(QObject *parent);
    void show(const MemberAction &action);
    void clear() { setRows({}); }
    bool says(int column) const; ///< some line says something there

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const MemberPlanLine &line, int column, int role) const;
};

} // namespace idemdesk::models
