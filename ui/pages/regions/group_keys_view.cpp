// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/group_keys_view.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/groups/group_keys.h"
#include "models/groups/group_overview.h"
#include "models/groups/group_session.h"
#include "sql/types/profile.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kMemberWidth = 22 * kGrid;
constexpr int kMoreScope = 16 * kGrid;

QString stuckFilter()
{
    return u"state:stuck"_s;
}

QString failedFilter()
{
    return u"state:failed_final,failed_retryable"_s;
}

Badge stuckMark()
{
    Badge badge;
    badge.state = sql::KeyState::InProgress;
    badge.stale = true;
    badge.tone = Token::Warning;
    return badge;
}

Badge failedMark()
{
    Badge badge;
    badge.state = sql::KeyState::FailedFinal;
    return badge;
}

} // namespace

GroupKeysView::GroupKeysView(models::GroupSession *session, const models::GroupOverviewModel *overview,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_overview(overview)
    , m_model(new models::GroupKeysModel(session, this))
    , m_targets(new TargetChooser(u"groupKeysTarget"_s, this))
    , m_filter(new QLineEdit(this))
    , m_notice(new NoticeBar(this))
    , m_busy(new BusyBar(u"groupKeysBusy"_s, tr("Reading the keys of all members"), this))
    , m_stack(new ContentStack(this))
    , m_table(new QTableView(this))
    , m_status(noteLabel({}, u"groupKeysStatus"_s, this))
{
    setObjectName(u"groupKeysView"_s);
    m_filter->setObjectName(u"groupKeysFilter"_s);
    m_filter->setAccessibleName(tr("Filter over all members"));
    m_filter->setPlaceholderText(tr("Filter all members, such as state:stuck"));
    m_filter->setClearButtonEnabled(true);
    m_targets->setAccessibleName(tr("Table"));
    m_notice->setObjectName(u"groupKeysNotice"_s);
    m_busy->keepItsPlace();
    setUpTable(m_table, { u"groupKeysTable"_s, tr("Keys of all members"), m_model, {} }, settings);
    m_model->setPaired(session->kind() != sql::GroupKind::Shards); // which have no key in common
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_stack->setContent(m_table);
    auto *layout = tabColumn(this);
    auto *bar = barRow({ m_targets });
    bar->addWidget(m_filter, 1);
    const auto addChip
        = [this, bar](const QString &name, const QString &text, const Badge &mark, const QString &filter) {
              auto *chip = new Chip(name, this);
              chip->setText(text);
              chip->setMark(mark);
              m_chips.append({ chip, filter });
              bar->addWidget(chip);
          };
    addChip(u"groupKeysStuck"_s, tr("Stuck"), stuckMark(), stuckFilter());
    addChip(u"groupKeysFailed"_s, tr("Failed"), failedMark(), failedFilter());
    layout->addLayout(bar);
    layout->addWidget(m_notice);
    layout->addWidget(m_busy);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_status);
    wire();
    onTargets();
    sync();
}

void GroupKeysView::wire()
{
    connect(m_filter, &QLineEdit::returnPressed, this, &GroupKeysView::ask);
    connect(m_filter, &QLineEdit::textEdited, this, [this] { m_byItself = false; });
    connect(m_filter, &QLineEdit::textChanged, this, &GroupKeysView::syncChips);
    for (const auto &[chip, filter] : std::as_const(m_chips)) {
        connect(chip, &QToolButton::clicked, this,
            [this, chosen = filter](bool on) { chooseFilter(on ? chosen : QString()); });
    }
    connect(m_targets, &TargetChooser::chosen, this, &GroupKeysView::askAtFirst);
    connect(m_notice, &NoticeBar::primaryClicked, this, &GroupKeysView::refresh);
    connect(m_session, &models::GroupSession::memberChanged, this, &GroupKeysView::onTargets);
    connect(m_model, &models::GroupKeysModel::changed, this, &GroupKeysView::sync);
    connect(m_model, &QAbstractItemModel::modelReset, this, &GroupKeysView::setUpColumns);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &GroupKeysView::lookForValues);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) { open(index.row()); });
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] { chooseFilter({}); });
}

void GroupKeysView::onTargets()
{
    m_targets->refill(m_session->eachTarget(), m_model->target());
    if (m_model->target().isEmpty() && isVisible()) {
        activate();
    }
    sync();
}

void GroupKeysView::activate()
{
    bool opening = false;
    for (int member = 0; member < m_session->size(); ++member) {
        opening = opening || m_session->state(member) == models::GroupSession::MemberState::Opening;
    }
    // Not before each member has answered or failed: the list would begin without the slower ones.
    if (m_model->target().isEmpty() && !m_targets->target().isEmpty() && !opening) {
        askAtFirst();
    }
}

