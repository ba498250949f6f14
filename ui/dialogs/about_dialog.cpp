// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/about_dialog.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

AboutDialog::AboutDialog(const QString &libpqVersion, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"aboutDialog"_s);
    setWindowTitle(tr("About Idemdesk"));
    auto *icon = new QLabel(this);
    icon->setPixmap(applicationIcon().pixmap(64, 64));
    auto *name = plainLabel(tr("Idemdesk %1").arg(QStringLiteral(IDEMDESK_VERSION)), this);
    name->setFont(Theme::title());
    auto *text = plainLabel(tr("A console for PostgreSQL tables that hold idempotency keys, processed messages and outbox rows.\n\n"
                               "Free software under the GNU General Public License, version 3 or later. It comes without any warranty.\n\n"
                               "Qt %1, libpq %2")
                                .arg(QString::fromLatin1(qVersion()), libpqVersion),
        this);
    text->setWordWrap(true);
    text->setMinimumWidth(380);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(icon);
    layout->addWidget(name);
    layout->addWidget(text);
    layout->addWidget(buttons);
}

} // namespace idemdesk::ui
