// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/drop_field.h"

#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QPainter>

namespace idemdesk::ui {

namespace {

QString firstFile(const QMimeData *dragged)
{
    for (const QUrl &url : dragged->urls()) {
        if (url.isLocalFile()) {
            return url.toLocalFile();
        }
    }
    return {};
}

} // namespace

DropField::DropField(const QString &objectName, const QString &text, QWidget *parent)
    : QFrame(parent)
{
    setObjectName(objectName);
    setFrameShape(QFrame::NoFrame);
    setAcceptDrops(true);
    QLabel *label = noteLabel(text, {}, this);
    label->setAlignment(Qt::AlignCenter);
    partColumn(this)->addWidget(label);
}

void DropField::dragEnterEvent(QDragEnterEvent *event)
{
    if (!firstFile(event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
        m_over = true;
        update();
    }
}

void DropField::dragLeaveEvent(QDragLeaveEvent *)
{
    m_over = false;
    update();
}

void DropField::dropEvent(QDropEvent *event)
{
    m_over = false;
    update();
    if (const QString path = firstFile(event->mimeData()); !path.isEmpty()) {
        event->acceptProposedAction();
        emit dropped(path);
    }
}

void DropField::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_over) {
        drawPanel(&painter, rect(), themeColor(Token::Selection), {}, kRadius);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeColor(m_over ? Token::Accent : Token::ControlBorder), 1, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

} // namespace idemdesk::ui

#include "moc_drop_field.cpp"
