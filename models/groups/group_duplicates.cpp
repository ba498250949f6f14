// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_duplicates.h"

#include "models/duplicates/duplicate_words.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/groups/group_session.h"
#include "sql/lanes/database.h"

#include <QMap>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kNoteChars = 400;

bool comesBefore(const MemberDuplicate &a, const MemberDuplicate &b)
{
    const auto rank
        = [](const MemberDuplicate &of) { return std::pair(int(duplicateVerdict(of.group)), int(of.group.reason)); };
    return rank(a) < rank(b);
}

/// The very same keys, which each of the members has.
bool sameGroup(const sql::DuplicateGroup &a, const sql::DuplicateGroup &b)
{
    return a.reason == b.reason && a.effectType == b.effectType && a.scope == b.scope && a.shared == b.shared
        && a.keys == b.keys && a.sample == b.sample && duplicateVerdict(a) == duplicateVerdict(b);
}

QList<MemberDuplicate> together(const QList<MemberDuplicate> &duplicates)
{
    QList<MemberDuplicate> rows;
    for (const MemberDuplicate &one : duplicates) {
        const auto same = std::find_if(rows.begin(), rows.end(),
            [&one](const MemberDuplicate &row) { return row.member != one.member && sameGroup(row.group, one.group); });
        if (same == rows.end()) {
            rows += one;
        } else {
            same->label += u", "_s + one.label;
            same->others += one.member;
        }
    }
    return rows;
}

} // namespace

GroupDuplicateList::GroupDuplicateList(QObject *parent)
    : RowModel(parent)
{
}

void GroupDuplicateList::set(const QList<MemberDuplicate> &duplicates)
{
    QList<MemberDuplicate> sorted = together(duplicates);
    std::stable_sort(sorted.begin(), sorted.end(), comesBefore); // equal ones stand by member, as each ranked them
    updateRows(sorted, [](const MemberDuplicate &a, const MemberDuplicate &b) {
        return a.member == b.member && a.others == b.others && a.group.reason == b.group.reason
            && a.group.effectType == b.group.effectType && a.group.scope == b.group.scope
            && a.group.shared == b.group.shared && a.group.sample.value(0) == b.group.sample.value(0);
    });
}

