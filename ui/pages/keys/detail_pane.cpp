// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/detail_pane.h"

#include "models/cache/cached_key.h"
#include "models/format/display_text.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_cells.h"
#include "models/keys/key_detail.h"
#include "models/keys/key_table_model.h"
#include "models/keys/record_model.h"
#include "models/keys/story_model.h"
#include "models/retries/retry_words.h"
#include "ui/delegates/record_delegate.h"
#include "ui/pages/keys/payload_view.h"
#include "ui/pages/keys/related_view.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/link_button.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/story_scale_view.h"
#include "ui/widgets/story_view.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/wrap_row.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

enum Tab { Story, Record, Json, Related, Audit };
constexpr int kNamesWidth = 110; // pixels of a record's names, at texts of the usual size
constexpr qsizetype kHeadingChars = 38; // what the pane shows at its least width

} // namespace

DetailPane::DetailPane(models::KeyBrowserController *browser, models::KeyDetailController *detail,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_list(browser->model())
    , m_detail(detail)
    , m_badge(new BadgeView(u"detailState"_s, this))
    , m_key(plainLabel({}, this))
    , m_copy(iconButton(u"detailCopy"_s, u"copy"_s, tr("Copy the key"), this))
    , m_summary(noteLabel({}, u"detailSummary"_s, this))
    , m_retry(readableLabel(u"detailRetry"_s, this))
    , m_retryTwice(readableLabel(u"detailRetryTwice"_s, this))
    , m_cachedText(readableLabel(u"detailCached"_s, this))
    , m_release(new QPushButton(tr("Re&lease…"), this))
    , m_why(iconButton(u"detailWhy"_s, u"info"_s, tr("Why a retry does so"), this))
    , m_retryWhy(noteLabel({}, u"detailRetryWhy"_s, this))
    , m_links(new LinkButton(u"detailLinks"_s, this))
    , m_recover(new QPushButton(tr("&Recover…"), this))
    , m_case(new QPushButton(tr("Ve&rdict…"), this))
    , m_notice(new NoticeBar(this))
    , m_tabs(new QTabWidget(this))
    , m_story(new StoryView(this))
    , m_record(new QTableView(this))
    , m_payload(new PayloadView(detail, settings, this))
    , m_related(new RelatedView(browser, detail, this))
    , m_audit(new QTableView(this))
    , m_auditNote(wrappedLabel({}, this))
{
    setObjectName(u"detailPane"_s);
    setMinimumWidth(340);
    m_key->setObjectName(u"detailKey"_s);
    m_key->setFont(Theme::monospace());
    m_key->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_key->setMinimumWidth(1); // a long key is cut, it does not widen the pane
    m_notice->setObjectName(u"detailNotice"_s);
    m_story->setModel(detail->story());
    setUpRecord();
    m_tabs->setObjectName(u"detailTabs"_s);
    m_tabs->setAccessibleName(tr("Detail of the selected key"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(storyTab(), tr("Story"));
    m_tabs->addTab(m_record, tr("Record"));
    m_tabs->addTab(m_payload, tr("JSON"));
    m_tabs->addTab(m_related, tr("Related"));
    m_tabs->addTab(auditTab(), tr("Audit"));

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(buildHeader());
    layout->addWidget(m_tabs, 1);

    connect(detail, &models::KeyDetailController::changed, this, &DetailPane::sync);
    for (const auto came : { &models::KeyTableModel::pageLoaded, &models::KeyTableModel::merged }) {
        connect(m_list, came, this, &DetailPane::syncHeader);
    }
    connect(m_notice, &NoticeBar::primaryClicked, detail, &models::KeyDetailController::refresh);
    connect(m_related, &RelatedView::filterWanted, this, &DetailPane::filterWanted);
    connect(m_case, &QPushButton::clicked, this, &DetailPane::caseWanted);
    connect(m_recover, &QPushButton::clicked, this, &DetailPane::recoveryWanted);
    connect(m_release, &QPushButton::clicked, this, &DetailPane::releaseWanted);
    connect(m_copy, &QToolButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_detail->detail().record.key.text); });
    sync();
}

/// What the key is, how it stands, and what can be done about it.
QWidget *DetailPane::buildHeader()
{
    m_case->setObjectName(u"detailCase"_s);
    m_case->setToolTip(tr("What happened to this key, as far as the facts go, and a case file to take away"));
    m_recover->setObjectName(u"detailRecover"_s);
    m_recover->setToolTip(tr("Show this key on the page Recovery"));
    auto *header = new QWidget(this);
    auto *name = barRow({});
    name->addWidget(m_key, 1);
    name->addWidget(m_copy);
    auto *column = partColumn(header);
    column->setSpacing(kGrid);
    column->addLayout(name);
    auto *state = new QWidget(header);
    auto *wrap = new WrapRow(state); // what finds no room beside the state goes on beneath it
    wrap->add(m_badge);
    wrap->addRoom();
    for (QWidget *button : std::initializer_list<QWidget *> { m_links, m_recover, m_case }) {
        wrap->add(button);
    }
    column->addWidget(state);
    column->addWidget(m_notice); // first: a retry may do again what has happened
    column->addWidget(m_summary);
    m_release->setObjectName(u"detailRelease"_s);
    auto *cached = barRow({});
    cached->addWidget(m_cachedText, 1);
    cached->addWidget(m_release, 0, Qt::AlignTop);
    column->addLayout(cached);
    syncCache();
    m_retryTwice->setText(tr("If the effect happened already, it happens twice."));
    m_why->setCheckable(true); // why is asked now and then; the tabs need the lines each time
    connect(m_why, &QToolButton::toggled, this, &DetailPane::syncRetry);
    auto *retry = barRow({});
    retry->addWidget(m_retry, 1);
    retry->addWidget(m_why, 0, Qt::AlignTop);
    column->addLayout(retry);
    column->addWidget(m_retryTwice);
    column->addWidget(m_retryWhy);
    return header;
}

/// To scale, and below it event by event.
QWidget *DetailPane::storyTab()
{
    auto *page = new QWidget(this);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 2 * kGrid, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(new StoryScaleView(m_detail->story(), page));
    layout->addWidget(m_story, 1);
    return page;
}

/// Who touched this key through the console.
QWidget *DetailPane::auditTab()
{
    auto *page = new QWidget(this);
    setUpSmallTable(m_audit,
        { u"detailAudit"_s, tr("What was done to this key"), m_detail->touches(), { 136, 104, 120 },
            QAbstractItemView::ExtendedSelection });
    m_audit->setFrameShape(QFrame::NoFrame);
    m_auditNote->setObjectName(u"detailAuditNote"_s);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 2 * kGrid, 0, 0);
    layout->addWidget(m_auditNote);
    layout->addWidget(m_audit, 1);
    return page;
}

