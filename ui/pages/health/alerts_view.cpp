// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/health/alerts_view.h"

#include "models/alerts/alert_controller.h"
#include "models/alerts/alert_groups.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/runbook/runbook_table.h"
#include "models/table/item_role.h"
#include "ui/charts/sparkline.h"
#include "ui/delegates/heading_delegate.h"
#include "ui/delegates/health_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/dialogs/reason_dialog.h"
#include "ui/theme/theme.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"

#include <QDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QTableView>
#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::AlertModel;

namespace {

Badge groupBadge(int number)
{
    const models::AlertGroup group = models::AlertGroups::stateOf(number);
    const QString text = models::alertGroupLabel(group);
    switch (group) {
    case models::AlertGroup::Firing:
        return healthBadge(sql::HealthLevel::Problem, text);
    case models::AlertGroup::OverLimit:
        return healthBadge(sql::HealthLevel::Advice, text);
    case models::AlertGroup::Acknowledged:
        break;
    case models::AlertGroup::Unknown:
        return healthBadge(sql::HealthLevel::Unknown, text);
    case models::AlertGroup::Quiet:
        return healthBadge(sql::HealthLevel::Good, text);
    }
    Badge badge { text, sql::KeyState::InProgress }; // somebody is at it
    badge.tone = Token::Pending;
    return badge;
}

/// The last day of an alert's metric as a line, and its limit as a dashed one where the line comes near it.
class AlertDayDelegate final : public CellDelegate
{
public:
    using CellDelegate::CellDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        cell.text.clear(); // the highest, which is read aloud
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, option.widget);
        const QRectF place = QRectF(option.rect).adjusted(kCellPadding, 2 * kGrid, -kCellPadding, -2 * kGrid);
        const auto day = index.data(models::DayRole).value<sql::HistoryValues>();
        if (day.isEmpty()) {
            return;
        }
        paintUnsampled(painter, place, day, index.data(models::DetailRole).toString());
        const QVariant limit = index.data(models::ShareRole);
        if (!limit.isValid() || limit.toDouble() > 1) {
            paintSparkline(painter, place, day, themeColor(Token::InProgress));
            return;
        }
        const double y = place.bottom() - limit.toDouble() * place.height();
        const QRectF whole = QRectF(option.rect);
        painter->save();
        painter->setClipRect(QRectF(whole.topLeft(), QPointF(whole.right(), y)), Qt::IntersectClip);
        paintSparkline(painter, place, day, themeColor(Token::Danger)); // what is over the limit
        painter->restore();
        painter->save();
        painter->setClipRect(QRectF(QPointF(whole.left(), y), whole.bottomRight()), Qt::IntersectClip);
        paintSparkline(painter, place, day, themeColor(Token::InProgress));
        painter->restore();
        painter->save();
        painter->setPen(QPen(themeColor(Token::MutedText), 1, Qt::DashLine)); // no axis, and not as the line
        painter->drawLine(QPointF(place.left(), y), QPointF(place.right(), y));
        painter->restore();
    }

private:
    /// The hours before the first sample: nothing is known of them, which is not that nothing was.
    static void paintUnsampled(
        QPainter *painter, const QRectF &place, const sql::HistoryValues &day, const QString &text)
    {
        const auto first = std::find_if(day.cbegin(), day.cend(), [](const auto &value) { return value; });
        const auto hours = double(first - day.cbegin());
        if (hours < 1 || day.size() < 2) {
            return;
        }
        const double width = place.width() * std::min(hours / double(day.size() - 1), 1.0) - 2 * kGrid;
        const QRectF unseen(place.left(), place.top(), width, place.height());
        painter->save();
        if (painter->fontMetrics().horizontalAdvance(text) < width) {
            painter->setPen(themeColor(Token::MutedText));
            painter->drawText(unseen, Qt::AlignLeft | Qt::AlignVCenter, text);
        } else {
            painter->fillRect(
                unseen, QBrush(mixed(themeColor(Token::Base), themeColor(Token::MutedText), 0.3), Qt::BDiagPattern));
        }
        painter->restore();
    }
};

