// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/purge/partitions_pane.h"

#include "models/actions/action_center.h"
#include "models/actions/action_words.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/purge/purge_controller.h"
#include "ui/delegates/key_delegate.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/pages/purge/partition_calendar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

PartitionsPane::PartitionsPane(models::ConnectionController *connection, models::PurgeController *purge,
    models::ActionCenter *center, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_purge(purge)
    , m_center(center)
    , m_table(new QTableView(this))
    , m_calendar(new PartitionCalendar(this))
    , m_script(new QPushButton(tr("Copy script for the owner"), this))
    , m_detach(new QPushButton(tr("Detach…"), this))
    , m_detachNote(noteLabel({}, u"purgeDetachNote"_s, this))
    , m_asked(new NoticeBar(this))
{
    setUpTable(m_table,
        { u"purgePartitions"_s, tr("Partitions"), m_purge->partitions(), { 330, 390, 80, 80, 90, 120 } }, settings);
    m_table->setItemDelegateForColumn(models::PartitionsModel::Name, new KeyDelegate(m_table));
    m_script->setObjectName(u"purgeScript"_s);
    m_script->setToolTip(tr("Only the owner of a table may detach its partitions"));
    m_detach->setObjectName(u"purgeDetach"_s);
    m_asked->setObjectName(u"purgeAsked"_s);
    auto *head = new QHBoxLayout;
    head->addWidget(plainLabel(tr("Partitions (detaching is faster than purging)"), this), 1);
    m_detachNote->setWordWrap(false);
    head->addWidget(m_detachNote);
    head->addWidget(m_script);
    head->addWidget(m_detach);
    auto *layout = lowerColumn(this);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(head);
    layout->addWidget(m_asked);
    layout->addWidget(m_calendar);
    layout->addWidget(m_table, 1);
    connect(m_script, &QPushButton::clicked, this, &PartitionsPane::copyScript);
    connect(m_detach, &QPushButton::clicked, this, &PartitionsPane::askDetach);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &PartitionsPane::sync);
    connect(m_purge->partitions(), &QAbstractItemModel::modelReset, this, &PartitionsPane::fillCalendar);
    connect(m_calendar, &PartitionCalendar::chosen, this,
        [this](int row) { m_table->setCurrentIndex(m_purge->partitions()->index(row, 0)); });
    fillCalendar();
    connect(m_asked, &NoticeBar::primaryClicked, m_center, &models::ActionCenter::refresh);
}

void PartitionsPane::setWhyNot(const QString &why)
{
    m_why = why;
    sync();
}

void PartitionsPane::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    fillCalendar();
    m_calendar->setCurrent(m_table->currentIndex().row());
}

void PartitionsPane::fillCalendar()
{
    const models::PartitionsModel *model = m_purge->partitions();
    QStringList texts;
    for (int row = 0; row < model->rowCount(); ++row) {
        const sql::PartitionFacts &facts = model->rows().at(row);
        texts += tr("%1: %2, %3 of %4 rows expired", "partition, status, numbers")
                     .arg(model->index(row, models::PartitionsModel::Name).data().toString(),
                         model->index(row, models::PartitionsModel::Verdict).data().toString(),
                         models::countText(facts.purgeable), models::countText(facts.rows));
    }
    m_calendar->setPeriods(models::partitionPeriods(model->rows(), m_format.zone()), texts, m_format.zoneText());
}

