// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cache/cache_page.h"

#include "models/actions/action_center.h"
#include "models/cache/cache_controller.h"
#include "models/cache/cache_figures.h"
#include "models/cache/cache_history.h"
#include "models/cache/cache_place.h"
#include "models/cache/cache_words.h"
#include "models/cache/claim_age.h"
#include "models/cache/expiry_picture.h"
#include "models/cache/release_controller.h"
#include "models/connection/connection_controller.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/trends/trend_words.h"
#include "ui/charts/expiry_bars.h"
#include "ui/charts/trend_chart.h"
#include "ui/delegates/health_delegate.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/dialogs/release_dialog.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_card.h"
#include "ui/widgets/folded_part.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"
#include "ui/widgets/wrap_row.h"

#include <QCheckBox>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kShownLine = 400; // characters of a sentence
constexpr int kLeastCacheKey = 104; // pixels
constexpr int kChartHeight = 132; // pixels, at texts of the usual size

bool hasCache(const models::TargetEntry &entry)
{
    return entry.target.profile.cache.has_value();
}

QString shownLines(const QStringList &lines)
{
    QStringList shown;
    for (const QString &line : lines) {
        shown += models::displayText(line, kShownLine);
    }
    return shown.join(u'\n');
}

QStringList findingTexts()
{
    QStringList texts;
    for (const sql::CacheFindingKind kind : sql::kAllOf<sql::CacheFindingKind>) {
        texts += models::cacheFindingText(kind);
    }
    return texts;
}

} // namespace

Page::Face CachePage::ownFace()
{
    return { u"cache"_s, tr("Cache"), u"cache"_s };
}

bool CachePage::isFor(const models::ConnectionController &connection)
{
    const QList<models::TargetEntry> &targets = connection.targets();
    return std::any_of(targets.cbegin(), targets.cend(), hasCache);
}

CachePage::CachePage(
    models::ConnectionController *connection, const CacheModels &models, models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_cache(models.cache)
    , m_releases(models.releases)
    , m_history(models.history)
    , m_center(models.center)
    , m_place(models.place)
    , m_target(new TargetChooser(u"cacheTarget"_s, this))
    , m_address(new QLineEdit(this))
    , m_password(new QLineEdit(this))
    , m_keep(new QCheckBox(tr("&Keep in keychain"), this))
    , m_compare(new QPushButton(tr("&Compare"), this))
    , m_release(new QPushButton(tr("Re&lease…"), this))
    , m_busy(new BusyBar(u"cacheBusy"_s, tr("Comparing"), this))
    , m_notice(new NoticeBar(this))
    , m_crowded(new NoticeBar(this))
    , m_fields(new QWidget(this))
    , m_placed(new QWidget(this))
    , m_where(elidedLabel(this))
    , m_edit(new QPushButton(tr("&Edit address"), this))
    , m_facts(new FigureCard(u"cacheFacts"_s, tr("What was compared, and what Redis says of itself"), this))
    , m_verdict(readableLabel(u"cacheVerdict"_s, this))
    , m_kinds(buildKinds())
    , m_stack(new ContentStack(this))
    , m_table(new QTableView(this))
    , m_meaning(readableLabel(u"cacheMeaning"_s, this))
    , m_show(new QPushButton(tr("Open &key"), this))
    , m_sample(new QCheckBox(tr("&Sample each minute"), this))
    , m_numbers(new QWidget(this))
    , m_hits(new QWidget(this))
    , m_overview(nullptr)
    , m_expiry(new ExpiryBars(this))
    , m_expiryNote(noteLabel({}, u"cacheExpiryNote"_s, this))
    , m_chart(new TrendChart(this))
    , m_chartNote(noteLabel({}, u"cacheChartNote"_s, this))
{
    setObjectName(u"cachePage"_s);
    m_notice->setObjectName(u"cacheNotice"_s);
    m_target->offerOnly(hasCache);
    auto *header = new PageHeader(ownFace().title, this);
    m_release->setObjectName(u"cacheRelease"_s);
    header->add({ m_target, nullptr });
    m_crowded->setObjectName(u"cacheCrowded"_s);
    setUpList(settings);
    m_stack->setContent(m_table);
    auto *layout = pageColumn(this);
    layout->addWidget(header);
    QWidget *place = buildPlace();
    m_busy->lieBelow(place);
    layout->addWidget(place);
    layout->addWidget(m_notice);
    layout->addWidget(m_crowded);
    m_overview = new FoldedPart(u"cacheOverview"_s, buildOverview(), this);
    layout->addWidget(m_overview);
    layout->addWidget(m_verdict);
    layout->addWidget(m_kinds);
    layout->addWidget(m_stack, 1);
    layout->addWidget(buildFoot());
    wire();
    takeTargets();
    sync();
}

void CachePage::setUpList(models::Settings *settings)
{
    setUpTable(m_table,
        { u"cacheTable"_s, tr("What disagrees between table and cache"), m_cache->list(),
            { 182, 280, 220, 116, 116, 94 } },
        settings);
    m_table->setItemDelegateForColumn(models::CacheList::Finding, new HealthDelegate(m_table));
    m_table->setItemDelegateForColumn(models::CacheList::Key, new KeyDelegate(m_table));
    for (const int column : { models::CacheList::Row, models::CacheList::Cached }) {
        m_table->setItemDelegateForColumn(column, new StateDelegate(m_table));
        fitToListedBadges(m_table, column);
    }
    fitToBadges(m_table, models::CacheList::Finding, findingTexts());
    // What tells keys apart stands in both; a scope is the shorter one.
    shareRoom(m_table, { models::CacheList::Key, models::CacheList::Scope }, kLeastCacheKey, 0, { 5, 4 });
    connect(m_cache->list(), &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        const sql::CacheFinding *finding = m_cache->list()->row(m_table->currentIndex().row());
        m_looked = finding != nullptr ? std::optional(*finding) : std::nullopt;
    });
    connect(m_cache->list(), &QAbstractItemModel::modelReset, this, &CachePage::lookAgain);
}

