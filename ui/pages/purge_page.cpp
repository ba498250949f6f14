// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/purge_page.h"

#include "models/actions/action_center.h"
#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/purge/purge_controller.h"
#include "models/settings.h"
#include "models/triage/frozen_set.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/pages/target_chooser.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

PurgePage::PurgePage(models::ConnectionController *connection, models::PurgeController *purge, models::ActionCenter *center,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_purge(purge)
    , m_center(center)
    , m_settings(settings)
    , m_targets(new QComboBox(this))
    , m_stateRow(new QHBoxLayout)
    , m_now(new QCheckBox(tr("Retention over by &now"), this))
    , m_before(new QDateTimeEdit(this))
    , m_plan(new QPushButton(tr("&Plan"), this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_rights(new NoticeBar(this))
    , m_warnings(new NoticeBar(this))
    , m_summary(plainLabel({}, this))
    , m_stack(new QStackedWidget(this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_groups(new QTableView(this))
    , m_partitionPane(new QWidget(this))
    , m_partitions(new QTableView(this))
    , m_script(new QPushButton(tr("Copy script for the owner"), this))
    , m_detach(new QPushButton(tr("Detach…"), this))
    , m_asked(new NoticeBar(m_partitionPane))
    , m_empty(new EmptyState(this))
    , m_images(new QCheckBox(tr("&Keep the rows for undo"), this))
    , m_go(new QPushButton(this))
{
    setObjectName(u"purgePage"_s);
    m_rights->setObjectName(u"purgeRights"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    auto *title = plainLabel(tr("Purge"), this);
    title->setFont(Theme::title());
    buildBar();
    auto *row = new QHBoxLayout;
    row->setSpacing(2 * kGrid);
    row->addWidget(title);
    row->addWidget(m_targets);
    row->addLayout(m_stateRow);
    row->addStretch(1);
    row->addWidget(m_now);
    row->addWidget(m_before);
    row->addWidget(m_stop);
    row->addWidget(m_plan);
    layout->addLayout(row);
    layout->addWidget(m_rights);
    layout->addWidget(m_notice);
    layout->addWidget(m_warnings);
    layout->addWidget(m_summary);
    m_stack->addWidget(buildPlan());
    m_stack->addWidget(m_empty);
    layout->addWidget(m_stack, 1);
    layout->addWidget(buildFoot());
    wire();
    onTargetsChanged();
}

void PurgePage::wire()
{
    connect(m_targets, &QComboBox::activated, this, [this](int index) { chooseTarget(m_targets->itemData(index).toString()); });
    connect(m_now, &QCheckBox::toggled, this, [this](bool now) {
        m_before->setVisible(!now);
        m_before->setMaximumDateTime(QDateTime::currentDateTimeUtc());
        m_purge->forget();
    });
    connect(m_before, &QDateTimeEdit::dateTimeChanged, m_purge, &models::PurgeController::forget);
    connect(m_plan, &QPushButton::clicked, this, &PurgePage::plan);
    connect(m_stop, &QPushButton::clicked, m_purge, &models::PurgeController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, this, &PurgePage::plan);
    connect(m_rights, &NoticeBar::primaryClicked, this, [this] {
        if (m_center->mayBeAllowed()) {
            m_center->allow();
        } else if (m_center->consoleInstalled() && (!m_center->status().isAdmin || m_purge->target().registration)) {
            m_center->refresh();
        } else if (m_center->consoleInstalled()) {
            emit registerClicked(m_purge->target().target.profile.name);
        } else {
            emit installClicked();
        }
    });
    connect(m_empty, &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else {
            plan();
        }
    });
    connect(m_images, &QCheckBox::clicked, m_purge, &models::PurgeController::setImages);
    connect(m_script, &QPushButton::clicked, this, &PurgePage::copyScript);
    connect(m_detach, &QPushButton::clicked, this, &PurgePage::askDetach);
    connect(m_partitions->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &PurgePage::update);
    connect(m_center, &models::ActionCenter::partitionChanged, this, &PurgePage::plan);
    connect(m_asked, &NoticeBar::primaryClicked, m_center, &models::ActionCenter::refresh);
    connect(m_go, &QPushButton::clicked, this, &PurgePage::openDialog);
    connect(m_purge, &models::PurgeController::changed, this, &PurgePage::update);
    connect(m_center, &models::ActionCenter::changed, this, &PurgePage::update);
    connect(m_center, &models::ActionCenter::runnerChanged, this, &PurgePage::update);
    connect(m_center, &models::ActionCenter::actionEnded, this, [this](const QString &target) {
        if (target == m_purge->target().target.profile.name) {
            m_purge->forget(); // its numbers are of before
        }
    });
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &PurgePage::onTargetsChanged);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &PurgePage::update);
}

void PurgePage::onTargetsChanged()
{
    const QString kept = m_purge->target().target.profile.name;
    m_targets->clear();
    for (const models::TargetEntry &entry : m_connection->targets()) {
        if (!entry.target.profile.purge.isEmpty()) {
            addTarget(m_targets, entry.target.profile);
        }
    }
    const int index = m_targets->findData(kept);
    m_targets->setCurrentIndex(std::max(index, m_targets->count() > 0 ? 0 : -1));
    if (index < 0) {
        if (m_targets->count() > 0) {
            chooseTarget(m_targets->itemData(0).toString());
        } else {
            m_purge->setTarget({});
            fillStates();
        }
    } else if (const models::TargetEntry *entry = m_connection->target(kept); entry->registeredAt() != m_purge->target().registeredAt()) {
        chooseTarget(kept); // a plan of before was by other rules
    }
    update();
}

void PurgePage::chooseTarget(const QString &name)
{
    if (const models::TargetEntry *entry = m_connection->target(name)) {
        m_purge->setTarget(*entry);
        fillStates();
    }
}

void PurgePage::showTarget(const QString &name)
{
    m_targets->setCurrentIndex(m_targets->findData(name));
    chooseTarget(name);
}

void PurgePage::fillStates()
{
    while (QLayoutItem *item = m_stateRow->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const sql::KeyState state : m_purge->possibleStates()) {
        auto *box = new QCheckBox(models::stateLabel(state), this);
        box->setObjectName(u"purgeState_"_s + sql::stateName(state));
        box->setProperty("state", int(state));
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, m_purge, &models::PurgeController::forget);
        m_stateRow->addWidget(box);
    }
}

QList<sql::KeyState> PurgePage::chosenStates() const
{
    QList<sql::KeyState> states;
    for (int i = 0; i < m_stateRow->count(); ++i) {
        const auto *box = qobject_cast<QCheckBox *>(m_stateRow->itemAt(i)->widget());
        if (box != nullptr && box->isChecked()) {
            states.append(static_cast<sql::KeyState>(box->property("state").toInt()));
        }
    }
    return states;
}

void PurgePage::setTimeFormat(const models::TimeFormat &format)
{
    m_purge->setTimeFormat(format);
}

void PurgePage::plan()
{
    m_purge->plan(chosenStates(), m_now->isChecked() ? std::nullopt : std::optional(sql::Timestamp::fromDateTime(m_before->dateTime())));
}

void PurgePage::update()
{
    const models::TargetEntry &entry = m_purge->target();
    const bool target = entry.target.relation.oid != 0;
    const auto &planned = m_purge->planned();
    if (m_purge->error()) {
        m_notice->showError(*m_purge->error(), tr("Plan again"));
    } else if (m_center->error()) {
        m_notice->showError(*m_center->error());
    } else {
        m_notice->clear();
    }
    QString why = m_center->whyNot();
    if ((why.isEmpty() || m_center->status().isAdmin) && m_center->consoleInstalled() && target && !entry.registration) {
        why = tr("This table is not registered in the database, so no action can run on it.");
    }
    if (m_connection->state() == sql::LinkState::Connected && target && !why.isEmpty() && m_center->statusKnown()) {
        m_rights->showNotice(NoticeBar::Kind::Info, tr("A purge can be planned, not run."), why, {}, !m_center->consoleInstalled() ? tr("Install…") : m_center->mayBeAllowed() ? tr("Allow for 15 minutes") : m_center->status().isAdmin && !entry.registration ? tr("Register…")
                : m_center->rightsMissing()                                   ? tr("Look again")
                                                                              : QString());
    } else {
        m_rights->clear();
    }
    QStringList warnings = planned ? planned->warnings : QStringList();
    if (m_purge->imagesAskedFor()) {
        warnings += tr("There are more rows than the %1 for which undo copies are kept by default; choose below whether to keep them.")
                        .arg(models::countText(entry.registration->imageLimit));
    }
    if (warnings.isEmpty()) {
        m_warnings->clear();
    } else {
        m_warnings->showNotice(NoticeBar::Kind::Warning, models::displayText(warnings.first(), 400), models::displayText(warnings.mid(1, 2).join(u' '), 600),
            warnings.size() > 3 ? warnings.join(u'\n') : QString());
    }
    QString summary = m_purge->summary();
    if (planned && !planned->triggers.isEmpty()) {
        summary += u' ' + tr("What fires for each row: %1.").arg(models::displayText(planned->triggers.join(u"; "_s), 400));
    }
    m_summary->setText(summary);
    m_summary->setVisible(!summary.isEmpty());
    const bool rows = planned && planned->rows > 0;
    m_stop->setVisible(m_purge->busy());
    m_plan->setEnabled(target && !m_purge->busy() && !chosenStates().isEmpty());
    m_images->setVisible(rows);
    m_images->setChecked(planned && planned->images);
    m_go->setVisible(rows);
    m_go->setText(tr("%1…").arg(models::verbPhrase(sql::ActionVerb::Purge, planned ? planned->rows : 0)));
    m_go->setEnabled(rows && why.isEmpty() && !m_center->running());
    m_go->setToolTip(!why.isEmpty() ? why : m_center->running() ? tr("Another action is running.") : QString());
    updateDetach(why);
    m_partitionPane->setVisible(m_purge->partitions()->rowCount() > 0);
    m_stack->setCurrentWidget(rows || m_purge->partitions()->rowCount() > 0 ? static_cast<QWidget *>(m_splitter) : m_empty);
    updateEmpty();
}

/// The button for the selected partition; what was asked for about one is said even where none is selected.
void PurgePage::updateDetach(const QString &why)
{
    const auto &partitions = m_purge->partitions()->partitions();
    const auto &registration = m_purge->target().registration;
    const auto askedFor = [&](qsizetype row) {
        return registration && row >= 0 && row < partitions.size() ? m_center->openOnPartition(registration->name, partitions.at(row).name) : nullptr;
    };
    int row = m_partitions->currentIndex().row();
    for (int i = 0; row < 0 && i < partitions.size(); ++i) {
        if (askedFor(i) != nullptr) {
            m_partitions->setCurrentIndex(m_purge->partitions()->index(i, 0)); // comes back here
            return;
        }
    }
    const sql::ActionRecord *asked = askedFor(row);
    const bool approved = asked != nullptr && asked->state == sql::ActionState::Running;
    const bool waits = asked != nullptr && !approved;
    const bool others = approved && !m_center->own(*asked);
    m_detach->setText(approved ? models::carryOutLabel(*asked) + u'…' : tr("Detach…"));
    m_detach->setEnabled(row >= 0 && row < partitions.size() && (approved || partitions.at(row).onlyPurgeable) && why.isEmpty() && !waits && !others
        && !m_center->running());
    m_detach->setToolTip(!why.isEmpty() ? why : waits ? tr("It waits for another person's approval.") : others ? tr("%1 asked for it, and carries it out.").arg(asked->requestedBy) : tr("For the selected partition, where it may go whole"));
    if (asked == nullptr) {
        m_asked->clear();
        return;
    }
    const QString name = models::displayText(QString(partitions.at(row).name).remove(u'"'), 80);
    if (waits) {
        m_asked->showNotice(NoticeBar::Kind::Info, tr("Detaching %1 waits for approval.").arg(name),
            tr("%1 asked for it. Another person approves it on the Audit page; then it is detached here.").arg(asked->requestedBy), {}, tr("Look again"));
    } else {
        m_asked->showNotice(NoticeBar::Kind::Info, tr("%1 approved that %2 is detached. It is not done yet.").arg(asked->approvedBy, name),
            others ? tr("%1 asked for it, and carries it out.").arg(asked->requestedBy) : tr("“%1” does it.").arg(m_detach->text()));
    }
}

void PurgePage::updateEmpty()
{
    if (m_connection->database() == nullptr) {
        m_empty->show(u"connect"_s, tr("Not connected"), tr("Finished keys past their retention are counted here, and removed in small batches."), tr("Connect…"));
    } else if (m_purge->busy()) {
        m_empty->show(u"purge"_s, tr("Counting what would go"), tr("The count is exact, so it may take a while on a large table. Nothing is changed."));
    } else if (m_targets->count() == 0 && !m_connection->noTableBecause().isEmpty()) {
        m_empty->show(u"purge"_s, tr("No table could be read"), m_connection->noTableBecause());
    } else if (m_targets->count() == 0) {
        m_empty->show(u"purge"_s, tr("Nothing to purge"), tr("No table here has a purge rule in its profile: by which time its rows end, and in which states."));
    } else if (m_purge->planned()) {
        m_empty->show(u"purge"_s, tr("Nothing would go"), tr("No key in these states is past its retention."));
    } else {
        m_empty->show(u"purge"_s, tr("No plan yet"), tr("A plan counts, by scope and state, what would go. Nothing is changed by it."), tr("Plan"));
    }
}

void PurgePage::copyScript()
{
    QStringList statements;
    for (const sql::PartitionFacts &partition : m_purge->partitions()->partitions()) {
        if (partition.onlyPurgeable) {
            statements += partition.script;
        }
    }
    QGuiApplication::clipboard()->setText(statements.isEmpty() ? tr("-- No partition holds only rows that may go.") : statements.join(u'\n') + u'\n');
}

void PurgePage::askDetach()
{
    const models::TargetEntry entry = m_purge->target();
    const int row = m_partitions->currentIndex().row();
    if (!m_center->mayAct() || m_dialog != nullptr || !m_purge->planned() || !entry.registration || row < 0) {
        return;
    }
    const sql::PartitionFacts partition = m_purge->partitions()->partitions().at(row);
    ActionQuestion question;
    question.verb = sql::ActionVerb::Detach;
    question.rows = partition.rows;
    question.target = entry.registration->name;
    question.relation = partition.name;
    question.connection = m_connection->title();
    question.environment = m_connection->settings().environment;
    question.header = QStringList { tr("Rows"), tr("Partition"), tr("Holds") };
    question.plan = { { models::countText(partition.rows), partition.name, partition.bounds } };
    const sql::ActionRecord *open = m_center->openOnPartition(question.target, partition.name);
    const std::optional<sql::ActionRecord> approved = open != nullptr && open->state == sql::ActionState::Running ? std::optional(*open) : std::nullopt;
    if (approved) {
        question.approvedBy = approved->approvedBy;
        question.reason = approved->reason;
        question.ticket = approved->ticket;
    }
    question.approval = !approved && entry.registration->approvalAbove && partition.rows > *entry.registration->approvalAbove;
    question.undoText = tr("It is kept as a table of its own for %1, can be attached again, and can be dropped after that; a drop cannot be undone.")
                            .arg(entry.registration->undoWindow);
    m_dialog = new ActionDialog(question, this);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &QDialog::finished, this, [this] { m_dialog = nullptr; });
    connect(m_dialog, &QDialog::accepted, this, [this, dialog = m_dialog, partition, entry, approved, cutoff = m_purge->planned()->cutoff] {
        if (approved) {
            m_center->takeOver(*approved);
            return;
        }
        sql::PartitionRequest request;
        request.verb = sql::ActionVerb::Detach;
        request.target = entry.registration->name;
        request.partition = partition.name;
        request.cutoff = cutoff;
        request.reason = dialog->reason();
        request.ticket = dialog->ticket();
        m_center->changePartition(request);
    });
    m_dialog->open();
}

void PurgePage::openDialog()
{
    const models::TargetEntry entry = m_purge->target();
    if (!m_center->mayAct() || m_dialog != nullptr || !m_purge->planned() || !entry.registration) {
        return;
    }
    const sql::PurgePlan plan = *m_purge->planned();
    ActionQuestion question;
    question.verb = sql::ActionVerb::Purge;
    question.rows = plan.rows;
    question.target = entry.registration->name;
    question.relation = entry.target.profile.relation;
    question.connection = m_connection->title();
    question.environment = m_connection->settings().environment;
    question.header = QStringList { tr("Rows"), tr("Scope"), tr("State") };
    for (const sql::PurgeGroup &group : plan.groups) {
        question.plan.append({ models::countText(group.rows), models::scopeText(group.scope), models::stateLabel(group.state) });
    }
    question.warnings = plan.warnings;
    question.undoable = plan.images;
    question.undoText = tr("The rows are kept for %1 and can be put back.").arg(entry.registration->undoWindow);
    question.approval = entry.registration->approvalAbove && plan.rows > *entry.registration->approvalAbove;
    question.throttle = true;
    m_dialog = new ActionDialog(question, this);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &QDialog::finished, this, [this] { m_dialog = nullptr; });
    connect(m_dialog, &QDialog::accepted, this, [this, dialog = m_dialog, entry, plan] {
        sql::ActionRequest request;
        request.target = entry.registration->name;
        request.verb = sql::ActionVerb::Purge;
        request.reason = dialog->reason();
        request.ticket = dialog->ticket();
        request.profileSha = entry.registration->profileSha;
        request.purge = plan;
        m_center->start(request, dialog->throttled());
    });
    m_dialog->open();
}

} // namespace idemdesk::ui
