// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/review/review_reader.h"
#include "models/table/headed_rows.h"
#include "models/table/row_model.h"

#include <QSet>

namespace idemdesk::models {

/// The console saw something about it, and it is still open: that is evidence, and nobody has signed it.
bool reviewUnsigned(const ReviewItem &item);

/// The questions of one table's review, by topic. Muted beneath a question stands its topic, beneath a signed answer
/// who signed it and when.
class ReviewModel final : public RowModel<ReviewModel, ReviewItem>
{
    Q_OBJECT

public:
    enum Column { Question, Answer, ColumnCount };

    explicit ReviewModel(QObject *parent = nullptr)
        : RowModel(parent)
    {
    }
    void setItems(const QList<ReviewItem> &items) { setRows(items); }

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const ReviewItem &item, int column, int role) const;
};

/// The same under a heading for how they stand, what needs a person first.
class ReviewGroups final : public HeadedRows
{
    Q_OBJECT

public:
    explicit ReviewGroups(ReviewModel *model, QObject *parent = nullptr);
    void setFolded(int group, bool folded) override;

protected:
    QList<int> groups() const override;
    int groupOf(int sourceRow) const override;
    bool folded(int group) const override { return m_folded.contains(group); }
    QVariant headingData(int group, int role) const override;

private:
    ReviewModel *m_model;
    QSet<int> m_folded;
};

} // namespace idemdesk::models
