// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/triage/triage_rules.h"

#include <QMap>
#include <QWidget>

namespace idemdesk::models {
class TriageModel;
}

namespace idemdesk::ui {

class Chip;

/// A chip for each class of the triage that has keys. Those that are on filter the list; none shows every class.
class ClassBar final : public QWidget
{
    Q_OBJECT

public:
    ClassBar(models::TriageModel *model, QWidget *parent);
    void sync();
    bool shows(models::TriageClass cls) const;
    void showUnsettled(); ///< only the classes with keys that a person must decide on

signals:
    void changed(); ///< another choice of classes

private:
    models::TriageModel *m_model;
    QMap<models::TriageClass, Chip *> m_chips;
};

} // namespace idemdesk::ui
