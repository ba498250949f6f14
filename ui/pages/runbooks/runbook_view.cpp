// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runbooks/runbook_view.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/format/time_format.h"
#include "ui/pages/runbooks/runbook_result.h"
#include "ui/theme/theme.h"
#include "ui/widgets/check_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QGridLayout>
#include <QHash>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kSeenChars = 1'000;
constexpr int kReadWidth = 900; // pixels; longer lines are hard to read
enum SeenColumn { RowSign, RowName, RowPlace, RowCount, RowRest, RowEnd };

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

QString saidOf(const models::RunbookSighting &sighting)
{
    return sighting.title.isEmpty() ? sighting.seen : u"%1: %2"_s.arg(sighting.title, sighting.seen);
}

/// Beneath each other, and beneath their sum, numbers stand alone: what they count says the question. One by itself
/// names its unit.
QString seenText(const models::RunbookSighting &sighting, bool counted, bool summed)
{
    if (counted && !summed) {
        const QString seen = models::displayText(sighting.seen, kSeenChars);
        return seen.endsWith(u'.') ? seen.chopped(1) : seen;
    }
    const bool rows = counted && sighting.seen.startsWith(models::countText(sighting.count) + u' ')
        && !sighting.seen.contains(QRegularExpression(u"\\d.*\\s\\d"_s)); // "17 of 50 stuck keys" says more
    return rows ? models::countText(sighting.count) : models::displayText(sighting.seen, kSeenChars);
}

/// A name with a slash stays in one line where names are a list that wraps.
QString unbroken(QString names)
{
    return names.replace(u'/', u"/\u2060"_s);
}

/// An answer that needs nobody stands back.
void setBack(QLabel *label, models::RunbookAnswer answer)
{
    const bool back = answer == models::RunbookAnswer::Fine || answer == models::RunbookAnswer::Nothing;
    label->setForegroundRole(back ? QPalette::PlaceholderText : QPalette::WindowText);
}

} // namespace

RunbookView::RunbookView(QWidget *parent)
    : QScrollArea(parent)
    , m_title(readableLabel(u"runbookTitle"_s, this))
    , m_symptom(readableLabel(u"runbookSymptom"_s, this))
    , m_state(noteLabel({}, u"runbookState"_s, this))
    , m_result(new RunbookResult(this))
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
    layout->addWidget(m_result);
    layout->addWidget(m_lines, 1);
    connect(m_result, &RunbookResult::actClicked, this, [this] { emit placeWanted(m_act); });
    setWidget(content);
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
}

void RunbookView::setReport(const models::Runbook &book, const models::RunbookReport *report)
{
    m_title->setText(models::runbookText(book.title));
    m_symptom->setText(models::runbookText(book.symptom));
    m_lines->clear();
    m_result->setVisible(report != nullptr);
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
    m_act = wayToAct(*report);
    m_result->showReport(*report, placeText(m_act.page));
    addNext(*report);
    m_lines->addHeading(tr("Questions and answers"));
    for (const models::RunbookStepResult &result : report->steps) {
        addStep(++number, result);
    }
    addCommands(*report);
}

/// Where the first answer that needs a person, and that leads anywhere, leads.
models::RunbookNext RunbookView::wayToAct(const models::RunbookReport &report)
{
    for (const models::RunbookStepResult &result : report.steps) {
        if (result.answer == models::RunbookAnswer::Trouble
            && !placeText(QString::fromLatin1(result.step->link.page)).isEmpty()) {
            return models::runbookLink(*result.step, result.leading());
        }
    }
    return {};
}

void RunbookView::addStep(int number, const models::RunbookStepResult &result)
{
    const QString id = QString::fromLatin1(result.step->id);
    const bool leads = result.answer == models::RunbookAnswer::Trouble || result.step->actWhenFine;
    addQuestion(tr("%1. %2", "number, question").arg(number).arg(models::runbookText(result.step->question)),
        leads ? buttonTo(u"runbookOpen_"_s + id, models::runbookLink(*result.step, result.leading())) : nullptr);
    addSeen(result, id);
}

