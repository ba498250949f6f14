// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/services.h"

#include <QDateTime>

namespace idemdesk::app {

namespace {

/// A few seconds, so that a crashed claim goes stale while somebody watches.
constexpr char kLeaseSeconds[] = "45";

/// Goes over one old order again and again with its key locked, as a careless report does; where two do so, one waits.
class Accountant final : public Service
{
public:
    using Service::Service;

protected:
    int work() override
    {
        const bool locked = done("BEGIN")
            && done("SELECT 1 FROM app.idempotency_request WHERE idempotency_scope = 'create_order' AND status = "
                    "'succeeded' AND idempotency_key = "
                    "(SELECT min(idempotency_key) FROM app.idempotency_request WHERE idempotency_scope = "
                    "'create_order' AND status = 'succeeded') FOR UPDATE");
        if (locked && pause(1'500)) {
            done("COMMIT");
        }
        return number(200, 700);
    }
};

/// Orders arrive, are repeated, fail, and sometimes their worker dies in the middle.
class OrderService final : public Service
{
public:
    using Service::Service;

protected:
    int work() override
    {
        const int kind = number(0, 99);
        if (kind < 58) {
            newOrder();
        } else if (kind < 70) {
            retryFailed();
        } else if (kind < 82) {
            repeat(false);
        } else if (kind < 89) {
            repeat(true);
        } else {
            hotKey();
        }
        return number(300, 1'400);
    }

private:
    struct Claim {
        QByteArray key;
        QByteArray hash;
        QByteArray kind; ///< empty where the claim was refused
    };

    Claim claim(const QByteArray &key, const QByteArray &hash)
    {
        const auto answer = rows(
            "SELECT claim_kind FROM app.claim_idempotency_key('create_order', $1, $2, $3, $4::integer, '7 days')",
            { key, hash, name(), kLeaseSeconds });
        return { key, hash, answer.isEmpty() ? QByteArray() : answer.first().first() };
    }

    void fail(const Claim &claim, bool retryable)
    {
        done("SELECT app.mark_idempotency_failed('create_order', $1, $2::boolean, $3, $4)",
            { claim.key, retryable ? "true" : "false", retryable ? "gateway_timeout" : "card_declined",
                retryable ? "No answer from the payment gateway within 10 s (timeout)."
                          : "The issuer declined the card (code 05)." });
    }

    /// The claim is committed before this: the row is seen in progress while the work goes on.
    void carryOut(const Claim &claim)
    {
        const int fate = number(0, 999);
        if (fate < 45) {
            crash();
            return;
        }
        if (fate < 135) {
            pause(number(100, 900));
            fail(claim, fate < 110);
            return;
        }
        const QByteArray order = uuid();
        const QByteArray amount = QByteArray::number(number(4, 900)) + '.' + QByteArray::number(number(10, 99));
        const QByteArray seconds = QByteArray::number(number(50, 2'500) / 1000.0);
        const bool effect = done("BEGIN") && done("SELECT pg_sleep($1::float8)", { seconds })
            && done("INSERT INTO app.customer_order (order_id, customer_id, external_cart_id, total_amount) VALUES "
                    "($1::uuid, $2::uuid, $3, $4::numeric)",
                { order, uuid(), "cart-" + claim.key, amount })
            && done("INSERT INTO app.outbox_event (event_type, aggregate_type, aggregate_id, idempotency_scope, "
                    "idempotency_key, payload)"
                    " VALUES ('order.created', 'customer_order', $1::uuid, 'create_order', $2,"
                    " jsonb_build_object('orderId', $1, 'total', $3::numeric, 'currency', 'EUR', 'version', 1))",
                { order, claim.key, amount });
        if (!effect) {
            return;
        }
        if (fate < 155) {
            done("COMMIT"); // the effect is there, and nobody marks the key
            crash();
            return;
        }
        if (done("SELECT app.mark_idempotency_succeeded('create_order', $1, 'customer_order', $2::uuid,"
                 " jsonb_build_object('orderId', $2, 'status', 'created', 'total', $3::numeric, 'currency', 'EUR'))",
                { claim.key, order, amount })) {
            done("COMMIT");
        }
    }

    void newOrder()
    {
        const QByteArray key = chance(0.7)
            ? "ord-" + QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyMMdd-HHmmss")).toLatin1() + '-'
                + QByteArray::number(number(1000, 9999))
            : uuid();
        const Claim mine = claim(key, uuid().replace('-', QByteArray()) + uuid().replace('-', QByteArray()));
        if (mine.kind == "new_claim") {
            carryOut(mine);
        }
    }

    void retryFailed()
    {
        const auto found
            = rows("SELECT idempotency_key, request_hash FROM app.idempotency_request"
                   " WHERE idempotency_scope = 'create_order' AND (status = 'failed_retryable' AND attempt_count < 5"
                   "        OR status = 'processing' AND locked_until < now() AND claimed_by LIKE 'orders-_'"
                   "           AND idempotency_key LIKE 'ord-%' AND attempt_count < 3 AND created_at > now() - "
                   "interval '10 minutes')"
                   "   AND updated_at > now() - interval '2 hours'"
                   " ORDER BY updated_at LIMIT 1");
        if (found.isEmpty()) {
            return;
        }
        const Claim mine = claim(found.first().at(0), found.first().at(1));
        if (mine.kind == "retryable_failure" || mine.kind == "processing_stale") {
            carryOut(mine);
        }
    }

    /// A client sends a known key again: the same request is answered from the store, another one refused (P4002).
    void repeat(bool changed)
    {
        const auto found = rows("SELECT idempotency_key, request_hash FROM app.idempotency_request"
                                " WHERE idempotency_scope = 'create_order' AND expires_at BETWEEN now() + interval '6 "
                                "days' AND now() + interval '8 days'"
                                "   AND status = 'succeeded' ORDER BY expires_at DESC OFFSET $1::integer LIMIT 1",
            { QByteArray::number(number(0, 40)) });
        if (!found.isEmpty()) {
            const QByteArray other = uuid().replace('-', QByteArray()) + uuid().replace('-', QByteArray());
            claim(found.first().at(0), changed ? other : found.first().at(1));
            if (changed) { // after the claim's transaction was rolled back, for what it recorded would go with it
                done("SELECT idemdesk.record_conflict('create_order', $1, $2, $3, $4, $5, 'plpgsql-request')",
                    { found.first().at(0), found.first().at(1), other,
                        "{\"cart\": \"changed\", \"total\": " + QByteArray::number(number(10, 900)) + "}", name() });
            }
            report(changed ? QByteArray() : QByteArray("replay"));
        }
    }

    /// What no table keeps, a service tells; on its own, for its row stays locked until the transaction ends.
    void report(const QByteArray &kind)
    {
        if (!kind.isEmpty()) {
            done("SELECT idemdesk.record_event($1, 'create_order')", { kind });
        }
        done("SELECT idemdesk.record_event('check', 'create_order', 1, $1::float8)",
            { QByteArray::number(number(2, 14)) });
        done("SELECT idemdesk.record_event($1, 'create_order', 1, $2::float8)",
            { chance(0.7) ? "cache_hit" : "cache_miss", QByteArray::number(number(1, 4)) });
    }

    /// A double click: both workers want one key at once, and one waits for the other's row lock.
    void hotKey()
    {
        const QByteArray key
            = "hot-" + QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyMMdd-HH")).toLatin1();
        if (done("BEGIN")) {
            claim(key, "5d41402abc4b2a76b9719d911017c592");
            done("SELECT pg_sleep($1::float8)", { QByteArray::number(number(800, 3'000) / 1000.0) });
            done("COMMIT");
        }
    }
};

/// Takes the newest pending events; those that hang since the incident it tries now and then, in vain.
class Publisher final : public Service
{
public:
    using Service::Service;

protected:
    int work() override
    {
        if (chance(0.15)) {
            done("UPDATE app.outbox_event SET attempt_count = attempt_count + 1 WHERE outbox_id ="
                 " (SELECT outbox_id FROM app.outbox_event WHERE status = 'pending' AND attempt_count BETWEEN 1 AND 24"
                 "   ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)");
            return 700;
        }
        if (!done("BEGIN")) {
            return 500;
        }
        const auto taken = rows("SELECT outbox_id FROM app.outbox_event WHERE status = 'pending' AND attempt_count = 0"
                                " ORDER BY created_at LIMIT 3 FOR UPDATE SKIP LOCKED");
        if (!taken.isEmpty()) {
            done("SELECT pg_sleep(0.4)");
        }
        for (const auto &row : taken) {
            done("UPDATE app.outbox_event SET status = 'published', attempt_count = 1, published_at = "
                 "clock_timestamp() WHERE outbox_id = $1::uuid",
                row);
        }
        done("COMMIT");
        for (const auto &row : taken) {
            done("INSERT INTO app.processed_message (consumer_name, message_id, message_hash, result_ref_type) VALUES "
                 "('billing', $1, md5($1), 'invoice')"
                 " ON CONFLICT DO NOTHING",
                row);
        }
        return number(1'500, 4'000);
    }
};

/// Ends a worker's backend in mid-work, as an out-of-memory killer or an impatient administrator would.
class Reaper final : public Service
{
public:
    using Service::Service;

protected:
    int work() override
    {
        if (!pause(number(15'000, 30'000))) {
            return 0;
        }
        done("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
             " WHERE application_name LIKE 'orders-%' AND usename = current_user AND state <> 'idle' LIMIT 1");
        return 100;
    }
};

} // namespace

std::unique_ptr<Service> makeOrderService(Services &home, const QByteArray &name)
{
    return std::make_unique<OrderService>(home, name);
}

std::unique_ptr<Service> makePublisher(Services &home)
{
    return std::make_unique<Publisher>(home, "outbox-publisher");
}

std::unique_ptr<Service> makeAccountant(Services &home, const QByteArray &name)
{
    return std::make_unique<Accountant>(home, name);
}

std::unique_ptr<Service> makeReaper(Services &home)
{
    return std::make_unique<Reaper>(home, "watchdog");
}

} // namespace idemdesk::app
