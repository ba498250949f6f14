// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "models/triage/triage_rules.h"

#include <QSet>

namespace idemdesk::models {

/// One key with its judgement.
struct TriageRow {
    sql::TriageFacts facts;
    TriageJudgement judgement;
    bool may = false; ///< may be part of the action
    bool checked = false;
    bool fresh = false; ///< stuck for so little that its worker may be finishing: only taken by itself
};

/// How the keys stand together, those to act on first: by class, but apart what is too fresh to be taken with others.
enum class TriageGroup { SafeToRetry, EffectHappened, Abandoned, TooFresh, NeedsReview, Running };
TriageGroup triageGroupOf(const TriageRow &row);
QString triageGroupName(TriageGroup group); ///< as the class is called, or "too_fresh"
QString triageGroupLabel(TriageGroup group); ///< "Safe to retry"

/// One group of the keys shown, in numbers.
struct TriageTally {
    TriageGroup group = TriageGroup::NeedsReview;
    int keys = 0;
    int may = 0; ///< may be part of a bulk action
    int together = 0; ///< of those, are selected with all others
    int open = 0; ///< of these, are not selected
    int checked = 0;
    QString whyNot; ///< what keeps most of the others out; safe to show
};

/// Keys with what is known about them, one a row: who may act on which is the check mark of the first column. Only keys
/// that may go in bulk can be checked. They stand by their groups, those to act on first.
class TriageModel final : public RowModel<TriageModel, TriageRow>
{
    Q_OBJECT

public:
    enum Column { Pick, Class, Key, StaleFor, Scope, State, Proposed, Attempts, Owner, Why, ColumnCount };
    using Row = TriageRow;

    explicit TriageModel(QObject *parent = nullptr);
    /// A key is checked where its row comes checked, as those do that a person picked elsewhere, or where the person
    /// checked it in the reading before. What they took out stays out.
    void setJudged(const QList<Row> &rows, const sql::Timestamp &now);
    void clear(); ///< also forgets what was checked and taken out: another table or another verb comes
    /// Those that are stuck for only a moment are taken out, but never in.
    void checkAll(bool checked);
    void checkGroup(TriageGroup group, bool checked);
    bool anyChosen() const; ///< the person checked one, or took one out
    int checkedCount() const;
    int mayCount() const; ///< that can be checked at all
    QList<TriageTally> tallies() const; ///< of every group, also of one without keys, those to act on first
    QList<sql::TriageFacts> checkedFacts() const;
    /// What becomes of the checked keys: "32 → Failed, retryable · 39 → Succeeded".
    QString becomesText() const;

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const Row &row, int column, int role) const;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
    void checksChanged();

private:
    void rememberChoices();

    QSet<QString> m_takenOut; ///< identities of keys that came checked and shall not go
    QSet<QString> m_keptIn; ///< of those that were checked in the newest reading that had any keys
    bool m_givenChecked = false; ///< some of the rows came checked
    sql::Timestamp m_now;
};

/// Puts rows of one group together, those to act on first; inside of a group they keep their order.
void sortByGroup(QList<TriageRow> *rows);

/// "Succeeded", "Deleted", "–" where nothing is proposed.
QString proposedText(const TriageJudgement &judgement);

} // namespace idemdesk::models
