// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/provider/statement_view.h"

#include "models/actions/action_center.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/provider/evidence_controller.h"
#include "models/provider/statement_controller.h"
#include "models/provider/statement_words.h"
#include "ui/delegates/state_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/dialogs/evidence_dialog.h"
#include "ui/pages/conflicts/mark_delegate.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/rights_notice.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/text_view.h"

#include <QFileInfo>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QTextDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

using models::FindingList;
using models::StatementFindingKind;

constexpr int kLeastKey = 150; // pixels
constexpr int kUsualKey = 220;
constexpr int kLinesWidth = 84;
constexpr int kBesideRows = 16; // the frame and the scroll bar
constexpr int kUuidChars = 36;
constexpr int kNotesChars = 400;
constexpr qsizetype kMostNotes = 6; // the rest stands in the tooltip
constexpr int kFileChars = 80;
constexpr int kMostShownLines = 4; // of a statement at once; the rest scrolls

/// What costs somebody money is marked so; what only needs a look is not.
Badge badgeOfKind(StatementFindingKind kind)
{
    Badge badge;
    switch (kind) {
    case StatementFindingKind::Twice:
        badge.state = sql::KeyState::FailedFinal;
        badge.stale = true; // the triangle of what needs somebody
        badge.tone = Token::Danger;
        break;
    case StatementFindingKind::Happened: // a retry may charge again
    case StatementFindingKind::AmountDiffers:
    case StatementFindingKind::CurrencyDiffers:
    case StatementFindingKind::OnlyProvider:
    case StatementFindingKind::Contradictory:
        badge.state = sql::KeyState::FailedFinal;
        badge.tone = Token::Danger;
        break;
    case StatementFindingKind::DidNotHappen:
    case StatementFindingKind::NotInStatement:
        badge.state = sql::KeyState::Pending;
        badge.tone = Token::Warning;
        break;
    case StatementFindingKind::SeveralHere:
        badge.state = sql::KeyState::Unknown;
        break;
    }
    return badge;
}

Badge findingBadge(const QModelIndex &index)
{
    return badgeOfKind(static_cast<StatementFindingKind>(index.data(models::KindRole).toInt()));
}

int countOf(qint64 count)
{
    return int(std::min<qint64>(count, INT_MAX));
}

} // namespace

StatementView::StatementView(models::ConnectionController *connection, const Controllers &controllers,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_controllers(controllers)
    , m_strip(nullptr)
    , m_progress(elidedLabel(this))
    , m_busy(new BusyBar(u"statementBusy"_s, tr("Comparing the statement"), this))
    , m_cancel(new QPushButton(tr("&Cancel"), this))
    , m_notice(new NoticeBar(this))
    , m_rights(new RightsNotice(controllers.actions, connection, u"statementRights"_s, this))
    , m_summary(strongLabel({}, this))
    , m_notes(readableLabel(u"statementNotes"_s, this))
    , m_title(nullptr)
    , m_head(nullptr)
    , m_export(new QPushButton(tr("E&xport…"), this))
    , m_record(new QPushButton(tr("&Record as evidence…"), this))
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_table(new QTableView(this))
    , m_what(readableLabel(u"statementWhat"_s, this))
    , m_line(new QPlainTextEdit(this))
    , m_show(new QPushButton(tr("Open &key"), this))
{
    setObjectName(u"statementView"_s);
    m_notice->setObjectName(u"statementNotice"_s);
    m_summary->setObjectName(u"statementSummary"_s);
    m_summary->setWordWrap(true);
    setUpList(settings);
    splitInTwo(m_split, m_table, buildDetail(), 1, 0);
    m_stack->setContent(m_split);
    m_strip = buildStrip();
    m_title = buildTitle();
    m_head = buildHead();
    auto *layout = tabColumn(this);
    layout->addWidget(m_notice);
    layout->addWidget(m_title);
    layout->addWidget(m_notes);
    layout->addWidget(m_head);
    layout->addWidget(m_rights);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_strip);
    wire();
    sync();
}

