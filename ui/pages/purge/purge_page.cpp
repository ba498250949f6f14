// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/purge/purge_page.h"

#include "models/actions/action_center.h"
#include "models/actions/action_words.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/purge/purge_controller.h"
#include "models/settings.h"
#include "models/triage/frozen_set.h"
#include "ui/charts/share_bars.h"
#include "ui/delegates/bar_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/pages/purge/partitions_pane.h"
#include "ui/pages/purge/purge_progress.h"
#include "ui/theme/console_style.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/rights_notice.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"
#include "ui/widgets/utc_edit.h"

#include <QCheckBox>
#include <QDateTimeEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// Of the button that leads to the keys that a purge leaves; empty where there are none.
QString unfinishedText(const std::optional<sql::PurgePlan> &plan)
{
    return plan && plan->unfinished > 0 ? PurgePage::tr("Show %n key(s)", nullptr, plan->unfinished) : QString();
}

} // namespace

Page::Face PurgePage::ownFace()
{
    return { u"purge"_s, tr("Purge"), u"purge"_s };
}

PurgePage::PurgePage(models::ConnectionController *connection, models::PurgeController *purge,
    models::ActionCenter *center, models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_purge(purge)
    , m_center(center)
    , m_settings(settings)
    , m_targets(new TargetChooser(u"purgeTarget"_s, this))
    , m_now(new QCheckBox(tr("Expired before &now"), this))
    , m_before(new QDateTimeEdit(this))
    , m_plan(new QPushButton(tr("&Plan"), this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_rights(new RightsNotice(center, connection, u"purgeRights"_s, this))
    , m_warnings(new NoticeBar(this))
    , m_unfinished(new NoticeBar(this))
    , m_summary(wrappedLabel({}, this))
    , m_bars(new ShareBars(tr("What goes and what stays"),
          { { tr("purged"), Token::Accent }, { tr("to purge"), Token::Danger },
              { tr("not expired"), Token::ControlBorder }, { tr("not finished"), Token::Stale },
              { tr("other states"), Token::Pending }, { tr("not yet assigned"), Token::Accent, false, true } },
          this))
    , m_stayNote(noteLabel({}, u"purgeStayNote"_s, this))
    , m_stack(new ContentStack(this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_groups(new QTableView(this))
    , m_partitions(new PartitionsPane(connection, purge, center, settings, this))
    , m_images(new QCheckBox(tr("&Keep the rows for undo"), this))
    , m_go(new QPushButton(this))
{
    setObjectName(u"purgePage"_s);
    m_warnings->setObjectName(u"purgeWarnings"_s);
    m_unfinished->setObjectName(u"purgeUnfinished"_s);
    m_bars->setTitles({ tr("Scope"), tr("Rows") });
    m_stack->setContent(buildPlan());
    auto *layout = pageColumn(this);
    layout->addWidget(buildHeader());
    layout->addWidget(m_rights);
    layout->addWidget(m_notice);
    layout->addWidget(m_warnings);
    layout->addWidget(m_unfinished);
    layout->addWidget(new PurgeProgress(m_center, this));
    layout->addWidget(m_summary);
    layout->addWidget(m_bars);
    layout->addWidget(m_stayNote);
    layout->addWidget(m_stack, 1);
    layout->addWidget(buildFoot());
    wire();
    onTargetsChanged();
}

void PurgePage::refresh()
{
    plan();
    m_center->refresh();
}

void PurgePage::refreshByItself()
{
    m_center->refresh();
}

QWidget *PurgePage::buildHeader()
{
    m_targets->offerOnly([](const models::TargetEntry &entry) { return !entry.target.profile.purge.isEmpty(); });
    m_now->setObjectName(u"purgeNow"_s);
    m_now->setChecked(true);
    m_before->setObjectName(u"purgeBefore"_s);
    m_before->setAccessibleName(tr("Expired before, in UTC"));
    showInUtc(m_before);
    m_before->setDisplayFormat(u"yyyy-MM-dd HH:mm 'UTC'"_s);
    m_before->setCalendarPopup(true);
    m_before->setDateTime(QDateTime::currentDateTimeUtc());
    m_before->setMaximumDateTime(QDateTime::currentDateTimeUtc());
    m_before->hide();
    m_plan->setObjectName(u"purgePlan"_s);
    m_stop->setObjectName(u"purgeStop"_s);
    m_stop->hide();
    m_summary->setObjectName(u"purgeSummary"_s);
    auto *header = new PageHeader(tr("Purge"), this);
    header->add(m_targets, 4);
    m_stateRow = header->addGroup();
    header->add({ nullptr, m_now, m_before, m_stop, m_plan });
    return header;
}

QWidget *PurgePage::buildPlan()
{
    setUpTable(m_groups,
        { u"purgeGroups"_s, tr("Rows to purge"), m_purge->groups(), { 320, 150, 120, 140, 160, 160, 130 } },
        m_settings);
    m_groups->setItemDelegateForColumn(models::PurgeGroupsModel::Rows, new BarDelegate(m_groups));
    m_groups->setItemDelegateForColumn(models::PurgeGroupsModel::State, new StateDelegate(m_groups));
    splitInTwo(m_splitter, m_groups, m_partitions, 0, 0);
    return m_splitter;
}

QWidget *PurgePage::buildFoot()
{
    auto *foot = new QWidget(this);
    m_images->setObjectName(u"purgeImages"_s);
    m_images->setToolTip(tr("Without them a purge cannot be undone"));
    m_go->setObjectName(u"purgeGo"_s);
    setLook(m_go, ButtonLook::DangerOutline);
    barRow({ nullptr, m_images, m_go }, foot);
    return foot;
}

void PurgePage::wire()
{
    connect(m_targets, &TargetChooser::chosen, this, &PurgePage::chooseTarget);
    connect(m_now, &QCheckBox::toggled, this, [this](bool now) {
        m_before->setVisible(!now);
        m_before->setMaximumDateTime(QDateTime::currentDateTimeUtc());
        m_purge->forget();
    });
    connect(m_before, &QDateTimeEdit::dateTimeChanged, m_purge, &models::PurgeController::forget);
    connect(m_plan, &QPushButton::clicked, this, &PurgePage::plan);
    connect(m_stop, &QPushButton::clicked, m_purge, &models::PurgeController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, this, &PurgePage::plan);
    connect(m_unfinished, &NoticeBar::primaryClicked, this, &PurgePage::showUnfinished);
    connect(m_warnings, &NoticeBar::primaryClicked, this, &PurgePage::showEmptied);
    connect(m_purge->groups(), &QAbstractItemModel::modelReset, this, [this] { m_onlyEmptied = false; });
    connect(m_rights, &RightsNotice::installClicked, this, &PurgePage::installClicked);
    connect(m_rights, &RightsNotice::registerClicked, this, &PurgePage::registerClicked);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else {
            plan();
        }
    });
    connect(m_images, &QCheckBox::toggled, m_purge, &models::PurgeController::setImages);
    connect(m_center, &models::ActionCenter::partitionChanged, this, &PurgePage::plan);
    connect(m_go, &QPushButton::clicked, this, &PurgePage::openDialog);
    connect(m_purge, &models::PurgeController::changed, this, &PurgePage::sync);
    connect(m_center, &models::ActionCenter::changed, this, &PurgePage::sync);
    connect(m_center, &models::ActionCenter::runnerChanged, this, &PurgePage::sync);
    connect(m_center, &models::ActionCenter::actionEnded, this, [this](const QString &target) {
        if (target == m_purge->target().target.profile.name) {
            const models::ActionRunner *runner = m_center->runner();
            const bool purge = runner != nullptr && runner->action().verb == sql::ActionVerb::Purge;
            purge ? m_purge->conclude(runner->action().id, models::rowsDone(runner->action().counts))
                  : m_purge->forget(); // its numbers are of before
        }
    });
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &PurgePage::onTargetsChanged);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &PurgePage::sync);
}

void PurgePage::onTargetsChanged()
{
    const QString current = m_purge->target().target.profile.name;
    const QString name = m_targets->refill(m_connection->targets(), current);
    if (const models::TargetEntry *entry = m_connection->target(name); entry == nullptr) {
        m_purge->setTarget({});
        fillStates();
    } else if (current != name || entry->registeredAt() != m_purge->target().registeredAt()) {
        chooseTarget(name); // a plan of before was by other rules
    }
    sync();
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
    m_targets->choose(name);
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
    m_partitions->setTimeFormat(format);
}

void PurgePage::plan()
{
    if (m_purge->runs()) {
        return; // also an error's button leads here
    }
    m_purge->plan(chosenStates(),
        m_now->isChecked() ? std::nullopt : std::optional(sql::Timestamp::fromDateTime(m_before->dateTime())));
}

void PurgePage::sync()
{
    const models::TargetEntry &entry = m_purge->target();
    if (m_purge->error()) {
        m_notice->showError(*m_purge->error(), tr("Plan again"));
    } else if (m_center->error()) {
        m_notice->showError(*m_center->error());
    } else {
        m_notice->clear();
    }
    const QString why = m_rights->sync(entry, tr("A purge can be planned, not run."));
    showWarnings();
    followRun();
    showBars();
    m_summary->setText(summaryText());
    m_summary->setVisible(!m_summary->text().isEmpty());
    syncGroups();
    m_stop->setVisible(m_purge->busy() || m_purge->countingStay());
    syncChoices();
    syncFoot(why);
    m_partitions->setWhyNot(why);
    m_partitions->setVisible(m_purge->partitions()->rowCount() > 0);
    m_stack->showContent(m_purge->groups()->rowCount() > 0 || m_purge->partitions()->rowCount() > 0);
    updateEmpty();
}

/// While a purge runs the pace is what the figures say, and not what was reckoned for the default one.
QString PurgePage::summaryText() const
{
    const auto &planned = m_purge->planned();
    if (m_purge->ended()) {
        return tr("The last plan, and what was purged of it. Plan again to count what is left.");
    }
    if (planned && openRun() != nullptr) {
        return tr("Planned: %1, about %2.").arg(models::rowsText(planned->rows), models::bytesText(planned->bytes));
    }
    QString summary = m_purge->summary();
    if (planned && !planned->triggers.isEmpty()) {
        summary
            += u' ' + tr("What fires for each row: %1.").arg(models::displayText(planned->triggers.join(u"; "_s), 400));
    }
    return summary;
}

void PurgePage::syncGroups()
{
    const bool begun = m_purge->follows() || m_purge->ended();
    m_groups->setColumnHidden(models::PurgeGroupsModel::Purged, !begun);
    // A note that no row has, or that a purge which was stopped made untrue.
    m_groups->setColumnHidden(models::PurgeGroupsModel::Left, begun || m_purge->emptiedScopes() == 0);
}

/// A plan that was begun is not begun again: its buttons stand in the strip until it is over.
void PurgePage::syncFoot(const QString &whyNot)
{
    const auto &planned = m_purge->planned();
    const bool shown = planned && planned->rows > 0 && !m_purge->follows() && openRun() == nullptr;
    m_images->setVisible(shown);
    const QSignalBlocker blocker(m_images); // what is so already is not asked for
    m_images->setChecked(planned && planned->images);
    const QString why = whyNot.isEmpty() ? whyNotBegin() : whyNot;
    m_go->setVisible(shown);
    const QString phrase = models::verbPhrase(sql::ActionVerb::Purge, planned ? planned->rows : 0);
    const auto &registered = m_purge->target().registration;
    const bool approval
        = planned && registered && registered->approvalAbove && planned->rows > *registered->approvalAbove;
    m_go->setText(
        approval ? tr("Request approval to %1…").arg(phrase.left(1).toLower() + phrase.mid(1)) : tr("%1…").arg(phrase));
    m_go->setEnabled(shown && why.isEmpty());
    m_go->setToolTip(why);
}

const models::ActionRunner *PurgePage::openRun() const
{
    using Stage = models::ActionRunner::Stage;
    const models::ActionRunner *runner = m_center->runner();
    const auto &registered = m_purge->target().registration;
    const bool here = runner != nullptr && runner->action().verb == sql::ActionVerb::Purge && registered
        && runner->action().target == registered->name;
    return here && (runner->active() || runner->stage() == Stage::Paused) ? runner : nullptr;
}

QString PurgePage::whyNotBegin() const
{
    using Stage = models::ActionRunner::Stage;
    const models::ActionRunner *runner = m_center->runner();
    if (m_center->busy()) {
        return tr("Another action is running.");
    }
    if (runner != nullptr && runner->stage() == Stage::Paused) {
        return tr("Another action is paused. Resume or cancel it first.");
    }
    const auto &registered = m_purge->target().registration;
    return runner != nullptr && runner->stage() == Stage::Asking && runner->action().verb == sql::ActionVerb::Purge
            && registered && runner->action().target == registered->name
        ? tr("A purge of this table waits for approval.")
        : QString();
}

/// While a purge runs, or is paused, its plan is what the page tells of, and stays as it is.
void PurgePage::syncChoices()
{
    const bool open = m_purge->runs() || openRun() != nullptr;
    for (int i = 0; i < m_stateRow->count(); ++i) {
        if (QWidget *box = m_stateRow->itemAt(i)->widget()) {
            box->setEnabled(!open);
        }
    }
    m_now->setEnabled(!open);
    m_before->setEnabled(!open);
    m_plan->setEnabled(m_purge->target().target.relation.oid != 0 && !m_purge->runs() && !m_purge->busy()
        && !chosenStates().isEmpty());
    m_plan->setVisible(!m_purge->runs());
    m_plan->setText(m_purge->ended() || m_purge->planned() ? tr("&Plan again") : tr("&Plan"));
    m_plan->setToolTip(tr("Count the rows to purge; nothing is changed"));
}

void PurgePage::showWarnings()
{
    if (m_purge->follows() || openRun() != nullptr) { // they were of what to begin
        m_warnings->clear();
        m_unfinished->clear();
        return;
    }
    const auto &planned = m_purge->planned();
    QStringList warnings = planned ? planned->warnings : QStringList();
    if (planned && planned->unfinished > 0) { // has a notice and a button of its own
        const QString warning = models::unfinishedWarning(*planned);
        m_unfinished->showNotice(NoticeBar::Kind::Warning, warning, {}, {}, unfinishedText(planned));
        warnings.removeAll(warning);
    } else {
        m_unfinished->clear();
    }
    if (m_purge->emptiedScopes() > 0) {
        warnings += emptiedText();
    }
    if (m_purge->imagesAskedFor()) {
        warnings += tr(
            "By default undo copies are kept for up to %1 rows. There are more: choose below whether to keep them.")
                        .arg(models::countText(m_purge->target().registration->imageLimit));
    }
    if (warnings.isEmpty()) {
        m_warnings->clear();
    } else {
        m_warnings->showNotice(NoticeBar::Kind::Warning, models::displayText(warnings.first(), 400),
            models::displayText(warnings.mid(1, 2).join(u' '), 600),
            warnings.size() > 3 ? warnings.join(u'\n') : QString(),
            m_purge->emptiedScopes() == 0 ? QString()
                : m_onlyEmptied           ? tr("Show all scopes")
                                          : tr("Show %n scope(s)", nullptr, m_purge->emptiedScopes()));
    }
}

void PurgePage::showEmptied()
{
    m_onlyEmptied = !m_onlyEmptied;
    const QList<sql::PurgeGroup> &groups = m_purge->groups()->rows();
    for (int row = 0; row < groups.size(); ++row) {
        m_groups->setRowHidden(row, m_onlyEmptied && !groups.at(row).wholeScope);
    }
    showWarnings();
}

/// The bars follow the purge of what is planned here; the strip below tells how it ends.
void PurgePage::followRun()
{
    const models::ActionRunner *runner = openRun();
    const bool here = runner != nullptr;
    // A plan made since is of what is left: what went before does not stand in it.
    const bool planned = here && m_purge->planned() && m_purge->planned()->rows == runner->action().plannedRows;
    const qint64 done = here ? models::rowsDone(runner->action().counts) : 0;
    const bool begun = planned && (runner->active() || done > 0); // a pause takes nothing back
    m_purge->follow(begun ? runner->action().id : QString(), begun ? done : 0, begun && runner->active());
}

void PurgePage::showBars()
{
    const bool runs = m_purge->follows() || m_purge->ended(); // another table's purge is none of these
    QList<ShareBars::Bar> bars;
    QList<double> sums(6, 0.0);
    double left = 0;
    for (const models::PurgeScopeBar &bar : m_purge->bars()) {
        left += bar.goes;
    }
    // Purged rows whose scopes are not read yet are drawn all the same, as if each scope had its share of them.
    const double untold = runs ? std::clamp(double(m_purge->done() - m_purge->told()), 0.0, left) : 0;
    for (const models::PurgeScopeBar &bar : m_purge->bars()) {
        const double share = left > 0 ? untold * bar.goes / left : 0;
        QStringList text { runs
                ? tr("%1 of %2 purged")
                      .arg(models::shortCountText(bar.gone), models::shortCountText(bar.gone + bar.goes))
                : tr("%1 to purge").arg(models::shortCountText(bar.goes)) };
        if (bar.unfinished >= 1) {
            text += tr("%1 not finished").arg(models::shortCountText(bar.unfinished));
        }
        const QList<double> parts { bar.gone, bar.goes - share, bar.kept, bar.unfinished, bar.others, share };
        bars += ShareBars::Bar { bar.name, parts, text.join(u", "_s),
            m_purge->stayKnown() ? models::shortCountText(bar.rows()) : QString() };
        for (qsizetype part = 0; part < parts.size(); ++part) {
            sums[part] += std::round(parts.at(part)); // as its rows say it: a legend is the sum of what stands below
        }
    }
    if (runs) { // of which scopes the last rows were is read behind; that they are gone is known
        const double planned = sums.at(0) + sums.at(1) + sums.at(5);
        sums[0] = double(m_purge->done());
        sums[1] = std::max(0.0, planned - sums.at(0));
    }
    // A plan shows what it will take away; of one that runs or ended, what is gone stands out, and the rest waits.
    m_bars->setPart(
        1, { m_purge->ended() ? tr("not reached") : tr("to purge"), runs ? Token::Accent : Token::Danger, runs });
    m_bars->setPart(4, { otherStatesText(), Token::Pending });
    m_bars->setBars(bars, sums);
    m_bars->setVisible(!bars.isEmpty());
    m_stayNote->setText(barsNote());
    m_stayNote->setVisible(!m_stayNote->text().isEmpty());
}

/// What an emptied scope means: for a plan, for a purge that took all of it, and for one that was stopped.
QString PurgePage::emptiedText() const
{
    const int scopes = m_purge->emptiedScopes();
    if (!m_purge->ended()) {
        return tr("A late retry in an emptied scope runs as a new request."); // how many the plan's warning says
    }
    const auto bars = m_purge->bars();
    return std::any_of(bars.begin(), bars.end(), [](const models::PurgeScopeBar &bar) { return bar.goes >= 1; })
        ? tr("%n scope(s) may be empty now. A late retry there runs as a new request.", nullptr, scopes)
        : tr("%n scope(s) are empty now. A late retry there runs as a new request.", nullptr, scopes);
}

/// The states that the purge does not take, by their names where these are few.
QString PurgePage::otherStatesText() const
{
    constexpr int kMostNamedStates = 2;
    const QList<sql::KeyState> chosen = chosenStates();
    QStringList names;
    for (const sql::KeyState state : sql::kAllStates) {
        const bool unfinished = state == sql::KeyState::Pending || state == sql::KeyState::InProgress;
        if (!unfinished && !chosen.contains(state) && !m_purge->possibleStates().contains(state)) {
            names += models::stateLabel(state);
        }
    }
    for (const sql::KeyState state : m_purge->possibleStates()) {
        names += chosen.contains(state) ? QStringList() : QStringList { models::stateLabel(state) };
    }
    return names.isEmpty() || names.size() > kMostNamedStates ? tr("other states") : names.join(tr(" or "));
}

QString PurgePage::barsNote() const
{
    QString note = m_purge->stayNote();
    if (m_purge->follows() && m_purge->done() > 0 && !m_purge->bars().isEmpty()) {
        note += (note.isEmpty() ? QString() : u" "_s)
            + (m_purge->told() == m_purge->done()
                    ? tr("The bars show the scopes of all %1 purged rows.").arg(models::countText(m_purge->done()))
                    : tr("The bars show the scopes of %1 of the %2 purged rows.")
                          .arg(models::countText(m_purge->told()), models::countText(m_purge->done())));
    }
    return note;
}

void PurgePage::showUnfinished()
{
    emit keysWanted(m_purge->target().target.profile.name, m_purge->unfinishedFilter());
}

void PurgePage::updateEmpty()
{
    EmptyState *empty = m_stack->empty();
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(
            tr("Finished keys past their retention are counted here, and removed in small batches."));
    } else if (m_purge->busy()) {
        empty->show(u"purge"_s, tr("Counting rows…"),
            tr("The count is exact, so it may take a while on a large table. Nothing is changed."));
    } else if (m_targets->count() == 0 && !m_connection->noTableBecause().isEmpty()) {
        empty->show(u"purge"_s, tr("No table could be read"), m_connection->noTableBecause());
    } else if (m_targets->count() == 0) {
        empty->show(u"purge"_s, tr("Nothing to purge"),
            tr("No table here has a purge rule in its profile: by which time its rows end, and in which states."));
    } else if (m_purge->planned()) {
        empty->show(u"purge"_s, tr("Nothing to purge now"), tr("No key in these states is past its retention."));
    } else {
        empty->show(u"purge"_s, tr("No plan yet"),
            tr("A plan counts the rows to purge by scope and state. It changes nothing."), tr("Plan"));
    }
}

