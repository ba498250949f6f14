// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/keys_page.h"

#include "models/actions/action_center.h"
#include "models/cache/cache_place.h"
#include "models/cache/cached_key.h"
#include "models/cache/claim_age.h"
#include "models/cache/release_controller.h"
#include "models/casefile/case_controller.h"
#include "models/connection/connection_controller.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/keys/export_controller.h"
#include "models/keys/key_detail.h"
#include "models/keys/key_table_model.h"
#include "models/keys/spread_controller.h"
#include "models/overview/overview_model.h"
#include "models/settings.h"
#include "ui/dialogs/case_dialog.h"
#include "ui/dialogs/release_dialog.h"
#include "ui/pages/keys/detail_pane.h"
#include "ui/pages/keys/export_strip.h"
#include "ui/pages/keys/filter_bar.h"
#include "ui/pages/keys/jump_dialog.h"
#include "ui/pages/keys/key_table_view.h"
#include "ui/pages/keys/keys_strip.h"
#include "ui/pages/keys/keys_toolbar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"

#include <QSplitter>
#include <QTimer>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

QString splitterId()
{
    return u"keys/splitter"_s;
}
QString detailHiddenId()
{
    return u"keys/detail-hidden"_s;
}
QString stripId()
{
    return u"keys/strip"_s;
}
constexpr qsizetype kMostCaseKeys = 50; // each is read with its story and its payloads
constexpr qint64 kFewKeys = 10; // fewer are a list that needs no chart
/// A page of less has its room for the list, unless somebody says otherwise.
constexpr int kStripFits = 660; // pixels high, at texts of the usual size
constexpr int kDetailFits = 980; // pixels wide; less is for the list alone

} // namespace

Page::Face KeysPage::ownFace()
{
    return { u"keys"_s, tr("Keys"), u"keys"_s };
}

KeysPage::KeysPage(models::ConnectionController *connection, models::KeyBrowserController *browser,
    models::KeyDetailController *detail, models::ExportController *exporter, models::Settings *settings,
    QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_browser(browser)
    , m_detail(detail)
    , m_settings(settings)
    , m_spread(new models::KeySpreadController(browser, this))
    , m_toolbar(new KeysToolbar(connection, browser, this))
    , m_filter(new FilterBar(browser, settings, this))
    , m_strip(new KeysStrip(browser, m_spread, this))
    , m_notice(new NoticeBar(this))
    , m_cost(new NoticeBar(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_stack(new ContentStack(this))
    , m_table(new KeyTableView(browser, settings, this))
    , m_detailPane(new DetailPane(browser, detail, settings, this))
    , m_export(new ExportStrip(exporter, this))
{
    setObjectName(u"keysPage"_s);
    m_notice->setObjectName(u"keysNotice"_s);
    m_cost->setObjectName(u"costNotice"_s);
    layOut();
    wire();
    onTargetsChanged();
}

void KeysPage::refresh()
{
    m_browser->refresh();
    m_detail->refresh();
    m_spread->refresh();
}

void KeysPage::setTimeFormat(const models::TimeFormat &format)
{
    m_browser->setTimeFormat(format);
    m_detail->setTimeFormat(format);
    m_strip->sync();
}

/// The table with most of them, as the overview has them in its order.
void KeysPage::beginWithStuck()
{
    if (m_asked || m_overview == nullptr || !m_browser->hasTarget() || !m_browser->filterText().isEmpty()) {
        return;
    }
    const auto &entries = m_overview->rows();
    const auto worst = std::find_if(entries.cbegin(), entries.cend(),
        [](const models::OverviewEntry &entry) { return entry.summary && entry.summary->stale.rows > 0; });
    if (worst != entries.cend()) {
        takeTarget(worst->target.profile.name, u"state:stuck"_s);
    }
}

void KeysPage::setOverview(const models::OverviewModel *overview)
{
    m_overview = overview;
    connect(overview, &QAbstractItemModel::modelReset, this, &KeysPage::syncStuck);
    connect(overview, &QAbstractItemModel::dataChanged, this, &KeysPage::syncStuck);
    connect(m_browser, &models::KeyBrowserController::targetChanged, this, &KeysPage::syncStuck);
    syncStuck();
}

void KeysPage::syncStuck()
{
    const int row = m_browser->hasTarget() ? m_overview->rowOf(m_browser->target().profile.name) : -1;
    const models::OverviewEntry *entry = m_overview->row(row);
    m_filter->setStuck(entry != nullptr && entry->summary ? entry->summary->stale : sql::RowCount());
}

void KeysPage::activate()
{
    m_front = true;
    beginWithStuck();
    m_asked = true;
    syncStrip();
}

void KeysPage::deactivate()
{
    m_front = false;
    syncStrip();
}

void KeysPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    syncRoom();
}

void KeysPage::changeEvent(QEvent *event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        QMetaObject::invokeMethod(this, &KeysPage::syncRoom, Qt::QueuedConnection); // once all have the new size
    }
}

bool KeysPage::detailFits() const
{
    return width() >= Theme::scaled(kDetailFits);
}

void KeysPage::syncRoom()
{
    const QByteArray chosen = m_settings->layout(detailHiddenId());
    const bool wanted = chosen.isEmpty() ? detailFits() : chosen == "0";
    if (wanted != m_detailPane->wanted()) {
        m_detailPane->setWanted(wanted);
    }
    syncStrip();
}

KeysPage::Strip KeysPage::stripWanted() const
{
    const QByteArray chosen = m_settings->layout(stripId());
    const bool room = height() >= Theme::scaled(kStripFits) && detailFits() && !m_few;
    return chosen == "0" ? Strip::Hidden : chosen == "1" || room ? Strip::Whole : Strip::Folded;
}

void KeysPage::toggleStrip()
{
    m_settings->setLayout(stripId(), stripWanted() == Strip::Whole ? "0" : "1");
    syncStrip();
}

void KeysPage::syncStrip()
{
    m_strip->setFolded(stripWanted() == Strip::Folded);
    m_strip->setVisible(stripWanted() != Strip::Hidden && m_browser->hasTarget());
    m_spread->setWanted(m_front && !m_strip->isHidden());
}

void KeysPage::layOut()
{
    m_stack->setContent(m_table);
    splitInTwo(m_splitter, m_stack, m_detailPane, 3, 2);
    m_splitter->setSizes({ 760, 420 });
    if (const QByteArray state = m_settings->layout(splitterId()); !state.isEmpty()) {
        m_splitter->restoreState(state);
    }

    auto *layout = pageColumn(this);
    layout->addWidget(m_toolbar);
    layout->addWidget(m_filter);
    layout->addWidget(m_strip);
    layout->addWidget(m_cost);
    layout->addWidget(m_notice);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_export);
}

