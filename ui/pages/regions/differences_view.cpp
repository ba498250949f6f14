// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/differences_view.h"

#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/format/shell_word.h"
#include "models/groups/group_session.h"
#include "models/keys/private_file.h"
#include "models/regions/region_controller.h"
#include "models/regions/region_export.h"
#include "models/regions/region_words.h"
#include "models/regions/side_titles.h"
#include "models/report/report_file.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/pages/conflicts/mark_delegate.h"
#include "ui/pages/regions/align_bar.h"
#include "ui/pages/regions/difference_pane.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"
#include "ui/widgets/wrap_row.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::RegionController;
using models::RegionList;

namespace {

constexpr int kMostWaitSeconds = 3'600;
constexpr int kUsualWaitSeconds = 10;
constexpr qsizetype kNoteChars = 400;
constexpr int kLeastFilterWidth = 120; // pixels, as those beneath
constexpr int kLeastDifferenceKey = 160;
constexpr int kMostDifferenceKey = 320;
constexpr int kProposalWidth = 340;

models::DifferenceGroup groupAt(const QModelIndex &index)
{
    const int kind = index.data(models::KindRole).toInt();
    return kind < 0 ? models::DifferenceGroup() : static_cast<models::DifferenceKind>(kind);
}

Badge kindBadge(const QModelIndex &index)
{
    return differenceBadge(groupAt(index));
}

Badge sideBadge(const QModelIndex &index)
{
    Badge badge;
    const QVariant state = index.data(models::StateRole);
    badge.state = state.isValid() ? static_cast<sql::KeyState>(state.toInt()) : sql::KeyState::Unknown;
    badge.stale = index.data(models::StaleRole).toBool();
    badge.expired = index.data(models::ExpiredRole).toBool();
    if (!state.isValid()) {
        badge.state = sql::KeyState::Pending; // no row, or several
        badge.tone = Token::Warning;
    }
    return badge;
}

QString groupName(models::DifferenceGroup group)
{
    return group ? models::differenceName(*group) : u"on_its_way"_s;
}

} // namespace