/// What is beyond its limit in the colour of danger: it is what the list is read for.
class AlertValueDelegate final : public CellDelegate
{
public:
    AlertValueDelegate(const TwoLineDelegate *lines, QObject *parent)
        : CellDelegate(parent)
        , m_lines(lines)
    {
    }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyleOptionViewItem cell = option;
        const QVariant level = index.data(models::LevelRole);
        if (level.isValid() && level.toInt() == int(sql::HealthLevel::Problem)) {
            cell.palette.setColor(QPalette::Text, themeColor(Token::Danger));
            cell.palette.setColor(QPalette::HighlightedText, themeColor(Token::Danger));
            if (index.data(models::DetailRole).toString().isEmpty()) {
                cell.font.setWeight(QFont::DemiBold);
            }
        }
        m_lines->paint(painter, cell, index);
    }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return m_lines->sizeHint(option, index);
    }

private:
    const TwoLineDelegate *m_lines;
};

} // namespace

AlertsView::AlertsView(models::ConnectionController *connection, models::AlertController *alerts,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_alerts(alerts)
    , m_summary(wrappedLabel({}, this))
    , m_notice(new NoticeBar(this))
    , m_stack(new ContentStack(this))
    , m_groups(new models::AlertGroups(alerts->model(), this))
    , m_table(new QTableView(this))
    , m_chosen(elidedLabel(this))
    , m_acknowledge(new QPushButton(this))
    , m_keys(new QPushButton(tr("Show &keys"), this))
    , m_chart(new QPushButton(tr("Show c&hart"), this))
    , m_runbook(new QPushButton(tr("Open the run&book"), this))
{
    m_summary->setObjectName(u"alertsSummary"_s);
    setUpTable(m_table,
        { u"alertsTable"_s, tr("Alerts; Enter shows the chart"), m_groups, { 140, 300, 300, 190, 160, 170, 150 } },
        settings);
    setTwoLines(m_table, settings);
    // The heading says the state, and the limit stands muted beneath the value.
    for (const int column : { AlertModel::State, AlertModel::Limit }) {
        m_table->setColumnHidden(column, true);
    }
    auto *twoLines = new TwoLineDelegate(TwoLineDelegate::First::Text, m_table);
    m_table->setItemDelegateForColumn(AlertModel::Value, new AlertValueDelegate(twoLines, m_table));
    setUpHeadings(m_table, m_groups, &groupBadge, twoLines);
    for (const int column : { AlertModel::Table, AlertModel::What }) {
        m_table->setItemDelegateForColumn(column, new HeadingDelegate(&groupBadge, twoLines, m_table));
    }
    m_table->setItemDelegateForColumn(AlertModel::Day, new AlertDayDelegate(m_table));
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(AlertModel::Day, QHeaderView::Stretch);
    syncColumns();
    m_chosen->setObjectName(u"alertChosen"_s);
    m_chosen->setFont(Theme::heading());
    m_acknowledge->setObjectName(u"alertAcknowledge"_s);
    m_keys->setObjectName(u"alertKeys"_s);
    m_chart->setObjectName(u"alertChart"_s);
    m_runbook->setObjectName(u"alertRunbook"_s);
    auto *list = new QWidget(this);
    auto *column = partColumn(list);
    column->addWidget(m_table, 1);
    auto *strip = barRow({});
    strip->addWidget(m_chosen, 1);
    for (QPushButton *button : { m_acknowledge, m_keys, m_chart, m_runbook }) {
        strip->addWidget(button);
    }
    column->addLayout(strip);
    m_stack->setContent(list);
    auto *layout = tabColumn(this);
    layout->addWidget(m_notice);
    layout->addWidget(m_summary);
    layout->addWidget(m_stack, 1);
    wire();
    sync();
    selectAgain(); // the alerts are judged whether this view is there or not
}

const models::AlertEntry *AlertsView::current() const
{
    return m_alerts->model()->row(m_groups->sourceRow(m_table->currentIndex().row()));
}

QString AlertsView::runbook() const
{
    const AlertModel::Entry *entry = current();
    const models::TargetEntry *target = entry != nullptr ? m_connection->target(entry->target) : nullptr;
    return entry == nullptr ? QString()
                            : models::runbookForMetric(entry->status.rule.metric,
                                target != nullptr ? std::optional(target->target.profile.kind) : std::nullopt);
}

void AlertsView::wire()
{
    models::AlertController *alerts = m_alerts;
    connect(alerts, &models::AlertController::changed, this, &AlertsView::sync);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &AlertsView::sync);
    connect(m_notice, &NoticeBar::primaryClicked, alerts, &models::AlertController::refresh);
    const auto chart = [this] {
        if (const AlertModel::Entry *entry = current()) {
            emit trendWanted(entry->target, entry->status.rule.metric);
        }
    };
    connect(m_table, &QTableView::activated, this, chart);
    connect(m_chart, &QPushButton::clicked, this, chart);
    connect(m_keys, &QPushButton::clicked, this, [this] {
        if (const AlertModel::Entry *entry = current()) {
            emit keysWanted(entry->target, models::alertFilter(entry->status.rule));
        }
    });
    connect(m_runbook, &QPushButton::clicked, this, [this] {
        if (const AlertModel::Entry *entry = current()) {
            emit runbookWanted(runbook(), m_connection->target(entry->target) != nullptr ? entry->target : QString());
        }
    });
    connect(m_acknowledge, &QPushButton::clicked, this, [this] {
        if (const AlertModel::Entry *entry = current(); entry != nullptr && entry->acknowledged) {
            m_alerts->withdraw(*entry);
        } else {
            askAcknowledge();
        }
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (const AlertModel::Entry *entry = current()) {
            m_chosenTarget = entry->target;
            m_chosenRule = entry->status.rule.id;
        }
        syncButtons();
    });
    connect(m_groups, &QAbstractItemModel::modelReset, this, &AlertsView::selectAgain);
}

