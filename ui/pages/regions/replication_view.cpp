// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/replication_view.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/groups/group_session.h"
#include "models/health/health_model.h"
#include "models/regions/replication_controller.h"
#include "ui/delegates/health_delegate.h"
#include "ui/dialogs/fitted_text.h"
#include "ui/pages/audit/fact_grid.h"
#include "ui/pages/regions/fitted_list.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/text_view.h"

#include <QClipboard>
#include <QFrame>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::ReplicationList;

namespace {

constexpr int kAgeMs = 1'000;

QString levelText(sql::HealthLevel level)
{
    return level == sql::HealthLevel::Nothing ? ReplicationView::tr("None", "no replication")
                                              : models::healthLevelLabel(level);
}

} // namespace

ReplicationView::ReplicationView(models::GroupSession *group, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_group(group)
    , m_replication(new models::ReplicationController(group, this))
    , m_badge(new BadgeView(u"replicationBadge"_s, this))
    , m_verdict(strongLabel({}, this))
    , m_age(noteLabel({}, u"replicationAge"_s, this))
    , m_busy(new BusyBar(u"replicationBusy"_s, tr("Reading"), this))
    , m_alarm(new NoticeBar(this))
    , m_advice(readableLabel(u"replicationAdvice"_s, this))
    , m_unseen(noteLabel({}, u"replicationUnseen"_s, this))
    , m_notice(new NoticeBar(this))
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_table(new QTableView(this))
    , m_todo(readableLabel(u"replicationTodo"_s, this))
    , m_fixBox(new QFrame(this))
    , m_fix(new QPlainTextEdit(m_fixBox))
    , m_facts(new FactGrid(u"replicationFacts"_s, tr("What both ends say"), this))
{
    setObjectName(u"replicationView"_s);
    m_alarm->setObjectName(u"replicationAlarm"_s);
    m_notice->setObjectName(u"replicationNotice"_s);
    m_busy->keepItsPlace();
    setUpList(settings);
    splitInTwo(m_split, m_table, buildDetail(), 1, 1);
    m_split->setSizes({ 1, 2 }); // a few ways, and much to say of each
    m_stack->setContent(m_split);
    auto *layout = tabColumn(this);
    layout->addWidget(buildHead());
    layout->addWidget(m_busy);
    layout->addWidget(m_alarm);
    layout->addWidget(m_advice);
    layout->addWidget(m_notice);
    layout->addWidget(m_unseen);
    layout->addWidget(m_stack, 1);
    connect(m_notice, &NoticeBar::primaryClicked, this, [this] {
        for (int member = 0; member < m_group->size(); ++member) {
            if (!m_group->answered(member)) {
                m_group->refresh(member);
            }
        }
    });
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, &ReplicationView::refresh);
    connect(m_replication, &models::ReplicationController::changed, this, &ReplicationView::sync);
    connect(m_replication->list(), &QAbstractItemModel::modelReset, this, [this] {
        m_table->setCurrentIndex(m_table->model()->index(0, ReplicationList::State));
        showWay();
        fitToRows(m_table, m_replication->list()->rowCount());
    });
    connect(m_replication->list(), &QAbstractItemModel::dataChanged, this, &ReplicationView::showWay);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ReplicationView::showWay);
    connect(m_group, &models::GroupSession::memberChanged, this, &ReplicationView::sync);
    m_ticking.setInterval(kAgeMs);
    connect(&m_ticking, &QTimer::timeout, this, &ReplicationView::showAge);
    m_ticking.start();
    sync();
    showWay();
}

void ReplicationView::setUpList(models::Settings *settings)
{
    setUpTable(m_table,
        { u"replicationTable"_s, tr("Ways of replication between the members"), m_replication->list(),
            { 150, 180, 180, 110, 110, 90, 100 } },
        settings);
    m_table->setItemDelegateForColumn(ReplicationList::State, new HealthDelegate(m_table));
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(ReplicationList::Subscription, QHeaderView::Stretch);
}

QWidget *ReplicationView::buildHead()
{
    m_verdict->setObjectName(u"replicationVerdict"_s);
    m_verdict->setWordWrap(true);
    m_age->setWordWrap(false);
    auto *head = new QWidget(this);
    auto *row = barRow({ m_badge }, head);
    row->addWidget(m_verdict, 1);
    row->addWidget(m_age);
    return head;
}

