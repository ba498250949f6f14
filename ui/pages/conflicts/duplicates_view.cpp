// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/conflicts/duplicates_view.h"

#include "models/connection/connection_controller.h"
#include "models/duplicates/duplicate_amounts.h"
#include "models/duplicates/duplicate_controller.h"
#include "models/duplicates/duplicate_keys.h"
#include "models/duplicates/duplicate_words.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/pages/conflicts/duplicate_badge.h"
#include "ui/pages/conflicts/mark_delegate.h"
#include "ui/theme/console_style.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

DuplicatesView::DuplicatesView(models::ConnectionController *connection, models::DuplicateController *duplicates,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_duplicates(duplicates)
    , m_targets(new TargetChooser(u"duplicatesTarget"_s, this))
    , m_span(new QComboBox(this))
    , m_filter(new QLineEdit(this))
    , m_across(new QCheckBox(tr("A&cross scopes"), this))
    , m_search(new QPushButton(tr("&Search"), this))
    , m_progress(new BusyBar(u"duplicatesProgress"_s, tr("Searching"), this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_about(iconButton(u"duplicatesAbout"_s, u"info"_s, tr("How the search went"), this))
    , m_notes(wrappedLabel({}, this))
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_table(new QTableView(this))
    , m_badge(new BadgeView(u"duplicateVerdict"_s, this))
    , m_stake(strongLabel({}, this))
    , m_why(readableLabel(u"duplicateWhy"_s, this))
    , m_keyModel(new models::DuplicateKeyModel(this))
    , m_amounts(new models::DuplicateAmounts(duplicates->model(), this))
    , m_keys(new QTableView(this))
    , m_more(noteLabel({}, u"duplicateMore"_s, this))
    , m_copy(iconButton(u"duplicateCopy"_s, u"copy"_s, tr("Copy what they share"), this))
    , m_total(strongLabel({}, this))
    , m_judge(new QPushButton(tr("&Get verdict"), this))
    , m_show(new QPushButton(tr("Show the &keys"), this))
{
    setObjectName(u"duplicatesView"_s);
    setUpTable(m_table,
        { u"duplicatesTable"_s, tr("Groups of keys that look like one request"), duplicates->model(),
            { 216, 210, 190, 240, 60, 76, 156, 156, 108, 200 } },
        settings);
    setTwoLines(m_table, settings);
    m_table->setColumnHidden(models::DuplicateModel::Scope, true); // muted beneath what they share
    m_table->setColumnHidden(models::DuplicateModel::Table, true); // chosen above
    m_table->setColumnHidden(models::DuplicateModel::Last, true); // so long after the first one
    QHeaderView *header = m_table->horizontalHeader();
    // What is at stake is read first, what tells the groups apart after it.
    header->moveSection(header->visualIndex(models::DuplicateModel::Amount), 0);
    header->moveSection(header->visualIndex(models::DuplicateModel::Shared), models::DuplicateModel::FirstKeys);
    m_table->setItemDelegateForColumn(models::DuplicateModel::Reason, new MarkDelegate(duplicateCellBadge, m_table));
    for (const int column : { models::DuplicateModel::Shared, models::DuplicateModel::FirstKeys }) {
        m_table->setItemDelegateForColumn(column, new TwoLineDelegate(TwoLineDelegate::First::Key, m_table));
    }
    m_notes->setObjectName(u"duplicatesNotes"_s);
    splitInTwo(m_split, m_table, buildDetail());
    m_stack->setContent(m_split);
    auto *layout = tabColumn(this);
    layout->addWidget(buildBar());
    layout->addWidget(m_notice);
    layout->addWidget(m_notes);
    m_total->setObjectName(u"duplicatesTotal"_s);
    layout->addWidget(m_total);
    layout->addWidget(m_stack, 1);
    wire();
    onTargetsChanged();
    syncColumns();
    showGroup();
}

void DuplicatesView::wire()
{
    connect(m_search, &QPushButton::clicked, this, &DuplicatesView::search);
    connect(m_stop, &QPushButton::clicked, m_duplicates, &models::DuplicateController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, this, &DuplicatesView::search);
    connect(m_targets, &TargetChooser::chosen, this, &DuplicatesView::sync);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else {
            search();
        }
    });
    connect(m_duplicates, &models::DuplicateController::runningChanged, this, &DuplicatesView::sync);
    connect(m_duplicates, &models::DuplicateController::found, this, &DuplicatesView::sync);
    connect(m_duplicates, &models::DuplicateController::failed, this, [this](const sql::Error &error) {
        m_error = error;
        sync();
    });
    connect(m_duplicates, &models::DuplicateController::foundSoFar, this, &DuplicatesView::sync);
    wireGroups();
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DuplicatesView::showGroup);
    connect(m_judge, &QPushButton::clicked, this, &DuplicatesView::judge);
    connect(m_table, &QTableView::activated, this, &DuplicatesView::judge);
    connect(m_copy, &QToolButton::clicked, this, [this] {
        if (const sql::DuplicateGroup *group = m_duplicates->model()->row(m_table->currentIndex().row())) {
            QGuiApplication::clipboard()->setText(group->shared);
        }
    });
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (const sql::DuplicateGroup *group = m_duplicates->model()->row(m_table->currentIndex().row())) {
            QStringList keys;
            for (const QString &key : group->sample) {
                keys += models::quoteFilterValue(key);
            }
            emit keysWanted(m_duplicates->model()->target().profile.name, u"key:"_s + keys.join(u','));
        }
    });
    connect(m_keyModel, &QAbstractItemModel::modelReset, this, &DuplicatesView::showStake);
    connect(m_keyModel, &QAbstractItemModel::dataChanged, this, &DuplicatesView::showStake);
    const auto takeDatabase = [this] {
        m_keyModel->setDatabase(m_connection->database());
        m_amounts->setDatabase(m_connection->database());
    };
    connect(m_connection, &models::ConnectionController::databaseChanged, this, takeDatabase);
    takeDatabase();
    connect(m_connection, &models::ConnectionController::stateChanged, this, &DuplicatesView::sync);
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &DuplicatesView::onTargetsChanged);
}

