// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/schedule_dialog.h"

#include "models/trends/schedule_controller.h"
#include "ui/delegates/health_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/text_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kScheduleWidth = 560; // pixels
constexpr int kFewestScriptLines = 2;

/// Where sampling by the server stands, in a few words.
Badge scheduleBadge(sql::SampleSchedule::State state)
{
    using State = sql::SampleSchedule::State;
    using Level = sql::HealthLevel;
    switch (state) {
    case State::On:
        return healthBadge(Level::Good, ScheduleDialog::tr("On"));
    case State::Off:
        return healthBadge(Level::Nothing, ScheduleDialog::tr("Off"));
    case State::NoConsole:
        return healthBadge(Level::Nothing, ScheduleDialog::tr("Off: console schema not installed"));
    case State::NoExtension:
        return healthBadge(Level::Nothing, ScheduleDialog::tr("Off: pg_cron not set up here"));
    case State::Elsewhere:
        return healthBadge(Level::Nothing, ScheduleDialog::tr("Off: pg_cron runs in another database"));
    case State::NotAllowed:
        break;
    }
    return healthBadge(Level::Advice, ScheduleDialog::tr("Off: this login may not set it up"));
}

} // namespace

ScheduleDialog::ScheduleDialog(models::ScheduleController *schedule, const QString &whyNot, QWidget *parent)
    : QDialog(parent)
    , m_schedule(schedule)
    , m_whyNot(whyNot)
    , m_notice(new NoticeBar(this))
    , m_badge(new BadgeView(u"scheduleBadge"_s, this))
    , m_state(wrappedLabel({}, this))
    , m_script(new QPlainTextEdit(this))
{
    setObjectName(u"scheduleDialog"_s);
    setWindowTitle(tr("Sampling"));
    setMinimumWidth(kScheduleWidth);
    m_schedule->setParent(this);
    auto *about
        = wrappedLabel(tr("Charts and alerts need a sample each minute. An open console takes it. "
                          "While none is open, pg_cron in the server can take it, or cron with “idemdeskctl sample”."),
            this);
    m_state->setObjectName(u"scheduleState"_s);
    setUpCode(m_script, u"scheduleScript"_s, tr("What an administrator would run"));
    auto *buttons = new ButtonRow(this);
    m_copy = buttons->addAside(u"scheduleCopy"_s, tr("&Copy SQL"));
    m_set = buttons->addGo(u"scheduleSet"_s, {});
    buttons->setDefault(buttons->addStay(u"scheduleClose"_s, tr("Close")));
    guideEnter(this);
    auto *layout = dialogColumn(this);
    layout->addWidget(titleLabel(tr("Samples while no console is open"), this));
    layout->addWidget(about);
    layout->addWidget(m_badge);
    layout->addWidget(m_notice);
    layout->addWidget(m_state);
    layout->addWidget(m_script);
    layout->addStretch(1);
    layout->addWidget(buttons);
    connect(m_copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_script->toPlainText()); });
    connect(m_set, &QPushButton::clicked, this,
        [this] { m_schedule->set(m_schedule->schedule()->state == sql::SampleSchedule::State::Off); });
    connect(m_notice, &NoticeBar::primaryClicked, m_schedule, &models::ScheduleController::refresh);
    connect(m_schedule, &models::ScheduleController::changed, this, &ScheduleDialog::sync);
    m_schedule->refresh();
    sync();
}

void ScheduleDialog::sync()
{
    using State = sql::SampleSchedule::State;
    const auto &schedule = m_schedule->schedule();
    m_notice->setError(m_schedule->error(), tr("Check again"));
    m_state->setText(schedule ? schedule->why : tr("Looking whether pg_cron is here…"));
    const bool script = schedule && !schedule->script.isEmpty();
    m_script->setPlainText(script ? schedule->script : QString());
    m_script->setVisible(script);
    const int lines = std::max(kFewestScriptLines, int(m_script->toPlainText().count(u'\n')) + 1);
    m_script->setFixedHeight(lines * m_script->fontMetrics().lineSpacing() + 4 * kGrid);
    m_badge->setVisible(schedule.has_value());
    if (schedule) {
        m_badge->setBadge(scheduleBadge(schedule->state));
    }
    m_copy->setVisible(script);
    const bool may = schedule && (schedule->state == State::On || schedule->state == State::Off);
    m_set->setVisible(may);
    m_set->setText(may && schedule->state == State::On ? tr("&End sampling by pg_cron") : tr("&Sample by pg_cron"));
    m_set->setEnabled(may && !m_schedule->busy() && m_whyNot.isEmpty());
    m_set->setToolTip(m_whyNot);
    adjustSize();
}

} // namespace idemdesk::ui