/// "No. No row in 2 tables.": where nothing was seen in many, their names are no news.
QString RunbookView::onlyLine(const models::RunbookStepResult &result, const models::RunbookSighting &sighting)
{
    const auto tables = int(result.tables(models::RunbookAnswer::Fine));
    const bool none = tables > 1 && result.answer == models::RunbookAnswer::Fine
        && result.step->fact == models::RunbookFact::Rows && sighting.seen.endsWith(u'.');
    return result.text() + u' '
        + (none ? tr("%1 in %n table(s).", nullptr, tables).arg(sighting.seen.chopped(1)) : saidOf(sighting));
}

void RunbookView::addSeen(const models::RunbookStepResult &result, const QString &id)
{
    using A = models::RunbookAnswer;
    const QList<models::RunbookSighting> shown = result.shown();
    if (shown.size() == 1) {
        const QString names = result.sightings.size() > 1 ? shown.constFirst().title : QString();
        addLine(result.answer, u"runbookAnswer_"_s + id, onlyLine(result, shown.constFirst()), 0,
            models::displayText(names, kSeenChars));
        return;
    }
    const qint64 total = result.total(A::Trouble);
    const auto counted = int(result.tables(A::Trouble));
    addLine(result.answer, u"runbookAnswer_"_s + id,
        total > 0 && counted > 1
            ? result.text() + u' ' + tr("%1 in %n table(s).", nullptr, counted).arg(models::countText(total))
            : result.text(),
        0);
    const auto aside = [&result](const models::RunbookSighting &sighting) {
        return result.answer != A::Nothing && sighting.answer == A::Nothing && !sighting.title.isEmpty();
    };
    const auto tables = int(std::count_if(result.sightings.cbegin(), result.sightings.cend(), aside));
    QStringList folded;
    QStringList why; // what some end with is said with the first of them
    QList<std::pair<qsizetype, models::RunbookSighting>> rows;
    for (qsizetype i = 0; i < shown.size(); ++i) {
        const models::RunbookSighting &sighting = shown.at(i);
        if (tables > 1 && aside(sighting)) {
            folded += models::displayText(saidOf(sighting), kSeenChars);
        } else {
            rows.append({ i, sighting });
            if (why.contains(sighting.why)) {
                rows.last().second.seen = models::runbookSeenBrief(sighting);
            } else if (!sighting.why.isEmpty()) {
                why += sighting.why;
            }
        }
    }
    addRows(id, rows, total > 0 && counted > 1);
    if (!folded.isEmpty()) {
        addLine(A::Nothing, u"runbookAside_"_s + id, tr("%n table(s): does not apply", nullptr, tables), 1,
            folded.join(u'\n'));
    }
}

