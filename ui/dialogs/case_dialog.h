// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"

#include <QDialog>

namespace idemdesk::models {
class CaseController;
}

namespace idemdesk::ui {

/// The case of one key, opened from its detail pane.
class CaseDialog final : public QDialog
{
    Q_OBJECT

public:
    /// The controller becomes the dialog's own; it reads already.
    explicit CaseDialog(models::CaseController *controller, QWidget *parent = nullptr);

signals:
    // The dialog has closed: another page is wanted.
    void compareWanted(const QList<idemdesk::models::CaseRequest> &requests);
    void recoveryWanted(const QString &target, const QString &filter);
    void referenceWanted(const QString &reference, const QString &key);
    void providerWanted(const QString &target);
    void pageWanted(const QString &page);
};

} // namespace idemdesk::ui
