// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys_page.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/keys/export_controller.h"
#include "models/keys/key_detail.h"
#include "models/keys/key_table_model.h"
#include "models/settings.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/pages/detail_pane.h"
#include "ui/pages/export_strip.h"
#include "ui/pages/filter_bar.h"
#include "ui/pages/jump_dialog.h"
#include "ui/pages/table_setup.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

KeysPage::KeysPage(models::ConnectionController *connection, models::KeyBrowserController *browser,
    models::KeyDetailController *detail, models::ExportController *exporter, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_browser(browser)
    , m_detail(detail)
    , m_exporter(exporter)
    , m_settings(settings)
    , m_targets(new QComboBox(this))
    , m_orders(new QComboBox(this))
    , m_direction(new QToolButton(this))
    , m_refreshEvery(new QComboBox(this))
    , m_filter(new FilterBar(browser, settings, this))
    , m_notice(new NoticeBar(this))
    , m_cost(new NoticeBar(this))
    , m_count(plainLabel({}, this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_table(new QTableView(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_detailPane(new DetailPane(browser, detail, this))
    , m_export(new ExportStrip(exporter, this))
{
    setObjectName(u"keysPage"_s);
    m_table->setObjectName(u"keysTable"_s);
    m_table->setAccessibleName(tr("Keys"));
    m_cost->setObjectName(u"costNotice"_s);
    m_count->setObjectName(u"keysCount"_s);
    m_table->setModel(browser->model());
    setUpTable(m_table, settings);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->horizontalHeader()->setSectionsMovable(true);
    m_table->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);

    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    m_splitter->addWidget(m_stack);
    m_splitter->addWidget(m_detailPane);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({ 760, 420 });
    m_splitter->setChildrenCollapsible(false);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    buildToolbar();
    layout->addWidget(m_filter);
    layout->addWidget(m_cost);
    layout->addWidget(m_notice);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_export);
    wire();
    refillTargets();
    updateState();
}

void KeysPage::buildToolbar()
{
    auto *title = plainLabel(tr("Keys"), this);
    title->setFont(Theme::title());
    m_targets->setObjectName(u"targetChooser"_s);
    m_targets->setAccessibleName(tr("Table"));
    m_targets->setMinimumWidth(280);
    m_orders->setObjectName(u"orderChooser"_s);
    m_orders->setAccessibleName(tr("Order"));
    m_direction->setObjectName(u"orderDirection"_s);
    m_direction->setText(tr("Turn"));
    m_direction->setToolTip(tr("Turn the order around"));
    m_direction->setAccessibleName(tr("Turn the order around"));
    m_refreshEvery->setObjectName(u"autoRefresh"_s);
    m_refreshEvery->setAccessibleName(tr("Refresh by itself"));
    for (const int seconds : { 0, 2, 5, 15, 60 }) {
        m_refreshEvery->addItem(seconds == 0 ? tr("No auto-refresh") : tr("Every %n second(s)", nullptr, seconds), seconds);
    }
    m_refreshEvery->setCurrentIndex(std::max(0, m_refreshEvery->findData(m_settings->autoRefresh())));
    auto *orderLabel = plainLabel(tr("Order:"), this);
    orderLabel->setBuddy(m_orders);

    auto *jump = new QToolButton(this);
    jump->setObjectName(u"jumpButton"_s);
    jump->setIcon(themedIcon(u"jump"_s));
    jump->setToolTip(tr("Jump to a time or a row (Ctrl+J)"));
    connect(jump, &QToolButton::clicked, this, &KeysPage::openJump);
    auto *refresh = new QToolButton(this);
    refresh->setObjectName(u"refreshButton"_s);
    refresh->setIcon(themedIcon(u"refresh"_s));
    refresh->setToolTip(tr("Refresh (F5)"));
    connect(refresh, &QToolButton::clicked, this, [this] { m_browser->refresh(); });
    auto *exportButton = new QToolButton(this);
    exportButton->setObjectName(u"exportButton"_s);
    exportButton->setIcon(themedIcon(u"export"_s));
    exportButton->setToolTip(tr("Export all that matches (Ctrl+E)"));
    connect(exportButton, &QToolButton::clicked, this, &KeysPage::openExport);
    auto *detail = new QToolButton(this);
    detail->setObjectName(u"detailButton"_s);
    detail->setIcon(themedIcon(u"detail"_s));
    detail->setToolTip(tr("Show or hide the detail (Space)"));
    connect(detail, &QToolButton::clicked, this, &KeysPage::toggleDetail);
    for (QToolButton *button : { jump, refresh, exportButton, detail }) {
        button->setAccessibleName(button->toolTip());
    }

    auto *row = new QHBoxLayout;
    row->setSpacing(2 * kGrid);
    row->addWidget(title);
    row->addWidget(m_targets);
    row->addStretch(1);
    row->addWidget(orderLabel);
    row->addWidget(m_orders);
    row->addWidget(m_direction);
    row->addWidget(m_refreshEvery);
    for (QToolButton *button : { refresh, jump, exportButton, detail }) {
        row->addWidget(button);
    }
    auto *layout = static_cast<QVBoxLayout *>(this->layout());
    layout->addLayout(row);
    m_count->hide(); // its text stands in the window's status line
}

void KeysPage::wire()
{
    models::KeyTableModel *model = m_browser->model();
    connect(m_targets, &QComboBox::activated, this, [this](int index) { showTarget(m_targets->itemData(index).toString(), {}); });
    connect(m_orders, &QComboBox::activated, this, [this](int index) { m_browser->setOrder(m_orders->itemData(index).toString()); });
    connect(m_direction, &QToolButton::clicked, this, [this] {
        const QString order = m_browser->order().isEmpty() ? m_orders->currentData().toString() : m_browser->order();
        m_browser->setOrder(order.startsWith(u'-') ? order.mid(1) : u'-' + order);
    });
    connect(m_refreshEvery, &QComboBox::activated, this, [this] {
        const int seconds = m_refreshEvery->currentData().toInt();
        m_settings->setAutoRefresh(seconds);
        m_browser->setAutoRefresh(seconds);
    });
    m_browser->setAutoRefresh(m_settings->autoRefresh());
    connect(m_filter, &FilterBar::escaped, this, [this] { m_table->setFocus(); });
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &KeysPage::refillTargets);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &KeysPage::updateState);
    connect(m_browser, &models::KeyBrowserController::targetChanged, this, &KeysPage::onTargetChanged);
    connect(m_browser, &models::KeyBrowserController::ordersChanged, this, &KeysPage::refillOrders);
    connect(m_browser, &models::KeyBrowserController::orderChanged, this, &KeysPage::refillOrders);
    connect(m_browser, &models::KeyBrowserController::statusChanged, this, &KeysPage::onStatus);
    connect(m_browser, &models::KeyBrowserController::errorChanged, this, &KeysPage::updateState);
    connect(m_browser, &models::KeyBrowserController::costWarning, this, &KeysPage::showCost);
    connect(m_browser, &models::KeyBrowserController::pendingChanged, this, [this] {
        if (!m_browser->pending()) {
            m_cost->clear();
        }
    });
    connect(m_browser, &models::KeyBrowserController::selectionRestored, this, [this](const QList<int> &rows) {
        m_selecting = true;
        QItemSelection selection;
        for (const int row : rows) {
            selection.select(m_browser->model()->index(row, 0), m_browser->model()->index(row, m_browser->model()->columnCount() - 1));
        }
        m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
        m_selecting = false;
    });
    connect(m_cost, &NoticeBar::primaryClicked, m_browser, &models::KeyBrowserController::proceed);
    connect(m_cost, &NoticeBar::secondaryClicked, m_browser, &models::KeyBrowserController::cancelPending);
    connect(m_notice, &NoticeBar::primaryClicked, this, [this] { m_browser->refresh(); });
    connect(m_empty, &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else if (!m_browser->hasTarget()) {
            emit addTableClicked();
        } else {
            m_filter->setText({});
        }
    });
    connect(model, &models::KeyTableModel::jumped, this, [this](int row) {
        m_table->scrollTo(m_browser->model()->index(row, 0), QAbstractItemView::PositionAtTop);
        m_table->selectRow(row);
    });
    connect(model, &models::KeyTableModel::modelReset, this, &KeysPage::updateState);
    connect(model, &models::KeyTableModel::rowsInserted, this, &KeysPage::updateState);
    connect(model, &models::KeyTableModel::rowsRemoved, this, &KeysPage::updateState);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &KeysPage::onSelection);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &KeysPage::onSelection);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, &KeysPage::visibleRowsChanged);
    connect(m_table->horizontalHeader(), &QHeaderView::customContextMenuRequested, this, &KeysPage::columnMenu);
    connect(m_table, &QTableView::customContextMenuRequested, this, &KeysPage::tableMenu);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionMoved, this, &KeysPage::rememberColumns);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, &KeysPage::rememberColumns);
    auto *copyAction = new QAction(tr("Copy"), m_table);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copyAction, &QAction::triggered, this, [this] { copy(models::CopyFormat::Tsv); });
    m_table->addAction(copyAction);
    auto *toggle = new QAction(tr("Show or hide the detail"), m_table);
    toggle->setShortcut(QKeySequence(Qt::Key_Space));
    toggle->setShortcutContext(Qt::WidgetShortcut);
    connect(toggle, &QAction::triggered, this, &KeysPage::toggleDetail);
    m_table->addAction(toggle);
    auto *stop = new QAction(tr("Stop what is running"), m_table);
    stop->setShortcut(QKeySequence(Qt::Key_Escape));
    stop->setShortcutContext(Qt::WidgetShortcut);
    connect(stop, &QAction::triggered, m_browser, &models::KeyBrowserController::cancel);
    m_table->addAction(stop);
}

