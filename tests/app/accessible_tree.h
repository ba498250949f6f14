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
        quint32 states = 0; ///< when it was looked at by shown()
        QString name = {}; ///< the same
        bool was(int state) const { return (states >> state & 1u) != 0; }
    };
    enum State { Focusable = 11, Focused = 12, Showing = 25 }; // bits of GetState

    AccessibleTree();
    bool valid() const { return m_bus.isConnected(); }

    /// The program of this name, once it told the registry of itself.
    std::optional<Item> program(const QString &name) const;
    QString name(const Item &item) const;
    QString role(const Item &item) const;
    quint32 states(const Item &item) const;
    QList<Item> children(const Item &item) const;
    /// What is on the screen below `root`, itself first; not what hidden things hold, and of long lists only
    /// themselves unless their cells are wanted.
    QList<Item> shown(const Item &root, bool cells = false) const;
    /// The first one on the screen with this role, or one that begins alike ("push button menu"), whose name fits.
    std::optional<Item> find(
        const Item &root, const QString &role, const std::function<bool(const QString &name)> &fits) const;
    std::optional<Item> find(const Item &root, const QString &role, const QString &name) const;

    /// What it says beside its name.
    QString description(const Item &item) const;
    QString text(const Item &item) const; ///< of a field or a label

    // A table as it is read cell by cell.
    int rows(const Item &table) const;
    int columns(const Item &table) const;
    QString columnTitle(const Item &table, int column) const;
    Item cell(const Item &table, int row, int column) const;

    bool focus(const Item &item) const;
    // By the X server's keyboard and pointer: whatever is there gets them, as it does from a person.
    void key(int keysym) const; ///< pressed and let go
    void click(const Item &item) const; ///< in its middle
    bool press(const Item &item) const; ///< its first action
    bool write(const Item &item, const QString &text) const; ///< replaces a field's text

private:
    /// Of an interface, or nothing.
    QVariant property(const Item &item, const QString &interface, const QString &name) const;
    QDBusMessage call(
        const Item &item, const QString &interface, const QString &method, const QVariantList &arguments = {}) const;

    QDBusConnection m_bus;
};

} // namespace idemdesk::tests
