// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/group_action_view.h"

#include "models/actions/action_plan.h"
#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/groups/group_action.h"
#include "models/groups/group_action_list.h"
#include "models/groups/group_session.h"
#include "ui/delegates/bar_delegate.h"
#include "ui/delegates/health_delegate.h"
#include "ui/delegates/plan_delegate.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/dialogs/states_button.h"
#include "ui/pages/incident/table_delegates.h"
#include "ui/pages/regions/filter_fault.h"
#include "ui/pages/regions/fitted_list.h"
#include "ui/pages/regions/group_action_notice.h"
#include "ui/pages/regions/group_action_review.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"
#include "ui/widgets/utc_edit.h"
#include "ui/widgets/wrap_row.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

using models::GroupAction;
using models::GroupActionList;
using models::MemberAction;
using models::MemberPlanLines;

constexpr int kMemberLabelChars = 60;

QString filterAtFirst(sql::ActionVerb verb)
{
    return verb == sql::ActionVerb::Requeue ? u"state:failed_final,failed_retryable"_s : QString();
}

} // namespace

GroupActionView::GroupActionView(
    models::GroupSession *session, models::Settings *settings, const QString &journalPath, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_action(new GroupAction(session, journalPath, this))
    , m_lines(new MemberPlanLines(this))
    , m_targets(new TargetChooser(u"groupActionTarget"_s, this))
    , m_verb(new QComboBox(this))
    , m_filter(new QLineEdit(this))
    , m_states(new StatesButton(u"groupActionStates"_s, tr("States that go"), this))
    , m_now(new QCheckBox(tr("Expired before &now"), this))
    , m_before(new QDateTimeEdit(this))
    , m_images(new QCheckBox(tr("&Keep the rows for undo"), this))
    , m_plan(new QPushButton(tr("&Plan"), this))
    , m_stop(new QPushButton(this))
    , m_busy(new BusyBar(u"groupActionBusy"_s, tr("Planning in all members"), this))
    , m_allow(new NoticeBar(this))
    , m_notice(new NoticeBar(this))
    , m_warnings(new NoticeBar(this))
    , m_fault(noteLabel({}, u"groupActionFault"_s, this))
    , m_sums(wrappedLabel({}, this))
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_members(new QTableView(this))
    , m_name(strongLabel({}, this))
    , m_told(readableLabel(u"groupActionTold"_s, this))
    , m_undo(new QPushButton(this))
    , m_show(new QPushButton(this))
    , m_plans(new QTableView(this))
    , m_id(noteLabel({}, u"groupActionId"_s, this))
    , m_copy(new QPushButton(tr("&Copy id"), this))
    , m_go(new QPushButton(this))
{
    setObjectName(u"groupActionView"_s);
    m_allow->setObjectName(u"groupActionAllow"_s);
    m_notice->setObjectName(u"groupActionNotice"_s);
    m_warnings->setObjectName(u"groupActionWarnings"_s);
    m_sums->setObjectName(u"groupActionSums"_s);
    m_busy->keepItsPlace();
    setUpTable(m_members, { u"groupActionMembers"_s, tr("The action in each member"), m_action->list(), {} }, settings);
    setUpTable(m_plans,
        { u"groupActionPlan"_s, tr("What changes in the selected member"), m_lines, { 110, 220, 150, 150, 170, 300 } },
        settings);
    m_plans->setItemDelegateForColumn(MemberPlanLines::Rows, new BarDelegate(m_plans));
    for (const int column : { MemberPlanLines::Class, MemberPlanLines::State, MemberPlanLines::Becomes }) {
        m_plans->setItemDelegateForColumn(column, new PlanDelegate(m_plans));
    }
    setUpMembers();
    fitToRows(m_members, session->size());
    splitInTwo(m_split, m_members, buildMembers(), 1, 1);
    m_split->setSizes({ 1, 2 }); // a few members, and much to say of each
    m_stack->setContent(m_split);
    auto *layout = tabColumn(this);
    layout->addWidget(buildBar());
    layout->addWidget(m_fault);
    layout->addWidget(m_busy);
    layout->addWidget(m_allow);
    layout->addWidget(m_notice);
    layout->addWidget(m_warnings);
    layout->addWidget(m_sums);
    layout->addWidget(m_stack, 1);
    layout->addWidget(buildFoot());
    wire();
    onTargets();
}

QWidget *GroupActionView::buildBar()
{
    m_targets->setAccessibleName(tr("Table"));
    m_verb->setObjectName(u"groupActionVerb"_s);
    m_verb->setAccessibleName(tr("What to do"));
    for (const sql::ActionVerb verb : { sql::ActionVerb::Recover, sql::ActionVerb::Requeue, sql::ActionVerb::Purge }) {
        m_verb->addItem(models::verbLabel(verb), int(verb));
    }
    m_filter->setObjectName(u"groupActionFilter"_s);
    m_filter->setAccessibleName(tr("Filter over all members"));
    m_filter->setClearButtonEnabled(true);
    m_plan->setObjectName(u"groupActionPlanNow"_s);
    m_plan->setToolTip(tr("Looks what would be done in each member; nothing is changed"));
    m_stop->setObjectName(u"groupActionStop"_s);
    auto *bar = new QWidget(this);
    auto *row = new WrapRow(bar);
    row->add(m_targets, 2);
    row->add(m_verb);
    row->add(m_filter, 3);
    row->add(buildPurge());
    row->add(m_stop);
    row->add(m_plan);
    return bar;
}

QWidget *GroupActionView::buildPurge()
{
    m_now->setObjectName(u"groupActionNow"_s);
    m_now->setChecked(true);
    m_before->setObjectName(u"groupActionBefore"_s);
    m_before->setAccessibleName(tr("Expired before, in UTC"));
    showInUtc(m_before);
    m_before->setDisplayFormat(u"yyyy-MM-dd HH:mm 'UTC'"_s);
    m_before->setCalendarPopup(true);
    m_before->setDateTime(QDateTime::currentDateTimeUtc());
    m_before->hide();
    m_images->setObjectName(u"groupActionImages"_s);
    m_images->setChecked(true);
    m_purge = new QWidget(this);
    barRow({ m_states, m_now, m_before, m_images }, m_purge);
    return m_purge;
}

/// What the members' table says of the selected one, at length.
QWidget *GroupActionView::buildMembers()
{
    m_name->setObjectName(u"groupActionName"_s);
    m_undo->setObjectName(u"groupActionUndo"_s);
    m_show->setObjectName(u"groupActionShow"_s);
    auto *part = new QWidget(this);
    auto *column = lowerColumn(part);
    auto *head = barRow({ m_name });
    head->addStretch(1);
    head->addWidget(m_undo);
    head->addWidget(m_show);
    column->addLayout(head);
    column->addWidget(m_told);
    column->addWidget(m_plans, 1);
    column->addStretch(0); // where there is no plan to list
    return part;
}

QWidget *GroupActionView::buildFoot()
{
    m_copy->setObjectName(u"groupActionCopy"_s);
    m_go->setObjectName(u"groupActionGo"_s);
    auto *foot = new QWidget(this);
    auto *row = barRow({}, foot);
    row->addWidget(m_id, 1);
    row->addWidget(m_copy);
    row->addWidget(m_go);
    return foot;
}

void GroupActionView::setUpMembers()
{
    auto *figures = new FigureDelegate(m_members);
    for (int column = GroupActionList::Safe; column <= GroupActionList::Size; ++column) {
        m_members->setItemDelegateForColumn(column, figures);
        fitToHeader(m_members, column, 0);
    }
    m_members->setItemDelegateForColumn(GroupActionList::Done, new BarDelegate(m_members));
    m_members->setItemDelegateForColumn(GroupActionList::State, new HealthDelegate(m_members));
    m_members->setColumnWidth(GroupActionList::Member, 24 * kGrid);
    m_members->setColumnWidth(GroupActionList::Size, 24 * kGrid);
    m_members->setColumnWidth(GroupActionList::Oldest, leastColumnWidth(m_members, GroupActionList::Oldest));
    m_members->setColumnWidth(GroupActionList::Done, 40 * kGrid);
    fitToBadges(m_members, GroupActionList::State,
        { tr("Stays as it is"), tr("Needs approval"), tr("Approval asked"), tr("Nothing to do"),
            GroupActionList::tr("Ready, %Ln warning(s)", nullptr, 10) });
}

void GroupActionView::wire()
{
    connect(m_targets, &TargetChooser::chosen, this, [this] {
        onTargets();
        onChoice();
    });
    connect(m_verb, &QComboBox::activated, this, [this] { setVerb(verb()); });
    connect(m_filter, &QLineEdit::textEdited, this, &GroupActionView::onChoice);
    connect(m_filter, &QLineEdit::returnPressed, this, &GroupActionView::plan);
    connect(m_states, &StatesButton::changed, this, &GroupActionView::onChoice);
    connect(m_now, &QCheckBox::toggled, this, &GroupActionView::onChoice);
    connect(m_before, &QDateTimeEdit::dateTimeChanged, this, &GroupActionView::onChoice);
    connect(m_images, &QCheckBox::toggled, this, &GroupActionView::onChoice);
    connect(m_plan, &QPushButton::clicked, this, &GroupActionView::refresh);
    connect(m_stop, &QPushButton::clicked, this,
        [this] { m_action->running() ? m_action->cancel() : m_action->stopPlanning(); });
    connect(m_allow, &NoticeBar::primaryClicked, m_action, &GroupAction::allow);
    connect(m_notice, &NoticeBar::primaryClicked, this, &GroupActionView::refresh);
    connect(m_warnings, &NoticeBar::primaryClicked, this, [this] { // what is needed for longer stays
        m_now->setChecked(false);
        m_before->setFocus(Qt::OtherFocusReason);
    });
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, &GroupActionView::refresh);
    connect(m_go, &QPushButton::clicked, this, &GroupActionView::openReview);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_action->id()); });
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (const models::ActionRunner *runner = m_action->member(currentMember()).runner()) {
            emit actionWanted(currentMember(), runner->action().id);
        }
    });
    connect(m_undo, &QPushButton::clicked, this, [this] {
        if (const models::ActionRunner *runner = m_action->member(currentMember()).runner()) {
            emit undoWanted(currentMember(), runner->action().id);
        }
    });
    connect(m_session, &models::GroupSession::memberChanged, this, &GroupActionView::onTargets);
    connect(m_action, &GroupAction::changed, this, &GroupActionView::sync);
    connect(m_members->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &GroupActionView::showMember);
}

