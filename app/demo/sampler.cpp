// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/services.h"

namespace idemdesk::app {

namespace {

constexpr int kMinute = 60'000; // milliseconds

/// Samples each registered table once a minute, whether a console is open or not.
class Sampler final : public Service
{
public:
    using Service::Service;

protected:
    QString conninfo() const override { return home().consoleConninfo(); }

    int work() override
    {
        const DemoLink::Rows targets = rows("SELECT name FROM idemdesk.target ORDER BY name");
        for (const QList<QByteArray> &target : targets) {
            done("SELECT idemdesk.take_sample($1)", { target.constFirst() });
        }
        // Rests until the next minute of the clock, which is where a sample stands.
        const auto rest = rows("SELECT 60000 - (extract(epoch FROM clock_timestamp())::bigint % 60) * 1000");
        return rest.isEmpty() ? kMinute : rest.constFirst().constFirst().toInt();
    }
};

} // namespace

std::unique_ptr<Service> makeSampler(Services &home)
{
    return std::make_unique<Sampler>(home, "sampler");
}

} // namespace idemdesk::app
