// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_dialogs.h"

#include "models/actions/action_center.h"
#include "models/actions/action_rows.h"
#include "models/actions/action_runner.h"
#include "models/actions/action_words.h"
#include "models/connection/connection_controller.h"
#include "models/console/console_setup.h"
#include "models/console/roles_controller.h"
#include "models/format/display_text.h"
#include "models/incident/incident_controller.h"
#include "models/keys/key_browser.h"
#include "models/mapping/mapping_controller.h"
#include "models/settings.h"
#include "models/trends/schedule_controller.h"
#include "models/workspace/workspace.h"
#include "ui/dialogs/action_rows_dialog.h"
#include "ui/dialogs/add_table_dialog.h"
#include "ui/dialogs/connect_dialog.h"
#include "ui/dialogs/groups_dialog.h"
#include "ui/dialogs/install_wizard.h"
#include "ui/dialogs/profile_file_dialog.h"
#include "ui/dialogs/register_dialog.h"
#include "ui/dialogs/roles_dialog.h"
#include "ui/dialogs/schedule_dialog.h"
#include "ui/widgets/questions.h"

#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

WindowDialogs::WindowDialogs(const WindowServices &services, models::Workspace *work, QWidget *window)
    : QObject(window)
    , m_services(services)
    , m_work(work)
    , m_window(window)
{
}

ConnectDialog *WindowDialogs::connectDialog() const
{
    return m_connectDialog;
}

AddTableDialog *WindowDialogs::addTableDialog() const
{
    return m_addTableDialog;
}

void WindowDialogs::openConnect()
{
    if (m_connectDialog == nullptr) {
        m_connectDialog = new ConnectDialog(m_services.saved, m_services.secrets, m_window);
        connect(
            m_connectDialog, &ConnectDialog::connectRequested, this, [this](const sql::ConnectionSettings &settings) {
                m_connectAsked = true;
                m_work->connection()->connectTo(settings);
            });
        m_connectDialog->offerGroups(m_services.groups != nullptr);
        connect(m_connectDialog, &ConnectDialog::groupsClicked, this, &WindowDialogs::openGroups);
        connect(m_connectDialog, &QDialog::rejected, this, [this] {
            if (m_connectAsked && m_work->connection()->state() == sql::LinkState::Connecting) {
                m_work->connection()->disconnectNow(); // closing the dialog means giving up what it asked for
            }
        });
        m_work->browser()->hold();
        m_work->incident()->hold();
        connect(m_connectDialog, &QDialog::finished, this, [this] {
            m_connectAsked = false;
            m_work->browser()->release();
            m_work->incident()->release();
        });
    }
    openDialog(m_connectDialog);
}

void WindowDialogs::openGroups()
{
    if (m_services.groups == nullptr) {
        return;
    }
    if (m_groupsDialog == nullptr) {
        m_groupsDialog = new GroupsDialog(m_services.groups, m_services.saved, m_window);
        connect(m_groupsDialog, &GroupsDialog::openRequested, this, [this](const models::GroupPlaces &places) {
            if (m_connectDialog != nullptr) {
                m_connectDialog->reject(); // the group takes its place
            }
            emit groupWanted(places);
        });
    }
    openDialog(m_groupsDialog);
}

bool WindowDialogs::tellConnect()
{
    const models::ConnectionController *connection = m_work->connection();
    if (m_connectDialog == nullptr || !m_connectAsked || connection->database() == nullptr) {
        return false;
    }
    const sql::LinkState state = connection->state();
    m_connectDialog->setBusy(state == sql::LinkState::Connecting);
    if (state == sql::LinkState::Connected) {
        m_connectDialog->accept();
    } else if (connection->error() && state == sql::LinkState::Failed) {
        m_connectDialog->showError(*connection->error());
    }
    return true;
}

void WindowDialogs::openAddTable()
{
    if (m_work->connection()->database() == nullptr) {
        openConnect();
        return;
    }
    if (m_addTableDialog == nullptr) {
        m_addTableDialog = new AddTableDialog(m_work->mapping(), m_window);
        connect(m_addTableDialog, &AddTableDialog::saved, this, [this](const QString &path) {
            m_work->connection()->addProfileFile(path, true); // the dialog let nothing be saved that was not confirmed
        });
        connect(m_addTableDialog, &AddTableDialog::removed, m_work->connection(),
            &models::ConnectionController::forgetProfile);
        QList<quint32> oids;
        QList<models::MappingController::Known> known;
        for (const models::TargetEntry &entry : m_work->connection()->searched()) { // archives are no tables to add
            oids += entry.target.relation.oid;
        }
        for (const models::TargetEntry &entry : m_work->connection()->targets()) {
            known.append({ entry.target.relation.oid, entry.target.profile, entry.file });
        }
        m_work->mapping()->setKnown(known);
        m_work->mapping()->detect({}, oids);
    }
    openDialog(m_addTableDialog);
}

