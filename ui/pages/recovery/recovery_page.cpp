// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/recovery/recovery_page.h"

#include "models/actions/action_center.h"
#include "models/actions/action_words.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/format/time_format.h"
#include "models/keys/column_fit.h"
#include "models/retries/cause_controller.h"
#include "models/settings.h"
#include "models/triage/triage_controller.h"
#include "models/triage/triage_groups.h"
#include "ui/delegates/class_delegate.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/pages/recovery/causes_view.h"
#include "ui/pages/recovery/class_bar.h"
#include "ui/pages/recovery/evidence_delegate.h"
#include "ui/theme/console_style.h"
#include "ui/theme/icons.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/rights_notice.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::TriageModel;

namespace {

constexpr int kMostDecisions = 3; // buttons; more are a menu
constexpr int kLeastChooser = 260; // pixels, of the choice of tables
constexpr int kWordsFit = 1000; // pixels, of a page whose buttons say what they do beside a filter that can be read
constexpr int kPickWidth = 36; // pixels, of the boxes
constexpr int kLeastSection = 36; // as tables have it
constexpr int kLeastStuckKeyWidth = 150; // pixels; both ends of a key that is cut tell it from others
constexpr int kMostKeyBesideWhy = 300;
constexpr int kLeastWhyWidth = 240; // pixels: a reason with its references cut short
constexpr qsizetype kMostMeasured = 300; // rows, evenly over the list; the widths of all take too long

/// A verb that asks no staleness takes what a filter names: these.
QString usualFilter(sql::ActionVerb verb)
{
    return verb == sql::ActionVerb::Requeue   ? u"state:failed_final,failed_retryable"_s
        : verb == sql::ActionVerb::Reclassify ? u"state:failed_final"_s
                                              : QString();
}

/// What a person found out of the key, where it is stuck; else the state that they give it.
QString decisionText(sql::ActionVerb verb, const std::optional<sql::KeyState> &to)
{
    if (!to) {
        return RecoveryPage::tr("Delete it…");
    }
    if (verb == sql::ActionVerb::Recover) {
        switch (*to) {
        case sql::KeyState::Succeeded:
            return RecoveryPage::tr("Effect happened…");
        case sql::KeyState::FailedFinal:
            return RecoveryPage::tr("Nothing happened…");
        case sql::KeyState::FailedRetryable:
            return RecoveryPage::tr("Retry…");
        case sql::KeyState::Pending:
            return RecoveryPage::tr("Queue again…");
        case sql::KeyState::InProgress:
        case sql::KeyState::Unknown:
            break;
        }
    }
    return RecoveryPage::tr("Mark “%1”…").arg(models::stateLabel(*to));
}

/// After it the work may be done once more, also where its effect happened.
bool mayRunTwice(sql::ActionVerb verb, const std::optional<sql::KeyState> &to)
{
    return verb == sql::ActionVerb::Recover
        && (!to || to == sql::KeyState::FailedRetryable || to == sql::KeyState::Pending);
}

/// What a decision leads to, as a sentence. settled: the effect is known not to have happened.
QString decisionEnd(const std::optional<sql::KeyState> &to, bool settled)
{
    if (!to) {
        return RecoveryPage::tr("“Delete it” frees the key: the next request with it runs as a new one.");
    }
    const QString state = models::stateLabel(*to);
    switch (*to) {
    case sql::KeyState::Succeeded:
        return RecoveryPage::tr("“Effect happened” makes it “%1”: it never runs again.").arg(state);
    case sql::KeyState::FailedFinal:
        return RecoveryPage::tr("“Nothing happened” makes it “%1”: it never runs again.").arg(state);
    case sql::KeyState::FailedRetryable:
        return (settled
                ? RecoveryPage::tr("“Retry” makes it “%1”: it may run again.")
                : RecoveryPage::tr("“Retry” makes it “%1”: it may run again, and twice if the effect happened."))
            .arg(state);
    case sql::KeyState::Pending:
        return (settled ? RecoveryPage::tr("“Queue again” makes it “%1”: it runs again.")
                        : RecoveryPage::tr("“Queue again” makes it “%1”: it runs again, and twice if the effect "
                                           "happened."))
            .arg(state);
    case sql::KeyState::InProgress:
    case sql::KeyState::Unknown:
        break;
    }
    return {};
}

/// Those that run nothing again stand first: the risky ones are not the first thing at hand.
QList<std::optional<sql::KeyState>> inOrderOfRisk(sql::ActionVerb verb, QList<std::optional<sql::KeyState>> decisions)
{
    const auto rank = [verb](const std::optional<sql::KeyState> &to) {
        return to == sql::KeyState::Succeeded ? 0 : mayRunTwice(verb, to) ? 2 : 1;
    };
    std::stable_sort(
        decisions.begin(), decisions.end(), [&rank](const auto &a, const auto &b) { return rank(a) < rank(b); });
    return decisions;
}

/// Keys that no rule settles: neither go they together, nor is anybody still at work on them.
int needingAPerson(const TriageModel &model)
{
    int keys = 0;
    for (const models::TriageTally &tally : model.tallies()) {
        keys += tally.group == models::TriageGroup::Running ? 0 : tally.keys - tally.may;
    }
    return keys;
}

/// What keeps most of the keys out.
QString mostlyWhyNot(const TriageModel &model)
{
    const QList<models::TriageTally> tallies = model.tallies();
    return std::max_element(tallies.cbegin(), tallies.cend(),
        [](const models::TriageTally &a, const models::TriageTally &b) { return a.keys < b.keys; })
        ->whyNot;
}

/// Does this decide on each key?
bool decidesAll(const TriageModel &model, const QString &reason)
{
    return std::all_of(model.rows().cbegin(), model.rows().cend(), [&reason](const TriageModel::Row &row) {
        return !row.judgement.reasons.isEmpty() && row.judgement.reasons.constLast() == reason;
    });
}

/// Is this the only reason that each key has?
bool allFor(const TriageModel &model, const QString &reason)
{
    return std::all_of(model.rows().cbegin(), model.rows().cend(),
        [&reason](const TriageModel::Row &row) { return row.judgement.reasons == QStringList { reason }; });
}

} // namespace

