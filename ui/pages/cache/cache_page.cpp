// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cache/cache_page.h"

#include "models/cache/cache_controller.h"
#include "models/cache/cache_place.h"
#include "models/cache/cache_words.h"
#include "models/connection/connection_controller.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kShownLine = 400; // characters of a sentence

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

CachePage::CachePage(models::ConnectionController *connection, models::CacheController *cache,
    models::CachePlace *place, models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_cache(cache)
    , m_place(place)
    , m_target(new TargetChooser(u"cacheTarget"_s, this))
    , m_address(new QLineEdit(this))
    , m_password(new QLineEdit(this))
    , m_keep(new QCheckBox(tr("&Keep in keychain"), this))
    , m_compare(new QPushButton(tr("&Compare"), this))
    , m_busy(new BusyBar(u"cacheBusy"_s, tr("Comparing"), this))
    , m_notice(new NoticeBar(this))
    , m_summary(readableLabel(u"cacheSummary"_s, this))
    , m_stack(new ContentStack(this))
    , m_table(new QTableView(this))
    , m_facts(readableLabel(u"cacheFacts"_s, this))
{
    setObjectName(u"cachePage"_s);
    m_notice->setObjectName(u"cacheNotice"_s);
    m_busy->keepItsPlace();
    m_target->offerOnly(hasCache);
    auto *header = new PageHeader(ownFace().title, this);
    header->add({ m_target, nullptr });
    setUpTable(m_table,
        { u"cacheTable"_s, tr("What disagrees between table and cache"), cache->list(),
            { 390, 190, 160, 100, 120, 90 } },
        settings);
    setTwoLines(m_table, settings);
    m_table->setItemDelegateForColumn(
        models::CacheList::Finding, new TwoLineDelegate(TwoLineDelegate::First::Text, m_table));
    m_stack->setContent(m_table);
    auto *layout = pageColumn(this);
    layout->addWidget(header);
    layout->addWidget(buildPlace());
    layout->addWidget(m_busy);
    layout->addWidget(m_notice);
    layout->addWidget(m_summary);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_facts);
    wire();
    takeTargets();
    sync();
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
    auto *bar = new QWidget(this);
    auto *row = barRow({}, bar);
    row->addWidget(buddyLabel(tr("&Address"), m_address, bar));
    row->addWidget(m_address, 3);
    row->addWidget(buddyLabel(tr("&Password"), m_password, bar));
    row->addWidget(m_password, 1);
    row->addWidget(m_keep);
    row->addWidget(m_compare);
    return bar;
}

void CachePage::wire()
{
    connect(m_compare, &QPushButton::clicked, this, [this] { m_cache->busy() ? m_cache->cancel() : compare(); });
    connect(m_address, &QLineEdit::returnPressed, this, &CachePage::compare);
    connect(m_password, &QLineEdit::returnPressed, this, &CachePage::compare);
    connect(m_address, &QLineEdit::textChanged, this, &CachePage::sync);
    connect(m_target, &TargetChooser::chosen, this, &CachePage::takeTarget);
    connect(m_table, &QTableView::activated, this, &CachePage::showKey);
    connect(m_notice, &NoticeBar::primaryClicked, this, &CachePage::compare);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else {
            m_address->setFocus();
        }
    });
    connect(
        m_place, &models::CachePlace::failed, this, [this](const sql::Error &error) { m_notice->showError(error); });
    connect(m_cache, &models::CacheController::changed, this, &CachePage::sync);
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &CachePage::takeTargets);
    connect(m_connection, &models::ConnectionController::factsChanged, this, &CachePage::takeTargets);
}

void CachePage::activate()
{
    takeTargets();
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
    const QString password = m_password->text();
    if (password.isEmpty()) {
        m_place->fetchPassword(url, [this, url](const QString &known) { m_cache->compare(url, known); });
        return;
    }
    if (m_keep->isChecked()) {
        m_place->keepPassword(url, password);
    }
    m_cache->compare(url, password);
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
    m_compare->setText(busy ? tr("&Cancel") : tr("&Compare"));
    m_compare->setEnabled(busy || (!m_target->target().isEmpty() && !m_address->text().trimmed().isEmpty()));
    if (m_cache->error()) {
        m_notice->showError(*m_cache->error(), tr("Retry"));
    } else if (report && !report->notes.isEmpty()) {
        m_notice->showNotice(
            NoticeBar::Kind::Warning, tr("Not everything could be looked at."), shownLines(report->notes));
    } else {
        m_notice->clear();
    }
    m_summary->setText(report
            ? shownLines(models::cacheLookedAt(*report) + QStringList { models::cacheSummary(*report) })
            : QString());
    m_summary->setVisible(report.has_value());
    m_facts->setText(
        report ? shownLines(models::cacheTtlTexts(*report) + models::cacheServerTexts(report->facts)) : QString());
    m_facts->setVisible(report.has_value());
    m_stack->showContent(report && m_cache->list()->rowCount() > 0);
    syncEmpty();
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
            tr("Say where the Redis in front of this table is, and compare. It is only read."),
            tr("Enter the address"));
    } else {
        empty->show(u"done"_s, report->complete() ? tr("Cache and table agree") : tr("Nothing disagrees so far"),
            report->complete() ? tr("Every entry and every row in progress was looked at.")
                               : tr("Not everything was looked at; the lines above say how much."));
    }
}

} // namespace idemdesk::ui
