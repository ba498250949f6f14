-- SPDX-License-Identifier: GPL-3.0-or-later
-- A case office with five tenants: commands, messages in and out, work items, imports.
CREATE TEMPORARY TABLE request ON COMMIT DROP AS
SELECT i, at, pg_temp.mark('office', floor(5 * pow(pg_temp.dice(i, 301), 2))::bigint) AS tenant,
       CASE WHEN pg_temp.dice(i, 302) < 0.42 THEN 'CreateCase' WHEN pg_temp.dice(i, 302) < 0.68 THEN 'AssignCase'
            WHEN pg_temp.dice(i, 302) < 0.83 THEN 'SubmitEvidence' WHEN pg_temp.dice(i, 302) < 0.94 THEN 'EscalateCase'
            ELSE 'ApproveAction' END AS operation,
       CASE WHEN at > now() - interval '4 minutes' AND pg_temp.dice(i, 303) < 0.6 THEN 'IN_PROGRESS'
            WHEN at < now() - interval '20 minutes' AND pg_temp.dice(i, 303) < 0.0025 THEN 'IN_PROGRESS'
            WHEN at > now() - interval '3 days' AND pg_temp.dice(i, 304) < 0.03 THEN 'FAILED_RETRYABLE'
            WHEN pg_temp.dice(i, 304) > 0.982 THEN 'FAILED_TERMINAL'
            ELSE 'COMPLETED' END AS status
  FROM pg_temp.moments(24000, 300);

INSERT INTO seed003.idempotency_request
    (tenant_id, operation_name, idempotency_key, request_hash, status, resource_type, resource_id, response_code, response_body,
     error_code, locked_until, created_at, completed_at, expires_at)
SELECT tenant, operation,
       CASE WHEN i % 5 = 0 THEN 'form-' || to_char(at, 'YYYYMMDD') || '-' || i ELSE pg_temp.mark('003-key', i)::text END,
       encode(sha256(convert_to('003 request ' || i, 'UTF8')), 'base64'), status,
       CASE WHEN status = 'COMPLETED' THEN 'EnforcementCase' END,
       CASE WHEN status = 'COMPLETED' THEN pg_temp.mark('003-case', i) END,
       CASE status WHEN 'COMPLETED' THEN CASE WHEN operation = 'CreateCase' THEN 201 ELSE 200 END
                   WHEN 'FAILED_TERMINAL' THEN 422 WHEN 'FAILED_RETRYABLE' THEN 503 END,
       CASE status WHEN 'COMPLETED' THEN jsonb_build_object('caseId', pg_temp.mark('003-case', i), 'version', 1 + i % 7)
                   WHEN 'FAILED_TERMINAL' THEN jsonb_build_object('title', 'The command is not allowed in this state', 'status', 422) END,
       CASE status WHEN 'FAILED_TERMINAL' THEN (ARRAY['CASE_CLOSED', 'NOT_ASSIGNED', 'EVIDENCE_TOO_LARGE'])[1 + i % 3]
                   WHEN 'FAILED_RETRYABLE' THEN (ARRAY['DOCUMENT_STORE_DOWN', 'LOCK_TIMEOUT'])[1 + i % 2] END,
       CASE WHEN status = 'IN_PROGRESS' THEN at + interval '5 minutes' END,
       at, CASE WHEN status IN ('COMPLETED', 'FAILED_TERMINAL') THEN least(at + pg_temp.dice(i, 305) * interval '3 seconds', now()) END,
       CASE WHEN i % 40 <> 0 THEN at + interval '7 days' END
  FROM request
UNION ALL
SELECT pg_temp.mark('office', n % 3), 'SubmitEvidence', 'upload-' || n, md5('upload' || n), 'IN_PROGRESS', NULL, NULL, NULL, NULL,
       NULL, now() + (6 - n) * interval '9 minutes', now() - n * interval '6 minutes', NULL, now() + interval '7 days'
  FROM generate_series(1, 12) AS n;

INSERT INTO seed003.enforcement_case (case_id, tenant_id, source_system, external_complaint_id, status, created_at, version, updated_at)
SELECT pg_temp.mark('003-case', i), tenant, (ARRAY['portal', 'hotline', 'police'])[1 + i % 3], 'C-' || i,
       (ARRAY['OPEN', 'UNDER_REVIEW', 'CLOSED', 'CLOSED'])[1 + i % 4], at, 1 + (i % 7)::integer, at
  FROM request WHERE status = 'COMPLETED';
