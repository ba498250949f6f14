// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/action_strip.h"

#include "models/actions/action_center.h"
#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/purge/purge_figures.h"
#include "ui/theme/console_style.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/questions.h"

#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using Stage = models::ActionRunner::Stage;

ActionStrip::ActionStrip(models::ActionCenter *center, QWidget *parent)
    : QWidget(parent)
    , m_center(center)
    , m_icon(plainLabel({}, this))
    , m_title(strongLabel({}, this))
    , m_text(wrappedLabel({}, this))
    , m_bar(new QProgressBar(this))
    , m_pause(new QPushButton(this))
    , m_cancel(new QPushButton(this))
    , m_show(new QPushButton(tr("Show"), this))
    , m_approve(new QPushButton(tr("Approve…"), this))
    , m_decline(new QPushButton(tr("Decline…"), this))
    , m_rows(new QPushButton(tr("Show rows"), this))
    , m_undo(new QPushButton(tr("Undo…"), this))
    , m_close(new QPushButton(tr("Close"), this))
{
    setObjectName(u"actionStrip"_s);
    m_title->setObjectName(u"actionStripTitle"_s);
    m_text->setObjectName(u"actionStripText"_s);
    m_bar->setObjectName(u"actionStripBar"_s);
    m_pause->setObjectName(u"actionStripPause"_s);
    m_cancel->setObjectName(u"actionStripCancel"_s);
    m_show->setObjectName(u"actionStripShow"_s);
    m_show->setToolTip(tr("Show this action on the page Audit"));
    m_approve->setObjectName(u"actionStripApprove"_s);
    setLook(m_approve, ButtonLook::Primary); // what the strip is there for then
    m_decline->setObjectName(u"actionStripDecline"_s);
    m_rows->setObjectName(u"actionStripRows"_s);
    m_undo->setObjectName(u"actionStripUndo"_s);
    m_close->setObjectName(u"actionStripClose"_s);
    m_bar->setFixedHeight(2 * kGrid);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the action"));
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_title);
    words->addWidget(m_text);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
    column->setSpacing(kGrid);
    column->addWidget(m_bar);
    auto *layout = barRow({});
    column->addLayout(layout);
    layout->addWidget(m_icon);
    layout->addLayout(words, 1);
    // Pause, or Resume, stands at the edge and keeps its width, whatever else comes and goes: no other button ever
    // takes its place under a pointer that is about to press it, least of all Cancel.
    for (QPushButton *button : { m_show, m_decline, m_approve, m_cancel, m_rows, m_undo, m_close, m_pause }) {
        button->setAutoDefault(false);
        layout->addWidget(button);
    }
    int width = 0;
    for (const QString &text : { tr("Pause"), tr("Pausing…"), tr("Resume"), tr("Resume here") }) {
        m_pause->setText(text);
        width = std::max(width, m_pause->sizeHint().width());
    }
    m_pause->setMinimumWidth(width);
    setTabOrder(m_pause, m_show); // the keyboard reaches what does no harm first
    wire();
    sync();
}

void ActionStrip::wire()
{
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (models::ActionRunner *runner = m_center->runner()) {
            if (runner->stage() == Stage::Paused || runner->stage() == Stage::Stopped) {
                runner->resume();
            } else {
                runner->pause();
            }
        } else if (!m_center->openElsewhere().isEmpty()) {
            m_center->takeOver(leftOpen());
        }
    });
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (const auto *runner = m_center->runner(); runner != nullptr || !m_center->openElsewhere().isEmpty()) {
            emit actionWanted(runner != nullptr ? runner->action().id : leftOpen().id);
        }
    });
    for (const auto &[button, approve] : { std::pair(m_approve, true), std::pair(m_decline, false) }) {
        connect(button, &QPushButton::clicked, this, [this, yes = approve] {
            if (m_center->runner() == nullptr && !m_center->openElsewhere().isEmpty()) {
                emit decisionWanted(leftOpen(), yes);
            }
        });
    }
    connect(m_cancel, &QPushButton::clicked, this, &ActionStrip::askToCancel);
    connect(m_rows, &QPushButton::clicked, this, [this] {
        if (m_center->runner() != nullptr) {
            emit outcomesWanted(m_center->runner()->action().id);
        } else if (!m_center->openElsewhere().isEmpty()) {
            emit outcomesWanted(leftOpen().id);
        }
    });
    connect(m_undo, &QPushButton::clicked, this, [this] {
        if (m_center->runner() != nullptr) {
            emit undoWanted(m_center->runner()->action());
        }
    });
    connect(m_close, &QPushButton::clicked, m_center, &models::ActionCenter::dismiss);
    connect(m_center, &models::ActionCenter::changed, this, &ActionStrip::sync);
    connect(m_center, &models::ActionCenter::runnerChanged, this, &ActionStrip::sync);
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, this, &ActionStrip::sync); // the icon is painted in its colours
    }
}

