// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/check_list.h"

#include "models/format/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kSignWidth = 5 * kGrid;
constexpr int kLineChars = 1'000;

Token signToken(models::FactSign sign)
{
    switch (sign) {
    case models::FactSign::Yes:
        return Token::Succeeded;
    case models::FactSign::No:
        return Token::FailedFinal;
    case models::FactSign::Unknown:
        break;
    }
    return Token::Unknown;
}

} // namespace

CheckList::CheckList(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : QWidget(parent)
    , m_lines(partColumn(this))
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    m_lines->setSpacing(kGrid);
    m_lines->addStretch(1);
}

int CheckList::indent() const
{
    return kSignWidth + 2 * kGrid;
}

void CheckList::clear()
{
    while (m_lines->count() > 1) { // all but the room at the end
        QLayoutItem *item = m_lines->takeAt(0);
        item->widget()->hide();
        item->widget()->deleteLater(); // it may be the button that was pressed
        delete item;
    }
}

void CheckList::add(
    models::FactSign sign, const QString &lineName, const QString &sentence, int depth, const QString &word)
{
    addLine(models::factSign(sign), themeColor(signToken(sign)), word.isEmpty() ? models::factWord(sign) : word,
        lineName, sentence, depth);
}

void CheckList::addNote(const QString &lineName, const QString &sentence, int depth)
{
    addLine(u"•"_s, themeColor(Token::MutedText), tr("Note"), lineName, sentence, depth);
}

void CheckList::addStep(int number, const QString &lineName, const QString &sentence)
{
    addLine(
        QString::number(number) + u'.', themeColor(Token::MutedText), tr("Step %1").arg(number), lineName, sentence, 0);
}

void CheckList::addHeading(const QString &text)
{
    QLabel *heading = strongLabel(text, this);
    heading->setContentsMargins(0, 2 * kGrid, 0, 0);
    addWidget(heading);
}

void CheckList::addWidget(QWidget *widget)
{
    m_lines->insertWidget(m_lines->count() - 1, widget);
}

void CheckList::addLine(const QString &sign, const QColor &color, const QString &word, const QString &lineName,
    const QString &sentence, int depth)
{
    auto *line = new QWidget(this);
    QLabel *mark = strongLabel(sign, line);
    mark->setFixedWidth(kSignWidth);
    mark->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    mark->setAccessibleName(word);
    QPalette colors = mark->palette();
    colors.setColor(QPalette::WindowText, color);
    mark->setPalette(colors);
    QLabel *text = readableLabel(lineName, line);
    text->setText(models::displayText(sentence, kLineChars));
    text->setAccessibleName(tr("%1: %2", "a sign in words, what it is about").arg(word, text->text()));
    auto *row = barRow({ mark }, line);
    row->setContentsMargins(depth * indent(), 0, 0, 0);
    row->addWidget(text, 1);
    addWidget(line);
}

} // namespace idemdesk::ui
