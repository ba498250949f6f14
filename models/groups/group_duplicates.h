// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/duplicates/duplicate_controller.h"
#include "models/table/row_model.h"

#include <QObject>
#include <QTimeZone>
#include <memory>
#include <vector>

namespace idemdesk::models {

class GroupSession;

/// One group of keys, and the members that have it.
struct MemberDuplicate {
    int member = 0; ///< the first of them
    QString label; ///< of all of them: "eu, us"; hostile
    sql::DuplicateGroup group;
    QList<int> others; ///< further members that hold the very same keys
};

/// What looks carried out more than once in any member, the strongest evidence first.
class GroupDuplicateList final : public RowModel<GroupDuplicateList, MemberDuplicate>
{
    Q_OBJECT

public:
    enum Column { Member, Reason, Keys, Apart, First, Shared, ColumnCount };

    explicit GroupDuplicateList(QObject *parent);
    /// In any order. What two members hold alike is one row: it was done once, and copied.
    void set(const QList<MemberDuplicate> &duplicates);

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const MemberDuplicate &duplicate, int column, int role) const; ///< as DuplicateModel has them
};

/// Looks for duplicates of one table in each member of a group by itself, in all of them at once. Who does not answer
/// is named: what it holds is not known. Lives on the GUI thread.
class GroupDuplicates final : public QObject
{
    Q_OBJECT

public:
    /// What is searched for.
    struct Choice {
        QString target; ///< profile's name
        QString filter; ///< as a person types it
        QTimeZone zone = QTimeZone::utc(); ///< in which its times are meant
        sql::DuplicateRequest request; ///< but for its filter
    };

    explicit GroupDuplicates(GroupSession *group, QObject *parent = nullptr); ///< group: outlives it
    ~GroupDuplicates() override;

    void search(const Choice &choice); ///< replaces what was found
    void stop(); ///< what was found so far stays
    void forget(); ///< another choice: what was found says nothing of it
    const Choice &choice() const { return m_choice; } ///< of the newest search; no target: there was none
    bool running() const;
    GroupDuplicateList *list() const { return m_list; }
    int answered() const; ///< members that were searched to the end
    bool complete() const; ///< each of them, and all that was to be looked at
    QStringList missing() const; ///< members that were not searched to the end, each with the reason; safe to show
    /// The same with what the others say of their search; what all of them say is said once.
    QStringList notes() const;
    sql::Target target(int member) const; ///< as it was searched

signals:
    void changed(); ///< any of these

private:
    struct Member;

    void collect();
    QString saidBy(int member, const QString &text) const;

    GroupSession *m_group;
    Choice m_choice;
    GroupDuplicateList *m_list;
    std::vector<std::unique_ptr<Member>> m_members;
};

} // namespace idemdesk::models
