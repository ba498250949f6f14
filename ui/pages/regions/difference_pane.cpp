// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/difference_pane.h"

#include "models/format/display_text.h"
#include "models/regions/region_detail.h"
#include "models/regions/side_titles.h"
#include "ui/pages/regions/fitted_list.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/table_setup.h"

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>
#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// The names of lines are quiet where both sides say the same; in those that differ only what differs stands out.
class SideLineDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool differs = index.siblingAtColumn(models::RegionDetail::What).data(models::FailedRole).toBool();
        if (index.column() == models::RegionDetail::What || !differs) {
            QStyledItemDelegate::paint(painter, option, index);
            return;
        }
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const QString text = std::exchange(cell.text, QString());
        const QWidget *view = cell.widget;
        QStyle *style = view != nullptr ? view->style() : QApplication::style();
        const QRect area = option.rect.adjusted(kCellPadding, 1, -kCellPadding, 1);
        style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, view);
        using models::RegionDetail;
        const int other = index.column() == RegionDetail::First ? RegionDetail::Second : RegionDetail::First;
        paintParts(painter, area, cell, text, index.siblingAtColumn(other).data().toString());
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (!index.siblingAtColumn(models::RegionDetail::What).data(models::FailedRole).toBool()
            && index.column() == models::RegionDetail::What) {
            option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
        }
        option->textElideMode = Qt::ElideMiddle; // both ends of a hash tell it from others
    }

private:
    /// What both sides begin and end with in the usual weight, what is between them stands out.
    static void paintParts(QPainter *painter, const QRect &area, const QStyleOptionViewItem &cell, const QString &text,
        const QString &other)
    {
        const auto [head, tail] = sharedEnds(text, other);
        QFont strong = cell.font;
        strong.setWeight(QFont::DemiBold);
        const std::array parts { std::pair(text.left(head), cell.font),
            std::pair(text.mid(head, text.size() - head - tail), strong), std::pair(text.right(tail), cell.font) };
        painter->save();
        painter->setPen(cell.palette.color(QPalette::Text));
        QRect rest = area;
        for (const auto &[part, font] : parts) {
            const QFontMetrics metrics(font);
            painter->setFont(font);
            painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                metrics.elidedText(part, cell.textElideMode, rest.width()));
            rest.setLeft(std::min(rest.left() + metrics.horizontalAdvance(part), rest.right() + 1));
        }
        painter->restore();
    }
};

} // namespace

std::pair<qsizetype, qsizetype> sharedEnds(const QString &text, const QString &other)
{
    const qsizetype most = std::min(text.size(), other.size());
    const auto sameUpTo = [&](auto charOf) {
        qsizetype same = 0;
        while (same < most && charOf(text, same) == charOf(other, same)) {
            ++same;
        }
        while (same > 0 && same < text.size() && charOf(text, same - 1).isLetterOrNumber()) {
            --same; // a word or number is marked as a whole
        }
        return same;
    };
    const qsizetype head = sameUpTo([](const QString &of, qsizetype i) { return of.at(i); });
    const qsizetype tail = sameUpTo([](const QString &of, qsizetype i) { return of.at(of.size() - 1 - i); });
    return { head, std::min(tail, most - std::min(head, most)) };
}

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
    layout->addStretch(0);
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
    fitIfShort(m_table, int(lines.size() - (fold ? equal : 0)));
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