void KeysPage::refillTargets()
{
    const QString current = m_browser->hasTarget() ? m_browser->target().profile.name : QString();
    const QSignalBlocker blocker(m_targets);
    m_targets->clear();
    for (const models::TargetEntry &entry : m_connection->targets()) {
        m_targets->addItem(models::displayText(entry.target.profile.relation + u" – "_s + entry.target.profile.title, 90), entry.target.profile.name);
    }
    m_targets->setCurrentIndex(m_targets->findData(current));
    if (m_connection->targets().isEmpty()) {
        m_targets->setPlaceholderText(tr("No table"));
    }
    if (!m_browser->hasTarget() && !m_connection->targets().isEmpty()) {
        showTarget(m_connection->targets().first().target.profile.name, {});
    }
    updateState();
}

void KeysPage::refillOrders()
{
    const QSignalBlocker blocker(m_orders);
    m_orders->clear();
    const auto orders = m_browser->orders();
    for (const models::OrderOption &order : orders) {
        m_orders->addItem(order.indexServes ? order.title : tr("%1 (slow: no index)").arg(order.title), order.label);
    }
    const QString order = m_browser->order();
    const QString label = order.startsWith(u'-') ? order.mid(1) : order;
    m_orders->setCurrentIndex(label.isEmpty() ? 0 : m_orders->findData(label));
}

