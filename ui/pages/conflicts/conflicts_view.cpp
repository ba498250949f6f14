// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/conflicts/conflicts_view.h"

#include "models/compare/compare_controller.h"
#include "models/conflicts/conflict_controller.h"
#include "models/conflicts/conflict_requests.h"
#include "models/conflicts/conflict_words.h"
#include "models/connection/connection_controller.h"
#include "models/fingerprint/fingerprint_text.h"
#include "models/fingerprint/recipe.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/json/payload_text.h"
#include "models/logs/application_log.h"
#include "models/settings.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/dialogs/log_fields_dialog.h"
#include "ui/pages/conflicts/compare_view.h"
#include "ui/pages/conflicts/mark_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/link_button.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/text_view.h"
#include "ui/widgets/wrap_row.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::ConflictModel;

namespace {

constexpr int kTickMs = 200;
constexpr int kBesideWidth = 940; // pixels from which on the list stands beside what is looked at, not above it
constexpr int kListWidth = 560; // pixels at most, until somebody moves the border
constexpr int kMostMessage = 72; // pixels; more scroll
constexpr int kWholeRecord = 4'000; // characters of a message
constexpr qsizetype kHashDigits = 12;
constexpr qsizetype kParsedChars = 16'384; // of a request that is put in lines on the spot; a longer one stays as it is

/// As a record's kind names them, in the order in which they are offered.
QStringList conflictKinds()
{
    return { u"key_conflict"_s, u"message_conflict"_s, u"unique_violation"_s, u"deadlock"_s, u"serialization_failure"_s,
        u"refused"_s, u"application"_s, u"replay"_s };
}

constexpr int kTextsFirst = 100; // how much sooner a text has room than what is left empty beneath it

enum Side { Texts, Differences }; // of what is known of the requests

/// The twelve digits of both fingerprints where they begin to differ: their first ones, unless those are the same.
QStringList shortHashes(const models::FingerprintComparison &compared)
{
    const qsizetype begin = compared.firstDifference < kHashDigits ? 0 : compared.firstDifference - kHashDigits / 2;
    QStringList texts;
    for (const QString &hash : { compared.first, compared.second }) {
        texts += (begin > 0 ? u"…"_s : QString()) + models::displayText(hash.mid(begin, kHashDigits))
            + (begin + kHashDigits < hash.size() ? u"…"_s : QString());
    }
    return texts;
}

/// No box is higher than its text.
void fitHeight(QPlainTextEdit *text)
{
    const int lines = text->blockCount() * text->fontMetrics().lineSpacing();
    const int around = 2 * int(text->document()->documentMargin()) + 2 * text->frameWidth();
    text->setMaximumHeight(lines + around + text->horizontalScrollBar()->sizeHint().height() + 2);
}

/// What is known of how the fingerprints came about: the service's recipe.
QStringList madeOf(const sql::ConflictRecord &record, const QList<models::TargetEntry> &targets)
{
    QStringList lines;
    for (const models::TargetEntry &entry : targets) {
        const QString name = entry.registration ? entry.registration->name : entry.target.profile.name;
        const auto &stored = entry.target.profile.fingerprintRecipe;
        const auto recipe = stored && !record.target.isEmpty() && name == record.target
            ? models::recipeFromId(stored->recipe)
            : sql::Result<models::Recipe>(sql::Error());
        if (recipe) {
            lines += ConflictsView::tr("The profile says that both are made of: %1.")
                         .arg(models::displayText(recipe->inWords(), 300));
        }
    }
    return lines;
}

/// Pages about what was told, by the profile of its table; a log that names no table may mean any.
QList<models::RowLink> linksOf(const sql::ConflictRecord &record, const QList<models::TargetEntry> &targets)
{
    QList<models::RowLink> links;
    for (const models::TargetEntry &entry : targets) {
        const bool named = record.target == entry.target.profile.name
            || (entry.registration && record.target == entry.registration->name);
        if (!named && !record.target.isEmpty()) {
            continue;
        }
        for (const models::RowLink &link : models::conflictLinks(entry.target.profile, record)) {
            const bool known = std::any_of(
                links.cbegin(), links.cend(), [&link](const models::RowLink &other) { return other.url == link.url; });
            links += known ? QList<models::RowLink>() : QList { link };
        }
    }
    return links;
}

} // namespace

