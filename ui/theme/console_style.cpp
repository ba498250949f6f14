// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/console_style.h"

#include "models/table/item_role.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/theme/ticked_column.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr const char *kLookProperty = "buttonLook";
constexpr int kAroundText = 14; // pixels of a control's height, beside its text's where texts are large
constexpr int kScrollBarWidth = 12;
constexpr int kLeastThumb = 32;
constexpr int kFieldPadding = 5; // pixels between a field's frame and its text, beside Qt's own two
constexpr int kArrowWidth = 24;
constexpr int kSortArrow = 7;
constexpr int kSortGap = 4; // pixels from its title

bool isItemView(const QWidget *widget)
{
    return qobject_cast<const QAbstractItemView *>(widget) != nullptr;
}

/// One for all that stands in a row: fields, buttons, lists to choose from. More where a text has two lines.
int controlHeight(const QStyleOption *option, int contents = 0)
{
    const int line = option->fontMetrics.height();
    return std::max(kControlHeight, (contents > 3 * line / 2 ? contents : line) + kAroundText);
}

/// Whether the current cell needs a mark of its own: its row has none, or it leads elsewhere than its neighbours.
bool marksCell(const QStyleOption &option, const QAbstractItemView *view)
{
    return !option.state.testFlag(QStyle::State_Selected) || !view->property(kMarksRows).toBool()
        || view->editTriggers() != QAbstractItemView::NoEditTriggers
        || view->currentIndex().data(models::FilterTextRole).isValid();
}

/// The thumb of a scroll bar, whose whole length is its groove: there are no arrow buttons.
QRect thumbOf(const QStyleOptionSlider &bar)
{
    const bool vertical = bar.orientation == Qt::Vertical;
    const int length = vertical ? bar.rect.height() : bar.rect.width();
    const qint64 range = qint64(bar.maximum) - bar.minimum;
    int thumb = length;
    if (range > 0) {
        thumb = int(qint64(length) * bar.pageStep / (range + bar.pageStep));
        thumb = std::clamp(thumb, std::min(kLeastThumb, length), length);
    }
    const int start
        = QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition, length - thumb, bar.upsideDown);
    return vertical ? QRect(bar.rect.left(), bar.rect.top() + start, bar.rect.width(), thumb)
                    : QRect(bar.rect.left() + start, bar.rect.top(), thumb, bar.rect.height());
}

QRect partOfScrollBar(const QStyleOptionSlider &bar, QStyle::SubControl part)
{
    const QRect thumb = thumbOf(bar);
    const QRect all = bar.rect;
    const bool vertical = bar.orientation == Qt::Vertical;
    switch (part) {
    case QStyle::SC_ScrollBarSlider:
        return thumb;
    case QStyle::SC_ScrollBarGroove:
        return all;
    case QStyle::SC_ScrollBarSubPage:
        return vertical ? QRect(all.left(), all.top(), all.width(), thumb.top() - all.top())
                        : QRect(all.left(), all.top(), thumb.left() - all.left(), all.height());
    case QStyle::SC_ScrollBarAddPage:
        return vertical ? QRect(all.left(), thumb.bottom() + 1, all.width(), all.bottom() - thumb.bottom())
                        : QRect(thumb.right() + 1, all.top(), all.right() - thumb.right(), all.height());
    default:
        return {};
    }
}

/// An arrow on a button that is filled has the colour of its text: none else is told from the fill.
QColor arrowInk(const QStyleOption &option, const QWidget *widget)
{
    if (qobject_cast<const QPushButton *>(widget) != nullptr && lookOf(widget) != ButtonLook::Plain) {
        return buttonText(option, lookOf(widget));
    }
    return themeColor(option.state & QStyle::State_Enabled ? Token::MutedText : Token::DisabledText);
}

/// Qt begins with the icon at the left edge and leaves the room that is over at the right; both stand in the middle.
QRect labelRoom(const QStyleOptionToolButton &button)
{
    const bool both = button.toolButtonStyle == Qt::ToolButtonTextBesideIcon && !button.icon.isNull();
    if (!both || button.text.isEmpty()) {
        return button.rect;
    }
    const int text = button.fontMetrics.size(Qt::TextShowMnemonic, button.text).width();
    const int spare = button.rect.width() - button.iconSize.width() - kGrid - text;
    return QStyle::visualRect(button.direction, button.rect, button.rect.adjusted(std::max(0, spare / 2), 0, 0, 0));
}

