// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/roles_dialog.h"

#include "models/console/roles_controller.h"
#include "models/format/display_text.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/text_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kRolesWidth = 160 * kGrid;
constexpr int kRolesHeight = 120 * kGrid;
constexpr int kLoginWidth = 60 * kGrid;
constexpr int kSqlHeight = 14 * kGrid;

/// Each role as a chip of its own; what is no role stays a sentence.
class RoleChips final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto *model = qobject_cast<const models::RoleMembersModel *>(index.model());
        const sql::RoleMember *member = model != nullptr ? model->row(index.row()) : nullptr;
        if (member == nullptr || member->superuser) {
            QStyledItemDelegate::paint(painter, option, index);
            return;
        }
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        cell.text.clear();
        cell.widget->style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
        painter->save();
        painter->setFont(option.font);
        painter->setPen(themeColor(Token::Text));
        int left = option.rect.left() + kCellPadding;
        for (const sql::ConsoleRole role : member->roles) {
            const QString label = models::RolesController::roleLabel(role);
            const int height = option.fontMetrics.height() + kGrid;
            const QRect chip(left, option.rect.center().y() - height / 2,
                option.fontMetrics.horizontalAdvance(label) + 4 * kGrid, height);
            drawPanel(painter, chip, themeColor(Token::Base), themeColor(Token::ControlBorder), kRadius);
            painter->drawText(chip, Qt::AlignCenter, label);
            left = chip.right() + 2 * kGrid;
        }
        painter->restore();
    }
};

} // namespace

RolesDialog::RolesDialog(
    models::RolesController *roles, sql::Environment environment, const QString &connection, QWidget *parent)
    : QDialog(parent)
    , m_roles(roles)
    , m_notice(new NoticeBar(this))
    , m_verb(new QComboBox(this))
    , m_role(new QComboBox(this))
    , m_login(new QComboBox(this))
    , m_sql(new QPlainTextEdit(this))
    , m_buttons(new ButtonRow(this))
{
    setObjectName(u"rolesDialog"_s);
    setWindowTitle(tr("Roles"));
    setAccessibleName(windowTitle());
    m_roles->setParent(this);
    m_verb->setObjectName(u"rolesVerb"_s);
    m_verb->setAccessibleName(tr("Give or revoke a role"));
    m_verb->addItems({ tr("Give"), tr("Revoke") });
    m_role->setObjectName(u"rolesRole"_s);
    m_role->setAccessibleName(tr("Role"));
    for (const sql::ConsoleRole each : sql::kConsoleRoles) {
        m_role->addItem(models::RolesController::roleLabel(each), int(each));
        m_role->setItemData(m_role->count() - 1, models::RolesController::roleHelp(each), Qt::ToolTipRole);
    }
    m_role->setCurrentIndex(m_role->findData(int(sql::ConsoleRole::Operator)));
    m_login->setObjectName(u"rolesLogin"_s);
    m_login->setAccessibleName(tr("Login"));
    m_login->setEditable(true);
    m_login->setInsertPolicy(QComboBox::NoInsert);
    m_login->lineEdit()->setObjectName(u"rolesLoginText"_s);
    m_login->lineEdit()->setAccessibleName(tr("Login"));
    m_login->lineEdit()->setPlaceholderText(tr("Name of a login"));
    setUpCode(m_sql, u"rolesSql"_s, tr("The SQL that will run"));
    m_sql->setFixedHeight(kSqlHeight);
    layOut(environmentBand(environment, connection, this));
    wire();
    m_roles->refresh();
    sync();
    m_login->setFocus();
    resize(kRolesWidth, kRolesHeight);
}

