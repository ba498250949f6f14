// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "app/ctl/out/capture.h"
#include "models/actions/action_runner.h"
#include "sql/lanes/database.h"

#include <QElapsedTimer>
#include <functional>

namespace idemdesk::app {

using BeginAction = std::function<void(models::ActionRunner &)>;

/// One action on its way to its end, with progress on stderr. It needs the event loop. Of a member of a group its lines
/// begin with the member's label, and what it comes to is caught.
class ActionRun final : public QObject
{
    Q_OBJECT

public:
    ActionRun(const Context &context, const sql::ConnectionSettings &settings, BeginAction begin);

    void open();
    void cancel() { m_runner.cancel(); }
    Exit exit() const { return m_exit; }
    const Captured &said() const { return m_said; } ///< of a member, once it is over

signals:
    void over();

private:
    void onLink(sql::LinkState state);
    void onChanged();
    void conclude(const std::function<Exit()> &end);
    Exit asking() const;
    Exit stopped() const;
    void tell(const QString &text) const;

    const Context m_context;
    sql::Database m_database;
    models::ActionRunner m_runner;
    BeginAction m_begin;
    QElapsedTimer m_sinceLine;
    Captured m_said;
    Exit m_exit = Exit::Failed;
    bool m_begun = false;
    bool m_over = false;
};

/// How an action ended.
struct ActionEnd {
    Exit exit = Exit::Failed;
    Captured said; ///< of a member of a group; else it was written at once
};

/// Runs an action to its end with progress on stderr; Ctrl-C cancels it, a second one leaves at once. Runs the event
/// loop.
ActionEnd runActionIn(const Context &context, const BeginAction &begin);
/// The same where the exit status is enough.
Exit runAction(const Context &context, const BeginAction &begin);

QJsonObject jsonOf(const sql::ActionRecord &action);

} // namespace idemdesk::app