ConflictsView::ConflictsView(models::ConnectionController *connection, models::ConflictController *conflicts,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_conflicts(conflicts)
    , m_settings(settings)
    , m_kind(new QComboBox(this))
    , m_kinds(new QWidget(this))
    , m_key(new QLineEdit(this))
    , m_attribute(new QLineEdit(this))
    , m_import(new QPushButton(tr("&Import logs"), this))
    , m_progress(new QProgressBar(this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_table(new QTableView(this))
    , m_badge(new BadgeView(u"conflictBadge"_s, this))
    , m_name(elidedLabel(this))
    , m_facts(elidedLabel(this))
    , m_sentence(readableLabel(u"conflictSentence"_s, this))
    , m_meaning(noteLabel({}, u"conflictMeaning"_s, this))
    , m_hashes(elidedLabel(this))
    , m_copyHashes(iconButton(u"conflictCopyHashes"_s, u"copy"_s, tr("Copy both fingerprints"), this))
    , m_hashSentence(readableLabel(u"conflictHashSentence"_s, this))
    , m_reader(new models::ConflictRequestReader(this))
    , m_differences(new models::CompareController(this))
    , m_requests(new QStackedWidget(this))
    , m_stored(new QPlainTextEdit(this))
    , m_received(new QPlainTextEdit(this))
    , m_storedWhy(noteLabel({}, u"conflictStoredWhy"_s, this))
    , m_receivedWhy(noteLabel({}, u"conflictReceivedWhy"_s, this))
    , m_message(new QPlainTextEdit(this))
    , m_links(new LinkButton(u"conflictLinks"_s, this))
    , m_compare(new QPushButton(tr("Com&pare"), this))
    , m_judge(new QPushButton(tr("&Get verdict"), this))
    , m_show(new QPushButton(tr("Sho&w the key"), this))
{
    setObjectName(u"conflictsView"_s);
    setUpTable(m_table,
        { u"conflictsTable"_s, tr("Conflicts"), conflicts->model(), { 150, 200, 190, 140, 220, 64, 120 } }, settings);
    setTwoLines(m_table, settings);
    m_table->setColumnHidden(ConflictModel::Scope, true); // muted beneath the key
    m_table->setColumnHidden(ConflictModel::By, true); // beside the name of the one that is looked at
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(ConflictModel::Key, QHeaderView::Stretch);
    m_table->setItemDelegateForColumn(ConflictModel::Kind,
        new MarkDelegate(
            [](const QModelIndex &index) { return conflictBadge(index.data(models::KindRole).toString()); }, m_table));
    m_table->setItemDelegateForColumn(ConflictModel::Table, new TwoLineDelegate(TwoLineDelegate::First::Text, m_table));
    m_table->setItemDelegateForColumn(ConflictModel::Key, new TwoLineDelegate(TwoLineDelegate::First::Key, m_table));
    splitInTwo(m_split, m_table, buildDetail(), 2, 3);
    m_split->setObjectName(u"conflictsSplit"_s);
    m_stack->setContent(m_split);
    auto *layout = tabColumn(this);
    layout->addWidget(buildBar());
    layout->addWidget(buildKinds());
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    wire();
    takeFields();
    sync();
}

QWidget *ConflictsView::buildBar()
{
    m_kind->setObjectName(u"conflictsKind"_s);
    m_kind->setAccessibleName(tr("What happened"));
    m_kind->addItem(tr("All conflicts and failures"), QString());
    for (const QString &name : conflictKinds()) {
        m_kind->addItem(models::conflictKindLabel(name), name);
    }
    m_key->setObjectName(u"conflictsKey"_s);
    m_key->setPlaceholderText(tr("Exact key"));
    m_key->setAccessibleName(tr("Exact key"));
    m_key->setClearButtonEnabled(true);
    m_key->setMinimumWidth(Theme::scaled(200));
    m_key->setMaximumWidth(Theme::scaled(420));
    m_attribute->setObjectName(u"conflictsAttribute"_s);
    m_attribute->setPlaceholderText(tr("Trace, region, tenant…"));
    m_attribute->setAccessibleName(tr("Trace, region, tenant or another value of the log"));
    m_attribute->setToolTip(tr("One of the values that a service's log gives beside the key, exactly"));
    m_attribute->setClearButtonEnabled(true);
    m_attribute->setMinimumWidth(Theme::scaled(180));
    m_attribute->setMaximumWidth(Theme::scaled(320));
    m_import->setObjectName(u"conflictsImport"_s);
    m_import->setToolTip(tr("Server logs (csvlog, jsonlog, stderr) and services' logs (JSON Lines)"));
    auto *sources = new QMenu(m_import);
    sources->addAction(tr("From &files…"), this, &ConflictsView::askFiles);
    sources->addAction(tr("From a f&older…"), this, &ConflictsView::askFolder);
    sources->addAction(tr("From the &server's own log"), this, [this] {
        m_toldImport = false;
        m_conflicts->importServerLog();
    });
    sources->addAction(tr("What was &copied"), this, &ConflictsView::importCopied);
    sources->addSeparator();
    sources->addAction(tr("Fields of ser&vices' logs…"), this, &ConflictsView::askFields);
    m_import->setMenu(sources);
    m_progress->setObjectName(u"conflictsProgress"_s);
    m_progress->setMaximumWidth(180);
    m_progress->setRange(0, 1'000);
    m_stop->setObjectName(u"conflictsStop"_s);
    auto *bar = new QWidget(this);
    barRow({ m_kind, m_key, m_attribute, nullptr, m_progress, m_stop, m_import }, bar);
    return bar;
}

/// Many records look alike: what there is of each kind is seen at once, and a click leaves only these.
QWidget *ConflictsView::buildKinds()
{
    m_kinds->setObjectName(u"conflictKinds"_s);
    m_kinds->setAccessibleName(tr("Records by kind"));
    auto *row = new WrapRow(m_kinds);
    for (const QString &kind : conflictKinds()) {
        auto *chip = new Chip(u"conflictKind_"_s + kind, m_kinds);
        chip->hide();
        connect(chip, &Chip::clicked, this, [this, kind](bool on) {
            m_kind->setCurrentIndex(std::max(0, m_kind->findData(on ? kind : QString())));
            filter();
        });
        row->add(chip);
        m_kindChips.insert(kind, chip);
    }
    return m_kinds;
}

void ConflictsView::showKinds()
{
    const QString chosen = m_kind->currentData().toString();
    const QString among = m_key->text() + u'\n' + m_attribute->text().trimmed();
    if (chosen.isEmpty() && !m_conflicts->busy()) { // else only one kind was read
        m_kindsAmong = among;
        m_kindCounts.clear();
        for (const sql::ConflictRecord &record : m_conflicts->model()->rows()) {
            ++m_kindCounts[record.kind];
        }
        m_moreKinds = m_conflicts->model()->canFetchMore({});
    }
    for (auto it = m_kindChips.cbegin(); it != m_kindChips.cend(); ++it) {
        const int count = m_kindCounts.value(it.key());
        const QString number = models::countText(count) + (m_moreKinds ? u"+"_s : QString());
        it.value()->setText(tr("%1 %2", "kind, number").arg(models::conflictKindMark(it.key()), number));
        it.value()->setToolTip(models::conflictKindLabel(it.key()));
        it.value()->setChecked(it.key() == chosen);
        it.value()->setVisible(count > 0);
    }
    // One kind alone is named by each row; chips are to choose between several.
    m_kinds->setVisible(m_kindCounts.size() > (chosen.isEmpty() ? 1 : 0) && m_kindsAmong == among);
}

void ConflictsView::filter()
{
    m_conflicts->setFilter(m_kind->currentData().toString(), m_key->text(), m_attribute->text().trimmed());
}

QWidget *ConflictsView::buildDetail()
{
    m_name->setObjectName(u"conflictName"_s);
    m_name->setFont(Theme::monospace());
    m_facts->setObjectName(u"conflictFacts"_s);
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_hashes->setObjectName(u"conflictHashes"_s);
    m_hashes->setForegroundRole(QPalette::PlaceholderText);
    setUpCode(m_message, u"conflictMessage"_s, tr("What was recorded"));
    m_message->setMaximumHeight(Theme::scaled(kMostMessage));
    m_compare->setObjectName(u"conflictCompare"_s);
    m_judge->setObjectName(u"conflictJudge"_s);
    m_show->setObjectName(u"conflictShowKey"_s);
    auto *name = barRow({ m_badge });
    name->addWidget(m_name, 1);
    auto *actions = barRow({});
    actions->addStretch(1);
    for (QWidget *button : std::initializer_list<QWidget *> { m_links, m_compare, m_show, m_judge }) {
        actions->addWidget(button, 0, Qt::AlignTop);
    }
    auto *hashes = barRow({});
    hashes->addWidget(m_hashes);
    hashes->addWidget(m_copyHashes);
    hashes->addStretch(1);
    m_detail = new QWidget(this);
    auto *layout = lowerColumn(m_detail);
    layout->addLayout(name);
    layout->addWidget(m_facts);
    layout->addWidget(m_sentence);
    layout->addWidget(m_meaning);
    layout->addLayout(actions);
    layout->addLayout(hashes);
    layout->addWidget(m_hashSentence);
    layout->addWidget(buildRequests(), 1);
    layout->addWidget(m_message);
    return m_detail;
}

/// A list beside it leaves the comparison the whole height; in a narrow window it stands above, and the comparison has
/// the larger part.
void ConflictsView::arrange()
{
    const bool beside = width() >= Theme::scaled(kBesideWidth);
    const Qt::Orientation way = beside ? Qt::Horizontal : Qt::Vertical;
    if (m_arranged && m_split->orientation() == way) {
        return; // where the person moved the border
    }
    m_arranged = true;
    m_split->setOrientation(way);
    m_detail->layout()->setContentsMargins(beside ? 2 * kGrid : 0, beside ? 0 : 2 * kGrid, 0, 0);
    m_table->setColumnHidden(ConflictModel::Table, beside); // what is looked at says it
    const int list = beside ? std::min(Theme::scaled(kListWidth), width() / 2) : m_stack->height() * 2 / 5;
    m_table->setColumnHidden(ConflictModel::Times, beside && list < Theme::scaled(kListWidth)); // and this
    m_split->setSizes({ list, (beside ? width() : m_stack->height()) - list });
}

void ConflictsView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

/// Both requests line by line with what differs marked; where one is not known, a line says why, and the other has the
/// room.
QWidget *ConflictsView::buildRequests()
{
    m_requests->setObjectName(u"conflictRequests"_s);
    auto *texts = new QWidget(m_requests);
    auto *sides = partColumn(texts);
    sides->setSpacing(kGrid);
    const std::tuple<QPlainTextEdit *, QLabel *, QString, QString> both[]
        = { { m_stored, m_storedWhy, u"conflictStored"_s, storedTitle() },
              { m_received, m_receivedWhy, u"conflictReceived"_s, receivedTitle() } };
    for (const auto &[text, why, name, title] : both) {
        setUpCode(text, name, title);
        auto *head = barRow({ strongLabel(title, texts) });
        head->addWidget(why, 1);
        sides->addLayout(head);
        sides->addWidget(text, kTextsFirst);
    }
    m_noRoom = new QWidget(texts);
    sides->addWidget(m_noRoom, 1);
    auto *table = new QTableView(m_requests);
    setUpSmallTable(table,
        { u"conflictDifferences"_s, tr("Stored and received request"), m_differences->sideModel(), {},
            QAbstractItemView::ExtendedSelection });
    CompareView::setUpSides(table);
    m_requests->addWidget(texts);
    m_requests->addWidget(table);
    return m_requests;
}

QString ConflictsView::storedTitle()
{
    return tr("Stored request");
}

QString ConflictsView::receivedTitle()
{
    return tr("Received request");
}

void ConflictsView::wire()
{
    connect(m_kind, &QComboBox::activated, this, &ConflictsView::filter);
    connect(m_key, &QLineEdit::editingFinished, this, &ConflictsView::filter);
    connect(m_attribute, &QLineEdit::editingFinished, this, &ConflictsView::filter);
    connect(m_stop, &QPushButton::clicked, m_conflicts, &models::ConflictController::cancelImport);
    connect(m_notice, &NoticeBar::primaryClicked, m_conflicts, &models::ConflictController::refresh);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else {
            askFiles();
        }
    });
    connect(m_conflicts, &models::ConflictController::changed, this, &ConflictsView::sync);
    connect(m_conflicts, &models::ConflictController::imported, this, &ConflictsView::told);
    connect(
        m_conflicts, &models::ConflictController::importFailed, this, [this](const QString &, const sql::Error &error) {
            m_toldImport = true;
            m_notice->showError(error);
        });
    connect(m_connection, &models::ConnectionController::stateChanged, this, &ConflictsView::sync);
    connect(m_conflicts->model(), &QAbstractItemModel::modelReset, this, [this] {
        m_table->setCurrentIndex(m_table->model()->index(0, 0));
        showConflict();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ConflictsView::showConflict);
    const auto show = [this] {
        const sql::ConflictRecord *record = m_conflicts->model()->row(m_table->currentIndex().row());
        if (record != nullptr && record->key) {
            emit keyWanted(record->target, *record->key);
        }
    };
    connect(m_show, &QPushButton::clicked, this, show);
    connect(m_judge, &QPushButton::clicked, this, [this] {
        const sql::ConflictRecord *record = m_conflicts->model()->row(m_table->currentIndex().row());
        if (record != nullptr && record->key) {
            emit judgeWanted(*record);
        }
    });
    connect(m_table, &QTableView::activated, this, show);
    wireRequests();
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &ConflictsView::sync);
}

void ConflictsView::wireRequests()
{
    const auto takeDatabase = [this] { m_reader->setDatabase(m_connection->database()); };
    connect(m_connection, &models::ConnectionController::databaseChanged, this, takeDatabase);
    takeDatabase();
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &ConflictsView::showConflict);
    connect(m_reader, &models::ConflictRequestReader::changed, this, &ConflictsView::showRequests);
    connect(m_differences, &models::CompareController::changed, this,
        [this] { m_requests->setCurrentIndex(m_differences->comparison() ? Differences : Texts); });
    connect(m_compare, &QPushButton::clicked, this, [this] { emit compareWanted(m_reader->requests().requests); });
    connect(m_copyHashes, &QToolButton::clicked, this, [this] {
        if (const sql::ConflictRecord *record = m_conflicts->model()->row(m_table->currentIndex().row())) {
            QGuiApplication::clipboard()->setText(record->existingHash + u'\n' + record->incomingHash);
        }
    });
}

void ConflictsView::activate()
{
    if (!m_conflicts->loaded() && !m_conflicts->busy()) {
        m_conflicts->refresh();
    }
}

void ConflictsView::askFiles()
{
    QFileDialog *dialog = openFileDialog(this, u"conflictsFiles"_s, tr("Import logs"),
        { tr("Logs (*.csv *.json *.jsonl *.log)"), tr("All files (*)") }, QFileDialog::ExistingFiles);
    dialog->setLabelText(QFileDialog::Accept, tr("Import"));
    connect(dialog, &QFileDialog::filesSelected, this, &ConflictsView::importFiles);
    openDialog(dialog);
}

void ConflictsView::askFolder()
{
    QFileDialog *dialog
        = openFileDialog(this, u"conflictsFolder"_s, tr("Import a folder of logs"), {}, QFileDialog::Directory);
    dialog->setLabelText(QFileDialog::Accept, tr("Import"));
    connect(dialog, &QFileDialog::filesSelected, this, &ConflictsView::importFiles);
    openDialog(dialog);
}

void ConflictsView::askFields()
{
    auto *dialog = new LogFieldsDialog(m_settings->logFields(), this);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_settings->setLogFields(dialog->places());
        takeFields();
    });
    openDialog(dialog);
}

