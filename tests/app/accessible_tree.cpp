// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/accessible_tree.h"

#include <QDBusArgument>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusVariant>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

namespace {

const QString kRegistry = QStringLiteral("org.a11y.atspi.Registry");
const QString kDeviceEvents = QStringLiteral("org.a11y.atspi.DeviceEventController");
const AccessibleTree::Item kDevices { kRegistry, QStringLiteral("/org/a11y/atspi/registry/deviceeventcontroller") };
const QString kTable = QStringLiteral("org.a11y.atspi.Table");
const QString kAccessible = QStringLiteral("org.a11y.atspi.Accessible");

/// The bus of its own that assistive technology has; the session's tells its address.
QDBusConnection accessibilityBus()
{
    const QDBusMessage asked
        = QDBusMessage::createMethodCall(u"org.a11y.Bus"_s, u"/org/a11y/bus"_s, u"org.a11y.Bus"_s, u"GetAddress"_s);
    const QDBusMessage told = QDBusConnection::sessionBus().call(asked, QDBus::Block, 20'000);
    const QString address = told.arguments().isEmpty() ? QString() : told.arguments().constFirst().toString();
    return QDBusConnection::connectToBus(address, u"accessibility"_s);
}

/// One (service, path).
AccessibleTree::Item itemIn(const QDBusMessage &reply)
{
    AccessibleTree::Item item;
    if (reply.type() == QDBusMessage::ReplyMessage && !reply.arguments().isEmpty()) {
        const auto told = reply.arguments().constFirst().value<QDBusArgument>();
        QDBusObjectPath path;
        told.beginStructure();
        told >> item.service >> path;
        told.endStructure();
        item.path = path.path();
    }
    return item;
}

/// A list of (service, path).
QList<AccessibleTree::Item> itemsIn(const QDBusMessage &reply)
{
    QList<AccessibleTree::Item> items;
    if (reply.type() != QDBusMessage::ReplyMessage || reply.arguments().isEmpty()) {
        return items;
    }
    const auto list = reply.arguments().constFirst().value<QDBusArgument>();
    list.beginArray();
    while (!list.atEnd()) {
        AccessibleTree::Item item;
        QDBusObjectPath path;
        list.beginStructure();
        list >> item.service >> path;
        list.endStructure();
        item.path = path.path();
        items.append(item);
    }
    list.endArray();
    return items;
}

} // namespace

AccessibleTree::AccessibleTree()
    : m_bus(accessibilityBus())
{
}

QDBusMessage AccessibleTree::call(
    const Item &item, const QString &interface, const QString &method, const QVariantList &arguments) const
{
    QDBusMessage message = QDBusMessage::createMethodCall(item.service, item.path, interface, method);
    message.setArguments(arguments);
    return m_bus.call(message, QDBus::Block, 20'000);
}

QVariant AccessibleTree::property(const Item &item, const QString &interface, const QString &name) const
{
    const QDBusMessage reply = call(item, u"org.freedesktop.DBus.Properties"_s, u"Get"_s, { interface, name });
    return reply.type() == QDBusMessage::ReplyMessage && !reply.arguments().isEmpty()
        ? reply.arguments().constFirst().value<QDBusVariant>().variant()
        : QVariant();
}

std::optional<AccessibleTree::Item> AccessibleTree::program(const QString &name) const
{
    for (const Item &item : children({ kRegistry, u"/org/a11y/atspi/accessible/root"_s })) {
        if (this->name(item) == name) {
            return item;
        }
    }
    return std::nullopt;
}

QString AccessibleTree::name(const Item &item) const
{
    return property(item, kAccessible, u"Name"_s).toString();
}

QString AccessibleTree::role(const Item &item) const
{
    const QDBusMessage reply = call(item, kAccessible, u"GetRoleName"_s);
    return reply.arguments().isEmpty() ? QString() : reply.arguments().constFirst().toString();
}

quint32 AccessibleTree::states(const Item &item) const
{
    const QDBusMessage reply = call(item, kAccessible, u"GetState"_s);
    if (reply.type() != QDBusMessage::ReplyMessage || reply.arguments().isEmpty()) {
        return 0;
    }
    const auto words = qdbus_cast<QList<uint>>(reply.arguments().constFirst());
    return words.value(0);
}

QList<AccessibleTree::Item> AccessibleTree::children(const Item &item) const
{
    return itemsIn(call(item, kAccessible, u"GetChildren"_s));
}

QList<AccessibleTree::Item> AccessibleTree::shown(const Item &root, bool cells) const
{
    constexpr qsizetype kLongList = 24;
    QList<Item> found { root };
    for (qsizetype at = 0; at < found.size(); ++at) {
        const QList<Item> below = children(found.at(at));
        if (!cells && below.size() > kLongList) {
            continue;
        }
        for (Item child : below) {
            child.states = states(child);
            if (child.was(Showing)) {
                child.name = name(child);
                found.append(child);
            }
        }
    }
    return found;
}

std::optional<AccessibleTree::Item> AccessibleTree::find(
    const Item &root, const QString &role, const std::function<bool(const QString &name)> &fits) const
{
    for (const Item &item : shown(root, role.endsWith(u"cell"_s))) {
        if (fits(item.name) && this->role(item).startsWith(role)) {
            return item;
        }
    }
    return std::nullopt;
}

std::optional<AccessibleTree::Item> AccessibleTree::find(
    const Item &root, const QString &role, const QString &name) const
{
    return find(root, role, [&name](const QString &other) { return other == name; });
}

bool AccessibleTree::press(const Item &item) const
{
    const QDBusMessage reply = call(item, u"org.a11y.atspi.Action"_s, u"DoAction"_s, { 0 });
    return !reply.arguments().isEmpty() && reply.arguments().constFirst().toBool();
}

bool AccessibleTree::write(const Item &item, const QString &text) const
{
    const QDBusMessage reply = call(item, u"org.a11y.atspi.EditableText"_s, u"SetTextContents"_s, { text });
    return !reply.arguments().isEmpty() && reply.arguments().constFirst().toBool();
}

QString AccessibleTree::description(const Item &item) const
{
    return property(item, kAccessible, u"Description"_s).toString();
}

QString AccessibleTree::text(const Item &item) const
{
    const QDBusMessage reply = call(item, u"org.a11y.atspi.Text"_s, u"GetText"_s, { 0, -1 });
    return reply.arguments().isEmpty() ? QString() : reply.arguments().constFirst().toString();
}

int AccessibleTree::rows(const Item &table) const
{
    return property(table, kTable, u"NRows"_s).toInt();
}

int AccessibleTree::columns(const Item &table) const
{
    return property(table, kTable, u"NColumns"_s).toInt();
}

QString AccessibleTree::columnTitle(const Item &table, int column) const
{
    const QDBusMessage reply = call(table, kTable, u"GetColumnDescription"_s, { column });
    return reply.arguments().isEmpty() ? QString() : reply.arguments().constFirst().toString();
}

AccessibleTree::Item AccessibleTree::cell(const Item &table, int row, int column) const
{
    return itemIn(call(table, kTable, u"GetAccessibleAt"_s, { row, column }));
}

bool AccessibleTree::focus(const Item &item) const
{
    const QDBusMessage reply = call(item, u"org.a11y.atspi.Component"_s, u"GrabFocus"_s);
    return !reply.arguments().isEmpty() && reply.arguments().constFirst().toBool();
}

void AccessibleTree::key(int keysym) const
{
    constexpr uint kByName = 3; // ATSPI_KEY_SYM: pressed and let go
    call(kDevices, kDeviceEvents, u"GenerateKeyboardEvent"_s, { keysym, QString(), kByName });
}

void AccessibleTree::click(const Item &item) const
{
    constexpr uint kOnScreen = 0; // ATSPI_COORD_TYPE_SCREEN
    const QDBusMessage reply = call(item, u"org.a11y.atspi.Component"_s, u"GetExtents"_s, { kOnScreen });
    if (reply.type() != QDBusMessage::ReplyMessage || reply.arguments().isEmpty()) {
        return;
    }
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
    const auto place = reply.arguments().constFirst().value<QDBusArgument>();
    place.beginStructure();
    place >> x >> y >> width >> height;
    place.endStructure();
    call(kDevices, kDeviceEvents, u"GenerateMouseEvent"_s, { x + width / 2, y + height / 2, u"b1c"_s });
}

} // namespace idemdesk::tests