void WindowDialogs::openProfileFile()
{
    if (m_work->connection()->database() == nullptr) {
        openConnect();
        return;
    }
    QFileDialog *dialog
        = openFileDialog(m_window, u"profileFileChoice"_s, tr("Open a profile file"), { tr("Profiles (*.json)") });
    connect(dialog, &QFileDialog::fileSelected, this, &WindowDialogs::confirmProfile);
    openDialog(dialog);
}

void WindowDialogs::confirmProfile(const QString &path)
{
    const auto profile = models::ConnectionController::profileIn(path);
    if (!profile.ok()) {
        openQuestion(
            questionBox(m_window, u"profileFileError"_s, tr("Open a profile file"),
                models::displayText(profile.error().what, models::kToolTipChars),
                models::displayText(profile.error().line() + u"\n\n"_s + profile.error().where, models::kToolTipChars),
                QMessageBox::Critical),
            tr("Close"));
        return;
    }
    auto *dialog = new ProfileFileDialog(m_work->connection(), *profile, path, m_window);
    connect(dialog, &ProfileFileDialog::added, this, &WindowDialogs::tableAdded);
    openDialog(dialog);
}

void WindowDialogs::showRows(const QString &action)
{
    QString title = action;
    QList<sql::ActionRecord> known = m_work->actions()->history()->rows();
    if (const models::ActionRunner *runner = m_work->actions()->runner()) {
        known.append(runner->action()); // the history may not have it yet
    }
    for (const sql::ActionRecord &record : std::as_const(known)) {
        if (record.id == action) {
            title = tr("%1 · %2 · %3")
                        .arg(models::verbPhrase(record.verb, record.plannedRows),
                            m_work->actions()->titleOf(record.target), record.reason);
        }
    }
    auto *dialog
        = new ActionRowsDialog(new models::ActionRows(m_work->acting(), action), title, m_services.settings, m_window);
    openDialog(dialog);
}

void WindowDialogs::openSampling()
{
    sql::Database *database = m_work->acting();
    if (database == nullptr) {
        openConnect();
        return;
    }
    auto *dialog = new ScheduleDialog(new models::ScheduleController(database), m_work->actions()->whyNot(), m_window);
    openDialog(dialog);
}

void WindowDialogs::openRoles()
{
    sql::Database *database = m_work->acting();
    if (database == nullptr) {
        openConnect();
        return;
    }
    auto *roles = new models::RolesController(database);
    connect(roles, &models::RolesController::done, m_work->actions(), &models::ActionCenter::refresh); // it may be us
    openDialog(
        new RolesDialog(roles, m_work->connection()->settings().environment, m_work->connection()->title(), m_window));
}

void WindowDialogs::openInstall()
{
    auto *wizard = new InstallWizard(
        m_work->setup(), m_work->actions()->status().installedVersion, m_work->actions()->place(), m_window);
    openDialog(wizard);
}

void WindowDialogs::openRegister(const QString &target)
{
    if (const models::TargetEntry *entry = m_work->connection()->target(target)) {
        auto *dialog = new RegisterDialog(m_work->setup(), entry->target, m_window,
            m_work->connection()->settings().environment, m_work->actions()->place());
        openDialog(dialog);
    }
}

void WindowDialogs::tellActionRuns()
{
    openQuestion(questionBox(m_window, u"actionRunsBox"_s, tr("An action is running"),
                     tr("The window stays where it is until the action has ended."),
                     tr("Pause it in the strip beneath, or open a group in another window.")),
        tr("Close"));
}

void WindowDialogs::askToPause()
{
    QMessageBox *box = questionBox(m_window, u"pauseBox"_s, tr("An action is running"),
        tr("The action on %1 is still running. It can be paused and resumed later, from here or by another operator.")
            .arg(m_work->actions()->titleOf(m_work->actions()->runner()->action().target)));
    QPushButton *pause = addAnswer(box, u"pauseBoxPause"_s, tr("Pause and quit"), QMessageBox::AcceptRole);
    connect(pause, &QPushButton::clicked, this, [this] {
        if (m_work->actions()->runner() != nullptr) {
            connect(m_work->actions(), &models::ActionCenter::runnerChanged, this, [this] {
                if (!m_work->actions()->running()) {
                    m_window->close();
                }
            });
            m_work->actions()->runner()->pause();
        }
    });
    openQuestion(box);
}

} // namespace idemdesk::ui