/// Where a heading names the rule, its rows name their tables; else the table stands muted beneath its rule.
void AlertsView::syncColumns()
{
    m_table->setColumnHidden(AlertModel::Table, !m_groups->byRule());
    m_table->setColumnHidden(AlertModel::What, m_groups->byRule());
}

/// The alert that was selected stays so, under whatever heading it stands now; else the most urgent one is.
void AlertsView::selectAgain()
{
    syncColumns();
    const auto &rows = m_alerts->model()->rows();
    const auto chosen = std::find_if(rows.cbegin(), rows.cend(), [this](const AlertModel::Entry &entry) {
        return entry.target == m_chosenTarget && entry.status.rule.id == m_chosenRule;
    });
    const int kept = chosen != rows.cend() ? m_groups->rowOf(int(chosen - rows.cbegin())) : -1;
    m_table->setCurrentIndex(
        m_groups->index(kept >= 0 ? kept : std::max(0, m_groups->rowOf(0)), m_groups->headingColumn()));
    syncButtons();
}

void AlertsView::askAcknowledge()
{
    const AlertModel::Entry *entry = current();
    if (entry == nullptr) {
        return;
    }
    auto *dialog = new ReasonDialog(
        { tr("Acknowledge “%1” of %2? It counts again if it gets worse.")
                .arg(models::displayText(entry->status.rule.title), models::displayText(entry->table())),
            tr("A note (optional); it stays on this computer"), tr("Acknowledge"), false, {},
            m_connection->settings().environment, m_connection->title(), u"alertAsk"_s },
        this);
    connect(dialog, &QDialog::accepted, this,
        [this, dialog, alert = *entry] { m_alerts->acknowledge(alert, dialog->text()); });
    dialog->findChild<QLineEdit *>(u"alertAskText"_s)->installEventFilter(this);
    openDialog(dialog);
}