Page::Face RecoveryPage::ownFace()
{
    return { u"recovery"_s, tr("Recovery"), u"recovery"_s };
}

RecoveryPage::RecoveryPage(models::ConnectionController *connection, models::TriageController *triage,
    models::ActionCenter *center, models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_triage(triage)
    , m_center(center)
    , m_settings(settings)
    , m_targets(new TargetChooser(u"recoveryTarget"_s, this))
    , m_verbs(new QComboBox(this))
    , m_filter(new QLineEdit(this))
    , m_read(new QToolButton(this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_rights(new RightsNotice(center, connection, u"recoveryRights"_s, this))
    , m_classBar(new ClassBar(triage->model(), this))
    , m_causesButton(new QToolButton(this))
    , m_causes(new CausesView(triage, settings, this))
    , m_all(new QCheckBox(this))
    , m_stack(new ContentStack(this))
    , m_groups(new models::TriageGroups(triage->model(), this))
    , m_table(new QTableView(this))
    , m_why(readableLabel(u"recoveryWhy"_s, this))
    , m_oneName(elidedLabel(this))
    , m_oneFacts(elidedLabel(this))
    , m_leads(noteLabel({}, u"recoveryLeads"_s, this))
    , m_look(new QPushButton(tr("Open key"), this))
    , m_one(new QToolButton(this))
    , m_oneMenu(new QMenu(this))
    , m_chosen(plainLabel({}, this))
    , m_rest(new QToolButton(this))
    , m_becomes(noteLabel({}, u"recoveryBecomes"_s, this))
    , m_go(new QPushButton(this))
{
    setObjectName(u"recoveryPage"_s);
    m_notice->setObjectName(u"recoveryNotice"_s);
    buildBar();
    buildCauses();
    auto *header = new PageHeader(tr("Recovery"), this);
    header->add({ m_targets, m_verbs });
    header->add(m_filter, 1);
    header->add({ m_stop, m_causesButton, m_read });
    buildTable();
    m_stack->setContent(m_table);
    auto *layout = pageColumn(this);
    layout->addWidget(header);
    layout->addWidget(m_rights);
    layout->addWidget(m_notice);
    layout->addLayout(barRow({ m_all, m_classBar, nullptr }));
    layout->addWidget(m_causes);
    layout->addWidget(m_stack, 1);
    layout->addWidget(buildFoot());
    wire();
    onTargetsChanged();
}

void RecoveryPage::refresh()
{
    if (!m_triage->choiceEnded()) {
        readAgain();
    }
    m_center->refresh();
}

void RecoveryPage::buildBar()
{
    m_targets->prefer([](const models::TargetEntry &entry) { // one that can be stale; the others still are a choice
        return entry.target.profile.stale && !entry.target.profile.recover.isEmpty();
    });
    m_verbs->setObjectName(u"recoveryVerb"_s);
    m_verbs->setAccessibleName(tr("Action"));
    m_verbs->addItem(tr("Recover stuck keys"), int(sql::ActionVerb::Recover));
    m_verbs->addItem(tr("Requeue failed keys"), int(sql::ActionVerb::Requeue));
    m_verbs->addItem(tr("Reclassify keys"), int(sql::ActionVerb::Reclassify));
    m_filter->setObjectName(u"recoveryFilter"_s);
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter, e.g. age>1h"));
    m_filter->setClearButtonEnabled(true);
    setUpIconButton(m_read, u"recoveryRead"_s, u"refresh"_s, tr("Read again (F5)"));
    m_stop->setObjectName(u"recoveryStop"_s);
    m_stop->hide();
}

/// Why keys failed is asked for: most who come here want what is stuck.
void RecoveryPage::buildCauses()
{
    m_causesButton->setObjectName(u"recoveryCauses"_s);
    m_causesButton->setText(tr("Failures by cause"));
    m_causesButton->setIcon(themedIcon(u"bars"_s));
    m_causesButton->setToolTip(tr("Why keys of this table failed, how often, since when, and what helps"));
    m_causesButton->setCheckable(true);
    m_causes->hide();
    connect(m_causesButton, &QToolButton::toggled, m_causes, &QWidget::setVisible);
    connect(m_causes, &CausesView::keysWanted, this,
        [this](const QString &filter) { emit keysWanted(m_triage->target().target.profile.name, filter); });
    connect(m_causes, &CausesView::changeWanted, this, [this](const QString &filter, sql::ActionVerb verb) {
        showTarget(m_triage->target().target.profile.name, filter, verb);
    });
}

void RecoveryPage::buildTable()
{
    setUpTable(m_table, { u"recoveryTable"_s, tr("Keys"), m_groups, {} }, m_settings);
    m_groups->setApart(true); // a line each: what belongs to a key stands beside it
    QHeaderView *header = m_table->horizontalHeader();
    header->setProperty(kFitsItself, true);
    header->setSectionResizeMode(TriageModel::Pick, QHeaderView::Fixed);
    connect(header, &QHeaderView::sectionResized, this, [this](int column, int before, int now) {
        // By hand alone: the last one fills the width by itself, whichever that is.
        const bool byHand = QGuiApplication::mouseButtons().testFlag(Qt::LeftButton);
        if (!m_fitting && byHand && before > 0 && now > 0 && column != m_lastShown) {
            m_widened.insert(column);
        }
    });
    m_table->viewport()->installEventFilter(this);
    toggleBySpace(m_table);
    setUpHeadings(m_table, m_groups, [](int group) { return groupBadge(static_cast<models::TriageGroup>(group)); });
    m_table->setItemDelegateForColumn(TriageModel::Class, new ClassDelegate(m_table));
    m_table->setColumnHidden(TriageModel::Class, true); // its heading says it
    m_table->setItemDelegateForColumn(TriageModel::Key, new KeyDelegate(m_table));
    for (const int column : { int(TriageModel::State), int(TriageModel::Proposed) }) {
        m_table->setItemDelegateForColumn(column, new StateDelegate(m_table));
    }
    m_table->setItemDelegateForColumn(TriageModel::Why, new EvidenceDelegate(m_table));
    m_all->setObjectName(u"recoveryAll"_s);
}

/// Above, the selected key with its evidence and what may be done with it alone; below, what is done together.
QWidget *RecoveryPage::buildFoot()
{
    auto *foot = new QWidget(this);
    auto *column = partColumn(foot);
    m_oneName->setObjectName(u"recoveryOneName"_s);
    m_oneName->setFont(Theme::monospace());
    m_oneFacts->setObjectName(u"recoveryOneFacts"_s);
    m_oneFacts->setForegroundRole(QPalette::PlaceholderText);
    auto *said = new QVBoxLayout;
    said->setSpacing(0);
    auto *name = barRow({});
    name->addWidget(m_oneName);
    name->addWidget(m_oneFacts, 1);
    said->addLayout(name);
    said->addWidget(m_why);
    said->addWidget(m_leads);
    auto *row = barRow({});
    row->addLayout(said, 1);
    m_look->setObjectName(u"recoveryLook"_s);
    m_look->setToolTip(tr("Shows the key with its story; “Verdict” there says what is known of its effect"));
    m_look->hide();
    row->addWidget(m_look, 0, Qt::AlignTop);
    for (int i = 0; i < kMostDecisions; ++i) {
        auto *button = new QPushButton(this);
        button->setObjectName(u"recoveryDecide%1"_s.arg(i));
        button->hide();
        connect(button, &QPushButton::clicked, this, [this, i] {
            const sql::KeyRecord key = m_decided; // whatever the next answer makes of the buttons
            const std::optional<sql::KeyState> to = m_decisions.at(i);
            askAboutOne(m_triage->target().target.profile.name, key, to);
        });
        m_oneButtons += button;
        row->addWidget(button, 0, Qt::AlignTop);
    }
    m_one->setObjectName(u"recoveryOne"_s);
    m_one->setText(tr("Decide this key…"));
    m_one->setToolTip(tr("Bring the selected key to a state of your choice"));
    m_one->setPopupMode(QToolButton::InstantPopup);
    m_one->setMenu(m_oneMenu);
    m_one->setMinimumSize(m_one->sizeHint().width() + 4 * kGrid, m_go->sizeHint().height());
    m_rest->setObjectName(u"recoveryRest"_s);
    m_rest->setAutoRaise(true);
    m_rest->setFocusPolicy(Qt::StrongFocus);
    m_rest->setToolTip(tr("Show only these keys; each is decided by itself"));
    m_chosen->setObjectName(u"recoveryChosen"_s);
    m_go->setObjectName(u"recoveryGo"_s);
    setLook(m_go, ButtonLook::Primary);
    m_becomes->setWordWrap(false);
    row->addWidget(m_one, 0, Qt::AlignTop);
    column->addLayout(row);
    column->addLayout(barRow({ m_becomes, nullptr, m_chosen, m_rest, m_go }));
    return foot;
}

void RecoveryPage::wire()
{
    connect(m_targets, &TargetChooser::chosen, this, &RecoveryPage::chooseTarget);
    connect(m_classBar, &ClassBar::changed, this, &RecoveryPage::sync);
    // Not by a click: assistive technology switches a box without one.
#if QT_VERSION < QT_VERSION_CHECK(6, 7, 0)
    const auto changed = &QCheckBox::stateChanged;
#else
    const auto changed = &QCheckBox::checkStateChanged;
#endif
    connect(m_all, changed, this, [this](auto state) {
        const bool on = state != Qt::Unchecked;
        for (const models::TriageTally &tally : m_triage->model()->tallies()) {
            if (m_classBar->shows(tally.group)) {
                m_triage->model()->checkGroup(tally.group, on);
            }
        }
    });
    connect(m_verbs, &QComboBox::activated, this,
        [this](int index) { chooseVerb(static_cast<sql::ActionVerb>(m_verbs->itemData(index).toInt())); });
    connect(m_filter, &QLineEdit::returnPressed, this, &RecoveryPage::readMatching);
    connect(m_read, &QToolButton::clicked, this, &RecoveryPage::readAgain);
    connect(m_stop, &QPushButton::clicked, m_triage, &models::TriageController::cancel);
    wireNotice();
    connect(m_look, &QPushButton::clicked, this,
        [this] { emit keyWanted(m_triage->target().target.profile.name, m_decided.key.text); });
    connect(m_rest, &QToolButton::clicked, m_classBar, &ClassBar::showUnsettled);
    connect(m_rights, &RightsNotice::installClicked, this, &RecoveryPage::installClicked);
    connect(m_rights, &RightsNotice::registerClicked, this, &RecoveryPage::registerClicked);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_triage->choiceEnded() && m_triage->target().target.relation.oid != 0) {
            readMatching();
        } else {
            emit connectClicked();
        }
    });
    connect(m_go, &QPushButton::clicked, this, &RecoveryPage::openDialog);
    connect(m_oneMenu, &QMenu::aboutToShow, this, &RecoveryPage::fillChoices);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RecoveryPage::updateCurrent);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        if (const int row = m_groups->sourceRow(index.row()); index.isValid() && row >= 0) {
            emit keyWanted(
                m_triage->target().target.profile.name, m_triage->model()->rows().at(row).facts.record.key.text);
        }
    });
    follow();
}

