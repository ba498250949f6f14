// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/audit/fact_grid.h"

#include "models/format/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QResizeEvent>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kShownFactChars = 2'000;
constexpr int kMostFactLines = 14;

} // namespace

FactGrid::FactGrid(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : QScrollArea(parent)
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    viewport()->setAutoFillBackground(false);
    setFacts({});
}

void FactGrid::offerCopy(const QString &name)
{
    m_copied = name;
}

QWidget *FactGrid::copied(const QString &name, QLabel *value, const QString &text)
{
    auto *line = new QWidget(value->parentWidget());
    QToolButton *copy = iconButton(objectName() + u"Copy"_s, u"copy"_s, tr("Copy: %1").arg(name), line);
    copy->setAutoRaise(true);
    connect(copy, &QToolButton::clicked, copy, [text] { QGuiApplication::clipboard()->setText(text); });
    QHBoxLayout *row = barRow({}, line);
    value->setWordWrap(false); // else it would break in two beside so much room
    row->addWidget(value);
    row->addWidget(copy);
    row->addStretch(1);
    return line;
}

void FactGrid::setFacts(const Facts &facts)
{
    Facts shown;
    std::copy_if(facts.cbegin(), facts.cend(), std::back_inserter(shown),
        [](const auto &fact) { return !fact.second.isEmpty(); });
    if (widget() != nullptr && shown == m_facts) {
        return; // it may be selected
    }
    m_facts = shown;
    auto *content = new QWidget(this);
    QFormLayout *form = formColumn(content);
    form->setVerticalSpacing(kGrid / 2);
    for (const auto &[name, value] : std::as_const(m_facts)) {
        QLabel *text = readableLabel(u"factValue"_s, content);
        text->setText(models::displayText(value, kShownFactChars));
        if (name.isEmpty()) {
            form->addRow(text);
            continue;
        }
        QLabel *title = noteLabel(name, u"factName"_s, content);
        title->setWordWrap(false);
        title->setAlignment(Qt::AlignLeft | Qt::AlignTop); // beside the first line of its value
        text->setAccessibleName(tr("%1: %2", "name, value").arg(name, text->text()));
        if (name == m_copied) { // its button is higher than a line
            QWidget *line = copied(name, text, value);
            title->setMinimumHeight(line->sizeHint().height());
            title->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
            form->addRow(title, line);
        } else {
            form->addRow(title, text);
        }
    }
    setWidget(content);
    content->setAutoFillBackground(false);
    updateGeometry();
}

QSize FactGrid::sizeHint() const
{
    const QSize usual = QScrollArea::sizeHint();
    const int width = std::max(viewport()->width(), 1);
    const int wanted = widget()->hasHeightForWidth() ? widget()->heightForWidth(width) : usual.height();
    return { usual.width(), std::min(wanted, kMostFactLines * (fontMetrics().height() + kGrid)) };
}

void FactGrid::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) {
        updateGeometry();
    }
}

} // namespace idemdesk::ui
