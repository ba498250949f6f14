// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runbooks/runbook_view.h"

#include "models/format/display_text.h"
#include "models/format/time_format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/check_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QHash>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kSeenChars = 1'000;
constexpr int kReadWidth = 900; // pixels; longer lines are hard to read

/// What the button says that leads to a place.
QString placeText(const QString &page)
{
    static const QHash<QString, QString> texts { { u"keys"_s, RunbookView::tr("Show keys") },
        { u"recovery"_s, RunbookView::tr("Open in Recovery") }, { u"purge"_s, RunbookView::tr("Open Purge") },
        { u"conflicts"_s, RunbookView::tr("Open Conflicts") }, { u"duplicates"_s, RunbookView::tr("Open Duplicates") },
        { u"trends"_s, RunbookView::tr("Show chart") }, { u"activity"_s, RunbookView::tr("Open Activity") },
        { u"health"_s, RunbookView::tr("Open Health") }, { u"alerts"_s, RunbookView::tr("Open Alerts") },
        { u"audit"_s, RunbookView::tr("Open Audit") } };
    return texts.value(page);
}

/// A finding warns: a cross in red beside "Yes." would read as the opposite of the answer.
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

QString saidOf(const models::RunbookSighting &sighting)
{
    return sighting.title.isEmpty() ? sighting.seen : u"%1: %2"_s.arg(sighting.title, sighting.seen);
}

} // namespace

