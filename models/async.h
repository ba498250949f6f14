// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QCoreApplication>
#include <QFuture>
#include <QObject>
#include <QPointer>
#include <QPromise>

namespace idemdesk::models {

/// The error a future ends with that was given up without an answer.
sql::Error abandonedError();

/// A future that has its answer already. (Qt's own function for it has one name up to 6.5 and another from 6.6 on.)
template <typename T> QFuture<T> readyFuture(T value)
{
    QPromise<T> promise;
    promise.start();
    promise.addResult(std::move(value));
    promise.finish();
    return promise.future();
}

/// Tells the requests of one object from those of another in a view's name.
QString ownerName(const void *owner);

/// Calls handler(const sql::Result<T> &) on the GUI thread once the future ends, however it ends; never after the
/// context is gone, and never within this call: who asks finishes what it does first, however fast the answer is.
/// (QFuture::then(context, …) of Qt 6.4 asserts in debug builds where the context went first.)
template <typename T, typename Handler> void whenDone(QFuture<sql::Result<T>> future, QObject *context, Handler handler)
{
    const auto deliver = [guard = QPointer<QObject>(context), handler](const sql::Result<T> &result) {
        if (QCoreApplication *application = QCoreApplication::instance()) {
            const auto hand = [guard, handler, result] {
                if (guard != nullptr) {
                    handler(result);
                }
            };
            QMetaObject::invokeMethod(application, hand, Qt::QueuedConnection);
        }
    };
    future.then([deliver](const sql::Result<T> &result) { deliver(result); }).onCanceled([deliver] {
        deliver(sql::Result<T>(abandonedError()));
    });
}

} // namespace idemdesk::models