void ConflictsView::takeFields()
{
    // A list that another version wrote, and this one cannot read, is as good as none.
    const auto mapping = models::mappingFrom(m_settings->logFields());
    m_conflicts->setMapping(mapping ? *mapping : models::ApplicationLogMapping());
}

void ConflictsView::importCopied()
{
    const QString text = QGuiApplication::clipboard()->text();
    m_toldImport = text.trimmed().isEmpty();
    if (m_toldImport) {
        m_notice->showNotice(
            NoticeBar::Kind::Info, tr("Nothing is copied."), tr("Copy lines of a log first, then import them here."));
    } else {
        m_conflicts->importText(text);
    }
}

void ConflictsView::importFiles(const QStringList &files)
{
    m_toldImport = false;
    m_conflicts->import(files);
}

void ConflictsView::told(const QString &file, const models::ImportCounts &counts)
{
    m_toldImport = true;
    QStringList unread;
    for (const models::UnreadLine &line : counts.log.unreadKept) {
        unread += tr("Line %1: %2").arg(line.line).arg(models::displayText(line.text, 300));
    }
    QStringList more = models::importInWords(counts);
    if (counts.log.unread > 0) {
        more += tr("%n line(s) were not understood.", nullptr, int(counts.log.unread));
    }
    for (const QString &text : counts.notSearched) {
        more += models::displayText(text, 400);
    }
    m_notice->showNotice(
        counts.log.unread > 0 || !counts.notSearched.isEmpty() ? NoticeBar::Kind::Warning : NoticeBar::Kind::Info,
        tr("%1: %2 line(s); %3 told of a key, %4 of them new.", nullptr,
            int(std::min<qint64>(counts.log.lines, INT_MAX)))
            .arg(models::displayText(QFileInfo(file).fileName(), 80), models::countText(counts.log.lines),
                models::countText(counts.conflicts + counts.replays), models::countText(counts.stored)),
        more.join(u' '), unread.join(u'\n'));
}

