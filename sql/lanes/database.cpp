// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/lanes/database.h"

#include "sql/driver/pg_driver.h"
#include "sql/lanes/lane.h"

#include <QDateTime>
#include <QPointer>
#include <QTimer>
#include <array>
#include <thread>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kHeartbeatMs = 10'000;
constexpr int kCancelLimitMs = 2'000;

Session::Options optionsFor(LaneKind kind, const ConnectionSettings &settings)
{
    Session::Options options;
    options.lane = kind;
    switch (kind) {
    case LaneKind::Read:
        options.applicationName = u"idemdesk read"_s;
        break;
    case LaneKind::Background:
        options.applicationName = u"idemdesk background"_s;
        options.statementTimeoutMs = 600'000; // exact counts and exports of large tables; each can be cancelled
        break;
    case LaneKind::Write:
        options.applicationName = u"idemdesk write"_s;
        options.readOnly = settings.readOnly;
        options.statementTimeoutMs = 5'000;
        break;
    case LaneKind::Control:
        options.applicationName = u"idemdesk control"_s;
        options.statementTimeoutMs = 5'000;
        break;
    }
    return options;
}

} // namespace

class Database::Private
{
public:
    Private(Database *database, ConnectionSettings connectionSettings)
        : q(database)
        , settings(std::move(connectionSettings))
    {
        for (const LaneKind kind : { LaneKind::Read, LaneKind::Background, LaneKind::Write, LaneKind::Control }) {
            auto lane = std::make_unique<Lane>(kind, settings, optionsFor(kind, settings), nullptr);
            if (kind != LaneKind::Control) {
                letCancel(lane.get());
            }
            if (kind != LaneKind::Read) {
                lane->setFallback(lanes[0].get());
            }
            connect(lane.get(), &Lane::stateChanged, q, [this, kind] { onLaneState(kind); });
            lanes[static_cast<std::size_t>(kind)] = std::move(lane);
        }
        Session::Options options = optionsFor(LaneKind::Background, settings);
        options.applicationName = u"idemdesk long"_s;
        lanes[kLong] = std::make_unique<Lane>(LaneKind::Background, settings, std::move(options), nullptr);
        letCancel(lanes[kLong].get());
        // Where there is no slot for it others wait behind it in the background, as long as that has one.
        lanes[kLong]->setFallback(&lane(LaneKind::Background));
        heartbeat.setInterval(kHeartbeatMs);
        connect(&heartbeat, &QTimer::timeout, q, [this] { beat(); });
    }

    Lane &lane(LaneKind kind) { return *lanes[static_cast<std::size_t>(kind)]; }

    /// The lane of a request: what may take for ever keeps nobody else waiting.
    Lane &laneOf(LaneKind kind, const RequestOptions &options)
    {
        return kind == LaneKind::Background && options.deadlineMs == 0 ? *lanes[kLong] : lane(kind);
    }

    void letCancel(Lane *lane)
    {
        lane->setCanceller(
            [this](quint64 id, int pid, std::shared_ptr<PgInterrupter> interrupter, std::function<void()> done) {
                cancelOnServer(id, pid, std::move(interrupter), std::move(done));
            });
    }

    void onLaneState(LaneKind kind)
    {
        if (kind == LaneKind::Read) {
            if (lane(LaneKind::Read).state() == LinkState::Connected) {
                facts = lane(LaneKind::Read).facts();
                lane(LaneKind::Control).open();
                heartbeat.start();
                emit q->factsChanged();
            }
            emit q->stateChanged(lane(LaneKind::Read).state());
            return;
        }
        if (lane(kind).sharing() != wasSharing) {
            wasSharing = lane(kind).sharing();
            emit q->factsChanged();
        }
    }

    /// Cancels a running request without ever blocking the caller. Through the control lane the server itself checks
    /// that the session still runs that very request; behind a pooler only PQcancel knows the way.
    void cancelOnServer(quint64 id, int pid, std::shared_ptr<PgInterrupter> interrupter, std::function<void()> done)
    {
        auto once = std::make_shared<std::function<void()>>(std::move(done));
        const auto finish = [once] {
            if (const auto call = std::exchange(*once, {})) {
                call();
            }
        };
        QTimer::singleShot(kCancelLimitMs, q, finish);
        Lane &control = lane(LaneKind::Control);
        if (control.state() == LinkState::Connected && !facts.pooled) {
            Work work;
            work.perform = [id, pid](Session &session) -> std::optional<Error> {
                Statement statement {
                    u"SELECT pg_catalog.pg_cancel_backend(a.pid) FROM pg_catalog.pg_stat_activity AS a "
                    "WHERE a.pid = $1::pg_catalog.int4 AND a.state = 'active' "
                    "AND pg_catalog.starts_with(a.query, $2)"_s,
                    {}
                };
                statement.bind(QString::number(pid));
                statement.bind(u"/*idemdesk "_s + QString::number(id) + u"*/"_s);
                const auto cancelled = session.run(statement);
                return cancelled.ok() ? std::nullopt : std::optional<Error>(cancelled.error());
            };
            work.settle = [guard = QPointer<Database>(q), database = q, finish](const std::optional<Error> &) {
                if (guard != nullptr) {
                    QMetaObject::invokeMethod(database, finish, Qt::QueuedConnection);
                }
            };
            control.submit({ {}, kCancelLimitMs, false }, std::move(work));
            return;
        }
        if (interrupter == nullptr) {
            QMetaObject::invokeMethod(q, finish, Qt::QueuedConnection);
            return;
        }
        // PQcancel has no time limit in libpq 15 and may hang on a silent peer: a thread of its own, that nobody joins
        // and that touches nothing but the interrupter, which outlives the connection.
        std::thread([interrupter = std::move(interrupter)] {
            QString reason;
            interrupter->requestCancel(&reason);
        }).detach();
        QTimer::singleShot(250, q, finish); // long enough for a healthy server to have taken the cancel
    }

