// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusVariant>
#include <QObject>

namespace idemdesk::ui {
class Theme;
}

namespace idemdesk::app {

/// Tells the theme whether the desktop is dark, now and whenever that changes, by its settings portal
/// (org.freedesktop.portal.Settings of the XDG Desktop Portal). Without a session bus or a portal it tells nothing.
class DesktopScheme final : public QObject
{
    Q_OBJECT

public:
    /// theme: outlives it.
    explicit DesktopScheme(ui::Theme *theme, QObject *parent = nullptr);

private slots:
    void take(const QString &group, const QString &key, const QDBusVariant &value);

private:
    void ask();

    ui::Theme *m_theme;
};

} // namespace idemdesk::app
