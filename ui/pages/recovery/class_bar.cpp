// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/recovery/class_bar.h"

#include "models/actions/action_words.h"
#include "models/format/quantities.h"
#include "models/triage/triage_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/layouts.h"

#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::TriageClass;
using models::TriageModel;

namespace {

constexpr TriageClass kClasses[] = { TriageClass::SafeToRetry, TriageClass::EffectHappened, TriageClass::Abandoned,
    TriageClass::NeedsReview, TriageClass::Running };

QString classHelp(TriageClass cls)
{
    switch (cls) {
    case TriageClass::Running:
        return ClassBar::tr("Somebody is still at work on these: the row is locked, the owner is connected, or its "
                            "heartbeat is fresh. They are left alone.");
    case TriageClass::EffectHappened:
        return ClassBar::tr("The evidence shows that the effect exists: they become succeeded, with its reference.");
    case TriageClass::SafeToRetry:
        return ClassBar::tr("The effect is local to the database and left nothing behind: a retry may run.");
    case TriageClass::Abandoned:
        return ClassBar::tr("They are past their expiry, so no client may retry them: they end as failed.");
    case TriageClass::NeedsReview:
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
    for (const TriageClass cls : kClasses) {
        auto *chip = new Chip(u"class_"_s + models::triageClassName(cls), this);
        chip->setToolTip(classHelp(cls));
        row->addWidget(chip);
        m_chips += chip;
        connect(chip, &QToolButton::clicked, m_model, [this, cls](bool checked) { m_model->checkClass(cls, checked); });
    }
    row->addStretch(1);
}

void ClassBar::sync()
{
    struct Tally {
        int keys = 0;
        bool may = false;
        bool all = true;
    };
    std::array<Tally, std::size(kClasses)> tallies; // by class: all of them have a chip
    for (const TriageModel::Row &row : m_model->rows()) { // thousands: once for all classes
        Tally &tally = tallies.at(std::size_t(row.judgement.cls));
        ++tally.keys;
        if (row.may) {
            tally.may = true;
            tally.all = tally.all && row.checked;
        }
    }
    for (qsizetype i = 0; i < m_chips.size(); ++i) {
        const TriageClass cls = kClasses[i];
        const auto &[keys, may, all] = tallies.at(std::size_t(cls));
        Chip *chip = m_chips.at(i);
        chip->setText(tr("%1 (%2)", "class, number").arg(models::triageClassLabel(cls), models::countText(keys)));
        chip->setEnabled(may);
        chip->setChecked(may && all);
    }
}

} // namespace idemdesk::ui
