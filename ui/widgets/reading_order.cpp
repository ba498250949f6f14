// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/reading_order.h"

#include <QWidget>
#include <algorithm>

namespace idemdesk::ui {

namespace {

bool takesTab(const QWidget *widget)
{
    return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus
        && widget->focusProxy() == nullptr;
}

QRect placeIn(const QWidget *window, const QWidget *widget)
{
    return { widget->mapTo(window, QPoint()), widget->size() };
}

/// Above it, or left of it in the same line. A column further right is read later, wherever it begins.
bool readsBefore(const QRect &one, const QRect &other)
{
    const bool sameLine = one.center().y() >= other.top() && one.center().y() <= other.bottom();
    return sameLine ? one.right() < other.left() : one.bottom() < other.top() && one.left() <= other.right();
}

/// Each comes when nothing that is left reads before it. That is no order of a sort: of two columns beside each other
/// neither reads before the other.
QList<QWidget *> asRead(const QWidget *window, const QList<QWidget *> &widgets)
{
    struct Placed {
        QWidget *widget;
        QRect place;
    };
    QList<Placed> left;
    for (QWidget *widget : widgets) {
        left += { widget, placeIn(window, widget) };
    }
    QList<QWidget *> read;
    while (!left.isEmpty()) {
        const auto next = std::find_if(left.cbegin(), left.cend(), [&left](const Placed &one) {
            return std::none_of(left.cbegin(), left.cend(),
                [&one](const Placed &other) { return readsBefore(other.place, one.place); });
        });
        read += left.takeAt(next == left.cend() ? 0 : next - left.cbegin()).widget;
    }
    return read;
}

} // namespace

QList<QWidget *> tabOrder(QWidget *window, QWidget *page)
{
    QList<QWidget *> order;
    QList<QWidget *> ofPage;
    qsizetype place = -1; // of the page among what is around it
    for (QWidget *widget = window->nextInFocusChain(); widget != window; widget = widget->nextInFocusChain()) {
        if (widget == page) { // what is in it may have been made much later
            place = order.size();
        }
        if (!takesTab(widget) || widget->window() != window) {
            continue;
        }
        if (page != nullptr && page->isAncestorOf(widget)) {
            ofPage += widget;
        } else {
            order += widget;
        }
    }
    const QList<QWidget *> read = asRead(window, ofPage);
    for (qsizetype i = 0; i < read.size(); ++i) {
        order.insert(place + i, read.at(i));
    }
    return order;
}

} // namespace idemdesk::ui
