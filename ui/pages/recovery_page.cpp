// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/recovery_page.h"

#include "models/actions/action_center.h"
#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/settings.h"
#include "models/triage/triage_controller.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/pages/table_setup.h"
#include "ui/pages/target_chooser.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::TriageClass;
using models::TriageModel;

namespace {

constexpr TriageClass kClasses[]
    = { TriageClass::SafeToRetry, TriageClass::EffectHappened, TriageClass::Abandoned, TriageClass::NeedsReview, TriageClass::Running };

QString classHelp(TriageClass cls)
{
    switch (cls) {
    case TriageClass::Running:
        return RecoveryPage::tr("Somebody is still at work on these: the row is locked, the owner is connected, or its heartbeat is fresh. They are left alone.");
    case TriageClass::EffectHappened:
        return RecoveryPage::tr("The evidence shows that the effect exists: they become succeeded, with its reference.");
    case TriageClass::SafeToRetry:
        return RecoveryPage::tr("The effect is local to the database and left nothing behind: a retry may run.");
    case TriageClass::Abandoned:
        return RecoveryPage::tr("They are past their expiry, so no client may retry them: they end as failed.");
    case TriageClass::NeedsReview:
        break;
    }
    return RecoveryPage::tr("The facts do not settle it: the effect is outside the database, or evidence is missing. Decide one key at a time.");
}

} // namespace

