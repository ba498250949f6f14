// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/services.h"

namespace idemdesk::app {

namespace {

/// Messages come in, are worked on, and the poison ones come back.
class InboxService final : public Service
{
public:
    using Service::Service;

protected:
    int work() override
    {
        if (chance(0.6)) {
            done("INSERT INTO seed003.inbox_message (inbox_id, source_system, message_id, message_type, aggregate_id, "
                 "payload, status)"
                 " VALUES ($1::uuid, (ARRAY['portal', 'hotline', 'police'])[$2::integer], 'in-' || left($1::text, 13), "
                 "'ComplaintFiled', $3::uuid,"
                 " jsonb_build_object('complaint', 'C-' || left($1::text, 8), 'pages', $2::integer), 'RECEIVED')",
                { uuid(), QByteArray::number(number(1, 3)), uuid() });
        }
        if (chance(0.12)) {
            pokePoison();
        }
        takeOne();
        return number(900, 2'200);
    }

private:
    void pokePoison()
    {
        done("UPDATE seed003.inbox_message SET attempt_count = attempt_count + 1, next_attempt_at = now() + interval "
             "'3 minutes'"
             " WHERE inbox_id = (SELECT inbox_id FROM seed003.inbox_message WHERE message_id LIKE 'poison-%'"
             "  AND status = 'FAILED_RETRYABLE' AND attempt_count < 500 ORDER BY next_attempt_at LIMIT 1)");
    }

    void takeOne()
    {
        const auto taken = rows(
            "UPDATE seed003.inbox_message SET status = 'PROCESSING', attempt_count = attempt_count + 1 WHERE inbox_id ="
            " (SELECT inbox_id FROM seed003.inbox_message WHERE status = 'RECEIVED' ORDER BY received_at LIMIT 1 FOR "
            "UPDATE SKIP LOCKED)"
            " RETURNING inbox_id, source_system, message_id");
        if (taken.isEmpty() || !pause(number(200, 900))) {
            return;
        }
        const auto message = taken.first();
        if (chance(0.03)) {
            return; // its worker forgot it
        }
        if (chance(0.05)) {
            done("UPDATE seed003.inbox_message SET status = 'FAILED_RETRYABLE', next_attempt_at = now() + interval '2 "
                 "minutes',"
                 " last_error = 'The document store did not answer within 5 s (timeout).' WHERE inbox_id = $1::uuid",
                { message.at(0) });
            return;
        }
        if (done("BEGIN")
            && done("INSERT INTO seed003.processed_message (consumer_name, message_id, message_source, message_hash, "
                    "result_status)"
                    " VALUES ('case-intake', $1, $2, md5($1), CASE WHEN $3::integer < 8 THEN 'IGNORED' ELSE 'APPLIED' "
                    "END) ON CONFLICT DO NOTHING",
                { message.at(2), message.at(1), QByteArray::number(number(0, 99)) })
            && done(
                "UPDATE seed003.inbox_message SET status = 'PROCESSED' WHERE inbox_id = $1::uuid", { message.at(0) })
            && done("INSERT INTO seed003.outbox_event (event_id, aggregate_type, aggregate_id, event_type, "
                    "aggregate_version, payload)"
                    " VALUES (gen_random_uuid(), 'EnforcementCase', gen_random_uuid(), 'CaseOpened', 1, "
                    "jsonb_build_object('message', $1::text))",
                { message.at(2) })) {
            done("COMMIT");
        }
    }
};

/// Works off leased items, commands and requests of the case office.
class Clerk final : public Service
{
public:
    using Service::Service;

protected:
    int work() override
    {
        switch (m_turn++ % 4) { // in turn, as with the charges
        case 0:
            workItem();
            break;
        case 1:
            command("case_command", "command_type", "'AssignCase'", "status", "COMPLETED");
            break;
        case 2:
            transition();
            break;
        default:
            request();
            break;
        }
        return number(700, 1'800);
    }

private:
    unsigned m_turn = 0;

    void workItem()
    {
        if (chance(0.7)) {
            done("INSERT INTO seed003.work_item (work_item_id, priority) VALUES (gen_random_uuid(), $1::integer)",
                { QByteArray::number(number(0, 4)) });
        }
        const auto taken
            = rows("UPDATE seed003.work_item SET status = 'PROCESSING', claimed_by = 'clerk-live', claimed_at = now(),"
                   " lease_until = now() + interval '60 seconds' WHERE work_item_id ="
                   " (SELECT work_item_id FROM seed003.work_item WHERE status = 'READY' AND available_at <= now()"
                   "   ORDER BY priority DESC, available_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING work_item_id");
        if (!taken.isEmpty() && pause(number(300, 2'000)) && !chance(0.06)) {
            done("UPDATE seed003.work_item SET status = $2 WHERE work_item_id = $1::uuid",
                { taken.first().first(), chance(0.94) ? "COMPLETED" : "FAILED_RETRYABLE" });
        }
    }

    QByteArray tenant()
    {
        const auto found = rows("SELECT tenant_id FROM seed003.idempotency_request LIMIT 1");
        return found.isEmpty() ? uuid() : found.first().first();
    }

    void command(const QByteArray &table, const QByteArray &typeColumn, const QByteArray &type,
        const QByteArray &statusColumn, const QByteArray &end)
    {
        const QByteArray id = uuid();
        if (!done("INSERT INTO seed003." + table + " (tenant_id, command_id, " + typeColumn + ", request_hash, "
                    + statusColumn + ") VALUES ($1::uuid, $2::uuid, " + type + ", md5($2::text), 'IN_PROGRESS')",
                { tenant(), id })
            || !pause(number(200, 1'500)) || chance(0.05)) {
            return;
        }
        done("UPDATE seed003." + table + " SET " + statusColumn
                + " = $2, completed_at = now() WHERE command_id = $1::uuid",
            { id, end });
    }

    void transition()
    {
        command("case_transition_command", "case_id, requested_by, from_status, to_status",
            "gen_random_uuid(), gen_random_uuid(), 'OPEN', 'UNDER_REVIEW'", "result_status",
            chance(0.9) ? "APPLIED" : "REJECTED");
    }

    void request()
    {
        const QByteArray key = uuid();
        if (!done("INSERT INTO seed003.idempotency_request (tenant_id, operation_name, idempotency_key, request_hash, "
                  "status, locked_until, expires_at)"
                  " VALUES ($1::uuid, 'CreateCase', $2, encode(sha256(convert_to($2, 'UTF8')), 'base64'), "
                  "'IN_PROGRESS', now() + interval '60 seconds', now() + interval '7 days')",
                { tenant(), key })
            || !pause(number(200, 2'500)) || chance(0.06)) {
            return;
        }
        done("UPDATE seed003.idempotency_request SET status = 'COMPLETED', locked_until = NULL, completed_at = now(), "
             "response_code = 201,"
             " resource_type = 'EnforcementCase', resource_id = gen_random_uuid(), response_body = '{\"version\": 1}'"
             " WHERE idempotency_key = $1 AND operation_name = 'CreateCase'",
            { key });
    }
};

/// Charges and payments by key, and long exports that say from time to time that they live.
class ChargeService final : public Service
{
public:
    using Service::Service;

protected:
    int work() override
    {
        done("UPDATE seed000.idempotency_keys_heartbeat SET last_heartbeat_at = now() WHERE status = 'pending' AND "
             "idempotency_key LIKE 'export-night-%'");
        // In turn, not by chance: every table moves while somebody looks.
        switch (m_turn++ % 3) {
        case 0:
            charge("seed002.idempotency_keys");
            break;
        case 1:
            charge("seed002.idempotency_keys_partitioned");
            break;
        default:
            payment();
            break;
        }
        return number(1'000, 2'500);
    }

private:
    unsigned m_turn = 0;

    void charge(const QByteArray &table)
    {
        const QByteArray key = uuid();
        if (!done("INSERT INTO " + table
                    + " (idempotency_key, status, user_id, locked_at) VALUES ($1, 'started', $2::uuid, now())",
                { key, uuid() })
            || !pause(number(100, 1'500)) || chance(0.05)) {
            return;
        }
        const bool declined = chance(0.08);
        done("UPDATE " + table
                + " SET status = $2::seed002.idempotency_status, locked_at = NULL, updated_at = now(), response_code = "
                  "$3::integer,"
                  " response_body = jsonb_build_object('id', 'ch_' || left(md5($1), 24)) WHERE idempotency_key = $1",
            { key, declined ? "failed" : "completed", declined ? "402" : "201" });
    }

    void payment()
    {
        const QByteArray id = uuid();
        if (!done("INSERT INTO seed000.idempotency_keys (id, tenant_id, idempotency_key, status, expires_at)"
                  " SELECT $1::uuid, tenant_id, $1, 'pending', now() + interval '24 hours' FROM "
                  "seed000.idempotency_keys LIMIT 1",
                { id })
            || !pause(number(100, 1'500)) || chance(0.05)) {
            return;
        }
        done("UPDATE seed000.idempotency_keys SET status = 'completed', response_payload = '{\"status\": \"captured\", "
             "\"amount\": 19.90}' WHERE id = $1::uuid",
            { id });
    }
};

} // namespace

std::unique_ptr<Service> makeInboxService(Services &home)
{
    return std::make_unique<InboxService>(home, "case-intake");
}

std::unique_ptr<Service> makeClerk(Services &home)
{
    return std::make_unique<Clerk>(home, "case-clerk");
}

std::unique_ptr<Service> makeChargeService(Services &home)
{
    return std::make_unique<ChargeService>(home, "charges");
}

} // namespace idemdesk::app