std::span<const GroupDuplicateList::ColumnSpec> GroupDuplicateList::columns()
{
    using Model = GroupDuplicateList;
    using Row = MemberDuplicate;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Member"); }, .text = [](const Model &, const Row &row) { return row.label; } },
        { .title = [] { return tr("Verdict"); },
            .text = [](const Model &, const Row &row) { return duplicateReasonLabel(row.group.reason); },
            .toolTip = [](const Model &, const Row &row) { return duplicateWhy(row.group); } },
        { .title = [] { return tr("Keys"); },
            .text = [](const Model &, const Row &row) { return countText(row.group.keys); },
            .alignment = kNumber },
        { .title = [] { return tr("Apart"); },
            .text = [](const Model &, const Row &row) { return duplicateApart(row.group); },
            .alignment = kNumber,
            .help = [] { return tr("How long after the first key the last one began."); } },
        { .title = [] { return tr("First"); },
            .text
            = [](const Model &model,
                  const Row &row) { return row.group.first ? model.timeFormat().text(*row.group.first) : QString(); },
            .toolTip
            = [](const Model &model,
                  const Row &row) { return row.group.first ? model.timeFormat().exact(*row.group.first) : QString(); },
            .time = true },
        { .title = [] { return tr("What they share"); },
            .text = [](const Model &, const Row &row) { return duplicateShared(row.group); },
            .toolTip = [](const Model &, const Row &row) { return row.group.shared; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant GroupDuplicateList::itemData(const MemberDuplicate &duplicate, int column, int role) const
{
    const sql::DuplicateGroup &group = duplicate.group;
    if (column == Shared && role == DetailRole) {
        return displayText(duplicateScope(group));
    }
    if (column != Reason) {
        return {};
    }
    switch (role) {
    case TitleRole:
        return duplicateVerdictText(group);
    case KindRole:
        return int(duplicateVerdict(group));
    case DetailRole:
        return duplicateReasonText(group);
    case Qt::AccessibleTextRole:
        return tr("%1: %2", "verdict, reason").arg(duplicateVerdictText(group), duplicateReasonLabel(group.reason));
    default:
        return {};
    }
}

struct GroupDuplicates::Member {
    DuplicateController controller;
    sql::Target target;
    std::optional<sql::Error> error;
    bool asked = false;
};

GroupDuplicates::GroupDuplicates(GroupSession *group, QObject *parent)
    : QObject(parent)
    , m_group(group)
    , m_list(new GroupDuplicateList(this))
{
    for (int number = 0; number < group->size(); ++number) {
        m_members.push_back(std::make_unique<Member>());
        Member *member = m_members.back().get();
        DuplicateController *controller = &member->controller;
        connect(controller, &DuplicateController::runningChanged, this, &GroupDuplicates::changed);
        connect(controller, &DuplicateController::found, this, &GroupDuplicates::collect);
        connect(controller, &DuplicateController::foundSoFar, this, &GroupDuplicates::collect);
        connect(controller, &DuplicateController::failed, this, [this, member](const sql::Error &error) {
            member->error = error;
            collect();
        });
    }
    connect(group, &GroupSession::databaseChanged, this, [this](int number) {
        m_members.at(std::size_t(number))->controller.setDatabase(m_group->database(number));
        collect();
    });
}

GroupDuplicates::~GroupDuplicates() = default;

void GroupDuplicates::search(const Choice &choice)
{
    m_choice = choice;
    for (int number = 0; number < m_group->size(); ++number) {
        Member &member = *m_members.at(std::size_t(number));
        member.controller.setDatabase(nullptr); // forgets what was found
        member.controller.setDatabase(m_group->database(number));
        member.error.reset();
        member.asked = false;
        if (!m_group->answered(number)) {
            member.error = m_group->error(number).value_or(
                sql::makeError(sql::ErrorKind::Other, tr("It has not answered yet.")));
            continue;
        }
        const TargetEntry *entry = m_group->target(number, choice.target);
        if (entry == nullptr) {
            member.error = m_group->whyNoTarget(number, choice.target);
            continue;
        }
        const auto filter = parseFilter(choice.filter, vocabularyOf(entry->target.profile, choice.zone));
        if (!filter) {
            member.error = filter.error();
            continue;
        }
        sql::DuplicateRequest request = choice.request;
        request.filter = *filter;
        member.target = entry->target;
        member.asked = true;
        member.controller.search(entry->target, request);
    }
    collect();
}

void GroupDuplicates::stop()
{
    for (const auto &member : m_members) {
        if (member->controller.running()) {
            member->controller.cancel();
        }
    }
    collect();
}

void GroupDuplicates::forget()
{
    m_choice = {};
    for (int number = 0; number < m_group->size(); ++number) {
        Member &member = *m_members.at(std::size_t(number));
        member.controller.setDatabase(nullptr); // with what runs
        member.error.reset();
        member.asked = false;
    }
    collect();
}

void GroupDuplicates::collect()
{
    QList<MemberDuplicate> all;
    for (int number = 0; number < m_group->size(); ++number) {
        const Member &member = *m_members.at(std::size_t(number));
        for (const sql::DuplicateGroup &group : member.controller.model()->rows()) {
            all += MemberDuplicate { number, m_group->label(number), group, {} };
        }
    }
    m_list->set(all);
    emit changed();
}

bool GroupDuplicates::running() const
{
    return std::any_of(
        m_members.cbegin(), m_members.cend(), [](const auto &member) { return member->controller.running(); });
}

int GroupDuplicates::answered() const
{
    return int(std::count_if(m_members.cbegin(), m_members.cend(),
        [](const auto &member) { return member->asked && !member->error && member->controller.searched(); }));
}

bool GroupDuplicates::complete() const
{
    return answered() == m_group->size() && std::all_of(m_members.cbegin(), m_members.cend(), [](const auto &member) {
        return member->controller.complete();
    });
}

QStringList GroupDuplicates::missing() const
{
    QStringList missing;
    for (int number = 0; number < m_group->size(); ++number) {
        const Member &member = *m_members.at(std::size_t(number));
        if (member.error) {
            missing += saidBy(number, member.error->line());
        } else if (member.asked && !member.controller.running() && !member.controller.searched()) {
            missing += saidBy(number, tr("The search did not come to its end: there may be more."));
        }
    }
    return missing;
}

QString GroupDuplicates::saidBy(int member, const QString &text) const
{
    return tr("%1: %2", "a member of the group, what it says")
        .arg(displayText(m_group->label(member), 60), displayText(text, kNoteChars));
}

QStringList GroupDuplicates::notes() const
{
    QMap<QString, QList<int>> said; // by whom
    QStringList order;
    int searched = 0;
    for (int number = 0; number < m_group->size(); ++number) {
        const DuplicateController &controller = m_members.at(std::size_t(number))->controller;
        searched += controller.searched() ? 1 : 0;
        for (const QString &note : controller.searched() ? controller.notes() : QStringList()) {
            order += said.contains(note) ? QStringList() : QStringList { note };
            said[note] += number;
        }
    }
    QStringList notes = missing();
    for (const QString &note : std::as_const(order)) {
        if (said.value(note).size() == searched) {
            notes += displayText(note, kNoteChars);
            continue;
        }
        for (const int number : said.value(note)) {
            notes += saidBy(number, note);
        }
    }
    return notes;
}

sql::Target GroupDuplicates::target(int member) const
{
    return m_members.at(std::size_t(member))->target;
}

} // namespace idemdesk::models

#include "moc_group_duplicates.cpp"
