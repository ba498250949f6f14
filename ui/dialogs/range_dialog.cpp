// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/range_dialog.h"

#include "sql/types/utc.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/utc_edit.h"

#include <QDateTimeEdit>
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

RangeDialog::RangeDialog(
    const QDateTime &since, const QDateTime &until, const models::TimeFormat &format, QWidget *parent)
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
    QFormLayout *form = formColumn(this);
    form->setContentsMargins(4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid);
    form->addRow(plainLabel(tr("Times are those of %1.").arg(format.zoneText()), this));
    addRow(form, tr("&From"), m_since);
    addRow(form, tr("&To"), m_until);
    form->addRow(m_why);
    auto *buttons = new ButtonRow(this);
    m_go = buttons->addGo(u"rangeShow"_s, tr("Show"));
    buttons->addStay(u"rangeCancel"_s, tr("Cancel"));
    buttons->setDefault(m_go);
    form->addRow(buttons);
    connect(m_go, &QPushButton::clicked, this, &QDialog::accept);
    refresh();
}

void RangeDialog::refresh()
{
    const bool forward = since() < until();
    m_go->setEnabled(forward);
    m_why->setText(forward ? QString() : tr("The range must end after it begins."));
}

QDateTime RangeDialog::since() const
{
    return QDateTime(m_since->date(), m_since->time(), m_format.zone());
}

QDateTime RangeDialog::until() const
{
    return QDateTime(m_until->date(), m_until->time(), m_format.zone());
}

} // namespace idemdesk::ui