/// What is selected outlives a search, and how much each group is about is read once it is over.
void DuplicatesView::wireGroups()
{
    connect(m_duplicates->model(), &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        const sql::DuplicateGroup *group = m_duplicates->model()->row(m_table->currentIndex().row());
        m_looked = group != nullptr ? std::optional(*group) : std::nullopt;
    });
    connect(m_duplicates->model(), &QAbstractItemModel::modelReset, this, &DuplicatesView::lookAgain);
    connect(m_duplicates->model(), &QAbstractItemModel::dataChanged, this, &DuplicatesView::showGroup);
    connect(m_duplicates->model(), &QAbstractItemModel::dataChanged, this, &DuplicatesView::syncColumns);
    connect(m_duplicates->model(), &QAbstractItemModel::modelReset, this, &DuplicatesView::syncColumns);
    connect(m_duplicates, &models::DuplicateController::runningChanged, this,
        [this](bool running) { running ? m_amounts->drop() : m_amounts->read(); });
}

/// What says something of these groups. Without another column the last one has the rest of the width.
void DuplicatesView::syncColumns()
{
    const models::DuplicateModel &model = *m_duplicates->model();
    m_table->setColumnHidden(models::DuplicateModel::Amount, !model.anyAmount());
    m_table->setColumnHidden(models::DuplicateModel::Shared, model.onlyDigests());
}

/// Back to the group that was looked at before others came in between.
void DuplicatesView::lookAgain()
{
    const QList<sql::DuplicateGroup> &groups = m_duplicates->model()->rows();
    const auto again = std::find_if(groups.cbegin(), groups.cend(), [this](const sql::DuplicateGroup &group) {
        return m_looked && group.reason == m_looked->reason && group.scope == m_looked->scope
            && group.shared == m_looked->shared;
    });
    const int row = again == groups.cend() ? 0 : int(again - groups.cbegin());
    m_table->setCurrentIndex(m_table->model()->index(row, 0));
    showGroup();
}