/// The icon in the colour of the text beside it.
QIcon inkedIcon(const QIcon &icon, const QSize &size, const QColor &ink, const QWidget *widget)
{
    const qreal ratio = widget != nullptr ? widget->devicePixelRatioF() : 1.0;
    QPixmap pixmap = icon.pixmap(size, ratio);
    QPainter painter(&pixmap);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(QRect(QPoint(), pixmap.deviceIndependentSize().toSize()), ink);
    painter.end();
    return QIcon(pixmap);
}

/// False for what is no arrow.
bool drawArrow(QStyle::PrimitiveElement element, const QStyleOption &option, QPainter *painter, const QWidget *widget)
{
    const QColor ink = arrowInk(option, widget);
    switch (element) {
    case QStyle::PE_IndicatorArrowUp:
    case QStyle::PE_IndicatorSpinUp:
        drawChevron(painter, option.rect, Qt::UpArrow, ink);
        return true;
    case QStyle::PE_IndicatorArrowDown:
    case QStyle::PE_IndicatorSpinDown:
        drawChevron(painter, option.rect, Qt::DownArrow, ink);
        return true;
    case QStyle::PE_IndicatorArrowLeft:
        drawChevron(painter, option.rect, Qt::LeftArrow, ink);
        return true;
    case QStyle::PE_IndicatorArrowRight:
        drawChevron(painter, option.rect, Qt::RightArrow, ink);
        return true;
    case QStyle::PE_IndicatorBranch:
        if (option.state & QStyle::State_Children) {
            const bool open = option.state & QStyle::State_Open;
            drawChevron(painter, option.rect, open ? Qt::DownArrow : Qt::RightArrow, ink);
        }
        return true;
    default:
        return false;
    }
}

/// A cell of a table without picture and box: its text has all of it. Qt measures the text to find that out, for each
/// of the three parts, which was a seventh of the time that a table took to paint.
bool textAlone(const QStyleOptionViewItem &cell)
{
    return cell.showDecorationSelected
        && !(cell.features & (QStyleOptionViewItem::HasDecoration | QStyleOptionViewItem::HasCheckIndicator));
}

/// Where the keyboard is: in lists a cell that means something by itself, elsewhere the whole control.
void drawFocus(QPainter *painter, const QStyleOption &option, const QWidget *widget)
{
    if (const auto *view = qobject_cast<const QAbstractItemView *>(widget)) {
        if (marksCell(option, view)) {
            drawPanel(painter, option.rect, {}, themeColor(Token::Accent), 2);
        }
    } else if (option.state & QStyle::State_KeyboardFocusChange) {
        drawFocusRing(painter, option.rect, kGrid);
    }
}

} // namespace

void setLook(QAbstractButton *button, ButtonLook look)
{
    button->setProperty(kLookProperty, int(look));
    button->update();
}

ButtonLook lookOf(const QWidget *button)
{
    return button == nullptr ? ButtonLook::Plain : static_cast<ButtonLook>(button->property(kLookProperty).toInt());
}

ConsoleStyle::ConsoleStyle()
    : QProxyStyle(u"Fusion"_s)
{
}

void ConsoleStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton *>(widget) != nullptr || qobject_cast<QComboBox *>(widget) != nullptr
        || qobject_cast<QAbstractSpinBox *>(widget) != nullptr || qobject_cast<QScrollBar *>(widget) != nullptr
        || qobject_cast<QTabBar *>(widget) != nullptr || qobject_cast<QHeaderView *>(widget) != nullptr) {
        widget->setAttribute(Qt::WA_Hover);
    }
}

void ConsoleStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    switch (element) {
    case PE_PanelButtonCommand:
        return drawButton(painter, *option, lookOf(widget));
    case PE_PanelButtonTool:
        return option->state & State_AutoRaise ? drawFlatButton(painter, *option)
                                               : drawButton(painter, *option, lookOf(widget));
    case PE_FrameDefaultButton:
    case PE_FrameStatusBarItem:
        return;
    case PE_FrameFocusRect:
        return drawFocus(painter, *option, widget);
    case PE_PanelLineEdit:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option); frame && frame->lineWidth > 0) {
            drawField(painter, *option);
        }
        return;
    case PE_FrameLineEdit:
        return;
    case PE_Frame:
        drawPanel(painter, option->rect, {}, themeColor(option->state & State_HasFocus ? Token::Accent : Token::Border),
            kGrid);
        return;
    case PE_FrameGroupBox:
        return drawPanel(painter, option->rect, {}, themeColor(Token::Border), kRadius);
    case PE_FrameTabWidget:
        return;
    case PE_FrameTabBarBase:
        painter->fillRect(
            option->rect.left(), option->rect.bottom(), option->rect.width(), 1, themeColor(Token::Border));
        return;
    case PE_PanelMenu:
    case PE_FrameMenu:
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, themeColor(Token::Raised));
        return drawPanel(painter, option->rect, {}, themeColor(Token::Border), 0);
    case PE_IndicatorHeaderArrow:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            // Qt says down for ascending; what grows points up here, as on the button that turns the order.
            const bool ascending = header->sortIndicator == QStyleOptionHeader::SortDown;
            drawChevron(painter, option->rect, ascending ? Qt::UpArrow : Qt::DownArrow, themeColor(Token::Text));
        }
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        return drawCheckBox(painter, *option);
    case PE_IndicatorRadioButton:
        return drawRadio(painter, *option);
    default:
        if (!drawArrow(element, *option, painter, widget)) {
            QProxyStyle::drawPrimitive(element, option, painter, widget);
        }
    }
}

/// Qt's own asks itself where label and arrow are, and not the style in front of it.
void ConsoleStyle::drawHeader(const QStyleOptionHeader &header, QPainter *painter, const QWidget *widget) const
{
    painter->save();
    painter->setClipRect(header.rect);
    drawControl(CE_HeaderSection, &header, painter, widget);
    QStyleOptionHeader part = header;
    part.rect = subElementRect(SE_HeaderLabel, &header, widget);
    drawControl(CE_HeaderLabel, &part, painter, widget);
    if (header.sortIndicator != QStyleOptionHeader::None) {
        part.rect = subElementRect(SE_HeaderArrow, &header, widget);
        drawPrimitive(PE_IndicatorHeaderArrow, &part, painter, widget);
    }
    painter->restore();
}

bool ConsoleStyle::drawList(
    ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    switch (element) {
    case CE_Header:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            drawHeader(*header, painter, widget);
            return true;
        }
        return false;
    case CE_HeaderSection:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            drawHeaderSection(painter, *header);
            return true;
        }
        return false;
    case CE_HeaderEmptyArea: {
        QStyleOptionHeader header;
        header.rect = option->rect;
        drawHeaderSection(painter, header);
        return true;
    }
    case CE_HeaderLabel:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            QStyleOptionHeader muted = *header;
            muted.palette.setColor(QPalette::ButtonText, themeColor(Token::MutedText));
            const QVariant ticked = widget != nullptr ? widget->property(kTickedColumn) : QVariant();
            if (ticked.isValid() && ticked.toInt() == header->section) { // a heading stands over texts, not over boxes
                muted.rect.setLeft(
                    muted.rect.left() + pixelMetric(PM_IndicatorWidth, option, widget) + 2 * kCellPadding);
            }
            QProxyStyle::drawControl(element, &muted, painter, widget);
            return true;
        }
        return false;
    case CE_TabBarTabShape:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            drawTab(painter, *tab);
            return true;
        }
        return false;
    case CE_TabBarTabLabel:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            QStyleOptionTab label = *tab;
            const bool quiet = !(tab->state & State_Selected);
            label.palette.setColor(QPalette::WindowText, themeColor(quiet ? Token::MutedText : Token::Text));
            label.state &= ~State_HasFocus; // the shape shows it
            QProxyStyle::drawControl(element, &label, painter, widget);
            return true;
        }
        return false;
    default:
        return false;
    }
}

