// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/register_dialog.h"

#include "models/console/console_setup.h"
#include "models/format/display_text.h"
#include "ui/dialogs/wrapped_rows.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/text_view.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kRegisterLeast = 160 * kGrid;
constexpr int kRegisterWidth = 210 * kGrid;
constexpr int kRegisterHeight = 160 * kGrid; // fits into a window of 1024 x 700
constexpr int kDeniedHeight = 88 * kGrid; // a few lines alone
constexpr int kGrantLines = 6;

} // namespace

RegisterDialog::RegisterDialog(models::ConsoleSetup *setup, const sql::Target &target, QWidget *parent,
    sql::Environment environment, const QString &connection)
    : QDialog(parent)
    , m_setup(setup)
    , m_target(target)
    , m_notice(new NoticeBar(this))
    , m_denied(new EmptyState(this))
    , m_findings(new QStandardItemModel(0, 2, this))
    , m_findingsTitle(strongLabel(tr("What was found"), this))
    , m_grants(new QPlainTextEdit(this))
    , m_copy(new QPushButton(themedIcon(u"copy"_s), tr("Copy"), this))
    , m_approval(new QCheckBox(tr("Another person must &approve actions on more than"), this))
    , m_above(new QSpinBox(this))
    , m_days(new QSpinBox(this))
{
    setObjectName(u"registerDialog"_s);
    setWindowTitle(tr("Register a table"));
    auto *layout = dialogColumn(this);
    if (QLabel *band = environmentBand(environment, connection, this)) {
        layout->addWidget(band);
    }
    const QString name = target.profile.title.isEmpty() ? target.profile.relation : target.profile.title;
    QLabel *title = titleLabel(tr("Enable actions on %1").arg(models::displayText(name, 80)), this);
    title->setWordWrap(true);
    m_findingsTable = buildFindings();
    m_findingsTitle->setBuddy(m_findingsTable);
    m_first = buildGrants();
    layout->addWidget(title);
    layout->addWidget(m_notice);
    m_denied->setObjectName(u"registerDenied"_s);
    m_denied->setCompact(true);
    m_denied->hide();
    layout->addWidget(m_denied, 1);
    layout->addWidget(m_findingsTitle);
    layout->addWidget(m_findingsTable, 1);
    layout->addStretch(0); // before something is found, what is asked stays at the bottom
    layout->addWidget(m_first);
    layout->addWidget(buildChoices());
    layout->addSpacing(2 * kGrid);
    layout->addWidget(buildButtons());
    wire();
    guideEnter(this, { m_approval, m_above, m_days }, m_go);
    setMinimumWidth(kRegisterLeast);
    resize(kRegisterWidth, kRegisterHeight);
    setup->look(target);
    refresh();
}

QTableView *RegisterDialog::buildFindings()
{
    auto *table = new QTableView(this);
    setUpSmallTable(
        table, { u"registerFindings"_s, tr("What was found"), m_findings, {}, QAbstractItemView::ExtendedSelection });
    auto *copyLines = new QAction(tr("Copy"), table);
    copyLines->setShortcut(QKeySequence::Copy);
    copyLines->setShortcutContext(Qt::WidgetShortcut);
    table->addAction(copyLines);
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copyLines, &QAction::triggered, table, [table] {
        QStringList lines;
        for (const QModelIndex &index : table->selectionModel()->selectedRows()) {
            lines += index.data().toString() + u": "_s + index.siblingAtColumn(1).data(Qt::ToolTipRole).toString();
        }
        QGuiApplication::clipboard()->setText(lines.join(u'\n'));
    });
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    table->horizontalHeader()->setStretchLastSection(true);
    wrapRows(table, Theme::scaled(kRowHeight)); // a finding is read whole
    return table;
}

QWidget *RegisterDialog::buildGrants()
{
    auto *part = new QWidget(this);
    QLabel *title = strongLabel(tr("To be run first, in this order"), part);
    m_copy->setObjectName(u"registerCopy"_s);
    m_copy->setAccessibleName(tr("Copy what must be run first"));
    setUpCode(m_grants, u"registerGrants"_s, title->text());
    m_grants->setFixedHeight(kGrantLines * m_grants->fontMetrics().lineSpacing() + 4 * kGrid);
    auto *bar = barRow({ title, nullptr, m_copy });
    QVBoxLayout *layout = partColumn(part);
    layout->addLayout(bar);
    layout->addWidget(m_grants);
    return part;
}

