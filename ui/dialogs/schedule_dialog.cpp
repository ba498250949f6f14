// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/schedule_dialog.h"

#include "models/trends/schedule_controller.h"
#include "ui/dialogs/enter_keys.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kScheduleWidth = 560; // pixels

} // namespace

ScheduleDialog::ScheduleDialog(models::ScheduleController *schedule, const QString &whyNot, QWidget *parent)
    : QDialog(parent)
    , m_schedule(schedule)
    , m_whyNot(whyNot)
    , m_notice(new NoticeBar(this))
    , m_state(plainLabel({}, this))
    , m_script(new QPlainTextEdit(this))
    , m_copy(new QPushButton(tr("&Copy SQL"), this))
    , m_set(new QPushButton(this))
{
    setObjectName(u"scheduleDialog"_s);
    setWindowTitle(tr("Sampling"));
    setMinimumWidth(kScheduleWidth);
    m_schedule->setParent(this);
    auto *heading = plainLabel(tr("Samples while no console is open"), this);
    heading->setFont(Theme::title());
    auto *about = plainLabel(tr("An open console samples the registered tables each minute. Where pg_cron is installed, the server can do so by itself; elsewhere cron can, "
                                "with “idemdeskctl sample”. Of each minute one sample is kept, whoever took it."),
        this);
    about->setWordWrap(true);
    m_state->setObjectName(u"scheduleState"_s);
    m_state->setWordWrap(true);
    m_script->setObjectName(u"scheduleScript"_s);
    m_script->setAccessibleName(tr("What an administrator would run"));
    m_script->setReadOnly(true);
    m_script->setTabChangesFocus(true);
    m_script->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_script->setFixedHeight(96);
    m_copy->setObjectName(u"scheduleCopy"_s);
    m_set->setObjectName(u"scheduleSet"_s);
    auto *close = new QPushButton(tr("Close"), this);
    close->setDefault(true);
    guideEnter(this);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_copy);
    buttons->addStretch(1);
    buttons->addWidget(m_set);
    buttons->addWidget(close);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(heading);
    layout->addWidget(about);
    layout->addWidget(m_notice);
    layout->addWidget(m_state);
    layout->addWidget(m_script);
    layout->addStretch(1);
    layout->addLayout(buttons);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_script->toPlainText()); });
    connect(m_set, &QPushButton::clicked, this, [this] { m_schedule->set(m_schedule->schedule()->state == sql::SampleSchedule::State::Off); });
    connect(m_notice, &NoticeBar::primaryClicked, m_schedule, &models::ScheduleController::refresh);
    connect(m_schedule, &models::ScheduleController::changed, this, &ScheduleDialog::update);
    m_schedule->refresh();
    update();
}

void ScheduleDialog::update()
{
    using State = sql::SampleSchedule::State;
    const auto &schedule = m_schedule->schedule();
    if (m_schedule->error()) {
        m_notice->showError(*m_schedule->error(), tr("Look again"));
    } else {
        m_notice->clear();
    }
    m_state->setText(schedule ? schedule->why : tr("Looking whether pg_cron is here…"));
    const bool script = schedule && !schedule->script.isEmpty();
    m_script->setPlainText(script ? schedule->script : QString());
    m_script->setVisible(script);
    m_copy->setVisible(script);
    const bool may = schedule && (schedule->state == State::On || schedule->state == State::Off);
    m_set->setVisible(may);
    m_set->setText(may && schedule->state == State::On ? tr("&End sampling by pg_cron") : tr("&Sample by pg_cron"));
    m_set->setEnabled(may && !m_schedule->busy() && m_whyNot.isEmpty());
    m_set->setToolTip(m_whyNot);
    adjustSize();
}

} // namespace idemdesk::ui