QString ActionStrip::cancelLabel(const sql::ActionRecord &action) const
{
    if (action.state != sql::ActionState::Requested) {
        return models::stopLabel(action.verb);
    }
    return m_center->own(action) ? tr("Withdraw request") : tr("Cancel request");
}

/// What ran so far stays; asking costs one key, and a wrong press on a production table hours.
void ActionStrip::askToCancel()
{
    const models::ActionRunner *runner = m_center->runner();
    if (runner == nullptr && m_center->openElsewhere().isEmpty()) {
        return;
    }
    const sql::ActionRecord action = runner != nullptr ? runner->action() : leftOpen();
    const bool asked = action.state == sql::ActionState::Requested;
    const QString label = cancelLabel(action);
    QMessageBox *box = questionBox(window(), u"cancelActionBox"_s, label,
        tr("%1: “%2” of %3?", "a button, what is done, table")
            .arg(label, models::verbPhrase(action.verb, action.plannedRows), m_center->titleOf(action.target)),
        runner != nullptr && runner->lookUpError()
            ? tr("The server does not answer. It is asked once more, then no longer. What was done there stays done.")
            : asked ? tr("Nothing was changed yet, and nobody can approve it afterwards.")
                    : tr("What it has changed so far stays changed, and can be undone on the Audit page. It cannot be "
                         "resumed."));
    QPushButton *go = addAnswer(box, u"cancelActionGo"_s, label);
    connect(go, &QPushButton::clicked, this, [this, id = action.id] {
        models::ActionRunner *running = m_center->runner();
        if (running != nullptr && running->action().id == id) { // the one that was asked about, whatever runs by now
            running->lookUpError() ? running->cancelOrGiveUp() : running->cancel();
        } else if (running == nullptr) {
            m_center->cancelElsewhere(id);
        }
    });
    openQuestion(box, asked ? tr("Keep request") : tr("Keep running"));
}

bool ActionStrip::decidable(const sql::ActionRecord &action) const
{
    return action.state == sql::ActionState::Requested && m_center->whyNotDecide(action).isEmpty();
}

sql::ActionRecord ActionStrip::leftOpen() const
{
    const QList<sql::ActionRecord> &open = m_center->openElsewhere();
    const auto waits = std::find_if(
        open.cbegin(), open.cend(), [this](const sql::ActionRecord &action) { return decidable(action); });
    return waits != open.cend() ? *waits : open.constFirst();
}

/// An error ended the run. Where the action could not be looked up, the next one who connects there learns of it.
QString ActionStrip::stoppedText() const
{
    const models::ActionRunner &runner = *m_center->runner();
    const QString why = runner.error() ? runner.error()->line() : QString();
    if (!runner.begun()) {
        return tr("Whether it was begun is not known. It is looked up when this connection opens again. %1").arg(why);
    }
    return runner.lost()
        ? tr("How far it came is not known. It is looked up when this connection opens again. %1").arg(why)
        : why;
}