INSERT INTO seed003.external_case_reference (tenant_id, source_system, external_case_ref, case_id, first_seen_at)
SELECT tenant_id, source_system, 'X-' || external_complaint_id, case_id, created_at
  FROM seed003.enforcement_case WHERE source_system = 'police';
INSERT INTO seed003.case_sla_timer (timer_id, tenant_id, case_id, sla_type, status, started_at, stopped_at)
SELECT pg_temp.mark('timer', hashtextextended(case_id::text, 1)), tenant_id, case_id, 'first_answer',
       CASE WHEN status = 'OPEN' THEN 'ACTIVE' WHEN version = 5 THEN 'BREACHED' ELSE 'STOPPED' END, created_at,
       CASE WHEN status <> 'OPEN' THEN created_at + interval '9 hours' END
  FROM seed003.enforcement_case WHERE created_at > now() - interval '15 days';
INSERT INTO seed003.user_notification (notification_id, read_at)
SELECT pg_temp.mark('notice', n), CASE WHEN n % 3 > 0 THEN now() - n * interval '13 minutes' END FROM generate_series(1, 1200) AS n;
INSERT INTO seed003.ledger_transaction (tenant_id, ledger_txn_id, source_system, source_operation_id, created_at)
SELECT tenant, pg_temp.mark('transaction', i), 'fees', 'fee-' || i, at FROM request WHERE i % 16 = 0;
INSERT INTO seed003.ledger_entry
    (ledger_entry_id, tenant_id, account_id, source_system, source_operation_id, direction, amount_cents, currency_code, posted_at)
SELECT pg_temp.mark('entry ' || side, i), tenant, pg_temp.mark('account', i % 40), 'fees', 'fee-' || i || '-' || side, side, 1500 + i % 900, 'EUR', at
  FROM request CROSS JOIN (VALUES ('DEBIT'), ('CREDIT')) AS s (side) WHERE i % 16 = 0;

INSERT INTO seed003.processed_message
    (consumer_name, message_id, message_source, message_hash, processed_at, result_status, aggregate_type, aggregate_id)
SELECT pg_temp.pick('{case-intake,case-intake,case-intake,deadline-watch,statistics}', pg_temp.dice(i, 311)), 'm-' || i,
       pg_temp.pick('{portal,portal,hotline,police}', pg_temp.dice(i, 312)),
       CASE WHEN i % 50 <> 0 THEN md5('message ' || i) END, at,
       CASE WHEN pg_temp.dice(i, 313) < 0.94 THEN 'APPLIED' WHEN pg_temp.dice(i, 313) < 0.985 THEN 'IGNORED' ELSE 'FAILED_TERMINAL' END,
       'EnforcementCase', pg_temp.mark('003-case', i)
  FROM pg_temp.moments(15000, 310);

-- The inbox: most is done, some waits, and a few poison messages come back again and again.
INSERT INTO seed003.inbox_message
    (inbox_id, source_system, message_id, message_type, aggregate_id, payload, headers, received_at, status, attempt_count, next_attempt_at, last_error)
SELECT pg_temp.mark('inbox', i), (ARRAY['portal', 'hotline', 'police'])[1 + i % 3], 'in-' || i,
       (ARRAY['ComplaintFiled', 'EvidenceAdded', 'DeadlineMoved'])[1 + i % 3], pg_temp.mark('003-case', i),
       jsonb_build_object('complaint', 'C-' || i, 'pages', i % 30, 'filedAt', at), jsonb_build_object('trace', md5('trace' || i)),
       at, status,
       CASE status WHEN 'RECEIVED' THEN 0 WHEN 'FAILED_TERMINAL' THEN 8 WHEN 'FAILED_RETRYABLE' THEN 1 + (i % 4)::integer ELSE 1 END,
       CASE WHEN status = 'FAILED_RETRYABLE' THEN now() + (pg_temp.dice(i, 322) * 40 - 10) * interval '1 minute' END,
       CASE WHEN status LIKE 'FAILED%' THEN 'The document store did not answer within 5 s (timeout).' END
  FROM (SELECT i, at,
               CASE WHEN at > now() - interval '6 minutes' THEN 'RECEIVED'
                    WHEN pg_temp.dice(i, 321) < 0.002 THEN 'PROCESSING'
                    WHEN at > now() - interval '1 day' AND pg_temp.dice(i, 321) < 0.06 THEN 'FAILED_RETRYABLE'
                    WHEN pg_temp.dice(i, 321) > 0.99 THEN 'FAILED_TERMINAL'
                    ELSE 'PROCESSED' END AS status
          FROM pg_temp.moments(8000, 320)) AS message
