// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connect_dialog.h"

#include "models/connection/saved_connections.h"
#include "models/connection/secret_store.h"
#include "models/format/labels.h"
#include "ui/dialogs/connect_form.h"
#include "ui/dialogs/saved_panel.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"

#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QStyle>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kDialogWidth = 200 * kGrid;
constexpr int kLeastFormHeight = 60 * kGrid;
constexpr int kScreenPart = 8 * kGrid; // of the screen's height, left for what the desktop draws around the dialog

/// As high as its form where the screen has the room; on a small one, or beside a long message, the form scrolls.
class FormScroll final : public QScrollArea
{
public:
    FormScroll(QWidget *form, QWidget *parent)
        : QScrollArea(parent)
    {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus);
        setWidget(form);
    }
    QSize sizeHint() const override
    {
        const QSize hint = widget()->sizeHint();
        const int wrapped = widget()->heightForWidth(widget()->minimumSizeHint().width()); // its notes at their longest
        return { hint.width(), std::max(hint.height(), wrapped) };
    }
    QSize minimumSizeHint() const override
    {
        return { widget()->minimumSizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent),
            kLeastFormHeight };
    }
};

} // namespace

ConnectDialog::ConnectDialog(models::SavedConnections *saved, models::SecretStore *secrets, QWidget *parent)
    : QDialog(parent)
    , m_saved(saved)
    , m_passwords(saved, secrets)
    , m_panel(new SavedPanel(saved, this))
    , m_form(new ConnectForm(m_passwords.available(), this))
    , m_banner(new NoticeBar(this))
{
    setObjectName(u"connectDialog"_s);
    setWindowTitle(tr("Connect to a database"));
    setAccessibleName(windowTitle());
    buildLayout();
    wire();
    const QString last = saved->lastUsed();
    showSaved(saved->find(last) != nullptr || saved->all().isEmpty() ? last : saved->all().constFirst().id);
    m_form->focusFirst();
}

void ConnectDialog::buildLayout()
{
    auto *columns = new QHBoxLayout;
    columns->setSpacing(5 * kGrid);
    columns->addWidget(m_panel);
    columns->addWidget(new FormScroll(m_form, this), 1);
    auto *layout = dialogColumn(this);
    layout->setSpacing(3 * kGrid);
    layout->addLayout(columns, 1);
    layout->addWidget(m_banner); // beside the buttons whose answer it is; the form keeps its place
    addButtons();
    setMinimumWidth(kDialogWidth);
    const QSize wanted = sizeHint();
    const QScreen *on = screen();
    const int most = on == nullptr ? wanted.height() : on->availableGeometry().height() - kScreenPart;
    resize(std::max(wanted.width(), kDialogWidth), std::min(wanted.height(), most));
}

void ConnectDialog::addButtons()
{
    auto *buttons = new ButtonRow(this);
    m_groups = buttons->addAside(u"connectGroups"_s, tr("&Groups…"));
    m_groups->setAccessibleName(tr("Open several databases together"));
    m_groups->hide();
    // Both are about the form, and stand beneath it.
    m_test = buttons->addBack(u"connectTest"_s, tr("&Test"));
    m_test->setAccessibleName(tr("Test this connection"));
    m_save = buttons->addBack(u"connectSave"_s, tr("S&ave"));
    m_save->setAccessibleName(tr("Save this connection"));
    m_connect = buttons->addGo(u"connectConnect"_s, tr("Connect"));
    buttons->addStay(u"connectCancel"_s, tr("Cancel"));
    buttons->setDefault(m_connect); // Enter connects from every field
    guideEnter(this); // the form's buttons are there, too
    layout()->addWidget(buttons);
}

void ConnectDialog::offerGroups(bool offered)
{
    m_groups->setVisible(offered);
}

