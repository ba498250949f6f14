// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/difference_pane.h"

#include "models/format/display_text.h"
#include "models/regions/region_detail.h"
#include "models/regions/side_titles.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// Lines that differ stand out, those that do not are quiet.
class SideLineDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const bool differs = index.siblingAtColumn(models::RegionDetail::What).data(models::FailedRole).toBool();
        if (differs) {
            option->font.setWeight(QFont::DemiBold);
        } else if (index.column() == models::RegionDetail::What) {
            option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
        }
        option->textElideMode = Qt::ElideMiddle; // both ends of a hash tell it from others
    }
};

} // namespace

Badge differenceBadge(models::DifferenceGroup group)
{
    Badge badge;
    if (!group) {
        badge.state = sql::KeyState::InProgress;
        badge.tone = Token::Pending;
        return badge;
    }
    switch (*group) {
    case models::DifferenceKind::Results:
        badge.state = sql::KeyState::FailedFinal;
        badge.stale = true; // the triangle of what needs somebody
        badge.tone = Token::Danger;
        break;
    case models::DifferenceKind::Fingerprint:
        badge.state = sql::KeyState::FailedFinal;
        break;
    case models::DifferenceKind::Missing:
    case models::DifferenceKind::State:
        badge.state = sql::KeyState::FailedRetryable;
        badge.tone = Token::Warning;
        break;
    case models::DifferenceKind::Answers:
        badge.state = sql::KeyState::Pending;
        break;
    case models::DifferenceKind::Rows:
        badge.state = sql::KeyState::Unknown;
        break;
    }
    return badge;
}

DifferencePane::DifferencePane(models::RegionDetail *detail, QWidget *parent)
    : QWidget(parent)
    , m_detail(detail)
    , m_lines(new models::SideTitles(detail, models::RegionDetail::First, this))
    , m_badge(new BadgeView(u"differenceBadge"_s, this))
    , m_key(elidedLabel(this))
    , m_proposal(readableLabel(u"differenceProposal"_s, this))
    , m_table(new QTableView(this))
    , m_equal(new QPushButton(this))
    , m_note(noteLabel({}, u"differenceNote"_s, this))
    , m_show { new QPushButton(this), new QPushButton(this) }
{
    setObjectName(u"differencePane"_s);
    m_key->setObjectName(u"differenceKey"_s);
    m_key->setFont(Theme::monospace());
    setUpSmallTable(
        m_table, { u"differenceLines"_s, tr("Both sides of the key, line by line"), m_lines, { 190, 300, 300 } });
    m_table->setItemDelegate(new SideLineDelegate(m_table));
    for (const int side : { models::RegionDetail::First, models::RegionDetail::Second }) {
        m_table->horizontalHeader()->setSectionResizeMode(side, QHeaderView::Stretch);
    }
    auto *head = barRow({ m_badge });
    head->addWidget(m_key, 1);
    head->addWidget(m_equal);
    for (int side = 0; side < 2; ++side) {
        QPushButton *button = m_show.at(std::size_t(side));
        button->setObjectName(u"differenceShow%1"_s.arg(side));
        head->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, side] { emit keyWanted(side); });
    }
    auto *layout = lowerColumn(this);
    layout->addLayout(head);
    layout->addWidget(m_proposal);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_note);
    m_equal->setObjectName(u"differenceEqual"_s);
    m_equal->setCheckable(true);
    connect(m_equal, &QPushButton::toggled, this, &DifferencePane::foldEqual);
    connect(m_lines, &QAbstractItemModel::modelReset, this, &DifferencePane::foldEqual);
    connect(detail, &models::RegionDetail::changed, this, &DifferencePane::sync);
    show(nullptr, {});
}

void DifferencePane::show(const models::RegionDifference *difference, const std::array<QString, 2> &labels)
{
    m_badge->setVisible(difference != nullptr);
    if (difference == nullptr) {
        m_key->clear();
        m_proposal->setText(tr("Select a key to see both sides."));
        m_detail->clear();
    } else {
        Badge badge = differenceBadge(models::RegionList::groupOf(*difference));
        badge.text = models::groupText(models::RegionList::groupOf(*difference));
        m_badge->setBadge(badge);
        m_key->setText(models::displayText(difference->record().key.text));
        const QString rule = difference->onItsWay
            ? tr("It may only be late. If it stays: %1").arg(models::ruleText(*difference, labels))
            : models::ruleText(*difference, labels);
        m_proposal->setText(models::displayText(models::differenceText(difference->kind) + u". "_s + rule, 1'000));
        m_lines->setLabels(labels);
        m_detail->show(*difference);
    }
    for (std::size_t side = 0; side < m_show.size(); ++side) {
        QPushButton *button = m_show.at(side);
        button->setVisible(difference != nullptr);
        button->setText(tr("Show in %1").arg(models::displayText(labels.at(side), 20)));
        button->setEnabled(difference != nullptr && !difference->rows.at(side).isEmpty());
        button->setToolTip(button->isEnabled() ? QString() : tr("This side does not have the key."));
    }
    m_table->setVisible(difference != nullptr);
}

void DifferencePane::foldEqual()
{
    const QList<models::SideLine> &lines = m_detail->rows();
    const auto equal
        = std::count_if(lines.cbegin(), lines.cend(), [](const models::SideLine &line) { return !line.differs; });
    const bool fold = !m_equal->isChecked() && equal < lines.size();
    for (qsizetype row = 0; row < lines.size(); ++row) {
        m_table->setRowHidden(int(row), fold && !lines.at(row).differs);
    }
    m_equal->setText(m_equal->isChecked() ? tr("Hide %n equal line(s)", nullptr, int(equal))
                                          : tr("Show %n equal line(s)", nullptr, int(equal)));
    m_equal->setVisible(equal > 0 && equal < lines.size());
}

void DifferencePane::sync()
{
    QStringList notes;
    for (const QString &note : m_detail->notes()) {
        notes += models::displayText(note, 400);
    }
    m_note->setText(notes.join(u'\n'));
    m_note->setVisible(!notes.isEmpty());
}

} // namespace idemdesk::ui
