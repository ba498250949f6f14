// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/notifier.h"

#include <QDBusConnection>
#include <QTest>

using namespace Qt::StringLiterals;

/// What a desktop's notification service is on the bus.
class Desktop final : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    struct Shown {
        uint replaces;
        QString summary;
        QString body;
    };
    QList<Shown> shown;

public slots:
    uint Notify(const QString &, uint replaces, const QString &, const QString &summary, const QString &body,
        const QStringList &, const QVariantMap &, int)
    {
        shown.append({ replaces, summary, body });
        return 7;
    }
};

class NotifierTest final : public QObject
{
    Q_OBJECT

private slots:
    void showsPlainTextAndReplacesTheOneBefore()
    {
        QDBusConnection bus = QDBusConnection::sessionBus();
        QVERIFY2(bus.isConnected(), "this test runs under dbus-run-session");
        Desktop desktop;
        QVERIFY(bus.registerObject(u"/org/freedesktop/Notifications"_s, &desktop, QDBusConnection::ExportAllSlots));
        idemdesk::app::Notifier notifier;
        notifier.show(u"before any service is there"_s, {}); // nothing happens
        QVERIFY(bus.registerService(u"org.freedesktop.Notifications"_s));
        notifier.show(u"Stale keys are rising"_s, u"<img src=file:///etc/passwd> & \\u202e"_s);
        QTRY_COMPARE(desktop.shown.size(), 1);
        QCOMPARE(desktop.shown.first().summary, u"Stale keys are rising"_s);
        QVERIFY(desktop.shown.first().body.startsWith(u"&lt;img"_s));
        QVERIFY(!desktop.shown.first().body.contains(QChar(0x202e)));
        QTRY_VERIFY_WITH_TIMEOUT(
            (notifier.show(u"again"_s, {}), desktop.shown.size() > 1 && desktop.shown.last().replaces == 7), 5000);
    }
};

QTEST_GUILESS_MAIN(NotifierTest)
#include "tst_notifier.moc"