/// A table of any member; a group needs no member that has them all.
void GroupActionView::onTargets()
{
    const QList<models::TargetEntry> entries = m_session->eachTarget();
    if (!m_action->running()) {
        m_targets->refill(entries, m_targets->target());
    }
    for (const models::TargetEntry &entry : entries) {
        const QString &name = entry.target.profile.name;
        if (name == m_targets->target() && m_statesOf != name) {
            m_statesOf = name; // what a person chose stays, until the table is another one
            m_states->setStates(models::purgeableStates(entry.target.profile));
        }
    }
    sync();
}

void GroupActionView::onChoice()
{
    m_action->forget();
    m_reason.clear();
    m_ticket.clear();
    showFault(m_fault, {});
    sync();
}

sql::ActionVerb GroupActionView::verb() const
{
    return static_cast<sql::ActionVerb>(m_verb->currentData().toInt());
}

void GroupActionView::setVerb(sql::ActionVerb wanted)
{
    const QSignalBlocker blocker(m_verb);
    m_verb->setCurrentIndex(std::max(0, m_verb->findData(int(wanted))));
    m_filter->setText(filterAtFirst(verb()));
    onChoice();
}

void GroupActionView::plan()
{
    if (m_targets->target().isEmpty() || m_action->running()) {
        return;
    }
    const bool filters = verb() != sql::ActionVerb::Purge;
    const QString fault
        = filters ? filterFault(*m_session, m_targets->target(), m_filter->text(), m_format.zone()) : QString();
    showFault(m_fault, fault);
    if (!fault.isEmpty()) { // no member need be asked
        m_action->forget();
        m_filter->setFocus(Qt::OtherFocusReason);
        return;
    }
    const bool purge = verb() == sql::ActionVerb::Purge;
    models::GroupChoice choice { m_targets->target(), verb(), purge ? QString() : m_filter->text(), m_format.zone() };
    if (verb() == sql::ActionVerb::Requeue && choice.filter.trimmed().isEmpty()) {
        m_filter->setText(filterAtFirst(verb())); // never simply all that it could take
        choice.filter = m_filter->text();
    }
    choice.states = m_states->states();
    choice.images = m_images->isChecked();
    if (purge && !m_now->isChecked()) {
        choice.before = sql::Timestamp::fromDateTime(m_before->dateTime());
    }
    m_action->plan(choice);
    if (!m_filter->hasFocus()) {
        m_filter->home(false); // a long one is read from its beginning
    }
    if (!m_members->currentIndex().isValid()) {
        m_members->setCurrentIndex(m_action->list()->index(0, 0));
    }
}

