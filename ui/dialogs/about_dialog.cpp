// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/about_dialog.h"

#include "models/format/display_text.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QClipboard>
#include <QFormLayout>
#include <QGuiApplication>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kIconSize = 16 * kGrid;
constexpr int kTextWidth = 100 * kGrid;

QString ownVersion()
{
    return QStringLiteral(IDEMDESK_VERSION);
}

QString qtVersion()
{
    return QString::fromLatin1(qVersion());
}

} // namespace

AboutDialog::AboutDialog(const QString &libpqVersion, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"aboutDialog"_s);
    setWindowTitle(tr("About Idemdesk"));
    setAccessibleName(windowTitle());
    auto *icon = new QLabel(this);
    icon->setPixmap(applicationIcon().pixmap(QSize(kIconSize, kIconSize)));
    icon->setAccessibleName(tr("Icon of Idemdesk"));
    QLabel *name = titleLabel(tr("Idemdesk"), this);
    name->setObjectName(u"aboutName"_s);
    QLabel *purpose
        = wrappedLabel(tr("A console for PostgreSQL idempotency keys, processed messages and outbox rows."), this);
    purpose->setObjectName(u"aboutPurpose"_s);
    purpose->setMinimumWidth(kTextWidth);
    QLabel *licence = wrappedLabel(tr("Free software under the GNU General Public License, version 3 or later. "
                                      "It comes without any warranty."),
        this);
    licence->setObjectName(u"aboutLicence"_s);

    auto *texts = new QVBoxLayout;
    texts->setSpacing(3 * kGrid);
    texts->addWidget(name);
    texts->addWidget(purpose);
    texts->addLayout(buildFacts(libpqVersion));
    texts->addWidget(licence);
    auto *row = new QHBoxLayout;
    row->setSpacing(4 * kGrid);
    row->addWidget(icon, 0, Qt::AlignTop);
    row->addLayout(texts, 1);

    auto *layout = dialogColumn(this);
    layout->setSpacing(4 * kGrid);
    layout->addLayout(row);
    layout->addStretch(1);
    layout->addWidget(buildButtons(libpqVersion));
    guideEnter(this);
    m_close->setFocus(Qt::OtherFocusReason);
}

QLayout *AboutDialog::buildFacts(const QString &libpqVersion)
{
    const QString libpq = models::displayText(libpqVersion);
    auto *facts = new QFormLayout;
    facts->setHorizontalSpacing(3 * kGrid);
    facts->setVerticalSpacing(kGrid);
    const auto addFact = [this, facts](const QString &title, const QString &value, const QString &objectName) {
        QLabel *label = plainLabel(value, this);
        label->setObjectName(objectName);
        label->setAccessibleName(tr("%1: %2").arg(title, value));
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        facts->addRow(plainLabel(title, this), label);
    };
    addFact(tr("Version"), ownVersion(), u"aboutVersion"_s);
    addFact(tr("Qt"), qtVersion(), u"aboutQt"_s);
    addFact(tr("libpq"), libpq.isEmpty() ? tr("unknown") : libpq, u"aboutLibpq"_s);
    return facts;
}

QWidget *AboutDialog::buildButtons(const QString &libpqVersion)
{
    auto *buttons = new ButtonRow(this);
    QPushButton *copy = buttons->addAside(u"aboutCopy"_s, tr("Copy &versions"));
    copy->setAccessibleName(tr("Copy the versions"));
    m_close = buttons->addStay(u"aboutClose"_s, tr("Close"));
    buttons->setDefault(m_close);
    connect(copy, &QPushButton::clicked, this, [libpqVersion] {
        QGuiApplication::clipboard()->setText(
            u"Idemdesk "_s + ownVersion() + u", Qt "_s + qtVersion() + u", libpq "_s + libpqVersion);
    });
    return buttons;
}

} // namespace idemdesk::ui