UNION ALL
SELECT pg_temp.mark('poison', n), 'hotline', 'poison-' || n, 'ComplaintFiled', NULL,
       CASE n % 3 WHEN 0 THEN jsonb_build_object('complaint', NULL, 'text', repeat('x', 4000))
                  WHEN 1 THEN jsonb_build_array('not', 'an', 'object')
                  ELSE jsonb_build_object('complaint', 12345678901234567890.10, 'pages', -1) END,
       '{"redelivered": true}', now() - n * interval '5 hours', CASE WHEN n % 4 = 0 THEN 'FAILED_TERMINAL' ELSE 'FAILED_RETRYABLE' END,
       20 + n * 3, CASE WHEN n % 4 <> 0 THEN now() + n * interval '2 minutes' END,
       'complaint: expected text, found something else (field 1 of message poison-' || n || ')'
  FROM generate_series(1, 11) AS n
UNION ALL
SELECT pg_temp.mark('waiting', n), 'portal', 'wait-' || n, 'EvidenceAdded', pg_temp.mark('003-case', n), jsonb_build_object('complaint', 'C-' || n),
       '{}', now() - n * interval '8 seconds', CASE WHEN n <= 4 THEN 'PROCESSING' ELSE 'RECEIVED' END, CASE WHEN n <= 4 THEN 1 ELSE 0 END, NULL, NULL
  FROM generate_series(1, 30) AS n;

INSERT INTO seed003.outbox_event (event_id, aggregate_type, aggregate_id, event_type, aggregate_version, payload)
SELECT pg_temp.mark('003-event', i), 'EnforcementCase', pg_temp.mark('003-case', i),
       (ARRAY['CaseOpened', 'CaseAssigned', 'CaseMovedUnderReview'])[1 + i % 3], 1 + (i % 3)::integer,
       jsonb_build_object('caseId', pg_temp.mark('003-case', i), 'by', 'officer-' || i % 25)
  FROM request WHERE status = 'COMPLETED' AND i % 4 = 0;

INSERT INTO seed003.case_command (tenant_id, command_id, command_type, request_hash, case_id, status, created_at, completed_at)
SELECT coalesce(r.tenant, pg_temp.mark('office', floor(5 * pow(pg_temp.dice(i, 331), 2))::bigint)), pg_temp.mark('command', i),
       pg_temp.pick('{CreateCase,CreateCase,AssignCase,CloseCase}', pg_temp.dice(i, 332)), md5('command ' || i),
       CASE WHEN command.status = 'COMPLETED' THEN pg_temp.mark('003-case', i) END, command.status, command.at,
       CASE WHEN command.status IN ('COMPLETED', 'FAILED_TERMINAL') THEN least(command.at + interval '700 milliseconds', now()) END
  FROM (SELECT i, at,
               CASE WHEN at > now() - interval '5 minutes' THEN 'IN_PROGRESS'
                    WHEN pg_temp.dice(i, 333) < 0.004 THEN 'IN_PROGRESS'
                    WHEN pg_temp.dice(i, 333) < 0.012 THEN 'FAILED_RETRYABLE'
                    WHEN pg_temp.dice(i, 333) > 0.985 THEN 'FAILED_TERMINAL'
                    ELSE 'COMPLETED' END AS status
          FROM pg_temp.moments(4500, 330)) AS command
  LEFT JOIN request AS r USING (i);

INSERT INTO seed003.case_transition_command
    (tenant_id, command_id, case_id, from_status, to_status, requested_by, request_hash, result_status, applied_transition_id, created_at, completed_at)