void RecoveryPage::follow()
{
    connect(m_groups, &QAbstractItemModel::modelReset, this, &RecoveryPage::updateCurrent);
    connect(m_triage->model(), &QAbstractItemModel::modelReset, this, [this] {
        m_contents.clear();
        selectAgain();
    });
    connect(m_triage, &models::TriageController::changed, this, &RecoveryPage::sync);
    connect(m_center, &models::ActionCenter::changed, this, &RecoveryPage::sync);
    connect(m_center, &models::ActionCenter::runnerChanged, this, &RecoveryPage::sync);
    connect(m_center, &models::ActionCenter::actionEnded, this, [this](const QString &target) {
        if (m_triage->loaded() && target == m_triage->target().target.profile.name) {
            readAgain();
        }
    });
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &RecoveryPage::onTargetsChanged);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &RecoveryPage::sync);
}

void RecoveryPage::wireNotice()
{
    connect(m_notice, &NoticeBar::primaryClicked, this, [this] {
        if (noStaleRule()) {
            emit addTableClicked();
        } else {
            readAgain();
        }
    });
    connect(m_notice, &NoticeBar::secondaryClicked, this, [this] {
        if (noStaleRule()) {
            m_verbs->setCurrentIndex(m_verbs->findData(int(sql::ActionVerb::Requeue)));
            chooseVerb(sql::ActionVerb::Requeue);
        } else {
            readMatching();
        }
    });
}

