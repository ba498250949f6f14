// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/async.h"

#include <QCoreApplication>

namespace idemdesk::models {

sql::Error abandonedError()
{
    return sql::makeError(sql::ErrorKind::Cancelled,
        QCoreApplication::translate("idemdesk::models::Async", "The request was given up before the server answered."));
}

QString ownerName(const void *owner)
{
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): an address is the one name that each object has
    return QString::number(reinterpret_cast<quintptr>(owner), 16);
}

} // namespace idemdesk::models
