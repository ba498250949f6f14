// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/alerts/alert_model.h"
#include "models/table/headed_rows.h"

#include <QSet>

namespace idemdesk::models {

/// Alerts under a heading for each group, those that need a person first; where a rule tells of several tables, under
/// one for each rule. Quiet rules, and those of which nothing is known, are only counted until they are asked for.
class AlertGroups final : public HeadedRows
{
    Q_OBJECT

public:
    explicit AlertGroups(AlertModel *model, QObject *parent = nullptr);
    void setFolded(int group, bool folded) override;
    bool byRule() const { return m_byRule; }
    static AlertGroup stateOf(int group); ///< of the group of a heading
    QVariant data(const QModelIndex &index, int role) const override;

protected:
    void prepare() override;
    QList<int> groups() const override;
    int groupOf(int sourceRow) const override;
    bool folded(int group) const override { return m_folded.contains(keyOf(group)); }
    QVariant headingData(int group, int role) const override;

private:
    QString textOf(AlertGroup group) const;
    QString ruleText(int group) const;
    QString limitText(int group) const; ///< of the rule, where all its alerts have the same; else empty
    QString unknownText(int count) const;
    QString keyOf(int group) const; ///< by which it is known again when the alerts were judged anew

    AlertModel *m_model;
    bool m_byRule = false;
    QList<int> m_groupOf; ///< of each row of the model
    QSet<QString> m_folded;
};

/// "Firing", "Acknowledged", …
QString alertGroupLabel(AlertGroup group);

} // namespace idemdesk::models
