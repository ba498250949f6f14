// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/help_dialog.h"

#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/layouts.h"

#include <QTextBrowser>
#include <QTextFrame>
#include <QTextTable>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kPageWidth = 190 * kGrid;
constexpr int kPageHeight = 150 * kGrid;

/// Markdown's tables come without room between their cells, and as wide as their text.
void layOutTables(QTextFrame *frame)
{
    const QList<QTextFrame *> children = frame->childFrames();
    for (QTextFrame *child : children) {
        if (auto *table = qobject_cast<QTextTable *>(child)) {
            QTextTableFormat format = table->format();
            format.setCellPadding(kGrid);
            format.setCellSpacing(0);
            format.setBorderCollapse(true);
            format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
            format.setColumnWidthConstraints(
                { QTextLength(QTextLength::PercentageLength, 42), QTextLength(QTextLength::PercentageLength, 58) });
            table->setFormat(format);
        }
        layOutTables(child);
    }
}

} // namespace

HelpDialog::HelpDialog(const QString &title, const QString &markdown, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"helpDialog"_s);
    setWindowTitle(title);
    setAccessibleName(title);
    auto *page = new QTextBrowser(this);
    page->setObjectName(u"helpPage"_s);
    page->setAccessibleName(title);
    page->setOpenLinks(false);
    page->setMarkdown(markdown);
    layOutTables(page->document()->rootFrame());
    auto *buttons = new ButtonRow(this);
    buttons->setDefault(buttons->addStay(u"helpClose"_s, tr("Close")));
    auto *layout = dialogColumn(this);
    layout->addWidget(page);
    layout->addWidget(buttons);
    resize(kPageWidth, kPageHeight);
}

} // namespace idemdesk::ui