void ConflictsView::sync()
{
    const bool importing = m_conflicts->importing();
    if (m_conflicts->error()) {
        m_toldImport = false;
        m_notice->showError(*m_conflicts->error(), tr("Retry"));
    } else if (!m_toldImport && m_conflicts->keptHere()) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("What is imported is kept on this computer."),
            tr("With the console schema in the database, everybody sees it, and services can record conflicts "
               "themselves."));
    } else if (!m_toldImport) {
        m_notice->clear();
    }
    m_progress->setVisible(importing);
    m_stop->setVisible(importing);
    m_import->setEnabled(!importing && m_connection->state() == sql::LinkState::Connected);
    if (importing) {
        const qint64 size = std::max<qint64>(1, m_conflicts->importSize());
        m_progress->setValue(int(1'000 * m_conflicts->importedBytes() / size));
        m_progress->setFormat(
            tr("%1 of %2").arg(models::bytesText(m_conflicts->importedBytes()), models::bytesText(size)));
        m_tick.start();
    } else {
        m_tick.stop();
    }
    EmptyState *empty = m_stack->empty();
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(tr("Keys that came again with another request appear here."));
    } else if (!m_conflicts->loaded()) {
        empty->show(u"conflicts"_s, m_conflicts->error() ? tr("No conflicts to show") : tr("Reading…"),
            m_conflicts->error() ? tr("The message above says why.") : tr("Recorded and imported conflicts are read."));
    } else {
        empty->show(u"conflicts"_s, tr("No conflict is known"),
            tr("Services record them with idemdesk.record_conflict(), on a separate connection or after a ROLLBACK. "
               "Server logs tell of them, too."),
            tr("Import logs…"));
    }
    m_stack->showContent(m_conflicts->model()->rowCount() > 0);
    showKinds();
}