void GroupKeysView::chooseFilter(const QString &filter)
{
    m_byItself = false;
    m_filter->setText(filter);
    ask();
}

/// Only what was counted is looked for: where no index serves, that may be a scan of the whole table in each member.
void GroupKeysView::askAtFirst()
{
    if (m_byItself) {
        m_filter->setText(m_overview->seesStuck(m_targets->target()) ? stuckFilter() : QString());
    }
    ask();
}

bool GroupKeysView::foundNoStuck() const
{
    return m_byItself && m_model->rowCount() == 0 && m_model->complete() && m_model->filter() == stuckFilter();
}

void GroupKeysView::askForAll()
{
    if (foundNoStuck()) { // still
        m_filter->clear();
        ask();
    }
}

void GroupKeysView::syncChips()
{
    for (const auto &[chip, filter] : std::as_const(m_chips)) {
        chip->setChecked(m_filter->text().trimmed() == filter);
    }
}

void GroupKeysView::ask()
{
    if (m_targets->target().isEmpty()) {
        return;
    }
    m_notice->clear();
    if (const auto asked = m_model->ask(m_targets->target(), m_filter->text()); !asked) {
        m_notice->showError(asked.error());
    }
}

void GroupKeysView::refresh()
{
    for (int member = 0; member < m_session->size(); ++member) {
        if (!m_session->answered(member)) {
            m_session->refresh(member);
        }
    }
    m_model->target().isEmpty() ? activate() : m_model->refresh();
}

void GroupKeysView::setTimeFormat(const models::TimeFormat &format)
{
    m_model->setTimeFormat(format);
}

void GroupKeysView::setUpColumns()
{
    m_looked = 0;
    m_filled.clear();
    for (int column = 1; column < m_model->columnCount(); ++column) {
        const models::KeyColumnSpec &spec = m_model->columns().at(column - 1);
        m_table->setItemDelegateForColumn(column,
            spec.column == models::KeyColumn::State ? static_cast<CellDelegate *>(new StateDelegate(m_table))
                : spec.monospace                    ? static_cast<CellDelegate *>(new KeyDelegate(m_table))
                                                    : new CellDelegate(m_table));
    }
    if (m_model->columnCount() > 0) {
        m_table->setColumnWidth(models::GroupKeysModel::kMemberColumn, kMemberWidth);
    }
    fitColumns();
}

/// Rows that came: a column that says nothing in any of them has no room, until one does.
void GroupKeysView::lookForValues()
{
    const qsizetype before = m_filled.size();
    const bool first = m_looked == 0;
    for (; m_looked < m_model->rowCount(); ++m_looked) {
        for (int column = 1; column < m_model->columnCount(); ++column) {
            if (!m_filled.contains(column) && !m_model->index(m_looked, column).data().toString().isEmpty()) {
                m_filled += column;
            }
        }
    }
    if (first || m_filled.size() != before) {
        fitColumns();
    }
}

bool GroupKeysView::isEmpty(int column) const
{
    return m_looked > 0 && !m_filled.contains(column);
}

/// Where there is little room, what matters least goes first; the key and its state stay.
void GroupKeysView::fitColumns()
{
    const QList<models::KeyColumnSpec> &specs = m_model->columns();
    QList<bool> shown;
    QList<int> widths; // not what the columns have now: the last that is shown is stretched
    int width = kMemberWidth + m_table->verticalScrollBar()->sizeHint().width();
    for (qsizetype i = 0; i < specs.size(); ++i) {
        const int column = int(i) + 1;
        const int badge = specs.at(i).column == models::KeyColumn::State ? stateWidth() : 0;
        widths += std::max({ specs.at(i).width, badge, leastColumnWidth(m_table, column) });
        m_table->setColumnHidden(column, false);
        m_table->setColumnWidth(column, widths.constLast());
        shown += specs.at(i).visible && !isEmpty(column);
        width += shown.constLast() ? widths.constLast() : 0;
    }
    while (width > m_stack->width()) { // not the table's own: it is not laid out before it is first shown
        qsizetype least = -1;
        for (qsizetype i = 0; i < specs.size(); ++i) {
            const bool goes = shown.at(i) && specs.at(i).rank > 0;
            least = goes && (least < 0 || specs.at(i).rank >= specs.at(least).rank) ? i : least;
        }
        if (least < 0) {
            break;
        }
        shown[least] = false;
        width -= widths.at(least);
    }
    for (qsizetype i = 0; i < specs.size(); ++i) {
        m_table->setColumnHidden(int(i) + 1, !shown.at(i));
    }
    giveRoom(widths, m_stack->width() - width - 2 * m_table->frameWidth());
}

