// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runbooks/runbook_view.h"

#include "models/format/display_text.h"
#include "models/format/time_format.h"
#include "models/verdict/verdict.h"
#include "ui/theme/theme.h"
#include "ui/widgets/check_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QHash>
#include <QLabel>
#include <QPushButton>

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
    using A = models::RunbookAnswer;
    m_lines->addHeading(tr("%1. %2", "number, question").arg(number).arg(models::runbookText(result.step->question)));
    const auto add = [this](A answer, const QString &name, const QString &text, int depth) {
        if (answer == A::Nothing) {
            m_lines->addNote(name, text, depth);
        } else {
            m_lines->add(answer == A::Trouble ? models::FactSign::No
                    : answer == A::Fine       ? models::FactSign::Yes
                                              : models::FactSign::Unknown,
                name, text, depth);
        }
    };
    const QString id = QString::fromLatin1(result.step->id);
    const QList<models::RunbookSighting> shown = result.shown();
    const bool one = shown.size() == 1;
    const models::RunbookSighting *leading = result.leading();
    const auto about = [](const models::RunbookSighting &sighting) {
        return sighting.title.isEmpty() ? sighting.seen : u"%1: %2"_s.arg(sighting.title, sighting.seen);
    };
    add(result.answer, u"runbookAnswer_"_s + id, one ? result.text() + u' ' + about(shown.constFirst()) : result.text(),
        0);
    for (qsizetype i = 0; !one && i < shown.size(); ++i) {
        const models::RunbookSighting &sighting = shown.at(i);
        add(sighting.answer, u"runbookSeen_%1_%2"_s.arg(id).arg(i), about(sighting), 1);
    }
    if (result.answer == A::Trouble || result.step->actWhenFine) {
        addButton(u"runbookOpen_"_s + id, models::runbookLink(*result.step, leading));
    }
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

void RunbookView::addButton(const QString &objectName, const models::RunbookNext &place)
{
    const QString text = placeText(place.page);
    if (text.isEmpty()) {
        return;
    }
    auto *button = new QPushButton(text, this);
    button->setObjectName(objectName);
    connect(button, &QPushButton::clicked, this, [this, place] { emit placeWanted(place); });
    auto *line = new QWidget(this);
    auto *row = barRow({ button, nullptr }, line);
    row->setContentsMargins(m_lines->indent(), 0, 0, kGrid);
    m_lines->addWidget(line);
}

} // namespace idemdesk::ui