QWidget *CachePage::buildPlace()
{
    m_address->setObjectName(u"cacheAddress"_s);
    m_address->setPlaceholderText(u"redis://console@cache.example:6379/0"_s);
    m_password->setObjectName(u"cachePassword"_s);
    m_password->setEchoMode(QLineEdit::Password);
    m_keep->setObjectName(u"cacheKeep"_s);
    m_keep->setVisible(m_place->keepsPasswords());
    m_compare->setObjectName(u"cacheCompare"_s);
    m_sample->setObjectName(u"cacheSample"_s);
    m_where->setObjectName(u"cacheWhere"_s);
    m_edit->setObjectName(u"cacheEdit"_s);
    m_edit->setToolTip(tr("Another address or password"));
    auto *bar = new QWidget(this);
    auto *row = new WrapRow(bar);
    auto *fields = barRow({}, m_fields);
    fields->addWidget(buddyLabel(tr("&Address"), m_address, bar));
    fields->addWidget(m_address, 3);
    fields->addWidget(buddyLabel(tr("&Password"), m_password, bar));
    fields->addWidget(m_password, 1);
    fields->addWidget(m_keep);
    barRow({ m_where, m_edit }, m_placed)->setStretchFactor(m_where, 1);
    row->add(m_fields, 1);
    row->add(m_placed, 1);
    row->add(m_sample);
    row->add(m_compare);
    return bar;
}

/// One for each kind of finding, with how many there are; those that are pressed are listed alone.
ChipRow *CachePage::buildKinds()
{
    auto *kinds = new ChipRow(u"cacheKinds"_s, this);
    for (const sql::CacheFindingKind kind : sql::kAllOf<sql::CacheFindingKind>) {
        auto *chip = new Chip(u"cacheKind_"_s + sql::cacheFindingName(kind), kinds);
        chip->setMark(healthBadge(models::cacheFindingLevel(kind), {}));
        chip->setToolTip(models::cacheFindingMeaning(kind));
        m_chips.append({ kind, chip });
        kinds->add(chip);
        connect(chip, &QToolButton::toggled, this, &CachePage::chooseKinds);
    }
    return kinds;
}

/// The numbers; when entries expire; and how many look-ups were answered.
QWidget *CachePage::buildOverview()
{
    m_chart->setObjectName(u"cacheChart"_s);
    m_chart->setFixedHeight(Theme::scaled(kChartHeight));
    auto *overview = new QWidget(this);
    auto *row = barRow({}, overview);
    row->setSpacing(4 * kGrid);
    const auto column = [row](QWidget *part, std::initializer_list<QWidget *> widgets, int share) {
        QVBoxLayout *layout = partColumn(part);
        layout->setSpacing(kGrid);
        for (QWidget *widget : widgets) {
            layout->addWidget(widget);
        }
        layout->addStretch(1);
        row->addWidget(part, share);
    };
    column(m_numbers, { m_facts, m_expiryNote }, 0); // as wide as its notes; the charts take the rest
    row->addWidget(m_expiry, 5, Qt::AlignTop);
    column(m_hits, { m_chart, m_chartNote }, 5);
    return overview;
}

