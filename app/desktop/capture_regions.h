// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/demo/demo_regions.h"

#include <atomic>
#include <semaphore>
#include <thread>

namespace idemdesk::app {

/// The demo's two regions, for pictures of a group. Made on a thread of its own; gone with this object.
class CaptureRegions final
{
public:
    CaptureRegions();
    ~CaptureRegions();
    CaptureRegions(const CaptureRegions &) = delete;
    CaptureRegions &operator=(const CaptureRegions &) = delete;

    void start(); ///< once
    bool ready() const { return m_ready; }
    QString groupFile() const { return m_regions.groupFile(); }

private:
    DemoRegions m_regions;
    std::stop_source m_stop;
    std::atomic_bool m_ready = false;
    std::binary_semaphore m_end { 0 };
    std::thread m_thread; ///< lives as long as its servers. Last: it uses the others.
};

} // namespace idemdesk::app