DifferencesView::DifferencesView(
    models::GroupSession *group, models::Settings *settings, QWidget *parent, const QString &journalPath)
    : QWidget(parent)
    , m_group(group)
    , m_regions(new RegionController(this))
    , m_rows(new models::SideTitles(m_regions->list(), RegionList::First, this))
    , m_targets(new TargetChooser(u"differencesTarget"_s, this))
    , m_sides { new QComboBox(this), new QComboBox(this) }
    , m_filter(new QLineEdit(this))
    , m_wait(new QSpinBox(this))
    , m_compare(new QPushButton(tr("&Compare"), this))
    , m_busy(new BusyBar(u"differencesBusy"_s, tr("Comparing"), this))
    , m_stop(new QPushButton(tr("&Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_summary(strongLabel({}, this))
    , m_advice(readableLabel(u"differencesAdvice"_s, this))
    , m_head(nullptr)
    , m_align(new QPushButton(tr("Al&ign rows…"), this))
    , m_copy(new QAction(tr("Copy as co&mmand"), this))
    , m_export(new QToolButton(this))
    , m_alignBar(new AlignBar(journalPath, this))
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_table(new QTableView(this))
    , m_pane(new DifferencePane(m_regions->detail(), this))
{
    setObjectName(u"differencesView"_s);
    m_notice->setObjectName(u"differencesNotice"_s);
    m_summary->setObjectName(u"differencesSummary"_s);
    m_summary->setWordWrap(true);
    m_busy->keepItsPlace();
    setUpList(settings);
    splitInTwo(m_split, m_table, m_pane, 1, 1);
    m_split->setSizes({ 55, 45 }); // of what both sides say only a few lines differ
    m_stack->setContent(m_split);
    m_head = buildHead();
    auto *layout = tabColumn(this);
    layout->addWidget(buildBar());
    layout->addWidget(m_busy);
    layout->addWidget(m_notice);
    layout->addWidget(m_summary);
    layout->addWidget(m_advice);
    layout->addWidget(m_head);
    layout->addWidget(m_alignBar);
    layout->addWidget(m_stack, 1);
    wire();
    onMembers();
}

void DifferencesView::setUpList(models::Settings *settings)
{
    setUpTable(m_table,
        { u"differencesTable"_s, tr("Keys that are not the same on both sides"), m_rows,
            { 130, 120, 160, 160, 160, 200 } },
        settings);
    setTwoLines(m_table, settings);
    m_table->setColumnHidden(RegionList::Scope, true); // muted beneath the key
    m_table->setItemDelegateForColumn(RegionList::Difference, new MarkDelegate(&kindBadge, m_table));
    m_table->setItemDelegateForColumn(RegionList::Key, new TwoLineDelegate(TwoLineDelegate::First::Key, m_table));
    for (const int side : { RegionList::First, RegionList::Second }) {
        m_table->setItemDelegateForColumn(side, new MarkDelegate(&sideBadge, m_table));
    }
    m_table->setWordWrap(true); // a proposal is a sentence
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(RegionList::Proposal, QHeaderView::Stretch);
}

QWidget *DifferencesView::buildBar()
{
    const std::array names { tr("First side"), tr("Second side") };
    for (std::size_t side = 0; side < m_sides.size(); ++side) {
        m_sides.at(side)->setObjectName(u"differencesSide%1"_s.arg(side));
        m_sides.at(side)->setAccessibleName(names.at(side));
        m_sides.at(side)->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    }
    m_filter->setObjectName(u"differencesFilter"_s);
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter; optional"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(Theme::scaled(kLeastFilterWidth));
    m_wait->setObjectName(u"differencesWait"_s);
    m_wait->setAccessibleName(tr("How long to wait for replication"));
    m_wait->setRange(0, kMostWaitSeconds);
    m_wait->setValue(kUsualWaitSeconds);
    m_wait->setPrefix(tr("Recheck after ", "so many seconds"));
    m_wait->setSuffix(tr(" s", "seconds"));
    m_wait->setSpecialValueText(tr("No recheck"));
    m_compare->setObjectName(u"differencesCompare"_s);
    setLook(m_compare, ButtonLook::Primary);
    m_stop->setObjectName(u"differencesStop"_s);
    auto *bar = new QWidget(this);
    auto *row = new WrapRow(bar);
    row->add(m_targets, 2);
    row->add(m_sides[0]);
    row->add(plainLabel(tr("with", "this side with that one"), bar));
    row->add(m_sides[1]);
    row->add(m_filter, 1);
    row->add(m_wait);
    row->add(m_compare);
    row->add(m_stop);
    return bar;
}

QWidget *DifferencesView::buildHead()
{
    auto *head = new QWidget(this);
    auto *row = new WrapRow(head);
    for (const models::DifferenceGroup group : models::differenceGroups()) {
        auto *chip = new Chip(u"difference_"_s + groupName(group), head);
        chip->setMark(differenceBadge(group));
        m_chips.append({ group, chip });
        row->add(chip);
        connect(chip, &QToolButton::toggled, this, [this] {
            QList<models::DifferenceGroup> groups;
            for (const auto &[shown, button] : std::as_const(m_chips)) {
                groups += button->isChecked() ? QList { shown } : QList<models::DifferenceGroup>();
            }
            m_regions->list()->showOnly(groups);
        });
    }
    row->addRoom();
    m_align->setObjectName(u"differencesAlign"_s);
    m_copy->setObjectName(u"differencesCopy"_s);
    m_copy->setToolTip(tr("Copies the terminal command that plans the same; it changes nothing."));
    auto *ways = new QHBoxLayout; // stay together where the line is too short for all
    ways->setContentsMargins({});
    ways->setSpacing(2 * kGrid);
    ways->addWidget(m_align);
    m_export->setObjectName(u"differencesExport"_s);
    m_export->setText(tr("Export"));
    m_export->setPopupMode(QToolButton::InstantPopup);
    m_export->setFocusPolicy(Qt::StrongFocus);
    auto *menu = new QMenu(m_export);
    menu->setToolTipsVisible(true);
    menu->addAction(tr("&Listed differences…"), this, [this] { askExport(false); })
        ->setObjectName(u"differencesExportListed"_s);
    menu->addAction(tr("&Compensation list…"), this, [this] { askExport(true); })
        ->setObjectName(u"differencesExportTwice"_s);
    menu->addSeparator();
    menu->addAction(m_copy);
    m_export->setMenu(menu);
    ways->addWidget(m_export);
    row->add(ways);
    return head;
}

void DifferencesView::wire()
{
    connect(m_compare, &QPushButton::clicked, this, &DifferencesView::compare);
    connect(m_filter, &QLineEdit::returnPressed, this, &DifferencesView::compare);
    connect(m_stop, &QPushButton::clicked, m_regions, &RegionController::cancel);
    // What was found is about another choice then.
    connect(m_targets, &TargetChooser::chosen, m_regions, &RegionController::forget);
    connect(m_filter, &QLineEdit::textEdited, m_regions, &RegionController::forget);
    for (QComboBox *side : m_sides) {
        connect(side, &QComboBox::activated, m_regions, &RegionController::forget);
    }
    connect(m_notice, &NoticeBar::primaryClicked, this, [this] {
        for (const int member : chosen()) {
            if (member >= 0 && !m_group->answered(member)) {
                m_group->refresh(member);
                return;
            }
        }
        compare();
    });
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, &DifferencesView::compare);
    connect(m_regions, &RegionController::changed, this, &DifferencesView::sync);
    connect(m_regions, &RegionController::written, this, [this](const QString &path) { told(path, {}); });
    connect(m_regions, &RegionController::writeFailed, this, [this](const sql::Error &error) { told({}, error); });
    connect(m_regions->list(), &QAbstractItemModel::modelReset, this, [this] {
        m_table->setCurrentIndex(m_table->model()->index(0, RegionList::Difference));
        showDifference();
        QMetaObject::invokeMethod(this, &DifferencesView::fitKey, Qt::QueuedConnection); // once it has its room
        QMetaObject::invokeMethod(this, &DifferencesView::fitList, Qt::QueuedConnection);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DifferencesView::showDifference);
    connect(m_split, &QSplitter::splitterMoved, this, [this] { m_fitted = true; });
    connect(m_pane, &DifferencePane::keyWanted, this, &DifferencesView::showKey);
    connect(m_align, &QPushButton::clicked, this, &DifferencesView::askAlign);
    connect(m_copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(alignCommand()); });
    connect(m_alignBar, &AlignBar::aligned, this, &DifferencesView::compare); // what is left is seen at once
    connect(m_alignBar->aligner(), &models::RegionAligner::changed, this, &DifferencesView::syncAlign);
    connect(m_group, &models::GroupSession::memberChanged, this, &DifferencesView::onMembers);
    connect(m_group, &models::GroupSession::databaseChanged, this, &DifferencesView::onDatabase);
}

/// A few differences need no half of the page: what both sides say of one does. Not once a person moved the handle.
void DifferencesView::fitList()
{
    if (m_fitted) {
        return;
    }
    const int rows = m_table->horizontalHeader()->height() + 2 * m_table->frameWidth()
        + m_table->model()->rowCount() * m_table->verticalHeader()->defaultSectionSize();
    const int room = m_split->height() - m_split->handleWidth();
    const int most = room * 55 / 100;
    const int list = std::min(rows, most);
    m_split->setSizes({ list, room - list });
}

/// A proposal is a sentence and is read in two lines; a long key has what it leaves.
void DifferencesView::fitKey()
{
    const QHeaderView *header = m_table->horizontalHeader();
    const int room = m_table->viewport()->width() - header->length() + header->sectionSize(RegionList::Key)
        + header->sectionSize(RegionList::Proposal) - Theme::scaled(kProposalWidth);
    m_table->setColumnWidth(
        RegionList::Key, std::clamp(room, Theme::scaled(kLeastDifferenceKey), Theme::scaled(kMostDifferenceKey)));
}

void DifferencesView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    QMetaObject::invokeMethod(this, &DifferencesView::fitKey, Qt::QueuedConnection);
    QMetaObject::invokeMethod(this, &DifferencesView::fitList, Qt::QueuedConnection);
}

/// Tables and sides anew; what is chosen stays.
void DifferencesView::onMembers()
{
    m_targets->refill(m_group->eachTarget(), m_targets->target());
    syncSides();
    sync();
}

void DifferencesView::syncSides()
{
    for (std::size_t side = 0; side < m_sides.size(); ++side) {
        QComboBox *box = m_sides.at(side);
        const int kept = box->count() == m_group->size() ? box->currentIndex() : int(side);
        box->clear();
        for (int member = 0; member < m_group->size(); ++member) {
            const QString label = models::displayText(m_group->label(member), 40);
            box->addItem(m_group->state(member) != models::GroupSession::MemberState::Failed
                    ? label
                    : tr("%1 (no answer)", "a member of the group that is down").arg(label));
        }
        box->setCurrentIndex(kept);
    }
}

void DifferencesView::onDatabase(int member)
{
    if (std::find(m_compared.cbegin(), m_compared.cend(), member) != m_compared.cend()) {
        m_compared = { -1, -1 };
        m_alignBar->forget();
        m_regions->forget();
    }
}

std::array<int, 2> DifferencesView::chosen() const
{
    return { m_sides[0]->currentIndex(), m_sides[1]->currentIndex() };
}

std::array<models::CompareSide, 2> DifferencesView::sides() const
{
    std::array<models::CompareSide, 2> sides;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const int member = chosen().at(side);
        const sql::Target target = m_group->target(member, m_targets->target())->target;
        sides.at(side) = { m_group->label(member), m_group->database(member),
            [target](sql::Session &) { return sql::Result<sql::Target>(target); } };
    }
    return sides;
}

