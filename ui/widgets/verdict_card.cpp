// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/verdict_card.h"

#include "models/format/display_text.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/check_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QPainter>
#include <QPainterPath>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kTextChars = 1'000;
constexpr int kBarWidth = 4; // pixels
constexpr int kFactsWidth = 800;

} // namespace

Badge outcomeBadge(const models::Verdict &verdict)
{
    Badge badge;
    badge.text = models::outcomeName(verdict.kind);
    switch (verdict.kind) {
    case models::VerdictKind::OneEffect:
        badge.state = sql::KeyState::Succeeded;
        break;
    case models::VerdictKind::SeveralEffects:
    case models::VerdictKind::SeveralIntents:
        // Red says that a customer paid twice; what a person has yet to decide is amber.
        badge.state = sql::KeyState::FailedFinal;
        badge.stale = verdict.certainty != models::Certainty::Proven;
        break;
    case models::VerdictKind::ConflictRefused: // with the story's sign of a conflict: nothing is to be retried
        badge.state = sql::KeyState::InProgress;
        badge.stale = true;
        break;
    case models::VerdictKind::NothingDone:
        badge.state = sql::KeyState::Pending;
        break;
    case models::VerdictKind::Unfinished:
        badge.state = sql::KeyState::InProgress;
        break;
    case models::VerdictKind::Stuck:
        badge.state = sql::KeyState::InProgress;
        badge.stale = true;
        break;
    case models::VerdictKind::EvidenceMissing:
        badge.state = sql::KeyState::Unknown;
        break;
    }
    return badge;
}

namespace {

/// What the button says that leads to where the point is settled; empty where only a person can.
QString wayText(models::SettledBy by)
{
    switch (by) {
    case models::SettledBy::Search:
        return VerdictCard::tr("Search all tables");
    case models::SettledBy::Recovery:
        return VerdictCard::tr("Open in Recovery");
    case models::SettledBy::Logs:
        return VerdictCard::tr("Import a log");
    case models::SettledBy::Trail:
        return VerdictCard::tr("Open the audit log");
    case models::SettledBy::Provider:
        return VerdictCard::tr("Open Provider");
    case models::SettledBy::Hand:
        break;
    }
    return {};
}

} // namespace

VerdictCard::VerdictCard(QWidget *parent)
    : QFrame(parent)
    , m_outcome(new BadgeView(u"caseOutcome"_s, this))
    , m_certainty(strongLabel({}, this))
    , m_sentence(readableLabel(u"caseSentence"_s, this))
    , m_subject(readableLabel(u"caseSubject"_s, this))
    , m_effects(plainLabel({}, this))
    , m_facts(new CheckList(u"caseFacts"_s, tr("What the verdict follows from"), this))
{
    setObjectName(u"verdictCard"_s);
    m_sentence->setFont(Theme::title());
    m_certainty->setObjectName(u"caseCertainty"_s);
    m_effects->setObjectName(u"caseEffects"_s);
    m_effects->setForegroundRole(QPalette::PlaceholderText);
    m_subject->setFont(Theme::heading());
    m_facts->setMaximumWidth(kFactsWidth); // a button stands beside its sentence, not at the window's edge
    auto *head = barRow({});
    head->addWidget(m_outcome);
    head->addWidget(m_certainty);
    head->addWidget(m_effects);
    head->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4 * kGrid + kBarWidth, 3 * kGrid, 3 * kGrid, 3 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(head);
    layout->addWidget(m_sentence);
    layout->addWidget(m_subject);
    layout->addSpacing(2 * kGrid);
    layout->addWidget(m_facts);
    showText({});
}

