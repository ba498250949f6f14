// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/triage/triage_groups.h"

#include "models/actions/action_words.h"
#include "models/format/quantities.h"

#include <algorithm>

namespace idemdesk::models {

TriageGroups::TriageGroups(TriageModel *model, QObject *parent)
    : HeadedRows(model, TriageModel::Pick, parent)
    , m_model(model)
{
    for (const TriageTally &tally : m_model->tallies()) {
        m_classes += tally.cls;
    }
    rebuild();
}

void TriageGroups::setShown(const QList<TriageClass> &classes, bool headings)
{
    if (classes == m_classes && headings == m_headings) {
        return;
    }
    m_classes = classes;
    m_headings = headings;
    rebuild();
}

void TriageGroups::prepare()
{
    m_tallies = m_model->tallies();
}

QList<int> TriageGroups::groups() const
{
    QList<int> groups;
    for (const TriageTally &tally : m_tallies) {
        if (tally.keys > 0 && m_classes.contains(tally.cls)) {
            groups += int(tally.cls);
        }
    }
    return groups;
}

int TriageGroups::groupOf(int sourceRow) const
{
    return int(m_model->rows().at(sourceRow).judgement.cls);
}

const TriageTally &TriageGroups::tallyOf(int group) const
{
    const auto cls = static_cast<TriageClass>(group);
    return *std::find_if(
        m_tallies.cbegin(), m_tallies.cend(), [cls](const TriageTally &tally) { return tally.cls == cls; });
}

QVariant TriageGroups::headingData(int group, int role) const
{
    const TriageTally &tally = tallyOf(group);
    switch (role) {
    case Qt::DisplayRole:
        return tally.may == 0 ? tr("%n key(s), decided one at a time", nullptr, tally.keys)
                              : tr("%n key(s), %1 of %2 selected", nullptr, tally.keys)
                                    .arg(countText(tally.checked), countText(tally.may));
    case Qt::AccessibleTextRole:
        return tr("%1: %2", "class, its keys")
            .arg(triageClassLabel(tally.cls), headingData(group, Qt::DisplayRole).toString());
    case Qt::CheckStateRole:
        return tally.may == 0    ? QVariant()
            : tally.checked == 0 ? QVariant(Qt::Unchecked)
                                 : QVariant(tally.checked < tally.may ? Qt::PartiallyChecked : Qt::Checked);
    case Qt::ToolTipRole:
        return tally.whyNot;
    default:
        return {};
    }
}

Qt::ItemFlags TriageGroups::headingFlags(int group) const
{
    return tallyOf(group).may > 0 ? Qt::ItemIsUserCheckable : Qt::NoItemFlags;
}

bool TriageGroups::setHeadingData(int group, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || tallyOf(group).may == 0) {
        return false;
    }
    m_model->checkClass(tallyOf(group).cls, value.toInt() != Qt::Unchecked);
    return true;
}

} // namespace idemdesk::models

#include "moc_triage_groups.cpp"
