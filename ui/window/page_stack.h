// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

#include <QList>
#include <QStackedWidget>
#include <functional>
#include <vector>

namespace idemdesk::ui {

/// The window's pages, one in front. A page is made when it is first asked for: it costs time and memory, and few are
/// looked at in one sitting. Made for one window; UI thread.
class PageStack final : public QStackedWidget
{
    Q_OBJECT

public:
    using QStackedWidget::QStackedWidget;

    /// The next page in the order of the rail. `make` is called once, and gives a new page; this takes it over.
    template <typename P> void add(std::function<P *()> make)
    {
        addPlace({ P::ownFace(), &P::staticMetaObject, std::move(make), nullptr, {} });
    }
    /// What the pages are, without making any.
    const QList<Page::Face> &faces() const { return m_faces; }
    /// The one of this class, made now if it was not yet. It must have been added.
    template <typename P> P *page() { return static_cast<P *>(pageAt(placeOf(&P::staticMetaObject))); }
    /// The one with this id, made now if it was not yet; where there is none, the first.
    Page *page(const QString &id);
    void makeAll(); ///< those that were not made yet
    QList<Page *> made() const; ///< so far, in the order of the rail
    void bringToFront(Page *page);
    /// Calls with the page: now if it is made, else as soon as it is. Callers outlive this.
    template <typename P> void whenMade(std::function<void(P *)> then)
    {
        follow(placeOf(&P::staticMetaObject), [then = std::move(then)](Page *page) { then(static_cast<P *>(page)); });
    }
    void whenAnyMade(const std::function<void(Page *)> &then); ///< the same for every page that was added

private:
    using Follower = std::function<void(Page *)>;
    struct Place {
        Page::Face face;
        const QMetaObject *kind;
        std::function<Page *()> make;
        Page *page;
        std::vector<Follower> followers; ///< wait for the page
    };

    void addPlace(Place place);
    size_t placeOf(const QMetaObject *kind) const;
    Page *pageAt(size_t place);
    void follow(size_t place, Follower then);

    std::vector<Place> m_places;
    QList<Page::Face> m_faces;
};

} // namespace idemdesk::ui