void KeysPage::wire()
{
    connect(m_toolbar, &KeysToolbar::targetChosen, this, [this](const QString &name) { showTarget(name, {}); });
    connect(m_toolbar, &KeysToolbar::refreshClicked, this, &KeysPage::refresh);
    connect(m_toolbar, &KeysToolbar::jumpClicked, this, &KeysPage::openJump);
    connect(m_toolbar, &KeysToolbar::exportClicked, this, &KeysPage::openExport);
    connect(m_toolbar, &KeysToolbar::stripClicked, this, &KeysPage::toggleStrip);
    connect(m_toolbar, &KeysToolbar::detailClicked, this, &KeysPage::toggleDetail);
    connect(m_strip, &KeysStrip::filterWanted, this, &KeysPage::setFilterText);
    connect(m_spread, &models::KeySpreadController::changed, this, [this] {
        const auto &spread = m_spread->spread();
        const bool few = spread ? spread->exact() && spread->looked < kFewKeys : m_few; // until the next is counted
        if (std::exchange(m_few, few) != few) {
            syncStrip();
        }
    });
    connect(m_filter, &FilterBar::escaped, this, [this] { m_table->setFocus(); });
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &KeysPage::onTargetsChanged);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &KeysPage::updateState);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, &KeysPage::onEmptyButton);
    connect(m_stack->empty(), &EmptyState::secondClicked, this, &KeysPage::onEmptySecond);
    connect(m_splitter, &QSplitter::splitterMoved, this, &KeysPage::rememberSplitter);
    wireBrowser();
    wireNotices();
    wireTable();
    wireDetail();
}

