// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/target_chooser.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/table/item_role.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QStylePainter>
#include <algorithm>
#include <utility>

namespace idemdesk::ui {

namespace {

constexpr int kTitleShown = 120;
constexpr int kGap = 2 * kGrid; // between title and place
constexpr int kChrome = 12 * kGrid; // the arrow and the edges
constexpr int kBothFit = 40 * kGrid; // less shows the title alone
constexpr int kLeastPlace = 20 * kGrid; // of which both ends still say something
constexpr int kDroppedWidth = 180 * kGrid; // two identifiers of the longest kind still differ within it

} // namespace

TargetChooser::TargetChooser(const QString &objectName, QWidget *parent)
    : QComboBox(parent)
{
    setObjectName(objectName);
    setAccessibleName(tr("Table"));
    setPlaceholderText(tr("No table"));
    setMinimumContentsLength(20);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMaximumWidth(130 * kGrid);
    view()->setTextElideMode(Qt::ElideMiddle);
    view()->setItemDelegate(new TwoLineDelegate(TwoLineDelegate::First::Text, this));
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
    m_widest = 0;
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
    const QString label = models::displayText(models::targetLabel(entry.target.profile), kTitleShown);
    addItem(label, entry.target.profile.name);
    const QString title = models::displayText(models::targetTitle(entry.target.profile), kTitleShown);
    const QString place = models::displayText(models::targetPlace(entry.target.profile), kTitleShown);
    setItemData(count() - 1, label, Qt::ToolTipRole);
    setItemData(count() - 1, title, models::TitleRole);
    setItemData(count() - 1, place, models::DetailRole);
    const int titleWidth = fontMetrics().horizontalAdvance(title);
    const int placeWidth = fontMetrics().horizontalAdvance(place);
    const int width = std::max(titleWidth, placeWidth) + 12 * kGrid;
    view()->setMinimumWidth(std::clamp(width, view()->minimumWidth(), kDroppedWidth));
    m_widest = std::max(m_widest, titleWidth + placeWidth + kGap + kChrome);
    updateGeometry();
}

QSize TargetChooser::sizeHint() const
{
    const QSize usual = QComboBox::sizeHint();
    return { std::clamp(m_widest, usual.width(), std::max(usual.width(), maximumWidth())), usual.height() };
}

void TargetChooser::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QVariant named = currentData(models::TitleRole);
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    const QString place = currentData(models::DetailRole).toString();
    const QString called = named.isValid() ? named.toString() : currentIndex() < 0 ? placeholderText() : currentText();
    // Where both do not fit, the place is cut first, and never wholly: two tables may have one title.
    const int whole = fontMetrics().horizontalAdvance(place) + kGap;
    const int placeWidth = field.width() < kBothFit || place.isEmpty()
        ? 0
        : std::clamp(field.width() - fontMetrics().horizontalAdvance(called), std::min(whole, kLeastPlace), whole);
    const QString title = fontMetrics().elidedText(called, Qt::ElideMiddle, field.width() - placeWidth);
    painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Text));
    painter.drawText(field, Qt::AlignLeft | Qt::AlignVCenter, title);
    if (placeWidth > 0) {
        const QRect rest = field.adjusted(fontMetrics().horizontalAdvance(title) + kGap, 0, 0, 0);
        painter.setPen(themeColor(Token::MutedText));
        painter.drawText(
            rest, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(place, Qt::ElideMiddle, rest.width()));
    }
}

void TargetChooser::choose(const QString &name)
{
    m_wanted = name;
    setCurrentIndex(findData(name));
}

} // namespace idemdesk::ui