RecoveryPage::RecoveryPage(models::ConnectionController *connection, models::TriageController *triage, models::ActionCenter *center,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_triage(triage)
    , m_center(center)
    , m_settings(settings)
    , m_targets(new QComboBox(this))
    , m_verbs(new QComboBox(this))
    , m_filter(new QLineEdit(this))
    , m_read(new QToolButton(this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_rights(new NoticeBar(this))
    , m_classes(nullptr)
    , m_classBar(new QWidget(this))
    , m_stack(new QStackedWidget(this))
    , m_table(new QTableView(this))
    , m_empty(new EmptyState(this))
    , m_why(plainLabel({}, this))
    , m_one(new QToolButton(this))
    , m_oneMenu(new QMenu(this))
    , m_chosen(plainLabel({}, this))
    , m_go(new QPushButton(this))
{
    setObjectName(u"recoveryPage"_s);
    m_rights->setObjectName(u"recoveryRights"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    auto *title = plainLabel(tr("Recovery"), this);
    title->setFont(Theme::title());
    buildBar();
    auto *row = new QHBoxLayout;
    row->setSpacing(2 * kGrid);
    row->addWidget(title);
    row->addWidget(m_targets);
    row->addWidget(m_verbs);
    row->addWidget(m_filter, 1);
    row->addWidget(m_stop);
    row->addWidget(m_read);
    layout->addLayout(row);
    layout->addWidget(m_rights);
    layout->addWidget(m_notice);
    layout->addWidget(m_classBar);
    m_stack->addWidget(buildTable());
    m_stack->addWidget(m_empty);
    layout->addWidget(m_stack, 1);
    layout->addWidget(buildFoot());
    wire();
    onTargetsChanged();
}

void RecoveryPage::buildBar()
{
    m_targets->setObjectName(u"recoveryTarget"_s);
    m_targets->setAccessibleName(tr("Table"));
    setUpTargetChooser(m_targets);
    m_verbs->setObjectName(u"recoveryVerb"_s);
    m_verbs->setAccessibleName(tr("Action"));
    m_verbs->addItem(tr("Recover stale keys"), int(sql::ActionVerb::Recover));
    m_verbs->addItem(tr("Requeue failed keys"), int(sql::ActionVerb::Requeue));
    m_verbs->addItem(tr("Reclassify keys"), int(sql::ActionVerb::Reclassify));
    m_filter->setObjectName(u"recoveryFilter"_s);
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter, for example attempts>=3 age>1h; Enter reads the keys"));
    m_filter->setClearButtonEnabled(true);
    m_read->setObjectName(u"recoveryRead"_s);
    m_read->setIcon(themedIcon(u"refresh"_s));
    m_read->setToolTip(tr("Read again (F5)"));
    m_read->setAccessibleName(tr("Read again"));
    m_stop->setObjectName(u"recoveryStop"_s);
    m_stop->hide();
    m_classes = new QHBoxLayout(m_classBar);
    m_classes->setContentsMargins(0, 0, 0, 0);
    m_classes->setSpacing(kGrid);
    for (const TriageClass cls : kClasses) {
        auto *chip = new QToolButton(m_classBar);
        chip->setObjectName(u"class_"_s + models::triageClassName(cls));
        chip->setToolTip(classHelp(cls));
        chip->setCheckable(true);
        chip->setFocusPolicy(Qt::StrongFocus);
        m_classes->addWidget(chip);
        connect(chip, &QToolButton::clicked, this, [this, cls](bool checked) { m_triage->model()->checkClass(cls, checked); });
    }
    m_classes->addStretch(1);
}

QWidget *RecoveryPage::buildTable()
{
    m_table->setObjectName(u"recoveryTable"_s);
    m_table->setAccessibleName(tr("Keys"));
    m_table->setModel(m_triage->model());
    setUpTable(m_table, m_settings);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setItemDelegateForColumn(TriageModel::Key, new KeyDelegate(m_table));
    m_table->setItemDelegateForColumn(TriageModel::State, new StateDelegate(m_table));
    setColumnWidths(m_table, { 160, 216, 108, 112, 112, 78, 76, 96, 200 });
    return m_table;
}

QWidget *RecoveryPage::buildFoot()
{
    auto *foot = new QWidget(this);
    m_why->setObjectName(u"recoveryWhy"_s);
    m_why->setWordWrap(true);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_one->setObjectName(u"recoveryOne"_s);
    m_one->setText(tr("This key alone…"));
    m_one->setToolTip(tr("Bring the current key to a state of your own choice"));
    m_one->setPopupMode(QToolButton::InstantPopup);
    m_one->setMenu(m_oneMenu);
    m_chosen->setObjectName(u"recoveryChosen"_s);
    m_go->setObjectName(u"recoveryGo"_s);
    auto *layout = new QHBoxLayout(foot);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(m_why, 1);
    layout->addWidget(m_one);
    layout->addWidget(m_chosen);
    layout->addWidget(m_go);
    return foot;
}

void RecoveryPage::wire()
{
    connect(m_targets, &QComboBox::activated, this, [this](int index) { chooseTarget(m_targets->itemData(index).toString()); });
    connect(m_verbs, &QComboBox::activated, this, [this](int index) {
        m_triage->setVerb(static_cast<sql::ActionVerb>(m_verbs->itemData(index).toInt()));
        if (m_triage->verb() == sql::ActionVerb::Recover) {
            m_triage->read(m_filter->text());
        } else {
            // These ask no staleness, so somebody must say which keys are meant.
            m_filter->setText(m_triage->verb() == sql::ActionVerb::Requeue ? u"state:failed_final,failed_retryable"_s : u"state:failed_final"_s);
            m_triage->read(m_filter->text());
        }
    });
    connect(m_filter, &QLineEdit::returnPressed, this, [this] { m_triage->read(m_filter->text()); });
    connect(m_read, &QToolButton::clicked, this, [this] { m_triage->read(m_filter->text()); });
    connect(m_stop, &QPushButton::clicked, m_triage, &models::TriageController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, m_triage, &models::TriageController::refresh);
    connect(m_rights, &NoticeBar::primaryClicked, this, [this] {
        if (m_center->mayBeAllowed()) {
            m_center->allow();
        } else if (m_center->consoleInstalled() && (!m_center->status().isAdmin || m_triage->target().registration)) {
            m_center->refresh();
        } else if (m_center->consoleInstalled()) {
            emit registerClicked(m_triage->target().target.profile.name);
        } else {
            emit installClicked();
        }
    });
    connect(m_empty, &EmptyState::buttonClicked, this, &RecoveryPage::connectClicked);
    connect(m_go, &QPushButton::clicked, this, &RecoveryPage::openDialog);
    connect(m_oneMenu, &QMenu::aboutToShow, this, &RecoveryPage::fillChoices);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RecoveryPage::updateCurrent);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        const auto &rows = m_triage->model()->rows();
        if (index.isValid()) {
            emit keyWanted(m_triage->target().target.profile.name, rows.at(index.row()).facts.record.key.text);
        }
    });
    connect(m_triage->model(), &QAbstractItemModel::modelReset, this, [this] {
        if (m_triage->model()->rowCount() > 0) {
            m_table->setCurrentIndex(m_triage->model()->index(0, TriageModel::Key));
        }
        updateCurrent();
    });
    connect(m_triage, &models::TriageController::changed, this, &RecoveryPage::update);
    connect(m_center, &models::ActionCenter::changed, this, &RecoveryPage::update);
    connect(m_center, &models::ActionCenter::runnerChanged, this, &RecoveryPage::update);
    connect(m_center, &models::ActionCenter::actionEnded, this, [this](const QString &target) {
        if (m_triage->loaded() && target == m_triage->target().target.profile.name) {
            m_triage->refresh();
        }
    });
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &RecoveryPage::onTargetsChanged);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &RecoveryPage::update);
}

