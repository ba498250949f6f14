// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/install_wizard.h"

#include "models/console/console_setup.h"
#include "models/format/display_text.h"
#include "models/keys/private_file.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/text_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

InstallWizard::InstallWizard(
    models::ConsoleSetup *setup, int installedVersion, const QString &connection, QWidget *parent)
    : Wizard(u"install"_s, installedVersion > 0 ? tr("Upgrade the console schema") : tr("Install the console schema"),
        parent)
    , m_setup(setup)
    , m_installed(installedVersion)
{
    setObjectName(u"installWizard"_s);
    addStep({ tr("Contents"), installedVersion > 0 ? tr("What this upgrade changes") : tr("What gets installed"),
                tr("&Next") },
        whatPage(connection));
    addStep({ tr("SQL"), tr("Read the SQL"), installedVersion > 0 ? tr("&Upgrade") : tr("&Install"), true }, sqlPage());
    addStep({ tr("Result"), tr("Result"), tr("Close") }, resultPage());
    connect(setup, &models::ConsoleSetup::changed, this, &InstallWizard::sync);
    connect(setup, &models::ConsoleSetup::installed, this, &InstallWizard::showInstalled);
    begin();
    resize(190 * kGrid, 140 * kGrid);
}

QWidget *InstallWizard::whatPage(const QString &connection)
{
    auto *page = new QWidget(this);
    auto *text = wrappedLabel(
        tr("The console changes keys only through its own functions in the database. Each change writes an audit row "
           "that nobody can alter unnoticed. One transaction installs:\n\n"
           "• The schema idemdesk: registered tables, actions with their rows, undo copies, samples, conflicts, and "
           "the audit log.\n"
           "• Six roles without login. idemdesk_owner owns the schema. idemdesk_viewer, idemdesk_operator, "
           "idemdesk_approver, idemdesk_admin and idemdesk_reporter are for people and services.\n"
           "• No right on your tables. Each table's owner grants these when it is registered.\n\n"
           "This login needs CREATEROLE, and CREATE on the database. It can all be removed again. The audit log then "
           "stays, under another name."),
        page);
    QVBoxLayout *layout = partColumn(page);
    layout->addWidget(noteLabel(models::displayText(connection, 160), u"installWhere"_s, page));
    layout->addWidget(text);
    layout->addStretch(1);
    return page;
}

QWidget *InstallWizard::sqlPage()
{
    auto *page = new QWidget(this);
    auto *sql = new QPlainTextEdit(page);
    setUpCode(sql, u"installSql"_s, tr("SQL that installs the console schema"));
    sql->setLineWrapMode(QPlainTextEdit::NoWrap);
    sql->setPlainText(models::ConsoleSetup::script(m_installed));
    m_sql = sql;
    QVBoxLayout *layout = partColumn(page);
    layout->addWidget(
        noteLabel(tr("Run it here with this login, or hand it to a database administrator."), u"installWho"_s, page));
    layout->addWidget(sql, 1);
    layout->addWidget(scriptButtons(u"install"_s, page));
    return page;
}

QWidget *InstallWizard::scriptButtons(const QString &name, QWidget *parent)
{
    auto *buttons = new QWidget(parent);
    auto *copy = new QPushButton(themedIcon(u"copy"_s), tr("&Copy SQL"), buttons);
    copy->setObjectName(name + u"Copy"_s);
    copy->setAccessibleName(tr("Copy the SQL"));
    auto *keep = new QPushButton(tr("&Save SQL…"), buttons);
    keep->setObjectName(name + u"Save"_s);
    keep->setAccessibleName(tr("Save the SQL to a file"));
    for (QPushButton *button : { copy, keep }) {
        button->setAutoDefault(false);
    }
    barRow({ copy, keep, nullptr }, buttons);
    connect(copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(models::ConsoleSetup::script(m_installed)); });
    connect(keep, &QPushButton::clicked, this, &InstallWizard::save);
    return buttons;
}

QWidget *InstallWizard::resultPage()
{
    auto *page = new QWidget(this);
    m_advice = readableLabel(u"installAdvice"_s, page);
    m_script = scriptButtons(u"failed"_s, page);
    m_script->hide();
    QVBoxLayout *layout = partColumn(page);
    layout->addWidget(m_advice);
    layout->addWidget(m_script);
    layout->addStretch(1);
    return page;
}

void InstallWizard::done(int result)
{
    if (!m_setup->busy()) { // else its result would be seen by nobody
        Wizard::done(result);
    }
}

void InstallWizard::entered(int step)
{
    if (step == SqlStep) {
        m_sql->setFocus(Qt::OtherFocusReason); // not Install: an Enter meant for Next, pressed twice, would install
    } else if (step == ResultStep) {
        m_setup->install();
    }
}

void InstallWizard::go(int step)
{
    if (step == ResultStep) {
        accept();
    } else {
        showStep(step + 1);
    }
}

void InstallWizard::sync()
{
    setBusy(m_setup->busy());
    if (step() != ResultStep) {
        return;
    }
    setWhyNot(!m_setup->busy() ? QString() : m_installed > 0 ? tr("Upgrading…") : tr("Installing…"));
    if (m_setup->error()) {
        m_script->show();
        banner()->showError(*m_setup->error());
        m_advice->setText(tr("Nothing was changed: the script is one transaction. An administrator of the database can "
                             "run it with psql."));
    }
}

void InstallWizard::showInstalled(int version)
{
    banner()->showNotice(NoticeBar::Kind::Info, tr("The console schema has version %1.").arg(version));
    m_advice->setText(tr("Next, an administrator gives people their roles. An idemdesk_admin then registers the tables "
                         "that actions may change.\n\n"
                         "GRANT idemdesk_operator TO …;   -- frees and purges keys\n"
                         "GRANT idemdesk_approver TO …;   -- second pair of eyes\n"
                         "GRANT idemdesk_admin TO …;      -- registers tables\n"
                         "GRANT idemdesk_viewer TO …;     -- reads the audit log\n\n"
                         "Not to this login: whoever may install this could also change it. The console lets it look, "
                         "but not act."));
}

void InstallWizard::save()
{
    QFileDialog *dialog
        = saveFileDialog(this, u"installFile"_s, tr("Save the SQL"), u"idemdesk-console.sql"_s, { tr("SQL (*.sql)") });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        const auto written = models::writePrivateFile(path, models::ConsoleSetup::script(m_installed).toUtf8());
        if (written) {
            banner()->showNotice(NoticeBar::Kind::Info, tr("The SQL is in %1.").arg(models::displayText(path, 160)));
        } else {
            banner()->showError(written.error());
        }
    });
    openDialog(dialog);
}

} // namespace idemdesk::ui
