// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/provider/open_requests_view.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/provider/provider_controller.h"
#include "models/provider/provider_words.h"
#include "ui/delegates/state_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/link_button.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kAllOpen = -1; // beside the states themselves
constexpr int kLeastRequestKeyWidth = 160; // pixels
constexpr int kMostRequestKeyWidth = 400;
constexpr int kNoteLine = 400; // characters

QList<sql::ProviderState> chosenStates(const QComboBox *box)
{
    const int state = box->currentData().toInt();
    return state == kAllOpen ? models::notSettled() : QList { static_cast<sql::ProviderState>(state) };
}

} // namespace

OpenRequestsView::OpenRequestsView(models::ConnectionController *connection, models::ProviderController *provider,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_provider(provider)
    , m_states(new QComboBox(this))
    , m_filter(new QLineEdit(this))
    , m_busy(new BusyBar(u"openRequestsBusy"_s, tr("Reading the keys"), this))
    , m_notice(new NoticeBar(this))
    , m_stack(new ContentStack(this))
    , m_table(new QTableView(this))
    , m_count(strongLabel({}, this))
    , m_reference(elidedLabel(this))
    , m_show(new QPushButton(tr("Open &key"), this))
    , m_export(new QPushButton(tr("E&xport references…"), this))
    , m_open(new LinkButton(u"openRequestsLink"_s, this))
{
    setObjectName(u"openRequestsView"_s);
    m_notice->setObjectName(u"openRequestsNotice"_s);
    m_open->setText(tr("&Open at provider"));
    setUpTable(m_table,
        { u"openRequestsTable"_s, tr("Keys that wait for the provider"), provider->list(),
            { 260, 260, 150, 156, 116, 130, 130 } },
        settings);
    setTwoLines(m_table, settings);
    m_table->setItemDelegateForColumn(
        models::OpenRequestList::Key, new TwoLineDelegate(TwoLineDelegate::First::Key, m_table));
    m_table->setItemDelegateForColumn(
        models::OpenRequestList::Reference, new TwoLineDelegate(TwoLineDelegate::First::Key, m_table));
    m_table->setItemDelegateForColumn(
        models::OpenRequestList::Provider, new TwoLineDelegate(TwoLineDelegate::First::Text, m_table));
    m_table->setItemDelegateForColumn(models::OpenRequestList::State, new StateDelegate(m_table));
    shareRoom(m_table, { models::OpenRequestList::Key, models::OpenRequestList::Reference }, kLeastRequestKeyWidth,
        kMostRequestKeyWidth);
    m_stack->setContent(m_table);
    auto *layout = tabColumn(this);
    QWidget *bar = buildBar();
    m_busy->lieBelow(bar);
    layout->addWidget(bar);
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    layout->addWidget(buildFoot());
    wire();
    sync();
}

QWidget *OpenRequestsView::buildBar()
{
    m_states->setObjectName(u"openRequestsStates"_s);
    m_states->setAccessibleName(tr("How far the request got"));
    m_states->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_states->addItem(tr("Not settled"), kAllOpen);
    for (const sql::ProviderState state : sql::kAllOf<sql::ProviderState>) {
        m_states->addItem(models::providerStateText(state), int(state));
    }
    m_filter->setObjectName(u"openRequestsFilter"_s);
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter, for example age>1h; Enter reads the keys"));
    m_filter->setClearButtonEnabled(true);
    m_count->setObjectName(u"openRequestsCount"_s);
    auto *bar = new QWidget(this);
    auto *row = barRow({ m_states, m_filter, m_count }, bar);
    row->setStretchFactor(m_filter, 1);
    return bar;
}

QWidget *OpenRequestsView::buildFoot()
{
    m_reference->setObjectName(u"openRequestsReference"_s);
    m_show->setObjectName(u"openRequestsShow"_s);
    m_export->setObjectName(u"openRequestsExport"_s);
    m_export->setToolTip(
        tr("Writes the references of all keys in this list to a file, to ask the provider about them"));
    setLook(m_export, ButtonLook::Primary);
    auto *foot = new QWidget(this);
    auto *row = barRow({ m_reference, m_open, m_show, m_export }, foot);
    row->setStretchFactor(m_reference, 1);
    return foot;
}

void OpenRequestsView::wire()
{
    connect(m_states, &QComboBox::activated, this, &OpenRequestsView::read);
    connect(m_filter, &QLineEdit::returnPressed, this, &OpenRequestsView::read);
    connect(m_notice, &NoticeBar::primaryClicked, this, &OpenRequestsView::read);
    connect(m_export, &QPushButton::clicked, this, &OpenRequestsView::askExport);
    connect(m_provider, &models::ProviderController::exported, this, [this](const models::WrittenReferences &written) {
        m_written = written;
        sync();
    });
    connect(m_provider, &models::ProviderController::exportFailed, this, [this](const sql::Error &error) {
        m_exportError = error;
        sync();
    });
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, &OpenRequestsView::syncRow);
    connect(m_show, &QPushButton::clicked, this, &OpenRequestsView::showKey);
    connect(m_table, &QTableView::activated, this, &OpenRequestsView::showKey);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &OpenRequestsView::syncRow);
    connect(m_provider->list(), &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        const sql::ProviderRow *row = m_provider->list()->row(m_table->currentIndex().row());
        m_looked = row != nullptr ? std::optional(row->record) : std::nullopt;
    });
    connect(m_provider->list(), &QAbstractItemModel::modelReset, this, &OpenRequestsView::lookAgain);
    connect(m_provider->list(), &QAbstractItemModel::dataChanged, this, &OpenRequestsView::syncRow);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else {
            m_states->setCurrentIndex(0);
            m_filter->clear();
            read();
        }
    });
    connect(m_provider, &models::ProviderController::changed, this, &OpenRequestsView::sync);
}

