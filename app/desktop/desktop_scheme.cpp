// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop_scheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kColorScheme = QStringLiteral("color-scheme"); // 0 no preference, 1 dark, 2 light
const QString kContrast = QStringLiteral("contrast"); // 0 no preference, 1 high

} // namespace

DesktopScheme::DesktopScheme(QObject *parent)
    : QObject(parent)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (bus.isConnected()) {
        // From whoever says so: the portal may be started later, and no harm comes of a colour.
        bus.connect(
            QString(), kPath, kInterface, u"SettingChanged"_s, this, SLOT(take(QString, QString, QDBusVariant)));
        ask(kColorScheme);
        ask(kContrast);
    }
}

void DesktopScheme::ask(const QString &key)
{
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, u"Read"_s);
    call << kGroup << key;
    auto *watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, key] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (!reply.isError()) {
            // Read wraps its value twice, which newer portals keep for the sake of older programs.
            const QVariant value = reply.value().variant();
            take(kGroup, key, value.canConvert<QDBusVariant>() ? value.value<QDBusVariant>() : reply.value());
        }
        watcher->deleteLater();
    });
}

void DesktopScheme::take(const QString &group, const QString &key, const QDBusVariant &value)
{
    if (group != kGroup) {
        return;
    }
    const uint number = value.variant().toUInt();
    if (key == kColorScheme) {
        m_dark = number == 1 ? std::optional(true) : number == 2 ? std::optional(false) : std::nullopt;
    } else if (key == kContrast) {
        m_highContrast = number == 1;
    } else {
        return;
    }
    emit changed();
}

} // namespace idemdesk::app
