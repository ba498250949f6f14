// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/about_dialog.h"

#include "models/format/display_text.h"
#include "ui/theme/icons.h"
#include "ui/dialogs/enter_keys.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kIconSize = 16 * kGrid;
constexpr int kTextWidth = 100 * kGrid;

} // namespace

AboutDialog::AboutDialog(const QString &libpqVersion, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"aboutDialog"_s);
    setWindowTitle(tr("About Idemdesk"));
    setAccessibleName(windowTitle());
    const QString version = QStringLiteral(IDEMDESK_VERSION);
    const QString qt = QString::fromLatin1(qVersion());
    const QString libpq = models::displayText(libpqVersion);

    auto *icon = new QLabel(this);
    icon->setPixmap(applicationIcon().pixmap(QSize(kIconSize, kIconSize)));
    icon->setAccessibleName(tr("Icon of Idemdesk"));
    QLabel *name = plainLabel(tr("Idemdesk"), this);
    name->setObjectName(u"aboutName"_s);
    name->setFont(Theme::title());
    QLabel *purpose = plainLabel(
        tr("A console for PostgreSQL idempotency keys, processed messages and outbox rows."), this);
    purpose->setObjectName(u"aboutPurpose"_s);
    purpose->setWordWrap(true);
    purpose->setMinimumWidth(kTextWidth);
    QLabel *licence = plainLabel(tr("Free software under the GNU General Public License, version 3 or later. "
                                    "It comes without any warranty."),
        this);
    licence->setObjectName(u"aboutLicence"_s);
    licence->setWordWrap(true);

    auto *facts = new QFormLayout;
    facts->setHorizontalSpacing(3 * kGrid);
    facts->setVerticalSpacing(kGrid);
    const auto addFact
        = [this, facts](const QString &title, const QString &value, const QString &objectName) {
              QLabel *label = plainLabel(value, this);
              label->setObjectName(objectName);
              label->setAccessibleName(tr("%1: %2").arg(title, value));
              label->setTextInteractionFlags(Qt::TextSelectableByMouse);
              facts->addRow(plainLabel(title, this), label);
          };
    addFact(tr("Version"), version, u"aboutVersion"_s);
    addFact(tr("Qt"), qt, u"aboutQt"_s);
    addFact(tr("libpq"), libpq.isEmpty() ? tr("unknown") : libpq, u"aboutLibpq"_s);

    auto *texts = new QVBoxLayout;
    texts->setSpacing(3 * kGrid);
    texts->addWidget(name);
    texts->addWidget(purpose);
    texts->addLayout(facts);
    texts->addWidget(licence);
    auto *row = new QHBoxLayout;
    row->setSpacing(4 * kGrid);
    row->addWidget(icon, 0, Qt::AlignTop);
    row->addLayout(texts, 1);

    auto *box = new QDialogButtonBox(this);
    QPushButton *copy = box->addButton(tr("Copy &versions"), QDialogButtonBox::ActionRole);
    QPushButton *close = box->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    copy->setObjectName(u"aboutCopy"_s);
    copy->setAccessibleName(tr("Copy the versions"));
    copy->setAutoDefault(false);
    close->setObjectName(u"aboutClose"_s);
    close->setAccessibleName(tr("Close"));
    close->setDefault(true);
    guideEnter(this);
    connect(copy, &QPushButton::clicked, this, [version, qt, libpqVersion] {
        QGuiApplication::clipboard()->setText(
            u"Idemdesk "_s + version + u", Qt "_s + qt + u", libpq "_s + libpqVersion);
    });
    connect(close, &QPushButton::clicked, this, &QDialog::reject);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid);
    layout->setSpacing(4 * kGrid);
    layout->addLayout(row);
    layout->addStretch(1);
    layout->addWidget(box);
    close->setFocus(Qt::OtherFocusReason);
}

} // namespace idemdesk::ui
