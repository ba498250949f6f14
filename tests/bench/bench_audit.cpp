// SPDX-License-Identifier: GPL-3.0-or-later
// verify_audit() over many items, beside reading the same columns of them once.
#include "tests/bench/bench.h"
#include "tests/bench/expect.h"
#include "tests/support/console_fixture.h"

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

constexpr int kAuditRounds = 3;
constexpr double kAuditBudget = 2;
constexpr qint64 kItemsOfAction = 100'000; ///< in ten batches, as many as one action may have

/// Finished recoveries in the console's own tables, as its functions would have left them: items, batches with their
/// digests, and the chain, whose rows are appended by the console's own function.
const auto kFill = uR"(
SET ROLE idemdesk_owner;
SELECT idemdesk._ensure_partition('action_item', current_date);
DO $do$
DECLARE
    a         idemdesk.action;
    v_sha     bytea;
    v_seq     bigint;
    v_result  jsonb;
    c_columns CONSTANT text[] := ARRAY['tenant', 'key', 'status', 'locked_until', 'attempts', 'result', 'updated_at',
                                       'expires_at', 'price', 'pad', 'doc'];
BEGIN
    FOR n IN 1..%1 LOOP
        a.id := gen_random_uuid();
        a.target := 'k';
        a.relation := (SELECT t.relation FROM idemdesk.target t WHERE t.name = 'k');
        a.verb := 'recover';
        a.requested_by := session_user;
        a.requested_at := clock_timestamp();
        a.opened_on := a.requested_at::date;
        a.keep_until := a.opened_on + 7;
        a.state := 'finished';
        a.reason := 'measured';
        a.plan := '{}';
        a.content_sha := sha256('x');
        a.profile_sha := sha256('x');
        a.covers_sha := sha256('x');
        a.planned_rows := 100000;
        a.allowance := 100000;
        a.last_batch := 10;
        a.next_row := 100001;
        a.cursor := '{}';
        a.counts := '{"done": 100000}';
        a.finished_at := clock_timestamp();
        INSERT INTO idemdesk.action SELECT a.*;
        PERFORM idemdesk._chain('open', 'k', a.id, NULL,
            idemdesk._action_facts(a) || jsonb_build_object('allowance', a.allowance, 'frozen', idemdesk._frozen(a.id)), NULL);
        FOR b IN 1..10 LOOP
            INSERT INTO idemdesk.action_item (opened_on, action, batch, ordinal, identity, identity_hash, before, after, outcome)
            SELECT a.opened_on, a.id, b, i, x.identity, hashtextextended(x.identity::text, 0),
                   ARRAY['t' || i % 3, 'key-' || i, 'processing', '2026-11-22 10:00:00.123456+00', '1', NULL,
                         '2026-11-22 10:00:00+00', '2026-11-23 10:00:00+00', '1.50', 'ab   ', '{"a": 1.00}'],
                   ARRAY['t' || i % 3, 'key-' || i, 'failed', NULL, '1', NULL, '2026-11-22 11:00:00+00',
                         '2026-11-23 10:00:00+00', '1.50', 'ab   ', '{"a": 1.00}'], 'done'
              FROM generate_series((b - 1) * 10000 + 1, b * 10000) i
             CROSS JOIN LATERAL (SELECT ARRAY['t' || i % 3, format('key-%s-%s', n, i)] AS identity) x;
            SELECT d.digest INTO v_sha FROM idemdesk._stored_digest(a.opened_on, a.id, b) d;
            v_result := '{"counts": {"done": 10000}}';
            v_seq := idemdesk._chain('batch', 'k', a.id, b, jsonb_build_object(
                'state', CASE b WHEN 10 THEN 'finished' ELSE 'running' END, 'totals', jsonb_build_object('done', b * 10000),
                'said', encode(idemdesk._batch_digest(c_columns, v_result, NULL), 'hex')), v_sha);
            INSERT INTO idemdesk.action_batch (action, batch, at, columns, result, items_sha, audit_seq)
            VALUES (a.id, b, (SELECT u.at FROM idemdesk.audit u WHERE u.seq = v_seq), c_columns, v_result || jsonb_build_object('seq', v_seq), v_sha, v_seq);
        END LOOP;
    END LOOP;
END
$do$;
RESET ROLE;
VACUUM ANALYZE idemdesk.action_item, idemdesk.action_batch, idemdesk.audit, idemdesk.action;
)"_s;

const auto kReadAll = u"SELECT count(*), sum(length(m.identity::text) + length(m.before::text) + length(m.after::text) "
                      "+ length(m.outcome) + coalesce(length(m.detail), 0)) FROM idemdesk.action_item m"_s;

void runAudit(bench::Report &report, const QStringList &arguments)
{
    const qint64 rows = arguments.isEmpty() ? 10'000'000 : arguments.first().toLongLong();
    bench::demand(rows >= kItemsOfAction, u"a number of items, at least 100000"_s);
    tests::ConsoleFixture fixture({ u"shared_buffers = 1GB"_s, u"max_wal_size = 8GB"_s });
    fixture.cluster().psql(fixture.database(), kFill.arg(rows / kItemsOfAction));
    const auto op = fixture.as(u"op"_s); // the proof runs for whoever may look
    tests::Connection &root = fixture.root();
    for (tests::Connection *who : { op.get(), &root }) {
        who->run(u"SET max_parallel_workers_per_gather = 0"_s); // verify_audit() walks with one process, too
    }
    report.note(u"%1 items in batches of 10,000"_s.arg(root.value(u"SELECT count(*) FROM idemdesk.action_item"_s)));
    const auto times = bench::interleaved(
        { [&] { bench::demand(tests::ConsoleFixture::verified(*op) == u"t", u"the trail is not whole"_s); },
            [&] { bench::demand(root.run(kReadAll).ok(), u"the items could not be read"_s); } },
        kAuditRounds, 1);
    report.ratio(u"verify_audit()"_s, bench::median(times.at(0)), u"reading the items once"_s,
        bench::median(times.at(1)), kAuditBudget);
    // That it would have found something: one item of one batch in the middle.
    root.run(u"ALTER TABLE idemdesk.action_item DISABLE TRIGGER USER; "
             "UPDATE idemdesk.action_item SET after[3] = 'x' WHERE batch = 5 AND ordinal = 45000"_s);
    bench::demand(
        tests::ConsoleFixture::verified(*op).contains(u"the items of batch 5"_s), u"an altered item was not found"_s);
}

const bool kAuditRegistered
    = bench::add({ u"audit"_s, u"verify_audit() over 10 M items (or ROWS), beside reading them once"_s, runAudit });

} // namespace
