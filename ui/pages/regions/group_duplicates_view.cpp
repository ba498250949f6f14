// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/group_duplicates_view.h"

#include "models/duplicates/duplicate_keys.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/groups/group_duplicates.h"
#include "models/groups/group_session.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/pages/conflicts/duplicate_badge.h"
#include "ui/pages/conflicts/mark_delegate.h"
#include "ui/pages/regions/filter_fault.h"
#include "ui/pages/regions/fitted_list.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"
#include "ui/widgets/wrap_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::DuplicateKeyModel;
using models::GroupDuplicateList;

GroupDuplicatesView::GroupDuplicatesView(models::GroupSession *session, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_duplicates(new models::GroupDuplicates(session, this))
    , m_keyModel(new DuplicateKeyModel(this))
    , m_targets(new TargetChooser(u"groupDuplicatesTarget"_s, this))
    , m_span(new QComboBox(this))
    , m_filter(new QLineEdit(this))
    , m_across(new QCheckBox(tr("A&cross scopes"), this))
    , m_search(new QPushButton(tr("&Search"), this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_busy(new BusyBar(u"groupDuplicatesBusy"_s, tr("Searching all members"), this))
    , m_notice(new NoticeBar(this))
    , m_total(strongLabel({}, this))
    , m_reach(noteLabel({}, u"groupDuplicatesReach"_s, this))
    , m_reasons(noteLabel({}, u"groupDuplicatesReasons"_s, this))
    , m_about(new QPushButton(this))
    , m_differences(new QPushButton(tr("Open &Differences"), this))
    , m_fault(noteLabel({}, u"groupDuplicatesFault"_s, this))
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_table(new QTableView(this))
    , m_badge(new BadgeView(u"groupDuplicateVerdict"_s, this))
    , m_where(noteLabel({}, u"groupDuplicateWhere"_s, this))
    , m_why(readableLabel(u"groupDuplicateWhy"_s, this))
    , m_show(new QPushButton(this))
    , m_keys(new QTableView(this))
{
    setObjectName(u"groupDuplicatesView"_s);
    m_notice->setObjectName(u"groupDuplicatesNotice"_s);
    m_total->setObjectName(u"groupDuplicatesTotal"_s);
    m_busy->keepItsPlace();
    setUpList(settings);
    splitInTwo(m_split, m_table, buildDetail(), 1, 1);
    m_split->setSizes({ 1, 1 });
    m_stack->setContent(m_split);
    auto *layout = tabColumn(this);
    layout->addWidget(buildBar());
    layout->addWidget(m_fault);
    layout->addWidget(m_busy);
    layout->addWidget(m_notice);
    layout->addWidget(m_total);
    layout->addWidget(buildReach());
    layout->addWidget(m_stack, 1);
    wire();
    onTargets();
    showGroup();
}

/// How far the search reaches: no member is compared with another one here.
QWidget *GroupDuplicatesView::buildReach()
{
    m_differences->setObjectName(u"groupDuplicatesDifferences"_s);
    m_differences->setVisible(m_session->kind() != sql::GroupKind::Shards);
    auto *reach = new QWidget(this);
    m_about->setObjectName(u"groupDuplicatesAbout"_s);
    m_about->setCheckable(true);
    auto *row = barRow({});
    row->addWidget(m_reach, 1);
    row->addWidget(m_about);
    row->addWidget(m_differences);
    auto *column = partColumn(reach);
    column->addLayout(row);
    column->addWidget(m_reasons);
    return reach;
}

QWidget *GroupDuplicatesView::buildBar()
{
    m_targets->setAccessibleName(tr("Table"));
    m_span->setObjectName(u"groupDuplicatesSpan"_s);
    m_span->setAccessibleName(tr("How far back"));
    for (const int days : { 1, 7, 30, 90 }) {
        m_span->addItem(tr("Last %n day(s)", nullptr, days), qint64(days) * 86'400);
    }
    m_span->setCurrentIndex(1);
    m_filter->setObjectName(u"groupDuplicatesFilter"_s);
    m_filter->setAccessibleName(tr("Filter over all members"));
    m_filter->setPlaceholderText(tr("Filter; optional"));
    m_filter->setClearButtonEnabled(true);
    m_across->setObjectName(u"groupDuplicatesAcross"_s);
    m_across->setToolTip(tr("Compares keys of different customers, too. Such keys are different requests, unless a "
                            "person says otherwise."));
    m_search->setObjectName(u"groupDuplicatesSearch"_s);
    m_stop->setObjectName(u"groupDuplicatesStop"_s);
    auto *bar = new QWidget(this);
    auto *row = new WrapRow(bar);
    row->add(m_targets, 2);
    row->add(m_span);
    row->add(m_filter, 3);
    row->add(m_across);
    row->add(m_stop);
    row->add(m_search);
    return bar;
}

void GroupDuplicatesView::setUpList(models::Settings *settings)
{
    setUpTable(m_table,
        { u"groupDuplicatesTable"_s, tr("Groups of keys that look like one request, in each member"),
            m_duplicates->list(), { 110, 250, 64, 84, 156, 240 } },
        settings);
    setTwoLines(m_table, settings);
    m_table->setItemDelegateForColumn(GroupDuplicateList::Reason, new MarkDelegate(duplicateCellBadge, m_table));
    m_table->setItemDelegateForColumn(
        GroupDuplicateList::Shared, new TwoLineDelegate(TwoLineDelegate::First::Key, m_table));
}

QWidget *GroupDuplicatesView::buildDetail()
{
    setUpSmallTable(m_keys,
        { u"groupDuplicateKeys"_s, tr("The first keys of the group"), m_keyModel,
            { 290, 160, 130, 160, 200, 110, 110 } },
        kRowHeight);
    m_keys->horizontalHeader()->setStretchLastSection(false);
    for (const int column : { DuplicateKeyModel::Key, DuplicateKeyModel::Result }) {
        m_keys->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    }
    m_keys->setTextElideMode(Qt::ElideMiddle); // both ends of a reference tell it from others
    m_keys->horizontalHeader()->moveSection(DuplicateKeyModel::Amount, 0); // what is at stake is read first
    m_keys->setItemDelegateForColumn(DuplicateKeyModel::Key, new KeyDelegate(m_keys));
    m_keys->setItemDelegateForColumn(DuplicateKeyModel::State, new StateDelegate(m_keys));
    m_show->setObjectName(u"groupDuplicateShow"_s);
    m_where->setWordWrap(false);
    auto *detail = new QWidget(this);
    auto *layout = lowerColumn(detail);
    layout->addLayout(barRow({ m_badge, m_where, nullptr, m_show }));
    layout->addWidget(m_why);
    layout->addWidget(m_keys, 1);
    layout->addStretch(0);
    return detail;
}

void GroupDuplicatesView::wire()
{
    connect(m_search, &QPushButton::clicked, this, &GroupDuplicatesView::refresh);
    connect(m_filter, &QLineEdit::returnPressed, this, &GroupDuplicatesView::search);
    connect(m_targets, &TargetChooser::chosen, this, &GroupDuplicatesView::forget);
    connect(m_span, &QComboBox::activated, this, &GroupDuplicatesView::forget);
    connect(m_filter, &QLineEdit::textEdited, this, &GroupDuplicatesView::forget);
    connect(m_across, &QCheckBox::clicked, this, &GroupDuplicatesView::forget);
    connect(m_differences, &QPushButton::clicked, this, [this] { emit differencesWanted(m_targets->target()); });
    connect(m_about, &QPushButton::toggled, this, &GroupDuplicatesView::syncReach);
    connect(m_stop, &QPushButton::clicked, m_duplicates, &models::GroupDuplicates::stop);
    connect(m_notice, &NoticeBar::primaryClicked, this, &GroupDuplicatesView::refresh);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, &GroupDuplicatesView::refresh);
    connect(m_session, &models::GroupSession::memberChanged, this, &GroupDuplicatesView::onTargets);
    connect(m_duplicates, &models::GroupDuplicates::changed, this, &GroupDuplicatesView::sync);
    connect(m_duplicates->list(), &QAbstractItemModel::modelReset, this, [this] {
        m_table->setCurrentIndex(m_table->model()->index(0, GroupDuplicateList::Reason));
        fitToRows(m_table, m_duplicates->list()->rowCount());
        showGroup();
    });
    connect(m_duplicates->list(), &QAbstractItemModel::dataChanged, this, &GroupDuplicatesView::showGroup);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &GroupDuplicatesView::showGroup);
    connect(m_table, &QTableView::activated, this, &GroupDuplicatesView::showKeys);
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (m_show->menu() == nullptr) { // else a shortcut would open it, and choose as well
            showKeys();
        }
    });
    connect(m_session, &models::GroupSession::databaseChanged, this, [this] { m_keyModel->setDatabase(nullptr); });
}