void KeysPage::showTarget(const QString &profileName, const QString &filterText)
{
    const models::TargetEntry *entry = m_connection->target(profileName);
    if (entry == nullptr) {
        return;
    }
    if (!m_browser->hasTarget() || m_browser->target().profile.name != profileName) {
        m_browser->setTarget(entry->target, filterText);
        m_filter->retarget();
    } else {
        m_filter->setText(filterText);
    }
    const QSignalBlocker blocker(m_targets);
    m_targets->setCurrentIndex(m_targets->findData(profileName));
}

void KeysPage::onTargetChanged()
{
    m_detail->clear();
    if (m_browser->hasTarget()) {
        m_detail->setTarget(m_browser->target());
    }
    refillOrders();
    restoreColumns();
    m_filter->retarget();
    updateState();
}

QString KeysPage::layoutId() const
{
    return u"keys/columns/"_s + (m_browser->hasTarget() ? m_browser->target().profile.name : QString());
}

void KeysPage::restoreColumns()
{
    m_restoring = true;
    const auto &columns = m_browser->model()->columns();
    auto *keyDelegate = m_table->findChild<KeyDelegate *>();
    if (keyDelegate == nullptr) {
        keyDelegate = new KeyDelegate(m_table);
    }
    auto *stateDelegate = m_table->findChild<StateDelegate *>();
    if (stateDelegate == nullptr) {
        stateDelegate = new StateDelegate(m_table);
    }
    for (int i = 0; i < columns.size(); ++i) {
        const models::KeyColumnSpec &spec = columns[i];
        m_table->setItemDelegateForColumn(i, spec.column == models::KeyColumn::State ? static_cast<QAbstractItemDelegate *>(stateDelegate)
                : spec.monospace                                                     ? keyDelegate
                                                                                     : nullptr);
        m_table->setColumnWidth(i, spec.width);
        m_table->setColumnHidden(i, !spec.visible);
    }
    const QByteArray state = m_settings->layout(layoutId());
    if (!state.isEmpty()) {
        m_table->horizontalHeader()->restoreState(state);
        m_table->horizontalHeader()->setSectionsMovable(true);
    }
    m_restoring = false;
}