/// What it is about, as far as the list beside it has no room for that.
void ConflictsView::showName(const sql::ConflictRecord *record)
{
    m_badge->setVisible(record != nullptr);
    m_name->setText(record != nullptr && record->key ? models::displayText(*record->key, 400) : QString());
    m_name->setToolTip(m_name->text());
    if (record == nullptr) {
        m_facts->clear();
        return;
    }
    m_badge->setBadge(conflictBadge(record->kind));
    const auto said = [this](int column) {
        return m_table->model()->index(m_table->currentIndex().row(), column).data().toString();
    };
    // Who used it again is asked first, and the list says the rest.
    QStringList facts { record->caller.isEmpty() ? QString() : tr("by %1").arg(said(ConflictModel::By)),
        record->count > 1 ? tr("%n time(s)", nullptr, int(std::min<qint64>(record->count, INT_MAX))) : QString(),
        said(ConflictModel::Scope), said(ConflictModel::Table) };
    facts.removeAll(QString());
    m_facts->setText(facts.join(u" · "_s));
    m_facts->setToolTip(m_facts->text());
}

/// So much of both that they can be told apart; beneath, what the two do not show, and what each was made of.
void ConflictsView::showHashes(const sql::ConflictRecord &record)
{
    const bool both = !record.existingHash.isEmpty() && !record.incomingHash.isEmpty();
    m_hashes->setVisible(both);
    m_copyHashes->setVisible(both);
    QStringList sentences;
    if (both) {
        const models::FingerprintComparison compared
            = models::compareFingerprints(record.existingHash, record.incomingHash);
        const QStringList shown = shortHashes(compared);
        m_hashes->setText(tr("Fingerprints: stored %1, received %2").arg(shown.at(0), shown.at(1)));
        QStringList whole { tr("Stored %1").arg(compared.first), tr("Received %1").arg(compared.second),
            compared.firstKind, compared.secondKind }; // the kinds are for who writes a recipe
        whole.removeDuplicates();
        for (QString &line : whole) {
            line = models::displayText(line, kWholeRecord);
        }
        m_hashes->setToolTip(whole.join(u'\n'));
        const auto a = models::readFingerprint(compared.first);
        const auto b = models::readFingerprint(compared.second);
        if (compared.firstDifference < 0 || compared.sameBytes || (a && b && a->bytes.size() != b->bytes.size())) {
            sentences += models::displayText(compared.sentence, kWholeRecord);
        }
        sentences += madeOf(record, m_connection->targets());
    }
    m_hashSentence->setText(sentences.join(u'\n'));
    m_hashSentence->setVisible(!sentences.isEmpty());
}