void GroupDuplicatesView::onTargets()
{
    m_targets->refill(m_session->eachTarget(), m_targets->target());
    sync();
}

void GroupDuplicatesView::search()
{
    if (m_targets->target().isEmpty()) {
        return;
    }
    const QString fault = filterFault(*m_session, m_targets->target(), m_filter->text(), m_format.zone());
    showFault(m_fault, fault);
    if (!fault.isEmpty()) { // no member need be asked
        m_duplicates->forget();
        return;
    }
    models::GroupDuplicates::Choice choice { m_targets->target(), m_filter->text(), m_format.zone(), {} };
    choice.request.spanSeconds = m_span->currentData().toLongLong();
    choice.request.acrossScopes = m_across->isChecked();
    m_duplicates->search(choice);
}

void GroupDuplicatesView::refresh()
{
    for (int member = 0; member < m_session->size(); ++member) {
        if (!m_session->answered(member)) {
            m_session->refresh(member);
        }
    }
    search();
}

void GroupDuplicatesView::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    m_duplicates->list()->setTimeFormat(format);
    m_keyModel->setTimeFormat(format);
}

const models::MemberDuplicate *GroupDuplicatesView::current() const
{
    return m_duplicates->list()->row(m_table->currentIndex().row());
}

void GroupDuplicatesView::sync()
{
    const bool running = m_duplicates->running();
    m_busy->setVisible(running);
    m_stop->setVisible(running);
    m_search->setEnabled(!running && !m_targets->target().isEmpty());
    syncNotice();
    syncTotal();
    m_stack->showContent(m_duplicates->list()->rowCount() > 0);
    syncEmpty();
}

