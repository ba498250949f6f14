// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/headed_rows.h"
#include "models/triage/triage_model.h"

#include <QHash>

namespace idemdesk::models {

/// The rows of a TriageModel under a heading for each group, those to act on first; groups may be left out. A heading
/// says how many keys it has and ticks all of them. What is the same for each of them, or why most of them stand there,
/// it says, too, and their rows do not repeat it. What is left out stays selected.
class TriageGroups final : public HeadedRows
{
    Q_OBJECT

public:
    explicit TriageGroups(TriageModel *model, QObject *parent = nullptr);

    /// Of these groups alone, with headings or without. saysWhy: nothing else on the page does.
    void setShown(const QList<TriageGroup> &shown, bool headings, bool saysWhy = true);
    /// Every row that is shown leaves this column to its heading, or has nothing to say in it.
    bool saidAbove(int column) const;
    /// The heading above this row of the model says why, and the row does not.
    bool saidAboveRow(int sourceRow) const;
    /// Scope, attempts and owner have columns of their own: the cells do not say them beneath.
    void setApart(bool apart);

    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    void prepare() override;
    bool headed() const override { return m_headings; }
    QList<int> groups() const override;
    int groupOf(int sourceRow) const override;
    QVariant headingData(int group, int role) const override;
    Qt::ItemFlags headingFlags(int group) const override;
    bool setHeadingData(int group, const QVariant &value, int role) override;

private:
    struct Said {
        QString becomes; ///< of each; empty where they differ, but of what is too fresh any of these
        QString why; ///< of all, or of more than half; empty where there is none such, or the page says it
        int times = 0; ///< that why
        bool proposes = false; ///< for any of them
        bool more = false; ///< some row has a reason beside the one that they share
    };
    const TriageTally &tallyOf(int group) const;
    QString saidIn(int group, int column) const;
    QString whyText(int group) const; ///< behind its numbers

    TriageModel *m_model;
    QList<TriageTally> m_tallies; ///< thousands of rows are counted once, not with each painting
    QList<TriageGroup> m_shown;
    QHash<int, Said> m_said; ///< by group
    bool m_headings = true;
    bool m_saysWhy = true;
    bool m_apart = false;
};

} // namespace idemdesk::models