void GroupActionView::refresh()
{
    if (m_action->running()) {
        return;
    }
    for (int member = 0; member < m_session->size(); ++member) {
        if (!m_session->answered(member)) {
            m_session->refresh(member);
        }
    }
    plan();
}

void GroupActionView::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    m_action->list()->setTimeFormat(format);
}

void GroupActionView::openReview()
{
    if (m_dialog != nullptr || !whyNotGo().isEmpty()) {
        return;
    }
    ActionQuestion question = groupQuestion(*m_action, *m_session);
    question.reason = m_reason;
    question.ticket = m_ticket;
    m_dialog = new ActionDialog(question, this);
    connect(m_dialog, &QDialog::rejected, this, [this, dialog = m_dialog.data()] { // to look at something first
        m_reason = dialog->reason();
        m_ticket = dialog->ticket();
    });
    connect(m_dialog, &QDialog::accepted, this, [this, dialog = m_dialog.data(), id = m_action->planNumber()] {
        if (id == m_action->planNumber()) { // what was reviewed, and nothing that was planned since
            m_reason.clear();
            m_ticket.clear();
            m_members->setFocus(Qt::OtherFocusReason); // the button goes, and a second press would hit its neighbour
            m_filter->home(false);
            m_action->run(dialog->reason(), dialog->ticket(), dialog->throttled());
        }
    });
    openDialog(m_dialog);
}

