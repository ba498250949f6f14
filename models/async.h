// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QFuture>
#include <QObject>
#include <utility>

namespace idemdesk::models {

/// The error a future ends with that was given up without an answer.
sql::Error abandonedError();

/// Calls handler(const sql::Result<T> &) on the context's thread once the future ends, however it ends; never after the
/// context is gone.
template <typename T, typename Handler>
void whenDone(QFuture<sql::Result<T>> future, QObject *context, Handler handler)
{
    future.then(context, [handler](const sql::Result<T> &result) { handler(result); }).onCanceled(context, [handler] {
        handler(sql::Result<T>(abandonedError()));
    });
}

} // namespace idemdesk::models
