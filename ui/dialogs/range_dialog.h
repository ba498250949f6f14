// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"

#include <QDateTime>
#include <QDialog>

class QDateTimeEdit;
class QLabel;
class QPushButton;

namespace idemdesk::ui {

/// Asks for a range of time, by the clock of the zone on screen.
class RangeDialog final : public QDialog
{
    Q_OBJECT

public:
    RangeDialog(
        const QDateTime &since, const QDateTime &until, const models::TimeFormat &format, QWidget *parent = nullptr);

    QDateTime since() const;
    QDateTime until() const;

private:
    void refresh();

    models::TimeFormat m_format;
    QDateTimeEdit *m_since;
    QDateTimeEdit *m_until;
    QLabel *m_why;
    QPushButton *m_go;
};

} // namespace idemdesk::ui