void ConnectDialog::wire()
{
    connect(m_groups, &QPushButton::clicked, this, &ConnectDialog::groupsClicked);
    connect(m_save, &QPushButton::clicked, this, &ConnectDialog::save);
    connect(m_test, &QPushButton::clicked, this, &ConnectDialog::requestTest);
    connect(m_connect, &QPushButton::clicked, this, &ConnectDialog::requestConnect);
    connect(m_form, &ConnectForm::changed, this, &ConnectDialog::updateButtons);
    connect(m_panel, &SavedPanel::chosen, this, &ConnectDialog::changeTo);
    connect(m_panel, &SavedPanel::opened, this, &ConnectDialog::requestConnect);
    connect(m_panel, &SavedPanel::newClicked, this, [this] { leaveForm([this] { showSaved({}); }); });
    connect(m_panel, &SavedPanel::duplicateClicked, this,
        [this](const QString &id) { leaveForm([this, id] { duplicate(id); }); });
    connect(m_panel, &SavedPanel::removeConfirmed, this, &ConnectDialog::remove);
    connect(&m_passwords, &models::PasswordKeeper::noted, this, [this](const QString &id, bool kept) {
        if (m_shown == id) {
            m_form->setPasswordKept(kept);
        }
    });
    connect(&m_passwords, &models::PasswordKeeper::failed, this, [this](const sql::Error &error) {
        m_form->setCanKeep(m_passwords.available());
        m_banner->showError(error); // connecting goes on: the password typed serves this session
    });
    connect(&m_trial, &models::ConnectionTrial::succeeded, this, &ConnectDialog::showTested);
    connect(&m_trial, &models::ConnectionTrial::failed, this, &ConnectDialog::showError);
}

void ConnectDialog::setBusy(bool busy)
{
    if (busy == m_busy) {
        return;
    }
    m_busy = busy;
    if (busy) {
        m_focused = focusWidget();
    }
    for (QWidget *widget : std::initializer_list<QWidget *> { m_panel, m_form, m_save, m_test, m_groups, m_connect }) {
        widget->setEnabled(!busy);
    }
    updateButtons();
    if (!busy && m_focused != nullptr && m_focused->isEnabled()) {
        m_focused->setFocus(Qt::OtherFocusReason);
    }
}

/// Going to a saved connection keeps what was changed of it: a mark as production that held only today would be a trap
/// tomorrow.
bool ConnectDialog::savesFirst() const
{
    return !m_shown.isEmpty() && m_form->connectionEdited();
}

void ConnectDialog::updateButtons()
{
    const bool testing = m_trial.busy();
    m_test->setText(m_busy && testing ? tr("Testing…") : tr("&Test"));
    m_connect->setText(m_busy && !testing ? tr("Connecting…") : savesFirst() ? tr("Save and connect") : tr("Connect"));
}

void ConnectDialog::showError(const sql::Error &error)
{
    setBusy(false);
    m_toKeep.reset();
    m_banner->showError(error);
    m_form->focusFirst();
}

void ConnectDialog::changeTo(const QString &id)
{
    if (id == m_shown) {
        return;
    }
    if (!m_form->edited()) {
        showSaved(id);
        return;
    }
    // Later: the list is still in the middle of changing its selection.
    QMetaObject::invokeMethod(
        this,
        [this, id] {
            m_panel->select(m_shown); // what is in the form stays selected until the person decides
            leaveForm([this, id] { showSaved(id); });
        },
        Qt::QueuedConnection);
}

void ConnectDialog::leaveForm(const std::function<void()> &next)
{
    if (!m_form->edited()) {
        next();
        return;
    }
    QMessageBox *question = questionBox(this, u"connectEditsQuestion"_s, tr("Unsaved changes"),
        tr("The connection in the form was changed and not saved."), tr("Save it before another one is shown?"));
    QPushButton *keep = addAnswer(question, u"connectEditsSave"_s, tr("Save"), QMessageBox::AcceptRole);
    QPushButton *drop = addAnswer(question, u"connectEditsDiscard"_s, tr("Discard"));
    connect(keep, &QPushButton::clicked, this, [this, next] {
        if (save()) {
            next();
        }
    });
    connect(drop, &QPushButton::clicked, this, next);
    openQuestion(question);
}

void ConnectDialog::showSaved(const QString &id)
{
    m_panel->select(id);
    m_shown = m_panel->currentId();
    const models::SavedConnection *current = m_saved->find(m_shown);
    m_form->setConnection(current == nullptr ? models::SavedConnection() : *current);
    m_banner->clear();
    if (m_shown.isEmpty()) {
        m_form->focusFirst();
    }
}

void ConnectDialog::duplicate(const QString &id)
{
    const models::SavedConnection *known = m_saved->find(id);
    if (known == nullptr) {
        return;
    }
    models::SavedConnection copy = *known;
    copy.id.clear();
    copy.name = tr("%1 (copy)").arg(known->name);
    copy.passwordInKeychain = false; // it is kept for the other one
    showSaved({});
    m_form->setConnection(copy);
    m_form->focusFirst();
}

