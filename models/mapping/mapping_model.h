// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/cell.h"
#include "sql/types/profile.h"
#include "sql/types/relation_facts.h"
#include "sql/types/target.h"

namespace idemdesk::models {

/// One line of the form: what it is called, its expression, and what is known of it.
struct MappingLine {
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

/// The mapping form's lines: the key, each part of the scope, then one role a line. The SQL column is editable; the
/// sample beside it follows. Editing never runs anything by itself: MappingController asks the server.
class MappingModel final : public RowModel<MappingModel, MappingLine>
{
    Q_OBJECT

public:
    enum Column { Title, Sql, Sample, Note, ColumnCount };
    using Line = MappingLine;

    explicit MappingModel(QObject *parent = nullptr);
    void setProfile(const sql::Profile &profile, const sql::RelationFacts &relation);
    /// The profile with the lines' expressions in it.
    sql::Profile applied(const sql::Profile &base) const;
    void setSamples(const QStringList &ids, const QList<sql::Cells> &samples);
    void setFindings(const QList<sql::Finding> &findings);
    QString labelOf(const QString &jsonPath) const; ///< what the line is called that a finding is about; empty: none
    void addScopePart(const QString &label);
    void removeScopePart(int part);

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const Line &line, int column, int role) const;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
    void edited(const QString &lineId);

private:
    sql::RelationFacts m_relation;
};

} // namespace idemdesk::models