QWidget *DuplicatesView::buildBar()
{
    m_span->setObjectName(u"duplicatesSpan"_s);
    m_span->setAccessibleName(tr("How far back"));
    for (const int days : { 1, 7, 30, 90 }) {
        m_span->addItem(tr("Last %n day(s)", nullptr, days), qint64(days) * 86'400);
    }
    m_span->setCurrentIndex(1);
    m_filter->setObjectName(u"duplicatesFilter"_s);
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter; optional"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::returnPressed, this, &DuplicatesView::search);
    m_across->setObjectName(u"duplicatesAcross"_s);
    m_across->setToolTip(tr("Compares keys of different customers, too. Such keys are different requests, unless a "
                            "person says otherwise."));
    m_search->setObjectName(u"duplicatesSearch"_s);
    m_about->setCheckable(true);
    connect(m_about, &QToolButton::toggled, this, &DuplicatesView::sync);
    m_stop->setObjectName(u"duplicatesStop"_s);
    auto *bar = new QWidget(this);
    auto *row = barRow({ m_targets, m_span, m_filter, m_across, m_search, m_about, m_progress, m_stop }, bar);
    row->setStretchFactor(m_filter, 1);
    return bar;
}

QWidget *DuplicatesView::buildDetail()
{
    setUpSmallTable(m_keys,
        { u"duplicateKeys"_s, tr("The first keys of the group"), m_keyModel, { 290, 160, 130, 160, 200, 110, 110 },
            QAbstractItemView::ExtendedSelection },
        kRowHeight);
    m_keys->horizontalHeader()->setStretchLastSection(false);
    for (const int column : { models::DuplicateKeyModel::Key, models::DuplicateKeyModel::Result }) {
        m_keys->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    }
    m_keys->setTextElideMode(Qt::ElideMiddle); // both ends of a reference tell it from others
    m_keys->horizontalHeader()->moveSection(models::DuplicateKeyModel::Amount, 0); // what is at stake is read first
    m_keys->setItemDelegateForColumn(models::DuplicateKeyModel::Key, new KeyDelegate(m_keys));
    m_keys->setItemDelegateForColumn(models::DuplicateKeyModel::State, new StateDelegate(m_keys));
    m_judge->setObjectName(u"duplicateJudge"_s);
    setLook(m_judge, ButtonLook::Primary);
    m_show->setObjectName(u"duplicateShow"_s);
    m_stake->setObjectName(u"duplicateStake"_s);
    auto *head = barRow({ m_badge, m_stake, m_copy, nullptr, m_show, m_judge });
    auto *detail = new QWidget(this);
    auto *layout = lowerColumn(detail);
    layout->addLayout(head);
    layout->addWidget(m_why);
    layout->addWidget(m_keys, 1);
    layout->addWidget(m_more);
    return detail;
}

void DuplicatesView::onTargetsChanged()
{
    m_targets->refill(m_connection->targets(), m_targets->target());
    sync();
}

void DuplicatesView::showTarget(const QString &name)
{
    if (m_targets->findData(name) >= 0) {
        m_targets->choose(name);
        sync();
    }
}

void DuplicatesView::focusGroups(int step)
{
    m_table->setFocus(Qt::OtherFocusReason);
    const QModelIndex next = m_table->currentIndex().siblingAtRow(m_table->currentIndex().row() + step);
    if (step != 0 && next.isValid()) {
        m_table->setCurrentIndex(next);
        judge();
    }
}

void DuplicatesView::judge()
{
    if (const sql::DuplicateGroup *group = m_duplicates->model()->row(m_table->currentIndex().row())) {
        emit judgeWanted(m_duplicates->model()->target().profile.name, group->sample, group->sampleScopes);
    }
}

void DuplicatesView::setFilter(const QString &text)
{
    m_filter->setText(text);
}

void DuplicatesView::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    m_duplicates->model()->setTimeFormat(format);
    m_keyModel->setTimeFormat(format);
}

void DuplicatesView::search()
{
    const models::TargetEntry *entry = m_connection->target(m_targets->target());
    if (entry == nullptr) {
        return;
    }
    sql::DuplicateRequest request;
    request.spanSeconds = m_span->currentData().toLongLong();
    request.acrossScopes = m_across->isChecked();
    const auto filter
        = models::parseFilter(m_filter->text(), models::vocabularyOf(entry->target.profile, m_format.zone()));
    if (!filter) {
        m_error = filter.error();
        sync();
        return;
    }
    request.filter = *filter;
    m_error.reset();
    m_keyModel->clear(); // what its rows say is read anew, too
    m_duplicates->search(entry->target, request);
}