void GroupDuplicatesView::syncTotal()
{
    const QList<models::MemberDuplicate> &rows = m_duplicates->list()->rows();
    const auto twice = std::count_if(rows.cbegin(), rows.cend(), [](const models::MemberDuplicate &row) {
        return models::duplicateVerdict(row.group) == models::DuplicateVerdict::Twice;
    });
    QStringList parts { tr("%n group(s)", nullptr, int(rows.size())) };
    parts += twice > 0 ? QStringList { tr("%n probably done more than once", nullptr, int(twice)) } : QStringList();
    if (!m_duplicates->running()) {
        parts += tr("%1 of %2 members searched").arg(m_duplicates->answered()).arg(m_session->size());
    }
    m_total->setText(parts.join(u" · "_s));
    m_total->setVisible(!rows.isEmpty());
    syncReach();
}

/// What a whole search did not look for; of one that is not whole the message above says it.
QStringList GroupDuplicatesView::leftOut() const
{
    return !m_duplicates->running() && m_duplicates->complete() ? m_duplicates->notes() : QStringList();
}

/// How far the search reaches. Where nothing was found, what was not looked for is said at once.
void GroupDuplicatesView::syncReach()
{
    m_reach->setText(m_session->kind() == sql::GroupKind::Shards
            ? tr("Compares keys within each member.")
            : tr("Compares keys within each member. Keys done in two members are under Differences."));
    const QStringList left = leftOut();
    const bool found = m_duplicates->list()->rowCount() > 0;
    const int notes = int(left.size());
    m_about->setText(
        m_about->isChecked() ? tr("Hide %n &note(s)", nullptr, notes) : tr("Show %n &note(s)", nullptr, notes));
    m_about->setToolTip(tr("What was not looked for, and why"));
    m_about->setVisible(found && !left.isEmpty());
    m_reasons->setText(left.join(u'\n'));
    m_reasons->setVisible(!left.isEmpty() && (m_about->isChecked() || !found));
}

