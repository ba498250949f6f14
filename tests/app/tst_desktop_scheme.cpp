// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop_scheme.h"
#include "ui/theme/theme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kScheme = QStringLiteral("color-scheme");

} // namespace

/// What a desktop's settings portal is on the bus; of its first version, which has no ReadOne.
class Portal final : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

public:
    /// A connection of its own, as the desktop is another program.
    explicit Portal(uint scheme)
        : m_scheme(scheme)
        , m_bus(QDBusConnection::connectToBus(QDBusConnection::SessionBus, u"portal"_s))
    {
        m_up = m_bus.registerObject(kPath, this, QDBusConnection::ExportAllSlots)
            && m_bus.registerService(u"org.freedesktop.portal.Desktop"_s);
    }
    ~Portal() override { QDBusConnection::disconnectFromBus(u"portal"_s); }

    bool up() const { return m_up; }
    void say(const QString &group, const QString &key, const QVariant &value)
    {
        QDBusMessage signal
            = QDBusMessage::createSignal(kPath, u"org.freedesktop.portal.Settings"_s, u"SettingChanged"_s);
        signal << group << key << QVariant::fromValue(QDBusVariant(value));
        m_bus.send(signal);
    }

public slots:
    QDBusVariant Read(const QString &group, const QString &key)
    {
        const uint value = group == kAppearance && key == kScheme ? m_scheme : 99;
        return QDBusVariant(QVariant::fromValue(QDBusVariant(value)));
    }

private:
    uint m_scheme;
    QDBusConnection m_bus;
    bool m_up = false;
};

/// The desktop's choice of light and dark, by the protocol that it speaks, on a real session bus.
class DesktopSchemeTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY2(QDBusConnection::sessionBus().isConnected(), "this test runs under dbus-run-session");
        m_theme = new ui::Theme(qApp);
    }
    void init() { m_theme->apply(models::Theme::System); }
    void cleanup() { m_theme->setDesktopDark(std::nullopt); }

    void followsTheDesktopLive()
    {
        Portal portal(1);
        QVERIFY(portal.up());
        app::DesktopScheme scheme(m_theme);
        QTRY_VERIFY(m_theme->dark());
        portal.say(kAppearance, kScheme, 2u);
        QTRY_VERIFY(!m_theme->dark());
        portal.say(u"org.gnome.desktop.interface"_s, kScheme, 1u); // another group's key of that name
        portal.say(kAppearance, u"contrast"_s, 1u);
        portal.say(kAppearance, kScheme, u"no number"_s);
        QSignalSpy changed(m_theme, &ui::Theme::changed);
        portal.say(kAppearance, kScheme, 1u);
        QTRY_VERIFY(m_theme->dark());
        QCOMPARE(changed.size(), 1); // none of the others
        portal.say(kAppearance, kScheme, 0u); // no preference: as the platform's palette is, which is light here
        QTRY_VERIFY(!m_theme->dark());
    }

    void aPortalMayComeLater()
    {
        app::DesktopScheme scheme(m_theme);
        QTest::failOnWarning(QRegularExpression(u".*"_s)); // no portal is nothing to tell anybody
        QVERIFY(!m_theme->dark());
        Portal portal(1);
        QVERIFY(portal.up());
        portal.say(kAppearance, kScheme, 1u);
        QTRY_VERIFY(m_theme->dark());
    }

private:
    ui::Theme *m_theme = nullptr;
};

QTEST_MAIN(DesktopSchemeTest)
#include "tst_desktop_scheme.moc"