/// Back to the key that was looked at before others came in between.
void OpenRequestsView::lookAgain()
{
    const QList<sql::ProviderRow> &rows = m_provider->list()->rows();
    const auto again = std::find_if(rows.cbegin(), rows.cend(),
        [this](const sql::ProviderRow &row) { return m_looked && row.record.sameRow(*m_looked); });
    const int row = again == rows.cend() ? 0 : int(again - rows.cbegin());
    m_table->setCurrentIndex(m_table->model()->index(row, 0));
    syncRow();
}

void OpenRequestsView::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    m_provider->list()->setTimeFormat(format);
}

void OpenRequestsView::activate()
{
    if (!m_provider->loaded() && !m_provider->busy()) {
        read();
    }
}

void OpenRequestsView::refresh()
{
    if (m_provider->loaded()) {
        m_provider->refresh();
    } else {
        read();
    }
}

void OpenRequestsView::read()
{
    m_written.reset();
    m_exportError.reset();
    if (m_connection->database() != nullptr && m_provider->target().profile.provider) {
        m_provider->read(chosenStates(m_states), m_filter->text(), m_format.zone());
    }
}

void OpenRequestsView::showKey()
{
    if (const sql::ProviderRow *row = m_provider->list()->row(m_table->currentIndex().row())) {
        emit keyWanted(row->record.key.text);
    }
}

/// Whether the list shows too little of it.
bool OpenRequestsView::referenceIsCut(const sql::ProviderRow &row) const
{
    const int column = m_table->isColumnHidden(models::OpenRequestList::Reference) ? models::OpenRequestList::Key
                                                                                   : models::OpenRequestList::Reference;
    return QFontMetrics(Theme::monospace()).horizontalAdvance(models::cellText(row.reference)) + 2 * kCellPadding
        > m_table->columnWidth(column);
}

void OpenRequestsView::askExport()
{
    QFileDialog *dialog = saveFileDialog(this, u"openRequestsExportDialog"_s, tr("Export references"),
        u"references.csv"_s, { tr("Comma-separated values (*.csv)") });
    dialog->setLabelText(QFileDialog::Accept, tr("Export"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        m_written.reset();
        m_exportError.reset();
        m_provider->exportReferences(path);
    });
    openDialog(dialog);
}

