// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/line/time_value.h"

#include <QDateTime>

namespace idemdesk::app {

std::optional<sql::Timestamp> timeWithOffset(const QString &text)
{
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!time.isValid() || time.timeSpec() == Qt::LocalTime) {
        return std::nullopt;
    }
    return sql::Timestamp::fromDateTime(time);
}

} // namespace idemdesk::app