/// What room is left goes to what names a key: a little to its scope, and the rest to the key itself.
void GroupKeysView::giveRoom(const QList<int> &widths, int room)
{
    const QList<models::KeyColumnSpec> &specs = m_model->columns();
    for (qsizetype i = 0; i < specs.size() && room > 0; ++i) {
        const bool scope = specs.at(i).column == models::KeyColumn::ScopePart;
        if ((scope || specs.at(i).column == models::KeyColumn::Key) && !m_table->isColumnHidden(int(i) + 1)) {
            const int more = scope ? std::min(room / 4, kMoreScope) : room;
            m_table->setColumnWidth(int(i) + 1, widths.at(i) + more);
            room -= more;
        }
    }
}

/// The longest text that the badge of a state has.
int GroupKeysView::stateWidth() const
{
    int width = 0;
    for (const sql::KeyState state : sql::kAllStates) {
        Badge badge;
        badge.text = tr("%1, expired").arg(models::stateLabel(state));
        width = std::max(width, badgeWidth(badge, m_table->font()) + 3 * kGrid);
    }
    return width;
}

void GroupKeysView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    QMetaObject::invokeMethod(this, &GroupKeysView::fitColumns, Qt::QueuedConnection); // the table has its width later
}

void GroupKeysView::open(int row)
{
    if (const models::GroupKeysModel::Row *of = m_model->row(row)) {
        emit keyWanted(of->member, m_model->target(), m_model->filterOf(row));
    }
}

/// As the heading of the column calls it, where it shows one; else the profile's own name.
QString GroupKeysView::orderWords(const QString &order) const
{
    for (int member = 0; member < m_session->size() && order.contains(u'_'); ++member) {
        const models::TargetEntry *entry = m_session->target(member, m_model->target());
        for (const models::KeyColumnSpec &spec :
            entry != nullptr ? m_model->columns() : QList<models::KeyColumnSpec>()) {
            const QString label = models::orderOf(spec, entry->target.profile);
            if (label == order || label == u'-' + order) {
                return spec.title.toLower();
            }
        }
    }
    return order;
}

void GroupKeysView::sync()
{
    const int rows = m_model->rowCount();
    if (foundNoStuck()) { // it is done, or it could not be looked for: nobody asked for that alone
        QMetaObject::invokeMethod(this, &GroupKeysView::askForAll, Qt::QueuedConnection); // not while it is answered
        return;
    }
    m_busy->setVisible(m_model->busy());
    m_stack->showContent(rows > 0 || m_model->busy());
    const QStringList notes = m_model->notes();
    const bool asked = !m_model->target().isEmpty();
    const QString answered = tr("%1 of %2 members answered.").arg(m_model->answered()).arg(m_model->asked());
    if (asked && !notes.isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Warning,
            m_model->answered() < m_model->asked() ? answered + u' ' + tr("Keys of the others are missing.")
                                                   : tr("Some members have notes."),
            notes.join(u'\n'), {}, tr("Read again"));
    } else if (asked && m_model->filter() == m_filter->text()) {
        m_notice->clear();
    }
    if (rows == 0 && !m_model->busy()) {
        const bool filtered = asked && !m_model->filter().isEmpty();
        m_stack->empty()->show(u"keys"_s,
            !asked                         ? tr("No table yet")
                : m_model->answered() == 0 ? tr("No member answered")
                : filtered                 ? tr("No key fits the filter")
                                           : tr("No keys"),
            !asked ? tr("The keys of all members come here once one of them has answered.") : answered,
            filtered && m_model->answered() > 0 ? tr("Clear the filter") : QString());
    }
    QStringList said;
    if (asked && rows > 0) {
        said += tr("%n key(s) read", nullptr, rows);
        said += m_model->complete() ? tr("no more follow") : tr("more follow as you scroll");
        const QString order = m_model->orderUsed();
        const bool falls = order.startsWith(u'-');
        const bool time = m_model->orderIsTime();
        said += (falls ? (time ? tr("by %1, latest first") : tr("by %1, highest first"))
                       : (time ? tr("by %1, earliest first") : tr("by %1")))
                    .arg(models::displayText(orderWords(falls ? order.mid(1) : order)));
    }
    said += asked ? answered : QString();
    m_status->setText(said.join(u" · "_s));
}

} // namespace idemdesk::ui