ActionDialog *GroupActionView::dialog() const
{
    return m_dialog;
}

int GroupActionView::currentMember() const
{
    return std::max(0, m_members->currentIndex().row());
}

QString GroupActionView::whyNotGo() const
{
    if (m_action->running() || m_action->planning() || !m_action->planned()) {
        return tr("Plan it first.");
    }
    if (m_action->acted()) {
        return tr("It was carried out. Plan again for what is left.");
    }
    return m_action->rows() == 0 ? tr("There is nothing that may be done.")
        : m_action->mustBeAllowed()
        ? tr("This is production: actions must be allowed first, for %1 minutes.").arg(GroupAction::kAllowedMinutes)
        : QString();
}

void GroupActionView::sync()
{
    syncBar();
    syncColumns();
    syncNotices();
    const bool asked = m_action->planning() || m_action->planned();
    m_sums->setText(m_action->planned() && !m_action->acted() ? m_action->sums() : QString());
    m_sums->setVisible(!m_sums->text().isEmpty());
    m_stack->showContent(asked);
    syncEmpty();
    showMember();
}

void GroupActionView::syncBar()
{
    const bool running = m_action->running();
    const bool purge = verb() == sql::ActionVerb::Purge;
    m_filter->setVisible(!purge);
    m_filter->setPlaceholderText(verb() == sql::ActionVerb::Recover ? tr("All stuck keys; or a filter, such as age>1h")
                                                                    : tr("A filter, such as state:failed_final"));
    m_purge->setVisible(purge);
    m_before->setVisible(!m_now->isChecked());
    for (QWidget *part : std::initializer_list<QWidget *> { m_targets, m_verb, m_filter, m_purge }) {
        part->setEnabled(!running);
    }
    m_plan->setEnabled(!running && !m_action->planning() && !m_targets->target().isEmpty());
    m_plan->setText(m_action->planned() ? tr("&Plan again") : tr("&Plan"));
    m_stop->setVisible(running || m_action->planning());
    m_stop->setText(running ? tr("Stop in all members") : tr("Stop"));
    m_busy->setVisible(m_action->planning() || running);
}

void GroupActionView::syncColumns()
{
    const bool recover = verb() == sql::ActionVerb::Recover;
    const bool purge = verb() == sql::ActionVerb::Purge;
    const GroupActionList *list = m_action->list();
    for (int column = GroupActionList::Safe; column <= GroupActionList::Busy; ++column) {
        m_members->setColumnHidden(column, !recover || m_action->acted() || !list->says(column));
    }
    m_members->setColumnHidden(GroupActionList::Note, !list->says(GroupActionList::Note));
    m_members->setColumnHidden(GroupActionList::Rows, m_action->acted()); // Done says it
    m_members->setColumnHidden(GroupActionList::Left, purge || m_action->acted());
    m_members->setColumnHidden(GroupActionList::Size, !purge);
    m_members->setColumnHidden(GroupActionList::Oldest, !purge || m_action->acted());
    m_members->setColumnHidden(GroupActionList::Done, !m_action->acted());
}