void DuplicatesView::sync()
{
    const bool running = m_duplicates->running();
    m_notice->setError(m_error, tr("Retry"));
    m_progress->setVisible(running);
    m_stop->setVisible(running);
    m_search->setEnabled(!running && m_targets->count() > 0 && m_connection->state() == sql::LinkState::Connected);
    const bool told = m_duplicates->searched() && !running;
    QStringList notes;
    for (const QString &text : told ? m_duplicates->notes() : QStringList()) {
        notes += models::displayText(text, 400);
    }
    const bool some = m_duplicates->partly() && m_duplicates->model()->rowCount() > 0;
    if (some) {
        notes
            = { running ? tr("The search goes on: there may be more groups, and more keys in them.")
                        : tr("The search did not come to its end: there may be more groups, and more keys in them.") };
    }
    m_notes->setText(notes.join(u'\n'));
    // What could not be looked at is said at once; how the rest went, to who asks.
    const bool quiet = told && m_duplicates->complete() && m_duplicates->model()->rowCount() > 0;
    m_about->setVisible(quiet && !notes.isEmpty());
    m_notes->setVisible(!notes.isEmpty() && (!quiet || m_about->isChecked()));
    showTotal();
    m_stack->showContent(some || (told && m_duplicates->model()->rowCount() > 0));
    EmptyState *empty = m_stack->empty();
    if (empty->showNoTable(*m_connection, m_targets->count(), u"conflicts"_s,
            tr("Requests that look carried out more than once are found here."),
            tr("A search needs a table whose columns the console knows how to read."))) {
        return;
    }
    if (running) {
        empty->show(u"conflicts"_s, tr("Searching"),
            tr("Results, effects, references, fingerprints and payloads are compared in the background; nothing is "
               "changed."));
    } else if (m_duplicates->searched() && !m_duplicates->complete()) {
        empty->show(u"conflicts"_s, tr("Not all could be looked at"),
            tr("Nothing was found in what could be read. The sentences above say what could not."));
    } else if (m_duplicates->searched()) {
        empty->show(u"conflicts"_s, tr("Nothing looks like a duplicate"),
            tr("No two keys of this time share a result, an effect, a reference or a request. One key that was tried "
               "several times is not a duplicate."));
    } else {
        empty->show(u"conflicts"_s, tr("Not searched yet"),
            tr("Keys that share a result, an effect, a reference or a request, and keys with several effects, are "
               "looked for."),
            tr("Search now"));
    }
}

void DuplicatesView::showGroup()
{
    const sql::DuplicateGroup *group = m_duplicates->model()->row(m_table->currentIndex().row());
    m_badge->setVisible(group != nullptr);
    if (group != nullptr) {
        Badge badge = duplicateBadge(models::duplicateVerdict(*group));
        badge.text = models::duplicateVerdictText(*group);
        m_badge->setBadge(badge);
    }
    m_why->setText(group != nullptr ? models::displayText(models::duplicateWhy(*group), 2'000) : QString());
    if (group != nullptr) {
        m_keyModel->setGroup(m_duplicates->model()->target(), *group);
    } else {
        m_keyModel->clear();
    }
    const qint64 more = group != nullptr ? group->keys - group->sample.size() : 0;
    m_more->setText(tr("and %n more", nullptr, int(more)));
    m_more->setVisible(more > 0);
    m_copy->setVisible(group != nullptr && !group->shared.isEmpty());
    m_judge->setEnabled(group != nullptr);
    m_show->setEnabled(group != nullptr);
    showStake();
}

/// How many groups there are, and how many of them cost somebody something.
void DuplicatesView::showTotal()
{
    const QList<sql::DuplicateGroup> &groups = m_duplicates->model()->rows();
    const auto twice = std::count_if(groups.cbegin(), groups.cend(), [](const sql::DuplicateGroup &group) {
        return models::duplicateVerdict(group) == models::DuplicateVerdict::Twice;
    });
    QStringList parts { tr("%n group(s)", nullptr, int(groups.size())) };
    parts += twice > 0 ? QStringList { tr("%n probably done more than once", nullptr, int(twice)) } : QStringList();
    m_total->setText(parts.join(u" · "_s));
    m_total->setVisible(!groups.isEmpty());
}

/// The amounts come with the rows of the keys, a moment later.
void DuplicatesView::showStake()
{
    const sql::DuplicateGroup *group = m_duplicates->model()->row(m_table->currentIndex().row());
    m_keys->setColumnHidden(models::DuplicateKeyModel::Scope, m_keyModel->oneScope()); // beneath what they share
    m_keys->setColumnHidden(
        models::DuplicateKeyModel::Owner, !m_duplicates->model()->target().profile.has(sql::Role::Owner));
    QStringList parts;
    if (group != nullptr) {
        const QString amount = m_keyModel->amount();
        const QString apart = models::duplicateApart(*group);
        parts += amount.isEmpty() ? QStringList() : QStringList { tr("%1 each", "amount").arg(amount) };
        parts += tr("%n key(s)", nullptr, int(group->keys));
        parts += apart.isEmpty() ? QStringList() : QStringList { tr("%1 apart", "duration").arg(apart) };
    }
    m_stake->setText(models::displayText(parts.join(u" · "_s), 200));
}

} // namespace idemdesk::ui
