// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace idemdesk::models {
class Workspace;
}

namespace idemdesk::ui {

class Rail;

/// Keeps the rail's counts: on each page the number of what needs a person there.
class RailCounts final : public QObject
{
    Q_OBJECT

public:
    /// Belongs to the rail; its pages are there already.
    RailCounts(models::Workspace *work, Rail *rail);

private:
    void countWork();
    void countAlerts();
    void countAudit();

    models::Workspace *m_work;
    Rail *m_rail;
};

} // namespace idemdesk::ui
