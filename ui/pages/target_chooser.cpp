// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/target_chooser.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <algorithm>

namespace idemdesk::ui {

namespace {

constexpr int kLabelChars = 120;
constexpr int kDroppedWidth = 180 * kGrid; // two identifiers of the longest kind still differ within it

} // namespace

void setUpTargetChooser(QComboBox *chooser)
{
    chooser->setMinimumContentsLength(36);
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    chooser->setMaximumWidth(130 * kGrid);
    chooser->view()->setTextElideMode(Qt::ElideMiddle);
}

void addTarget(QComboBox *chooser, const sql::Profile &profile)
{
    const QString label = models::displayText(models::targetLabel(profile), kLabelChars);
    chooser->addItem(label, profile.name);
    chooser->setItemData(chooser->count() - 1, label, Qt::ToolTipRole);
    const int width = chooser->fontMetrics().horizontalAdvance(label) + 8 * kGrid;
    chooser->view()->setMinimumWidth(std::clamp(width, chooser->view()->minimumWidth(), kDroppedWidth));
}

} // namespace idemdesk::ui
