// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/install_wizard.h"

#include "models/console/console_setup.h"
#include "models/format/display_text.h"
#include "models/keys/private_file.h"
#include "ui/dialogs/enter_keys.h"
#include "ui/theme/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/text_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

InstallWizard::InstallWizard(
    models::ConsoleSetup *setup, int installedVersion, const QString &connection, QWidget *parent)
    : QWizard(parent)
    , m_setup(setup)
    , m_installed(installedVersion)
    , m_result(new NoticeBar(this))
    , m_next(readableLabel(u"installNext"_s, this))
{
    setObjectName(u"installWizard"_s);
    setWizardStyle(QWizard::ModernStyle);
    setWindowTitle(installedVersion > 0 ? tr("Upgrade the console schema") : tr("Install the console schema"));
    setOptions(QWizard::NoBackButtonOnStartPage | QWizard::NoBackButtonOnLastPage | QWizard::NoCancelButtonOnLastPage);
    setPage(WhatPage, whatPage(connection));
    setPage(SqlPage, sqlPage());
    setPage(ResultPage, resultPage());
    setButtonText(QWizard::CommitButton, installedVersion > 0 ? tr("Upgrade") : tr("Install"));
    setButtonText(QWizard::FinishButton, tr("Close"));
    resize(760, 560);
    connect(setup, &models::ConsoleSetup::changed, this, &InstallWizard::sync);
    for (const WizardButton which : { QWizard::BackButton, QWizard::NextButton, QWizard::CommitButton,
             QWizard::CancelButton, QWizard::FinishButton }) {
        button(which); // made when first asked for
    }
    guideEnter(this);
    // After QWizard has made its own choice: Enter installs nothing, but on the button itself.
    connect(
        this, &QWizard::currentIdChanged, this,
        [this](int id) {
            if (id == SqlPage && currentId() == SqlPage) { // it may have been left before this is told
                static_cast<QPushButton *>(button(QWizard::CancelButton))->setDefault(true);
                // Not on Install: an Enter meant for Next, pressed twice, would install.
                currentPage()->findChild<QWidget *>(u"installSql"_s)->setFocus(Qt::OtherFocusReason);
            }
        },
        Qt::QueuedConnection);
    connect(setup, &models::ConsoleSetup::installed, this, [this](int version) {
        m_result->showNotice(NoticeBar::Kind::Info, tr("The console schema has version %1.").arg(version));
        m_next->setText(tr("Next, an administrator gives people their roles, and an idemdesk_admin registers the "
                           "tables that actions may change:\n\n"
                           "GRANT idemdesk_operator TO …;   -- frees and purges keys\n"
                           "GRANT idemdesk_approver TO …;   -- second pair of eyes\n"
                           "GRANT idemdesk_admin TO …;      -- registers tables\n"
                           "GRANT idemdesk_viewer TO …;     -- reads the trail\n\n"
                           "Not to this login: whoever may install this could also change it, so the console lets it "
                           "look, but not act."));
    });
}

QWizardPage *InstallWizard::whatPage(const QString &connection)
{
    auto *page = new QWizardPage(this);
    page->setTitle(tr("What will be made"));
    page->setSubTitle(models::displayText(connection, 160));
    auto *text = wrappedLabel(
        tr("The console changes keys only through functions of its own in the database, and each change writes a row "
           "of a trail that nobody "
           "can alter unnoticed. For that it makes, in one transaction:\n\n"
           "• the schema idemdesk, with its tables: registered targets, actions and their rows, undo copies, samples, "
           "conflicts, and the trail;\n"
           "• six roles without login: idemdesk_owner, which owns it, and idemdesk_viewer, idemdesk_operator, "
           "idemdesk_approver, idemdesk_admin and idemdesk_reporter, for people and services;\n"
           "• no right on any table of yours. Each table's owner grants these when it is registered.\n\n"
           "The login needs CREATEROLE, and CREATE on the database. It can all be removed again; the trail stays then, "
           "under another name."),
        page);
    auto *layout = new QVBoxLayout(page);
    layout->addWidget(text);
    layout->addStretch(1);
    return page;
}

QWizardPage *InstallWizard::sqlPage()
{
    auto *page = new QWizardPage(this);
    page->setTitle(tr("The SQL"));
    page->setSubTitle(tr("Run it here with this login, or hand it to an administrator of the database."));
    page->setCommitPage(true);
    auto *sql = new QPlainTextEdit(page);
    setUpCode(sql, u"installSql"_s, tr("SQL that installs the console schema"));
    sql->setLineWrapMode(QPlainTextEdit::NoWrap);
    sql->setPlainText(models::ConsoleSetup::script(m_installed));
    auto *layout = new QVBoxLayout(page);
    layout->addWidget(sql, 1);
    layout->addWidget(scriptButtons(u"install"_s, page));
    return page;
}

QWidget *InstallWizard::scriptButtons(const QString &name, QWidget *parent)
{
    auto *buttons = new QWidget(parent);
    auto *copy = new QPushButton(themedIcon(u"copy"_s), tr("Copy the SQL"), buttons);
    copy->setObjectName(name + u"Copy"_s);
    auto *keep = new QPushButton(tr("Save the SQL as…"), buttons);
    keep->setObjectName(name + u"Save"_s);
    auto *row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    row->addWidget(copy);
    row->addWidget(keep);
    connect(copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(models::ConsoleSetup::script(m_installed)); });
    connect(keep, &QPushButton::clicked, this, &InstallWizard::save);
    return buttons;
}

QWizardPage *InstallWizard::resultPage()
{
    auto *page = new QWizardPage(this);
    page->setTitle(tr("Result"));
    m_result->setObjectName(u"installResult"_s);
    auto *layout = new QVBoxLayout(page);
    m_bar = new QProgressBar(page);
    m_bar->setRange(0, 0); // one transaction: there are no steps to count
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("The script is running"));
    m_script = scriptButtons(u"failed"_s, page);
    m_script->hide();
    layout->addWidget(m_result);
    layout->addWidget(m_bar);
    layout->addWidget(m_next);
    layout->addWidget(m_script);
    layout->addStretch(1);
    return page;
}

void InstallWizard::done(int result)
{
    if (!m_setup->busy()) { // else its result would be seen by nobody
        QWizard::done(result);
    }
}

void InstallWizard::initializePage(int id)
{
    QWizard::initializePage(id);
    if (id == ResultPage) {
        m_result->showNotice(NoticeBar::Kind::Info, m_installed > 0 ? tr("Upgrading…") : tr("Installing…"));
        m_script->hide();
        m_next->clear();
        m_setup->install();
    }
}

void InstallWizard::sync()
{
    m_bar->setVisible(m_setup->busy());
    button(QWizard::FinishButton)->setEnabled(!m_setup->busy());
    if (currentId() == ResultPage && m_setup->error()) {
        m_script->show();
        m_result->showError(*m_setup->error());
        m_next->setText(tr("Nothing was changed: the script is one transaction. It can be handed to an administrator "
                           "of the database, who runs it with psql."));
    }
}

void InstallWizard::save()
{
    QFileDialog *dialog = saveFileDialog(
        this, u"installFile"_s, tr("Save the script"), u"idemdesk-console.sql"_s, { tr("SQL (*.sql)") });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        const auto written = models::writePrivateFile(path, models::ConsoleSetup::script(m_installed).toUtf8());
        currentPage()->setSubTitle(written ? tr("The script is in %1.").arg(models::displayText(path, 160))
                                           : tr("The script could not be written: %1").arg(written.error().why));
    });
    openDialog(dialog);
}

} // namespace idemdesk::ui
