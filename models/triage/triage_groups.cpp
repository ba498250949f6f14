// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/triage/triage_groups.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kWhyChars = 300;

} // namespace

TriageGroups::TriageGroups(TriageModel *model, QObject *parent)
    : HeadedRows(model, TriageModel::Pick, parent)
    , m_model(model)
{
    for (const TriageTally &tally : m_model->tallies()) {
        m_shown += tally.group;
    }
    rebuild();
}

void TriageGroups::setShown(const QList<TriageGroup> &shown, bool headings, bool saysWhy)
{
    if (shown == m_shown && headings == m_headings && saysWhy == m_saysWhy) {
        return;
    }
    m_shown = shown;
    m_headings = headings;
    m_saysWhy = saysWhy;
    rebuild();
}

bool TriageGroups::saidAbove(int column) const
{
    const QList<int> shown = groups();
    return m_headings && !shown.isEmpty() && std::all_of(shown.cbegin(), shown.cend(), [&](int group) {
        if (column == TriageModel::Why
            && (m_said.value(group).more || m_said.value(group).times < tallyOf(group).keys)) {
            return false;
        }
        const bool nothing = column == TriageModel::Proposed && !m_said.value(group).proposes;
        return nothing || !saidIn(group, column).isEmpty();
    });
}

void TriageGroups::setApart(bool apart)
{
    if (apart == m_apart) {
        return;
    }
    m_apart = apart;
    emit headerDataChanged(Qt::Horizontal, TriageModel::Key, TriageModel::Key);
    if (rowCount() > 0) {
        emit dataChanged(index(0, TriageModel::Key), index(rowCount() - 1, TriageModel::StaleFor), { DetailRole });
    }
}

void TriageGroups::prepare()
{
    m_tallies = m_model->tallies();
    m_said.clear();
    QHash<int, const TriageRow *> firsts;
    QHash<int, QHash<QString, int>> reasons;
    const QString between = u" / "_s; // states
    for (const TriageRow &row : m_model->rows()) {
        const int group = int(triageGroupOf(row));
        const QString why = row.judgement.reasons.isEmpty() ? QString() : row.judgement.reasons.constLast();
        const TriageRow *&first = firsts[group];
        Said &said = m_said[group];
        said.proposes = said.proposes || row.judgement.rule >= 0;
        said.more = said.more || row.judgement.reasons.size() > 1;
        // One key says it itself; and of what is too fresh the heading says that.
        const int times = m_saysWhy && !row.fresh ? ++reasons[group][why] : 0;
        if (times > 1 && 2 * times > tallyOf(group).keys) {
            said.why = why;
            said.times = times;
        }
        if (first == nullptr) {
            first = &row;
            said.becomes = row.judgement.rule < 0 ? QString() : proposedText(row.judgement);
            continue;
        }
        if (row.judgement.rule >= 0 && row.judgement.proposed == first->judgement.proposed) {
            continue;
        }
        // Keys of several classes stand together where they are too fresh; the foot says it of those that are ticked.
        const QString other = proposedText(row.judgement);
        said.becomes = !row.fresh                         ? QString()
            : said.becomes.split(between).contains(other) ? said.becomes
                                                          : said.becomes + between + other;
    }
}

QString TriageGroups::saidIn(int group, int column) const
{
    const Said said = m_headings ? m_said.value(group) : Said();
    return column == TriageModel::Proposed ? said.becomes : column == TriageModel::Why ? said.why : QString();
}

QString TriageGroups::whyText(int group) const
{
    const QString why = displayText(saidIn(group, TriageModel::Why), kWhyChars);
    const int times = m_said.value(group).times;
    return why.isEmpty() || times == tallyOf(group).keys ? why
                                                         : tr("%1 of them: %2", "keys, why").arg(countText(times), why);
}

bool TriageGroups::saidAboveRow(int sourceRow) const
{
    const QStringList &reasons = m_model->rows().at(sourceRow).judgement.reasons;
    const QString said = saidIn(groupOf(sourceRow), TriageModel::Why);
    return !said.isEmpty() && !reasons.isEmpty() && reasons.constLast() == said;
}