void KeysPage::rememberColumns()
{
    if (!m_restoring && m_browser->hasTarget()) {
        m_settings->setLayout(layoutId(), m_table->horizontalHeader()->saveState());
    }
}

void KeysPage::columnMenu(const QPoint &place)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto &columns = m_browser->model()->columns();
    for (int i = 0; i < columns.size(); ++i) {
        QAction *action = menu->addAction(models::displayText(columns[i].title, 60).replace(u'&', u"&&"_s));
        action->setCheckable(true);
        action->setChecked(!m_table->isColumnHidden(i));
        connect(action, &QAction::toggled, this, [this, i](bool shown) {
            m_table->setColumnHidden(i, !shown);
            rememberColumns();
        });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this, [this] {
        m_settings->setLayout(layoutId(), {});
        restoreColumns();
    });
    menu->popup(m_table->horizontalHeader()->mapToGlobal(place));
}

void KeysPage::tableMenu(const QPoint &place)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool some = m_table->selectionModel()->hasSelection();
    const std::pair<QString, models::CopyFormat> entries[] = { { tr("Copy as text"), models::CopyFormat::Text },
        { tr("Copy as table (TSV)"), models::CopyFormat::Tsv }, { tr("Copy as JSON"), models::CopyFormat::Json },
        { tr("Copy as SQL"), models::CopyFormat::Sql } };
    for (const auto &[text, format] : entries) {
        QAction *action = menu->addAction(text);
        action->setEnabled(some);
        connect(action, &QAction::triggered, this, [this, format = format] { copy(format); });
    }
    menu->popup(m_table->viewport()->mapToGlobal(place));
}

void KeysPage::copy(models::CopyFormat format)
{
    const auto records = m_browser->selectedRecords();
    if (!records.isEmpty()) {
        QGuiApplication::clipboard()->setText(
            models::copyRecords(format, records, m_browser->target(), m_browser->model()->timeFormat()));
    }
}