void RecoveryPage::onTargetsChanged()
{
    const QString kept = m_triage->target().target.profile.name;
    m_targets->clear();
    for (const models::TargetEntry &entry : m_connection->targets()) {
        addTarget(m_targets, entry.target.profile);
    }
    const int index = m_targets->findData(kept);
    m_targets->setCurrentIndex(index);
    if (index < 0 && m_targets->count() > 0) {
        // The first one that can be stale; the others still are a choice.
        int first = 0;
        for (int i = m_targets->count() - 1; i >= 0; --i) {
            const models::TargetEntry *entry = m_connection->target(m_targets->itemData(i).toString());
            first = entry != nullptr && entry->target.profile.stale && !entry->target.profile.recover.isEmpty() ? i : first;
        }
        m_targets->setCurrentIndex(first);
        m_triage->setTarget(*m_connection->target(m_targets->itemData(first).toString()));
        if (isVisible()) {
            m_triage->read({});
        }
    } else if (index < 0) {
        m_triage->setTarget({});
    } else if (const models::TargetEntry *entry = m_connection->target(kept); entry->registeredAt() != m_triage->target().registeredAt()) {
        const QString filter = m_filter->text();
        m_triage->setTarget(*entry); // what may be done has changed, and by which rules
        if (isVisible()) {
            m_triage->read(filter);
        }
    }
    update();
}

void RecoveryPage::chooseTarget(const QString &name)
{
    if (const models::TargetEntry *entry = m_connection->target(name)) {
        m_filter->clear();
        m_verbs->setCurrentIndex(0);
        m_triage->setVerb(sql::ActionVerb::Recover);
        m_triage->setTarget(*entry);
        m_triage->read({});
    }
}

void RecoveryPage::showTarget(const QString &name, const QString &filter)
{
    m_targets->setCurrentIndex(m_targets->findData(name));
    chooseTarget(name);
    if (!filter.isEmpty()) {
        m_filter->setText(filter);
        m_triage->read(filter);
    }
}

void RecoveryPage::activate()
{
    if (!m_triage->loaded() && !m_triage->busy() && !m_triage->error()) {
        m_triage->read(m_filter->text());
    }
}

void RecoveryPage::selectRow(int row)
{
    m_table->setCurrentIndex(m_triage->model()->index(row, TriageModel::Key));
}

