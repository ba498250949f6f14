// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/capture_regions.h"

#include "app/cluster/private_cluster.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

CaptureRegions::CaptureRegions()
    : m_regions(
        PrivateCluster::defaultFolder(u"capture-%1"_s.arg(QCoreApplication::applicationPid())), Demo::Life::Tied)
{
}

CaptureRegions::~CaptureRegions()
{
    if (m_thread.joinable()) {
        m_stop.request_stop();
        m_end.release();
        m_thread.join();
    }
}

void CaptureRegions::start()
{
    if (!m_thread.joinable()) {
        m_thread = std::thread([this] {
            m_ready = m_regions.start([](const QString &) {}, m_stop.get_token()).ok();
            m_end.acquire();
            m_regions.destroy().ok();
        });
    }
}

} // namespace idemdesk::app