void KeysPage::onSelection()
{
    if (m_selecting) {
        return;
    }
    QList<int> rows;
    const auto selected = m_table->selectionModel()->selectedRows();
    for (const QModelIndex &index : selected) {
        rows += index.row();
    }
    m_browser->setSelection(rows);
    if (const auto record = m_browser->model()->record(m_table->currentIndex().row()); record && !rows.isEmpty()) {
        m_detail->show(*record);
    } else if (rows.isEmpty()) {
        m_detail->clear();
    }
}

void KeysPage::visibleRowsChanged()
{
    const int first = m_table->rowAt(0);
    const int last = m_table->rowAt(m_table->viewport()->height() - 1);
    if (first >= 0) {
        m_browser->setVisibleRows(first, last >= 0 ? last : m_browser->model()->rowCount() - 1);
    }
}

void KeysPage::onStatus()
{
    visibleRowsChanged();
    emit statusChanged();
}

QString KeysPage::positionText() const
{
    return m_browser->hasTarget() ? m_browser->status().rowsText : QString();
}

void KeysPage::updateState()
{
    if (const auto error = m_browser->error()) {
        m_notice->showError(*error, tr("Retry"));
    } else {
        m_notice->clear();
    }
    const models::KeyTableModel *model = m_browser->model();
    const bool rows = model->rowCount() > 0;
    if (m_connection->database() == nullptr) {
        m_empty->show(u"connect"_s, tr("Not connected"), tr("The keys of a database appear here."), tr("Connect…"));
    } else if (!m_browser->hasTarget()) {
        m_empty->show(u"keys"_s, m_connection->targetsLoaded() ? tr("No table yet") : tr("Looking for tables"),
            tr("The console shows tables that hold idempotency keys, processed messages or outbox rows. None of the known kinds is in this database."),
            m_connection->targetsLoaded() ? tr("Add a table…") : QString());
    } else if (!rows && m_browser->error()) {
        m_empty->show(u"error"_s, tr("Nothing could be read"), tr("The message above says why."));
    } else if (!rows && model->busy()) {
        m_empty->show(u"keys"_s, tr("Reading"), tr("The first rows appear in a moment."));
    } else if (!rows && !m_browser->filter().empty()) {
        m_empty->show(u"filter"_s, tr("No key matches"), tr("No row of this table matches the filter."), tr("Clear the filter"));
    } else if (!rows) {
        m_empty->show(u"keys"_s, tr("The table is empty"), tr("Keys appear here as soon as a service writes one."));
    }
    m_stack->setCurrentWidget(rows ? static_cast<QWidget *>(m_table) : m_empty);
    m_detailPane->setEnabled(rows);
    QTimer::singleShot(0, this, &KeysPage::visibleRowsChanged);
}

void KeysPage::showCost(const sql::FilterCost &cost)
{
    m_cost->showNotice(NoticeBar::Kind::Warning, tr("No index serves this filter and order."),
        tr("The server would read about %1 rows. A narrower filter or another order is lighter for it; a running request can be cancelled with Esc.")
            .arg(models::shortCountText(cost.estimatedRows)),
        cost.plan, tr("Run anyway"), tr("Cancel"));
}

void KeysPage::setFilterText(const QString &text)
{
    m_filter->setText(text);
}

void KeysPage::focusFilter()
{
    m_filter->focusText();
}

void KeysPage::selectRow(int row)
{
    m_table->setCurrentIndex(m_browser->model()->index(row, 0));
    m_table->selectRow(row);
}

void KeysPage::toggleDetail()
{
    m_detailPane->setVisible(!m_detailPane->isVisible());
}

void KeysPage::openJump()
{
    if (m_browser->hasTarget()) {
        auto *dialog = new JumpDialog(m_browser, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        m_browser->hold();
        connect(dialog, &QDialog::finished, m_browser, &models::KeyBrowserController::release);
        dialog->open();
    }
}

void KeysPage::openExport()
{
    if (m_browser->hasTarget()) {
        m_export->choose(m_browser->target(), m_browser->filter(), m_browser->order());
    }
}

} // namespace idemdesk::ui
