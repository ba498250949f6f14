// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_line.h"

#include "models/format/display_text.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_table_model.h"
#include "models/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

StatusLine::StatusLine(models::KeyBrowserController *browser, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_browser(browser)
    , m_settings(settings)
    , m_rows(plainLabel({}, this))
    , m_notes(plainLabel({}, this))
    , m_took(plainLabel({}, this))
    , m_refresh(new QToolButton(this))
    , m_clock(plainLabel({}, this))
{
    setObjectName(u"statusLine"_s);
    m_rows->setObjectName(u"statusRows"_s);
    m_notes->setObjectName(u"statusNotes"_s);
    m_took->setObjectName(u"statusTook"_s);
    m_clock->setObjectName(u"statusClock"_s);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, kGrid, 3 * kGrid, kGrid);
    layout->setSpacing(4 * kGrid);
    layout->addWidget(m_rows);
    layout->addWidget(m_notes, 1);
    layout->addWidget(m_took);
    layout->addWidget(m_refresh);
    layout->addWidget(m_clock);
    offerIntervals();
    connect(browser, &models::KeyBrowserController::statusChanged, this, &StatusLine::sync);
    connect(browser, &models::KeyBrowserController::notesChanged, this, &StatusLine::sync);
}

/// One interval for all pages.
void StatusLine::offerIntervals()
{
    m_refresh->setObjectName(u"autoRefresh"_s);
    m_refresh->setToolTip(tr("How often the page in front reads again by itself"));
    m_refresh->setAutoRaise(true);
    m_refresh->setFocusPolicy(Qt::StrongFocus);
    m_refresh->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_refresh->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(m_refresh);
    auto *group = new QActionGroup(menu);
    for (const int seconds : { 0, 2, 5, 15, 60 }) {
        QAction *action = group->addAction(menu->addAction(seconds == 0 ? tr("Off") : tr("%1 s").arg(seconds)));
        action->setCheckable(true);
        action->setData(seconds);
        connect(action, &QAction::triggered, this, [this, seconds] { m_settings->setAutoRefresh(seconds); });
    }
    m_refresh->setMenu(menu);
    connect(m_settings, &models::Settings::autoRefreshChanged, this, &StatusLine::showInterval);
    showInterval();
}

void StatusLine::showInterval()
{
    for (QAction *action : m_refresh->menu()->actions()) {
        if (action->data().toInt() == m_settings->autoRefresh()) {
            action->setChecked(true);
            m_refresh->setText(tr("Auto-refresh: %1").arg(action->text()));
        }
    }
    m_refresh->setAccessibleName(m_refresh->text());
}

void StatusLine::setKeysShown(bool shown)
{
    m_keysShown = shown;
    sync();
}

void StatusLine::sync()
{
    const models::KeyListStatus status = m_browser->status();
    const bool keys = m_keysShown && m_browser->hasTarget();
    m_rows->setText(keys ? status.rowsText + (status.counting ? tr(", counting…") : QString()) : QString());
    const QString notes = keys ? m_browser->model()->notes().join(u' ') : QString();
    m_notes->setText(models::displayText(notes, 160));
    m_notes->setToolTip(models::displayText(notes, models::kToolTipChars));
    QStringList took;
    if (keys && status.busy) {
        took += tr("reading…");
    } else if (keys && status.tookMicros > 0) {
        took += tr("took %1").arg(status.tookText);
    }
    if (keys && !status.ageText.isEmpty()) {
        took += status.ageText;
    }
    m_took->setText(took.join(u" · "_s));
    const models::TimeFormat &times = m_browser->model()->timeFormat();
    m_clock->setText(
        status.serverNow ? tr("Server %1 %2").arg(times.text(*status.serverNow), times.zoneText()) : QString());
    m_clock->setToolTip(status.skewText);
}

} // namespace idemdesk::ui