void KeysPage::wireBrowser()
{
    connect(m_browser, &models::KeyBrowserController::targetChanged, this, &KeysPage::onTargetChanged);
    connect(m_browser, &models::KeyBrowserController::statusChanged, m_table, &KeyTableView::reportVisibleRows);
    connect(m_browser, &models::KeyBrowserController::statusChanged, this, &KeysPage::updateEmptyState);
    connect(m_browser, &models::KeyBrowserController::errorChanged, this, &KeysPage::updateState);
    connect(m_browser, &models::KeyBrowserController::filterRejected, this, [this] { setDimmed(true); });
    connect(m_browser, &models::KeyBrowserController::filterAccepted, this, [this] { setDimmed(false); });
    models::KeyTableModel *model = m_browser->model();
    connect(model, &models::KeyTableModel::modelReset, this, &KeysPage::updateState);
    connect(model, &models::KeyTableModel::rowsInserted, this, &KeysPage::updateState);
    connect(model, &models::KeyTableModel::rowsRemoved, this, &KeysPage::updateState);
    connect(model, &models::KeyTableModel::dataChanged, this, &KeysPage::followRow);
    connect(m_browser, &models::KeyBrowserController::selectionRestored, this, &KeysPage::followRow);
}

void KeysPage::wireNotices()
{
    connect(m_browser, &models::KeyBrowserController::costWarning, this, &KeysPage::showCost);
    connect(m_browser, &models::KeyBrowserController::pendingChanged, this, [this] {
        if (!m_browser->pending()) {
            m_cost->clear();
        }
    });
    connect(m_cost, &NoticeBar::primaryClicked, m_browser, &models::KeyBrowserController::proceed);
    connect(m_cost, &NoticeBar::secondaryClicked, this, [this] {
        m_browser->cancelPending();
        m_filter->retarget();
        updateEmptyState();
    });
    connect(m_notice, &NoticeBar::primaryClicked, this, [this] {
        m_notice->clear();
        m_browser->model()->retry();
        m_browser->refresh();
    });
}

void KeysPage::wireTable()
{
    connect(m_table, &KeyTableView::currentRecordChanged, this, &KeysPage::onCurrentRecord);
    connect(m_table, &KeyTableView::spacePressed, this, &KeysPage::toggleDetail);
    connect(m_table, &QTableView::activated, this, [this] {
        if (!m_detailPane->wanted()) {
            toggleDetail();
        }
    });
    connect(m_table, &KeyTableView::escapePressed, m_browser, &models::KeyBrowserController::cancel);
    connect(m_table, &KeyTableView::escapePressed, m_spread, &models::KeySpreadController::cancel);
    connect(m_table, &KeyTableView::filterWanted, this, &KeysPage::setFilterText);
    connect(m_table, &KeyTableView::caseWanted, this, &KeysPage::openSelectedCase);
    connect(m_table, &KeyTableView::actionWanted, this, [this](sql::ActionVerb verb) {
        emit chosenRecoveryWanted(m_browser->target().profile.name, verb, m_browser->selection());
    });
    connect(m_table, &KeyTableView::copiedInPart, this, [this](qint64 copied, qint64 selected) {
        m_notice->showNotice(NoticeBar::Kind::Info,
            tr("%1 of %2 selected rows were copied.").arg(models::countText(copied), models::countText(selected)),
            tr("The others have not been read yet. Export the list to have all of it."));
    });
}

void KeysPage::wireDetail()
{
    connect(m_detailPane, &DetailPane::filterWanted, this, &KeysPage::setFilterText);
    connect(m_detailPane, &DetailPane::caseWanted, this, &KeysPage::openCase);
    connect(m_detailPane, &DetailPane::recoveryWanted, this, [this] {
        emit recoveryWanted(
            m_browser->target().profile.name, u"key:"_s + models::quoteFilterValue(m_detail->detail().record.key.text));
    });
}

void KeysPage::setCache(const KeyCacheModels &cache)
{
    m_cache = cache;
    m_detailPane->setCache(cache.cached);
    connect(m_detailPane, &DetailPane::releaseWanted, this, &KeysPage::askRelease);
    connect(cache.cached, &models::CachedKey::changed, this, &KeysPage::syncRelease);
    connect(cache.releases, &models::ReleaseController::changed, this, &KeysPage::syncRelease);
    connect(cache.center, &models::ActionCenter::changed, this, &KeysPage::syncRelease);
    connect(cache.center, &models::ActionCenter::allowanceChanged, this, &KeysPage::syncRelease);
    connect(cache.releases, &models::ReleaseController::released, this,
        [this](const QString &text, const std::optional<sql::Error> &error) {
            if (std::exchange(m_releaseAsked, false)) {
                m_detailPane->tell(text, error);
                m_cache.cached->askAgain();
                m_detail->refresh(); // it stands among what was done to the key
            }
        });
}

