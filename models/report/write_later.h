// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/async.h"
#include "sql/types/result.h"

#include <QString>
#include <utility>

namespace idemdesk::models {

/// Runs `write`, which gives the path of what it wrote, on another thread; then the controller emits its written(path)
/// or writeFailed(error) on its own one.
template <typename Controller, typename Write> void writeLater(Controller *controller, Write write)
{
    whenDone(later<QString>(std::move(write)), controller, [controller](const sql::Result<QString> &done) {
        if (done) {
            emit controller->written(*done);
        } else {
            emit controller->writeFailed(done.error());
        }
    });
}

} // namespace idemdesk::models
