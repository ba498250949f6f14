// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/navigator.h"

#include "models/connection/connection_controller.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_detail.h"
#include "models/workspace/workspace.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/widgets/target_chooser.h"
#include "ui/window/main_window.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// What a page is about; null where it is about all tables.
TargetChooser *chooserOf(const Page *page)
{
    return page == nullptr ? nullptr : page->findChild<TargetChooser *>();
}

} // namespace

Navigator::Navigator(MainWindow *window, models::Settings *settings, bool restore)
    : QObject(window)
    , m_window(window)
    , m_settings(settings)
    , m_filter(window->keysPage()->findChild<QLineEdit *>(u"filterText"_s))
    , m_restore(restore)
{
    m_noting.setSingleShot(true);
    m_noting.setInterval(0);
    wire();
}

void Navigator::wire()
{
    using Browser = models::KeyBrowserController;
    Browser *browser = m_window->browser();
    const models::ConnectionController *connection = m_window->workspace()->connection();
    connect(&m_noting, &QTimer::timeout, this, &Navigator::record);
    connect(m_window, &MainWindow::pageShown, this, &Navigator::note);
    for (const auto signal : { &Browser::targetChanged, &Browser::orderChanged }) {
        connect(browser, signal, this, &Navigator::note);
    }
    connect(browser, &Browser::filterAccepted, this, &Navigator::note);
    connect(browser, &Browser::statusChanged, this, &Navigator::showKey);
    connect(m_window->detail(), &models::KeyDetailController::changed, this, &Navigator::noteKey);
    m_window->whenPageMade([this](const Page *page) {
        if (TargetChooser *chooser = chooserOf(page)) {
            connect(chooser, &TargetChooser::chosen, this, &Navigator::note);
        }
    });
    connect(m_filter, &QLineEdit::returnPressed, this, [this] { m_typing = false; });
    m_filter->installEventFilter(this);
    connect(connection, &models::ConnectionController::databaseChanged, this, [this] {
        m_known = false;
        m_filters.clear();
        m_trail.clear();
        emit changed();
    });
    connect(connection, &models::ConnectionController::targetsChanged, this, &Navigator::restore);
}