    void beat()
    {
        if (!lane(LaneKind::Control).idle()) {
            return;
        }
        Work work;
        auto answer = std::make_shared<std::optional<std::pair<qint64, bool>>>();
        auto skew = std::make_shared<qint64>(0);
        work.perform = [answer, skew](Session &session) -> std::optional<Error> {
            const qint64 asked = QDateTime::currentMSecsSinceEpoch();
            TRY(const auto row,
                session.one({ u"SELECT pg_catalog.floor(EXTRACT(epoch FROM pg_catalog.clock_timestamp()) "
                              "* 1000000)::pg_catalog.int8, pg_catalog.pg_is_in_recovery()"_s,
                    {} }));
            const qint64 serverMicros = row.at(0).text.toLongLong();
            *skew = serverMicros - (asked + QDateTime::currentMSecsSinceEpoch()) * 500;
            answer->emplace(serverMicros, row.at(1).text == u"t"_s);
            return std::nullopt;
        };
        work.settle = [this, guard = QPointer<Database>(q), database = q, answer, skew](const std::optional<Error> &) {
            if (guard == nullptr) {
                return;
            }
            QMetaObject::invokeMethod(
                database, [this, answer, skew] { onBeat(*answer, *skew); }, Qt::QueuedConnection);
        };
        lane(LaneKind::Control).submit({ u"heartbeat"_s, 5'000, false }, std::move(work));
    }

    void onBeat(const std::optional<std::pair<qint64, bool>> &answer, qint64 skewMicros)
    {
        if (!answer) {
            // The control connection is in trouble: let the read lane find out about its own.
            if (lane(LaneKind::Read).idle()) {
                q->run(LaneKind::Read, { u"heartbeat"_s, 5'000, true }, [](Session &session) {
                    return session.run({ u"SELECT 1"_s, {} });
                });
            }
            return;
        }
        const bool notable = facts.standby != answer->second || qAbs(facts.clockSkewMicros - skewMicros) > 1'000'000;
        facts.serverNow.micros = answer->first;
        facts.standby = answer->second;
        facts.clockSkewMicros = skewMicros;
        if (notable) {
            emit q->factsChanged();
        }
    }

    Database *q;
    ConnectionSettings settings;
    ServerFacts facts;
    bool wasSharing = false;
    QTimer heartbeat;
    static constexpr std::size_t kLong = 4; // behind those of each LaneKind
    std::array<std::unique_ptr<Lane>, kLong + 1> lanes;
};

Database::Database(ConnectionSettings settings, QObject *parent)
    : QObject(parent)
{
    qRegisterMetaType<Error>();
    d = std::make_unique<Private>(this, std::move(settings));
}

Database::~Database()
{
    d->heartbeat.stop();
    d->lanes[Private::kLong]->close();
    for (const LaneKind kind : { LaneKind::Write, LaneKind::Read, LaneKind::Background, LaneKind::Control }) {
        disconnect(&d->lane(kind), nullptr, this, nullptr);
        d->lane(kind).close();
    }
}

void Database::open()
{
    d->lane(LaneKind::Read).open();
}

const ConnectionSettings &Database::settings() const
{
    return d->settings;
}

LinkState Database::state() const
{
    return d->lane(LaneKind::Read).state();
}

const ServerFacts &Database::facts() const
{
    return d->facts;
}

std::optional<Error> Database::linkError() const
{
    return d->lane(LaneKind::Read).error();
}

bool Database::singleConnection() const
{
    return d->wasSharing;
}

int Database::retryInMs() const
{
    return d->lane(LaneKind::Read).retryInMs();
}

void Database::reconnectNow()
{
    for (const auto &lane : d->lanes) {
        lane->reconnectNow();
    }
}

void Database::cancel(const QString &view)
{
    for (const auto &lane : d->lanes) {
        lane->stopView(view, StopReason::Cancelled);
    }
}

void Database::submit(LaneKind lane, const RequestOptions &options, Work work)
{
    d->laneOf(lane, options).submit(options, std::move(work));
}

} // namespace idemdesk::sql
