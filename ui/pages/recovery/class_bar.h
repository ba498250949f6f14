// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/triage/triage_model.h"

#include <QMap>
#include <QWidget>

namespace idemdesk::ui {

class Chip;

/// A chip for each group of the triage that has keys. Those that are on filter the list; none shows every group.
class ClassBar final : public QWidget
{
    Q_OBJECT

public:
    ClassBar(models::TriageModel *model, QWidget *parent);
    void sync();
    bool shows(models::TriageGroup group) const;
    void showUnsettled(); ///< only the groups with keys that a person must decide on

signals:
    void changed(); ///< another choice of groups

private:
    models::TriageModel *m_model;
    QMap<models::TriageGroup, Chip *> m_chips;
};

} // namespace idemdesk::ui