void StatementView::setUpList(models::Settings *settings)
{
    setUpTable(m_table,
        { u"findingsTable"_s, tr("What differs between the statement and the keys"), m_controllers.statement->list(),
            { 212, kUsualKey, kUsualKey, 104, 104, 116, kLinesWidth } },
        settings);
    setTwoLines(m_table, settings);
    m_table->setItemDelegateForColumn(FindingList::Finding, new MarkDelegate(&findingBadge, m_table));
    for (const int column : { FindingList::Reference, FindingList::Key }) {
        m_table->setItemDelegateForColumn(column, new TwoLineDelegate(TwoLineDelegate::First::Key, m_table));
    }
    m_table->setItemDelegateForColumn(FindingList::State, new StateDelegate(m_table));
    fitToListedBadges(m_table, FindingList::State);
    QStringList kinds;
    for (const StatementFindingKind kind : sql::kAllOf<StatementFindingKind>) {
        kinds += models::findingKindText(kind);
    }
    fitToBadges(m_table, FindingList::Finding, kinds);
    m_table->setColumnHidden(FindingList::What, true); // it stands whole beneath, for the selected row
    shareRoom(m_table, { FindingList::Reference, FindingList::Key }, kLeastKey);
}

QWidget *StatementView::buildStrip()
{
    m_progress->setObjectName(u"statementProgress"_s);
    m_cancel->setObjectName(u"statementCancel"_s);
    auto *strip = new QWidget(this);
    auto *layout = partColumn(strip);
    layout->addWidget(m_busy);
    auto *row = barRow({ m_progress, m_cancel });
    row->setStretchFactor(m_progress, 1);
    layout->addLayout(row);
    return strip;
}

ChipRow *StatementView::buildHead()
{
    auto *head = new ChipRow(u"statementKinds"_s, this);
    for (const StatementFindingKind kind : sql::kAllOf<StatementFindingKind>) {
        auto *chip = new Chip(u"finding_"_s + models::findingKindName(kind), head);
        chip->setMark(badgeOfKind(kind));
        m_chips.append({ kind, chip });
        head->add(chip);
        connect(chip, &QToolButton::toggled, this, &StatementView::chooseKinds);
    }
    return head;
}

QWidget *StatementView::buildTitle()
{
    m_export->setObjectName(u"statementExport"_s);
    m_export->setToolTip(tr("Writes every finding to a file"));
    m_record->setObjectName(u"statementRecord"_s);
    auto *title = new QWidget(this);
    auto *row = barRow({ m_summary, m_export, m_record }, title);
    row->setStretchFactor(m_summary, 1);
    return title;
}

QWidget *StatementView::buildDetail()
{
    setUpCode(m_line, u"statementLine"_s, tr("The line of the statement"));
    m_line->setReadOnly(true);
    m_line->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_show->setObjectName(u"statementShow"_s);
    auto *detail = new QWidget(this);
    auto *layout = lowerColumn(detail);
    auto *row = barRow({ m_what, m_show });
    row->setStretchFactor(m_what, 1);
    layout->addLayout(row);
    layout->addWidget(m_line);
    return detail;
}

/// Where the room is narrow, what tells one reference from another has it: the numbers of a finding's lines stand
/// beneath, too.
void StatementView::fitColumns()
{
    int others = Theme::scaled(kLinesWidth) + kBesideRows;
    for (const int column : { FindingList::Finding, FindingList::Statement, FindingList::Here, FindingList::State }) {
        others += m_table->columnWidth(column);
    }
    const int whole = QFontMetrics(Theme::monospace()).horizontalAdvance(QString(kUuidChars, u'0')) + 2 * kCellPadding;
    const int needed = m_controllers.statement->list()->keyIsReference() ? whole : 2 * Theme::scaled(kUsualKey);
    m_table->setColumnHidden(FindingList::Lines, width() - others < needed);
}

void StatementView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

/// As high as its lines, so that both lines of a double charge are seen.
void StatementView::fitLine()
{
    const QFontMetrics metrics(m_line->font());
    const int wide = std::max(1, m_line->viewport()->width() - 4 * kGrid);
    int lines = 0;
    const QString text = m_line->toPlainText();
    for (const QString &line : text.split(u'\n')) {
        lines += 1 + metrics.horizontalAdvance(line.left(kNotesChars)) / wide;
    }
    m_line->setFixedHeight(std::clamp(lines, 1, kMostShownLines) * metrics.lineSpacing()
        + 2 * int(m_line->document()->documentMargin()) + 2 * m_line->frameWidth() + kGrid);
}