void ConflictsView::showRequests()
{
    const sql::ConflictRecord *record = m_conflicts->model()->row(m_table->currentIndex().row());
    const QString received = record != nullptr ? record->incomingPayload : QString();
    const models::ConflictRequests &known = m_reader->requests();
    const models::CaseRequest *stored = known.stored();
    const auto lines = [](const QString &text) { return models::payloadText(text, text.size() <= kParsedChars).lines; };
    const QString notRecorded = tr("The received request was not recorded.");
    m_stored->setPlainText(stored != nullptr ? lines(QString::fromUtf8(stored->payload)) : QString());
    m_received->setPlainText(received.isEmpty() ? QString() : lines(received));
    m_storedWhy->setText(stored != nullptr ? QString() : models::displayText(known.notStored, 600));
    m_receivedWhy->setText(received.isEmpty() ? notRecorded : QString());
    m_stored->setVisible(stored != nullptr);
    m_received->setVisible(!received.isEmpty());
    fitHeight(m_stored);
    fitHeight(m_received);
    m_requests->setVisible(record != nullptr && (record->isReuse() || !received.isEmpty()));
    m_differences->clear();
    const auto refused = std::find_if(known.requests.cbegin(), known.requests.cend(),
        [](const models::CaseRequest &request) { return request.refused; }); // none where only its beginning is known
    if (stored != nullptr && refused != known.requests.cend()) {
        m_differences->setIgnore(stored->ignore);
        m_differences->setSide(0, storedTitle(), stored->payload);
        m_differences->setSide(1, receivedTitle(), refused->payload);
    }
    const bool both = stored != nullptr && refused != known.requests.cend();
    const QString why = both || record == nullptr ? QString()
        : stored == nullptr                       ? known.notStored
        : received.isEmpty()                      ? notRecorded
                                                  : tr("Only the beginning of the received request was recorded.");
    m_compare->setEnabled(both);
    m_compare->setToolTip(why.isEmpty() ? QString() : tr("There is nothing to compare. %1").arg(why));
}