SELECT pg_temp.mark('office', floor(5 * pow(pg_temp.dice(i, 341), 2))::bigint), pg_temp.mark('transition', i), pg_temp.mark('003-case', i),
       (ARRAY['OPEN', 'UNDER_REVIEW'])[1 + i % 2], (ARRAY['UNDER_REVIEW', 'CLOSED'])[1 + i % 2], pg_temp.mark('officer', i % 25), md5('transition ' || i),
       status, CASE WHEN status = 'APPLIED' THEN pg_temp.mark('applied', i) END, at,
       CASE WHEN status IN ('APPLIED', 'REJECTED') THEN least(at + interval '300 milliseconds', now()) END
  FROM (SELECT i, at,
               CASE WHEN at > now() - interval '5 minutes' THEN 'IN_PROGRESS'
                    WHEN pg_temp.dice(i, 342) < 0.004 THEN 'IN_PROGRESS'
                    WHEN pg_temp.dice(i, 342) < 0.012 THEN 'FAILED_RETRYABLE'
                    WHEN pg_temp.dice(i, 342) > 0.96 THEN 'REJECTED'
                    ELSE 'APPLIED' END AS status
          FROM pg_temp.moments(4500, 340)) AS command;

-- Leases: done, waiting, alive and past.
INSERT INTO seed003.work_item (work_item_id, status, priority, available_at, claimed_by, claimed_at, lease_until)
SELECT pg_temp.mark('work', i), status, (i % 5)::integer, at,
       CASE WHEN status <> 'READY' THEN 'clerk-' || i % 9 END, CASE WHEN status <> 'READY' THEN at + interval '2 seconds' END,
       CASE WHEN status <> 'READY' THEN at + interval '5 minutes' END
  FROM (SELECT i, at,
               CASE WHEN at > now() - interval '40 minutes' THEN 'READY'
                    WHEN pg_temp.dice(i, 352) < 0.004 THEN 'PROCESSING'
                    WHEN pg_temp.dice(i, 352) < 0.015 THEN 'FAILED_RETRYABLE'
                    WHEN pg_temp.dice(i, 352) > 0.99 THEN 'FAILED_TERMINAL'
                    ELSE 'COMPLETED' END AS status
          FROM pg_temp.moments(6000, 350)) AS item
UNION ALL
SELECT pg_temp.mark('leased', n), 'PROCESSING', 3, now() - interval '1 hour', 'clerk-' || n, now() - n * interval '30 seconds',
       now() + (15 - n) * interval '4 minutes'
  FROM generate_series(1, 12) AS n
UNION ALL
SELECT pg_temp.mark('ready', n), 'READY', (n % 5)::integer, now() - n * interval '20 seconds', NULL, NULL, NULL FROM generate_series(1, 150) AS n;

INSERT INTO seed003.import_job (import_job_id, tenant_id, source_name, status, created_at)
SELECT pg_temp.mark('import', n), pg_temp.mark('office', n % 5), 'monthly-register-' || n, CASE WHEN n = 1 THEN 'RUNNING' ELSE 'DONE' END,
       now() - n * interval '2 days 3 hours'
  FROM generate_series(1, 12) AS n;
INSERT INTO seed003.import_row_result
    (import_job_id, row_number, source_row_hash, natural_key, target_type, target_id, status, error_code)
SELECT pg_temp.mark('import', job), line, md5(job || '/' || line), 'REG-' || job || '-' || line, 'EnforcementCase',
       CASE WHEN status = 'APPLIED' THEN pg_temp.mark('imported', job * 10000 + line) END, status,
       CASE WHEN status = 'FAILED' THEN (ARRAY['MISSING_NAME', 'UNKNOWN_OFFICE', 'DUPLICATE_ROW'])[1 + line % 3] END
  FROM (SELECT job, line,
               CASE WHEN job = 1 AND line > 520 THEN 'PENDING'
                    WHEN pg_temp.dice(job * 10000 + line, 361) < 0.93 THEN 'APPLIED'
                    WHEN pg_temp.dice(job * 10000 + line, 361) < 0.97 THEN 'SKIPPED' ELSE 'FAILED' END AS status
          FROM generate_series(1, 12) AS job, generate_series(1, 800) AS line) AS result;

SELECT pg_temp.analyse('seed003');