void DetailPane::setUpRecord()
{
    setUpSmallTable(m_record, { u"recordTable"_s, tr("Roles and columns"), m_detail->record(), { 130, 236 } });
    m_record->setColumnHidden(models::RecordModel::Source, true); // the tooltips say it
    auto *delegate = new RecordDelegate(m_record);
    m_record->setItemDelegate(delegate);
    connect(delegate, &RecordDelegate::copyClicked, this, &DetailPane::copyValue);
    m_record->setFrameShape(QFrame::NoFrame);
    m_record->setAlternatingRowColors(false); // groups part the lines
    m_record->horizontalHeader()->hide(); // a name and its value need no heading
    m_record->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_record->viewport()->setAttribute(Qt::WA_Hover);
    m_record->viewport()->installEventFilter(this);
    connect(m_detail->record(), &QAbstractItemModel::modelReset, this, &DetailPane::fitRecord);
    connect(m_detail->record(), &QAbstractItemModel::dataChanged, this, &DetailPane::fitRecord);
    m_record->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_record, &QTableView::customContextMenuRequested, this, &DetailPane::recordMenu);
    auto *copyAction = new QAction(tr("Copy value"), m_record);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    connect(copyAction, &QAction::triggered, this, [this] { copyValue(m_record->currentIndex()); });
    m_record->addAction(copyAction);
}

/// Names have the width they need, up to a part of the pane; a long value takes some lines.
void DetailPane::fitRecord()
{
    const auto *model = m_detail->record();
    const int room = m_record->viewport()->width();
    int names = 0;
    for (int row = 0; row < model->rowCount(); ++row) {
        const QModelIndex name = model->index(row, models::RecordModel::Name);
        const bool raw = name.data(models::RecordModel::SectionRole).toInt() == 1;
        names = std::max(names,
            QFontMetrics(raw ? Theme::monospace() : m_record->font()).horizontalAdvance(name.data().toString())
                + kCellPadding + 2 * kGrid);
    }
    names = std::min(names, std::max(Theme::scaled(kNamesWidth), room * 3 / 10));
    m_record->setColumnWidth(models::RecordModel::Name, names);
    for (int row = 0; row < model->rowCount(); ++row) {
        const QModelIndex value = model->index(row, models::RecordModel::Value);
        m_record->setRowHeight(row, RecordDelegate::heightOf(value, room - names, m_record->font()));
    }
}

