// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/action_rows_dialog.h"

#include "models/actions/action_rows.h"
#include "models/format/display_text.h"
#include "models/settings.h"
#include "ui/delegates/key_delegate.h"
#include "ui/pages/table_setup.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ActionRowsDialog::ActionRowsDialog(models::ActionRows *rows, const QString &title, models::Settings *settings, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"actionRowsDialog"_s);
    rows->setParent(this);
    setWindowTitle(tr("Rows of the action"));
    auto *heading = plainLabel(models::displayText(title, 160), this);
    heading->setFont(Theme::title());
    auto *notice = new NoticeBar(this);
    auto *table = new QTableView(this);
    table->setObjectName(u"actionRowsTable"_s);
    table->setAccessibleName(tr("Rows of the action"));
    table->setModel(rows);
    setUpTable(table, settings);
    table->setItemDelegateForColumn(models::ActionRows::Identity, new KeyDelegate(table));
    table->setColumnWidth(models::ActionRows::Identity, 300);
    table->setColumnWidth(models::ActionRows::Outcome, 140);
    table->setColumnWidth(models::ActionRows::PutBack, 80);
    table->horizontalHeader()->setSectionResizeMode(models::ActionRows::Change, QHeaderView::Stretch);
    auto *buttons = new QDialogButtonBox(this);
    buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole)->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(heading);
    layout->addWidget(notice);
    layout->addWidget(table, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const auto update = [rows, notice] {
        if (rows->error()) {
            notice->showError(*rows->error());
        } else if (rows->busy()) {
            notice->showNotice(NoticeBar::Kind::Info, tr("The rows are being read."));
        } else if (rows->rowCount() == 0) {
            notice->showNotice(NoticeBar::Kind::Info, tr("The trail holds no rows of this action: it has changed none, or they are past their time."));
        } else {
            notice->clear();
        }
    };
    connect(rows, &models::ActionRows::changed, this, update);
    rows->fetchMore({});
    update();
    resize(960, 520);
}

} // namespace idemdesk::ui