void ConsoleStyle::drawControl(
    ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    if (drawList(element, option, painter, widget)) {
        return;
    }
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            QStyleOptionButton label = *button;
            const QColor ink = buttonText(*option, lookOf(widget));
            label.palette.setColor(QPalette::ButtonText, ink);
            if (!label.icon.isNull() && lookOf(widget) != ButtonLook::Plain && option->state & State_Enabled) {
                label.icon = inkedIcon(label.icon, label.iconSize, ink, widget);
            }
            QProxyStyle::drawControl(element, &label, painter, widget);
        }
        return;
    case CE_ToolButtonLabel:
        if (const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option)) {
            QStyleOptionToolButton label = *button;
            label.rect = labelRoom(*button);
            QProxyStyle::drawControl(element, &label, painter, widget);
        }
        return;
    case CE_ProgressBarGroove:
    case CE_ProgressBarLabel: // a thin bar has no room for it; who shows progress says it beside
        return;
    case CE_ProgressBarContents:
        if (const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option)) {
            drawProgress(painter, *bar);
        }
        return;
    case CE_Splitter: {
        const QRect rect = option->rect;
        const QColor color = themeColor(option->state & State_MouseOver ? Token::Accent : Token::Border);
        if (rect.width() < rect.height()) {
            painter->fillRect(rect.center().x(), rect.top(), 1, rect.height(), color);
        } else {
            painter->fillRect(rect.left(), rect.center().y(), rect.width(), 1, color);
        }
        return;
    }
    case CE_ShapedFrame:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option)) {
            if (frame->frameShape == QFrame::HLine || frame->frameShape == QFrame::VLine) {
                const bool across = frame->frameShape == QFrame::HLine;
                const QPoint middle = frame->rect.center();
                painter->fillRect(across ? QRect(frame->rect.left(), middle.y(), frame->rect.width(), 1)
                                         : QRect(middle.x(), frame->rect.top(), 1, frame->rect.height()),
                    themeColor(Token::Border));
                return;
            }
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

bool ConsoleStyle::drawMenuButton(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
    if (button == nullptr || !button->features.testFlag(QStyleOptionToolButton::HasMenu)
        || button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup)) {
        return false;
    }
    QStyleOptionToolButton label = *button;
    drawPrimitive(PE_PanelButtonTool, &label, painter, widget);
    QRect arrow = label.rect;
    arrow.setLeft(arrow.right() - kArrowWidth + 1);
    label.rect.setRight(arrow.left() - 1);
    label.state &= ~State_HasFocus;
    drawControl(CE_ToolButtonLabel, &label, painter, widget);
    drawChevron(painter, visualRect(option->direction, option->rect, arrow), Qt::DownArrow,
        themeColor(option->state & State_Enabled ? Token::MutedText : Token::DisabledText));
    return true;
}

QRect ConsoleStyle::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    if (const auto *cell = qstyleoption_cast<const QStyleOptionViewItem *>(option);
        cell != nullptr && textAlone(*cell)) {
        if (element == SE_ItemViewItemText) {
            return cell->rect;
        }
        if (element == SE_ItemViewItemCheckIndicator || element == SE_ItemViewItemDecoration) {
            return {};
        }
    }
    // The arrow of the order stands in the padding, so that a heading stays over its column when it is sorted by.
    if (element == SE_HeaderLabel) {
        return option->rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    }
    if (element == SE_HeaderArrow) {
        const QRect &all = option->rect;
        const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option);
        const int text = header == nullptr
            ? 0
            : std::min(header->fontMetrics.horizontalAdvance(header->text), all.width() - 2 * kCellPadding);
        // Beside its title, on the side where that has room: at the column's edge it would seem the next one's.
        const bool right = header != nullptr && (header->textAlignment & Qt::AlignRight) != 0;
        const int left = right ? std::max(all.left(), all.right() - kCellPadding - text - kSortGap - kSortArrow)
                               : all.left() + kCellPadding + text + kSortGap;
        return visualRect(option->direction, all, { left, all.top(), kSortArrow, all.height() });
    }
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
    return element == SE_LineEditContents && frame != nullptr && frame->lineWidth > 0
        ? rect.adjusted(kFieldPadding, 0, -kFieldPadding, 0)
        : rect;
}

