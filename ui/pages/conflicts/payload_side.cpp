// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/conflicts/payload_side.h"

#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QMenu>
#include <QPainter>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kZoneHeight = 148; // pixels

} // namespace

PayloadSide::PayloadSide(int side, QWidget *parent)
    : QFrame(parent)
    , m_name(elidedLabel(this))
    , m_hint(plainLabel(tr("Open, paste or drop a file here"), this))
    , m_texts(new QWidget(this))
    , m_buttons(new QWidget(this))
    , m_choice(new QPushButton(tr("Of the case"), m_buttons))
    , m_layout(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    const bool first = side == 0;
    m_name->setObjectName(first ? u"compareFirst"_s : u"compareSecond"_s);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_choice->setObjectName(first ? u"compareChooseFirst"_s : u"compareChooseSecond"_s);
    m_choice->setAccessibleName(first ? tr("Choose the first of the requests of the case")
                                      : tr("Choose the second of the requests of the case"));
    m_choice->setMenu(new QMenu(m_choice));
    m_choice->hide();
    auto *open = new QPushButton(tr("Open…"), m_buttons);
    auto *paste = new QPushButton(tr("Paste"), m_buttons);
    open->setAccessibleName(first ? tr("Open the first payload") : tr("Open the second payload"));
    paste->setAccessibleName(first ? tr("Paste the first payload") : tr("Paste the second payload"));
    connect(open, &QPushButton::clicked, this, &PayloadSide::openClicked);
    connect(paste, &QPushButton::clicked, this, &PayloadSide::pasteClicked);
    auto *name = barRow({ strongLabel(first ? tr("First") : tr("Second"), m_texts) });
    name->setSpacing(kGrid);
    name->addWidget(m_name, 1);
    auto *texts = partColumn(m_texts);
    texts->setSpacing(kGrid);
    texts->addLayout(name);
    texts->addWidget(m_hint);
    barRow({ m_choice, open, paste }, m_buttons)->setSpacing(kGrid);
    m_layout->setSpacing(2 * kGrid);
    m_layout->addWidget(m_texts, 1);
    m_layout->addWidget(m_buttons);
    setName({});
    setZone(true);
}

void PayloadSide::setName(const QString &name)
{
    m_name->setText(name.isEmpty() ? tr("No payload") : name);
    m_name->setToolTip(name);
}

void PayloadSide::setZone(bool zone)
{
    m_zone = zone;
    m_hint->setVisible(zone);
    m_layout->setDirection(zone ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_layout->setAlignment(m_texts, zone ? Qt::AlignBottom : Qt::Alignment());
    m_layout->setAlignment(m_buttons, zone ? Qt::AlignTop | Qt::AlignLeft : Qt::Alignment());
    m_layout->setStretch(1, zone ? 1 : 0);
    const int margin = zone ? 4 * kGrid : 0;
    m_layout->setContentsMargins(margin, margin, margin, margin);
    setMinimumHeight(zone ? Theme::scaled(kZoneHeight) : 0);
    update();
}

void PayloadSide::paintEvent(QPaintEvent *)
{
    if (!m_zone) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeColor(Token::ControlBorder), 1, Qt::DashLine));
    painter.setBrush(themeColor(Token::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

} // namespace idemdesk::ui