/// What the chosen finding means, and what can be done about it.
QWidget *CachePage::buildFoot()
{
    m_show->setObjectName(u"cacheShow"_s);
    auto *foot = new QWidget(this);
    auto *row = barRow({ m_meaning, m_show, m_release }, foot);
    row->setStretchFactor(m_meaning, 1);
    return foot;
}

void CachePage::wire()
{
    connect(m_compare, &QPushButton::clicked, this, [this] { m_cache->busy() ? m_cache->cancel() : compare(); });
    connect(m_address, &QLineEdit::returnPressed, this, &CachePage::compare);
    connect(m_password, &QLineEdit::returnPressed, this, &CachePage::compare);
    connect(m_address, &QLineEdit::textChanged, this, &CachePage::sync);
    connect(m_edit, &QPushButton::clicked, this, [this] {
        m_editing = true;
        sync();
        m_address->setFocus(Qt::OtherFocusReason);
    });
    connect(m_show, &QPushButton::clicked, this, &CachePage::showKey);
    connect(m_target, &TargetChooser::chosen, this, &CachePage::takeTarget);
    connect(m_table, &QTableView::activated, this, &CachePage::showKey);
    connect(m_sample, &QCheckBox::clicked, this, [this](bool on) {
        m_place->setSampled(m_connection->title(), on);
        syncChart();
    });
    connect(m_history, &models::CacheHistory::changed, this, &CachePage::syncChart);
    connect(m_release, &QPushButton::clicked, this, &CachePage::askRelease);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CachePage::syncRelease);
    connect(m_releases, &models::ReleaseController::changed, this, &CachePage::syncRelease);
    connect(m_releases, &models::ReleaseController::released, this, &CachePage::onReleased);
    connect(m_center, &models::ActionCenter::changed, this, &CachePage::syncRelease);
    connect(m_center, &models::ActionCenter::allowanceChanged, this, &CachePage::syncRelease);
    connect(m_notice, &NoticeBar::primaryClicked, this, &CachePage::compare);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else {
            m_editing = true;
            sync();
            m_address->setFocus();
        }
    });
    connect(
        m_place, &models::CachePlace::failed, this, [this](const sql::Error &error) { m_notice->showError(error); });
    connect(m_cache, &models::CacheController::changed, this, &CachePage::onCompared);
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &CachePage::takeTargets);
    connect(m_connection, &models::ConnectionController::factsChanged, this, &CachePage::takeTargets);
}

void CachePage::onCompared()
{
    if (!m_cache->busy()) {
        m_editing = m_cache->error() || !m_cache->report();
        if (!m_editing && !m_typed.isEmpty()) { // it was right: a key's detail asks there, too
            m_place->rememberPassword(m_place->address(m_connection->title()), std::exchange(m_typed, {}));
        }
    }
    sync();
}

void CachePage::activate()
{
    takeTargets();
    m_history->read();
}

void CachePage::setTimeFormat(const models::TimeFormat &format)
{
    m_timeFormat = format;
    syncPlace();
    syncCrowd();
    syncExpiry();
    syncChart();
}

void CachePage::refresh()
{
    if (m_cache->report()) {
        compare();
    }
}

void CachePage::takeTargets()
{
    m_target->refill(m_connection->targets(), {});
    if (const QString connection = m_connection->title(); connection != m_addressOf || m_address->text().isEmpty()) {
        m_addressOf = connection;
        m_password->clear();
        m_address->setText(m_place->address(connection));
    }
    takeTarget();
}

void CachePage::takeTarget()
{
    if (const models::TargetEntry *entry = m_connection->target(m_target->target())) {
        m_cache->setTarget(entry->target);
        m_history->setTarget(entry->target, entry->registration ? entry->registration->name : QString());
        m_history->read();
    }
    sync();
}