void RolesDialog::layOut(QLabel *band)
{
    auto *table = new QTableView(this);
    setUpSmallTable(
        table, { u"rolesTable"_s, tr("Logins and their roles"), m_roles->model(), { kLoginWidth } }, kRowHeight);
    table->setItemDelegateForColumn(models::RoleMembersModel::Roles, new RoleChips(table));
    // A login that is chosen is the one that a role is given to, or taken from.
    for (const auto chosen : { &QTableView::clicked, &QTableView::activated }) {
        connect(table, chosen, this, [this](const QModelIndex &row) {
            m_login->setEditText(models::displayText(m_roles->model()->rows().at(row.row()).login));
        });
    }
    m_copy = m_buttons->addAside(u"rolesCopy"_s, tr("&Copy SQL"));
    m_run = m_buttons->addGo(u"rolesRun"_s, tr("Give role"));
    m_buttons->setDefault(m_buttons->addStay(u"rolesClose"_s, tr("Close")));
    guideEnter(this, { m_verb, m_role, m_login->lineEdit() }, m_run); // Enter in the login gives the role
    m_to = buddyLabel({}, m_login, this);
    auto *form = barRow({ m_verb, m_role, m_to });
    form->addWidget(m_login, 1);
    m_help = noteLabel({}, u"rolesHelp"_s, this);
    auto *layout = dialogColumn(this);
    if (band != nullptr) {
        layout->addWidget(band);
    }
    layout->addWidget(titleLabel(tr("Who may do what with the console"), this));
    layout->addWidget(m_notice);
    layout->addWidget(table, 1);
    layout->addSpacing(2 * kGrid);
    layout->addWidget(strongLabel(tr("Give or revoke a role"), this));
    layout->addLayout(form);
    layout->addWidget(m_help);
    layout->addWidget(m_sql);
    layout->addWidget(m_buttons);
}

void RolesDialog::wire()
{
    connect(m_roles, &models::RolesController::changed, this, &RolesDialog::sync);
    connect(m_roles, &models::RolesController::done, this, [this](const QString &sql) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("Done: %1").arg(models::displayText(sql)));
        m_login->clearEditText();
    });
    connect(m_notice, &NoticeBar::primaryClicked, m_roles, &models::RolesController::refresh);
    for (QComboBox *box : { m_verb, m_role }) {
        connect(box, &QComboBox::currentIndexChanged, this, &RolesDialog::showSql);
    }
    connect(m_login, &QComboBox::editTextChanged, this, &RolesDialog::showSql);
    connect(m_run, &QPushButton::clicked, this, &RolesDialog::run);
    connect(m_copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(sql::membershipSql(grants(), role(), login())); });
}

bool RolesDialog::grants() const
{
    return m_verb->currentIndex() == 0;
}

sql::ConsoleRole RolesDialog::role() const
{
    return static_cast<sql::ConsoleRole>(m_role->currentData().toInt());
}

QString RolesDialog::login() const
{
    return m_login->currentText().trimmed();
}

void RolesDialog::sync()
{
    if (m_roles->error()) {
        m_notice->showError(*m_roles->error(), tr("Check again"));
    }
    if (m_roles->members() && m_login->count() == 0) {
        const QSignalBlocker blocker(m_login);
        const QString typed = m_login->currentText();
        for (const sql::RoleMember &member : m_roles->members()->logins) {
            m_login->addItem(models::displayText(member.login));
        }
        m_login->setCurrentIndex(-1);
        m_login->setEditText(typed);
    }
    showSql();
}

void RolesDialog::showSql()
{
    m_role->setToolTip(models::RolesController::roleHelp(role()));
    m_role->setAccessibleDescription(m_role->toolTip());
    m_help->setText(m_role->toolTip());
    m_to->setText(grants() ? tr("t&o login") : tr("fr&om login"));
    m_sql->setPlainText(
        login().isEmpty() ? QString() : models::displayBlock(sql::membershipSql(grants(), role(), login())));
    m_sql->setVisible(!login().isEmpty());
    m_run->setText(grants() ? tr("Give role") : tr("Revoke role"));
    const QString why = m_roles->busy() ? tr("Asking the server…")
        : login().isEmpty()             ? tr("Name a login.")
                                        : m_roles->whyNot(role());
    m_run->setEnabled(why.isEmpty());
    m_copy->setEnabled(!login().isEmpty());
    m_buttons->showReason(why);
}

void RolesDialog::run()
{
    m_notice->clear();
    m_roles->change(grants(), role(), login());
}

} // namespace idemdesk::ui
