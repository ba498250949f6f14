// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/link_button.h"

#include "models/format/display_text.h"

#include <QDesktopServices>
#include <QMenu>

namespace idemdesk::ui {

namespace {

constexpr int kLinkChars = 60;

} // namespace

LinkButton::LinkButton(const QString &objectName, QWidget *parent)
    : QPushButton(tr("&Open"), parent)
{
    setObjectName(objectName);
    setToolTip(tr("Pages of other programs about this row, as the profile names them"));
    setMenu(new QMenu(this));
    menu()->setToolTipsVisible(true);
    hide();
}

void LinkButton::setLinks(const QList<models::RowLink> &links)
{
    menu()->clear();
    for (const models::RowLink &link : links) {
        QString label = models::displayText(link.label, kLinkChars);
        QAction *open = menu()->addAction(label.replace(u'&', QStringLiteral("&&")));
        open->setToolTip(models::displayText(link.url.toString(QUrl::FullyEncoded)));
        connect(open, &QAction::triggered, this, [url = link.url] { QDesktopServices::openUrl(url); });
    }
    setVisible(!links.isEmpty());
}

} // namespace idemdesk::ui

#include "moc_link_button.cpp"