void RecoveryPage::update()
{
    layout()->setEnabled(false); // each part that appears would lay the whole window out again
    const models::TargetEntry &entry = m_triage->target();
    const bool target = entry.target.relation.oid != 0;
    if (m_triage->error()) {
        m_notice->showError(*m_triage->error(), tr("Retry"));
    } else if (m_triage->more()) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("More keys match. The %1 that have been stale for the longest are shown.").arg(models::countText(models::TriageController::kMostKeys)),
            m_triage->notes().join(u' '));
    } else if (!m_triage->notes().isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Info, m_triage->notes().first(), m_triage->notes().mid(1).join(u' '));
    } else {
        m_notice->clear();
    }
    QString why = m_center->whyNot();
    if ((why.isEmpty() || m_center->status().isAdmin) && m_center->consoleInstalled() && target && !entry.registration) {
        why = tr("This table is not registered in the database, so no action can run on it.");
    }
    if (m_connection->state() == sql::LinkState::Connected && target && !why.isEmpty() && m_center->statusKnown()) {
        m_rights->showNotice(NoticeBar::Kind::Info, tr("Keys can be looked at, not changed."), why, {},
            !m_center->consoleInstalled() ? tr("Install…") : m_center->mayBeAllowed() ? tr("Allow for 15 minutes") : m_center->status().isAdmin && !entry.registration ? tr("Register…")
                : m_center->rightsMissing()                                   ? tr("Look again")
                                                                              : QString());
    } else {
        m_rights->clear();
    }
    m_stop->setVisible(m_triage->busy());
    m_verbs->setEnabled(target);
    for (int i = 0; i < m_verbs->count(); ++i) {
        m_verbs->setItemData(i, m_triage->hasRules(static_cast<sql::ActionVerb>(m_verbs->itemData(i).toInt())) ? QVariant() : QVariant(0), Qt::UserRole - 1);
    }
    const int checked = m_triage->model()->checkedCount();
    const bool rows = m_triage->model()->rowCount() > 0;
    m_go->setText(tr("%1…").arg(models::verbPhrase(m_triage->verb(), checked)));
    m_go->setEnabled(checked > 0 && why.isEmpty() && !m_center->running());
    m_go->setToolTip(!why.isEmpty() ? why : m_center->running() ? tr("Another action is running.") : QString());
    m_chosen->setText(rows ? tr("%1 of %2 chosen").arg(models::countText(checked), models::countText(m_triage->model()->rowCount())) : QString());
    m_go->setVisible(rows);
    m_one->setVisible(rows);
    m_classBar->setVisible(rows && m_triage->verb() == sql::ActionVerb::Recover);
    m_stack->setCurrentWidget(rows ? static_cast<QWidget *>(m_table) : m_empty);
    updateEmpty();
    updateClasses();
    updateCurrent();
    layout()->setEnabled(true);
    layout()->activate();
}

void RecoveryPage::updateEmpty()
{
    if (m_connection->database() == nullptr) {
        m_empty->show(u"connect"_s, tr("Not connected"), tr("Stale keys of a table appear here, each with what is known about it and what may be done."), tr("Connect…"));
    } else if (m_triage->busy()) {
        m_empty->show(u"recovery"_s, tr("Reading the keys"), tr("Locks, owners and evidence are looked up for each."));
    } else if (m_triage->target().target.relation.oid == 0) {
        m_empty->show(u"recovery"_s, tr("No table"), tr("Choose a table above."));
    } else if (m_triage->loaded()) {
        // A filter leaves keys out, and of those nothing can be said.
        const bool stale = m_triage->verb() == sql::ActionVerb::Recover;
        if (stale && m_triage->filterText().trimmed().isEmpty()) {
            m_empty->show(u"recovery"_s, tr("Nothing is stale"), tr("Every key in progress is within its lease or age."));
        } else {
            m_empty->show(u"filter"_s, stale ? tr("No stale key matches the filter") : tr("No key matches"),
                stale ? tr("Other keys may be stale. Change the filter above, or clear it and press Enter.") : tr("Change the filter above."));
        }
    } else {
        m_empty->show(u"recovery"_s, tr("Not read"), tr("Press Enter in the filter to read the keys."));
    }
}

