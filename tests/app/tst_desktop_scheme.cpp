// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop_scheme.h"

#include <QDBusConnection>
#include <QDBusVariant>
#include <QTest>

using namespace Qt::StringLiterals;

/// What a desktop's settings portal is on the bus.
class Portal final : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

public:
    uint scheme = 1;

public slots:
    QDBusVariant Read(const QString &group, const QString &key)
    {
        const bool asked = group == u"org.freedesktop.appearance"_s && key == u"color-scheme"_s;
        return QDBusVariant(QVariant::fromValue(QDBusVariant(asked ? scheme : 0u)));
    }

signals:
    void SettingChanged(const QString &group, const QString &key, const QDBusVariant &value);
};

class DesktopSchemeTest final : public QObject
{
    Q_OBJECT

private slots:
    void followsTheDesktopLive()
    {
        // A connection of its own, as the desktop is another program.
        QDBusConnection bus = QDBusConnection::connectToBus(QDBusConnection::SessionBus, u"portal"_s);
        QVERIFY2(bus.isConnected(), "this test runs under dbus-run-session");
        Portal portal;
        QVERIFY(bus.registerObject(u"/org/freedesktop/portal/desktop"_s, &portal,
            QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals));
        QVERIFY(bus.registerService(u"org.freedesktop.portal.Desktop"_s));
        idemdesk::app::DesktopScheme scheme;
        QTRY_COMPARE(scheme.dark(), std::optional(true));
        const auto say = [&portal](const QString &group, const QString &key, uint value) {
            emit portal.SettingChanged(group, key, QDBusVariant(value));
        };
        say(u"org.freedesktop.appearance"_s, u"color-scheme"_s, 2);
        QTRY_COMPARE(scheme.dark(), std::optional(false));
        say(u"org.gnome.desktop.interface"_s, u"color-scheme"_s, 1); // another group's key of that name
        say(u"org.freedesktop.appearance"_s, u"contrast"_s, 1);
        QTRY_VERIFY(scheme.highContrast());
        QCOMPARE(scheme.dark(), std::optional(false));
        say(u"org.freedesktop.appearance"_s, u"color-scheme"_s, 0);
        QTRY_COMPARE(scheme.dark(), std::nullopt);
    }
};

QTEST_GUILESS_MAIN(DesktopSchemeTest)
#include "tst_desktop_scheme.moc"