/// Nothing is destroyed and it can be taken back: whoever typed the note has said all, so Enter acknowledges. Where a
/// change is asked about, Enter only leads to its button.
bool AlertsView::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress || watched->objectName() != u"alertAskText"_s) {
        return QWidget::eventFilter(watched, event);
    }
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key != Qt::Key_Return && key != Qt::Key_Enter) {
        return false;
    }
    auto *dialog = qobject_cast<QDialog *>(static_cast<QWidget *>(watched)->window());
    if (dialog != nullptr && !static_cast<QKeyEvent *>(event)->isAutoRepeat()) { // the key that opened it may be held
        dialog->accept();
    }
    return true;
}

void AlertsView::syncButtons()
{
    const AlertModel::Entry *entry = current();
    const models::AlertGroup group = entry != nullptr ? entry->group() : models::AlertGroup::Quiet;
    // What the buttons beside it are about.
    m_chosen->setText(entry == nullptr
            ? QString()
            : tr("%1 · %2", "an alert, of which table")
                  .arg(models::displayText(entry->status.rule.title), models::displayText(entry->table())));
    m_chosen->setToolTip(m_chosen->text());
    const bool acknowledged = group == models::AlertGroup::Acknowledged;
    m_acknowledge->setText(acknowledged ? tr("Take back &acknowledgement") : tr("&Acknowledge…"));
    m_acknowledge->setEnabled(
        acknowledged || group == models::AlertGroup::Firing || group == models::AlertGroup::OverLimit);
    m_acknowledge->setToolTip(tr("That somebody knows of it is noted on this computer, until it ends or gets worse"));
    m_keys->setEnabled(entry != nullptr && !models::alertFilter(entry->status.rule).isEmpty());
    m_chart->setEnabled(entry != nullptr);
    m_runbook->setEnabled(!runbook().isEmpty());
}

void AlertsView::sync()
{
    if (m_alerts->error()) {
        m_notice->showError(*m_alerts->error(), tr("Retry"));
    } else if (!m_alerts->notJudged().isEmpty()) {
        const QStringList texts = models::problemTexts(m_alerts->notJudged());
        m_notice->showNotice(NoticeBar::Kind::Warning,
            tr("%n table(s) could not be read, so none of their alerts is judged.", nullptr, int(texts.size())),
            texts.constFirst(), texts.join(u'\n'));
    } else {
        m_notice->clear();
    }
    const auto &entries = m_alerts->model()->rows();
    const auto count = [&entries](sql::AlertState state) {
        return int(std::count_if(entries.cbegin(), entries.cend(),
            [state](const AlertModel::Entry &entry) { return entry.status.state == state; }));
    };
    const int unknown = count(sql::AlertState::Unknown);
    QString text = tr("%n alert(s) firing.", nullptr, count(sql::AlertState::Firing));
    if (const qsizetype known = m_alerts->firing() - m_alerts->unacknowledged(); known > 0) {
        text += u' ' + tr("%n of them acknowledged on this computer.", nullptr, int(known));
    }
    if (unknown > 0) {
        text += u' ' + tr("%n without data.", nullptr, unknown);
    }
    text += u' ' + tr("Checked each minute; the lines show hours. Limits are set under “alerts” in a table's profile.");
    syncButtons();
    m_summary->setText(text);
    m_summary->setVisible(!entries.isEmpty());
    if (m_connection->database() == nullptr) {
        m_stack->empty()->show(
            u"connect"_s, tr("Not connected"), tr("Alerts about the tables of a database appear here."));
    } else if (!m_alerts->judged()) {
        m_stack->empty()->show(u"health"_s, tr("Nothing is watched"),
            tr("Alerts are judged from samples, which are taken of registered tables."));
    }
    m_stack->showContent(!entries.isEmpty());
}

} // namespace idemdesk::ui
