// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/notifier.h"

#include "models/format/display_text.h"

#include <QCoreApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kChars = 300;

} // namespace

void Notifier::show(const QString &title, const QString &text)
{
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        return;
    }
    QDBusMessage call = QDBusMessage::createMethodCall(u"org.freedesktop.Notifications"_s,
        u"/org/freedesktop/Notifications"_s, u"org.freedesktop.Notifications"_s, u"Notify"_s);
    // Many services read the body as markup; names from the database must not become links or pictures. The summary is
    // plain text.
    call << QCoreApplication::applicationName() << m_last << u"idemdesk"_s << models::displayText(title, kChars)
         << models::displayText(text, kChars).toHtmlEscaped() << QStringList()
         << QVariantMap { { u"category"_s, u"x-idemdesk.alert"_s } } << -1;
    auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), QCoreApplication::instance());
    QObject::connect(watcher, &QDBusPendingCallWatcher::finished, watcher, [this, watcher] {
        const QDBusPendingReply<quint32> reply = *watcher;
        m_last = reply.isError() ? 0 : reply.value();
        watcher->deleteLater();
    });
}

} // namespace idemdesk::app
