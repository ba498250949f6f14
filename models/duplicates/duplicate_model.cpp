// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_model.h"

#include "models/duplicates/duplicate_words.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/table/item_role.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// The same groups of another search have the same name.
QString nameOf(const sql::DuplicateGroup &group)
{
    QStringList parts { sql::duplicateReasonName(group.reason), group.effectType, group.shared, group.sample.value(0) };
    for (const sql::Cell &cell : group.scope) {
        parts += cell.null ? QString() : u'=' + cell.text;
    }
    return parts.join(QChar(0x1f));
}

} // namespace

DuplicateModel::DuplicateModel(QObject *parent)
    : RowModel(parent)
{
}

void DuplicateModel::setGroups(const QList<sql::DuplicateGroup> &groups)
{
    updateRows(groups, [](const sql::DuplicateGroup &a, const sql::DuplicateGroup &b) {
        return a.reason == b.reason && a.effectType == b.effectType && a.scope == b.scope && a.shared == b.shared
            && a.sample.value(0) == b.sample.value(0);
    });
}

void DuplicateModel::clear()
{
    m_amounts.clear();
    setGroups({});
}

void DuplicateModel::setTarget(const sql::Target &target)
{
    if (m_target.profile.name != target.profile.name) {
        m_amounts.clear();
    }
    m_target = target;
}

void DuplicateModel::addAmounts(const QList<sql::DuplicateGroup> &groups, const QStringList &amounts)
{
    for (qsizetype i = 0; i < groups.size(); ++i) {
        m_amounts.insert(nameOf(groups.at(i)), amounts.value(i));
    }
    sayAllAnew();
}

bool DuplicateModel::anyAmount() const
{
    return std::any_of(m_rows.cbegin(), m_rows.cend(),
        [this](const sql::DuplicateGroup &group) { return !m_amounts.value(nameOf(group)).isEmpty(); });
}

bool DuplicateModel::onlyDigests() const
{
    return std::all_of(m_rows.cbegin(), m_rows.cend(), [](const sql::DuplicateGroup &group) {
        return group.reason == sql::DuplicateReason::SameFingerprint
            || group.reason == sql::DuplicateReason::NearPayload;
    });
}

QString DuplicateModel::timeText(const std::optional<sql::Timestamp> &time) const
{
    return time ? timeFormat().text(*time) : QString();
}

QString DuplicateModel::exactTime(const std::optional<sql::Timestamp> &time) const
{
    return time ? timeFormat().exact(*time) : QString();
}

std::span<const DuplicateModel::ColumnSpec> DuplicateModel::columns()
{
    using Model = DuplicateModel;
    using Group = sql::DuplicateGroup;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Verdict"); },
            .text = [](const Model &, const Group &group) { return duplicateReasonLabel(group.reason); },
            .toolTip = [](const Model &, const Group &group) { return duplicateWhy(group); } },
        { .title = [] { return tr("Table"); },
            .text = [](const Model &model, const Group &) { return targetTitle(model.m_target.profile); } },
        { .title = [] { return tr("Scope"); },
            .text = [](const Model &, const Group &group) { return duplicateScope(group); } },
        { .title = [] { return tr("What they share"); },
            .text = [](const Model &, const Group &group) { return duplicateShared(group); },
            .toolTip = [](const Model &, const Group &group) { return group.shared; } },
        { .title = [] { return tr("Keys"); },
            .text = [](const Model &, const Group &group) { return countText(group.keys); },
            .alignment = kNumber },
        { .title = [] { return tr("Apart"); },
            .text = [](const Model &, const Group &group) { return duplicateApart(group); },
            .alignment = kNumber,
            .help = [] { return tr("How long after the first key the last one began."); } },
        { .title = [] { return tr("First"); },
            .text = [](const Model &model, const Group &group) { return model.timeText(group.first); },
            .toolTip = [](const Model &model, const Group &group) { return model.exactTime(group.first); },
            .time = true },
        { .title = [] { return tr("Last"); },
            .text = [](const Model &model, const Group &group) { return model.timeText(group.last); },
            .toolTip = [](const Model &model, const Group &group) { return model.exactTime(group.last); },
            .time = true },
        { .title = [] { return tr("Amount"); },
            .text = [](const Model &model, const Group &group) { return model.m_amounts.value(nameOf(group)); },
            .alignment = kNumber,
            .help = [] { return tr("Of each key, as its request or response tells it."); } },
        { .title = [] { return tr("Which keys"); },
            .text = [](const Model &, const Group &group) { return group.sample.mid(0, 2).join(u", "_s); },
            .toolTip = [](const Model &, const Group &group) { return group.sample.join(u'\n'); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

/// What stands muted beneath.
QVariant DuplicateModel::itemData(const sql::DuplicateGroup &group, int column, int role) const
{
    if (column == Reason && role == TitleRole) {
        return duplicateVerdictText(group);
    }
    if (column == Reason && role == KindRole) {
        return int(duplicateVerdict(group));
    }
    if (column == Reason && role == Qt::AccessibleTextRole) {
        return tr("%1: %2", "verdict, reason").arg(duplicateVerdictText(group), duplicateReasonLabel(group.reason));
    }
    if (role != DetailRole) {
        return {};
    }
    switch (column) {
    case Reason:
        return duplicateReasonText(group);
    case Table:
        return displayText(targetPlace(m_target.profile));
    case Shared:
    case FirstKeys:
        return displayText(duplicateScope(group));
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_duplicate_model.cpp"
