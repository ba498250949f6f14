// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/members_view.h"

#include "models/groups/group_desk.h"
#include "models/groups/group_overview.h"
#include "models/groups/group_session.h"
#include "models/table/item_role.h"
#include "ui/delegates/count_delegate.h"
#include "ui/pages/incident/state_share.h"
#include "ui/pages/incident/table_delegates.h"
#include "ui/pages/regions/fitted_list.h"
#include "ui/pages/regions/member_card.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/table_setup.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

using Overview = models::GroupOverviewModel;

constexpr int kCardsBeside = 4;
constexpr int kTableName = 54 * kGrid;
constexpr int kStates = 32 * kGrid;
constexpr int kNumber = 16 * kGrid;

/// The keys of a table in one member as a bar; where there is none, why.
class MemberStatesDelegate final : public QStyledItemDelegate
{
public:
    explicit MemberStatesDelegate(QObject *parent)
        : QStyledItemDelegate(parent)
        , m_bar(new StateBarDelegate(this))
    {
    }
    StateBarDelegate *bar() const { return m_bar; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        if (hasBar(index)) {
            m_bar->paint(painter, option, index);
        } else {
            QStyledItemDelegate::paint(painter, option, index);
        }
    }
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
        const QModelIndex &index) override
    {
        return hasBar(index) ? m_bar->helpEvent(event, view, option, index)
                             : QStyledItemDelegate::helpEvent(event, view, option, index);
    }
    bool editorEvent(
        QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option, const QModelIndex &index) override
    {
        return hasBar(index) && m_bar->editorEvent(event, model, option, index);
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
    }

private:
    static bool hasBar(const QModelIndex &index)
    {
        return !index.data(models::SharesRole).value<QList<models::StateShare>>().isEmpty();
    }

    StateBarDelegate *m_bar;
};

} // namespace

MembersView::MembersView(models::GroupDesk *desk, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_session(desk->session())
    , m_model(new Overview(m_session, this))
    , m_total(strongLabel({}, this))
    , m_legend(new StateLegend(this))
    , m_table(new QTableView(this))
{
    setObjectName(u"membersView"_s);
    m_total->setObjectName(u"membersTotal"_s);
    setUpTable(m_table, { u"membersTable"_s, tr("Tables in each member"), m_model, {} }, settings);
    setUpColumns();
    auto *layout = tabColumn(this);
    layout->addWidget(buildCards());
    auto *head = new QWidget(this);
    QLabel *scale = plainLabel(tr("bars not to scale"), head);
    scale->setObjectName(u"membersScale"_s);
    scale->setForegroundRole(QPalette::PlaceholderText);
    scale->setToolTip(tr("A small share is drawn wider than it is, so that it is seen."));
    barRow({ m_total, m_legend, scale, nullptr }, head);
    layout->addWidget(head);
    layout->addWidget(m_table, 1);
    layout->addStretch(0);
    connect(m_table, &QTableView::activated, this, &MembersView::openCell);
    connect(m_model, &Overview::changed, this, &MembersView::sync);
    connect(m_session, &models::GroupSession::memberChanged, this, &MembersView::sync);
    connect(m_desk, &models::GroupDesk::currentChanged, this, &MembersView::sync);
    sync();
}

QWidget *MembersView::buildCards()
{
    auto *cards = new QWidget(this);
    auto *grid = new QGridLayout(cards); // all of one height
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(2 * kGrid);
    cards->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // room that is left stays beneath the list
    for (int member = 0; member < m_session->size(); ++member) {
        auto *card = new MemberCard(m_session, member, cards);
        grid->addWidget(card, member / kCardsBeside, member % kCardsBeside);
        grid->setColumnStretch(member % kCardsBeside, 1);
        connect(card, &MemberCard::retryClicked, this, [this, member] { m_session->refresh(member); });
        connect(card, &MemberCard::showClicked, this, [this, member] { emit memberWanted(member); });
        m_cards += card;
    }
    return cards;
}

void MembersView::setUpColumns()
{
    auto *states = new MemberStatesDelegate(m_table);
    auto *counts = new CountDelegate(m_table);
    auto *quiet = new QuietNumberDelegate(m_table);
    QHeaderView *header = m_table->horizontalHeader();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(kNumber);
    header->resizeSection(0, kTableName);
    for (int member = 0; member < m_session->size(); ++member) {
        const int bar = Overview::columnOf(member, Overview::States);
        const int stuck = Overview::columnOf(member, Overview::Stuck);
        const int keys = Overview::columnOf(member, Overview::Keys);
        m_table->setItemDelegateForColumn(bar, states);
        m_table->setItemDelegateForColumn(stuck, counts);
        m_table->setItemDelegateForColumn(keys, quiet);
        header->resizeSection(bar, kStates);
        header->setSectionResizeMode(bar, QHeaderView::Stretch);
        header->resizeSection(stuck, kNumber);
        header->resizeSection(keys, kNumber);
    }
    connect(
        states->bar(), &StateBarDelegate::shareClicked, this, [this](const QModelIndex &index, const QString &filter) {
            emit keysWanted(Overview::memberOf(index.column()), index.data(models::TargetNameRole).toString(), filter);
        });
}

void MembersView::openCell(const QModelIndex &index)
{
    const int member = index.column() > 0 ? Overview::memberOf(index.column()) : m_desk->current();
    if (member >= 0) {
        emit keysWanted(
            member, index.data(models::TargetNameRole).toString(), index.data(models::FilterTextRole).toString());
    }
}

void MembersView::refresh()
{
    for (int member = 0; member < m_session->size(); ++member) {
        if (!m_session->answered(member)) {
            m_session->refresh(member);
        }
    }
    recount();
}

void MembersView::recount()
{
    m_model->refresh();
}

void MembersView::showWays(const models::ReplicationList &ways)
{
    for (MemberCard *card : std::as_const(m_cards)) {
        card->showWays(ways);
    }
}

void MembersView::sync()
{
    for (int member = 0; member < m_session->size(); ++member) {
        m_cards.at(member)->sync(member == m_desk->current());
    }
    m_total->setText(m_model->total());
    fitIfShort(m_table, m_model->rowCount());
    m_legend->setShares(m_model->shares());
}

} // namespace idemdesk::ui
