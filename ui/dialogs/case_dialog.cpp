// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/case_dialog.h"

#include "models/casefile/case_controller.h"
#include "ui/widgets/case_view.h"
#include "ui/widgets/layouts.h"

#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr QSize kSize(1000, 620); // pixels: a verdict and its story beside each other, without scrolling

} // namespace

CaseDialog::CaseDialog(models::CaseController *controller, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"caseDialog"_s);
    setWindowTitle(tr("Verdict"));
    controller->setParent(this);
    auto *layout = dialogColumn(this);
    auto *view = new CaseView(controller, this);
    auto *close = new QPushButton(tr("Close"), view);
    close->setObjectName(u"caseClose"_s);
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &CaseDialog::reject);
    view->addLast(close);
    for (const auto leave : { &CaseView::recoveryWanted, &CaseView::referenceWanted }) {
        connect(view, leave, this, &CaseDialog::reject);
    }
    for (const auto leave : { &CaseView::pageWanted, &CaseView::providerWanted }) {
        connect(view, leave, this, &CaseDialog::reject);
    }
    connect(view, &CaseView::compareWanted, this, &CaseDialog::reject);
    connect(view, &CaseView::compareWanted, this, &CaseDialog::compareWanted);
    connect(view, &CaseView::recoveryWanted, this, &CaseDialog::recoveryWanted);
    connect(view, &CaseView::referenceWanted, this, &CaseDialog::referenceWanted);
    connect(view, &CaseView::providerWanted, this, &CaseDialog::providerWanted);
    connect(view, &CaseView::pageWanted, this, &CaseDialog::pageWanted);
    layout->addWidget(view, 1);
    resize(kSize);
}

} // namespace idemdesk::ui