/// Who was not searched, and what the others could not look at.
void GroupDuplicatesView::syncNotice()
{
    const QStringList notes = m_duplicates->notes();
    if (m_duplicates->running() || notes.isEmpty() || m_duplicates->complete()) {
        m_notice->clear();
        return;
    }
    const bool all = m_duplicates->answered() == m_session->size();
    const QString answered = tr("%1 of %2 members were searched.").arg(m_duplicates->answered()).arg(m_session->size());
    m_notice->showNotice(NoticeBar::Kind::Warning,
        all ? answered : answered + u' ' + tr("What the others hold is not known."), m_duplicates->missing().join(u' '),
        notes.join(u'\n'), tr("Search again"));
}

void GroupDuplicatesView::syncEmpty()
{
    EmptyState *empty = m_stack->empty();
    if (m_duplicates->running()) {
        empty->show(u"conflicts"_s, tr("Searching"),
            tr("Results, effects, references, fingerprints and payloads are compared in each member."));
    } else if (m_targets->count() == 0) {
        empty->show(u"conflicts"_s, tr("No table yet"),
            tr("The tables of all members come here once one of them has answered."));
    } else if (m_duplicates->choice().target.isEmpty()) {
        empty->show(u"conflicts"_s, tr("Not searched yet"),
            tr("Keys that share a result, an effect, a reference or a request are looked for in each member."),
            tr("Search all members"));
    } else if (!m_duplicates->complete()) {
        empty->show(u"conflicts"_s, tr("Not all could be looked at"),
            tr("Nothing was found in what was searched. The message above says what was not."));
    } else {
        empty->show(u"conflicts"_s, tr("Nothing looks like a duplicate"),
            m_duplicates->notes().isEmpty()
                ? tr("No two keys of one member share a result, an effect, a reference or a request.")
                : tr("No two keys of one member share what was compared. What was not compared is said above."));
    }
}

void GroupDuplicatesView::showGroup()
{
    const models::MemberDuplicate *row = current();
    m_badge->setVisible(row != nullptr);
    m_where->setVisible(row != nullptr);
    m_show->setVisible(row != nullptr);
    if (row == nullptr) {
        m_why->clear();
        m_keyModel->clear();
        return;
    }
    Badge badge = duplicateBadge(models::duplicateVerdict(row->group));
    badge.text = models::duplicateVerdictText(row->group);
    m_badge->setBadge(badge);
    m_where->setText(tr("in %1", "members of a group").arg(models::displayText(row->label, 120)));
    m_why->setText(models::displayText(models::duplicateWhy(row->group), 2'000));
    fillShow(*row);
    m_keyModel->setDatabase(m_session->database(row->member));
    m_keyModel->setGroup(m_duplicates->target(row->member), row->group);
    m_keys->setColumnHidden(DuplicateKeyModel::Scope, m_keyModel->oneScope());
    fitIfShort(m_keys, m_keyModel->rowCount());
}

void GroupDuplicatesView::showKeys()
{
    if (const models::MemberDuplicate *row = current()) {
        showKeysIn(row->member);
    }
}

void GroupDuplicatesView::showKeysIn(int member)
{
    const models::MemberDuplicate *row = current();
    if (row == nullptr) {
        return;
    }
    QStringList keys;
    for (const QString &key : row->group.sample) {
        keys += models::quoteFilterValue(key);
    }
    emit keysWanted(member, m_duplicates->target(member).profile.name, u"key:"_s + keys.join(u','));
}

/// Where several members hold the group, the button asks which of them is meant.
void GroupDuplicatesView::fillShow(const models::MemberDuplicate &row)
{
    if (QMenu *old = m_show->menu()) {
        m_show->setMenu(nullptr);
        old->deleteLater(); // it may be open
    }
    const auto labelOf = [this](int member) { return models::displayText(m_session->label(member), 40); };
    if (row.others.isEmpty()) {
        m_show->setText(tr("Show the &keys in %1").arg(labelOf(row.member)));
        return;
    }
    auto *menu = new QMenu(m_show);
    for (const int member : QList<int> { row.member } + row.others) {
        menu->addAction(tr("In %1", "a member").arg(labelOf(member)), this, [this, member] { showKeysIn(member); });
    }
    m_show->setMenu(menu);
    m_show->setText(tr("Show the &keys"));
}

void GroupDuplicatesView::forget()
{
    showFault(m_fault, {});
    m_duplicates->forget();
}

} // namespace idemdesk::ui
