// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/health/health_model.h"
#include "models/table/headed_rows.h"

#include <QSet>
#include <QStringList>

namespace idemdesk::models {

/// Findings of one table under a heading for each level, what needs a person first; those of several tables under one
/// for each check, and that under one for the level where it has several checks. A level that is hidden keeps its
/// heading, which counts it and shows it.
class HealthGroups final : public HeadedRows
{
    Q_OBJECT

public:
    explicit HealthGroups(HealthModel *model, QObject *parent = nullptr);
    void setFolded(int group, bool folded) override;
    bool byCheck() const { return m_byCheck; }
    static sql::HealthLevel levelOf(int group); ///< of the group of a heading
    static bool isBeneath(int group); ///< the heading of a check that stands beneath that of its level

protected:
    void prepare() override;
    QList<int> groups() const override;
    int groupOf(int sourceRow) const override;
    bool folded(int group) const override;
    QVariant headingData(int group, int role) const override;

private:
    QString textOf(sql::HealthLevel level) const;
    QString checkText(int group) const;

    HealthModel *m_model;
    bool m_byCheck = false;
    QStringList m_checks; ///< those that are listed, each with its level; their groups follow the levels'
    QList<int> m_checkOf; ///< of each row of the model
    QSet<QString> m_folded; ///< checks
};

} // namespace idemdesk::models