void RecoveryPage::onTargetsChanged()
{
    const QString current = m_triage->target().target.profile.name;
    const QString kept = current.isEmpty() ? m_targets->wanted() : current;
    const QString name = m_targets->refill(m_connection->targets(), current);
    const models::TargetEntry *entry = m_connection->target(name);
    if (entry == nullptr) {
        m_triage->replaceTarget({});
    } else if (current != name) {
        if (name != kept) {
            m_filter->clear();
        }
        m_triage->replaceTarget(*entry);
        if (isVisible() && !m_triage->choiceEnded()) {
            readMatching();
        }
    } else if (entry->registeredAt() != m_triage->target().registeredAt()) {
        m_triage->renewTarget(*entry); // what may be done has changed, and by which rules
        if (m_triage->chosenElsewhere() > 0) {
            m_triage->refresh(); // whoever chose these keys meant no others
        } else if (isVisible() && !m_triage->choiceEnded()) {
            readMatching();
        }
    }
    sync();
}

void RecoveryPage::chooseVerb(sql::ActionVerb verb)
{
    const bool usual = m_filter->text() == usualFilter(m_triage->verb());
    m_triage->setVerb(verb);
    if (m_triage->chosenElsewhere() > 0) {
        m_triage->refresh(); // what this verb may do with the same keys
        return;
    }
    if (usual || verb != sql::ActionVerb::Recover) {
        m_filter->setText(usualFilter(verb));
    }
    readMatching();
}

void RecoveryPage::setTimeFormat(const models::TimeFormat &format)
{
    m_triage->setZone(format.zone());
}

void RecoveryPage::readMatching()
{
    if (m_filter->text().trimmed().isEmpty()) {
        m_filter->setText(usualFilter(m_triage->verb())); // never simply all that a verb could take
    }
    m_triage->read(m_filter->text());
}

