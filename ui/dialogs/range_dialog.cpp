// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/range_dialog.h"

#include "sql/types/utc.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/utc_edit.h"

#include <QDateTimeEdit>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// A moment as the zone's clock shows it, in an edit that knows no zone of its own.
QDateTime onClock(const QDateTime &time, const QTimeZone &zone)
{
    const QDateTime there = time.toTimeZone(zone);
    return QDateTime(there.date(), there.time(), sql::kUtc);
}

} // namespace

RangeDialog::RangeDialog(const QDateTime &since, const QDateTime &until, const models::TimeFormat &format, QWidget *parent)
    : QDialog(parent)
    , m_format(format)
    , m_since(new QDateTimeEdit(this))
    , m_until(new QDateTimeEdit(this))
    , m_why(plainLabel({}, this))
{
    setObjectName(u"rangeDialog"_s);
    setWindowTitle(tr("Range of time"));
    const std::pair<QDateTimeEdit *, QDateTime> edits[] = { { m_since, since }, { m_until, until } };
    for (const auto &[edit, time] : edits) {
        showInUtc(edit);
        edit->setDisplayFormat(u"yyyy-MM-dd HH:mm"_s);
        edit->setCalendarPopup(true);
        edit->setDateTime(onClock(time, format.zone()));
        connect(edit, &QDateTimeEdit::dateTimeChanged, this, &RangeDialog::refresh);
    }
    m_since->setObjectName(u"rangeSince"_s);
    m_until->setObjectName(u"rangeUntil"_s);
    auto *form = new QFormLayout(this);
    form->setContentsMargins(4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid);
    form->setSpacing(2 * kGrid);
    form->addRow(plainLabel(tr("Times are those of %1.").arg(format.zoneText()), this));
    form->addRow(tr("&From:"), m_since);
    form->addRow(tr("&To:"), m_until);
    form->addRow(m_why);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_go = buttons->addButton(tr("Show"), QDialogButtonBox::AcceptRole);
    m_go->setObjectName(u"rangeShow"_s);
    m_go->setDefault(true);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    refresh();
}

void RangeDialog::refresh()
{
    const bool forward = since() < until();
    m_go->setEnabled(forward);
    m_why->setText(forward ? QString() : tr("The range must end after it begins."));
}

QDateTime RangeDialog::since() const { return QDateTime(m_since->date(), m_since->time(), m_format.zone()); }

QDateTime RangeDialog::until() const { return QDateTime(m_until->date(), m_until->time(), m_format.zone()); }

} // namespace idemdesk::ui