QVariant TriageGroups::data(const QModelIndex &index, int role) const
{
    const int row = index.isValid() ? sourceRow(index.row()) : -1;
    const int column = index.column();
    if (row >= 0 && role == DetailRole && m_apart && (column == TriageModel::Key || column == TriageModel::StaleFor)) {
        return {};
    }
    if (row >= 0 && column == TriageModel::Why && role == Qt::DisplayRole && saidAboveRow(row)) {
        const QStringList &reasons = m_model->rows().at(row).judgement.reasons; // what led there
        return reasons.size() > 1 ? displayText(reasons.at(reasons.size() - 2), kWhyChars) : QString();
    }
    return HeadedRows::data(index, role);
}

QVariant TriageGroups::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool title = m_apart && orientation == Qt::Horizontal && role == Qt::DisplayRole;
    // A sign over the boxes looks like one more box; "Select all" stands above.
    return title && section == TriageModel::Key ? QVariant(tr("Key"))
        : title && section == TriageModel::Pick ? QVariant(QString())
                                                : HeadedRows::headerData(section, orientation, role);
}

QList<int> TriageGroups::groups() const
{
    QList<int> groups;
    for (const TriageTally &tally : m_tallies) {
        if (tally.keys > 0 && m_shown.contains(tally.group)) {
            groups += int(tally.group);
        }
    }
    return groups;
}

int TriageGroups::groupOf(int sourceRow) const
{
    return int(triageGroupOf(m_model->rows().at(sourceRow)));
}

const TriageTally &TriageGroups::tallyOf(int group) const
{
    return m_tallies.at(group); // one of each, in their order
}

QVariant TriageGroups::headingData(int group, int role) const
{
    const TriageTally &tally = tallyOf(group);
    switch (role) {
    case Qt::DisplayRole: {
        QString text = tally.may == 0 ? tr("%n key(s), decided one at a time", nullptr, tally.keys)
                                      : tr("%1 of %2 selected").arg(countText(tally.checked), countText(tally.may));
        if (tally.may > 0 && tally.may < tally.keys) {
            text += tr(", %n more decided one at a time", nullptr, tally.keys - tally.may);
        }
        const QString becomes = saidIn(group, TriageModel::Proposed);
        return becomes.isEmpty() ? text : tr("%1 → %2", "keys, what becomes of each").arg(text, becomes);
    }
    case DetailRole:
        return tally.group == TriageGroup::TooFresh
            ? tr("Stuck for under a minute, so their workers may be finishing: wait, or tick one by itself.")
            : whyText(group);
    case Qt::AccessibleTextRole: {
        const QString said = headingData(group, Qt::DisplayRole).toString();
        const QString why = headingData(group, DetailRole).toString();
        return tr("%1: %2", "class, its keys")
            .arg(triageGroupLabel(tally.group), why.isEmpty() ? said : tr("%1. %2", "keys, why").arg(said, why));
    }
    case Qt::CheckStateRole:
        return tally.together == 0 ? QVariant()
            : tally.checked == 0   ? QVariant(Qt::Unchecked)
                                   : QVariant(tally.open > 0 ? Qt::PartiallyChecked : Qt::Checked);
    case Qt::ToolTipRole:
        return headingData(group, DetailRole).toString().isEmpty() ? tally.whyNot : headingData(group, DetailRole);
    default:
        return {};
    }
}

Qt::ItemFlags TriageGroups::headingFlags(int group) const
{
    return tallyOf(group).together > 0 ? Qt::ItemIsUserCheckable : Qt::NoItemFlags;
}

bool TriageGroups::setHeadingData(int group, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || tallyOf(group).together == 0) {
        return false;
    }
    m_model->checkGroup(tallyOf(group).group, value.toInt() != Qt::Unchecked);
    return true;
}

} // namespace idemdesk::models

#include "moc_triage_groups.cpp"
