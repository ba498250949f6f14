// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

namespace idemdesk::models {
class TriageModel;
}

namespace idemdesk::ui {

class Chip;

/// A chip for each class of the triage, with its keys; one that is on has all of them checked.
class ClassBar final : public QWidget
{
    Q_OBJECT

public:
    ClassBar(models::TriageModel *model, QWidget *parent);
    void sync();

private:
    models::TriageModel *m_model;
    QList<Chip *> m_chips; ///< in the order of the classes
};

} // namespace idemdesk::ui