QString DifferencesView::whyNot() const
{
    if (m_group->kind() == sql::GroupKind::Shards) {
        return tr("Shards are not compared: each holds keys of its own.");
    }
    const auto [first, second] = chosen();
    for (const int member : { first, second }) {
        if (member < 0) {
            return tr("Choose two members.");
        }
        const QString label = models::displayText(m_group->label(member), 40);
        switch (m_group->state(member)) {
        case models::GroupSession::MemberState::Opening:
            return tr("%1 has not answered yet.").arg(label);
        case models::GroupSession::MemberState::Failed:
            return tr("%1 does not answer, so it cannot be compared.").arg(label);
        case models::GroupSession::MemberState::Answered:
            break;
        }
        if (m_targets->target().isEmpty()) {
            return tr("No table yet that the console knows how to read.");
        }
        if (m_group->target(member, m_targets->target()) == nullptr) {
            const sql::Error why = m_group->whyNoTarget(member, m_targets->target());
            return why.kind == sql::ErrorKind::MissingObject
                ? tr("%1 does not have this table.").arg(label)
                : tr("%1: %2").arg(label, models::displayText(why.line(), kNoteChars));
        }
    }
    return first == second ? tr("Choose two different members.") : QString();
}

/// Why what was found cannot be aligned from here, before any key is looked at.
QString DifferencesView::whyNotAlign() const
{
    if (m_group->kind() != sql::GroupKind::Regions) {
        return tr("Only regions are aligned: the members of other groups are not one another's copies.");
    }
    if (!m_regions->outcome() || m_regions->list()->all().isEmpty() || m_compared[0] < 0) {
        return tr("Compare first.");
    }
    return m_alignBar->aligner()->running() ? tr("An alignment is running.") : QString();
}

