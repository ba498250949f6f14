// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/async.h"

#include <QCoreApplication>

namespace idemdesk::models {

sql::Error abandonedError()
{
    sql::Error error;
    error.kind = sql::ErrorKind::Cancelled;
    error.what = QCoreApplication::translate("idemdesk::models::Async", "The request was given up before the server answered.");
    return error;
}

} // namespace idemdesk::models
