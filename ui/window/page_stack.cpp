// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/page_stack.h"

#include <QScrollArea>
#include <algorithm>
#include <utility>

namespace idemdesk::ui {

namespace {

/// A page that needs more room than a small screen or large texts leave it scrolls; it does not widen the window.
QScrollArea *inScrollArea(Page *page, QWidget *parent)
{
    auto *area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setWidget(page);
    return area;
}

} // namespace

Page *PageStack::page(const QString &id)
{
    const auto found
        = std::find_if(m_places.cbegin(), m_places.cend(), [&id](const Place &place) { return place.face.id == id; });
    return pageAt(found == m_places.cend() ? 0 : size_t(found - m_places.cbegin()));
}

void PageStack::makeAll()
{
    for (size_t place = 0; place < m_places.size(); ++place) {
        pageAt(place);
    }
}

QList<Page *> PageStack::made() const
{
    QList<Page *> pages;
    for (const Place &place : m_places) {
        if (place.page != nullptr) {
            pages += place.page;
        }
    }
    return pages;
}

void PageStack::bringToFront(Page *page)
{
    for (int index = 0; index < count(); ++index) {
        if (widget(index)->isAncestorOf(page)) {
            setCurrentIndex(index);
        }
    }
}

void PageStack::whenAnyMade(const std::function<void(Page *)> &then)
{
    for (size_t place = 0; place < m_places.size(); ++place) {
        follow(place, then);
    }
}

void PageStack::addPlace(Place place)
{
    m_faces += place.face;
    m_places.push_back(std::move(place));
}

size_t PageStack::placeOf(const QMetaObject *kind) const
{
    const auto found
        = std::find_if(m_places.cbegin(), m_places.cend(), [kind](const Place &place) { return place.kind == kind; });
    Q_ASSERT(found != m_places.cend());
    return size_t(found - m_places.cbegin());
}

Page *PageStack::pageAt(size_t place)
{
    Place &wanted = m_places.at(place);
    if (wanted.page == nullptr) {
        wanted.page = wanted.make();
        addWidget(inScrollArea(wanted.page, this));
        for (const Follower &follower : std::exchange(wanted.followers, {})) {
            follower(wanted.page);
        }
    }
    return wanted.page;
}

void PageStack::follow(size_t place, Follower then)
{
    if (Place &wanted = m_places.at(place); wanted.page != nullptr) {
        then(wanted.page);
    } else {
        wanted.followers.push_back(std::move(then));
    }
}

} // namespace idemdesk::ui
