// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/detail_pane.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/json/json_document.h"
#include "models/json/json_tree_model.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_detail.h"
#include "models/keys/record_model.h"
#include "models/keys/story_model.h"
#include "ui/pages/story_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr qsizetype kLongestLine = 2'000; // QPlainTextEdit takes a minute to lay out one line of a megabyte
constexpr qsizetype kMostShown = 262'144;

/// The text in lines a text view can bear; nothing is left out.
QString foldedLines(const QString &text)
{
    QString folded;
    folded.reserve(text.size() + text.size() / kLongestLine);
    for (const QString &line : text.split(u'\n')) {
        for (qsizetype from = 0; from == 0 || from < line.size(); from += kLongestLine) {
            folded += line.mid(from, kLongestLine) + u'\n';
        }
    }
    folded.chop(1);
    return folded;
}

} // namespace

DetailPane::DetailPane(models::KeyBrowserController *browser, models::KeyDetailController *detail, QWidget *parent)
    : QWidget(parent)
    , m_browser(browser)
    , m_detail(detail)
    , m_key(plainLabel({}, this))
    , m_summary(plainLabel({}, this))
    , m_notice(new NoticeBar(this))
    , m_tabs(new QTabWidget(this))
    , m_story(new StoryView(this))
    , m_record(new QTableView(this))
{
    setObjectName(u"detailPane"_s);
    setMinimumWidth(320);
    m_key->setObjectName(u"detailKey"_s);
    m_key->setFont(Theme::monospace());
    m_key->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setObjectName(u"detailSummary"_s);
    m_summary->setWordWrap(true);
    m_story->setModel(detail->story());
    m_record->setObjectName(u"recordTable"_s);
    m_record->setAccessibleName(tr("Roles and columns"));
    m_record->setModel(detail->record());
    m_record->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_record->setSelectionMode(QAbstractItemView::SingleSelection);
    m_record->setShowGrid(false);
    m_record->setAlternatingRowColors(true);
    m_record->setWordWrap(false);
    m_record->setTabKeyNavigation(false);
    m_record->verticalHeader()->hide();
    m_record->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_record->verticalHeader()->setDefaultSectionSize(kCompactRowHeight + 2);
    m_record->horizontalHeader()->setHighlightSections(false);
    m_record->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_record->horizontalHeader()->setStretchLastSection(true);
    m_record->setColumnWidth(models::RecordModel::Name, 130);
    m_record->setColumnWidth(models::RecordModel::Value, 210);
    m_record->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tabs->setObjectName(u"detailTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_story, tr("Story"));
    m_tabs->addTab(m_record, tr("Record"));
    m_tabs->addTab(buildJsonTab(), tr("JSON"));

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(m_key);
    layout->addWidget(m_summary);
    layout->addWidget(m_notice);
    layout->addWidget(m_tabs, 1);

    connect(detail, &models::KeyDetailController::changed, this, &DetailPane::update);
    connect(m_notice, &NoticeBar::primaryClicked, detail, &models::KeyDetailController::refresh);
    connect(m_record, &QTableView::customContextMenuRequested, this, &DetailPane::recordMenu);
    connect(detail, &models::KeyDetailController::saved, this, [this](const QString &path, qint64 bytes) {
        m_payloadNote->setText(tr("%1 saved in %2.").arg(models::bytesText(bytes), models::displayText(path, 200)));
    });
    connect(detail, &models::KeyDetailController::saveFailed, this, [this](const sql::Error &error) {
        m_payloadNote->setText(models::displayText(error.line(), 300));
    });
    auto *copyAction = new QAction(tr("Copy value"), m_record);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    connect(copyAction, &QAction::triggered, this, [this] {
        const QVariant raw = m_record->currentIndex().siblingAtColumn(models::RecordModel::Value).data(models::RecordModel::RawRole);
        if (raw.isValid()) {
            QGuiApplication::clipboard()->setText(raw.toString());
        }
    });
    m_record->addAction(copyAction);
    update();
}

QWidget *DetailPane::buildJsonTab()
{
    auto *tab = new QWidget(this);
    m_payload = new QComboBox(tab);
    m_payload->setObjectName(u"payloadChooser"_s);
    m_payload->setAccessibleName(tr("Value to show"));
    m_payloadNote = plainLabel({}, tab);
    m_payloadNote->setObjectName(u"payloadNote"_s);
    m_payloadNote->setWordWrap(true);
    m_save = new QPushButton(tr("Save whole value…"), tab);
    m_save->setObjectName(u"payloadSave"_s);
    m_tree = new QTreeView(tab);
    m_tree->setObjectName(u"jsonTree"_s);
    m_tree->setAccessibleName(tr("JSON as a tree"));
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    m_json = new models::JsonTreeModel(this);
    m_tree->setModel(m_json);
    m_tree->setColumnWidth(0, 170);
    m_text = new QPlainTextEdit(tab);
    m_text->setObjectName(u"jsonText"_s);
    m_text->setAccessibleName(tr("Exact text"));
    m_text->setReadOnly(true);
    m_text->setFont(Theme::monospace());
    m_text->setTabChangesFocus(true);
    auto *halves = new QSplitter(Qt::Vertical, tab);
    halves->addWidget(m_tree);
    halves->addWidget(m_text);
    halves->setChildrenCollapsible(false);
    auto *row = new QHBoxLayout;
    row->addWidget(m_payload, 1);
    row->addWidget(m_save);
    auto *layout = new QVBoxLayout(tab);
    layout->setContentsMargins(0, kGrid, 0, 0);
    layout->setSpacing(kGrid);
    layout->addLayout(row);
    layout->addWidget(m_payloadNote);
    layout->addWidget(halves, 1);
    connect(m_payload, &QComboBox::currentIndexChanged, this, &DetailPane::showPayload);
    connect(m_save, &QPushButton::clicked, this, &DetailPane::saveValue);
    return tab;
}

void DetailPane::showTab(const QString &name)
{
    m_tabs->setCurrentIndex(name == u"record"_s ? 1 : name == u"json"_s ? 2 : 0);
}

void DetailPane::update()
{
    using Status = models::KeyDetailController::Status;
    const Status status = m_detail->status();
    const sql::KeyRecord &record = m_detail->detail().record;
    const bool some = status != Status::Empty;
    m_tabs->setVisible(some);
    m_key->setVisible(some);
    m_key->setText(some ? models::middleElided(models::displayText(record.key.text, 400), 48) : QString());
    m_key->setToolTip(models::displayText(record.key.text, models::kToolTipChars));
    QString summary = tr("Select a key to see its story, its columns and its payloads.");
    if (some) {
        summary = models::stateLabel(record.state);
        if (record.stale.value_or(false)) {
            summary += tr(", stale");
        }
        if (record.expired.value_or(false)) {
            summary += tr(", expired");
        }
        if (status == Status::Loading) {
            summary += tr(" · reading…");
        }
    }
    m_summary->setText(summary);
    if (status == Status::Failed && m_detail->error()) {
        m_notice->showError(*m_detail->error(), tr("Retry"));
    } else if (status == Status::Gone) {
        m_notice->showNotice(NoticeBar::Kind::Warning, tr("This row is gone."), tr("It was deleted or its key changed since the list was read."));
    } else if (some && !m_detail->notes().isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Info, m_detail->notes().first(), m_detail->notes().mid(1).join(u' '));
    } else {
        m_notice->clear();
    }
    const auto payloads = m_detail->payloads();
    const QString chosen = m_payload->currentText();
    {
        const QSignalBlocker blocker(m_payload);
        m_payload->clear();
        for (const models::PayloadChoice &choice : payloads) {
            m_payload->addItem(choice.title);
        }
        m_payload->setCurrentIndex(std::max(0, m_payload->findText(chosen)));
    }
    m_tabs->setTabEnabled(2, !payloads.isEmpty());
    m_tabs->setTabToolTip(2, payloads.isEmpty() ? tr("This row holds no payload.") : QString());
    showPayload();
}

