// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/labels.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QStyle>

namespace idemdesk::ui {

namespace {

class ElidedLabel final : public QLabel
{
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override { return { 1, QLabel::minimumSizeHint().height() }; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const QRect room = contentsRect();
        style()->drawItemText(&painter, room, static_cast<int>(QStyle::visualAlignment(layoutDirection(), alignment())),
            palette(), isEnabled(), fontMetrics().elidedText(text(), Qt::ElideRight, room.width()), foregroundRole());
    }
};

} // namespace

QLabel *elidedLabel(QWidget *parent)
{
    auto *label = new ElidedLabel(parent);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QLabel *plainLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

QLabel *titleLabel(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    label->setFont(Theme::title());
    return label;
}

QLabel *strongLabel(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    QFont bold = label->font();
    bold.setWeight(QFont::DemiBold);
    label->setFont(bold);
    return label;
}

QLabel *wrappedLabel(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    label->setWordWrap(true);
    return label;
}

QLabel *buddyLabel(const QString &text, QWidget *buddy, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    label->setBuddy(buddy);
    return label;
}

QLabel *noteLabel(const QString &text, const QString &objectName, QWidget *parent)
{
    QLabel *label = wrappedLabel(text, parent);
    label->setObjectName(objectName);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QLabel *readableLabel(const QString &objectName, QWidget *parent)
{
    QLabel *label = wrappedLabel({}, parent);
    label->setObjectName(objectName);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace idemdesk::ui
