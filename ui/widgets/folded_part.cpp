// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/folded_part.h"

#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layouts.h"

#include <QEvent>
#include <QPainter>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kLowWindow = 760; // pixels, at texts of the usual size
constexpr int kFoldSign = 12; // pixels

} // namespace

FoldedPart::FoldedPart(const QString &objectName, QWidget *content, QWidget *parent)
    : QWidget(parent)
    , m_line(new QToolButton(this))
    , m_content(content)
{
    m_line->setObjectName(objectName);
    m_line->setCheckable(true);
    m_line->setAutoRaise(true);
    m_line->setFocusPolicy(Qt::StrongFocus);
    m_line->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_line->setIconSize({ kFoldSign, kFoldSign });
    QVBoxLayout *layout = partColumn(this);
    layout->setSpacing(kGrid);
    layout->addWidget(m_line, 0, Qt::AlignLeft);
    layout->addWidget(m_content);
    connect(m_line, &QToolButton::toggled, this, &FoldedPart::sync);
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, this, &FoldedPart::sync);
    }
    sync();
}

void FoldedPart::setGist(const QString &text)
{
    m_gist = text;
    m_line->setText(QString(text).replace(u'&', u"&&"_s));
    sync();
}

void FoldedPart::sync()
{
    const bool low = !m_gist.isEmpty() && window()->height() < Theme::scaled(kLowWindow);
    m_line->setVisible(low);
    m_line->setToolTip(m_line->isChecked() ? tr("Fold, so that the list has the room") : tr("Show it whole"));
    m_content->setVisible(!low || m_line->isChecked());
    applyColors();
}

void FoldedPart::applyColors()
{
    QPixmap sign(QSize(kFoldSign, kFoldSign) * devicePixelRatioF());
    sign.setDevicePixelRatio(devicePixelRatioF());
    sign.fill(Qt::transparent);
    QPainter painter(&sign);
    drawChevron(&painter, QRect(0, 0, kFoldSign, kFoldSign), m_line->isChecked() ? Qt::DownArrow : Qt::RightArrow,
        themeColor(Token::MutedText));
    m_line->setIcon(sign);
}

/// How high the window is, is known once it stands in one.
void FoldedPart::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    window()->removeEventFilter(this);
    window()->installEventFilter(this);
    sync();
}

bool FoldedPart::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize && watched == window()) {
        sync();
    }
    return QWidget::eventFilter(watched, event);
}

void FoldedPart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        sync();
    }
}

} // namespace idemdesk::ui

#include "moc_folded_part.cpp"