void CachePage::compare()
{
    const QString url = m_address->text().trimmed();
    if (m_cache->busy() || m_target->target().isEmpty() || url.isEmpty()) {
        return;
    }
    if (const auto kept = m_place->setAddress(m_connection->title(), url); !kept) {
        m_notice->showError(kept.error());
        return;
    }
    m_told = false;
    m_comparedUrl = url;
    m_typed = m_password->text();
    withPassword(url, [this, url](const QString &password) { m_cache->compare(url, password); });
}

void CachePage::withPassword(const QString &url, const std::function<void(const QString &)> &use)
{
    const QString password = m_password->text();
    if (password.isEmpty()) {
        m_place->fetchPassword(url, use);
        return;
    }
    if (m_keep->isChecked()) {
        m_place->keepPassword(url, password);
    }
    use(password);
}

/// A sentence, empty where the finding that is chosen may be released.
QString CachePage::whyNotRelease() const
{
    const models::TargetEntry *entry = m_connection->target(m_target->target());
    const sql::CacheFinding *finding = m_cache->list()->row(m_table->currentIndex().row());
    if (finding == nullptr) {
        return tr("Choose a finding first.");
    }
    if (!models::isWrongClaim(finding->entry, finding->cached, models::statesOf(finding->rows))) {
        return tr("Only an entry that holds retries off for nothing can be released.");
    }
    if (entry == nullptr || !entry->registration) {
        return tr("The table is not registered, so nothing may be changed.");
    }
    return m_center->whyNot();
}

void CachePage::askRelease()
{
    const models::TargetEntry *entry = m_connection->target(m_target->target());
    const sql::CacheFinding *finding = m_cache->list()->row(m_table->currentIndex().row());
    if (!whyNotRelease().isEmpty() || m_releases->busy() || finding == nullptr || entry == nullptr) {
        return;
    }
    // The list goes on while the dialog is open; what was seen is what is meant.
    const sql::CachedEntry seen { finding->entry, finding->cached, models::statesOf(finding->rows),
        finding->shortLived };
    const QString url = m_address->text().trimmed();
    const QString target = entry->registration->name;
    const sql::CacheSpec cache = entry->target.profile.cache.value_or(sql::CacheSpec());
    if (const auto young = models::tooYoungToRelease(cache, seen, true)) {
        m_told = true;
        m_notice->showError(*young); // nothing was asked of the cache, so the list stays
        return;
    }
    const auto age = models::leastAgeMs(cache, seen);
    auto *dialog = new ReleaseDialog(seen, age, m_connection->title(), m_connection->settings().environment, this);
    connect(dialog, &QDialog::accepted, this, [=, this] {
        m_told = true; // what came of the one before is no answer to this one
        m_notice->showNotice(NoticeBar::Kind::Info, tr("Releasing the claim…"));
        withPassword(url, [=, this, reason = dialog->reason(), ticket = dialog->ticket()](const QString &password) {
            m_releases->release({ target, url, password, cache, !age.has_value() }, seen, reason, ticket);
        });
    });
    openDialog(dialog);
}

void CachePage::onReleased(const QString &text, const std::optional<sql::Error> &error)
{
    m_told = true;
    if (error) {
        m_notice->showError(*error);
    } else {
        m_notice->showNotice(NoticeBar::Kind::Good, text, tr("Recorded in the audit log, with who did it and why."));
    }
    if (m_releases->gone()) {
        m_cache->drop(m_releases->entry());
    }
    syncRelease();
}

void CachePage::syncRelease()
{
    const QString why = whyNotRelease();
    const sql::CacheFinding *finding = m_cache->list()->row(m_table->currentIndex().row());
    m_show->setEnabled(finding != nullptr && !finding->rows.isEmpty());
    QStringList meaning;
    if (finding != nullptr) {
        meaning += models::cacheFindingMeaning(finding->kind);
        if (finding->rows.size() > 1) {
            meaning += tr("Its rows: %1.").arg(models::cacheRowsText(finding->rows));
        }
        meaning += why;
    }
    m_meaning->setText(meaning.join(u' '));
    m_release->setEnabled(why.isEmpty() && !m_releases->busy());
    m_release->setToolTip(
        why.isEmpty() ? tr("Delete this entry from the cache, so that retries are let through") : why);
}