void ConflictsView::showConflict()
{
    const sql::ConflictRecord *found = m_conflicts->model()->row(m_table->currentIndex().row());
    const sql::ConflictRecord record = found != nullptr ? *found : sql::ConflictRecord();
    m_sentence->setText(found != nullptr ? models::conflictSentence(record) : QString());
    m_meaning->setText(found != nullptr ? models::conflictMeaning(record) : QString());
    m_meaning->setVisible(!m_meaning->text().isEmpty());
    showName(found);
    showHashes(record);
    if (found != nullptr) {
        m_reader->read(record, m_connection->targets());
    } else {
        m_reader->clear();
    }
    QStringList lines;
    for (const QString &text : { record.message, models::conflictAttributes(record), record.detail,
             record.file.isEmpty() ? QString() : tr("From the log %1").arg(record.file) }) {
        if (!text.isEmpty()) {
            lines += models::displayText(text, kWholeRecord);
        }
    }
    m_message->setPlainText(lines.join(u'\n'));
    m_message->setVisible(!lines.isEmpty());
    m_links->setLinks(linksOf(record, m_connection->targets()));
    for (QPushButton *button : { m_show, m_judge }) {
        button->setEnabled(record.key.has_value());
        button->setToolTip(record.key ? QString() : tr("The log does not name the key."));
    }
}

} // namespace idemdesk::ui
