// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/action_rows_dialog.h"

#include "models/actions/action_rows.h"
#include "models/format/display_text.h"
#include "models/settings.h"
#include "ui/delegates/key_delegate.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ActionRowsDialog::ActionRowsDialog(
    models::ActionRows *rows, const QString &title, models::Settings *settings, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"actionRowsDialog"_s);
    rows->setParent(this);
    setWindowTitle(tr("Rows of the action"));
    auto *notice = new NoticeBar(this);
    auto *table = new QTableView(this);
    setUpTable(table,
        { u"actionRowsTable"_s, tr("Rows of the action"), rows, {}, QAbstractItemView::ExtendedSelection }, settings);
    table->setItemDelegateForColumn(models::ActionRows::Identity, new KeyDelegate(table));
    table->setColumnWidth(models::ActionRows::Identity, 300);
    table->setColumnWidth(models::ActionRows::Outcome, 140);
    table->setColumnWidth(models::ActionRows::PutBack, 80);
    table->horizontalHeader()->setSectionResizeMode(models::ActionRows::Change, QHeaderView::Stretch);
    auto *buttons = new ButtonRow(this);
    buttons->setDefault(buttons->addStay(u"actionRowsClose"_s, tr("Close")));
    auto *layout = dialogColumn(this);
    layout->addWidget(titleLabel(models::displayText(title, 160), this));
    layout->addWidget(notice);
    layout->addWidget(table, 1);
    layout->addWidget(buttons);
    const auto update = [rows, notice, table] {
        // Nothing was put back: the column would be empty.
        const auto &items = rows->rows();
        table->setColumnHidden(models::ActionRows::PutBack,
            std::none_of(items.cbegin(), items.cend(), [](const auto &item) { return !item.restoredBy.isEmpty(); }));
        if (rows->error()) {
            notice->showError(*rows->error());
        } else if (rows->busy()) {
            notice->showNotice(NoticeBar::Kind::Info, tr("The rows are being read."));
        } else if (rows->rowCount() == 0) {
            notice->showNotice(NoticeBar::Kind::Info,
                tr("The audit log holds no rows of this action: it changed none, or they are past their time."));
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