QString ActionStrip::progressText() const
{
    const models::ActionRunner &runner = *m_center->runner();
    const sql::ActionRecord &action = runner.action();
    switch (runner.stage()) {
    case Stage::Starting:
        return tr("The server is storing the frozen set…");
    case Stage::Asking:
        return action.id == m_onPage
            ? tr("It waits for another person's approval.")
            : tr("It waits for another person's approval. You can hide this; whoever approves it finds it on the "
                 "Audit page.");
    case Stage::Holding:
        return tr("Holding off: %1").arg(runner.holdReasons().join(u' '));
    case Stage::Finding:
        return runner.lookUpError() && !runner.givingUp()
            ? tr("%1 “%2” ends the looking-up.", "what is looked up, a button")
                  .arg(models::lookUpText(runner), cancelLabel(action))
            : tr("%1 Nothing is sent twice.").arg(models::lookUpText(runner));
    case Stage::Pausing:
        return tr("Pausing after this batch…");
    case Stage::Cancelling:
        return tr("Cancelling…");
    case Stage::Paused:
        return runner.error()       ? tr("Paused after %1. %2").arg(models::outcomeText(action), runner.error()->line())
            : action.note.isEmpty() ? tr("Paused after %1.").arg(models::outcomeText(action))
                                    : tr("Paused after %1. %2").arg(models::outcomeText(action), action.note);
    case Stage::Stopped:
        return stoppedText();
    case Stage::Ended:
        if (action.verb == sql::ActionVerb::Purge && action.state == sql::ActionState::Cancelled) {
            return models::purgeEndDetail(action);
        }
        return tr("%1: %2. %3")
            .arg(models::actionStateLabel(action.state), models::outcomeText(action), m_center->hintAfter(action))
            .trimmed();
    case Stage::Idle:
    case Stage::Running:
        break;
    }
    QString text = tr("%1 of %2")
                       .arg(models::countText(models::rowsDone(action.counts) + models::rowsSkipped(action.counts)),
                           models::countText(action.plannedRows));
    if (action.verb != sql::ActionVerb::Purge) { // whose page has tiles for both
        text += tr(", %1").arg(models::rateText(runner.rowsPerSecond()));
    }
    if (runner.secondsLeft() > 0) {
        text += tr(", about %1 left").arg(models::durationText(runner.secondsLeft()));
    } else if (runner.secondsLeft() < 0 && action.verb != sql::ActionVerb::Purge) {
        text += tr(", estimating the time left");
    }
    if (runner.sweeping()) {
        text += tr("; looking for rows that were locked before");
    }
    return text;
}

void ActionStrip::showRunner()
{
    const models::ActionRunner &runner = *m_center->runner();
    const sql::ActionRecord &action = runner.action();
    const Stage stage = runner.stage();
    const bool over = stage == Stage::Ended;
    const bool failed
        = stage == Stage::Stopped || (stage == Stage::Paused && (runner.error() || !action.note.isEmpty()));
    m_icon->setPixmap(themedIcon(failed             ? u"warning"_s
            : action.verb == sql::ActionVerb::Purge ? u"purge"_s
                                                    : u"recovery"_s,
        failed ? std::optional(Token::Warning) : std::nullopt)
                          .pixmap(20, 20));
    const qint64 done = models::rowsDone(action.counts) + models::rowsSkipped(action.counts);
    const bool cancelled = over && action.state == sql::ActionState::Cancelled;
    const QString phrase = models::verbPhrase(action.verb, action.plannedRows);
    m_title->setText(tr("%1 · %2").arg(cancelled
            ? tr("Stopped after %1 of %2 rows").arg(models::countText(done), models::countText(action.plannedRows))
            : phrase,
        m_center->titleOf(action.target)));
    m_text->setText(models::displayText(progressText(), 600));
    m_bar->setVisible(stage != Stage::Asking && stage != Stage::Stopped);
    const bool unknown = !over
        && (action.plannedRows <= 0 || stage == Stage::Starting || stage == Stage::Finding || runner.sweeping());
    m_bar->setRange(0, unknown ? 0 : 1000);
    m_bar->setValue(unknown ? 0 : int(std::min<qint64>(1000, done * 1000 / std::max<qint64>(1, action.plannedRows))));
    const bool resumable = stage == Stage::Paused || (stage == Stage::Stopped && action.requestedAt.micros != 0);
    const bool focused = isAncestorOf(window()->focusWidget());
    m_rows->setVisible(over && done > 0);
    m_undo->setVisible(over && action.verb != sql::ActionVerb::Undo && !models::isAboutPartition(action.verb)
        && models::rowsDone(action.counts) > 0);
    m_undo->setEnabled(m_center->mayAct());
    setLook(m_undo, cancelled ? ButtonLook::Primary : ButtonLook::Plain); // whoever stopped it may want all of it back
    m_close->setVisible(over || stage == Stage::Asking || stage == Stage::Stopped || stage == Stage::Paused);
    m_pause->setText(resumable ? tr("Resume") : stage == Stage::Pausing ? tr("Pausing…") : tr("Pause"));
    // While it pauses the button stays as it is, focus and all; pressed again it asks for the same once more.
    m_pause->setEnabled(stage != Stage::Starting && stage != Stage::Cancelling);
    m_pause->setVisible(resumable || runner.active());
    m_approve->hide();
    m_decline->hide();
    m_show->setVisible(stage == Stage::Asking && action.id != m_onPage); // it leads to where one is
    m_close->setText(over || stage == Stage::Stopped ? tr("Close") : tr("Hide")); // what is hidden goes on
    m_cancel->setText(cancelLabel(action));
    m_cancel->setVisible(!over && stage != Stage::Stopped);
    m_cancel->setEnabled(stage != Stage::Cancelling);
    if (focused && over) {
        m_close->setFocus(Qt::OtherFocusReason);
    }
}

