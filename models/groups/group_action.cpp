// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_action.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/groups/group_action_list.h"
#include "models/groups/group_session.h"
#include "sql/types/tr.h"

#include <QHash>
#include <QPair>
#include <QScopedValueRollback>
#include <QSet>
#include <QTimer>
#include <QUuid>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

using MemberStage = MemberAction::Stage;

QString groupSums(const QList<MemberSum> &sums, std::optional<qint64> keys)
{
    QStringList there;
    QStringList others;
    qint64 all = 0;
    for (const MemberSum &sum : sums) {
        all += sum.rows.value_or(0);
        if (!sum.rows) {
            others
                += sum.answered ? Tr::tr("no plan for %1").arg(sum.label) : Tr::tr("%1 did not answer").arg(sum.label);
        } else if (*sum.rows == 0) {
            others += Tr::tr("nothing to do in %1").arg(sum.label);
        } else {
            there += Tr::tr("%1 in %2", "a count, a member").arg(countText(*sum.rows), sum.label);
        }
    }
    const QString total = keys ? keysText(*keys, all) : rowsText(all);
    if (!there.isEmpty()) {
        others.prepend(there.join(u", "_s));
    }
    return Tr::tr("%1: %2.", "rows in all, those of each member").arg(total, others.join(u"; "_s));
}

GroupAction::GroupAction(GroupSession *group, const QString &journalPath, QObject *parent)
    : QObject(parent)
    , m_group(group)
{
    QStringList labels;
    for (int number = 0; number < group->size(); ++number) {
        labels += group->label(number);
        m_members.push_back(std::make_unique<MemberAction>(group, number, journalPath));
        connect(m_members.back().get(), &MemberAction::changed, this, [this, number] { onMember(number); });
    }
    m_list = new GroupActionList(labels, this);
}

GroupAction::~GroupAction() = default;

void GroupAction::plan(const GroupChoice &choice)
{
    if (m_running) {
        return;
    }
    m_choice = choice;
    m_id.clear();
    ++m_plans;
    m_asked = true;
    {
        const QScopedValueRollback starting(m_starting, true); // one that fails at once is not all of them
        for (const auto &member : m_members) {
            member->plan(choice);
        }
    }
    takeAll();
    onMember(0);
}

void GroupAction::takeAll()
{
    for (std::size_t number = 0; number < m_members.size(); ++number) {
        m_list->take(int(number), *m_members.at(number));
    }
}

void GroupAction::stopPlanning()
{
    for (const auto &member : m_members) {
        member->stopPlanning();
    }
}

void GroupAction::forget()
{
    if (m_running) {
        return;
    }
    m_asked = false;
    ++m_plans;
    m_id.clear();
    {
        const QScopedValueRollback starting(m_starting, true);
        for (const auto &member : m_members) {
            member->forget();
        }
    }
    takeAll();
    emit changed();
}

void GroupAction::onMember(int number)
{
    if (m_starting) {
        return;
    }
    if (planned() && !acted()) {
        refuseTwice();
        takeAll();
    }
    const bool over = m_running && std::none_of(m_members.cbegin(), m_members.cend(), [](const auto &member) {
        return member->stage() == MemberStage::Running;
    });
    m_running = m_running && !over;
    m_list->take(number, *m_members.at(std::size_t(number)));
    emit changed();
    const bool memberOver = acted() && member(number).stage() == MemberStage::Over && member(number).mayBeBegun();
    if (memberOver && !m_ended.contains(number)) {
        m_ended += number;
        emit memberEnded(number);
    }
    if (over) {
        emit ended();
    }
}

/// Two labels of one database: each of its keys would be acted on twice.
void GroupAction::refuseTwice()
{
    QHash<QString, int> labels;
    for (int number = 0; number < size(); ++number) {
        const QString &database = member(number).plan().database;
        if (member(number).stage() != MemberStage::Planned || database.isEmpty()) {
            continue;
        }
        if (!labels.contains(database)) {
            labels.insert(database, number);
            continue;
        }
        const int first = labels.value(database);
        const QString why = tr("“%1” and “%2” lead to the same database.")
                                .arg(displayText(m_group->label(first), 60), displayText(m_group->label(number), 60));
        m_members.at(std::size_t(first))->refuse(why);
        m_members.at(std::size_t(number))->refuse(why);
    }
}

