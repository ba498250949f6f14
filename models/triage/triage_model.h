// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/key_table_model.h"
#include "models/triage/triage_rules.h"

#include <QAbstractTableModel>
#include <QSet>

namespace idemdesk::models {

/// Keys with what is known about them, one a row: who may act on which is the check mark of the first column. Only keys that may
/// go in bulk can be checked.
class TriageModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Scope, Key, State, Class, Proposed, StaleFor, Attempts, Owner, Why, ColumnCount };
    enum ItemRole { StateRole = KeyTableModel::StateRole, StaleRole = KeyTableModel::StaleRole, ExpiredRole = KeyTableModel::ExpiredRole, ClassRole = KeyTableModel::RowNumberRole + 1 };

    struct Row {
        sql::TriageFacts facts;
        TriageJudgement judgement;
        bool may = false; ///< may be part of the action
        bool checked = false;
    };

    explicit TriageModel(QObject *parent = nullptr);
    /// What may go is checked at first; a key that the person took out stays out when it is read again.
    void setRows(const QList<Row> &rows, const sql::Timestamp &now);
    void clear(); ///< also forgets what was taken out: another table or another verb comes
    const QList<Row> &rows() const { return m_rows; }
    void checkAll(bool checked);
    void checkClass(TriageClass cls, bool checked);
    int checkedCount() const;
    int count(TriageClass cls) const;
    QList<sql::TriageFacts> checkedFacts() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void checksChanged();

private:
    QString text(const Row &row, int column) const;
    void rememberChoices();

    QList<Row> m_rows;
    QSet<QString> m_takenOut; ///< identities of keys that may go and shall not
    sql::Timestamp m_now;
};

/// "Succeeded", "Deleted", "–" where nothing is proposed.
QString proposedText(const TriageJudgement &judgement);

} // namespace idemdesk::models
