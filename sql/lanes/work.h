// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace idemdesk::sql {

/// How one request is to be run.
struct RequestOptions {
    QString view; ///< a newer request of the same view (on the same lane) supersedes this one; empty: never
    int deadlineMs = 20'000; ///< from being asked to being answered; 0: none. Past it the server is told to cancel,
                             ///< then the socket is cut. In the background 0 has a connection of its own
    bool retry = true; ///< may run once more on a fresh connection if the first one broke; the write lane never does
};

/// One request as the lanes carry it. `perform` keeps the result; exactly one of the two others hands it out.
struct Work {
    std::function<std::optional<Error>(Session &)> perform; ///< on the lane's thread; gives the job's error, if any
    std::function<void(std::optional<Error>)> settle; ///< finishes the future: with the kept result, or with this error
};

/// Why a running request was stopped.
enum class StopReason { None, Superseded, Cancelled, Deadline, Closing };

/// Shared by the lane (GUI thread) and its worker while one request runs.
struct RunningRequest {
    std::atomic_bool stop = false; ///< Session::cancelled()
    std::atomic<StopReason> reason = StopReason::None;
};

} // namespace idemdesk::sql