std::array<models::AlignSide, 2> DifferencesView::alignSides() const
{
    std::array<models::AlignSide, 2> sides;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const int member = m_compared.at(side);
        models::AlignSide &of = sides.at(side);
        of.label = m_group->label(member);
        of.database = m_group->database(member);
        of.target = m_regions->outcome()->targets.at(side);
        if (const models::TargetEntry *entry = m_group->target(member, of.target.profile.name)) {
            of.registered = entry->registration;
            of.compiled = entry->compiled;
        }
        if (m_group->place(member).settings.readOnly) {
            of.whyNot = tr("The connection to %1 is marked as read-only.").arg(of.label);
        } else if (m_group->facts(member).standby) {
            of.whyNot = tr("%1 is a standby: actions go to its primary.").arg(of.label);
        }
    }
    return sides;
}

/// Of what is listed: chips and filter narrow it.
void DifferencesView::askAlign()
{
    if (!whyNotAlign().isEmpty()) {
        return;
    }
    const sql::Profile &profile = m_regions->outcome()->targets[0].profile;
    AlignBar::About about { m_group->name(), models::targetTitle(profile), profile.relation, {},
        sql::Environment::Unmarked, m_regions->outcome()->all && m_regions->outcome()->notes.isEmpty() };
    for (std::size_t side = 0; side < m_compared.size(); ++side) {
        const sql::ServerFacts &facts = m_group->facts(m_compared.at(side));
        about.places.at(side) = tr("%1 as %2", "a database, a login").arg(facts.database, facts.user);
        about.environment = std::max(about.environment, m_group->place(m_compared.at(side)).settings.environment);
    }
    m_alignBar->ask(m_regions->list()->rows(), alignSides(), about);
}