void ConsoleStyle::drawComplexControl(
    ComplexControl control, const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    const QColor ink = themeColor(option->state & State_Enabled ? Token::MutedText : Token::DisabledText);
    if (control == CC_ScrollBar) {
        if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option)) {
            drawScrollBar(painter, *bar, thumbOf(*bar));
            return;
        }
    }
    if (control == CC_ComboBox) {
        if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option)) {
            if (combo->frame) {
                combo->editable ? drawField(painter, *option) : drawButton(painter, *option, ButtonLook::Plain);
            }
            drawChevron(painter, subControlRect(control, option, SC_ComboBoxArrow, widget), Qt::DownArrow, ink);
            return;
        }
    }
    if (control == CC_ToolButton && drawMenuButton(option, painter, widget)) {
        return;
    }
    if (control == CC_SpinBox) {
        if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option)) {
            if (spin->frame) {
                drawField(painter, *option);
            }
            if (spin->buttonSymbols != QAbstractSpinBox::NoButtons) {
                const auto color = [&](QAbstractSpinBox::StepEnabledFlag way) {
                    return spin->stepEnabled.testFlag(way) ? ink : themeColor(Token::DisabledBorder);
                };
                drawChevron(painter, subControlRect(control, option, SC_SpinBoxUp, widget), Qt::UpArrow,
                    color(QAbstractSpinBox::StepUpEnabled));
                drawChevron(painter, subControlRect(control, option, SC_SpinBoxDown, widget), Qt::DownArrow,
                    color(QAbstractSpinBox::StepDownEnabled));
            }
            return;
        }
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect ConsoleStyle::subControlRect(
    ComplexControl control, const QStyleOptionComplex *option, SubControl part, const QWidget *widget) const
{
    if (control == CC_ScrollBar) {
        if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option)) {
            return partOfScrollBar(*bar, part);
        }
    }
    if (control == CC_ComboBox) {
        QRect arrow = option->rect;
        arrow.setLeft(option->rect.right() - kArrowWidth + 1);
        if (part == SC_ComboBoxArrow) {
            return visualRect(option->direction, option->rect, arrow);
        }
        if (part == SC_ComboBoxEditField) {
            return visualRect(
                option->direction, option->rect, option->rect.adjusted(kCellPadding, 2, -kArrowWidth, -2));
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QSize ConsoleStyle::sizeFromContents(
    ContentsType type, const QStyleOption *option, const QSize &size, const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton:
        result.setHeight(controlHeight(option, size.height()));
        break;
    case CT_LineEdit:
    case CT_SpinBox:
        result.setHeight(controlHeight(option));
        break;
    case CT_ComboBox:
        result = { size.width() + kCellPadding + kArrowWidth + 2 * kGrid, controlHeight(option) };
        break;
    case CT_ToolButton:
        if (const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option)) {
            const bool leads = button->features.testFlag(QStyleOptionToolButton::HasMenu)
                && !button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
            const bool text = button->toolButtonStyle != Qt::ToolButtonIconOnly && !button->text.isEmpty();
            result.rwidth() += (leads ? kArrowWidth - 3 * kGrid : 0) + (text ? 2 * kGrid : 0);
            if (!(button->state & State_AutoRaise)) {
                const int height = controlHeight(option, size.height());
                result = { std::max(result.width(), height), height };
            }
        }
        break;
    case CT_HeaderSection:
        result.setHeight(std::max(kRowHeight + kGrid, option->fontMetrics.height() + 3 * kGrid));
        break;
    case CT_MenuItem:
        result.rheight() += kGrid;
        break;
    default:
        break;
    }
    return result;
}

int ConsoleStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_ButtonMargin:
        return 4 * kGrid;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabOverlap:
    case PM_TabBarBaseOverlap:
        return 0;
    case PM_TabBarTabHSpace:
        return 7 * kGrid;
    case PM_TabBarTabVSpace:
        return 4 * kGrid;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 16;
    case PM_HeaderMargin:
        return kCellPadding;
    case PM_FocusFrameHMargin:
        return isItemView(widget) ? kCellPadding - 1 : QProxyStyle::pixelMetric(metric, option, widget);
    case PM_ScrollBarExtent:
        return kScrollBarWidth;
    case PM_ScrollBarSliderMin:
        return kLeastThumb;
    case PM_SplitterWidth:
        return kGrid + 1;
    case PM_ToolTipLabelFrameWidth:
        return kGrid;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return 2 * kGrid;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int ConsoleStyle::styleHint(
    StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *returned) const
{
    switch (hint) {
    case SH_ComboBox_Popup:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
        return 0;
    case SH_Table_GridLineColor:
        return int(themeColor(Token::Border).rgb());
    case SH_ScrollBar_MiddleClickAbsolutePosition:
        return 1;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returned);
    }
}

} // namespace idemdesk::ui
