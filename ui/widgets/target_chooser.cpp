// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/target_chooser.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <algorithm>
#include <utility>

namespace idemdesk::ui {

namespace {

constexpr int kLabelChars = 120;
constexpr int kDroppedWidth = 180 * kGrid; // two identifiers of the longest kind still differ within it

} // namespace

TargetChooser::TargetChooser(const QString &objectName, QWidget *parent)
    : QComboBox(parent)
{
    setObjectName(objectName);
    setAccessibleName(tr("Table"));
    setPlaceholderText(tr("No table"));
    setMinimumContentsLength(36);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMaximumWidth(130 * kGrid);
    view()->setTextElideMode(Qt::ElideMiddle);
    connect(this, &QComboBox::activated, this, [this](int index) {
        m_wanted = itemData(index).toString();
        emit chosen(m_wanted);
    });
}

void TargetChooser::offerOnly(Fits fits)
{
    m_offered = std::move(fits);
}

void TargetChooser::offerAll(const QString &text)
{
    m_all = text;
}

void TargetChooser::prefer(Fits fits)
{
    m_preferred = std::move(fits);
}

QString TargetChooser::refill(const QList<models::TargetEntry> &entries, const QString &shown)
{
    clear();
    if (!m_all.isEmpty()) {
        addItem(m_all, QString());
    }
    int fallback = -1;
    for (const models::TargetEntry &entry : entries) {
        if (m_offered && !m_offered(entry)) {
            continue;
        }
        if (fallback < 0 && m_preferred && m_preferred(entry)) {
            fallback = count();
        }
        add(entry);
    }
    const int kept = findData(shown.isEmpty() ? m_wanted : shown);
    setCurrentIndex(kept >= 0 ? kept : count() > 0 ? std::max(fallback, 0) : -1);
    setEnabled(count() > 0);
    return target();
}

void TargetChooser::add(const models::TargetEntry &entry)
{
    const QString label = models::displayText(models::targetLabel(entry.target.profile), kLabelChars);
    addItem(label, entry.target.profile.name);
    setItemData(count() - 1, label, Qt::ToolTipRole);
    const int width = fontMetrics().horizontalAdvance(label) + 8 * kGrid;
    view()->setMinimumWidth(std::clamp(width, view()->minimumWidth(), kDroppedWidth));
}

void TargetChooser::choose(const QString &name)
{
    m_wanted = name;
    setCurrentIndex(findData(name));
}

} // namespace idemdesk::ui
