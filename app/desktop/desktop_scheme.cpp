// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop_scheme.h"

#include "ui/theme/theme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

const QString kPortal = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kSettings = QStringLiteral("org.freedesktop.portal.Settings");
const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kColorScheme = QStringLiteral("color-scheme");
constexpr uint kPreferDark = 1;
constexpr uint kPreferLight = 2; // 0 and all others: no preference

/// Read wraps its value once more than ReadOne, which portals before 1.17 lack, and than what they send by themselves.
QDBusVariant unwrapped(const QDBusVariant &value)
{
    const QVariant inner = value.variant();
    return inner.metaType() == QMetaType::fromType<QDBusVariant>() ? inner.value<QDBusVariant>() : value;
}

} // namespace

DesktopScheme::DesktopScheme(ui::Theme *theme, QObject *parent)
    : QObject(parent)
    , m_theme(theme)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        return;
    }
    // Qt 6.4 looks a slot's types up by their names, and knows this one by name only once it was met: without the line
    // the connection is refused silently.
    qRegisterMetaType<QDBusVariant>();
    // First told of changes, then asked: nothing is lost between. Of whoever is the portal, which may start later.
    bus.connect(
        QString(), kPortalPath, kSettings, u"SettingChanged"_s, this, SLOT(take(QString, QString, QDBusVariant)));
    ask();
}

void DesktopScheme::ask()
{
    QDBusMessage call = QDBusMessage::createMethodCall(kPortal, kPortalPath, kSettings, u"Read"_s);
    call << kAppearance << kColorScheme;
    auto *watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (!reply.isError()) {
            take(kAppearance, kColorScheme, reply.value());
        }
        watcher->deleteLater();
    });
}

void DesktopScheme::take(const QString &group, const QString &key, const QDBusVariant &value)
{
    if (group == kAppearance && key == kColorScheme) {
        const uint preferred = unwrapped(value).variant().toUInt();
        m_theme->setDesktopDark(preferred == kPreferDark ? std::optional(true)
                : preferred == kPreferLight              ? std::optional(false)
                                                         : std::nullopt);
    }
}

} // namespace idemdesk::app
