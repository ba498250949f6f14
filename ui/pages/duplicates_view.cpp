// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/duplicates_view.h"

#include "models/connection/connection_controller.h"
#include "models/duplicates/duplicate_controller.h"
#include "models/duplicates/duplicate_words.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "ui/pages/table_setup.h"
#include "ui/pages/target_chooser.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kGroupKeyChars = 200;

} // namespace

DuplicatesView::DuplicatesView(models::ConnectionController *connection, models::DuplicateController *duplicates, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_duplicates(duplicates)
    , m_targets(new QComboBox(this))
    , m_span(new QComboBox(this))
    , m_filter(new QLineEdit(this))
    , m_across(new QCheckBox(tr("A&cross scopes"), this))
    , m_search(new QPushButton(tr("&Search"), this))
    , m_progress(new QProgressBar(this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_notes(plainLabel({}, this))
    , m_stack(new QStackedWidget(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_table(new QTableView(this))
    , m_why(plainLabel({}, this))
    , m_keys(new QPlainTextEdit(this))
    , m_judge(new QPushButton(tr("&Judge them"), this))
    , m_show(new QPushButton(tr("Show the &keys"), this))
    , m_empty(new EmptyState(this))
{
    setObjectName(u"duplicatesView"_s);
    m_table->setObjectName(u"duplicatesTable"_s);
    m_table->setAccessibleName(tr("Groups of keys that look like one intent"));
    m_table->setModel(duplicates->model());
    setUpTable(m_table, settings);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    setColumnWidths(m_table, { 190, 200, 260, 70, 160, 160 });
    m_notes->setObjectName(u"duplicatesNotes"_s);
    m_notes->setWordWrap(true);
    m_split->addWidget(m_table);
    m_split->addWidget(buildDetail());
    m_split->setStretchFactor(0, 1);
    m_split->setChildrenCollapsible(false);
    m_stack->addWidget(m_split);
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(buildBar());
    layout->addWidget(m_notice);
    layout->addWidget(m_notes);
    layout->addWidget(m_stack, 1);
    connect(m_search, &QPushButton::clicked, this, &DuplicatesView::search);
    connect(m_stop, &QPushButton::clicked, duplicates, &models::DuplicateController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, this, &DuplicatesView::search);
    connect(m_targets, &QComboBox::activated, this, &DuplicatesView::update);
    connect(m_empty, &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else {
            search();
        }
    });
    connect(duplicates, &models::DuplicateController::runningChanged, this, &DuplicatesView::update);
    connect(duplicates, &models::DuplicateController::found, this, &DuplicatesView::update);
    connect(duplicates, &models::DuplicateController::failed, this, [this](const sql::Error &error) {
        m_error = error;
        update();
    });
    connect(duplicates->model(), &QAbstractItemModel::modelReset, this, [this] {
        m_table->setCurrentIndex(m_table->model()->index(0, 0));
        showGroup();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DuplicatesView::showGroup);
    const auto judge = [this] {
        if (const sql::DuplicateGroup *group = m_duplicates->model()->group(m_table->currentIndex().row())) {
            emit judgeWanted(m_searchedTarget, group->sample, group->sampleScopes);
        }
    };
    connect(m_judge, &QPushButton::clicked, this, judge);
    connect(m_table, &QTableView::activated, this, judge);
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (const sql::DuplicateGroup *group = m_duplicates->model()->group(m_table->currentIndex().row())) {
            QStringList keys;
            for (const QString &key : group->sample) {
                keys += models::quoteFilterValue(key);
            }
            emit keysWanted(m_searchedTarget, u"key:"_s + keys.join(u','));
        }
    });
    connect(connection, &models::ConnectionController::stateChanged, this, &DuplicatesView::update);
    connect(connection, &models::ConnectionController::targetsChanged, this, &DuplicatesView::onTargetsChanged);
    onTargetsChanged();
    showGroup();
}

QWidget *DuplicatesView::buildBar()
{
    m_targets->setObjectName(u"duplicatesTarget"_s);
    m_targets->setAccessibleName(tr("Table"));
    setUpTargetChooser(m_targets);
    m_span->setObjectName(u"duplicatesSpan"_s);
    m_span->setAccessibleName(tr("How far back"));
    for (const int days : { 1, 7, 30, 90 }) {
        m_span->addItem(tr("Last %n day(s)", nullptr, days), qint64(days) * 86'400);
    }
    m_span->setCurrentIndex(1);
    m_filter->setObjectName(u"duplicatesFilter"_s);
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter; optional"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::returnPressed, this, &DuplicatesView::search);
    m_across->setObjectName(u"duplicatesAcross"_s);
    m_across->setToolTip(tr("Compares keys of different customers, too. A key belongs to its scope, so these are different intents unless a person says otherwise."));
    m_search->setObjectName(u"duplicatesSearch"_s);
    m_progress->setObjectName(u"duplicatesProgress"_s);
    m_progress->setRange(0, 0);
    m_progress->setMaximumWidth(160);
    m_stop->setObjectName(u"duplicatesStop"_s);
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * kGrid);
    for (QWidget *widget : { static_cast<QWidget *>(m_targets), static_cast<QWidget *>(m_span), static_cast<QWidget *>(m_filter), static_cast<QWidget *>(m_across), static_cast<QWidget *>(m_search) }) {
        row->addWidget(widget);
    }
    row->setStretch(row->indexOf(m_filter), 1);
    row->addWidget(m_progress);
    row->addWidget(m_stop);
    return bar;
}

QWidget *DuplicatesView::buildDetail()
{
    m_why->setObjectName(u"duplicateWhy"_s);
    m_why->setWordWrap(true);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_keys->setObjectName(u"duplicateKeys"_s);
    m_keys->setAccessibleName(tr("The first keys of the group"));
    m_keys->setReadOnly(true);
    m_keys->setTabChangesFocus(true);
    m_keys->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_judge->setObjectName(u"duplicateJudge"_s);
    m_show->setObjectName(u"duplicateShow"_s);
    auto *head = new QHBoxLayout;
    head->setSpacing(2 * kGrid);
    head->addWidget(m_why, 1);
    head->addWidget(m_show, 0, Qt::AlignTop);
    head->addWidget(m_judge, 0, Qt::AlignTop);
    auto *detail = new QWidget(this);
    auto *layout = new QVBoxLayout(detail);
    layout->setContentsMargins(0, 2 * kGrid, 0, 0);
    layout->setSpacing(kGrid);
    layout->addLayout(head);
    layout->addWidget(m_keys, 1);
    return detail;
}

void DuplicatesView::onTargetsChanged()
{
    const QString kept = m_targets->currentData().toString();
    m_targets->clear();
    for (const models::TargetEntry &entry : m_connection->targets()) {
        addTarget(m_targets, entry.target.profile);
    }
    m_targets->setCurrentIndex(std::max(0, m_targets->findData(kept)));
    update();
}

void DuplicatesView::showTarget(const QString &name)
{
    if (const int at = m_targets->findData(name); at >= 0) {
        m_targets->setCurrentIndex(at);
        update();
    }
}

void DuplicatesView::setFilter(const QString &text) { m_filter->setText(text); }

void DuplicatesView::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    m_duplicates->model()->setTimeFormat(format);
}

void DuplicatesView::search()
{
    const models::TargetEntry *entry = m_connection->target(m_targets->currentData().toString());
    if (entry == nullptr) {
        return;
    }
    sql::DuplicateRequest request;
    request.spanSeconds = m_span->currentData().toLongLong();
    request.acrossScopes = m_across->isChecked();
    models::FilterVocabulary words;
    words.zone = m_format.zone();
    for (const sql::LabelledExpression &part : entry->target.profile.scope) {
        words.scopeLabels += part.label;
    }
    const auto filter = models::parseFilter(m_filter->text(), words);
    if (!filter) {
        m_error = filter.error();
        update();
        return;
    }
    request.filter = *filter;
    m_error.reset();
    m_searchedTarget = entry->target.profile.name;
    m_duplicates->search(entry->target, request);
}

void DuplicatesView::update()
{
    const bool running = m_duplicates->running();
    if (m_error) {
        m_notice->showError(*m_error, tr("Retry"));
    } else {
        m_notice->clear();
    }
    m_progress->setVisible(running);
    m_stop->setVisible(running);
    m_search->setEnabled(!running && m_targets->count() > 0 && m_connection->state() == sql::LinkState::Connected);
    const bool told = m_duplicates->searched() && !running;
    QStringList notes;
    for (const QString &text : told ? m_duplicates->notes() : QStringList()) {
        notes += models::displayText(text, 400);
    }
    m_notes->setText(notes.join(u'\n'));
    m_notes->setVisible(!notes.isEmpty());
    if (m_connection->database() == nullptr) {
        m_empty->show(u"connect"_s, tr("Not connected"), tr("Intents that look carried out more than once are found here."), tr("Connect…"));
    } else if (m_targets->count() == 0 && !m_connection->noTableBecause().isEmpty()) {
        m_empty->show(u"conflicts"_s, tr("No table could be read"), m_connection->noTableBecause());
    } else if (m_targets->count() == 0) {
        m_empty->show(u"conflicts"_s, m_connection->targetsLoaded() ? tr("No table yet") : tr("Looking for tables"), tr("A search needs a table whose columns the console knows how to read."));
    } else if (running) {
        m_empty->show(u"conflicts"_s, tr("Searching"), tr("Results, effects, references, fingerprints and payloads are compared in the background; nothing is changed."));
    } else if (m_duplicates->searched() && !m_duplicates->complete()) {
        m_empty->show(u"conflicts"_s, tr("Not all could be looked at"), tr("Nothing was found in what could be read. The sentences above say what could not."));
    } else if (m_duplicates->searched()) {
        m_empty->show(u"conflicts"_s, tr("Nothing looks like a duplicate"), tr("No two keys of this time share a result, an effect, a reference or a request. One key that was tried several times is no duplicate."));
    } else {
        m_empty->show(u"conflicts"_s, tr("Not searched yet"), tr("Keys that share a result, an effect, a reference or a request, and keys with several effects, are looked for."), tr("Search now"));
    }
    m_stack->setCurrentWidget(told && m_duplicates->model()->rowCount() > 0 ? static_cast<QWidget *>(m_split) : m_empty);
}

void DuplicatesView::showGroup()
{
    const sql::DuplicateGroup *group = m_duplicates->model()->group(m_table->currentIndex().row());
    m_why->setText(group != nullptr ? models::displayText(models::duplicateWhy(*group), 2'000) : QString());
    QStringList lines;
    for (qsizetype i = 0; group != nullptr && i < group->sample.size(); ++i) {
        QStringList parts;
        for (const sql::Cell &part : group->sampleScopes.value(i)) {
            parts += part.null ? u"–"_s : models::displayText(part.text, kGroupKeyChars);
        }
        parts += models::displayText(group->sample.at(i), kGroupKeyChars);
        lines += parts.join(u" / "_s);
    }
    if (group != nullptr && group->keys > group->sample.size()) {
        lines += tr("and %n more", nullptr, int(group->keys - group->sample.size()));
    }
    m_keys->setPlainText(lines.join(u'\n'));
    m_judge->setEnabled(group != nullptr);
    m_show->setEnabled(group != nullptr);
    m_judge->setText(group != nullptr && group->keys == 1 ? tr("&Judge it") : tr("&Judge them"));
}

} // namespace idemdesk::ui
