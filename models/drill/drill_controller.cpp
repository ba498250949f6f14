// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/drill/drill_controller.h"

#include "models/background.h"
#include "models/connection/connection_controller.h"
#include "models/drill/drill_report.h"
#include "models/format/labels.h"
#include "models/report/write_later.h"

#include "sql/lanes/database.h"

#include <QScopeGuard>
#include <algorithm>

namespace idemdesk::models {

DrillController::DrillController(QObject *parent)
    : QObject(parent)
{
}

DrillController::~DrillController()
{
    m_stop.request_stop();
}

/// What was found, and what still runs, is of another table or database.
void DrillController::forget()
{
    m_stop.request_stop();
    ++m_ticket;
    m_busy = false;
    m_running = nullptr;
    m_report.reset();
    m_error.reset();
}

void DrillController::setDatabase(sql::Database *database)
{
    if (m_database != database) {
        m_database = database;
        forget();
        emit changed();
    }
}

void DrillController::setTargets(const QList<TargetEntry> &targets)
{
    m_targets.clear();
    for (const TargetEntry &entry : targets) {
        m_targets += entry.target;
    }
    choose(m_target); // what runs goes on, where it is still the same table
}

void DrillController::choose(const QString &target)
{
    if (target != m_target) {
        forget();
    }
    m_target = target;
    const auto found = std::find_if(
        m_targets.cbegin(), m_targets.cend(), [this](const sql::Target &one) { return one.profile.name == m_target; });
    m_spec = found != m_targets.cend() ? found->profile.drill : std::nullopt;
    emit changed();
}

QString DrillController::whyNot() const
{
    if (m_database == nullptr) {
        return tr("There is no connection.");
    }
    const sql::ConnectionSettings &settings = m_database->settings();
    switch (settings.environment) {
    case sql::Environment::Development:
    case sql::Environment::Test:
    case sql::Environment::Staging:
        return settings.readOnly ? tr("This connection is read-only.") : QString();
    case sql::Environment::Unmarked:
    case sql::Environment::Production:
        break;
    }
    return tr("This connection is not marked as Development, Test or Staging. Mark it in Connect…, under Environment.");
}

void DrillController::start()
{
    const auto found = std::find_if(
        m_targets.cbegin(), m_targets.cend(), [this](const sql::Target &one) { return one.profile.name == m_target; });
    if (m_busy || !whyNot().isEmpty() || !m_spec || found == m_targets.cend()) {
        return;
    }
    forget();
    m_leftBehind.clear();
    m_stop = std::stop_source();
    m_busy = true;
    const quint64 ticket = m_ticket;
    const auto tell = [guard = QPointer<DrillController>(this), ticket](const DrillTest &test) {
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, ticket, running = &test] {
                if (guard != nullptr && guard->m_ticket == ticket) {
                    guard->m_running = running;
                    emit guard->changed();
                }
            },
            Qt::QueuedConnection);
    };
    const auto run
        = [settings = m_database->settings(), target = *found, spec = *m_spec, stop = m_stop.get_token(), tell] {
              // It waits for servers, for minutes: other work of the pool is not to wait for it.
              QThreadPool::globalInstance()->releaseThread();
              const auto back = qScopeGuard([] { QThreadPool::globalInstance()->reserveThread(); });
              return DrillRunner(settings, target, spec).run(stop, tell);
          };
    whenDone(later<DrillReport>(run), this,
        [this, ticket, where = targetLabel(found->profile)](
            const sql::Result<DrillReport> &report) { onEnded(ticket, where, report); });
    emit changed();
}

void DrillController::onEnded(quint64 ticket, const QString &where, const sql::Result<DrillReport> &report)
{
    if (ticket != m_ticket) {
        const QStringList left = report ? report->left : QStringList { report.error().line() };
        for (const QString &line : left) {
            m_leftBehind += tr("%1: %2", "table, what a drill left there").arg(where, line);
        }
    } else {
        m_busy = false;
        m_running = nullptr;
        if (report) {
            m_report = *report;
        } else {
            m_error = report.error();
        }
    }
    emit changed();
}

void DrillController::stop()
{
    m_stop.request_stop();
}

void DrillController::write(const QString &path)
{
    if (!m_report) {
        return;
    }
    writeLater(this, [report = *m_report, path] { return writeDrill(report, path); });
}

} // namespace idemdesk::models

#include "moc_drill_controller.cpp"
