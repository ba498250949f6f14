// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"
#include "sql/types/profile.h"
#include "sql/types/relation_facts.h"
#include "sql/types/target.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// The mapping form's lines: the key, each part of the scope, then one role a line. The SQL column is editable; the sample
/// beside it follows. Editing never runs anything by itself: MappingController asks the server.
class MappingModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Title, Sql, Sample, Note, ColumnCount };
    enum ItemRole {
        LineRole = Qt::UserRole, ///< stable id: "key", "scope/0", "lease_until"
        FailedRole, ///< bool: the expression does not run; the note says why
        RequiredRole, ///< bool
        ColumnNamesRole ///< QStringList: the table's columns as expressions (t."name"), for completion
    };
    struct Line {
        QString id;
        QString title;
        QString help;
        QString sql; ///< "" : absent
        sql::TimeForm form = sql::TimeForm::Native;
        QString zone;
        sql::Cells sample;
        QString note;
        bool failed = false;
        bool required = false;
    };

    explicit MappingModel(QObject *parent = nullptr);
    void setProfile(const sql::Profile &profile, const sql::RelationFacts &relation);
    /// The profile with the lines' expressions in it.
    sql::Profile applied(const sql::Profile &base) const;
    void setSamples(const QStringList &ids, const QList<sql::Cells> &samples);
    void setFindings(const QList<sql::Finding> &findings);
    QString labelOf(const QString &jsonPath) const; ///< what the line is called that a finding is about; empty: none
    const QList<Line> &lines() const { return m_lines; }
    void addScopePart(const QString &label);
    void removeScopePart(int part);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void edited(const QString &lineId);

private:
    QList<Line> m_lines;
    sql::RelationFacts m_relation;
};

} // namespace idemdesk::models