/// Back to what was looked at before the list came anew, else to the first.
void CachePage::lookAgain()
{
    const QList<sql::CacheFinding> &rows = m_cache->list()->rows();
    const auto again = std::find_if(rows.cbegin(), rows.cend(), [this](const sql::CacheFinding &one) {
        return m_looked && one.kind == m_looked->kind && one.entry.name == m_looked->entry.name
            && one.key.text == m_looked->key.text;
    });
    const int row = again == rows.cend() ? 0 : int(again - rows.cbegin());
    m_table->setCurrentIndex(m_table->model()->index(row, 0));
    syncRelease();
}

void CachePage::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_cache->busy()) {
        m_cache->cancel();
        return;
    }
    Page::keyPressEvent(event);
}

void CachePage::showKey()
{
    const sql::CacheFinding *finding = m_cache->list()->row(m_table->currentIndex().row());
    if (finding != nullptr && !finding->rows.isEmpty()) {
        emit keysWanted(m_target->target(), u"key:"_s + models::quoteFilterValue(finding->key.text));
    }
}

void CachePage::sync()
{
    const bool busy = m_cache->busy();
    const auto &report = m_cache->report();
    m_busy->setVisible(busy);
    syncPlace();
    if (m_cache->error()) {
        m_notice->showError(*m_cache->error(), tr("Retry"));
    } else if (m_told) {
        // what came of a release stays
    } else if (report && !report->notes.isEmpty()) {
        m_notice->showNotice(
            NoticeBar::Kind::Warning, tr("Not everything could be looked at."), shownLines(report->notes));
    } else {
        m_notice->clear();
    }
    QList<FigureCard::Figure> facts;
    for (const models::CacheFigure &figure : report ? models::cacheFigures(*report) : QList<models::CacheFigure>()) {
        facts += { figure.name, figure.value, figure.note, figure.level, figure.quiet };
    }
    m_facts->setFigures(facts);
    QStringList gist;
    for (const FigureCard::Figure &fact : std::as_const(facts)) {
        if (!fact.quiet) { // what wants its note beside it is not said without
            gist += tr("%1: %2", "name of a number, the number").arg(fact.name, fact.value);
        }
    }
    m_overview->setGist(gist.join(u" · "_s));
    m_facts->setVisible(report.has_value());
    m_verdict->setText(report && report->counts.isEmpty() ? models::cacheVerdict(*report) : QString());
    m_verdict->setVisible(!m_verdict->text().isEmpty());
    syncCrowd();
    syncKinds();
    m_stack->showContent(report && m_cache->list()->rowCount() > 0);
    syncRelease();
    syncExpiry();
    syncChart();
    syncEmpty();
}

