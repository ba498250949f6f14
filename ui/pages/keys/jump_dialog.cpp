// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/jump_dialog.h"

#include "models/format/display_text.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_table_model.h"
#include "sql/types/utc.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/utc_edit.h"

#include <QDateTimeEdit>
#include <QGridLayout>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <limits>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

JumpDialog::JumpDialog(models::KeyBrowserController *browser, QWidget *parent)
    : QDialog(parent)
    , m_browser(browser)
    , m_byTime(new QRadioButton(tr("&Time"), this))
    , m_byRow(new QRadioButton(tr("&Row"), this))
    , m_time(new QDateTimeEdit(this))
    , m_row(new QSpinBox(this))
    , m_error(wrappedLabel({}, this))
{
    setObjectName(u"jumpDialog"_s);
    setWindowTitle(tr("Jump"));
    m_byTime->setObjectName(u"jumpByTime"_s);
    m_byRow->setObjectName(u"jumpByRow"_s);
    m_time->setObjectName(u"jumpTime"_s);
    m_row->setObjectName(u"jumpRow"_s);
    m_time->setAccessibleName(tr("Time to jump to"));
    m_row->setAccessibleName(tr("Row to jump to"));
    m_error->setObjectName(u"jumpError"_s);
    m_error->hide();

    const models::TimeFormat &times = browser->model()->timeFormat();
    const models::KeyListStatus status = browser->status();
    m_time->setDisplayFormat(u"yyyy-MM-dd HH:mm:ss"_s);
    showInUtc(m_time); // the fields hold wall time of the zone on screen
    const QDateTime now = status.serverNow ? status.serverNow->toDateTime() : QDateTime::currentDateTimeUtc();
    const QDateTime shown = now.toTimeZone(times.zone());
    m_time->setDateTime(QDateTime(shown.date(), shown.time(), sql::kUtc));
    m_row->setRange(1,
        status.count.rows > 0 ? static_cast<int>(std::min<qint64>(status.count.rows, std::numeric_limits<int>::max()))
                              : std::numeric_limits<int>::max());
    m_row->setGroupSeparatorShown(true);

    bool timeOrder = false;
    const auto orders = browser->orders();
    for (const models::OrderOption &order : orders) {
        timeOrder = timeOrder || (order.label == status.order && order.isTime);
    }
    m_byTime->setEnabled(timeOrder);
    m_byTime->setChecked(timeOrder);
    m_byRow->setChecked(!timeOrder);
    auto *hint = wrappedLabel(
        timeOrder ? tr("Times are in %1.").arg(times.zoneText()) : tr("Choose an order by time to jump to a time."),
        this);

    auto *buttons = new ButtonRow(this);
    QPushButton *go = buttons->addGo(u"jumpGo"_s, tr("Jump"));
    buttons->addStay(u"jumpCancel"_s, tr("Cancel"));
    buttons->setDefault(go);
    auto *layout = new QGridLayout(this);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(m_byTime, 0, 0);
    layout->addWidget(m_time, 0, 1);
    layout->addWidget(m_byRow, 1, 0);
    layout->addWidget(m_row, 1, 1);
    layout->addWidget(hint, 2, 0, 1, 2);
    layout->addWidget(m_error, 3, 0, 1, 2);
    layout->addWidget(buttons, 4, 0, 1, 2);
    connect(m_byTime, &QRadioButton::toggled, m_time, &QWidget::setEnabled);
    connect(m_byRow, &QRadioButton::toggled, m_row, &QWidget::setEnabled);
    // Who picks one by its letter goes on to type it.
    connect(m_byTime, &QRadioButton::clicked, m_time, [this] { m_time->setFocus(); });
    connect(m_byRow, &QRadioButton::clicked, m_row, [this] { m_row->setFocus(); });
    m_time->setEnabled(timeOrder);
    m_row->setEnabled(!timeOrder);
    connect(go, &QPushButton::clicked, this, &JumpDialog::jump);
    (timeOrder ? static_cast<QWidget *>(m_time) : m_row)->setFocus();
}

void JumpDialog::jump()
{
    models::KeyTableModel *model = m_browser->model();
    if (m_byRow->isChecked()) {
        const int row = model->jumpToRow(m_row->value() - 1);
        if (row < 0) {
            m_error->setText(tr("The list has no row of that number."));
            m_error->show();
            return;
        }
        emit model->jumped(row);
        accept();
        return;
    }
    const QDateTime wall(m_time->date(), m_time->time(), model->timeFormat().zone());
    const auto jumped = model->jumpToTime(sql::Timestamp::fromDateTime(wall));
    if (!jumped.ok()) {
        m_error->setText(models::displayText(jumped.error().line(), 300));
        m_error->show();
        return;
    }
    accept();
}

} // namespace idemdesk::ui
