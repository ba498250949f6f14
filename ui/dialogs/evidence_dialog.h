// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/evidence_controller.h"
#include "sql/types/connection.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QPushButton;

namespace idemdesk::ui {

class ReasonForm;

/// Asks why findings of a statement are recorded as evidence, which nobody can change afterwards. Cancel is the
/// default.
class EvidenceDialog final : public QDialog
{
    Q_OBJECT

public:
    struct Place {
        QString table; ///< its title
        QString login;
        QString connection;
        sql::Environment environment = sql::Environment::Unmarked;
    };
    EvidenceDialog(const models::StatementResult &result, const Place &place, QWidget *parent);

    models::EvidenceReason reason() const;

private:
    void refresh();

    qint64 m_sure; ///< findings that are recorded in any case
    qint64 m_all; ///< with those that are recorded where it is vouched for
    QCheckBox *m_vouched;
    ReasonForm *m_form;
    QLabel *m_count;
    QPushButton *m_go;
};

} // namespace idemdesk::ui
