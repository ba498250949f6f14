// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <optional>

namespace idemdesk::app {

/// What the desktop's person prefers to see, as its settings portal tells and says anew whenever it changes
/// (org.freedesktop.portal.Settings, XDG Desktop Portal 1.x). Without a portal nothing is known, and nothing is said.
class DesktopScheme final : public QObject
{
    Q_OBJECT

public:
    explicit DesktopScheme(QObject *parent = nullptr);

    std::optional<bool> dark() const { return m_dark; } ///< nothing: no preference, or none is known
    bool highContrast() const { return m_highContrast; }

signals:
    void changed();

private slots:
    void take(const QString &group, const QString &key, const QDBusVariant &value);

private:
    void ask(const QString &key);

    std::optional<bool> m_dark;
    bool m_highContrast = false;
};

} // namespace idemdesk::app
