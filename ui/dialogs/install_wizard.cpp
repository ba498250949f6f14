// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/install_wizard.h"

#include "models/console/console_setup.h"
#include "models/console/install_words.h"
#include "models/format/display_text.h"
#include "models/keys/private_file.h"
#include "ui/theme/console_style.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/check_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/text_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kInstallWidth = 200 * kGrid;
constexpr int kInstallHeight = 160 * kGrid; // fits into a window of 1024 x 700
constexpr int kMissingLines = 3;
constexpr qsizetype kWhereChars = 160;

} // namespace

InstallWizard::InstallWizard(
    models::ConsoleSetup *setup, int installedVersion, const QString &connection, QWidget *parent)
    : Wizard(u"install"_s, titleOf(stageOf(installedVersion)), parent)
    , m_setup(setup)
    , m_installed(installedVersion)
    , m_stage(stageOf(installedVersion))
{
    setObjectName(u"installWizard"_s);
    addStep({ tr("Contents"),
                m_stage == Stage::Upgrade     ? tr("What this upgrade changes")
                    : m_stage == Stage::First ? tr("What gets installed")
                                              : tr("What is installed"),
                tr("&Next") },
        whatPage(connection));
    addStep({ tr("SQL"), tr("Read the SQL"), m_stage == Stage::Upgrade ? tr("&Upgrade") : tr("&Install"), true },
        sqlPage());
    addStep({ tr("Result"), tr("Result"), tr("Close") }, resultPage());
    connect(setup, &models::ConsoleSetup::changed, this, &InstallWizard::sync);
    connect(setup, &models::ConsoleSetup::installed, this, &InstallWizard::showInstalled);
    begin();
    resize(kInstallWidth, kInstallHeight);
    setup->readRights();
    showRights();
}

InstallWizard::Stage InstallWizard::stageOf(int installedVersion)
{
    return installedVersion <= 0                                   ? Stage::First
        : installedVersion < models::ConsoleSetup::newestVersion() ? Stage::Upgrade
                                                                   : Stage::There;
}

QString InstallWizard::titleOf(Stage stage)
{
    return stage == Stage::Upgrade ? tr("Upgrade the console schema")
        : stage == Stage::First    ? tr("Install the console schema")
                                   : tr("The console schema");
}

/// What is run here or handed on; where all of it is there already, what was run.
QString InstallWizard::script() const
{
    return models::ConsoleSetup::script(m_stage == Stage::There ? 0 : m_installed);
}

QWidget *InstallWizard::whatPage(const QString &connection)
{
    const models::InstallContents contents
        = models::installContents(m_installed, models::ConsoleSetup::newestVersion());
    auto *page = new QWidget;
    auto *list = new CheckList(u"installContents"_s, tr("What is made or changed, and what stays"), page);
    const auto section = [list](const QString &title, const QStringList &sentences) {
        list->addHeading(title);
        for (const QString &sentence : sentences) {
            list->addNote(u"installLine"_s, sentence);
        }
    };
    section(contents.madeTitle, contents.made);
    section(tr("Leaves unchanged"), contents.kept);
    section(tr("How it runs"), { contents.run });
    QVBoxLayout *layout = partColumn(page);
    layout->addWidget(noteLabel(models::displayText(connection, kWhereChars), u"installWhere"_s, page));
    layout->addWidget(list);
    layout->addWidget(rightsPart(page));
    layout->addStretch(1);
    auto *scroll = new QScrollArea(this);
    scroll->setObjectName(u"installWhat"_s);
    scroll->setAccessibleName(tr("What is made or changed, and by which rights"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    return scroll;
}

/// Which rights the login has, a line each, and what an administrator runs for those that it has not.
QWidget *InstallWizard::rightsPart(QWidget *page)
{
    auto *part = new QWidget(page);
    m_rights = new CheckList(u"installRights"_s, tr("Rights of this login"), part);
    m_missing = new QWidget(part);
    m_missing->setObjectName(u"installMissing"_s);
    m_missingSql = new QPlainTextEdit(m_missing);
    setUpCode(m_missingSql, u"installMissingSql"_s, tr("Statements that give the missing rights"));
    m_missingSql->setFixedHeight(kMissingLines * m_missingSql->fontMetrics().lineSpacing() + 4 * kGrid);
    m_copyMissing = new QPushButton(themedIcon(u"copy"_s), tr("Copy s&tatements"), m_missing);
    QPushButton *copy = m_copyMissing;
    copy->setObjectName(u"installMissingCopy"_s);
    copy->setAccessibleName(tr("Copy the statements that give the missing rights"));
    copy->setAutoDefault(false);
    auto *again = new QPushButton(tr("Chec&k again"), m_missing);
    again->setObjectName(u"installLookAgain"_s);
    again->setAccessibleName(tr("Check again which rights this login has"));
    again->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_missingSql->toPlainText()); });
    connect(again, &QPushButton::clicked, m_setup, &models::ConsoleSetup::readRights);
    QVBoxLayout *missing = partColumn(m_missing);
    missing->addWidget(
        noteLabel(tr("An administrator of the server runs this once. Or they run the whole SQL of the next page."),
            u"installMissingNote"_s, m_missing));
    missing->addWidget(m_missingSql);
    missing->addLayout(barRow({ copy, again, nullptr }));
    QVBoxLayout *layout = partColumn(part);
    layout->addWidget(m_rights);
    layout->addWidget(m_missing);
    return part;
}

