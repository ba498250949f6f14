// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does about actions: leading from page to page, dialogs, and the last question before it closes.
#include "models/actions/action_center.h"
#include "models/actions/action_journal.h"
#include "models/alerts/alert_controller.h"
#include "models/actions/action_runner.h"
#include "models/actions/action_rows.h"
#include "models/actions/action_words.h"
#include "models/audit/audit_controller.h"
#include "models/connection/connection_controller.h"
#include "models/conflicts/conflict_controller.h"
#include "models/console/console_setup.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/keys/key_browser.h"
#include "models/overview/glance.h"
#include "models/overview/overview_controller.h"
#include "models/trends/sampler.h"
#include "models/trends/schedule_controller.h"
#include "models/trends/trend_controller.h"
#include "ui/dialogs/action_rows_dialog.h"
#include "ui/dialogs/install_wizard.h"
#include "ui/dialogs/register_dialog.h"
#include "ui/dialogs/schedule_dialog.h"
#include "ui/pages/audit_page.h"
#include "ui/pages/conflict_tabs.h"
#include "ui/pages/keys_page.h"
#include "ui/pages/purge_page.h"
#include "ui/pages/recovery_page.h"
#include "ui/window/action_strip.h"
#include "ui/window/connection_band.h"
#include "ui/window/main_window.h"
#include "ui/window/rail.h"

#include <QMessageBox>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

void MainWindow::wireActions()
{
    connect(m_recovery, &RecoveryPage::connectClicked, this, &MainWindow::openConnect);
    connect(m_purge, &PurgePage::connectClicked, this, &MainWindow::openConnect);
    connect(m_recovery, &RecoveryPage::keyWanted, this, [this](const QString &target, const QString &key) {
        showPage(u"keys"_s);
        m_keys->showTarget(target, u"key:"_s + models::quoteFilterValue(key));
    });
    connect(m_keys, &KeysPage::compareWanted, this, [this](const QList<models::CaseRequest> &requests) {
        showPage(u"conflicts"_s);
        m_conflictTabs->compareRequests(requests);
    });
    connect(m_conflictTabs, &ConflictTabs::connectClicked, this, &MainWindow::openConnect);
    connect(m_conflictTabs, &ConflictTabs::keyWanted, this, [this](const QString &target, const QString &key) {
        // Where the log does not say which table, the one that is shown is searched.
        const QString shown = m_browser->hasTarget() ? m_browser->target().profile.name : QString();
        const QString table = m_services.connection->target(target) != nullptr ? target : shown;
        showPage(u"keys"_s);
        m_keys->showTarget(table, u"key:"_s + models::quoteFilterValue(key));
    });
    connect(m_conflictTabs, &ConflictTabs::keysWanted, this, [this](const QString &target, const QString &filter) {
        showPage(u"keys"_s);
        m_keys->showTarget(target, filter);
    });
    connect(m_auditPage, &AuditPage::connectClicked, this, &MainWindow::openConnect);
    connect(m_auditPage, &AuditPage::rowsWanted, this, &MainWindow::showRows);
    connect(m_strip, &ActionStrip::outcomesWanted, this, &MainWindow::showRows);
    connect(m_actions, &models::ActionCenter::changed, this, &MainWindow::onActions);
    connect(m_actions, &models::ActionCenter::runnerChanged, this, &MainWindow::onActions);
    connect(m_actions, &models::ActionCenter::allowanceChanged, this, &MainWindow::onActions);
    connect(m_actions, &models::ActionCenter::actionEnded, this, [this] {
        m_browser->refresh();
        m_overview->refresh();
        m_audit->glance(); // what was done from here is noted outside the database at once
    });
    connect(m_audit, &models::AuditController::changed, this, &MainWindow::onActions);
    connect(m_recovery, &RecoveryPage::installClicked, this, &MainWindow::openInstall);
    connect(m_purge, &PurgePage::installClicked, this, &MainWindow::openInstall);
    connect(m_auditPage, &AuditPage::installClicked, this, &MainWindow::openInstall);
    connect(m_recovery, &RecoveryPage::registerClicked, this, &MainWindow::openRegister);
    connect(m_purge, &PurgePage::registerClicked, this, &MainWindow::openRegister);
    connect(m_setup, &models::ConsoleSetup::installed, m_actions, &models::ActionCenter::refresh);
    connect(m_setup, &models::ConsoleSetup::registered, m_services.connection, &models::ConnectionController::refreshTargets);
    connect(m_setup, &models::ConsoleSetup::registered, m_actions, &models::ActionCenter::refresh);
    // Whatever has the actions read again has also written rows of the trail.
    connect(m_actions->history(), &QAbstractItemModel::modelReset, this, [this] {
        if (m_audit->loaded()) {
            m_audit->refresh();
        }
    });
}

