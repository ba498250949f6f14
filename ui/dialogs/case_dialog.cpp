// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/case_dialog.h"

#include "models/casefile/case_controller.h"
#include "ui/pages/case_view.h"
#include "ui/theme/theme.h"

#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr QSize kSize(680, 520); // pixels: a verdict and its rules without scrolling

} // namespace

CaseDialog::CaseDialog(models::CaseController *controller, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"caseDialog"_s);
    setWindowTitle(tr("Verdict"));
    controller->setParent(this);
    auto *close = new QPushButton(tr("Close"), this);
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid);
    layout->setSpacing(2 * kGrid);
    auto *view = new CaseView(controller, this);
    connect(view, &CaseView::compareWanted, this, [this](const QList<models::CaseRequest> &requests) {
        reject();
        emit compareWanted(requests);
    });
    layout->addWidget(view, 1);
    layout->addWidget(close, 0, Qt::AlignRight);
    resize(kSize);
}

} // namespace idemdesk::ui