bool ConnectDialog::store(models::SavedConnection *connection)
{
    const auto stored = m_saved->save(*connection);
    if (!stored.ok()) {
        showError(stored.error());
        return false;
    }
    *connection = *stored;
    m_form->adopt(*stored); // what is typed stays: the password is still wanted
    m_panel->select(stored->id);
    m_shown = stored->id;
    return true;
}

bool ConnectDialog::save()
{
    auto entered = m_form->connection();
    if (!entered.ok()) {
        showError(entered.error());
        return false;
    }
    m_banner->clear();
    if (!store(&*entered)) {
        return false;
    }
    if (entered->passwordInKeychain && m_form->keepPassword() && !m_form->password().isEmpty()) {
        m_banner->showNotice(NoticeBar::Kind::Good, tr("The connection is saved."),
            tr("The keychain keeps the password it has until the server has taken the new one: connect once."));
    } else {
        storeSecret(*entered, m_form->password());
    }
    return true;
}

void ConnectDialog::accept()
{
    if (const auto kept = std::exchange(m_toKeep, std::nullopt)) {
        storeSecret(kept->first, kept->second);
    }
    QDialog::accept();
}

void ConnectDialog::done(int result)
{
    m_passwords.dropFetch();
    m_trial.stop();
    QDialog::done(result);
}

void ConnectDialog::storeSecret(const models::SavedConnection &connection, const QString &password)
{
    if (m_form->keepPassword() && !password.isEmpty()) {
        m_passwords.keep(connection, password);
    } else if (!m_form->keepPassword() && connection.passwordInKeychain) {
        m_passwords.forget(connection);
    }
}

void ConnectDialog::remove(const QString &id)
{
    const models::SavedConnection *known = m_saved->find(id);
    if (known == nullptr) {
        return;
    }
    m_passwords.forgetRemoved(*known);
    m_saved->remove(id);
    showSaved(m_saved->all().isEmpty() ? QString() : m_saved->all().constFirst().id);
}

void ConnectDialog::requestConnect()
{
    if (m_busy) {
        return;
    }
    auto entered = m_form->connection();
    if (!entered.ok()) {
        showError(entered.error());
        return;
    }
    m_banner->clear();
    const QString typed = m_form->password();
    m_toKeep.reset();
    const bool keeps = m_form->keepPassword(); // as it was said: saving may change the box
    if (savesFirst() || (!typed.isEmpty() && keeps)) {
        if (!store(&*entered)) {
            return;
        }
        if (!typed.isEmpty() && keeps) {
            m_toKeep = { *entered, typed };
        } else {
            storeSecret(*entered, typed);
        }
    }
    withPassword(*entered, [this, id = entered->id](const sql::ConnectionSettings &settings) {
        if (!id.isEmpty()) {
            m_saved->setLastUsed(id);
        }
        emit connectRequested(settings);
    });
}

void ConnectDialog::withPassword(
    const models::SavedConnection &connection, const std::function<void(const sql::ConnectionSettings &)> &next)
{
    setBusy(true);
    sql::ConnectionSettings settings = connection.settings();
    settings.password = m_form->password();
    if (!settings.password.isEmpty() || !m_form->keepPassword() || !connection.passwordInKeychain) {
        next(settings);
        return;
    }
    m_passwords.fetch(connection, [this, settings, next](const sql::Result<QString> &password) {
        if (!password) {
            showError(password.error());
            m_form->setCanKeep(m_passwords.available());
            return;
        }
        sql::ConnectionSettings whole = settings;
        whole.password = *password;
        next(whole);
    });
}

void ConnectDialog::requestTest()
{
    const auto entered = m_form->connection();
    if (!entered.ok()) {
        showError(entered.error());
        return;
    }
    m_banner->clear();
    withPassword(*entered, [this](const sql::ConnectionSettings &settings) {
        m_tested.start();
        m_trial.start(settings);
        updateButtons();
    });
}

void ConnectDialog::showTested(const sql::ServerFacts &facts)
{
    setBusy(false);
    const QStringList who { tr("%1 as %2").arg(facts.database, facts.user) };
    m_banner->showNotice(NoticeBar::Kind::Good,
        tr("The connection works. The server answered in %1 ms.").arg(m_tested.elapsed()),
        (who + models::serverWords(facts)).join(u" · "_s));
}

} // namespace idemdesk::ui