bool DetailPane::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_record->viewport() && event->type() == QEvent::Resize) {
        QMetaObject::invokeMethod(this, &DetailPane::fitRecord, Qt::QueuedConnection); // after the table itself
    }
    return QWidget::eventFilter(watched, event);
}

void DetailPane::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        QMetaObject::invokeMethod(this, &DetailPane::fitRecord, Qt::QueuedConnection);
    }
}

void DetailPane::setWanted(bool wanted)
{
    m_wanted = wanted;
    sync();
}

void DetailPane::showTab(const QString &name)
{
    m_tabs->setCurrentIndex(name == u"record"_s ? Record
            : name == u"json"_s                 ? Json
            : name == u"related"_s              ? Related
            : name == u"audit"_s                ? Audit
                                                : Story);
}

void DetailPane::syncHeader()
{
    using Status = models::KeyDetailController::Status;
    const sql::KeyDetail &detail = m_detail->detail();
    const sql::KeyRecord &record = detail.record;
    const bool awaited = record.identity.isEmpty(); // the list is still reading this row
    const bool ready = m_detail->status() == Status::Ready;
    const bool stuck = record.stale.value_or(false);
    Badge badge;
    badge.text = awaited ? QString() : models::recordStateText(record);
    badge.state = record.state;
    badge.stale = stuck;
    badge.expired = record.expired.value_or(false);
    m_badge->setBadge(badge);
    m_key->setText(awaited ? u"…"_s
            : record.key.text.isEmpty()
            ? models::cellToolTip(record.key)
            : models::middleElided(models::displayText(record.key.text, 4'000), kHeadingChars));
    m_key->setToolTip(awaited ? QString() : models::cellToolTip(record.key));
    m_key->setAccessibleName(tr("Key"));
    m_copy->setEnabled(!awaited);
    m_case->setEnabled(!awaited);
    m_links->setLinks(awaited ? QList<models::RowLink>() : models::keyLinks(m_detail->profile(), record));
    m_recover->setVisible(!awaited && stuck);
    m_summary->setText(awaited ? tr("Reading this row…")
            : ready            ? models::displayText(models::keyFactsText(detail), 300) + olderList()
            : m_detail->status() == Status::Loading ? tr("Reading…")
                                                    : QString());
}

/// The pane is read anew, the list when it is refreshed: where they differ, it is said which is older.
QString DetailPane::olderList() const
{
    const sql::KeyRecord &record = m_detail->detail().record;
    const int row = m_list->rowOf(record.identity);
    const auto listed = row >= 0 ? m_list->record(row) : std::nullopt;
    const QString text = listed ? models::recordStateText(*listed) : QString();
    return text.isEmpty() || text == models::recordStateText(record) ? QString()
                                                                     : tr(" · the list still says “%1”").arg(text);
}

void DetailPane::setCache(models::CachedKey *cached)
{
    m_cached = cached;
    connect(cached, &models::CachedKey::changed, this, &DetailPane::syncCache);
    syncCache();
}

void DetailPane::setReleasable(const QString &whyNot, bool busy)
{
    m_whyNotRelease = whyNot;
    m_releasing = busy;
    syncCache();
}

void DetailPane::tell(const QString &text, const std::optional<sql::Error> &error)
{
    if (error) {
        m_notice->showError(*error);
    } else {
        m_notice->showNotice(NoticeBar::Kind::Info, text, tr("Recorded in the audit log, with who did it and why."));
    }
}

/// A cache that does not answer takes nothing else away.
void DetailPane::syncCache()
{
    const QString text = m_cached != nullptr ? m_cached->text() : QString();
    m_cachedText->setVisible(!text.isEmpty());
    m_cachedText->setText(text);
    m_cachedText->setToolTip(m_cached == nullptr ? QString()
            : m_cached->error()                  ? models::displayText(m_cached->error()->line(), 400)
                                                 : m_cached->askedText());
    syncRetry();
    m_release->setVisible(m_cached != nullptr && m_cached->wrongClaim());
    m_release->setEnabled(m_whyNotRelease.isEmpty() && !m_releasing);
    m_release->setToolTip(m_whyNotRelease.isEmpty()
            ? tr("Delete this entry from the cache, so that retries are let through")
            : m_whyNotRelease);
}

/// What happens if the client retries now, and why.
void DetailPane::syncRetry()
{
    const bool ready = m_detail->status() == models::KeyDetailController::Status::Ready;
    const sql::KeyDetail &detail = m_detail->detail();
    const QString reasons = models::retryReasons(detail.retry).join(u' ');
    m_retry->setVisible(ready);
    const models::CacheBefore cache = m_cached != nullptr ? m_cached->before() : models::CacheBefore();
    m_retry->setText(ready
            ? models::retrySummary(cache, detail.retry, m_detail->kind(), detail.now, m_detail->timeFormat())
            : QString());
    m_why->setVisible(ready && !reasons.isEmpty());
    m_retryWhy->setVisible(ready && !reasons.isEmpty() && m_why->isChecked());
    m_retryWhy->setText(reasons);
    const bool repeats = ready && models::retryMayRepeat(detail);
    m_retryTwice->setVisible(repeats);
    for (QLabel *label : { m_retry, m_retryTwice }) {
        QPalette colors; // what is not set here follows the theme
        if (repeats) {
            for (const QPalette::ColorRole role : { QPalette::WindowText, QPalette::Text }) {
                colors.setColor(role, themeColor(Token::Warning));
            }
        }
        label->setPalette(colors);
    }
}

void DetailPane::setDimmed(bool dimmed)
{
    QPalette colors;
    if (dimmed) {
        for (const QPalette::ColorRole role : { QPalette::WindowText, QPalette::Text }) {
            colors.setColor(role, themeColor(Token::MutedText));
        }
    }
    setPalette(colors);
    syncRetry();
}

/// What the key did is not known, and a retry may do it again.
bool DetailPane::needsReview() const
{
    const sql::KeyDetail &detail = m_detail->detail();
    return detail.record.state != sql::KeyState::Succeeded
        && std::any_of(detail.effects.cbegin(), detail.effects.cend(),
            [](const sql::EffectResult &effect) { return !models::effectDoubt(effect).isEmpty(); });
}

void DetailPane::updateNotice()
{
    using Status = models::KeyDetailController::Status;
    const QStringList notes = m_detail->notes();
    if (m_detail->status() == Status::Failed && m_detail->error()) {
        m_notice->showError(*m_detail->error(), tr("Retry"));
    } else if (m_detail->status() == Status::Gone) {
        m_notice->showNotice(NoticeBar::Kind::Warning, tr("This row is gone."),
            tr("It was deleted or its key changed since the list was read."));
    } else if (!notes.isEmpty()) {
        m_notice->showNotice(
            needsReview() ? NoticeBar::Kind::Warning : NoticeBar::Kind::Info, notes.first(), notes.mid(1).join(u' '));
    } else {
        m_notice->clear();
    }
}

void DetailPane::sync()
{
    const bool some = m_detail->status() != models::KeyDetailController::Status::Empty;
    m_tabs->setVisible(some);
    syncHeader();
    syncRetry();
    setHidden(!some || !m_wanted);
    updateNotice();
    m_payload->sync();
    m_related->sync();
    m_auditNote->setText(models::displayText(m_detail->touchesNote(), 400));
    m_auditNote->setVisible(!m_detail->touchesNote().isEmpty());
    m_audit->setVisible(m_detail->touches()->rowCount() > 0);
}

void DetailPane::copyValue(const QModelIndex &index)
{
    const QVariant raw = index.siblingAtColumn(models::RecordModel::Value).data(models::RecordModel::RawRole);
    if (raw.isValid()) {
        QGuiApplication::clipboard()->setText(raw.toString());
    }
}

void DetailPane::recordMenu(const QPoint &place)
{
    const QModelIndex index = m_record->indexAt(place);
    if (!index.isValid()) {
        return;
    }
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *copy = menu->addAction(tr("Copy value"));
    copy->setEnabled(index.siblingAtColumn(models::RecordModel::Value).data(models::RecordModel::RawRole).isValid());
    connect(copy, &QAction::triggered, this, [this, kept = QPersistentModelIndex(index)] { copyValue(kept); });
    menu->popup(m_record->viewport()->mapToGlobal(place));
}

} // namespace idemdesk::ui