void KeysPage::syncRelease()
{
    const models::TargetEntry *entry = m_connection->target(m_browser->target().profile.name);
    m_detailPane->setReleasable(entry == nullptr || !entry->registration
            ? tr("The table is not registered, so nothing may be changed.")
            : m_cache.center->whyNot(),
        m_cache.releases->busy());
}

void KeysPage::askRelease()
{
    const models::TargetEntry *entry = m_connection->target(m_browser->target().profile.name);
    if (entry == nullptr || !entry->registration || !m_cache.cached->wrongClaim() || m_cache.releases->busy()) {
        return;
    }
    // Another key may be chosen while the dialog is open; what was seen is what is meant.
    const sql::CachedEntry seen = m_cache.cached->seen();
    const QString url = m_cache.cached->url();
    const QString target = entry->registration->name;
    const sql::CacheSpec cache = entry->target.profile.cache.value_or(sql::CacheSpec());
    if (const auto young = models::tooYoungToRelease(cache, seen, true)) {
        m_detailPane->tell({}, young);
        return;
    }
    const auto age = models::leastAgeMs(cache, seen);
    auto *dialog = new ReleaseDialog(seen, age, m_connection->title(), m_connection->settings().environment, this);
    connect(dialog, &QDialog::accepted, this, [=, this] {
        m_cache.place->fetchPassword(
            url, [=, this, reason = dialog->reason(), ticket = dialog->ticket()](const QString &password) {
                m_releaseAsked = true;
                m_cache.releases->release({ target, url, password, cache, !age.has_value() }, seen, reason, ticket);
            });
    });
    openDialog(dialog);
}

void KeysPage::setDimmed(bool dimmed)
{
    m_table->setDimmed(dimmed);
    m_strip->setDimmed(dimmed);
    m_detailPane->setDimmed(dimmed);
}

QString KeysPage::searchedKey() const
{
    QString key;
    for (const sql::FilterTerm &term : m_browser->filter().terms) {
        const bool one = term.op == sql::FilterOperator::Equal && !term.negated && term.values.size() == 1;
        const bool names = term.field == sql::FilterField::Key || term.field == sql::FilterField::BareWord;
        key = names && one ? term.values.constFirst() : key;
    }
    return key;
}

QTableView *KeysPage::table() const
{
    return m_table;
}

void KeysPage::onTargetsChanged()
{
    m_toolbar->refillTargets();
    const models::TargetEntry *shown
        = m_browser->hasTarget() ? m_connection->target(m_browser->target().profile.name) : nullptr;
    if (shown != nullptr && shown->target.registered != m_browser->target().registered) {
        m_browser->setTarget(shown->target, m_browser->filterText()); // it was registered, or taken out, just now
    }
    if (!m_browser->hasTarget() && m_browser->database() != nullptr && !m_connection->targets().isEmpty()) {
        takeTarget(m_connection->targets().first().target.profile.name, {});
    }
    updateState();
}

void KeysPage::showTarget(const QString &profileName, const QString &filterText)
{
    m_asked = true;
    takeTarget(profileName, filterText);
}

void KeysPage::takeTarget(const QString &profileName, const QString &filterText)
{
    const models::TargetEntry *entry = m_connection->target(profileName);
    if (entry == nullptr) {
        return;
    }
    if (!m_browser->hasTarget() || m_browser->target().profile.name != profileName) {
        m_browser->setTarget(entry->target, filterText);
    } else {
        m_filter->setText(filterText);
    }
    m_toolbar->showTarget(profileName);
}

void KeysPage::onTargetChanged()
{
    m_detail->clear();
    if (m_browser->hasTarget()) {
        m_detail->setTarget(m_browser->target());
    } else {
        QTimer::singleShot(0, this, &KeysPage::onTargetsChanged); // another database; its tables may be known already
    }
    syncStrip();
    updateState();
}

void KeysPage::onCurrentRecord()
{
    const int row = m_table->shownRow();
    if (row < 0) {
        m_detail->clear();
    } else if (const auto record = m_browser->model()->record(row)) {
        m_detail->show(*record);
    } else {
        m_detail->await(); // a jump led to a page that is still being read; what was shown is of another key
    }
}