void RecoveryPage::readAgain()
{
    if (m_causes->isVisible()) {
        m_triage->causes()->read();
    }
    if (m_triage->loaded() || m_triage->chosenElsewhere() > 0) {
        m_triage->refresh();
    } else {
        readMatching();
    }
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

void RecoveryPage::showTarget(const QString &name, const QString &filter, sql::ActionVerb verb)
{
    m_targets->choose(name);
    chooseTarget(name);
    if (verb != sql::ActionVerb::Recover) {
        m_verbs->setCurrentIndex(m_verbs->findData(int(verb)));
        m_triage->setVerb(verb);
    }
    if (!filter.isEmpty() || verb != sql::ActionVerb::Recover) {
        m_filter->setText(filter);
        readMatching();
    }
}

void RecoveryPage::showChosen(const QString &name, sql::ActionVerb verb, const QList<sql::Cells> &identities)
{
    const models::TargetEntry *entry = m_connection->target(name);
    if (entry == nullptr) {
        return;
    }
    m_targets->choose(name);
    m_filter->clear();
    m_verbs->setCurrentIndex(m_verbs->findData(int(verb)));
    m_triage->setVerb(verb);
    m_triage->setTarget(*entry);
    m_triage->readChosen(identities);
}

void RecoveryPage::activate()
{
    if (!m_triage->loaded() && !m_triage->busy() && !m_triage->error() && !m_triage->choiceEnded()) {
        readMatching();
    }
}

void RecoveryPage::selectRow(int row)
{
    m_table->setCurrentIndex(m_groups->index(m_groups->rowOf(row), TriageModel::Key));
}

/// An answer orders the rows anew: the key that was selected stays so, wherever it stands now.
void RecoveryPage::selectAgain()
{
    selectRow(std::max(0, rowOf(m_current)));
}

int RecoveryPage::rowOf(const sql::Cells &identity) const
{
    const auto &rows = m_triage->model()->rows();
    const auto found = std::find_if(rows.cbegin(), rows.cend(),
        [&identity](const models::TriageRow &row) { return row.facts.record.identity == identity; });
    return found == rows.cend() ? -1 : int(found - rows.cbegin());
}

int RecoveryPage::currentRow() const
{
    return m_groups->sourceRow(m_table->currentIndex().row());
}

void RecoveryPage::sync()
{
    layout()->setEnabled(false); // each part that appears would lay the whole window out again
    const models::TargetEntry &entry = m_triage->target();
    const bool target = entry.target.relation.oid != 0;
    syncNotice();
    const QString why = m_rights->sync(entry, tr("Keys can be looked at, not changed."));
    m_stop->setVisible(m_triage->busy());
    m_verbs->setEnabled(target);
    for (int i = 0; i < m_verbs->count(); ++i) {
        m_verbs->setItemData(i,
            m_triage->hasRules(static_cast<sql::ActionVerb>(m_verbs->itemData(i).toInt())) ? QVariant() : QVariant(0),
            Qt::UserRole - 1);
    }
    const bool recover = m_triage->verb() == sql::ActionVerb::Recover;
    const bool rows = m_triage->model()->rowCount() > 0;
    m_classBar->sync();
    m_classBar->setVisible(rows && recover);
    showClasses();
    syncColumns();
    syncSelection(why);
    m_stack->showContent(rows);
    updateEmpty();
    updateCurrent();
    layout()->setEnabled(true);
    layout()->activate();
    fitColumns(); // in the room that is left
}

void RecoveryPage::syncColumns()
{
    const TriageModel &model = *m_triage->model();
    m_table->setColumnHidden(TriageModel::State, m_triage->stuckOnly()); // which says it
    const bool none = model.rowCount() > 0 && model.mayCount() == 0;
    m_table->setColumnHidden(TriageModel::Proposed, none || m_groups->saidAbove(TriageModel::Proposed));
    // One reason for all is said once, above.
    const bool alike = m_groups->saidAbove(TriageModel::Why)
        || (noticeSaysWhy() && m_triage->verb() == sql::ActionVerb::Recover && allFor(model, mostlyWhyNot(model)));
    m_table->setColumnHidden(TriageModel::Why, alike);
    fitColumns();
}

/// The widest text of each column, badges with their frames, of rows from all parts of the list.
void RecoveryPage::measureColumns()
{
    const TriageModel &model = *m_triage->model();
    const qsizetype step = std::max<qsizetype>(1, model.rows().size() / kMostMeasured);
    const QFontMetrics text(Theme::figures(m_table->font())); // which are wider than the letters' own
    const QFontMetrics key(Theme::monospace());
    m_contents.fill(0, TriageModel::ColumnCount);
    for (qsizetype row = 0; row < model.rows().size(); row += step) {
        for (int column = TriageModel::Key; column < TriageModel::ColumnCount; ++column) {
            const QString said = model.index(int(row), column).data().toString();
            const bool badge = column == TriageModel::State || column == TriageModel::Proposed;
            const int width = said.isEmpty() ? 0
                : badge                      ? badgeWidth({ said }, m_table->font()) + 2 * kCellPadding
                : column == TriageModel::Key ? key.horizontalAdvance(said) + 2 * kCellPadding
                                             : text.horizontalAdvance(said) + 2 * kCellPadding + kGrid;
            m_contents[column] = std::max(m_contents.at(column), width);
        }
    }
}

/// Columns are as wide as what they say. Where that is too much, owner, attempts and scope give way, in this order: the
/// foot says them of the selected key.
void RecoveryPage::fitColumns()
{
    const int room = m_table->viewport()->width();
    if (m_fitting || room <= 0 || m_triage->model()->rowCount() == 0) {
        return;
    }
    const QScopedValueRollback<bool> fitting(m_fitting, true);
    if (m_contents.isEmpty()) {
        measureColumns();
    }
    const QHash<int, int> ranks { { TriageModel::Scope, 1 }, { TriageModel::Attempts, 2 }, { TriageModel::Owner, 3 } };
    const bool why = !m_table->isColumnHidden(TriageModel::Why);
    // Without a key that can be ticked there is no box, and the keys begin where the texts of other tables do.
    const int boxes = m_triage->model()->mayCount() > 0 ? kPickWidth : 1;
    m_table->horizontalHeader()->setMinimumSectionSize(std::min(boxes, kLeastSection));
    QList<models::FittingColumn> columns;
    for (int column = 0; column < TriageModel::ColumnCount; ++column) {
        const int title = leastColumnWidth(m_table, column);
        int wanted = column == TriageModel::Pick ? boxes : std::max(title, m_contents.at(column));
        int least = wanted;
        if (column == TriageModel::Key) {
            wanted = why ? std::min(wanted, Theme::scaled(kMostKeyBesideWhy)) : wanted;
            least = Theme::scaled(kLeastStuckKeyWidth);
        } else if (column == TriageModel::Why) {
            least = Theme::scaled(kLeastWhyWidth);
        }
        if (m_widened.contains(column) && m_table->columnWidth(column) > 0) {
            wanted = m_table->columnWidth(column);
        }
        const bool hidden = ranks.contains(column) ? m_contents.at(column) == 0 : m_table->isColumnHidden(column);
        columns += hidden ? models::FittingColumn()
                          : models::FittingColumn { wanted, least, ranks.value(column), m_widened.contains(column) };
    }
    const QList<int> widths = models::fitColumns(columns, room);
    m_lastShown = -1;
    for (int column = 0; column < TriageModel::ColumnCount; ++column) {
        if (ranks.contains(column)) {
            m_table->setColumnHidden(column, widths.at(column) == 0);
        }
        if (widths.at(column) > 0) {
            m_table->setColumnWidth(column, widths.at(column));
            m_lastShown = column;
        }
    }
}

void RecoveryPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    m_targets->setMaximumWidth(std::max(Theme::scaled(kLeastChooser), width() * 2 / 5)); // the filter is read, too
    m_causesButton->setToolButtonStyle(
        width() < Theme::scaled(kWordsFit) ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextOnly);
    showDecisions(currentRow());
}

/// The table's own room, which its scroll bar takes from, too.
bool RecoveryPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize) {
        QMetaObject::invokeMethod(this, &RecoveryPage::fitColumns, Qt::QueuedConnection); // after the table itself
    }
    return Page::eventFilter(watched, event);
}

void RecoveryPage::changeEvent(QEvent *event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        m_contents.clear();
        m_widened.clear();
        const auto again = [this] { // the theme scales first; what was measured meanwhile is of both sizes
            m_contents.clear();
            syncColumns();
        };
        QMetaObject::invokeMethod(this, again, Qt::QueuedConnection);
    }
}

/// On a standby nothing can be changed at all, which the page says first. Where the keys have several reasons, the
/// headings say them: what holds for most would speak against the others.
bool RecoveryPage::noticeSaysWhy() const
{
    const TriageModel *model = m_triage->model();
    return model->rowCount() > 0 && model->mayCount() == 0 && !m_center->standby()
        && decidesAll(*model, mostlyWhyNot(*model));
}