void GroupAction::run(const QString &reason, const QString &ticket, bool throttled)
{
    if (m_running || !planned() || rows() == 0 || mustBeAllowed()) {
        return;
    }
    m_id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_ended.clear();
    m_running = true;
    {
        const QScopedValueRollback starting(m_starting, true); // one that ends at once is not all of them
        for (int number = 0; number < size(); ++number) {
            m_members.at(std::size_t(number))
                ->run(sql::ActionGroup { m_id, m_group->name(), m_group->label(number) }, reason, ticket, throttled);
        }
    }
    takeAll();
    onMember(0);
}

void GroupAction::setFreshFor(int milliseconds)
{
    for (const auto &member : m_members) {
        member->setFreshFor(milliseconds);
    }
}

void GroupAction::cancel()
{
    for (const auto &member : m_members) {
        member->cancel();
    }
}

bool GroupAction::planning() const
{
    return std::any_of(m_members.cbegin(), m_members.cend(),
        [](const auto &member) { return member->stage() == MemberStage::Planning; });
}

bool GroupAction::planned() const
{
    return m_asked && !planning();
}

bool GroupAction::failed() const
{
    return std::any_of(m_members.cbegin(), m_members.cend(),
        [](const auto &member) { return member->stage() == MemberStage::Over && !member->done(); });
}

int GroupAction::answered() const
{
    return int(
        std::count_if(m_members.cbegin(), m_members.cend(), [](const auto &member) { return member->answered(); }));
}

int GroupAction::plans() const
{
    return int(std::count_if(m_members.cbegin(), m_members.cend(),
        [](const auto &member) { return member->answered() && member->stage() != MemberStage::Failed; }));
}

qint64 GroupAction::rows() const
{
    qint64 rows = 0;
    for (const auto &member : m_members) {
        rows += member->rows();
    }
    return rows;
}

bool GroupAction::partly() const
{
    return plans() < size() || std::any_of(m_members.cbegin(), m_members.cend(), [](const auto &member) {
        return member->plan().partly();
    });
}

QString GroupAction::sums() const
{
    QList<MemberSum> sums;
    for (int number = 0; number < size(); ++number) {
        const bool plan = member(number).stage() != MemberStage::Failed;
        sums += MemberSum { displayText(m_group->label(number), 60),
            plan ? std::optional(member(number).rows()) : std::nullopt, member(number).answered() };
    }
    return groupSums(sums, keys());
}

QString GroupAction::doneSums() const
{
    QStringList parts;
    for (int number = 0; number < size(); ++number) {
        if (const qint64 rows = member(number).rowsDone(); rows > 0) {
            parts += tr("%1 in %2", "a count, a member").arg(countText(rows), displayText(m_group->label(number), 60));
        }
    }
    return parts.join(u", "_s);
}

qint64 GroupAction::done() const
{
    qint64 rows = 0;
    for (const auto &member : m_members) {
        rows += member->rowsDone();
    }
    return rows;
}

/// Different keys in the plans of some members; nothing where a plan lists none.
template <typename Counts> std::optional<qint64> GroupAction::keysWhere(Counts counts) const
{
    QSet<QPair<QString, QString>> keys;
    for (const auto &member : m_members) {
        if (member->plan().purge) {
            return std::nullopt;
        }
        for (const FrozenKey &key : counts(*member) ? member->plan().change.set.keys : QList<FrozenKey>()) {
            keys.insert({ scopeText(key.scope), key.key.text });
        }
    }
    return keys.size();
}

std::optional<qint64> GroupAction::keys() const
{
    return keysWhere([](const MemberAction &member) { return member.rows() > 0; });
}

std::optional<qint64> GroupAction::doneKeys() const
{
    const bool whole = std::all_of(m_members.cbegin(), m_members.cend(),
        [](const auto &member) { return member->rowsDone() == 0 || member->rowsDone() == member->plan().rows(); });
    return whole ? keysWhere([](const MemberAction &member) { return member.rowsDone() > 0; }) : std::nullopt;
}

sql::Environment GroupAction::environment() const
{
    sql::Environment most = sql::Environment::Unmarked;
    for (int number = 0; number < size(); ++number) {
        if (member(number).rows() > 0) {
            most = std::max(most, m_group->place(number).settings.environment);
        }
    }
    return most;
}

bool GroupAction::mustBeAllowed() const
{
    return environment() == sql::Environment::Production && m_allowed.hasExpired();
}

void GroupAction::allow()
{
    constexpr int kAllowedMs = kAllowedMinutes * 60'000;
    m_allowed = QDeadlineTimer(kAllowedMs);
    QTimer::singleShot(kAllowedMs + 1, this, &GroupAction::changed);
    emit changed();
}

} // namespace idemdesk::models

#include "moc_group_action.cpp"
