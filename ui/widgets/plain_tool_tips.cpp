// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plain_tool_tips.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QPointer>
#include <QTabBar>
#include <QTextDocument>
#include <QToolTip>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kLongestWord = 60;

QString toolTipAt(QWidget *widget, const QPoint &place)
{
    auto *view = qobject_cast<QAbstractItemView *>(widget->parentWidget());
    if (view != nullptr && view->viewport() == widget) {
        if (auto *header = qobject_cast<QHeaderView *>(view); header != nullptr && header->model() != nullptr) {
            const int section = header->logicalIndexAt(place);
            return section < 0
                ? QString()
                : header->model()->headerData(section, header->orientation(), Qt::ToolTipRole).toString();
        }
        return view->indexAt(place).data(Qt::ToolTipRole).toString();
    }
    if (auto *tabs = qobject_cast<QTabBar *>(widget)) {
        return tabs->tabToolTip(tabs->tabAt(place));
    }
    return widget->toolTip();
}

} // namespace

void PlainToolTips::install()
{
    static QPointer<PlainToolTips> installed;
    if (installed == nullptr) {
        installed = new PlainToolTips(qApp);
        qApp->installEventFilter(installed);
    }
}

QString PlainToolTips::safe(const QString &text)
{
    QString broken;
    broken.reserve(text.size() + text.size() / kLongestWord);
    int word = 0;
    for (const QChar unit : text) {
        word = unit.isSpace() ? 0 : word + 1;
        if (word > kLongestWord && !unit.isLowSurrogate()) {
            broken += QChar(0x200B); // a place to break a line, no character to see
            word = 1;
        }
        broken += unit;
    }
    return broken.isEmpty() ? QString() : Qt::convertFromPlainText(broken, Qt::WhiteSpaceNormal);
}

void PlainToolTips::show(const QPoint &place, const QString &text, QWidget *widget, const QRect &area)
{
    QToolTip::showText(place, safe(text), widget, area);
}

bool PlainToolTips::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) {
        return QObject::eventFilter(watched, event);
    }
    auto *widget = static_cast<QWidget *>(watched);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString text = toolTipAt(widget, help->pos());
    if (text.isEmpty()) {
        QToolTip::hideText();
        return false;
    }
    show(help->globalPos(), text, widget);
    return true;
}

} // namespace idemdesk::ui