void GroupActionView::syncNotices()
{
    showActionNotice(m_notice, *m_action, *m_session);
    showPlanWarnings(m_warnings, *m_action, *m_session);
    if (m_action->planned() && !m_action->acted() && m_action->mustBeAllowed()) {
        m_allow->showNotice(NoticeBar::Kind::Info,
            tr("This is production: actions must be allowed first, for %1 minutes.").arg(GroupAction::kAllowedMinutes),
            {}, {}, tr("Allow for %1 minutes").arg(GroupAction::kAllowedMinutes));
    } else {
        m_allow->clear();
    }
}

void GroupActionView::syncFoot()
{
    const qint64 rows = m_action->rows();
    m_id->setText(m_action->acted() ? idsText() : QString());
    m_copy->setVisible(m_action->acted());
    m_go->setVisible(m_action->planned() && !m_action->acted());
    m_go->setText(
        tr("%1…").arg(rows > 0 ? models::verbPhrase(verb(), rows, m_action->keys()) : models::verbLabel(verb())));
    setLook(m_go, verb() == sql::ActionVerb::Purge ? ButtonLook::DangerOutline : ButtonLook::Primary);
    const QString why = whyNotGo();
    m_go->setEnabled(why.isEmpty());
    m_go->setToolTip(why);
}

/// By what the audit logs know it: all parts together, and the one of the selected member.
QString GroupActionView::idsText() const
{
    const models::ActionRunner *runner = m_action->member(currentMember()).runner();
    const QString all = tr("In every audit log: %1").arg(m_action->id());
    return runner == nullptr || runner->action().id.isEmpty()
        ? all
        : tr("%1 · in %2 alone: %3", "an id, a member, another id")
              .arg(all, models::displayText(m_session->label(currentMember()), kMemberLabelChars), runner->action().id);
}

void GroupActionView::syncEmpty()
{
    EmptyState *empty = m_stack->empty();
    if (m_targets->count() == 0) {
        empty->show(u"recovery"_s, tr("No table yet"),
            tr("The tables of all members come here once one of them has answered."));
    } else {
        empty->show(verb() == sql::ActionVerb::Purge ? u"purge"_s : u"recovery"_s, tr("No plan yet"),
            tr("Each member is asked what would be done there, by your login's rights. Nothing is changed."),
            tr("Plan in all members"));
    }
}

/// The plan of the selected member, or why there is none.
void GroupActionView::showMember()
{
    const int number = currentMember();
    const MemberAction &member = m_action->member(number);
    const QString label = models::displayText(m_session->label(number), kMemberLabelChars);
    m_name->setText(member.plan().place.isEmpty() ? label : tr("%1: %2").arg(label, member.plan().place));
    syncFoot();
    m_told->setText(toldOfMember(*m_action, number).join(u'\n'));
    m_told->setVisible(!m_told->text().isEmpty());
    const QString shown = u"%1 %2 %3"_s.arg(m_action->planNumber()).arg(number).arg(member.plan().rows());
    if (std::exchange(m_shown, shown) != shown) { // a batch changes nothing of it
        m_lines->show(member);
        for (const int column : { MemberPlanLines::Class, MemberPlanLines::State, MemberPlanLines::Why }) {
            m_plans->setColumnHidden(column, !m_lines->says(column));
        }
    }
    m_plans->setVisible(m_lines->rowCount() > 0);
    fitIfShort(m_plans, m_lines->rowCount());
    const bool begun = member.mayBeBegun() && !m_action->running();
    m_show->setText(tr("Show in %1").arg(label));
    m_show->setToolTip(tr("Connects the window to this member, and shows the action in its audit log"));
    m_show->setVisible(begun);
    m_undo->setText(tr("Undo in %1…").arg(label));
    m_undo->setToolTip(tr("Connects the window to this member, and asks there"));
    m_undo->setVisible(begun && member.stage() == MemberAction::Stage::Over && member.rowsDone() > 0
        && models::keepsRows(member.runner()->action()));
}

} // namespace idemdesk::ui