void StatementView::wire()
{
    connect(m_cancel, &QPushButton::clicked, m_controllers.statement, &models::StatementController::cancel);
    connect(m_export, &QPushButton::clicked, this, &StatementView::askExport);
    connect(m_record, &QPushButton::clicked, this, &StatementView::askRecord);
    connect(m_show, &QPushButton::clicked, this, &StatementView::showKey);
    connect(m_table, &QTableView::activated, this, &StatementView::showKey);
    connect(m_rights, &RightsNotice::installClicked, this, &StatementView::installClicked);
    connect(m_rights, &RightsNotice::registerClicked, this, &StatementView::registerClicked);
    connect(m_notice, &NoticeBar::primaryClicked, m_controllers.statement, &models::StatementController::compareAgain);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this,
        [this] { m_connection->database() == nullptr ? emit connectClicked() : emit importClicked(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &StatementView::syncRow);
    connect(m_controllers.statement->list(), &QAbstractItemModel::modelReset, this, [this] {
        m_table->setCurrentIndex(m_table->model()->index(0, 0));
        syncRow();
    });
    connect(m_controllers.statement, &models::StatementController::changed, this, [this] {
        m_exportError.reset();
        m_exported.clear();
        sync();
    });
    connect(m_controllers.statement, &models::StatementController::progress, this,
        [this] { m_progress->setText(m_controllers.statement->progressText()); });
    connect(m_controllers.statement, &models::StatementController::written, this, [this](const QString &path) {
        m_exported = path;
        m_exportError.reset();
        sync();
    });
    connect(m_controllers.statement, &models::StatementController::writeFailed, this, [this](const sql::Error &error) {
        m_exportError = error;
        sync();
    });
    connect(m_controllers.evidence, &models::EvidenceController::changed, this, &StatementView::sync);
    connect(m_controllers.actions, &models::ActionCenter::changed, this, &StatementView::sync);
    connect(m_controllers.actions, &models::ActionCenter::allowanceChanged, this, &StatementView::sync);
}

void StatementView::setTarget(const QString &target)
{
    m_target = target;
    sync();
}

void StatementView::suggest(const QString &path)
{
    m_suggested = path;
    sync();
}

void StatementView::setTimeFormat(const models::TimeFormat &format)
{
    m_controllers.statement->list()->setTimeFormat(format);
    sync();
}

QDialog *StatementView::dialog() const
{
    return m_dialog;
}

void StatementView::chooseKinds()
{
    QList<StatementFindingKind> kinds;
    for (const auto &[kind, chip] : std::as_const(m_chips)) {
        kinds += chip->isChecked() ? QList { kind } : QList<StatementFindingKind>();
    }
    m_controllers.statement->list()->showOnly(kinds);
    m_stack->showContent(m_table->model()->rowCount() > 0);
}

void StatementView::showKey()
{
    const models::StatementFinding *finding = m_controllers.statement->list()->row(m_table->currentIndex().row());
    if (finding != nullptr && finding->here) {
        emit keyWanted(finding->here->key);
    }
}

void StatementView::askExport()
{
    QFileDialog *dialog = saveFileDialog(this, u"statementExportDialog"_s, tr("Export every finding"),
        u"findings.csv"_s, { tr("Comma-separated values (*.csv)"), tr("JSON Lines (*.jsonl)") });
    dialog->setLabelText(QFileDialog::Accept, tr("Export"));
    connect(dialog, &QFileDialog::fileSelected, m_controllers.statement, &models::StatementController::write);
    openDialog(dialog);
}

void StatementView::askRecord()
{
    const auto &result = m_controllers.statement->result();
    const models::TargetEntry *entry = m_connection->target(m_target);
    if (!result || entry == nullptr || m_dialog != nullptr || !whyNotRecord().isEmpty()) {
        return;
    }
    m_dialog = new EvidenceDialog(*result,
        { models::targetLabel(entry->target.profile), m_connection->facts().user, m_connection->title(),
            m_connection->settings().environment },
        this);
    connect(m_dialog, &QDialog::accepted, this, &StatementView::record);
    openDialog(m_dialog);
}

void StatementView::record()
{
    const models::TargetEntry *entry = m_connection->target(m_target);
    if (m_dialog != nullptr && entry != nullptr && entry->registration) {
        m_controllers.evidence->record(
            m_controllers.statement->result(), entry->registration->name, m_dialog->reason());
    }
}

void StatementView::sync()
{
    const auto &statement = *m_controllers.statement;
    const bool busy = statement.busy() || m_controllers.evidence->busy();
    m_strip->setVisible(busy);
    m_cancel->setVisible(statement.busy()); // what is recorded stays, and is whole once it has ended
    m_progress->setText(statement.busy() ? statement.progressText() : tr("Recording what was found as evidence."));
    const models::TargetEntry *entry = m_connection->target(m_target);
    m_whyNot.clear();
    if (entry != nullptr && statement.result()) {
        m_whyNot = m_rights->sync(*entry, tr("What was found can be exported, and not recorded here."));
    } else {
        m_rights->clear();
    }
    syncNotice();
    syncSummary();
    syncChips();
    syncRecord();
    m_stack->showContent(statement.list()->rowCount() > 0);
    m_table->setColumnHidden(FindingList::Key, statement.list()->keyIsReference());
    fitColumns();
    syncEmpty();
    syncRow();
}

void StatementView::syncNotice()
{
    const auto &statement = *m_controllers.statement;
    const auto recorded = m_controllers.evidence->recorded(statement.result());
    if (statement.error()) {
        m_notice->showError(*statement.error(), statement.question() ? tr("Try again") : QString());
    } else if (m_controllers.evidence->error()) {
        m_notice->showError(*m_controllers.evidence->error());
    } else if (m_exportError) {
        m_notice->showError(*m_exportError);
    } else if (!m_exported.isEmpty()) {
        m_notice->showNotice(
            NoticeBar::Kind::Good, tr("Every finding is in %1.").arg(models::displayText(m_exported, kFileChars)));
    } else if (recorded) {
        showRecorded(*recorded);
    } else {
        m_notice->clear();
    }
}

/// What was left out is said with what was recorded: the numbers on the page shall add up.
void StatementView::showRecorded(qint64 recorded)
{
    const auto &counts = m_controllers.statement->result()->answer.counts;
    const qint64 all = counts.all();
    const qint64 onlyHere = counts.of(StatementFindingKind::NotInStatement);
    const qint64 several = counts.of(StatementFindingKind::SeveralHere);
    QStringList why;
    if (onlyHere > 0 && recorded + several < all) {
        why += tr("%Ln “Only here” not recorded: the statement is not marked complete.", nullptr, countOf(onlyHere));
    }
    if (several > 0) {
        why += tr("“Several rows here” cannot be recorded: none of the rows is meant.");
    }
    const QString done = recorded < all
        ? tr("%1 of %2 recorded as evidence.", "36, 46 findings")
              .arg(models::countText(recorded), tr("%Ln finding(s)", nullptr, countOf(all)))
        : tr("%Ln finding(s) recorded as evidence.", nullptr, countOf(recorded));
    m_notice->showNotice(NoticeBar::Kind::Good,
        tr("%1 Recovery shows it beside each key.", "what was recorded").arg(done), why.join(u' '));
}

void StatementView::syncSummary()
{
    const auto &result = m_controllers.statement->result();
    for (QWidget *part : std::initializer_list<QWidget *> { m_title, m_head }) {
        part->setVisible(result != nullptr);
    }
    m_notes->setVisible(false);
    if (!result) {
        return;
    }
    const models::StatementComparison &answer = result->answer;
    m_summary->setText(tr("%1: %2", "file, lines")
                           .arg(models::displayText(result->facts.name, kFileChars),
                               QStringList { tr("%Ln line(s)", nullptr, countOf(result->facts.lines)),
                                   tr("%Ln agree", "requests, with their keys", countOf(answer.counts.matched)),
                                   tr("%Ln finding(s)", nullptr, countOf(answer.counts.all())) }
                                   .join(u" · "_s)));
    const models::TimeFormat &format = m_controllers.statement->list()->timeFormat();
    const QString covers = answer.span.known()
        ? tr("It covers %1 to %2.").arg(format.text(*answer.span.from), format.text(*answer.span.to))
        : tr("What time it covers is not known, so nothing is called “only here”.");
    const QStringList notes = models::statementNotes(result->facts, answer);
    QStringList shown { covers };
    const QStringList news = notes.mid(result->facts.map.empty() ? 0 : 1); // how it is read the person has just said
    for (const QString &note : news.mid(0, kMostNotes)) {
        shown += models::displayText(note, kNotesChars);
    }
    if (news.size() > kMostNotes) {
        shown += tr("and %Ln more", nullptr, int(news.size() - kMostNotes));
    }
    const QStringList whole = QStringList { tr("Provider: %1").arg(models::displayText(result->provider, kFileChars)),
        tr("SHA-256 %1").arg(result->facts.sha) }
        + notes;
    for (QWidget *part : std::initializer_list<QWidget *> { m_summary, m_notes }) {
        part->setToolTip(models::displayBlock(whole.join(u'\n').left(models::kToolTipChars)));
    }
    m_notes->setText(shown.join(u' '));
    m_notes->setVisible(true);
}

void StatementView::syncChips()
{
    const auto &result = m_controllers.statement->result();
    for (const auto &[kind, chip] : std::as_const(m_chips)) {
        const bool unknown = result && kind == StatementFindingKind::NotInStatement && !result->answer.span.known();
        const qint64 count = result ? result->answer.counts.of(kind) : 0;
        chip->setText(models::findingKindText(kind) + u' ' + (unknown ? u"?"_s : models::countText(count)));
        m_head->offer(chip, count > 0 || unknown);
        chip->setEnabled(count > 0);
        chip->setToolTip(unknown ? result->answer.span.whyNot
                : count > models::kKeptOfKind
                ? tr("The first %1 are listed; the export has all.").arg(models::countText(models::kKeptOfKind))
                : QString());
        if (count == 0) {
            const QSignalBlocker quiet(chip);
            chip->setChecked(false);
        }
    }
}

QString StatementView::whyNotRecord() const
{
    const auto &result = m_controllers.statement->result();
    const models::TargetEntry *entry = m_connection->target(m_target);
    if (!result || entry == nullptr || m_controllers.statement->busy()) {
        return tr("Compare a statement first.");
    }
    if (!m_whyNot.isEmpty()) {
        return m_whyNot;
    }
    if (!entry->registration) {
        return tr("This table is not registered in the database.");
    }
    if (m_controllers.evidence->busy()) {
        return tr("It is being recorded.");
    }
    if (m_controllers.evidence->recorded(result)) {
        return tr("It is recorded already.");
    }
    return models::EvidenceController::recordable(*result, true) == 0 ? tr("Nothing was found that could be recorded.")
                                                                      : QString();
}

void StatementView::syncRecord()
{
    const auto &result = m_controllers.statement->result();
    const QString why = whyNotRecord();
    m_record->setEnabled(why.isEmpty());
    m_record->setToolTip(why.isEmpty() ? tr("Keeps what was found in the database, under your login") : why);
    m_record->setAccessibleDescription(why);
    m_export->setEnabled(result && result->all->size() > 0);
}

void StatementView::syncEmpty()
{
    EmptyState *empty = m_stack->empty();
    const auto &statement = *m_controllers.statement;
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(tr("What a provider's statement says of the keys appears here."));
    } else if (m_target.isEmpty()) {
        empty->show(u"provider"_s, tr("No table has a provider"),
            tr("The key “provider” of a profile says where a row has the reference, and how far the request got."));
    } else if (statement.busy()) {
        empty->show(u"provider"_s, tr("Comparing"),
            tr("The file is read and compared in the background. You can go on elsewhere meanwhile."));
    } else if (!statement.result()) {
        empty->show(u"provider"_s, tr("No statement yet"),
            m_suggested.isEmpty()
                ? tr("A provider's file, CSV or JSON Lines, is compared with the keys. It shows double charges, and "
                     "what only one side knows.")
                : tr("Compare a provider's file with the keys: double charges, and what only one side knows."),
            m_suggested.isEmpty()
                ? tr("Import a statement…")
                : tr("Try %1").arg(models::displayText(QFileInfo(m_suggested).fileName(), kFileChars)));
        empty->accent();
    } else if (statement.result()->answer.complete) {
        empty->show(
            u"done"_s, tr("The statement and the keys agree"), tr("Every line and every key of its time agree."));
    } else {
        empty->show(u"provider"_s, tr("Nothing differs so far"),
            tr("Not everything could be compared; the lines above say what."));
    }
}

void StatementView::syncRow()
{
    const models::StatementFinding *finding = m_controllers.statement->list()->row(m_table->currentIndex().row());
    m_show->setEnabled(finding != nullptr && finding->here.has_value());
    m_what->setText(finding != nullptr ? models::displayText(finding->detail, kNotesChars) : QString());
    const QString lines = finding == nullptr ? QString()
        : finding->allLines.isEmpty()        ? finding->text
                                             : finding->allLines;
    m_line->setPlainText(models::displayBlock(lines));
    m_line->setVisible(!lines.isEmpty());
    fitLine();
}

} // namespace idemdesk::ui
