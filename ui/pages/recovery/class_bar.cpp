// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/recovery/class_bar.h"

#include "models/actions/action_words.h"
#include "models/format/quantities.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/layouts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::TriageGroup;
using models::TriageModel;

namespace {

QString groupHelp(TriageGroup group)
{
    switch (group) {
    case TriageGroup::Running:
        return ClassBar::tr("Somebody is still at work on these: the row is locked, the owner is connected, or its "
                            "heartbeat is fresh. They are left alone.");
    case TriageGroup::EffectHappened:
        return ClassBar::tr("The evidence shows that the effect exists: they become succeeded, with its reference.");
    case TriageGroup::SafeToRetry:
        return ClassBar::tr("The effect is local to the database and left nothing behind: a retry may run.");
    case TriageGroup::Abandoned:
        return ClassBar::tr("They are past their expiry, so no client may retry them: they end as failed.");
    case TriageGroup::TooFresh:
        return ClassBar::tr("They are stuck for under a minute, so their workers may be finishing. Wait, or tick one "
                            "by itself.");
    case TriageGroup::NeedsReview:
        break;
    }
    return ClassBar::tr("The facts do not settle it: the effect is outside the database, or evidence is missing. "
                        "Decide one key at a time.");
}

} // namespace

ClassBar::ClassBar(TriageModel *model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
{
    auto *row = barRow({}, this);
    row->setSpacing(kGrid);
    for (const models::TriageTally &tally : m_model->tallies()) {
        auto *chip = new Chip(u"class_"_s + models::triageGroupName(tally.group), this);
        row->addWidget(chip);
        m_chips.insert(tally.group, chip);
        connect(chip, &QToolButton::toggled, this, &ClassBar::changed);
    }
}

bool ClassBar::shows(TriageGroup group) const
{
    const bool any = std::any_of(m_chips.cbegin(), m_chips.cend(), [](const Chip *chip) { return chip->isChecked(); });
    return isHidden() || !any || m_chips.value(group)->isChecked();
}

void ClassBar::showUnsettled()
{
    for (const models::TriageTally &tally : m_model->tallies()) {
        m_chips.value(tally.group)->setChecked(tally.group != TriageGroup::Running && tally.keys > tally.may);
    }
}

void ClassBar::sync()
{
    const QList<models::TriageTally> tallies = m_model->tallies();
    const auto some = std::count_if(
        tallies.cbegin(), tallies.cend(), [](const models::TriageTally &tally) { return tally.keys > 0; });
    for (const models::TriageTally &tally : tallies) {
        Chip *chip = m_chips.value(tally.group);
        const bool part = tally.may > 0 && tally.may < tally.keys;
        const QString label = models::triageGroupLabel(tally.group);
        chip->setText(part ? tr("%1 %2 of %3 selectable", "class, numbers")
                                 .arg(label, models::countText(tally.may), models::countText(tally.keys))
                           : tr("%1 %2", "class, number").arg(label, models::countText(tally.keys)));
        const QString whyNot = part
            ? u' ' + tr("%n cannot be selected: %1", nullptr, tally.keys - tally.may).arg(tally.whyNot)
            : QString();
        chip->setToolTip(groupHelp(tally.group) + whyNot);
        const bool tells = tally.keys > 0 && some > 1;
        if (!tells) {
            chip->setChecked(false); // what is not there, or is all that there is, filters nothing
        }
        chip->setVisible(tells);
    }
}

} // namespace idemdesk::ui