void ActionStrip::showLeftOpen()
{
    const QList<sql::ActionRecord> &open = m_center->openElsewhere();
    const sql::ActionRecord action = leftOpen();
    const bool asked = action.state == sql::ActionState::Requested;
    m_icon->setPixmap(themedIcon(u"info"_s).pixmap(20, 20));
    m_title->setText(
        tr("%1 · %2").arg(models::verbPhrase(action.verb, action.plannedRows), m_center->titleOf(action.target)));
    const bool decide = decidable(action);
    QString text = decide ? tr("%1 asks for your approval: %2").arg(action.requestedBy, action.reason)
        : asked           ? tr("%1 asked for this; it waits for another person's approval.").arg(action.requestedBy)
                : tr("%1 asked for this; it is open (%2) after %3. Its console may be gone, or may still run it.")
                      .arg(action.requestedBy, models::actionStateLabel(action.state), models::outcomeText(action));
    const bool partition = models::isAboutPartition(action.verb);
    if (partition && !asked) {
        text = m_center->own(action)
            ? tr("%1 approved it. It is not done yet.").arg(action.approvedBy)
            : tr("%1 approved it; %2, who asked for it, carries it out.").arg(action.approvedBy, action.requestedBy);
    }
    const bool begins = !partition && !asked && action.lastBatch == 0 && !action.approvedBy.isEmpty();
    if (begins) {
        text = m_center->own(action)
            ? tr("%1 approved it. Nothing is done yet: begin it here.").arg(action.approvedBy)
            : tr("%1 approved it; %2, who asked for it, has not begun.").arg(action.approvedBy, action.requestedBy);
    }
    if (open.size() > 1) {
        text += u' ' + tr("%n more action(s) are open; the Audit page lists them.", nullptr, int(open.size()) - 1);
    }
    m_text->setText(models::displayText(text, 600));
    m_bar->hide();
    m_pause->setText(partition ? models::carryOutLabel(action) : begins ? tr("Begin") : tr("Resume here"));
    m_pause->setEnabled(true);
    m_pause->setVisible(!asked && m_center->mayAct() && (!partition || m_center->own(action)));
    m_approve->setVisible(decide);
    m_decline->setVisible(decide);
    m_show->setVisible(action.id != m_onPage); // it leads to where one is
    m_cancel->setText(cancelLabel(action));
    m_cancel->setVisible(m_center->mayAct() && !decide); // who may decline it need not cancel it
    m_cancel->setEnabled(true);
    m_rows->hide();
    m_undo->hide();
    m_close->hide();
}

void ActionStrip::setDecidedOnPage(const QString &action)
{
    if (m_onPage != action) {
        m_onPage = action;
        sync();
    }
}

void ActionStrip::sync()
{
    const bool runner = m_center->runner() != nullptr && m_center->runner()->stage() != Stage::Idle;
    const bool left = !m_center->openElsewhere().isEmpty();
    // What the page in front shows with the buttons that decide on it does not stand twice.
    const bool twice = !runner && left && leftOpen().id == m_onPage && decidable(leftOpen());
    setVisible(runner || (left && !twice));
    if (runner) {
        showRunner();
    } else if (left) {
        showLeftOpen();
    }
}

/// A surface of its own over the whole width: it belongs to no page.
void ActionStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), themeColor(Token::Base));
    painter.fillRect(QRect(0, 0, width(), 1), themeColor(Token::Border));
}

} // namespace idemdesk::ui