/// Tables below each other, their names in two tones; numbers line up at their right.
void RunbookView::addRows(
    const QString &id, const QList<std::pair<qsizetype, models::RunbookSighting>> &rows, bool summed)
{
    if (rows.isEmpty()) {
        return;
    }
    auto *table = new QWidget(this);
    auto *grid = new QGridLayout(table);
    grid->setContentsMargins(m_lines->indent(), 0, 0, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid);
    grid->setColumnStretch(RowRest, 1);
    int line = 0;
    for (const auto &[number, sighting] : rows) {
        const bool counted = sighting.count >= 0 && !sighting.place.isEmpty();
        grid->addWidget(signLabel(sighting.answer, table), line, RowSign);
        QLabel *seen = readableLabel(u"runbookSeen_%1_%2"_s.arg(id).arg(number), table);
        seen->setText(seenText(sighting, counted, summed));
        seen->setAccessibleName(
            tr("%1: %2", "a sign in words, what it is about")
                .arg(models::runbookAnswerWord(sighting.answer), models::displayText(saidOf(sighting), kSeenChars)));
        setBack(seen, sighting.answer);
        if (!sighting.title.isEmpty()) {
            // Several tables of one answer are a list that wraps; the name of one stays in its line.
            const bool one = !sighting.place.isEmpty();
            QLabel *name = one ? elidedLabel(table) : wrappedLabel({}, table);
            const QString shown = models::displayText(models::runbookTableName(sighting), kSeenChars);
            name->setText(one ? shown : unbroken(shown));
            name->setToolTip(one ? shown : QString());
            if (one) {
                name->setMinimumWidth(std::min(name->sizeHint().width(), kReadWidth / 3));
            }
            setBack(name, sighting.answer);
            grid->addWidget(name, line, RowName, 1, sighting.place.isEmpty() ? RowEnd - RowName : 1);
            if (!sighting.place.isEmpty()) {
                QLabel *place = elidedLabel(table);
                place->setText(models::displayText(sighting.place));
                place->setToolTip(place->text());
                place->setForegroundRole(QPalette::PlaceholderText);
                grid->addWidget(place, line, RowPlace, 1, counted ? 1 : RowEnd - RowPlace);
            }
        }
        seen->setWordWrap(!counted);
        if (counted) {
            seen->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            grid->addWidget(seen, line, RowCount);
        } else {
            line += sighting.title.isEmpty() ? 0 : 1; // a sentence stands beneath its table
            grid->addWidget(seen, line, RowName, 1, RowEnd - RowName);
        }
        ++line;
    }
    m_lines->addWidget(table);
}

QLabel *RunbookView::signLabel(models::RunbookAnswer answer, QWidget *parent) const
{
    QLabel *mark = strongLabel(models::runbookAnswerSign(answer), parent);
    mark->setFixedWidth(m_lines->indent() - 2 * kGrid); // as wide as the signs of the list itself
    mark->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    mark->setAccessibleName(models::runbookAnswerWord(answer));
    QPalette colors = mark->palette();
    colors.setColor(QPalette::WindowText, themeColor(answerToken(answer)));
    mark->setPalette(colors);
    return mark;
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
    QLabel *mark = signLabel(answer, line);
    QLabel *text = readableLabel(lineName, line);
    text->setText(models::displayText(sentence, kSeenChars));
    text->setToolTip(toolTip);
    setBack(text, answer);
    text->setAccessibleName(
        tr("%1: %2", "a sign in words, what it is about").arg(models::runbookAnswerWord(answer), text->text()));
    text->setAccessibleDescription(toolTip);
    auto *row = barRow({ mark }, line);
    row->setContentsMargins(depth * m_lines->indent(), 0, 0, 0);
    row->addWidget(text, 1);
    m_lines->addWidget(line);
}

/// Each step once, whichever tables it is for; the commands stand at the end.
void RunbookView::addNext(const models::RunbookReport &report)
{
    QStringList said { report.first() == nullptr ? report.headline() : QString() }; // by the result
    QStringList texts;
    for (const models::RunbookNext &next : report.next) {
        if (!said.contains(next.text)) {
            said += next.text;
            texts += next.text;
        }
    }
    if (texts.isEmpty()) {
        return;
    }
    m_lines->addHeading(tr("What to do now"));
    for (qsizetype i = 0; i < texts.size(); ++i) {
        m_lines->addStep(int(i) + 1, u"runbookNext"_s, texts.at(i));
    }
}

void RunbookView::addCommands(const models::RunbookReport &report)
{
    QStringList commands;
    for (const models::RunbookNext &next : report.next) {
        if (!next.command.isEmpty() && !commands.contains(next.command)) {
            commands += next.command;
        }
    }
    if (commands.isEmpty()) {
        return;
    }
    m_lines->addHeading(tr("The same in a terminal"));
    for (const QString &each : std::as_const(commands)) {
        QLabel *command = readableLabel(u"runbookCommand"_s, this);
        command->setText(models::displayText(each, kSeenChars));
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