void RecoveryPage::updateClasses()
{
    struct Tally {
        int keys = 0;
        bool may = false;
        bool all = true;
    };
    std::array<Tally, std::size(kClasses)> tallies; // by class: all of them have a chip
    for (const TriageModel::Row &row : m_triage->model()->rows()) { // thousands: once for all classes
        Tally &tally = tallies.at(std::size_t(row.judgement.cls));
        ++tally.keys;
        if (row.may) {
            tally.may = true;
            tally.all = tally.all && row.checked;
        }
    }
    for (const TriageClass cls : kClasses) {
        const auto &[keys, may, all] = tallies.at(std::size_t(cls));
        auto *chip = m_classBar->findChild<QToolButton *>(u"class_"_s + models::triageClassName(cls));
        chip->setText(tr("%1 (%2)", "class, number").arg(models::triageClassLabel(cls), models::countText(keys)));
        chip->setEnabled(may);
        chip->setChecked(may && all);
        // The style's own shade for a pressed button is hardly seen on a dark ground.
        QPalette colors;
        if (chip->isChecked()) {
            colors.setColor(QPalette::Button, mixed(themeColor(Token::Base), themeColor(Token::Accent), 0.35));
        }
        chip->setPalette(colors);
    }
}

void RecoveryPage::updateCurrent()
{
    const int row = m_table->currentIndex().row();
    const auto &rows = m_triage->model()->rows();
    if (row < 0 || row >= rows.size()) {
        m_why->clear();
        m_one->setEnabled(false);
        return;
    }
    m_why->setText(models::displayText(rows.at(row).judgement.reasons.join(u' '), 900));
    const bool may = m_center->mayAct() && m_triage->target().registration && !m_center->running();
    m_one->setEnabled(may && !m_triage->choices(row).isEmpty());
}

void RecoveryPage::fillChoices()
{
    m_oneMenu->clear();
    const int row = m_table->currentIndex().row();
    for (const auto &to : m_triage->choices(row)) {
        QAction *action = m_oneMenu->addAction(to ? tr("Make it “%1”…").arg(models::stateLabel(*to)) : tr("Delete it…"));
        connect(action, &QAction::triggered, this, [this, row, to] { ask(m_triage->chosenOne(row, to)); });
    }
}

void RecoveryPage::openDialog()
{
    ask(m_triage->chosen());
}

void RecoveryPage::ask(const models::FrozenSet &set)
{
    const models::TargetEntry entry = m_triage->target();
    if (!m_center->mayAct() || m_dialog != nullptr || set.rows.isEmpty() || !entry.registration) {
        return;
    }
    ActionQuestion question;
    question.verb = m_triage->verb();
    question.rows = set.rows.size();
    question.target = entry.registration->name;
    question.relation = entry.target.profile.relation;
    question.connection = m_connection->title();
    question.environment = m_connection->settings().environment;
    question.header = QStringList { tr("Keys"), tr("Scope"), tr("Class"), tr("Becomes") };
    for (const models::FrozenGroup &group : set.groups) {
        const auto to = sql::stateFromName(group.to);
        question.plan.append({ models::countText(group.rows), group.scope, group.cls ? models::triageClassLabel(*group.cls) : u"–"_s,
            to ? models::stateLabel(*to) : tr("Deleted") });
    }
    question.skippedHeader = QStringList { tr("Scope"), tr("Key"), tr("Class"), tr("Why") };
    for (const models::SkippedKey &key : set.skipped) {
        question.skipped.append({ models::scopeText(key.record.scope), key.record.key.text, models::triageClassLabel(key.cls), key.why });
    }
    question.undoText = tr("It can be undone for %1, as long as nobody touches the key.").arg(entry.registration->undoWindow);
    question.approval = entry.registration->approvalAbove && question.rows > *entry.registration->approvalAbove;
    m_dialog = new ActionDialog(question, this);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &QDialog::finished, this, [this] { m_dialog = nullptr; });
    connect(m_dialog, &QDialog::accepted, this, [this, dialog = m_dialog, entry, rows = set.rows, verb = question.verb] {
        sql::ActionRequest request;
        request.target = entry.registration->name;
        request.verb = verb;
        request.reason = dialog->reason();
        request.ticket = dialog->ticket();
        request.profileSha = entry.registration->profileSha;
        request.rows = rows;
        m_center->start(request);
    });
    m_dialog->open();
}

} // namespace idemdesk::ui
