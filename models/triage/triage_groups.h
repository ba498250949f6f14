// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/headed_rows.h"
#include "models/triage/triage_model.h"

namespace idemdesk::models {

/// The rows of a TriageModel under a heading for each class, those to act on first; classes may be left out. A heading
/// says how many keys it has and ticks all of them. What is left out stays selected.
class TriageGroups final : public HeadedRows
{
    Q_OBJECT

public:
    explicit TriageGroups(TriageModel *model, QObject *parent = nullptr);

    /// Of these classes alone, with headings or without.
    void setShown(const QList<TriageClass> &classes, bool headings);

protected:
    void prepare() override;
    bool headed() const override { return m_headings; }
    QList<int> groups() const override;
    int groupOf(int sourceRow) const override;
    QVariant headingData(int group, int role) const override;
    Qt::ItemFlags headingFlags(int group) const override;
    bool setHeadingData(int group, const QVariant &value, int role) override;

private:
    const TriageTally &tallyOf(int group) const;

    TriageModel *m_model;
    QList<TriageTally> m_tallies; ///< thousands of rows are counted once, not with each painting
    QList<TriageClass> m_classes;
    bool m_headings = true;
};

} // namespace idemdesk::models