/// No fault of this reading: nobody said when a key of this table is stuck.
bool RecoveryPage::noStaleRule() const
{
    return m_triage->error() && m_triage->error()->kind == sql::ErrorKind::NotSaid && m_triage->stuckOnly();
}

/// An error, else why nothing here can be recovered together, else what the reading has to say.
void RecoveryPage::syncNotice()
{
    const models::TriageModel *model = m_triage->model();
    if (noStaleRule()) {
        const sql::Error &error = *m_triage->error();
        m_notice->showNotice(NoticeBar::Kind::Warning, error.what,
            error.why.isEmpty() ? tr("So no key of it counts as stuck here.") : error.why, {},
            tr("Define when keys are stuck…"),
            m_triage->hasRules(sql::ActionVerb::Requeue) ? tr("Requeue by filter") : QString());
    } else if (m_triage->error()) {
        m_notice->showError(*m_triage->error(), tr("Retry"));
    } else if (m_triage->chosenElsewhere() > 0 && m_triage->loaded()) {
        syncChosenNotice();
    } else if (noticeSaysWhy()) {
        m_notice->showNotice(NoticeBar::Kind::Warning,
            tr("None of these %n key(s) can be recovered together.", nullptr, model->rowCount()), mostlyWhyNot(*model),
            m_triage->notes().join(u'\n'));
    } else if (m_triage->more()) {
        m_notice->showNotice(NoticeBar::Kind::Info,
            tr("More keys match. The %1 that have been stuck for the longest are shown.")
                .arg(models::countText(models::TriageController::kMostKeys)),
            m_triage->notes().join(u' '));
    } else if (!m_triage->notes().isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Info, m_triage->notes().first(), m_triage->notes().mid(1).join(u' '));
    } else {
        m_notice->clear();
    }
}

/// That there are more keys than these, what became of the others, and why none of them may go.
void RecoveryPage::syncChosenNotice()
{
    const models::TriageModel *model = m_triage->model();
    const int asked = int(m_triage->chosenElsewhere());
    const int gone = asked - model->rowCount() - m_triage->unreadable();
    const qsizetype beyond = m_triage->chosenBeyond();
    const QString only = beyond == 0 ? tr("Only the %n selected key(s) are shown.", nullptr, asked)
                                     : tr("The first %1 of the %2 selected keys are shown. Act on these first.")
                                           .arg(models::countText(asked), models::countText(asked + beyond));
    const bool none = noticeSaysWhy();
    QStringList more = none ? QStringList { mostlyWhyNot(*model), only } : QStringList();
    if (gone > 0) {
        more += tr("%n of them is gone.", nullptr, gone);
    }
    m_notice->showNotice(none ? NoticeBar::Kind::Warning : NoticeBar::Kind::Info,
        none ? tr("None of these %n key(s) can be recovered together.", nullptr, model->rowCount()) : only,
        (more + m_triage->notes()).join(u' '), {}, {}, tr("Show all"));
}

/// Of those that go together so many are selected; what is too fresh stands beside them, as it goes one by one.
QString RecoveryPage::chosenText(const models::TriageModel &model)
{
    const models::TriageTally fresh = model.tallies().at(int(models::TriageGroup::TooFresh));
    const int together = model.mayCount() - fresh.may;
    const QString checked = models::countText(model.checkedCount());
    if (fresh.may == 0 || together == 0) {
        return tr("%1 of %2 selected").arg(checked, models::countText(model.mayCount()));
    }
    return fresh.checked > 0 ? tr("%1 selected, %2 of them too fresh").arg(checked, models::countText(fresh.checked))
                             : tr("%1 of %2 selected · %3 too fresh")
                                   .arg(checked, models::countText(together), models::countText(fresh.may));
}

/// One arithmetic on the page and in the dialog: of the keys shown so many can be selected, and so many are.
void RecoveryPage::syncSelection(const QString &why)
{
    const models::TriageModel *model = m_triage->model();
    const int checked = model->checkedCount();
    const int may = model->mayCount();
    models::TriageTally shown; // of the groups that the chips leave
    for (const models::TriageTally &tally : model->tallies()) {
        if (m_classBar->shows(tally.group)) {
            shown.may += tally.may;
            shown.together += tally.together;
            shown.open += tally.open;
            shown.checked += tally.checked;
        }
    }
    const QSignalBlocker blocker(m_all); // what is so already is not asked for
    m_all->setText(tr("Select all %1").arg(models::countText(shown.together)));
    m_all->setToolTip(shown.together < shown.may
            ? tr("Without %n key(s) stuck for under a minute; their workers may be finishing.", nullptr,
                shown.may - shown.together)
            : QString());
    m_all->setVisible(shown.together > 0);
    m_all->setTristate(shown.checked > 0 && shown.open > 0);
    m_all->setCheckState(shown.checked == 0 ? Qt::Unchecked : shown.open > 0 ? Qt::PartiallyChecked : Qt::Checked);
    m_go->setText(tr("%1…").arg(
        checked > 0 ? models::verbPhrase(m_triage->verb(), checked) : models::verbLabel(m_triage->verb())));
    m_go->setEnabled(checked > 0 && why.isEmpty() && !m_center->busy());
    m_go->setToolTip(!why.isEmpty()   ? why
            : m_center->busy()        ? tr("Another action is running.")
            : checked == 0 && may > 0 ? tr("Select keys first.")
                                      : QString());
    const QString chosen = chosenText(*model);
    m_chosen->setText(shown.checked == checked
            ? chosen
            : tr("%1 · %2 of them not shown").arg(chosen, models::countText(checked - shown.checked)));
    m_chosen->setToolTip(tr("%n key(s) can be selected.", nullptr, may));
    m_chosen->setVisible(may > 0); // else the notice above says why none can go
    const int rest = m_classBar->isHidden() ? 0 : needingAPerson(*model);
    m_rest->setText(tr("%n key(s) need a person", nullptr, rest));
    m_rest->setVisible(may > 0 && rest > 0);
    m_go->setVisible(may > 0);
    m_becomes->setText(model->becomesText());
    m_becomes->setVisible(checked > 0);
}

