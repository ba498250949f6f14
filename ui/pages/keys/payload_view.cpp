// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/payload_view.h"

#include "models/async.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/json/json_tree_model.h"
#include "models/json/payload_text.h"
#include "models/keys/key_detail.h"
#include "models/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/text_view.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kMostUnfolded = 2'000; // nodes of a document that opens by itself
const QString kFormId = QStringLiteral("keys/payload");
constexpr qsizetype kSoon = 16'384; // characters that are made ready on the spot; more of them beside the window

QString identityText(const sql::KeyRecord &record)
{
    QString text;
    for (const sql::Cell &cell : record.identity) {
        text += cell.text + QChar(0x1f);
    }
    return text;
}

} // namespace

PayloadView::PayloadView(models::KeyDetailController *detail, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_detail(detail)
    , m_settings(settings)
    , m_json(new models::JsonTreeModel(this))
    , m_choice(new QComboBox(this))
    , m_note(wrappedLabel({}, this))
    , m_save(new QPushButton(tr("Save whole value…"), this))
    , m_asTree(new Chip(u"payloadTree"_s, this))
    , m_asText(new Chip(u"payloadText"_s, this))
    , m_forms(new QStackedWidget(this))
    , m_tree(new QTreeView(this))
    , m_text(new QPlainTextEdit(this))
{
    setObjectName(u"payloadView"_s);
    m_choice->setObjectName(u"payloadChooser"_s);
    m_choice->setAccessibleName(tr("Value to show"));
    m_note->setObjectName(u"payloadNote"_s);
    m_save->setObjectName(u"payloadSave"_s);
    setUpValueTree(m_tree, { u"jsonTree"_s, tr("JSON as a tree"), m_json, { 170 } });
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    setUpCode(m_text, u"jsonText"_s, tr("Exact text"));
    m_text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_asTree->setText(tr("Tree"));
    m_asText->setText(tr("Text"));
    layOut();
    connect(m_asText, &Chip::toggled, this, [this](bool text) {
        if (m_hasTree) { // else it is no choice of the person's
            m_settings->setLayout(kFormId, text ? "text" : "tree");
        }
        showForm();
    });
    connect(m_choice, &QComboBox::currentIndexChanged, this, &PayloadView::showChosen);
    connect(m_save, &QPushButton::clicked, this, &PayloadView::saveValue);
    connect(m_tree, &QTreeView::customContextMenuRequested, this, [this](const QPoint &place) {
        const QModelIndex index = m_tree->indexAt(place);
        if (!index.isValid()) {
            return;
        }
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        const std::pair<QString, int> entries[] = { { tr("Copy value"), models::JsonTreeModel::RawRole },
            { tr("Copy path"), models::JsonTreeModel::PointerRole } };
        for (const auto &[text, role] : entries) {
            const QVariant value = index.siblingAtColumn(models::JsonTreeModel::Value).data(role);
            QAction *action = menu->addAction(text);
            action->setEnabled(value.isValid());
            connect(action, &QAction::triggered, this,
                [value] { QGuiApplication::clipboard()->setText(value.toString()); });
        }
        menu->popup(m_tree->viewport()->mapToGlobal(place));
    });
    connect(detail, &models::KeyDetailController::saved, this, [this](const QString &path, qint64 bytes) {
        showNote(tr("%1 were saved in %2.").arg(models::bytesText(bytes), models::displayText(path, 200)));
    });
    connect(detail, &models::KeyDetailController::saveFailed, this,
        [this](const sql::Error &error) { showNote(models::displayText(error.line(), 300)); });
}

void PayloadView::layOut()
{
    m_forms->addWidget(m_tree);
    m_forms->addWidget(m_text);
    auto *either = new QButtonGroup(this);
    either->addButton(m_asTree);
    either->addButton(m_asText);
    (m_settings->layout(kFormId) == "text" ? m_asText : m_asTree)->setChecked(true);
    auto *row = new QHBoxLayout;
    row->setSpacing(kGrid);
    row->addWidget(m_choice, 1);
    row->addWidget(m_asTree);
    row->addWidget(m_asText);
    row->addWidget(m_save);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kGrid, 0, 0);
    layout->setSpacing(kGrid);
    layout->addLayout(row);
    layout->addWidget(m_note);
    layout->addWidget(m_forms, 1);
}

