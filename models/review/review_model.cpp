// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/review/review_model.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

bool reviewUnsigned(const ReviewItem &item)
{
    return item.stand == ReviewStand::Open && !item.seen.isEmpty() && !item.answer;
}

std::span<const ReviewModel::ColumnSpec> ReviewModel::columns()
{
    using Model = ReviewModel;
    using Row = ReviewItem;
    static const ColumnSpec specs[] = {
        { .title = [] { return tr("Question"); },
            .text = [](const Model &, const Row &row) { return row.question->text(); } },
        { .title = [] { return tr("Answer"); },
            .text =
                [](const Model &, const Row &row) {
                    return row.byPerson()           ? row.answer->said.note
                        : row.changed               ? tr("Changed since it was signed. %1").arg(row.seen)
                        : !row.seen.isEmpty()       ? row.seen
                        : row.level == std::nullopt ? u"–"_s
                                                    : QString();
                } },
    };
    return specs;
}

QVariant ReviewModel::itemData(const ReviewItem &item, int column, int role) const
{
    const bool none = column == Answer && !item.answer && item.seen.isEmpty() && item.level == std::nullopt;
    if (role == Qt::AccessibleTextRole && none) {
        return tr("Unanswered");
    }
    if (role == DetailRole && column == Answer && reviewUnsigned(item)) {
        return tr("Evidence, not signed");
    }
    if (role != DetailRole || (column == Answer && !item.answer)) {
        return {};
    }
    return column == Question
        ? reviewTopicTitle(item.question->topic)
        : tr("%1, %2", "who signed, and when").arg(item.answer->who, timeFormat().text(item.answer->at));
}

ReviewGroups::ReviewGroups(ReviewModel *model, QObject *parent)
    : HeadedRows(model, ReviewModel::Question, parent)
    , m_model(model)
{
    rebuild();
}

void ReviewGroups::setFolded(int group, bool folded)
{
    folded ? void(m_folded.insert(group)) : void(m_folded.remove(group));
    rebuild();
}

QList<int> ReviewGroups::groups() const
{
    QList<int> groups;
    for (const ReviewStand stand : sql::kAllOf<ReviewStand>) {
        const auto &rows = m_model->rows();
        if (std::any_of(rows.cbegin(), rows.cend(), [stand](const ReviewItem &item) { return item.stand == stand; })) {
            groups += int(stand);
        }
    }
    return groups;
}

int ReviewGroups::groupOf(int sourceRow) const
{
    return int(m_model->rows().at(sourceRow).stand);
}

QVariant ReviewGroups::headingData(int group, int role) const
{
    const auto stand = static_cast<ReviewStand>(group);
    const auto &rows = m_model->rows();
    const int count = int(
        std::count_if(rows.cbegin(), rows.cend(), [stand](const ReviewItem &item) { return item.stand == stand; }));
    const QString text = stand == ReviewStand::Gap ? tr("%n question(s) have a gap", nullptr, count)
        : stand == ReviewStand::Open               ? tr("%n question(s) wait for an answer", nullptr, count)
        : stand == ReviewStand::Settled            ? tr("%n question(s) are settled", nullptr, count)
                                                   : tr("%n question(s) do not apply", nullptr, count);
    return foldingData(group, role, text, text);
}

} // namespace idemdesk::models

#include "moc_review_model.cpp"