void RecoveryPage::showClasses()
{
    QList<models::TriageGroup> groups;
    for (const models::TriageTally &tally : m_triage->model()->tallies()) {
        if (m_classBar->shows(tally.group)) {
            groups += tally.group;
        }
    }
    const int row = currentRow();
    m_groups->setShown(groups, m_triage->verb() == sql::ActionVerb::Recover, !noticeSaysWhy());
    // What is done to the selected key is done to one that is seen.
    if (row >= 0 && currentRow() != row) {
        selectRow(row);
    }
}

void RecoveryPage::updateEmpty()
{
    EmptyState *empty = m_stack->empty();
    if (empty->showNoTable(*m_connection, m_targets->count(), u"recovery"_s,
            tr("Stuck keys of a table appear here, each with its evidence and what may be done."),
            tr("Keys are looked up in a table that the console knows how to read."))) {
        return;
    }
    if (m_triage->busy()) {
        empty->show(u"recovery"_s, tr("Reading keys…"), tr("Locks, owners and evidence are looked up for each."));
    } else if (m_triage->target().target.relation.oid == 0) {
        empty->show(u"recovery"_s, tr("No table"), tr("Choose a table above."));
    } else if (m_triage->loaded()) {
        if (m_triage->chosenElsewhere() > 0) {
            if (m_triage->unreadable() > 0) {
                empty->show(u"warning"_s, tr("The selected keys could not be read"), m_triage->notes().join(u' '));
            } else {
                empty->show(
                    u"recovery"_s, tr("The selected keys are gone"), tr("Somebody deleted or changed them since."));
            }
            return;
        }
        // A filter leaves keys out, and of those nothing can be said.
        const bool stale = m_triage->stuckOnly();
        if (stale && m_triage->filterText().trimmed().isEmpty()) {
            empty->show(u"recovery"_s, tr("Nothing is stuck"), tr("Every key in progress is within its lease or age."));
        } else {
            empty->show(u"filter"_s, stale ? tr("No stuck key matches the filter") : tr("No key matches"),
                stale ? tr("Other keys may be stuck. Change the filter above, or clear it and press Enter.")
                      : tr("Change the filter above."));
        }
    } else if (m_triage->choiceEnded()) {
        empty->show(u"warning"_s, tr("Your selection has ended"),
            tr("The connection or the table changed. Nothing is selected until you select it again."),
            tr("Read the keys"));
    } else if (noStaleRule()) {
        empty->show(u"recovery"_s, tr("No rule says when a key is stuck"),
            tr("A rule names how old an unfinished key may become, or the column with its lease."));
    } else if (m_triage->error()) {
        empty->show(u"warning"_s, tr("The keys could not be read"), tr("The message above says why."));
    } else {
        empty->show(u"recovery"_s, tr("Not read"), tr("Press Enter in the filter to read the keys."));
    }
}

void RecoveryPage::updateCurrent()
{
    const int row = currentRow();
    const auto &rows = m_triage->model()->rows();
    const bool some = row >= 0 && row < rows.size();
    for (QWidget *part : std::initializer_list<QWidget *> { m_oneName, m_oneFacts, m_why }) {
        part->setVisible(some);
    }
    if (!some) {
        m_why->clear();
        showDecisions(-1);
        return;
    }
    m_current = rows.at(row).facts.record.identity;
    const QStringList &reasons = rows.at(row).judgement.reasons;
    const TriageModel &model = *m_triage->model();
    // The notice may have said it of all of them, or the heading of these.
    const bool notice = noticeSaysWhy() && reasons == QStringList { mostlyWhyNot(model) };
    const bool said = notice || (reasons.size() == 1 && m_groups->saidAboveRow(row));
    const QString fresh = rows.at(row).fresh ? tr("Stuck for under a minute: its worker may be finishing.") : QString();
    const QString why = said ? QString() : models::displayText(reasons.join(u' '), 900);
    m_why->setText(u"%1 %2"_s.arg(fresh, why).trimmed());
    m_why->setHidden(m_why->text().isEmpty());
    showFacts(row);
    showDecisions(row);
}

/// Whose evidence it is: columns may have given way to others.
void RecoveryPage::showFacts(int row)
{
    const TriageModel &model = *m_triage->model();
    m_oneName->setText(models::displayText(model.rows().at(row).facts.record.key.text, 80));
    m_oneName->setToolTip(m_oneName->text());
    const QString stuck = model.index(row, TriageModel::StaleFor).data().toString();
    QStringList facts;
    for (const QString &fact : { model.index(row, TriageModel::Scope).data().toString(),
             stuck.isEmpty() ? QString() : tr("stuck for %1").arg(stuck),
             model.index(row, TriageModel::StaleFor).data(models::DetailRole).toString() }) {
        facts += fact.isEmpty() ? QStringList() : QStringList { fact };
    }
    m_oneFacts->setText(facts.join(u" · "_s));
    m_oneFacts->setToolTip(m_oneFacts->text());
}

bool RecoveryPage::providerSaysNothingHappened(int row) const
{
    const auto &rows = m_triage->model()->rows();
    return row >= 0 && row < rows.size() && rows.at(row).judgement.cls == models::TriageClass::SafeToRetry
        && !rows.at(row).judgement.brief.isEmpty();
}