/// A login that may act samples what is registered; on a connection marked as read-only nothing is written. Other tables are sampled
/// for this computer alone.
void MainWindow::chooseSampled()
{
    QStringList names;
    const sql::ConsoleStatus &status = m_actions->status();
    if (status.isOperator && !status.superuser && status.installedVersion == status.knownVersion && !m_services.connection->settings().readOnly) {
        for (const models::TargetEntry &entry : m_services.connection->targets()) {
            if (entry.registration) {
                names += entry.registration->name;
            }
        }
    }
    m_sampler->setTargets(names);
    const sql::ServerFacts &facts = m_services.connection->facts();
    const sql::LocalPlace place { m_services.localSamples, facts.database.isEmpty() ? QString() : models::ActionJournal::serverOf(facts) };
    QList<sql::Target> local;
    for (const models::TargetEntry &entry : m_services.connection->targets()) {
        if (!entry.registration && entry.target.relation.oid != 0) {
            local += entry.target;
        }
    }
    m_sampler->setLocalTargets(m_actions->statusKnown() ? local : QList<sql::Target>(), place);
    m_trends->setLocalPlace(place);
    m_glance->setLocalPlace(place);
    m_alerts->setLocalPlace(place);
    m_conflictTabs->setConflictsHere({ m_services.localConflicts, place.server });
    m_keys->setConflictsKnown(m_actions->statusKnown() && m_actions->status().readable);
    m_keys->setConflictsHere({ m_services.localConflicts, place.server });
}

void MainWindow::onActions()
{
    m_sampler->setHeld(m_actions->running());
    chooseSampled();
    int waiting = 0;
    for (const sql::ActionRecord &action : m_actions->openElsewhere()) {
        waiting += action.state == sql::ActionState::Requested ? 0 : 1;
    }
    m_rail->setCount(u"recovery"_s, m_actions->running() ? 1 : waiting, m_actions->running() ? tr("An action is running.") : tr("%n action(s) were left open.", nullptr, waiting));
    int asked = 0;
    for (const sql::ActionRecord &action : m_actions->openElsewhere()) {
        asked += action.state == sql::ActionState::Requested ? 1 : 0;
    }
    if (m_actions->statusKnown() && m_actions->status().readable && !m_audit->glanced()) {
        m_audit->glance();
    }
    const bool altered = m_audit->check() && !m_audit->check()->whole();
    const int red = m_actions->status().red() || altered ? 1 : 0;
    m_rail->setCount(u"audit"_s, red + (m_actions->status().isApprover ? asked : 0),
        altered ? tr("The trail is not the one that this computer saw before, or was altered.")
            : red > 0 ? tr("The guard of the trail is not whole.") : tr("%n action(s) wait for approval.", nullptr, asked));
    m_band->setActions(m_actions->statusKnown() && m_actions->mayAct(), m_actions->secondsAllowed());
}

void MainWindow::showRows(const QString &action)
{
    QString title = action;
    QList<sql::ActionRecord> known = m_actions->history()->actions();
    if (const models::ActionRunner *runner = m_actions->runner()) {
        known.append(runner->action()); // the history may not have it yet
    }
    for (const sql::ActionRecord &record : std::as_const(known)) {
        if (record.id == action) {
            title = tr("%1 · %2 · %3").arg(models::verbPhrase(record.verb, record.plannedRows), record.target, record.reason);
        }
    }
    auto *dialog = new ActionRowsDialog(new models::ActionRows(m_services.connection->database(), action), title, m_services.settings, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::openSampling()
{
    sql::Database *database = m_services.connection->database();
    if (database == nullptr) {
        openConnect();
        return;
    }
    auto *dialog = new ScheduleDialog(new models::ScheduleController(database), m_actions->whyNot(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::openInstall()
{
    auto *wizard = new InstallWizard(m_setup, m_actions->status().installedVersion, m_services.connection->title(), this);
    wizard->setAttribute(Qt::WA_DeleteOnClose);
    wizard->open();
}

void MainWindow::openRegister(const QString &target)
{
    if (const models::TargetEntry *entry = m_services.connection->target(target)) {
        auto *dialog = new RegisterDialog(m_setup, entry->target, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
}

void MainWindow::askToPause()
{
    auto *box = new QMessageBox(QMessageBox::Question, tr("An action is running"),
        tr("The action on %1 is still running. It can be paused and resumed later, from here or by another operator.")
            .arg(models::displayText(m_actions->runner()->action().target, 60)),
        QMessageBox::NoButton, this);
    box->setObjectName(u"pauseBox"_s);
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto *pause = box->addButton(tr("Pause and quit"), QMessageBox::AcceptRole);
    box->setDefaultButton(box->addButton(tr("Cancel"), QMessageBox::RejectRole));
    connect(box, &QMessageBox::buttonClicked, this, [this, pause](QAbstractButton *button) {
        if (button == pause && m_actions->runner() != nullptr) {
            connect(m_actions, &models::ActionCenter::runnerChanged, this, [this] {
                if (!m_actions->running()) {
                    close();
                }
            });
            m_actions->runner()->pause();
        }
    });
    box->open();
}

} // namespace idemdesk::ui
