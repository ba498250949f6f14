// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

#include <QWidget>

namespace idemdesk::models {
class TimeFormat;
}

namespace idemdesk::ui {

/// One of the window's pages: what the rail shows of it, what the window asks of it, and where it leads to. A page is
/// given its controllers. MainWindow::buildPages() lists them all.
class Page : public QWidget
{
    Q_OBJECT

public:
    /// What tells a page from the others.
    struct Face {
        QString id; ///< as MainWindow::showPage() takes it; no word of the user's language
        QString title;
        QString icon; ///< a name of the icons in resources/icons
    };

    Page(Face face, QWidget *parent);
    const Face &face() const { return m_face; }
    /// What the page cannot do without: less of it scrolls. Its tables and charts would like more, and shrink instead.
    int heightForWidth(int width) const override;

    virtual void activate() { } ///< it came to the front: read what was never read
    virtual void deactivate() { } ///< another one came to the front
    virtual void refresh() = 0; ///< reads again what is shown
    /// The same by itself, every few seconds where the person wants it so: what is ticked, picked or typed stays.
    virtual void refreshByItself() { refresh(); }
    virtual void setTimeFormat(const models::TimeFormat &format); ///< of every time that it shows; at first, of none

signals:
    void connectClicked();
    void addTableClicked();
    void installClicked();
    void registerClicked(const QString &target);
    void keysWanted(const QString &target, const QString &filter); ///< show them on the keys page
    void recoveryWanted(const QString &target, const QString &filter); ///< show them on the recovery page
    /// These keys alone, for this verb, on the recovery page.
    void chosenRecoveryWanted(
        const QString &target, idemdesk::sql::ActionVerb verb, const QList<idemdesk::sql::Cells> &identities);
    void referenceWanted(const QString &reference, const QString &key); ///< search every table for it
    void providerWanted(const QString &target); ///< show it on the page of the provider
    void pageWanted(const QString &page);
    void trendWanted(const QString &target, const QString &metric);

private:
    Face m_face;
};

} // namespace idemdesk::ui