void RecoveryPage::showDecisions(int row)
{
    const TriageModel &model = *m_triage->model();
    const bool may = m_center->mayAct() && m_triage->target().registration && !m_center->busy();
    const sql::ActionVerb verb = m_triage->verb();
    const bool settled = providerSaysNothingHappened(row);
    m_decisions = may ? inOrderOfRisk(verb, m_triage->choices(row)) : QList<std::optional<sql::KeyState>>();
    int wide = m_look->sizeHint().width();
    for (qsizetype i = 0; i < m_oneButtons.size() && i < m_decisions.size(); ++i) {
        m_oneButtons.at(i)->setText(decisionText(verb, m_decisions.at(i)));
        m_oneButtons.at(i)->setToolTip(
            verb == sql::ActionVerb::Recover ? decisionEnd(m_decisions.at(i), settled) : QString());
        wide += m_oneButtons.at(i)->sizeHint().width();
    }
    // Where others go together, the foot is about these.
    const bool buttons = !m_decisions.isEmpty() && m_decisions.size() <= m_oneButtons.size() && model.mayCount() == 0
        && wide <= width() * 2 / 3;
    if (buttons) {
        m_decided = model.rows().at(row).facts.record;
    }
    for (qsizetype i = 0; i < m_oneButtons.size(); ++i) {
        m_oneButtons.at(i)->setVisible(buttons && i < m_decisions.size());
    }
    m_look->setVisible(buttons);
    QStringList ends;
    for (qsizetype i = 0; buttons && verb == sql::ActionVerb::Recover && i < m_decisions.size(); ++i) {
        ends += decisionEnd(m_decisions.at(i), settled);
    }
    m_leads->setText(ends.join(u' '));
    m_leads->setVisible(!ends.isEmpty());
    m_one->setVisible(model.rowCount() > 0 && !buttons);
    m_one->setEnabled(!m_decisions.isEmpty());
}

void RecoveryPage::fillChoices()
{
    m_oneMenu->clear();
    const int row = currentRow();
    const QString target = m_triage->target().target.profile.name;
    const sql::ActionVerb verb = m_triage->verb();
    const auto choices = inOrderOfRisk(verb, m_triage->choices(row));
    if (!choices.isEmpty()) {
        const QString text = m_triage->model()->rows().at(row).facts.record.key.text;
        m_oneMenu->addAction(m_look->text(), this, [this, target, text] { emit keyWanted(target, text); });
        m_oneMenu->addSeparator();
        m_oneMenu->setToolTipsVisible(true);
    }
    for (const auto &to : choices) {
        QAction *action = m_oneMenu->addAction(verb == sql::ActionVerb::Recover && to
                ? tr("%1 → %2", "decision, state").arg(decisionText(verb, to), models::stateLabel(*to))
                : decisionText(verb, to));
        action->setObjectName(u"decide_"_s + (to ? sql::stateName(*to) : u"absent"_s));
        action->setToolTip(
            verb == sql::ActionVerb::Recover ? decisionEnd(to, providerSaysNothingHappened(row)) : QString());
        // While the menu is open an answer may order the rows anew: it is about this key, not about its place.
        connect(action, &QAction::triggered, this,
            [this, target, key = m_triage->model()->rows().at(row).facts.record, to] { askAboutOne(target, key, to); });
    }
}

void RecoveryPage::askAboutOne(const QString &target, const sql::KeyRecord &key, const std::optional<sql::KeyState> &to)
{
    const bool here = m_triage->target().target.profile.name == target;
    const models::FrozenSet set = m_triage->chosenOne(here ? rowOf(key.identity) : -1, to);
    if (!set.rows.isEmpty()) {
        ask(set);
        return;
    }
    openQuestion(questionBox(this, u"recoveryRefused"_s, tr("Nothing is changed"),
                     tr("The key “%1” cannot be changed any more.").arg(models::displayText(key.key.text, 80)),
                     set.skipped.isEmpty() ? tr("It is no longer in the list.") : set.skipped.constFirst().why,
                     QMessageBox::Information),
        tr("Close"));
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
    ActionQuestion question = questionAbout(m_triage->verb(), set.rows.size(), entry, *m_connection);
    question.connection = m_center->place();
    question.flows = models::flowsOf(set, entry.compiled);
    const bool one = set.keys.size() == 1; // and is called by its name
    question.header = QStringList { one ? tr("Key") : tr("Keys"), tr("Scope"), tr("Class"), tr("Becomes") };
    for (const models::FrozenGroup &group : set.groups) {
        const auto to = sql::stateFromName(group.to);
        question.plan.append({ one ? set.keys.constFirst().key.text : models::countText(group.rows), group.scope,
            group.cls ? models::triageClassLabel(*group.cls) : u"–"_s, to ? models::stateLabel(*to) : tr("Deleted") });
    }
    question.keysHeader = QStringList { tr("Scope"), tr("Key") };
    for (const models::FrozenKey &key : one ? QList<models::FrozenKey>() : set.keys.mid(0, kMostListed)) {
        question.keys.append({ models::scopeText(key.scope), key.key.text });
    }
    question.skippedHeader = QStringList { tr("Scope"), tr("Key"), tr("Class"), tr("Why") };
    for (const models::SkippedKey &key : set.skipped) {
        question.skipped.append(
            { models::scopeText(key.record.scope), key.record.key.text, models::triageClassLabel(key.cls), key.why });
    }
    question.undoText = tr("It can be undone for %1, unless the key is touched.").arg(entry.registration->undoWindow);
    if (m_triage->verb() == sql::ActionVerb::Recover && entry.target.profile.cache) {
        question.warnings += tr("The cache may still hold off their retries. Release such claims on the page Cache.");
    }
    m_dialog = new ActionDialog(question, this);
    connect(m_dialog, &QDialog::finished, this, [this] { m_dialog = nullptr; });
    connect(
        m_dialog, &QDialog::accepted, this, [this, dialog = m_dialog, entry, rows = set.rows, verb = question.verb] {
            sql::ActionRequest request;
            request.target = entry.registration->name;
            request.verb = verb;
            request.reason = dialog->reason();
            request.ticket = dialog->ticket();
            request.profileSha = entry.registration->profileSha;
            request.rows = rows;
            m_center->start(request);
        });
    ui::openDialog(m_dialog);
}

} // namespace idemdesk::ui