QString DifferencesView::alignCommand() const
{
    const int first = std::max(0, m_compared[0]);
    const models::TargetEntry *entry = m_group->target(first, m_targets->target());
    const QString target = entry != nullptr && entry->registration ? entry->registration->name : m_targets->target();
    QStringList words { u"idemdeskctl"_s, u"align"_s, u"--group"_s, models::shellWord(m_group->name()), u"--between"_s,
        models::shellWord(m_regions->labels().at(0)) + u',' + models::shellWord(m_regions->labels().at(1)),
        u"--target"_s, models::shellWord(target) };
    if (!m_filter->text().trimmed().isEmpty()) {
        words += { u"--filter"_s, models::shellWord(m_filter->text().trimmed()) };
    }
    words += { u"--settle"_s, QString::number(m_wait->value()), u"--dry-run"_s };
    return words.join(u' ');
}

void DifferencesView::syncAlign()
{
    if (m_regions->stage() == RegionController::Stage::Nothing && !m_alignBar->isHidden()
        && !m_alignBar->aligner()->running()) {
        m_alignBar->forget(); // what became of another choice
    }
    const QString why = whyNotAlign();
    m_align->setEnabled(why.isEmpty());
    m_align->setToolTip(why.isEmpty() ? tr("Has the losing side take over the row that stands in the other one") : why);
    m_copy->setVisible(m_group->kind() == sql::GroupKind::Regions);
}