/// A text that is no JSON has no tree; what the person likes stays chosen for the next value.
void PayloadView::showForm()
{
    m_asTree->setVisible(m_hasTree);
    m_asText->setVisible(m_hasTree);
    m_forms->setCurrentWidget(m_hasTree && m_asTree->isChecked() ? static_cast<QWidget *>(m_tree) : m_text);
}

void PayloadView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    sync();
}

void PayloadView::sync()
{
    if (!isVisible()) {
        return; // who walks through keys reading their stories needs no payload parsed
    }
    const QString chosen = m_choice->currentText();
    {
        const QSignalBlocker blocker(m_choice);
        m_choice->clear();
        const auto payloads = m_detail->payloads();
        for (const models::PayloadChoice &choice : payloads) {
            m_choice->addItem(choice.title);
        }
        m_choice->setCurrentIndex(payloads.isEmpty() ? -1 : std::max(0, m_choice->findText(chosen)));
    }
    showChosen();
}

void PayloadView::showNote(const QString &text)
{
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
}

void PayloadView::showChosen()
{
    const auto payloads = m_detail->payloads();
    m_choice->setVisible(!payloads.isEmpty());
    m_forms->setHidden(payloads.isEmpty());
    const models::PayloadChoice choice = payloads.value(std::max(0, m_choice->currentIndex()));
    const QString shown = identityText(m_detail->detail().record) + choice.title + QChar(0x1f) + choice.value.text
        + (m_detail->status() == models::KeyDetailController::Status::Loading ? u"…"_s : QString());
    if (shown == m_shown) {
        return;
    }
    m_shown = shown;
    m_save->setVisible(!choice.column.isEmpty());
    QString note;
    if (payloads.isEmpty()) {
        note = m_detail->status() == models::KeyDetailController::Status::Loading ? tr("Reading…")
                                                                                  : tr("This row holds no payload.");
    } else if (choice.value.failed()) {
        note = models::cellToolTip(choice.value);
    } else if (choice.value.partial()) {
        note
            = tr("The first %1 of %2 are shown. Save the whole value to see the rest.")
                  .arg(models::bytesText(choice.value.text.toUtf8().size()), models::bytesText(choice.value.fullBytes));
    }
    showNote(note);
    const bool whole = !choice.value.null && !choice.value.failed() && !choice.value.partial();
    if (choice.value.text.size() <= kSoon) {
        showPayload(models::payloadText(choice.value.text, whole));
        return;
    }
    m_json->setDocument({});
    m_hasTree = false;
    showForm();
    m_text->setPlainText(tr("Laying out…"));
    models::whenDone(models::payloadTextLater(choice.value.text, whole), this, [this, shown](const auto &payload) {
        if (shown == m_shown && payload.ok()) {
            showPayload(*payload);
        }
    });
}

void PayloadView::showPayload(const models::PayloadText &payload)
{
    if (!payload.fault.isEmpty()) {
        showNote(tr("This is not JSON: %1").arg(models::displayText(payload.fault, 200)));
    }
    m_json->setDocument(payload.document);
    m_hasTree = payload.json;
    showForm();
    m_tree->expandToDepth(payload.json && payload.document.nodeCount() <= kMostUnfolded ? 2 : 0);
    // Names take what they need, and values the rest.
    m_tree->resizeColumnToContents(models::JsonTreeModel::Name);
    m_tree->setColumnWidth(models::JsonTreeModel::Name,
        std::min(m_tree->columnWidth(models::JsonTreeModel::Name) + 2 * kGrid, m_tree->viewport()->width() / 2));
    m_text->setPlainText(payload.lines);
    if (!payload.whole && m_note->text().isEmpty()) {
        showNote(tr("The text ends after %1 lines; the tree has all of it.")
                     .arg(models::countText(qint64(models::PayloadText::kMostLines))));
    }
}

void PayloadView::saveValue()
{
    const QString column = m_detail->payloads().value(std::max(0, m_choice->currentIndex())).column;
    QFileDialog *dialog = saveFileDialog(
        this, u"saveValueDialog"_s, tr("Save whole value"), QString(column).replace(u'/', u'_') + u".json"_s, {});
    dialog->setLabelText(QFileDialog::Accept, tr("Save"));
    connect(dialog, &QFileDialog::fileSelected, this,
        [this, column](const QString &path) { m_detail->saveColumn(column, path); });
    openDialog(dialog);
}

} // namespace idemdesk::ui