/// What came of an export stays until something else is read.
void OpenRequestsView::showExported()
{
    const auto count = [](qint64 keys) { return int(std::min<qint64>(keys, INT_MAX)); };
    QStringList why;
    if (m_written->without > 0) {
        why += tr("%Ln key(s) have no reference yet and are left out.", nullptr, count(m_written->without));
    }
    if (!m_written->complete) {
        why += tr("Not every row could be looked at.");
    }
    m_notice->showNotice(m_written->complete ? NoticeBar::Kind::Good : NoticeBar::Kind::Warning,
        tr("%Ln reference(s) written to %1.", nullptr, count(m_written->written))
            .arg(models::displayText(m_written->path, kNoteLine)),
        why.join(u' '));
}

void OpenRequestsView::syncRow()
{
    const sql::ProviderRow *row = m_provider->list()->row(m_table->currentIndex().row());
    m_show->setEnabled(row != nullptr);
    QList<models::RowLink> links;
    QString text;
    if (row != nullptr) {
        const sql::Profile &profile = m_provider->target().profile;
        const QString name = profile.provider ? profile.provider->name : QString();
        if (const auto url = models::providerLink(profile, *row)) {
            links.append(
                { name.isEmpty() ? tr("The provider's page") : tr("%1's page", "a provider").arg(name), *url });
        }
        text = row->reference.null ? tr("No reference yet: the provider may not have been asked.")
            : referenceIsCut(*row) ? tr("Reference %1").arg(models::cellText(row->reference))
                                   : QString();
    }
    m_reference->setText(text);
    m_open->setLinks(links);
}

void OpenRequestsView::sync()
{
    m_busy->setVisible(m_provider->busy());
    QStringList notes;
    for (const QString &text : m_provider->notes()) {
        notes += models::displayText(text, kNoteLine);
    }
    if (m_provider->error()) {
        m_notice->showError(*m_provider->error(), tr("Retry"));
    } else if (m_exportError) {
        m_notice->showError(*m_exportError);
    } else if (m_written) {
        showExported();
    } else if (m_provider->loaded() && !notes.isEmpty()) {
        m_notice->showNotice(m_provider->complete() ? NoticeBar::Kind::Info : NoticeBar::Kind::Warning,
            m_provider->complete() ? tr("About this list") : tr("Not every row could be looked at."),
            notes.join(u'\n'));
    } else {
        m_notice->clear();
    }
    const int rows = m_provider->list()->rowCount();
    m_count->setText(!m_provider->loaded() ? QString()
            : m_provider->more()           ? tr("The first %Ln keys", nullptr, rows)
                                           : tr("%Ln key(s)", nullptr, rows));
    m_export->setEnabled(rows > 0 && !m_provider->exporting());
    m_table->setColumnHidden(models::OpenRequestList::Reference, m_provider->list()->keyIsReference());
    m_table->setColumnHidden(models::OpenRequestList::Amount, !m_provider->list()->anyAmount());
    m_stack->showContent(rows > 0);
    emit counted(!m_provider->loaded() ? QString()
            : m_provider->more()       ? models::countText(rows) + u'+'
                                       : models::countText(rows));
    syncEmpty();
    syncRow();
}

void OpenRequestsView::syncEmpty()
{
    EmptyState *empty = m_stack->empty();
    const bool narrowed = m_provider->filtered() || m_states->currentIndex() > 0;
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(tr("Keys whose effect at a provider is not settled appear here."));
    } else if (!m_provider->target().profile.provider) {
        empty->show(u"provider"_s, tr("No table has a provider"),
            tr("The key “provider” of a profile says where a row has the reference, and how far the request got."));
    } else if (!m_provider->loaded()) {
        empty->show(u"provider"_s, m_provider->busy() ? tr("Reading the keys") : tr("Not read"),
            tr("Keys that were asked of the provider and are not settled appear here."),
            m_provider->busy() ? QString() : tr("Read them"));
    } else if (!m_provider->complete()) {
        empty->show(u"provider"_s, tr("Nothing was found in what could be read"),
            tr("The lines above say what could not be looked at."));
    } else if (narrowed) {
        empty->show(u"filter"_s, tr("No key matches"), tr("Other keys may wait for the provider."),
            tr("Show all that is not settled"));
    } else {
        empty->show(u"done"_s, tr("No key waits for the provider"),
            tr("Every request of this table is confirmed or failed. A statement shows whether the provider agrees."));
    }
}

} // namespace idemdesk::ui
