// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chip_row.h"

#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/wrap_row.h"

#include <QEvent>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kChipsFoldBelow = 760; // pixels of its height, at texts of the usual size

} // namespace

ChipRow::ChipRow(const QString &objectName, QWidget *parent)
    : QWidget(parent)
    , m_more(new QToolButton(this))
{
    setObjectName(objectName);
    m_more->setObjectName(objectName + u"More"_s);
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_more->setAutoRaise(true);
    m_more->hide();
    applyColors();
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, this, &ChipRow::applyColors);
    }
    auto *row = new WrapRow(this);
    row->add(m_more);
    row->addRoom();
    connect(m_more, &QToolButton::clicked, this, [this] {
        m_open = !m_open;
        arrange();
    });
}

/// It leads to more, and filters nothing: in the colour of what leads somewhere.
void ChipRow::applyColors()
{
    QPalette colors;
    colors.setColor(QPalette::ButtonText, themeColor(Token::Accent));
    m_more->setPalette(colors);
}

void ChipRow::add(Chip *chip)
{
    auto *row = static_cast<WrapRow *>(layout());
    row->insert(int(m_parts.size()), chip);
    m_parts.append({ chip });
    setTabOrder(chip, m_more);
    chip->hide();
    connect(chip, &QToolButton::toggled, this, &ChipRow::arrange);
}

void ChipRow::offer(Chip *chip, bool offered)
{
    for (Part &part : m_parts) {
        part.offered = part.chip == chip ? offered : part.offered;
    }
    arrange();
}

bool ChipRow::offers(const Chip *chip) const
{
    return std::any_of(
        m_parts.cbegin(), m_parts.cend(), [chip](const Part &part) { return part.chip == chip && part.offered; });
}

void ChipRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ChipRow::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    window()->installEventFilter(this); // twice is once
    arrange();
}

void ChipRow::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        arrange();
    }
}

bool ChipRow::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize && watched == window()) {
        arrange();
    }
    return QWidget::eventFilter(watched, event);
}

QList<Chip *> ChipRow::inOneLine(int width) const
{
    const int gap = layout()->spacing();
    int room = width - m_more->sizeHint().width();
    QList<Chip *> shown;
    for (const Part &part : m_parts) {
        if (part.offered && part.chip->isChecked()) {
            shown += part.chip;
            room -= part.chip->sizeHint().width() + gap;
        }
    }
    for (const Part &part : m_parts) {
        if (part.offered && !part.chip->isChecked()) {
            room -= part.chip->sizeHint().width() + gap;
            if (room < 0) {
                break; // a smaller one further on is less important
            }
            shown += part.chip;
        }
    }
    return shown;
}

void ChipRow::arrange()
{
    QList<Chip *> shown;
    int needed = -layout()->spacing();
    for (const Part &part : m_parts) {
        if (part.offered) {
            shown += part.chip;
            needed += part.chip->sizeHint().width() + layout()->spacing();
        }
    }
    const auto all = shown.size();
    const bool folds = isVisible() && needed > width() && window()->height() < Theme::scaled(kChipsFoldBelow);
    if (folds && !m_open) {
        m_more->setText(tr("%n more", "filters that are not shown", int(all)));
        shown = inOneLine(width());
    }
    const int rest = int(all - shown.size());
    m_more->setText(rest > 0 ? tr("%n more", "filters that are not shown", rest) : tr("Fewer", "filters"));
    m_more->setAccessibleDescription(rest > 0 ? tr("Shows all filters of this list") : tr("Shows one line of filters"));
    m_more->setVisible(folds && (m_open || rest > 0));
    for (const Part &part : std::as_const(m_parts)) {
        part.chip->setVisible(shown.contains(part.chip));
    }
}

} // namespace idemdesk::ui

#include "moc_chip_row.cpp"
