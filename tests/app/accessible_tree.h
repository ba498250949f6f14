// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusConnection>
#include <QList>
#include <QString>
#include <functional>
#include <optional>

namespace idemdesk::tests {

/// What a program tells assistive technology, read from the accessibility bus as a screen reader does (AT-SPI 2):
/// names, roles and states. Needs a session bus with at-spi2-core.
class AccessibleTree
{
public:
    /// One thing on the screen.
    struct Item {
        QString service;
        QString path;
    };
    enum State { Focusable = 11, Focused = 12, Showing = 25 }; // bits of GetState

    AccessibleTree();
    bool valid() const { return m_bus.isConnected(); }

    /// The program of this name, once it told the registry of itself.
    std::optional<Item> program(const QString &name) const;
    QString name(const Item &item) const;
    QString role(const Item &item) const;
    bool is(const Item &item, State state) const;
    QList<Item> children(const Item &item) const;
    /// What is on the screen below `root`, itself first; not what hidden things hold.
    QList<Item> shown(const Item &root) const;
    /// The first one on the screen with this role whose name fits.
    std::optional<Item> find(
        const Item &root, const QString &role, const std::function<bool(const QString &name)> &fits) const;
    std::optional<Item> find(const Item &root, const QString &role, const QString &name) const;

    bool press(const Item &item) const; ///< its first action
    bool write(const Item &item, const QString &text) const; ///< replaces a field's text
    QString text(const Item &item) const;
    bool focus(const Item &item) const;
    void key(int keysym) const; ///< as if it were pressed, to whatever has the focus

private:
    QVariant property(const Item &item, const QString &interface, const QString &name) const;
    QDBusMessage call(
        const Item &item, const QString &interface, const QString &method, const QVariantList &arguments = {}) const;

    QDBusConnection m_bus;
};

} // namespace idemdesk::tests