void InstallWizard::showRights()
{
    m_rights->clear();
    m_rights->setVisible(m_stage != Stage::There); // nothing is to be done, so nothing is needed
    m_missing->setVisible(false);
    if (m_stage == Stage::There) {
        return;
    }
    const auto &rights = m_setup->rights();
    QString missing;
    if (rights) {
        m_rights->addHeading(tr("Rights of the login %1").arg(models::displayText(rights->login, kWhereChars)));
        const QList<models::InstallCheck> checks = models::installChecks(*rights, m_installed);
        for (const models::InstallCheck &check : checks) {
            m_rights->add(check.there ? models::FactSign::Yes : models::FactSign::No, u"installRight"_s, check.sentence,
                0, check.there ? tr("There") : tr("Missing"));
        }
        missing = models::missingStatements(checks);
    } else {
        m_rights->addHeading(tr("Rights of this login"));
        m_rights->add(models::FactSign::Unknown, u"installRight"_s,
            m_setup->rightsError() ? m_setup->rightsError()->line() : tr("They are being read…"), 0);
    }
    m_missingSql->setPlainText(missing);
    m_missing->setVisible(!missing.isEmpty());
    leadOn();
}

QStringList InstallWizard::lacking() const
{
    const auto &rights = m_setup->rights();
    QStringList lacking;
    if (rights && m_stage != Stage::There) {
        for (const models::InstallCheck &check : models::installChecks(*rights, m_installed)) {
            lacking += check.there ? QString() : check.sentence;
        }
        lacking.removeAll(QString());
    }
    return lacking;
}

/// Where a right is missing, what helps is what hands the SQL on: that button leads, and the one that would fail rests.
void InstallWizard::leadOn()
{
    const bool lacks = !lacking().isEmpty();
    const QString whole
        = m_stage == Stage::Upgrade ? tr("This is the whole upgrade.") : tr("This is the whole installation.");
    m_who->setText(m_stage == Stage::There ? tr("This is what an installation runs. Here it is done.")
            : lacks                        ? whole + u' ' + tr("An administrator can run it.")
                    : whole + u' ' + tr("Run it here with this login, or hand it to an administrator."));
    auto *go = findChild<QPushButton *>(u"installGo"_s);
    setLook(m_copyMissing, lacks ? ButtonLook::Primary : ButtonLook::Plain);
    setLook(m_saveSql, lacks && step() == SqlStep ? ButtonLook::Primary : ButtonLook::Plain);
    setLook(go, lacks && step() != ResultStep ? ButtonLook::Plain : ButtonLook::Primary);
    if (step() == SqlStep && m_stage != Stage::There) {
        setWhyNot(lacks ? tr("It would fail: rights are missing.") : QString());
    }
}

/// All that is missing, as the page before says it: whoever asks for one right alone would come back for the next.
void InstallWizard::warnOfRights()
{
    const QStringList missing = lacking();
    if (missing.isEmpty()) {
        return;
    }
    banner()->showNotice(NoticeBar::Kind::Warning,
        tr("The login %1 lacks %n right(s).", nullptr, int(missing.size())).arg(m_setup->rights()->login),
        missing.join(u' ') + u' ' + tr("Save the SQL for an administrator: here it would fail."));
}

QWidget *InstallWizard::sqlPage()
{
    auto *page = new QWidget(this);
    auto *sql = new QPlainTextEdit(page);
    setUpCode(sql, u"installSql"_s,
        m_stage == Stage::Upgrade ? tr("SQL that upgrades the console schema")
                                  : tr("SQL that installs the console schema"));
    sql->setLineWrapMode(QPlainTextEdit::WidgetWidth); // nothing of what runs is out of sight
    muteSqlComments(sql);
    sql->setPlainText(script());
    m_sql = sql;
    QVBoxLayout *layout = partColumn(page);
    m_who = noteLabel({}, u"installWho"_s, page);
    layout->addWidget(m_who);
    layout->addWidget(sql, 1);
    QWidget *buttons = scriptButtons(u"install"_s, page);
    m_saveSql = buttons->findChild<QPushButton *>(u"installSave"_s);
    layout->addWidget(buttons);
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
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(script()); });
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
        warnOfRights();
        if (m_stage == Stage::There) {
            setWhyNot(tr("Version %1 is installed: there is nothing to do.").arg(m_installed));
        }
        leadOn();
        m_sql->setFocus(Qt::OtherFocusReason); // not Install: an Enter meant for Next, pressed twice, would install
    } else if (step == ResultStep) {
        leadOn();
        m_setup->install();
    } else if (m_saveSql != nullptr) {
        leadOn();
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
        showRights();
        if (step() == SqlStep) {
            warnOfRights();
        }
        return;
    }
    setWhyNot(!m_setup->busy() ? QString() : m_stage == Stage::Upgrade ? tr("Upgrading…") : tr("Installing…"));
    if (m_setup->error()) {
        m_script->show();
        banner()->showError(*m_setup->error());
        m_advice->setText(tr("Nothing was changed: the script is one transaction. An administrator of the database can "
                             "run it with psql."));
    }
}

void InstallWizard::showInstalled(int version)
{
    if (m_stage == Stage::Upgrade) {
        banner()->showNotice(NoticeBar::Kind::Good,
            tr("The console schema went from version %1 to version %2.").arg(m_installed).arg(version));
        m_advice->setText(tr("Nothing else is to be done: roles, registered tables and the audit log are as before."));
        return;
    }
    banner()->showNotice(NoticeBar::Kind::Good, tr("The console schema has version %1.").arg(version));
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
        const auto written = models::writePrivateFile(path, script().toUtf8());
        if (written) {
            banner()->showNotice(NoticeBar::Kind::Info, tr("The SQL is in %1.").arg(models::displayText(path, 160)));
        } else {
            banner()->showError(written.error());
        }
    });
    openDialog(dialog);
}

} // namespace idemdesk::ui
