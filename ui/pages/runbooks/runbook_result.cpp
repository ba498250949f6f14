// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runbooks/runbook_result.h"

#include "ui/theme/console_style.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kResultBar = 4; // pixels

/// How the answers stand, beside the one that the headline tells.
QString restText(const models::RunbookReport &report)
{
    using A = models::RunbookAnswer;
    const auto count = [&report](A answer) { return int(report.count(answer)); };
    QStringList parts { RunbookResult::tr("%n answer(s) need a person", nullptr, count(A::Trouble)) };
    if (count(A::Unknown) > 0) {
        parts += RunbookResult::tr("%n unknown", "answers", count(A::Unknown));
    }
    parts += RunbookResult::tr("%n fine", "answers", count(A::Fine));
    return parts.join(u" · "_s);
}

} // namespace

Token answerToken(models::RunbookAnswer answer)
{
    switch (answer) {
    case models::RunbookAnswer::Trouble:
        return Token::Warning;
    case models::RunbookAnswer::Unknown:
        return Token::Unknown;
    case models::RunbookAnswer::Fine:
        return Token::Succeeded;
    case models::RunbookAnswer::Nothing:
        break;
    }
    return Token::MutedText;
}

RunbookResult::RunbookResult(QWidget *parent)
    : QFrame(parent)
    , m_sign(plainLabel({}, this))
    , m_headline(readableLabel(u"runbookHeadline"_s, this))
    , m_rest(noteLabel({}, u"runbookRest"_s, this))
    , m_act(new QPushButton(this))
{
    setObjectName(u"runbookResult"_s);
    setAccessibleName(tr("Result"));
    m_sign->setFont(Theme::title());
    m_headline->setFont(Theme::title());
    m_act->setObjectName(u"runbookAct"_s);
    setLook(m_act, ButtonLook::Primary);
    auto *texts = new QVBoxLayout;
    texts->setSpacing(kGrid);
    texts->addWidget(m_headline);
    texts->addWidget(m_rest);
    auto *row = barRow({}, this);
    row->setContentsMargins(3 * kGrid + kResultBar, 3 * kGrid, 3 * kGrid, 3 * kGrid);
    row->setSpacing(3 * kGrid);
    row->addWidget(m_sign, 0, Qt::AlignTop);
    row->addLayout(texts, 1);
    row->addWidget(m_act, 0, Qt::AlignVCenter);
    connect(m_act, &QPushButton::clicked, this, &RunbookResult::actClicked);
}

void RunbookResult::showReport(const models::RunbookReport &report, const QString &act)
{
    using A = models::RunbookAnswer;
    m_answer = report.first() != nullptr ? A::Trouble
        : report.nothingLookedAt()       ? A::Nothing
        : report.count(A::Unknown) > 0   ? A::Unknown
                                         : A::Fine;
    const QString word = models::runbookAnswerWord(m_answer);
    m_sign->setText(models::runbookAnswerSign(m_answer));
    m_sign->setAccessibleName(word);
    QPalette colors = m_sign->palette();
    colors.setColor(QPalette::WindowText, themeColor(answerToken(m_answer)));
    m_sign->setPalette(colors);
    m_headline->setText(report.headline());
    m_headline->setAccessibleName(tr("%1: %2", "a sign in words, what it is about").arg(word, m_headline->text()));
    m_rest->setText(restText(report));
    m_act->setText(act);
    m_act->setVisible(!act.isEmpty());
    update();
}

void RunbookResult::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor base = themeColor(Token::Base);
    const QColor color = themeColor(answerToken(m_answer));
    drawPanel(&painter, rect(), badgeFill(color, base, themeScheme()), themeColor(Token::Border), kRadius);
    QPainterPath edge; // the bar is the card's edge, with its corners
    edge.addRoundedRect(QRectF(rect()), kRadius, kRadius);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipPath(edge);
    painter.fillRect(QRect(0, 0, kResultBar, height()), color);
}

} // namespace idemdesk::ui
