// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/figure_card.h"

#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QGridLayout>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

FigureCard::FigureCard(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : QFrame(parent)
    , m_grid(new QGridLayout(this))
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setFrameShape(QFrame::NoFrame);
    m_grid->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
    m_grid->setHorizontalSpacing(3 * kGrid);
    m_grid->setVerticalSpacing(kGrid);
    m_grid->setColumnStretch(2, 1);
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, this, &FigureCard::applyColors);
    }
}

void FigureCard::addLine()
{
    const int row = int(m_lines.size());
    const Line line { noteLabel({}, u"figureName"_s, this), strongLabel({}, this), elidedLabel(this) };
    line.name->setWordWrap(false);
    line.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line.note->setForegroundRole(QPalette::PlaceholderText);
    m_grid->addWidget(line.name, row, 0);
    m_grid->addWidget(line.value, row, 1, Qt::AlignRight | Qt::AlignVCenter);
    m_grid->addWidget(line.note, row, 2);
    m_lines += line;
}

void FigureCard::setFigures(const QList<Figure> &figures)
{
    m_figures = figures;
    while (m_lines.size() < figures.size()) {
        addLine();
    }
    for (qsizetype i = 0; i < m_lines.size(); ++i) {
        const Line &line = m_lines.at(i);
        const Figure figure = figures.value(i);
        line.name->setText(figure.name);
        line.value->setText(figure.value);
        line.note->setText(figure.note);
        line.note->setToolTip(figure.note);
        QFont weight = line.note->font();
        weight.setWeight(figure.quiet ? QFont::Normal : QFont::DemiBold);
        line.value->setFont(weight);
        line.value->setForegroundRole(figure.quiet ? QPalette::PlaceholderText : QPalette::WindowText);
        for (QLabel *label : { line.name, line.value, line.note }) {
            label->setVisible(i < figures.size());
        }
    }
    setAccessibleDescription(text());
    applyColors();
}

QString FigureCard::text() const
{
    QStringList lines;
    for (const Figure &figure : m_figures) {
        lines += figure.name + u": "_s + figure.value + (figure.note.isEmpty() ? QString() : u", "_s + figure.note);
    }
    return lines.join(u'\n');
}

void FigureCard::applyColors()
{
    for (qsizetype i = 0; i < m_figures.size(); ++i) {
        QPalette colors; // what is not set here follows the theme
        const auto level = m_figures.at(i).level;
        if (level == sql::HealthLevel::Advice || level == sql::HealthLevel::Problem) {
            colors.setColor(
                QPalette::WindowText, themeColor(level == sql::HealthLevel::Problem ? Token::Danger : Token::Warning));
        }
        m_lines.at(i).value->setPalette(colors);
    }
    update();
}

void FigureCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    drawPanel(&painter, rect(), themeColor(Token::Base), themeColor(Token::Border), kRadius);
}

} // namespace idemdesk::ui
