// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::app {

/// Shows a notification through the desktop's own service (org.freedesktop.Notifications, Desktop Notifications
/// Specification 1.2), a later one in place of the one before. Where there is none, nothing happens: the window shows
/// the same. Plain text; does not wait.
class Notifier
{
public:
    void show(const QString &title, const QString &text);

private:
    quint32 m_last = 0; ///< id of the newest, which the next one replaces
};

} // namespace idemdesk::app