void KeysPage::followRow()
{
    const int row = m_table->shownRow();
    if (row < 0) {
        return; // what is shown went from the list; its detail says so
    }
    const auto record = m_browser->model()->record(row);
    if (record && !record->sameRow(m_detail->detail().record)) {
        m_detail->show(*record);
    } else if (!record
        && m_browser->model()->index(row, 0).data(models::KeyTableModel::LoadStateRole).toInt()
            == int(models::KeyTableModel::LoadState::Failed)) {
        m_detail->clear(); // the list says why this row could not be read
    }
}

void KeysPage::onEmptyButton()
{
    if (m_connection->database() == nullptr
        || (!m_browser->hasTarget() && m_connection->state() == sql::LinkState::Failed)) {
        emit connectClicked();
    } else if (!m_browser->hasTarget()) {
        emit addTableClicked();
    } else if (oneKeySought()) {
        emit referenceWanted({}, searchedKey());
    } else {
        m_filter->setText({});
    }
}

void KeysPage::onEmptySecond()
{
    if (oneKeySought()) {
        m_filter->setText({});
    } else {
        emit referenceWanted({}, searchedKey());
    }
}

bool KeysPage::oneKeySought() const
{
    return m_browser->filter().terms.size() == 1 && !searchedKey().isEmpty();
}

void KeysPage::updateState()
{
    m_notice->setError(m_browser->error(), tr("Retry"));
    updateEmptyState();
    QTimer::singleShot(0, m_table, &KeyTableView::reportVisibleRows);
}

void KeysPage::updateEmptyState()
{
    const models::KeyTableModel *model = m_browser->model();
    m_stack->showContent(model->rowCount() > 0);
    if (model->rowCount() > 0) {
        return;
    }
    EmptyState *empty = m_stack->empty();
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(tr("The keys of a database appear here."));
    } else if (!m_browser->hasTarget() && m_connection->state() == sql::LinkState::Failed) {
        empty->show(u"connect"_s, tr("No connection"),
            tr("The message above says why. Try again, or connect to another database."), tr("Connect…"));
    } else if (!m_browser->hasTarget() && !m_connection->noTableBecause().isEmpty()) {
        empty->show(u"keys"_s, tr("No table could be read"),
            m_connection->noTableBecause() + u' ' + tr("The page Incident says why."), tr("Add a table…"));
    } else if (!m_browser->hasTarget() && !m_connection->targetsLoaded()) {
        empty->show(u"keys"_s, tr("Looking for tables"),
            tr("The console looks which of the kinds it knows are in this database."));
    } else if (!m_browser->hasTarget()) {
        empty->show(u"keys"_s, tr("No table yet"),
            tr("None of the kinds of table that the console knows is in this database. It can look at the others and "
               "propose how to read them."),
            tr("Add a table…"));
    } else if (m_browser->pending()) {
        empty->show(u"filter"_s, tr("Not run yet"), tr("The question above waits for an answer."));
    } else if (m_browser->error()) {
        empty->show(u"error"_s, tr("Nothing could be read"), tr("The message above says why."));
    } else if (m_browser->busy()) {
        empty->show(
            u"keys"_s, tr("Reading"), tr("The first rows appear in a moment. Esc in the filter and Ctrl+. stop it."));
    } else if (oneKeySought()) {
        empty->show(u"filter"_s, tr("No such key here"),
            tr("Not in %1 now. It may stand in another table, or a purge may have taken it.")
                .arg(models::displayText(m_browser->target().profile.shownTitle(), 120)),
            tr("Search all tables"), tr("Clear the filter"));
    } else if (!m_browser->filter().empty()) {
        empty->show(u"filter"_s, tr("No key matches"),
            tr("in %1", "a table").arg(models::displayText(m_browser->target().profile.shownTitle(), 120)),
            tr("Clear the filter"), searchedKey().isEmpty() ? QString() : tr("Search all tables"));
    } else {
        empty->show(u"keys"_s, tr("The table is empty"), tr("Keys appear here as soon as a service writes one."));
    }
}

void KeysPage::showCost(const sql::FilterCost &cost)
{
    // Without an index the server looks at every row, whatever few of them match.
    const double rows = cost.indexServes ? cost.estimatedRows
                                         : std::max(cost.estimatedRows, m_browser->target().relation.estimatedRows);
    m_cost->showNotice(NoticeBar::Kind::Warning,
        cost.indexServes ? tr("This filter and order read much of the table.")
                         : tr("No index serves this filter and order."),
        tr("The server would look at about %1 rows. A narrower filter or another order asks less of it. Ctrl+. stops "
           "it while it runs.")
            .arg(models::shortCountText(rows)),
        cost.plan, tr("Run anyway"), tr("Cancel"));
    updateEmptyState();
}