/// A field undoes what was typed into it. Where it has nothing to undo, the keys are the window's.
bool Navigator::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_filter && event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool undo = key->matches(QKeySequence::Undo) && !m_filter->isUndoAvailable();
        const bool redo = key->matches(QKeySequence::Redo) && !m_filter->isRedoAvailable();
        if (undo || redo) {
            event->ignore();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

Navigator::Stop Navigator::here() const
{
    Stop stop;
    stop.place.page = m_window->currentPage();
    const models::KeyBrowserController *browser = m_window->browser();
    if (stop.place.page == m_window->keysPage()->face().id) {
        if (browser->hasTarget()) {
            stop.place = { stop.place.page, browser->target().profile.name, browser->filter().text, browser->order() };
        }
        if (m_window->detail()->status() == models::KeyDetailController::Status::Ready) {
            stop.key = m_window->detail()->detail().record.identity;
        }
        return stop;
    }
    if (const TargetChooser *chooser = chooserOf(m_window->page())) {
        stop.place.target = chooser->target();
    }
    return stop;
}

/// At once: whatever comes next may leave this place before the present is over.
void Navigator::noteKey()
{
    const Stop stop = here();
    if (!stop.key.isEmpty() && !m_trail.empty() && m_trail.here().place == stop.place) {
        m_trail.amend(stop);
    } else {
        note();
    }
}

void Navigator::settle()
{
    if (m_noting.isActive()) {
        m_noting.stop();
        record();
    }
}

void Navigator::record()
{
    const Stop stop = here();
    const bool keys = stop.place.page == m_window->keysPage()->face().id;
    const bool typing = keys && m_filter->hasFocus() && m_filter->isModified();
    const bool same = !m_trail.empty() && m_trail.here().place == stop.place;
    const bool typedOn = typing && m_typing && !m_trail.empty() && m_trail.here().place.page == stop.place.page
        && m_trail.here().place.target == stop.place.target;
    if (keys) {
        recordFilter(stop.place);
    }
    // A key is where one stands, not a step: else each row on the way down were one.
    const bool arriving = std::exchange(m_arriving, false);
    if (same || typedOn || arriving) {
        m_trail.amend(same && stop.key.isEmpty() ? m_trail.here() : stop);
    } else {
        m_trail.go(stop);
    }
    m_typing = typing;
    if (m_known) {
        m_settings->setLastPlace(m_window->workspace()->connection()->title(), stop.place);
    }
    emit changed();
}

void Navigator::recordFilter(const models::SavedPlace &place)
{
    models::Trail<QString> *trail = filters();
    if (trail == nullptr || (!trail->empty() && trail->here() == place.filter)) {
        return;
    }
    const bool typing = m_filter->hasFocus() && m_filter->isModified();
    if (typing && m_typing && trail->canBack()) {
        trail->amend(place.filter);
    } else {
        trail->go(place.filter);
    }
}

models::Trail<QString> *Navigator::filters()
{
    const models::KeyBrowserController *browser = m_window->browser();
    return browser->hasTarget() ? &m_filters[browser->target().profile.name] : nullptr;
}

bool Navigator::canUndoFilter() const
{
    const models::KeyBrowserController *browser = m_window->browser();
    return browser->hasTarget() && m_filters.value(browser->target().profile.name).canBack();
}

bool Navigator::canRedoFilter() const
{
    const models::KeyBrowserController *browser = m_window->browser();
    return browser->hasTarget() && m_filters.value(browser->target().profile.name).canForward();
}

void Navigator::undoFilter()
{
    settle();
    if (canUndoFilter()) {
        m_window->showPage(m_window->keysPage()->face().id);
        m_window->keysPage()->setFilterText(filters()->back());
        emit changed();
    }
}

void Navigator::redoFilter()
{
    settle();
    if (canRedoFilter()) {
        m_window->showPage(m_window->keysPage()->face().id);
        m_window->keysPage()->setFilterText(filters()->forward());
        emit changed();
    }
}

void Navigator::back()
{
    settle();
    if (m_trail.canBack()) {
        goTo(m_trail.back());
    }
}

void Navigator::forward()
{
    settle();
    if (m_trail.canForward()) {
        goTo(m_trail.forward());
    }
}

void Navigator::goTo(const Stop &stop)
{
    m_arriving = true;
    const models::SavedPlace place = stop.place;
    m_window->showPage(place.page);
    if (place.page == m_window->keysPage()->face().id) {
        m_wanted = stop.key;
        m_window->keysPage()->showTarget(place.target, place.filter);
        if (m_window->browser()->hasTarget() && m_window->browser()->target().profile.name == place.target) {
            m_window->browser()->setOrder(place.order);
        }
    } else {
        TargetChooser *chooser = chooserOf(m_window->page());
        if (chooser != nullptr && chooser->target() != place.target && chooser->findData(place.target) >= 0) {
            chooser->choose(place.target);
            emit chooser->chosen(place.target);
        }
    }
    note();
    showKey();
    emit changed();
}

void Navigator::showKey()
{
    const auto *model = m_window->browser()->model();
    const bool weighed = m_window->browser()->filterText() == m_window->browser()->filter().text;
    if (m_wanted.isEmpty() || m_window->browser()->busy() || model->rowCount() == 0 || !weighed) {
        return;
    }
    const sql::Cells wanted = std::exchange(m_wanted, {});
    if (const int row = model->rowOf(wanted); row >= 0) {
        m_window->keysPage()->selectRow(row);
    }
}

/// Once for each connection. A table that is gone leaves one where one is; nobody who went on already is taken back.
void Navigator::restore()
{
    const models::ConnectionController *connection = m_window->workspace()->connection();
    if (m_known || !connection->targetsLoaded()) {
        return;
    }
    m_known = true;
    const models::SavedPlace last = m_settings->lastPlace(connection->title());
    if (std::exchange(m_restore, false) && !last.page.isEmpty()
        && (last.target.isEmpty() || connection->target(last.target) != nullptr)
        && m_window->currentPage() == m_window->faces().constFirst().id) {
        goTo({ last, {} });
    }
}

} // namespace idemdesk::ui
