// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/audit/trail_view.h"

#include "models/audit/audit_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/json/json_tree_model.h"
#include "models/settings.h"
#include "ui/delegates/record_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/pages/audit/fact_grid.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"

#include <QComboBox>
#include <QDateTimeEdit>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QTreeView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::AuditModel;

namespace {

constexpr int kAnyTime = 0;
constexpr int kBetweenParts = -1;
constexpr int kHashChars = 16; // tell one row from the next; a file of the export has the whole
constexpr int kDigestChars = 64;

/// What a row of the audit log calls its facts, in words.
QString factTitle(const QString &name)
{
    static const QMap<QString, const char *> titles {
        { u"said"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Digest of the batch") },
        { u"standing"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Digest of the action") },
        { u"state"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "State") },
        { u"counts"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "This batch") },
        { u"totals"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "So far") },
        { u"reason"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Reason") },
        { u"ticket"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Ticket") },
        { u"note"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Note") },
        { u"verb"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Action") },
        { u"rows"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Rows") },
        { u"plan"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Plan") },
        { u"cutoff"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Cutoff") },
        { u"states"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "States") },
        { u"scopes"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Scopes") },
        { u"images"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Rows are kept") },
        { u"expected"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Rows expected") },
        { u"partition"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Partition") },
        { u"login"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Login") },
        { u"done"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Done") },
        { u"purged"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Purged") },
        { u"undo_of"_s, QT_TRANSLATE_NOOP("idemdesk::ui::TrailView", "Undo of") },
    };
    const char *title = titles.value(name);
    return title != nullptr ? TrailView::tr(title) : name;
}

/// A number of rows, which is read by its thousands; a process or a version is not.
bool isCount(const QModelIndex &value)
{
    const auto name
        = [](const QModelIndex &index) { return index.siblingAtColumn(models::JsonTreeModel::Name).data().toString(); };
    const QString of = value.parent().isValid() ? name(value.parent()) : QString();
    const QString own = name(value);
    bool whole = false;
    value.data().toString().toLongLong(&whole);
    return whole && (of == u"counts" || of == u"totals" || own == u"rows" || own == u"expected");
}

/// Facts under their titles; a value wraps, and of a digest its beginning stands there, as of the row's hashes.
class FactDelegate final : public CompactDelegate
{
public:
    explicit FactDelegate(QTreeView *tree)
        : CompactDelegate(tree)
        , m_tree(tree)
    {
    }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QSize one = CompactDelegate::sizeHint(option, index);
        if (index.column() != models::JsonTreeModel::Value) {
            return one;
        }
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const int width = m_tree->columnWidth(index.column()) - 2 * kCellPadding;
        const QRect needed
            = cell.fontMetrics.boundingRect(QRect(0, 0, std::max(width, 1), 10'000), Qt::TextWordWrap, cell.text);
        return { one.width(), std::max(one.height(), needed.height() + kGrid) };
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        CompactDelegate::initStyleOption(option, index);
        const bool lines = option->rect.height() > 2 * option->fontMetrics.height();
        option->displayAlignment = Qt::AlignLeft | (lines ? Qt::AlignTop : Qt::AlignVCenter); // as its sign
        if (index.column() == models::JsonTreeModel::Name) {
            option->text = factTitle(option->text);
            return;
        }
        option->features |= QStyleOptionViewItem::WrapText;
        if (index.model()->hasChildren(index.siblingAtColumn(models::JsonTreeModel::Name))) {
            option->text.clear(); // what it holds stands beneath
            return;
        }
        if (isCount(index)) {
            option->text = models::countText(option->text.toLongLong());
        } else if (option->text.size() == kDigestChars + 2 && !option->text.contains(u' ')) { // in its quotes
            option->text = option->text.mid(1, kHashChars) + u'…';
        } else if (option->text.size() > 1 && option->text.startsWith(u'"') && option->text.endsWith(u'"')) {
            option->text = option->text.sliced(1, option->text.size() - 2); // a fact, and no JSON
        }
    }

private:
    QTreeView *m_tree;
};

/// A row that stands for those folded behind it: muted, over all columns, so that no gap in the numbers looks like rows
/// that are missing.
class FoldedDelegate final : public CellDelegate
{
public:
    FoldedDelegate(const QMap<int, QString> *texts, QObject *parent)
        : CellDelegate(parent)
        , m_texts(texts)
    {
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        CellDelegate::initStyleOption(option, index);
        option->text = m_texts->value(index.row());
        option->displayAlignment = Qt::AlignLeft | Qt::AlignVCenter;
        option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
        option->palette.setColor(QPalette::HighlightedText, themeColor(Token::Text));
    }

private:
    const QMap<int, QString> *m_texts;
};

} // namespace

TrailView::TrailView(models::AuditController *audit, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_audit(audit)
    , m_text(new QLineEdit(this))
    , m_person(new QLineEdit(this))
    , m_target(new QLineEdit(this))
    , m_what(new QComboBox(this))
    , m_when(new QComboBox(this))
    , m_from(new QDateTimeEdit(this))
    , m_to(new QDateTimeEdit(this))
    , m_verify(new QPushButton(tr("Verify"), this))
    , m_export(new QPushButton(themedIcon(u"export"_s), tr("Export…"), this))
    , m_verdict(new NoticeBar(this))
    , m_narrowed(new NoticeBar(this))
    , m_table(new QTableView(this))
    , m_detail(new QWidget(this))
    , m_facts(new FactGrid(u"auditRowFacts"_s, tr("Who added the row, when and for what"), this))
    , m_json(new models::JsonTreeModel(this))
    , m_tree(new QTreeView(this))
    , m_rows(new QPushButton(tr("Show rows…"), this))
    , m_batches(new QPushButton(this))
    , m_only(new QPushButton(tr("Only this action"), this))
{
    setObjectName(u"trailView"_s);
    m_verdict->setObjectName(u"auditVerdict"_s);
    m_narrowed->setObjectName(u"auditNarrowed"_s);
    setUpTable(m_table, { u"auditTrail"_s, tr("Audit log"), audit->model(), { 60, 172, 104, 230, 140, 68, 160, 90 } },
        settings);
    setTwoLines(m_table, settings);
    for (const int column : { AuditModel::Who, AuditModel::Target, AuditModel::Address }) {
        m_table->setColumnHidden(column, true); // muted beneath the time and what was done; the detail says it, too
    }
    m_foldedDelegate = new FoldedDelegate(&m_folded, m_table);
    m_table->setWordWrap(true); // facts take both lines
    for (const int column : { AuditModel::At, AuditModel::What, AuditModel::Facts }) {
        m_table->setItemDelegateForColumn(column, new TwoLineDelegate(TwoLineDelegate::First::Text, m_table));
    }
    auto *halves = new QSplitter(Qt::Horizontal, this);
    splitInTwo(halves, m_table, buildDetail(), 5, 2);
    auto *layout = tabColumn(this);
    layout->addWidget(buildFilters());
    layout->addWidget(m_verdict);
    layout->addWidget(m_narrowed);
    layout->addWidget(halves, 1);
    connect(m_verify, &QPushButton::clicked, m_audit, &models::AuditController::verify);
    connect(m_export, &QPushButton::clicked, this, &TrailView::askExport);
    connect(m_verdict, &NoticeBar::primaryClicked, this, &TrailView::askAccept);
    connect(m_narrowed, &NoticeBar::primaryClicked, this, &TrailView::clearFilter);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TrailView::showRow);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        if (m_folded.contains(index.row())) {
            unfold();
        } else if (m_rows->isEnabled()) {
            emit rowsWanted(current()->action);
        }
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (m_folded.contains(index.row())) {
            unfold();
        }
    });
    connect(
        m_rows, &QPushButton::clicked, this, [this] { emit rowsWanted(current() ? current()->action : QString()); });
    connect(m_only, &QPushButton::clicked, this, [this] {
        m_action = current() ? current()->action : QString();
        applyFilter();
    });
    connect(m_batches, &QPushButton::clicked, this, &TrailView::unfold);
    connect(m_audit->model(), &QAbstractItemModel::rowsInserted, this, &TrailView::fold);
    connect(m_audit->model(), &QAbstractItemModel::modelReset, this, [this] {
        fold();
        if (m_audit->model()->rowCount() > 0) {
            m_table->setCurrentIndex(m_audit->model()->index(0, 0));
        }
        showRow();
    });
    sync();
    showRow();
}

QWidget *TrailView::buildFilters()
{
    auto *bar = new QWidget(this);
    const auto line = [this](QLineEdit *edit, const QString &name, const QString &label, int width) {
        edit->setObjectName(name);
        edit->setPlaceholderText(label);
        edit->setAccessibleName(label);
        edit->setToolTip(tr("%1; Enter reads the rows").arg(label));
        edit->setClearButtonEnabled(true);
        edit->setMaximumWidth(width);
        connect(edit, &QLineEdit::returnPressed, this, &TrailView::applyFilter);
    };
    line(m_text, u"auditText"_s, tr("Reason, ticket or note"), QWIDGETSIZE_MAX);
    line(m_person, u"auditPerson"_s, tr("Login"), 130);
    line(m_target, u"auditTarget"_s, tr("Table"), 150);
    m_what->setObjectName(u"auditWhat"_s);
    m_what->setAccessibleName(tr("Kind of row"));
    m_what->addItem(tr("All events"), QString());
    for (const QString &what : models::auditWhats()) {
        m_what->addItem(models::auditWhatLabel(what), what);
    }
    m_when->setObjectName(u"auditWhen"_s);
    m_when->setAccessibleName(tr("Time"));
    m_when->addItem(tr("Any time"), kAnyTime);
    m_when->addItem(tr("Last hour"), 3'600);
    m_when->addItem(tr("Last 24 hours"), 86'400);
    m_when->addItem(tr("Last 7 days"), 7 * 86'400);
    m_when->addItem(tr("Last 30 days"), 30 * 86'400);
    m_when->addItem(tr("Between…"), kBetweenParts);
    const QDateTime now = QDateTime::currentDateTimeUtc().toTimeZone(m_audit->model()->timeFormat().zone());
    for (const auto &[edit, name, label, days] :
        { std::tuple { m_from, u"auditFrom"_s, tr("From"), -1 }, std::tuple { m_to, u"auditTo"_s, tr("Until"), 0 } }) {
        edit->setObjectName(name);
        edit->setAccessibleName(label);
        edit->setToolTip(tr("%1, in the time zone of the window").arg(label));
        edit->setDisplayFormat(u"yyyy-MM-dd HH:mm"_s);
        edit->setDateTime(QDateTime(now.date(), now.time()).addDays(days));
        edit->hide();
        connect(edit, &QDateTimeEdit::editingFinished, this, &TrailView::applyFilter);
    }
    connect(m_what, &QComboBox::activated, this, &TrailView::applyFilter);
    connect(m_when, &QComboBox::activated, this, [this] {
        const bool between = m_when->currentData().toInt() == kBetweenParts;
        m_from->setVisible(between);
        m_to->setVisible(between);
        applyFilter();
    });
    m_verify->setObjectName(u"auditVerify"_s);
    m_export->setObjectName(u"auditExport"_s);
    auto *row = barRow({}, bar);
    row->addWidget(m_text, 1);
    for (QWidget *widget :
        std::initializer_list<QWidget *> { m_person, m_target, m_what, m_when, m_from, m_to, m_export, m_verify }) {
        row->addWidget(widget);
    }
    return bar;
}

QWidget *TrailView::buildDetail()
{
    setUpValueTree(m_tree, { u"auditRowTree"_s, tr("Facts of the row"), m_json, {} });
    m_tree->header()->setSectionResizeMode(models::JsonTreeModel::Name, QHeaderView::ResizeToContents);
    m_tree->setUniformRowHeights(false); // a reason takes the lines that it needs
    m_tree->setItemDelegate(new FactDelegate(m_tree));
    connect(m_tree->header(), &QHeaderView::sectionResized, m_tree, [this] { m_tree->doItemsLayout(); });
    m_rows->setObjectName(u"auditRowRows"_s);
    m_rows->setToolTip(tr("Each row of the action, before and after"));
    m_only->setObjectName(u"auditRowOnly"_s);
    auto *foot = new QHBoxLayout;
    m_batches->setObjectName(u"auditRowBatches"_s);
    foot->addStretch(1);
    foot->addWidget(m_batches);
    foot->addWidget(m_only);
    foot->addWidget(m_rows);
    auto *layout = partColumn(m_detail);
    layout->setContentsMargins(2 * kGrid, 0, 0, 0);
    layout->addWidget(m_facts);
    layout->addWidget(m_tree, 1);
    layout->addLayout(foot);
    return m_detail;
}

std::optional<sql::AuditRow> TrailView::current() const
{
    const int row = m_table->currentIndex().row();
    const auto &rows = m_audit->model()->rows();
    return row >= 0 && row < rows.size() ? std::optional(rows.at(row)) : std::nullopt;
}

void TrailView::applyFilter()
{
    std::decay_t<decltype(m_audit->filter())> wanted;
    wanted.text = m_text->text().trimmed();
    wanted.person = m_person->text().trimmed();
    wanted.target = m_audit->model()->titles().nameFor(m_target->text().trimmed());
    wanted.what = m_what->currentData().toString();
    wanted.action = m_action;
    const int when = m_when->currentData().toInt();
    if (when == kBetweenParts) {
        const QTimeZone zone = m_audit->model()->timeFormat().zone();
        wanted.since = sql::Timestamp::fromDateTime(QDateTime(m_from->date(), m_from->time(), zone));
        wanted.until = sql::Timestamp::fromDateTime(QDateTime(m_to->date(), m_to->time(), zone));
    } else {
        wanted.withinSeconds = when;
    }
    m_audit->setFilter(wanted);
}

void TrailView::clearFilter()
{
    for (QLineEdit *edit : { m_text, m_person, m_target }) {
        edit->clear();
    }
    m_what->setCurrentIndex(0);
    m_when->setCurrentIndex(0);
    m_from->hide();
    m_to->hide();
    m_action.clear();
    applyFilter();
}

void TrailView::sync()
{
    m_verify->setEnabled(!m_audit->verifying());
    m_export->setEnabled(m_audit->loaded() && !m_audit->exporting());
    const auto &check = m_audit->check();
    if (m_audit->verifying()) {
        m_verdict->showNotice(NoticeBar::Kind::Info, tr("Each row's hash is computed again…"));
    } else if (check && (check->walked || !check->guardFindings().isEmpty())) {
        const QStringList found = check->findings();
        const bool doubt
            = check->anchorState == models::AnchorState::None || check->anchorState == models::AnchorState::Unreadable;
        m_verdict->showNotice(!check->whole() ? NoticeBar::Kind::Error
                : doubt                       ? NoticeBar::Kind::Warning
                                              : NoticeBar::Kind::Good,
            models::displayText(found.value(0, check->sentence()), 600),
            models::displayText((found.mid(1) << check->meaning()).join(u' ').trimmed(), 2000), {},
            check->continues() ? QString() : tr("A backup was restored…"));
    } else {
        m_verdict->clear();
    }
    const bool none = m_audit->loaded() && !m_audit->busy() && m_audit->model()->rowCount() == 0;
    if (m_audit->filtered() && (none || !m_action.isEmpty())) {
        m_narrowed->showNotice(NoticeBar::Kind::Info,
            none ? tr("No row of the audit log matches.") : tr("Only rows of one action are shown."), {}, {},
            tr("Show all"));
    } else if (none) {
        m_narrowed->showNotice(
            NoticeBar::Kind::Info, tr("Nothing was done yet. Each action, batch and decision adds a row here."));
    } else {
        m_narrowed->clear();
    }
    if (!m_table->currentIndex().isValid() && m_audit->model()->rowCount() > 0) {
        m_table->setCurrentIndex(m_audit->model()->index(0, 0));
    }
}

/// A batch whose action's next one stands right above it.
bool TrailView::foldable(int row) const
{
    const auto &rows = m_audit->model()->rows();
    return row > 0 && row < rows.size() && rows.at(row).what == u"batch" && rows.at(row - 1).what == u"batch"
        && rows.at(row).action == rows.at(row - 1).action;
}

/// Shows the batches of the chosen row's action, or folds them again.
void TrailView::unfold()
{
    if (const auto row = current(); row && !m_unfolded.remove(row->action)) {
        m_unfolded.insert(row->action);
    }
    fold();
}

/// Of an action's batches the newest stands for all, and says what they did so far; the row beneath names the others.
/// Where only that action is shown, all of them are.
void TrailView::fold()
{
    const auto &rows = m_audit->model()->rows();
    m_table->clearSpans();
    for (auto row = m_folded.keyBegin(); row != m_folded.keyEnd(); ++row) {
        m_table->setItemDelegateForRow(*row, nullptr);
    }
    m_folded.clear();
    const auto folds
        = [&](int row) { return m_action.isEmpty() && foldable(row) && !m_unfolded.contains(rows.at(row).action); };
    for (int row = 0; row < rows.size(); ++row) {
        const bool hidden = folds(row) && folds(row - 1); // behind the first that is folded
        if (m_table->isRowHidden(row) != hidden) {
            m_table->setRowHidden(row, hidden);
        }
        if (!folds(row) || hidden || !folds(row + 1)) { // one alone takes no more room than a row that names it
            continue;
        }
        int last = row;
        while (folds(last + 1)) {
            ++last;
        }
        m_folded.insert(row,
            tr("%1–%2 · %Ln more batch(es) · Show", nullptr, last - row + 1)
                .arg(models::countText(rows.at(last).seq), models::countText(rows.at(row).seq)));
        m_table->setItemDelegateForRow(row, m_foldedDelegate);
        m_table->setSpan(row, 0, 1, AuditModel::ColumnCount);
    }
    m_table->setAccessibleDescription(QStringList(m_folded.values()).join(u'\n')); // the cells tell it to nobody
    showBatches();
}

void TrailView::showBatches()
{
    const auto row = current();
    const int at = m_table->currentIndex().row();
    const bool several = m_action.isEmpty() && row && row->what == u"batch" && (foldable(at) || foldable(at + 1));
    m_batches->setVisible(several);
    m_batches->setText(several && m_unfolded.contains(row->action) ? tr("Fold batches") : tr("Show all batches"));
}

void TrailView::showRow()
{
    showBatches();
    const auto row = current();
    m_detail->setEnabled(row.has_value());
    m_rows->setEnabled(row && !row->action.isEmpty());
    m_only->setEnabled(row && !row->action.isEmpty());
    const QByteArray shown = row ? row->hash.toLatin1() : QByteArray();
    if (shown == m_shown && row) {
        return;
    }
    m_shown = shown;
    if (!row) {
        m_facts->setFacts({ { QString(), tr("Select a row to see its facts.") } });
        m_json->setDocument({});
        return;
    }
    showFacts(*row);
    const auto document = models::JsonDocument::parse(QString::fromUtf8(row->factsJson));
    m_json->setDocument(document.ok() ? *document : models::JsonDocument());
    // Members that say nothing are left out, and so is the line that counts all of them.
    const QModelIndex root = m_json->index(0, 0);
    for (int member = 0; member < m_json->rowCount(root); ++member) {
        const QModelIndex value = m_json->index(member, models::JsonTreeModel::Value, root);
        m_tree->setRowHidden(member, root, value.data().toString() == u"null"); // a text would stand in quotes
    }
    m_tree->setRootIndex(m_json->rowCount(root) > 0 ? root : QModelIndex());
    m_tree->expandToDepth(0);
}

void TrailView::showFacts(const sql::AuditRow &row)
{
    const auto shortened = [](const QString &hash) { return hash.isEmpty() ? hash : hash.left(kHashChars) + u'…'; };
    m_facts->setFacts({ { tr("Row"), models::countText(row.seq) }, { tr("What"), models::auditWhatLabel(row.what) },
        { tr("Table"), m_audit->model()->titles().title(row.target) },
        { tr("Batch"), row.batch > 0 ? models::countText(row.batch) : QString() },
        { tr("At"), m_audit->model()->timeFormat().exact(row.at) },
        { tr("By"), tr("%1, process %2").arg(row.who, QString::number(row.pid)) },
        { tr("From"), row.address.isEmpty() ? tr("a local socket") : row.address },
        { tr("Program"), row.application.isEmpty() ? QString() : tr("“%1”, as the client says").arg(row.application) },
        { tr("Action ID"), row.action }, { tr("Hash"), shortened(row.hash) },
        { tr("Hash before"), shortened(row.previousHash) } });
}

void TrailView::askAccept()
{
    QMessageBox *box = questionBox(this, u"auditAccept"_s, tr("Accept the audit log as it is?"),
        tr("Accept the audit log as it is now?"),
        tr("Do so only if you know of the restored backup or the new installation. This computer then forgets what it "
           "saw before: the only sign here of missing rows."),
        QMessageBox::Warning);
    connect(addAnswer(box, u"auditAcceptTake"_s, tr("Accept it")), &QPushButton::clicked, m_audit,
        &models::AuditController::acceptHead);
    openQuestion(box);
}

void TrailView::askExport()
{
    QFileDialog *dialog = saveFileDialog(this, u"auditExportDialog"_s, tr("Export the audit log"), u"trail.csv"_s,
        { tr("Comma-separated values (*.csv)"), tr("JSON Lines (*.jsonl)") });
    dialog->setLabelText(QFileDialog::Accept, tr("Export"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        m_audit->exportTo(path,
            path.endsWith(u".jsonl"_s, Qt::CaseInsensitive) ? models::AuditFormat::JsonLines
                                                            : models::AuditFormat::Csv);
    });
    openDialog(dialog);
}

} // namespace idemdesk::ui