RunbookView::RunbookView(QWidget *parent)
    : QScrollArea(parent)
    , m_title(readableLabel(u"runbookTitle"_s, this))
    , m_symptom(readableLabel(u"runbookSymptom"_s, this))
    , m_state(noteLabel({}, u"runbookState"_s, this))
    , m_lines(new CheckList(u"runbookLines"_s, tr("Questions and answers"), this))
{
    setObjectName(u"runbookView"_s);
    setAccessibleName(tr("Runbook"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_title->setFont(Theme::title());
    auto *content = new QWidget(this);
    content->setMaximumWidth(kReadWidth);
    auto *layout = partColumn(content);
    layout->setContentsMargins(3 * kGrid, kGrid, 3 * kGrid, 3 * kGrid);
    layout->addWidget(m_title);
    layout->addWidget(m_symptom);
    layout->addWidget(m_state);
    layout->addWidget(m_lines, 1);
    setWidget(content);
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
}

void RunbookView::setReport(const models::Runbook &book, const models::RunbookReport *report)
{
    m_title->setText(models::runbookText(book.title));
    m_symptom->setText(models::runbookText(book.symptom));
    m_lines->clear();
    int number = 0;
    if (report == nullptr) {
        m_state->setText(tr("Its questions are answered from what is there now."));
        for (const models::RunbookStep &step : book.steps) {
            m_lines->addNote(u"runbookQuestion_"_s + QLatin1StringView(step.id), models::runbookText(step.question));
        }
        return;
    }
    m_state->setText(
        tr("Read at %1 (UTC, the server's clock). Nothing was changed.").arg(models::TimeFormat().text(report->at)));
    for (const models::RunbookStepResult &result : report->steps) {
        addStep(++number, result);
    }
    m_lines->addHeading(tr("What to do now"));
    for (const models::RunbookNext &next : report->next) {
        addNext(next);
    }
}

void RunbookView::addStep(int number, const models::RunbookStepResult &result)
{
    const QString id = QString::fromLatin1(result.step->id);
    const bool leads = result.answer == models::RunbookAnswer::Trouble || result.step->actWhenFine;
    addQuestion(tr("%1. %2", "number, question").arg(number).arg(models::runbookText(result.step->question)),
        leads ? buttonTo(u"runbookOpen_"_s + id, models::runbookLink(*result.step, result.leading())) : nullptr);
    addSeen(result, id);
}

void RunbookView::addSeen(const models::RunbookStepResult &result, const QString &id)
{
    using A = models::RunbookAnswer;
    const QList<models::RunbookSighting> shown = result.shown();
    if (shown.size() == 1) {
        addLine(result.answer, u"runbookAnswer_"_s + id, result.text() + u' ' + saidOf(shown.constFirst()), 0);
        return;
    }
    addLine(result.answer, u"runbookAnswer_"_s + id, result.text(), 0);
    const auto aside = [&result](const models::RunbookSighting &sighting) {
        return result.answer != A::Nothing && sighting.answer == A::Nothing && !sighting.title.isEmpty();
    };
    const auto tables = int(std::count_if(result.sightings.cbegin(), result.sightings.cend(), aside));
    QStringList folded;
    for (qsizetype i = 0; i < shown.size(); ++i) {
        const models::RunbookSighting &sighting = shown.at(i);
        if (tables > 1 && aside(sighting)) {
            folded += models::displayText(saidOf(sighting), kSeenChars);
        } else {
            addLine(sighting.answer, u"runbookSeen_%1_%2"_s.arg(id).arg(i), saidOf(sighting), 1);
        }
    }
    if (!folded.isEmpty()) {
        addLine(A::Nothing, u"runbookAside_"_s + id, tr("%n table(s): does not apply", nullptr, tables), 1,
            folded.join(u'\n'));
    }
}

void RunbookView::addQuestion(const QString &text, QPushButton *button)
{
    auto *line = new QWidget(this);
    QLabel *question = strongLabel(text, line);
    question->setWordWrap(true);
    auto *row = barRow({}, line);
    row->setContentsMargins(0, 2 * kGrid, 0, 0);
    row->addWidget(question, 1);
    if (button != nullptr) {
        row->addWidget(button);
    }
    m_lines->addWidget(line);
}

void RunbookView::addLine(
    models::RunbookAnswer answer, const QString &lineName, const QString &sentence, int depth, const QString &toolTip)
{
    auto *line = new QWidget(this);
    QLabel *mark = strongLabel(models::runbookAnswerSign(answer), line);
    mark->setFixedWidth(m_lines->indent() - 2 * kGrid); // as wide as the signs of the list itself
    mark->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    mark->setAccessibleName(models::runbookAnswerWord(answer));
    QPalette colors = mark->palette();
    colors.setColor(QPalette::WindowText, themeColor(answerToken(answer)));
    mark->setPalette(colors);
    QLabel *text = readableLabel(lineName, line);
    text->setText(models::displayText(sentence, kSeenChars));
    text->setToolTip(toolTip);
    text->setAccessibleName(
        tr("%1: %2", "a sign in words, what it is about").arg(models::runbookAnswerWord(answer), text->text()));
    text->setAccessibleDescription(toolTip);
    auto *row = barRow({ mark }, line);
    row->setContentsMargins(depth * m_lines->indent(), 0, 0, 0);
    row->addWidget(text, 1);
    m_lines->addWidget(line);
}

void RunbookView::addNext(const models::RunbookNext &next)
{
    m_lines->addNote(u"runbookNext"_s, next.text);
    if (!next.command.isEmpty()) {
        QLabel *command = readableLabel(u"runbookCommand"_s, this);
        command->setText(models::displayText(next.command, kSeenChars));
        command->setAccessibleName(tr("Command: %1").arg(command->text()));
        command->setFont(Theme::monospace());
        command->setContentsMargins(m_lines->indent(), 0, 0, 0);
        m_lines->addWidget(command);
    }
}

QPushButton *RunbookView::buttonTo(const QString &objectName, const models::RunbookNext &place)
{
    const QString text = placeText(place.page);
    if (text.isEmpty()) {
        return nullptr;
    }
    auto *button = new QPushButton(text, this);
    button->setObjectName(objectName);
    connect(button, &QPushButton::clicked, this, [this, place] { emit placeWanted(place); });
    return button;
}

} // namespace idemdesk::ui