void DetailPane::showPayload()
{
    const auto payloads = m_detail->payloads();
    const models::PayloadChoice choice = payloads.value(std::max(0, m_payload->currentIndex()));
    const QString id = m_key->toolTip() + choice.title + choice.value.text;
    if (id == m_shownPayload) {
        return; // a refresh brought the same value: keep what is unfolded
    }
    m_shownPayload = id;
    m_save->setVisible(!choice.column.isEmpty());
    const auto parsed = choice.value.null || choice.value.partial() ? sql::Result<models::JsonDocument>(sql::Error())
                                                                     : models::JsonDocument::parse(choice.value.text);
    QString note;
    if (choice.value.partial()) {
        note = tr("The first %1 of %2 are shown. Save the whole value to see the rest.")
                   .arg(models::bytesText(choice.value.text.toUtf8().size()), models::bytesText(choice.value.fullBytes));
    } else if (!parsed.ok() && !choice.value.null && !payloads.isEmpty()) {
        note = tr("This is no JSON: %1").arg(models::displayText(parsed.error().why, 200));
    }
    m_payloadNote->setText(note);
    m_payloadNote->setVisible(!note.isEmpty());
    m_json->setDocument(parsed.ok() ? *parsed : models::JsonDocument());
    m_tree->setVisible(parsed.ok());
    m_tree->expandToDepth(1);
    m_text->setPlainText(foldedLines(models::displayBlock(
        parsed.ok() ? models::prettyJson(choice.value.text).left(kMostShown) : choice.value.text.left(kMostShown))));
}

void DetailPane::saveValue()
{
    const QString column = m_detail->payloads().value(std::max(0, m_payload->currentIndex())).column;
    auto *dialog = new QFileDialog(this, tr("Save whole value"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(column + u".json"_s);
    m_payloadNote->show();
    connect(dialog, &QFileDialog::fileSelected, this, [this, column](const QString &path) { m_detail->saveColumn(column, path); });
    dialog->open();
}

void DetailPane::recordMenu(const QPoint &place)
{
    const QModelIndex index = m_record->indexAt(place).siblingAtColumn(models::RecordModel::Value);
    if (!index.isValid()) {
        return;
    }
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QVariant raw = index.data(models::RecordModel::RawRole);
    QAction *copy = menu->addAction(tr("Copy value"));
    copy->setEnabled(raw.isValid());
    connect(copy, &QAction::triggered, this, [raw] { QGuiApplication::clipboard()->setText(raw.toString()); });
    menu->popup(m_record->viewport()->mapToGlobal(place));
}

} // namespace idemdesk::ui