/// The outcome has its colour at the edge and behind the sentence; the facts are read on the plain ground.
void VerdictCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor base = themeColor(Token::Base);
    drawPanel(&painter, rect(), base, themeColor(Token::Border), kRadius);
    if (m_tone) {
        const QColor color = themeColor(*m_tone);
        const QWidget *last = m_subject->isHidden() ? m_sentence : m_subject;
        const QRect head(1, 1, width() - 2, last->geometry().bottom() + 2 * kGrid);
        drawPanel(&painter, head, badgeFill(color, base, themeScheme()), {}, kRadius - 1);
        QPainterPath edge; // the bar is the card's edge, with its corners
        edge.addRoundedRect(QRectF(rect()), kRadius, kRadius);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setClipPath(edge);
        painter.fillRect(QRect(0, 0, kBarWidth, height()), color);
    }
}

void VerdictCard::showText(const QString &text)
{
    m_facts->clear();
    m_ways.clear();
    m_tone.reset();
    m_outcome->setBadge({});
    setAccessibleName(tr("Verdict"));
    m_certainty->clear();
    m_effects->clear();
    m_sentence->setText(text);
    setSubject({});
}

void VerdictCard::setSubject(const QString &text)
{
    m_subject->setText(text);
    m_subject->setVisible(!text.isEmpty());
    update();
}

void VerdictCard::showVerdict(const models::Verdict &verdict, const QStringList &notes, const QStringList &unknown)
{
    m_facts->clear();
    m_ways.clear();
    const Badge badge = outcomeBadge(verdict);
    m_tone = badge.token();
    m_outcome->setBadge(badge);
    m_certainty->setText(models::certaintyName(verdict.certainty));
    setAccessibleName(tr("Verdict: %1, %2", "outcome, certainty").arg(badge.text, m_certainty->text()));
    m_effects->setText(tr("Confirmed effects: %1").arg(verdict.effects));
    m_sentence->setText(models::displayText(verdict.sentence, kTextChars));
    for (const models::VerdictRule &rule : verdict.rules) {
        m_facts->add(rule.sign, u"caseFact"_s, rule.sentence);
    }
    for (const QString &note : notes) {
        m_facts->addNote(u"caseFact"_s, note);
    }
    for (const QString &sentence : unknown) {
        m_facts->add(models::FactSign::Unknown, u"caseFact"_s, sentence);
    }
    if (!verdict.open.isEmpty()) {
        m_facts->addHeading(tr("To be certain"));
        for (const models::OpenPoint &point : verdict.open) {
            addOpen(point);
        }
        alignWays();
    }
    update();
}

/// Buttons below each other are of one width.
void VerdictCard::alignWays()
{
    int width = 0;
    for (const QPushButton *way : std::as_const(m_ways)) {
        width = std::max(width, way->sizeHint().width());
    }
    for (QPushButton *way : std::as_const(m_ways)) {
        way->setMinimumWidth(width);
    }
}

void VerdictCard::addOpen(const models::OpenPoint &point)
{
    QPushButton *button = nullptr;
    if (const QString way = wayText(point.by); !way.isEmpty()) {
        button = new QPushButton(way, m_facts);
        button->setObjectName(u"caseSettle"_s + QString::number(int(point.by)));
        connect(button, &QPushButton::clicked, this, [this, by = point.by] { emit settleWanted(by); });
    }
    addWay(point.sentence, button);
}

void VerdictCard::addNextStep(const QString &sentence, const QString &button)
{
    m_facts->addHeading(tr("What to do"));
    auto *step = new QPushButton(button, m_facts);
    step->setObjectName(u"caseNextStep"_s);
    connect(step, &QPushButton::clicked, this, &VerdictCard::nextStepClicked);
    addWay(sentence, step);
    alignWays();
}

/// A sentence with the button that leads there; without one only a person can.
void VerdictCard::addWay(const QString &sentence, QPushButton *button)
{
    auto *line = new QWidget(m_facts);
    QLabel *text = readableLabel(u"caseOpen"_s, line);
    text->setText(models::displayText(sentence, kTextChars));
    auto *row = barRow({}, line);
    row->addSpacing(m_facts->indent());
    row->addWidget(text, 1);
    if (button != nullptr) {
        row->addWidget(button);
        m_ways += button;
    }
    m_facts->addWidget(line);
}

} // namespace idemdesk::ui
