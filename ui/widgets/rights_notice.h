// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/notice_bar.h"

namespace idemdesk::models {
class ActionCenter;
class ConnectionController;
struct TargetEntry;
} // namespace idemdesk::models

namespace idemdesk::ui {

/// Says on a page why its actions cannot run on the table shown, and offers what this person can do about it.
class RightsNotice final : public NoticeBar
{
    Q_OBJECT

public:
    RightsNotice(models::ActionCenter *center, models::ConnectionController *connection, const QString &objectName,
        QWidget *parent);

    /// what: what can still be done on the page, as a sentence. Why no action can run on the table; empty: one can.
    QString sync(const models::TargetEntry &entry, const QString &what);

signals:
    void installClicked();
    void registerClicked(const QString &target);

private:
    QString whyNot(const models::TargetEntry &entry) const;
    void remedy();

    models::ActionCenter *m_center;
    models::ConnectionController *m_connection;
    QString m_target; ///< by its profile's name
    bool m_registered = false;
};

} // namespace idemdesk::ui