ActionDialog *PurgePage::dialog() const
{
    return m_dialog != nullptr ? m_dialog : m_partitions->dialog();
}

void PurgePage::openDialog()
{
    const models::TargetEntry entry = m_purge->target();
    if (!m_center->mayAct() || dialog() != nullptr || !m_purge->planned() || !entry.registration || openRun() != nullptr
        || !whyNotBegin().isEmpty()) {
        return;
    }
    const sql::PurgePlan plan = *m_purge->planned();
    ActionQuestion question = questionAbout(sql::ActionVerb::Purge, plan.rows, entry, *m_connection);
    question.connection = m_center->place();
    question.header = QStringList { tr("Rows"), tr("Scope"), tr("State") };
    for (const sql::PurgeGroup &group : plan.groups) {
        question.plan.append(
            { models::countText(group.rows), models::scopeText(group.scope), models::stateLabel(group.state) });
    }
    question.size = m_purge->summary();
    question.warnings = plan.warnings;
    if (plan.unfinished > 0) {
        question.linkedWarning = models::unfinishedWarning(plan);
        question.warningLink = unfinishedText(plan);
        question.warnings.removeAll(question.linkedWarning);
    }
    question.undoable = plan.images;
    question.undoText = tr("The rows are kept for %1 and can be restored.").arg(entry.registration->undoWindow);
    question.movesTo = entry.target.profile.history ? entry.target.profile.history->relation : QString();
    question.throttle = true;
    m_dialog = new ActionDialog(question, this);
    connect(m_dialog, &QDialog::finished, this, [this] { m_dialog = nullptr; });
    connect(m_dialog, &ActionDialog::linkClicked, this, &PurgePage::showUnfinished);
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
    ui::openDialog(m_dialog);
}

} // namespace idemdesk::ui