void KeysPage::setFilterText(const QString &text)
{
    m_filter->setText(text);
}

void KeysPage::setConflictsKnown(bool known)
{
    m_filter->setConflictsKnown(known);
}

void KeysPage::setConflictsHere(const sql::LocalPlace &place)
{
    m_conflictsHere = place;
}

void KeysPage::focusFilter()
{
    m_filter->focusText();
}

void KeysPage::selectRow(int row)
{
    m_table->selectionModel()->setCurrentIndex(
        m_browser->model()->index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void KeysPage::toggleDetail()
{
    const bool hide = m_detailPane->wanted();
    if (hide && m_detailPane->isAncestorOf(window()->focusWidget())) {
        m_table->setFocus();
    }
    m_detailPane->setWanted(!hide);
    // What it would be by itself is no choice: another window decides for itself.
    m_settings->setLayout(detailHiddenId(), hide != detailFits() ? QByteArray() : hide ? "1" : "0");
    if (!hide && !m_table->selectionModel()->hasSelection()) {
        selectRow(std::max(0, m_table->rowAt(0))); // there is nothing to show yet
    }
}

void KeysPage::rememberSplitter()
{
    m_settings->setLayout(splitterId(), m_splitter->saveState());
}

void KeysPage::openJump()
{
    if (m_browser->hasTarget()) {
        auto *dialog = new JumpDialog(m_browser, this);
        m_browser->hold();
        connect(dialog, &QDialog::finished, m_browser, &models::KeyBrowserController::release);
        openDialog(dialog);
    }
}

void KeysPage::openExport()
{
    if (m_browser->hasTarget()) {
        m_export->choose(m_browser->target(), m_browser->filter(), m_browser->order());
    }
}

void KeysPage::openCase()
{
    if (m_connection->database() == nullptr || !m_browser->hasTarget()
        || m_detail->status() != models::KeyDetailController::Status::Ready) {
        return;
    }
    openCaseOf({ m_detail->detail().record });
}

void KeysPage::openSelectedCase()
{
    QList<sql::KeyRecord> records = m_browser->selectedRecords();
    const qsizetype chosen = m_browser->selection().size();
    if (m_connection->database() == nullptr || chosen == 0) {
        return;
    }
    if (chosen > kMostCaseKeys) {
        m_notice->showNotice(NoticeBar::Kind::Info,
            tr("A case file holds at most %n key(s).", nullptr, int(kMostCaseKeys)), tr("Select fewer keys."));
        return;
    }
    if (records.size() < chosen) {
        m_notice->showNotice(NoticeBar::Kind::Info,
            tr("%1 of %2 selected keys are in the case file.")
                .arg(models::countText(records.size()), models::countText(chosen)),
            tr("The others are no longer at hand. Scroll to them, then open it again."));
    }
    if (!records.isEmpty()) {
        openCaseOf(records);
    }
}

void KeysPage::openCaseOf(const QList<sql::KeyRecord> &records)
{
    const sql::Target &target = m_browser->target();
    const models::TargetEntry *entry = m_connection->target(target.profile.name);
    const QString registered = entry != nullptr && entry->registration ? entry->registration->name : QString();
    QList<models::CaseSubject> subjects;
    for (const sql::KeyRecord &record : records) {
        subjects += models::caseSubject(target, registered, record);
    }
    auto *controller = new models::CaseController(m_connection->database());
    controller->read(subjects, m_conflictsHere, {}, m_caseGroup);
    auto *dialog = new CaseDialog(controller, this);
    connect(dialog, &CaseDialog::compareWanted, this, &KeysPage::compareWanted);
    connect(dialog, &CaseDialog::recoveryWanted, this, &KeysPage::recoveryWanted);
    connect(dialog, &CaseDialog::referenceWanted, this, &KeysPage::referenceWanted);
    connect(dialog, &CaseDialog::providerWanted, this, &KeysPage::providerWanted);
    connect(dialog, &CaseDialog::pageWanted, this, &KeysPage::pageWanted);
    openDialog(dialog);
}

} // namespace idemdesk::ui