QWidget *RegisterDialog::buildChoices()
{
    m_safeguards = new QWidget(this);
    m_approval->setObjectName(u"registerApproval"_s);
    m_above->setObjectName(u"registerAbove"_s);
    m_days->setObjectName(u"registerDays"_s);
    m_above->setRange(0, 10'000'000);
    m_above->setValue(1'000);
    m_above->setGroupSeparatorShown(true);
    m_above->setSuffix(tr(" rows"));
    m_above->setAccessibleName(tr("Rows above which approval is needed"));
    m_approval->setChecked(true); // whoever wants no second person says so
    m_days->setRange(1, 90);
    m_days->setValue(7);
    m_days->setSuffix(tr(" days"));
    m_days->setAccessibleName(tr("Days for which actions can be undone"));
    auto *column = partColumn(m_safeguards);
    column->addWidget(strongLabel(tr("Safeguards"), m_safeguards));
    auto *choices = new QGridLayout;
    choices->setHorizontalSpacing(3 * kGrid);
    choices->setVerticalSpacing(2 * kGrid);
    choices->addWidget(m_approval, 0, 0);
    choices->addWidget(m_above, 0, 1);
    choices->addWidget(buddyLabel(tr("Actions can be &undone for"), m_days, this), 1, 0);
    choices->addWidget(m_days, 1, 1);
    choices->setColumnStretch(2, 1);
    column->addLayout(choices);
    return m_safeguards;
}

QWidget *RegisterDialog::buildButtons()
{
    auto *buttons = new ButtonRow(this);
    m_again = buttons->addAside(u"registerAgain"_s, tr("Chec&k again"));
    m_go = buttons->addGo(u"registerGo"_s, tr("&Register"));
    m_stay = buttons->addStay(u"registerCancel"_s, tr("Cancel"));
    buttons->setDefault(m_stay);
    return buttons;
}

void RegisterDialog::wire()
{
    connect(m_approval, &QCheckBox::toggled, this, &RegisterDialog::refresh);
    connect(
        m_denied, &EmptyState::buttonClicked, this, [this] { QGuiApplication::clipboard()->setText(requestText()); });
    connect(m_copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_grants->toPlainText()); });
    connect(m_again, &QPushButton::clicked, this, [this] { m_setup->look(m_target); });
    connect(m_go, &QPushButton::clicked, this, [this] {
        sql::RegistrationSettings settings;
        if (m_approval->isChecked()) {
            settings.approvalAbove = m_above->value();
        }
        settings.undoWindow = QString::number(m_days->value()) + u" days"_s;
        m_setup->registerTarget(m_target, settings);
    });
    connect(m_setup, &models::ConsoleSetup::changed, this, &RegisterDialog::refresh);
    connect(m_setup, &models::ConsoleSetup::registered, this, &QDialog::accept);
}

void RegisterDialog::showFindings()
{
    m_findings->removeRows(0, m_findings->rowCount()); // clear() would take the columns, and their widths with them
    m_findings->setHorizontalHeaderLabels({ tr("Weight"), tr("Finding") });
    if (!m_setup->registration()) {
        return;
    }
    for (const sql::Registration::Item &item : m_setup->registration()->findings) {
        const bool bad = item.severity == u"problem";
        const bool grant = item.severity == u"grant";
        const bool warning = item.severity == u"warning";
        const auto color = bad ? std::optional(Token::Danger) : grant ? std::optional(Token::Warning) : std::nullopt;
        auto *weight = new QStandardItem(themedIcon(bad             ? u"error"_s
                                                 : grant || warning ? u"warning"_s
                                                                    : u"info"_s,
                                             color),
            bad           ? tr("Problem")
                : grant   ? tr("Missing right")
                : warning ? tr("Warning")
                          : tr("Note"));
        auto *text = new QStandardItem(models::displayText(item.text, models::kToolTipChars));
        text->setToolTip(text->text());
        m_findings->appendRow({ weight, text });
    }
    if (m_findings->rowCount() == 0) {
        m_findings->appendRow({ new QStandardItem(themedIcon(u"done"_s, Token::Succeeded), tr("Note")),
            new QStandardItem(tr("Nothing speaks against it.")) });
    }
}

/// What somebody without the right sends to who has it.
QString RegisterDialog::requestText() const
{
    const sql::Profile &profile = m_target.profile;
    return tr("Please register the table %1 (profile “%2”) in Idemdesk, so that actions can run on it. Or give this "
              "login the role idemdesk_admin.")
               .arg(profile.relation, profile.name)
        + u'\n' + (m_setup->error() ? m_setup->error()->line() : QString());
}

/// A matter of rights: nothing here helps, but what one asks the administrator for.
bool RegisterDialog::showDenied()
{
    const auto &error = m_setup->error();
    const bool denied = error && error->kind == sql::ErrorKind::Privilege;
    const bool first = denied && m_denied->isHidden();
    m_denied->setVisible(denied);
    if (denied) {
        m_notice->clear();
        m_denied->show(u"info"_s, tr("You cannot enable actions here."),
            models::displayText(QStringList { error->why, error->todo }.join(u' '), 600),
            tr("Copy request for your administrator"));
        m_denied->accent(); // what helps; the others look again, or go
        m_denied->findChild<QPushButton *>(u"emptyStateButton"_s)->setAutoDefault(false);
        resize(width(), first ? kDeniedHeight : height());
    }
    m_safeguards->setVisible(!denied); // nothing is to be chosen by who may not choose
    m_go->setVisible(!denied);
    m_stay->setText(denied ? tr("Close") : tr("Cancel")); // there is nothing to cancel
    m_above->setEnabled(m_approval->isChecked());
    return denied;
}

void RegisterDialog::refresh()
{
    showFindings();
    const QString grants = m_setup->grants();
    m_grants->setPlainText(grants);
    m_first->setVisible(!grants.isEmpty());
    m_findingsTitle->setVisible(m_findings->rowCount() > 0); // an empty box says nothing
    m_findingsTable->setVisible(m_findings->rowCount() > 0);
    if (showDenied()) {
        // it says all
    } else if (m_setup->error()) {
        m_notice->showError(*m_setup->error());
    } else if (m_setup->busy()) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("Each rule is tried on one row and taken back…"));
    } else if (m_setup->refused()) {
        m_notice->showNotice(
            NoticeBar::Kind::Warning, tr("The table cannot be registered yet."), tr("The findings below say why."));
    } else if (m_setup->registration()) {
        m_notice->showNotice(NoticeBar::Kind::Good, tr("The table can be registered."),
            tr("Nothing is changed before you press Register."));
    } else {
        m_notice->clear();
    }
    m_again->setEnabled(!m_setup->busy());
    m_go->setEnabled(!m_setup->busy() && m_setup->registration() && !m_setup->refused());
}

} // namespace idemdesk::ui
