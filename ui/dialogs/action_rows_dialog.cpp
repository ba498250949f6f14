// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/action_rows_dialog.h"

#include "models/actions/action_rows.h"
#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/settings.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QPushButton>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// "3,640 restored · 0 skipped" of the whole action, however many of its rows were read.
QString rowCountsText(const sql::ActionRecord &action)
{
    QMap<QString, qint64> done;
    for (auto it = action.counts.cbegin(); it != action.counts.cend(); ++it) {
        if (models::rowsDone({ { it.key(), it.value() } }) > 0) {
            done.insert(it.key(), it.value());
        }
    }
    const QString skipped
        = ActionRowsDialog::tr("%1 skipped", "number").arg(models::countText(models::rowsSkipped(action.counts)));
    return ActionRowsDialog::tr("%1 · %2").arg(models::countsText(done, action.verb), skipped);
}

} // namespace

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
    table->setItemDelegateForColumn(models::ActionRows::State, new StateDelegate(table));
    table->setColumnWidth(models::ActionRows::Identity, Theme::scaled(300));
    table->setColumnWidth(models::ActionRows::State, Theme::scaled(220));
    table->horizontalHeader()->setSectionResizeMode(models::ActionRows::Change, QHeaderView::Stretch);
    auto *buttons = new ButtonRow(this);
    QPushButton *close = buttons->addStay(u"actionRowsClose"_s, tr("Close"));
    buttons->setDefault(close);
    QLabel *counts = strongLabel({}, this);
    counts->setObjectName(u"actionRowsCounts"_s);
    auto *layout = dialogColumn(this);
    layout->addWidget(titleLabel(models::displayText(title, 160), this));
    layout->addWidget(counts);
    layout->addWidget(notice);
    layout->addWidget(table, 1);
    layout->addWidget(buttons);
    const auto update = [rows, notice, counts, table] {
        table->setColumnHidden(models::ActionRows::State, rows->oneState()); // the counts above say it
        counts->setVisible(rows->action().has_value());
        counts->setText(rows->action() ? rowCountsText(*rows->action()) : QString());
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
    close->setFocus(); // a list to read is no place to begin typing in
    resize(960, 520);
}

} // namespace idemdesk::ui