QWidget *ReplicationView::buildDetail()
{
    setUpCode(m_fix, u"replicationFix"_s, tr("Statement to run there"));
    fitToLines(m_fix, 2);
    m_fix->setFrameShape(QFrame::NoFrame);
    auto *copy = new QPushButton(tr("&Copy SQL"), m_fixBox);
    copy->setObjectName(u"replicationCopy"_s);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_fix->toPlainText()); });
    m_fixBox->setFrameShape(QFrame::StyledPanel);
    m_fixBox->setBackgroundRole(QPalette::Base);
    m_fixBox->setAutoFillBackground(true);
    auto *fix = barRow({}, m_fixBox);
    fix->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    fix->addWidget(m_fix, 1);
    fix->addWidget(copy, 0, Qt::AlignTop);
    auto *detail = new QWidget(this);
    auto *layout = lowerColumn(detail);
    layout->addWidget(m_todo);
    layout->addWidget(m_fixBox);
    layout->addWidget(m_facts);
    layout->addStretch(1);
    return detail;
}

void ReplicationView::activate()
{
    if (!m_replication->loaded() && !m_replication->busy() && m_group->answeredCount() > 0) {
        refresh();
    }
}

void ReplicationView::refresh()
{
    m_replication->refresh();
}

/// Who answers only now was not asked, also where the others are asked just now.
void ReplicationView::readNew(int member)
{
    if (m_group->answered(member) && (!m_replication->loaded() || !m_replication->members().at(member).side)) {
        refresh();
    }
}

void ReplicationView::sync()
{
    const bool loaded = m_replication->loaded();
    const models::ReplicationVerdict &verdict = m_replication->verdict();
    m_busy->setVisible(m_replication->busy());
    const bool alarm = loaded && verdict.level == sql::HealthLevel::Problem; // then the bar says it, and no small badge
    m_badge->setBadge(healthBadge(verdict.level, levelText(verdict.level)));
    m_badge->setVisible(loaded && !alarm);
    m_verdict->setText(alarm ? QString() : models::displayText(verdict.text, 300));
    if (alarm) {
        m_alarm->showNotice(NoticeBar::Kind::Error, models::displayText(verdict.text, 300), verdict.advice);
    } else {
        m_alarm->clear();
    }
    m_advice->setText(verdict.advice);
    m_advice->setVisible(loaded && !alarm && !verdict.advice.isEmpty());
    showAge();
    QStringList notes;
    for (const QString &note : verdict.notes) {
        notes += models::displayText(note, 300);
    }
    const bool missing = m_group->answeredCount() < m_group->size();
    if (missing) {
        m_notice->showNotice(NoticeBar::Kind::Warning,
            tr("%1 of %n member(s) answered", nullptr, m_group->size()).arg(m_group->answeredCount()),
            notes.join(u'\n'), {}, tr("Try again"));
    } else {
        m_notice->clear();
    }
    m_unseen->setText(!missing && loaded ? notes.join(u' ') : QString());
    m_unseen->setVisible(!m_unseen->text().isEmpty());
    m_stack->showContent(loaded && m_replication->list()->rowCount() > 0);
    EmptyState *empty = m_stack->empty();
    if (m_replication->busy() || (!loaded && missing)) {
        empty->show(u"running"_s, tr("Reading"), tr("Each member is asked what it sends and gets."));
    } else if (!loaded) {
        empty->show(u"running"_s, tr("Not read yet"), tr("How rows come from one member to another is shown here."),
            tr("Read now"));
    } else {
        empty->show(u"running"_s, tr("No logical replication was seen"),
            tr("No member that answered has a subscription or a logical slot. Other ways of copying are not seen."));
    }
}

void ReplicationView::showAge()
{
    const qint64 seconds = m_replication->readAt().secsTo(QDateTime::currentDateTimeUtc());
    m_age->setText(!m_replication->loaded() ? QString()
            : seconds < 1                   ? tr("read just now")
                                            : tr("read %1 ago").arg(models::durationText(seconds)));
}

void ReplicationView::showWay()
{
    const models::ReplicationWay *way = m_replication->list()->row(m_table->currentIndex().row());
    m_todo->setText(way != nullptr ? models::displayText(way->todo, 1'000) : QString());
    m_todo->setVisible(way != nullptr && !way->todo.isEmpty());
    m_fix->setPlainText(way != nullptr ? way->fix : QString());
    m_fixBox->setVisible(way != nullptr && !way->fix.isEmpty());
    m_facts->setFacts(way != nullptr ? models::replicationFacts(*way, m_replication->members()) : FactGrid::Facts());
}

} // namespace idemdesk::ui