/// Once it was compared, where the cache is takes one line; the fields come back where something is wrong.
void CachePage::syncPlace()
{
    const bool busy = m_cache->busy();
    const bool folded = !m_editing && m_cache->report().has_value();
    if (folded && m_fields->isAncestorOf(focusWidget())) {
        m_table->setFocus(); // else whatever comes next would have it
    }
    m_fields->setVisible(!folded);
    m_placed->setVisible(folded);
    m_compare->setText(busy ? tr("&Cancel") : folded ? tr("&Compare again") : tr("&Compare"));
    m_compare->setEnabled(busy || (!m_target->target().isEmpty() && !m_address->text().trimmed().isEmpty()));
    if (folded) {
        const sql::Timestamp at { sql::Timestamp::Kind::Finite, m_cache->readAt().toMSecsSinceEpoch() * 1'000 };
        m_where->setText(tr("%1 · as of %2", "an address, a time")
                             .arg(models::displayText(m_comparedUrl, kShownLine), m_timeFormat.text(at)));
        m_where->setToolTip(m_where->text());
    }
}

/// What will happen to the database stands first.
void CachePage::syncCrowd()
{
    QList<sql::CacheMinute> crowds;
    for (const sql::CacheMinute &minute : m_cache->report() ? m_cache->report()->minutes : QList<sql::CacheMinute>()) {
        crowds += minute.crowded ? QList { minute } : QList<sql::CacheMinute>();
    }
    if (crowds.isEmpty()) {
        m_crowded->clear();
        return;
    }
    const auto fullest = std::max_element(crowds.cbegin(), crowds.cend(),
        [](const sql::CacheMinute &a, const sql::CacheMinute &b) { return a.entries < b.entries; });
    m_crowded->showNotice(NoticeBar::Kind::Warning, models::crowdedMinuteText(*fullest, m_timeFormat),
        crowds.size() > 1 ? tr("%Ln more minute(s) are crowded, too.", nullptr, int(crowds.size()) - 1) : QString());
}

void CachePage::syncKinds()
{
    const auto &report = m_cache->report();
    for (const auto &[kind, chip] : std::as_const(m_chips)) {
        const qint64 count = report ? report->counts.value(kind) : 0;
        chip->setText(models::cacheFindingText(kind) + u' ' + models::countText(count));
        m_kinds->offer(chip, count > 0);
        if (count == 0) {
            const QSignalBlocker quiet(chip);
            chip->setChecked(false);
        }
    }
    m_kinds->setVisible(report && !report->counts.isEmpty());
    chooseKinds();
}

void CachePage::chooseKinds()
{
    QList<sql::CacheFindingKind> kinds;
    for (const auto &[kind, chip] : std::as_const(m_chips)) {
        kinds += chip->isChecked() ? QList { kind } : QList<sql::CacheFindingKind>();
    }
    m_cache->list()->showOnly(kinds);
    syncRelease();
}

void CachePage::syncExpiry()
{
    const auto &report = m_cache->report();
    const auto picture = report ? models::expiryPicture(*report, m_timeFormat) : models::ExpiryPicture();
    const QString note = report ? models::expiryNote(*report) : QString();
    m_expiry->setPicture(picture);
    m_expiry->setVisible(!picture.bars.isEmpty());
    m_expiryNote->setText(note);
    m_expiryNote->setVisible(!note.isEmpty());
}

/// What samples tell of the last day; where there are none, what would take them.
void CachePage::syncChart()
{
    const models::TargetEntry *entry = m_connection->target(m_target->target());
    const bool registered = entry != nullptr && entry->registration.has_value();
    m_sample->setChecked(m_place->sampled(m_connection->title()));
    m_sample->setEnabled(registered && !m_address->text().trimmed().isEmpty());
    m_sample->setToolTip(registered ? tr("Ask Redis each minute: that keeps the hit ratio, and lets alerts watch it")
                                    : tr("Only what is registered has samples in the database."));
    const auto &answer = m_history->answer();
    models::TrendPicture picture
        = answer ? models::trendPicture(*answer, nullptr, false, m_timeFormat) : models::TrendPicture();
    picture.top = 1; // a part of the whole: a low one must look low
    picture.levels = { 0, 0.5, 1 };
    for (models::TrendLine &line : picture.lines) {
        line.name = tr("All clients");
    }
    const bool some = answer && !picture.empty();
    m_chart->setVisible(some);
    m_hits->setVisible(registered && (some || m_history->error() || m_sample->isChecked()));
    if (!some) {
        m_chart->clear();
        m_chartNote->setText(m_history->error() ? models::displayText(m_history->error()->line(), kShownLine)
                                                : tr("The hit ratio over time appears here after a few minutes."));
        return;
    }
    const sql::TrendMetric metric = answer->metric;
    m_chart->setPicture(picture,
        { tr("Hits, %"), m_timeFormat.zoneText(),
            [metric](double value) { return models::trendTickText(metric, value); },
            [metric](double value) { return models::trendValueText(metric, value); },
            [metric](const models::TrendLine &line) {
                return line.last ? models::trendValueText(metric, *line.last) : QString();
            } });
    m_chartNote->setText(tr("By the quarter of an hour, all clients. Comparisons count, samples do not."));
}

void CachePage::syncEmpty()
{
    EmptyState *empty = m_stack->empty();
    const auto &report = m_cache->report();
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(tr("What disagrees between a table and its cache appears here."));
    } else if (m_target->target().isEmpty()) {
        empty->show(u"cache"_s, tr("No table has a cache"),
            tr("The key “cache” of a profile says how a table's entries are called."));
    } else if (m_cache->busy()) {
        empty->show(u"cache"_s, tr("Comparing"), tr("Both sides are looked at; what disagrees is looked at twice."));
    } else if (!report) {
        empty->show(u"cache"_s, tr("Not compared yet"),
            tr("Say where the Redis in front of this table is, and compare. That only reads it."),
            tr("Enter the address"));
    } else {
        empty->show(u"done"_s, report->complete() ? tr("Cache and table agree") : tr("Nothing disagrees so far"),
            report->complete() ? tr("Every entry and every row in progress was looked at.")
                               : tr("Not everything was looked at; the numbers above say how much."));
    }
}

} // namespace idemdesk::ui