void DifferencesView::compare()
{
    if (!whyNot().isEmpty()) {
        return;
    }
    m_exportError.reset();
    m_exported.clear();
    for (const auto &[group, chip] : std::as_const(m_chips)) {
        chip->setChecked(false);
    }
    m_compared = chosen();
    m_regions->compare(sides(), { m_filter->text(), m_wait->value() * 1'000 });
}

void DifferencesView::chooseTarget(const QString &target)
{
    if (m_regions->running() || target == m_targets->target()) {
        return;
    }
    m_targets->choose(target);
    m_regions->forget();
    sync();
}

void DifferencesView::chooseMembers(const std::array<int, 2> &members)
{
    if (m_regions->running() || members == chosen() || members[0] < 0 || members[1] < 0) {
        return;
    }
    for (std::size_t side = 0; side < m_sides.size(); ++side) {
        m_sides.at(side)->setCurrentIndex(members.at(side));
    }
    m_regions->forget();
    sync();
}

void DifferencesView::setFilter(const QString &text)
{
    m_filter->setText(text);
}

void DifferencesView::setTimeFormat(const models::TimeFormat &format)
{
    m_regions->list()->setTimeFormat(format);
    m_regions->detail()->setTimeFormat(format);
}

void DifferencesView::sync()
{
    const bool running = m_regions->running();
    m_compare->setEnabled(!running && whyNot().isEmpty());
    m_compare->setToolTip(running ? QString() : whyNot());
    m_stop->setVisible(running);
    m_busy->setVisible(running);
    m_rows->setLabels(m_regions->labels());
    syncNotice();
    syncHead();
    syncChips();
    syncAlign();
    m_stack->showContent(!m_regions->list()->all().isEmpty());
    showEmpty();
}

/// What went wrong, else what could not be looked at.
void DifferencesView::syncNotice()
{
    const std::optional<models::CompareOutcome> &outcome = m_regions->outcome();
    if (m_exportError) {
        m_notice->showError(*m_exportError);
    } else if (m_regions->stage() == RegionController::Stage::Failed) {
        m_notice->setError(m_regions->error(), tr("Retry"));
    } else if (outcome && !outcome->notes.isEmpty()) {
        QStringList notes;
        for (const QString &note : outcome->notes) {
            notes += models::displayText(note, kNoteChars);
        }
        m_notice->showNotice(NoticeBar::Kind::Warning, tr("Not all could be looked at"), notes.join(u'\n'));
    } else if (const QString why = whyNot(); !why.isEmpty() && m_group->answeredCount() > 0) {
        std::optional<sql::Error> error;
        for (const int member : chosen()) {
            error = !error && member >= 0 ? m_group->error(member) : error;
        }
        m_notice->showNotice(NoticeBar::Kind::Warning, why,
            error ? models::displayText(error->line(), kNoteChars) : QString(), {},
            error ? tr("Try again") : QString());
    } else if (!m_exported.isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Good, tr("Exported to %1.").arg(models::displayText(m_exported)));
    } else {
        m_notice->clear();
    }
}

void DifferencesView::syncHead()
{
    const std::optional<models::CompareOutcome> &outcome = m_regions->outcome();
    m_summary->setVisible(outcome.has_value());
    QStringList advice;
    if (outcome) {
        m_summary->setText(models::displayText(models::compareSummary(*outcome, m_regions->labels()), kNoteChars));
        for (const QString &line : models::compareAdvice(*outcome, m_regions->labels())) {
            advice += models::displayText(line, kNoteChars);
        }
    }
    m_advice->setText(advice.join(u'\n'));
    m_advice->setVisible(!advice.isEmpty());
    m_head->setVisible(!m_regions->list()->all().isEmpty());
}

void DifferencesView::syncChips()
{
    for (const auto &[group, chip] : std::as_const(m_chips)) {
        const qsizetype count = m_regions->list()->count(group);
        chip->setText(
            tr("%1 %2", "kind of difference, number").arg(models::groupText(group), models::countText(count)));
        chip->setToolTip(group ? models::differenceText(*group)
                               : tr("Replication had not brought these yet, or somebody works on them."));
        chip->setVisible(count > 0);
    }
    const bool twice = m_regions->list()->count(models::DifferenceKind::Results) > 0;
    if (auto *action = m_export->menu()->findChild<QAction *>(u"differencesExportTwice"_s)) {
        action->setEnabled(twice);
    }
}

/// Why there is no list. Only where all was looked at nothing differs.
void DifferencesView::showEmpty()
{
    EmptyState *empty = m_stack->empty();
    const QString icon = u"conflicts"_s;
    const QString why = whyNot();
    switch (m_regions->stage()) {
    case RegionController::Stage::Running:
        empty->show(icon, tr("Comparing"), models::phaseText(m_regions->phase()));
        break;
    case RegionController::Stage::Failed:
        empty->show(icon, tr("Not compared"), tr("Whether the two sides agree is not known. See above."));
        break;
    case RegionController::Stage::Cancelled:
        empty->show(icon, tr("Stopped"), tr("Whether the two sides agree is not known: it did not come to its end."),
            why.isEmpty() ? tr("Compare again") : QString());
        break;
    case RegionController::Stage::Done:
        if (m_regions->outcome()->notes.isEmpty()) {
            empty->show(icon, tr("No key differs"), tr("Every key that was compared is the same on both sides."));
        } else {
            empty->show(icon, tr("No key that was seen differs"), tr("What could not be looked at stands above."));
        }
        break;
    case RegionController::Stage::Nothing:
        empty->show(icon, tr("Not compared yet"),
            tr("Keys that one side lacks, or has in another state or with another result, are found here."),
            why.isEmpty() ? tr("Compare now") : QString());
        break;
    }
}

void DifferencesView::showDifference()
{
    m_pane->show(m_regions->list()->row(m_table->currentIndex().row()), m_regions->labels());
}

void DifferencesView::showKey(int side)
{
    const models::RegionDifference *difference = m_regions->list()->row(m_table->currentIndex().row());
    if (difference != nullptr && m_regions->outcome()) {
        emit keyWanted(m_compared.at(std::size_t(side)),
            m_regions->outcome()->targets.at(std::size_t(side)).profile.name,
            u"key:"_s + models::quoteFilterValue(difference->record().key.text));
    }
}

void DifferencesView::askExport(bool compensation)
{
    QList<models::RegionDifference> differences = m_regions->list()->rows();
    if (compensation) {
        differences = m_regions->list()->all();
        differences.removeIf([](const models::RegionDifference &difference) {
            return RegionList::groupOf(difference) != models::DifferenceKind::Results;
        });
    }
    QFileDialog *dialog = saveFileDialog(this, u"differencesExportDialog"_s,
        compensation ? tr("Export the compensation list") : tr("Export the listed differences"),
        compensation ? u"compensation.pdf"_s : u"differences.csv"_s,
        compensation ? QStringList { tr("Case file to read and print (*.pdf *.html)"),
            tr("Comma-separated values (*.csv)"), tr("Case file for programs (*.json)"), tr("JSON Lines (*.jsonl)") }
                     : QStringList { tr("Comma-separated values (*.csv)"), tr("JSON Lines (*.jsonl)") });
    dialog->setLabelText(QFileDialog::Accept, tr("Export"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, differences, compensation](const QString &path) {
        if (compensation && models::isReportName(path)) {
            m_regions->writeCompensation(path);
        } else {
            write(path, differences);
        }
    });
    openDialog(dialog);
}

void DifferencesView::write(const QString &path, const QList<models::RegionDifference> &differences)
{
    if (!m_regions->outcome()) {
        return; // forgotten meanwhile
    }
    const std::array<sql::Target, 2> &targets = m_regions->outcome()->targets;
    const bool lines = path.endsWith(u".jsonl"_s, Qt::CaseInsensitive);
    const auto done = models::writePrivateFile(path,
        lines ? models::differencesJsonLines(differences, targets, m_regions->labels())
              : models::differencesCsv(differences, targets, m_regions->labels()));
    told(path, done ? std::nullopt : std::optional(done.error()));
}

void DifferencesView::told(const QString &path, const std::optional<sql::Error> &error)
{
    m_exportError = error;
    m_exported = error ? QString() : path;
    sync();
}

} // namespace idemdesk::ui