void PartitionsPane::sync()
{
    m_calendar->setCurrent(m_table->currentIndex().row());
    const auto &partitions = m_purge->partitions()->rows();
    const auto &registration = m_purge->target().registration;
    const auto askedFor = [&](qsizetype row) {
        return registration && row >= 0 && row < partitions.size()
            ? m_center->openOnPartition(registration->name, partitions.at(row).name)
            : nullptr;
    };
    int row = m_table->currentIndex().row();
    for (int i = 0; row < 0 && i < partitions.size(); ++i) {
        if (askedFor(i) != nullptr) {
            m_table->setCurrentIndex(m_purge->partitions()->index(i, 0)); // comes back here
            return;
        }
    }
    const sql::ActionRecord *asked = askedFor(row);
    const bool approved = asked != nullptr && asked->state == sql::ActionState::Running;
    const bool waits = asked != nullptr && !approved;
    const bool others = approved && !m_center->own(*asked);
    m_detach->setText(approved ? models::carryOutLabel(*asked) + u'…' : tr("Detach…"));
    m_detach->setEnabled(row >= 0 && row < partitions.size() && (approved || partitions.at(row).onlyPurgeable)
        && m_why.isEmpty() && !waits && !others && !m_center->busy());
    m_detach->setToolTip(!m_why.isEmpty() ? m_why
            : waits                       ? tr("It waits for another person's approval.")
            : others                      ? tr("%1 asked for it, and carries it out.").arg(asked->requestedBy)
                                          : tr("For the selected partition, where it may go whole"));
    const bool whole = std::any_of(
        partitions.cbegin(), partitions.cend(), [](const sql::PartitionFacts &facts) { return facts.onlyPurgeable; });
    m_detachNote->setText(m_detach->isEnabled()   ? QString()
            : !m_why.isEmpty() || waits || others ? QString()
            : m_center->busy()                    ? tr("Another action is running.")
            : !whole                              ? tr("None has expired as a whole.")
            : row < 0                             ? tr("Select one that may go whole.")
                                                  : tr("This one still holds rows that stay."));
    if (const models::PartitionChange *change = m_center->partitionChange()) {
        showChange(*change);
        return;
    }
    if (asked == nullptr) {
        m_asked->clear();
        return;
    }
    const QString name = models::displayText(QString(partitions.at(row).name).remove(u'"'), 80);
    if (waits) {
        m_asked->showNotice(NoticeBar::Kind::Info, tr("Detaching %1 waits for approval.").arg(name),
            tr("%1 asked for it. Another person approves it on the Audit page; then it is detached here.")
                .arg(asked->requestedBy),
            {}, tr("Look again"));
    } else {
        m_asked->showNotice(NoticeBar::Kind::Info,
            tr("%1 approved that %2 is detached. It is not done yet.").arg(asked->approvedBy, name),
            others ? tr("%1 asked for it, and carries it out.").arg(asked->requestedBy)
                   : tr("“%1” does it.").arg(m_detach->text()));
    }
}

void PartitionsPane::showChange(const models::PartitionChange &change)
{
    const QString name = models::displayText(QString(change.request().partition).remove(u'"'), 80);
    const QString verb = models::verbLabel(change.request().verb);
    if (change.wait()) {
        m_asked->showNotice(NoticeBar::Kind::Warning, tr("%1 waits: %2 is in use.").arg(verb, name),
            tr("Nothing was changed yet. It is tried again by itself."),
            models::displayText(change.wait()->detail, 400));
    } else {
        m_asked->showNotice(NoticeBar::Kind::Info, tr("%1 of %2 is under way.").arg(verb, name));
    }
}

void PartitionsPane::copyScript()
{
    QStringList statements;
    for (const sql::PartitionFacts &partition : m_purge->partitions()->rows()) {
        if (partition.onlyPurgeable) {
            statements += partition.script;
        }
    }
    QGuiApplication::clipboard()->setText(
        statements.isEmpty() ? tr("-- No partition holds only rows that may go.") : statements.join(u'\n') + u'\n');
}

void PartitionsPane::askDetach()
{
    const models::TargetEntry entry = m_purge->target();
    const int row = m_table->currentIndex().row();
    if (!m_center->mayAct() || m_dialog != nullptr || !m_purge->planned() || !entry.registration || row < 0) {
        return;
    }
    const sql::PartitionFacts partition = m_purge->partitions()->rows().at(row);
    ActionQuestion question = questionAbout(sql::ActionVerb::Detach, partition.rows, entry, *m_connection);
    question.connection = m_center->place();
    question.relation = partition.name;
    question.header = QStringList { tr("Rows"), tr("Partition"), tr("Holds") };
    question.plan = { { models::countText(partition.rows), partition.name, partition.bounds } };
    const sql::ActionRecord *open = m_center->openOnPartition(question.target, partition.name);
    const std::optional<sql::ActionRecord> approved
        = open != nullptr && open->state == sql::ActionState::Running ? std::optional(*open) : std::nullopt;
    if (approved) {
        question.approvedBy = approved->approvedBy;
        question.reason = approved->reason;
        question.ticket = approved->ticket;
    }
    question.approval = question.approval && !approved;
    question.undoText = tr("It is kept as a table of its own for %1 and can be attached again. After that it can be "
                           "dropped, which cannot be undone.")
                            .arg(entry.registration->undoWindow);
    m_dialog = new ActionDialog(question, this);
    connect(m_dialog, &QDialog::finished, this, [this] { m_dialog = nullptr; });
    connect(m_dialog, &QDialog::accepted, this,
        [this, dialog = m_dialog, partition, entry, approved, cutoff = m_purge->planned()->cutoff] {
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
    openDialog(m_dialog);
}

} // namespace idemdesk::ui
