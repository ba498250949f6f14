// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/detect.h"
#include "sql/profile/binder.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using idemdesk::tests::TestCluster;

namespace {

/// What a person who knows the library would map. Empty parts are not compared.
struct Wanted {
    QString table;
    QString key;
    QString scope {}; ///< "tenant=t.tenant_id", "-" for none
    QString states {}; ///< "DONE=succeeded *=unknown null=pending"; "=succeeded =pending" where the words are our own
    QString stale {}; ///< "in_progress t.locked_at 5m, …", "-" for none
    QString roles {}; ///< "created_at=t.created_at:utc attempts=t.tries result_id="; what is written must be so
};

/// Two thirds of the tables: what detection was made better on.
const QList<Wanted> &workedTables()
{
    static const QList<Wanted> all {
        { u"ride_keys"_s, u"t.idempotency_key"_s, u"user=t.user_id"_s, u"finished=succeeded *=in_progress"_s,
            u"in_progress t.locked_at 5m"_s,
            u"created_at=t.created_at response_body=t.response_body response_code=t.response_code"
            " request_payload=t.request_params"_s },
        { u"idempotency_key"_s, u"t.idempotency_key"_s, u"-"_s, u"finished=succeeded *=in_progress"_s,
            u"in_progress t.locked_at 5m"_s, u"created_at=t.created_at"_s },
        { u"idempotency_records"_s, u"t.key"_s, u"-"_s, u"PROCESSING=in_progress COMPLETED=succeeded"_s,
            u"in_progress t.expires_at 0s"_s, u"fingerprint=t.fingerprint expires_at=t.expires_at"_s },
        { u"TaskRun"_s, u"t.\"idempotencyKey\""_s,
            u"runtime_environment=t.\"runtimeEnvironmentId\" task_identifier=t.\"taskIdentifier\""_s,
            u"DELAYED=pending PENDING=pending PENDING_VERSION=pending WAITING_FOR_DEPLOY=pending DEQUEUED=in_progress "
            "EXECUTING=in_progress WAITING_TO_RESUME=pending RETRYING_AFTER_FAILURE=failed_retryable PAUSED=pending "
            "CANCELED=failed_final INTERRUPTED=failed_final COMPLETED_SUCCESSFULLY=succeeded "
            "COMPLETED_WITH_ERRORS=failed_final SYSTEM_FAILURE=failed_final CRASHED=failed_final EXPIRED=failed_final "
            "TIMED_OUT=failed_final"_s,
            u"in_progress t.\"lockedAt\" 5m"_s,
            u"created_at=t.\"createdAt\":utc completed_at=t.\"completedAt\":utc"_s },
        { u"outbox"_s, u"t.messageid"_s, u"-"_s, u"=succeeded =pending"_s, u"pending t.timestamp 15m"_s,
            u"created_at=t.timestamp completed_at=t.dispatched request_payload=t.body"_s },
        { u"outbox_record"_s, u"t.id"_s, {}, u"NEW=pending COMPLETED=succeeded FAILED=failed_retryable"_s,
            u"pending t.created_at 15m"_s,
            u"attempts=t.failure_count completed_at=t.completed_at request_payload=t.payload"
            " error_message=t.failure_reason"_s },
        { u"river_job"_s, u"t.id"_s, u"-"_s,
            u"available=pending cancelled=failed_final completed=succeeded discarded=failed_final pending=pending "
            "retryable=failed_retryable running=in_progress scheduled=pending"_s,
            u"in_progress t.attempted_at 1h"_s,
            u"attempts=t.attempt completed_at=t.finalized_at request_payload=t.args created_at=t.created_at"_s },
        { u"oban_jobs"_s, u"t.id"_s, u"-"_s,
            u"available=pending suspended=pending scheduled=pending executing=in_progress retryable=failed_retryable "
            "completed=succeeded discarded=failed_final cancelled=failed_final"_s,
            u"in_progress t.\"attempted_at\" 1h"_s,
            u"created_at=t.\"inserted_at\":utc completed_at=t.\"completed_at\":utc attempts=t.attempt"_s },
        { u"api_requests"_s, u"t.request_key"_s, u"tenant=t.tenant_id"_s,
            u"IN_PROGRESS=in_progress COMPLETED=succeeded FAILED=failed_retryable"_s,
            u"in_progress t.locked_until 0s"_s, u"fingerprint=t.request_hash lease_until=t.locked_until"_s },
        { u"published"_s, u"t.\"Id\""_s, u"-"_s, u"Succeeded=succeeded Scheduled=pending Failed=failed_retryable"_s,
            u"pending t.\"Added\" 15m"_s,
            u"attempts=t.\"Retries\" created_at=t.\"Added\":utc expires_at=t.\"ExpiresAt\":utc"
            " request_payload=t.\"Content\""_s },
        { u"webhook_deliveries"_s, u"t.delivery_key"_s, u"-"_s,
            u"fresh=pending sending=in_progress awaiting_retry=failed_retryable ok=succeeded failed=failed_final"_s, {},
            u"claimed_at=t.picked_at completed_at=t.delivered_at attempts=t.attempts error_message=t.last_error"_s },
        { u"mail_commands"_s, u"t.command_id"_s, u"-"_s,
            u"3=pending 1=in_progress 7=succeeded 2=failed_retryable 9=failed_final"_s, {},
            u"claimed_at=t.taken_at owner=t.taken_by attempts=t.tries request_payload=t.body"_s },
        { u"command_inbox"_s, u"t.message_id"_s, u"consumer=t.consumer"_s, u"=succeeded =failed_retryable =pending"_s,
            {}, u"attempts=t.retry_count created_at=t.received_at request_payload=t.payload"_s },
        { u"inbox_messages"_s, u"t.id"_s, u"-"_s, u"=succeeded =pending"_s, u"pending t.occurred_on 15m"_s,
            u"completed_at=t.processed_on created_at=t.occurred_on request_payload=t.content"_s },
        { u"q_orders"_s, u"t.msg_id"_s, u"-"_s, u"=in_progress =pending"_s, {},
            u"attempts=t.read_ct created_at=t.enqueued_at request_payload=t.message"_s },
        { u"consumed_messages"_s, u"t.message_id"_s, u"consumer_group=t.consumer_group"_s, u"*=succeeded"_s, u"-"_s,
            {} },
        { u"saga_commands"_s, u"t.command_key"_s, u"-"_s,
            u"processing=in_progress completed=succeeded failed=failed_retryable"_s, u"in_progress t.updated_at 15m"_s,
            u"status=((t.document)::pg_catalog.jsonb->>'status')"_s },
        { u"import_requests"_s, u"t.dedup_key"_s, u"client=t.client_id"_s,
            u"DONE=succeeded FAILED=failed_retryable null=in_progress"_s, {}, u"attempts=t.retries"_s },
        { u"event_publication"_s, u"t.id"_s, {}, u"=succeeded =pending"_s, u"pending t.publication_date 15m"_s,
            u"created_at=t.publication_date completed_at=t.completion_date request_payload=t.serialized_event"_s },
        { u"payment_intents_seen"_s, u"t.intent_key"_s, u"merchant=t.merchant"_s,
            u"started=in_progress succeeded=succeeded failed=failed_retryable"_s, {},
            u"created_at=t.\"begun_at\":zone:Europe/Berlin completed_at=t.\"finished_at\":zone:Europe/Berlin"
            " fingerprint=t.intent_hash"_s },
        { u"call_ledger"_s, u"t.call_id"_s, u"-"_s, u"running=in_progress success=succeeded error=failed_retryable"_s,
            u"in_progress t.\"created_at\" 15m"_s,
            u"created_at=t.\"created_at\":iso completed_at=t.\"finished_at\":iso owner=t.claimed_by"_s },
        { u"charge_requests"_s, u"t.idempotency_key"_s, u"-"_s,
            u"begun=in_progress charged=in_progress completed=succeeded"_s, u"-"_s,
            u"fingerprint=t.request_sha256 response_body=t.response"_s },
        { u"received"_s, u"t.\"Id\""_s, u"-"_s, u"Succeeded=succeeded Scheduled=pending Failed=failed_retryable"_s, {},
            u"created_at=t.\"Added\":utc attempts=t.\"Retries\""_s },
        { u"idempotency"_s, u"t.id"_s, u"-"_s, u"processing=in_progress done=succeeded"_s,
            u"in_progress t.\"created_at\" 15m"_s,
            u"created_at=t.\"created_at\":utc expires_at=t.\"expired_at\":utc"_s },
        { u"edi_messages_in"_s, u"t.message_no"_s, u"partner=t.partner"_s,
            u"RECEIVED=pending PROCESSED=succeeded REJECTED=failed_final"_s, {}, u"created_at=t.received_at"_s },
        { u"request_dedupe"_s, u"t.dedupe_hash"_s, u"-"_s,
            u"pending=in_progress accepted=succeeded rejected=failed_final"_s, {}, u"created_at=t.seen_at"_s },
        { u"shedlock"_s, u"t.name"_s, u"-"_s, u"*=in_progress"_s, u"in_progress t.lock_until 0s"_s,
            u"lease_until=t.lock_until claimed_at=t.locked_at owner=t.locked_by"_s },
        { u"powertools_keys"_s, u"t.id"_s, u"-"_s, u"INPROGRESS=in_progress COMPLETED=succeeded"_s,
            u"in_progress t.\"in_progress_expiration\" 0s"_s,
            u"expires_at=t.\"expiration\":epoch_s lease_until=t.\"in_progress_expiration\":epoch_ms"_s },
        { u"lease_requests"_s, u"t.request_id"_s, u"scope=t.scope"_s,
            u"processing=in_progress completed=succeeded failed=failed_retryable"_s,
            u"in_progress t.claimed_at t.lease_timeout"_s, u"attempts=t.attempt_count"_s },
        { u"async_commands"_s, u"t.command_id"_s, u"-"_s,
            u"queued=pending running=in_progress done=succeeded failed=failed_retryable"_s, u"-"_s,
            u"owner=t.worker_id request_payload=t.arguments"_s },
        { u"order_commands"_s, u"t.command_key"_s, u"order_ref=t.order_ref"_s,
            u"accepted=pending in_progress=in_progress completed=succeeded rejected=failed_final"_s,
            u"in_progress t.updated_at 15m"_s, u"updated_at=t.updated_at"_s },
        { u"notification_outbox"_s, u"t.id"_s, u"-"_s, u"sent=succeeded failed=failed_retryable pending=pending"_s, {},
            u"completed_at=t.sent_at request_payload=t.payload created_at=t.created_at"_s },
        { u"wolverine_incoming_envelopes"_s, u"t.id"_s, u"received_at=t.received_at"_s,
            u"Incoming=pending Handled=succeeded Scheduled=pending"_s, {},
            u"attempts=t.attempts owner=t.owner_id request_payload=t.body created_at="_s },
        { u"OutboxData"_s, u"t.\"MessageId\""_s, u"-"_s, u"=succeeded =pending"_s, {},
            u"completed_at=t.\"DispatchedAt\":utc request_payload=t.\"Operations\""_s },
    };
    return all;
}

/// The last third, which was counted once.
const QList<Wanted> &countedTables()
{
    static const QList<Wanted> all {
        { u"idempotency_records"_s, u"t.idempotency_key"_s, u"-"_s,
            u"COMPLETE=succeeded IN_PROGRESS=in_progress FAILED=failed_retryable"_s,
            u"in_progress t.\"lock_expires_at\" 0s"_s,
            u"fingerprint=t.request_fingerprint created_at=t.\"created_at\":utc expires_at=t.\"expires_at\":utc"_s },
        { u"inbound_webhooks"_s, u"t.id"_s, u"organization=t.organization_id"_s,
            u"pending=pending processing=in_progress succeeded=succeeded failed=failed_retryable"_s,
            u"in_progress t.\"processing_at\" 1h, pending t.\"created_at\" 15m"_s, u"request_payload=t.payload"_s },
        { u"order_outbox_items"_s, u"t.uuid"_s, {}, u"0=pending 2=succeeded *=unknown"_s, {},
            u"attempts=t.errors_count error_message=t.error_log completed_at=t.processed_at"
            " request_payload=t.payload"_s },
        { u"workflow_status"_s, u"t.workflow_uuid"_s, u"-"_s,
            u"SUCCESS=succeeded PENDING=in_progress ERROR=failed_retryable ENQUEUED=pending"_s, {},
            u"created_at=t.\"created_at\":epoch_ms updated_at=t.\"updated_at\":epoch_ms"
            " attempts=t.recovery_attempts"_s },
        { u"provisioning_requests"_s, u"t.idempotency_key"_s, u"account=t.account_id"_s,
            u"done=succeeded *=in_progress"_s, {},
            u"fingerprint=t.request_digest created_at=t.inserted_at response_body=t.response_body"_s },
        { u"incoming_events"_s, u"t.event_id"_s, {}, u"=succeeded =pending"_s, {},
            u"created_at=t.received_on request_payload=t.raw_body"_s },
        { u"dispatch_requests"_s, u"t.request_id"_s, {}, u"=succeeded =failed_final =in_progress =pending"_s, {},
            u"completed_at=t.finished_at claimed_at=t.started_at attempts=t.attempts"_s },
        { u"message_outbox"_s, u"t.id"_s, u"-"_s, u"*=pending"_s, u"pending t.created_at 15m"_s,
            u"request_payload=t.payload"_s },
        { u"outbox_entries"_s, u"t.message_id"_s, u"-"_s,
            u"PENDING=pending SENDING=in_progress SENT=succeeded FAILED=failed_retryable"_s, {},
            u"attempts=t.attempts completed_at=t.sent_at"_s },
        { u"idempotency_store"_s, u"t.idempotency_token"_s, u"-"_s, u"INPROGRESS=in_progress COMPLETED=succeeded"_s, {},
            u"created_at=t.\"created\":epoch_s expires_at=t.\"expires\":epoch_s response_body=t.result"_s },
        { u"InboxState"_s, u"t.\"MessageId\""_s, u"consumer=t.\"ConsumerId\""_s, u"=succeeded =pending"_s, {},
            u"created_at=t.\"Received\" attempts=t.\"ReceiveCount\" result_id= expires_at=t.\"ExpirationTime\""_s },
        { u"calls"_s, u"t.key"_s, u"user=t.user"_s,
            u"new=pending working=in_progress done=succeeded error=failed_retryable"_s, u"in_progress t.lock 5m"_s,
            u"created_at=t.timestamp response_body=t.result"_s },
        { u"refund_attempts"_s, u"t.refund_key"_s, u"merchant=t.merchant_id"_s,
            u"open=pending working=in_progress refunded=succeeded gave_up=failed_final"_s,
            u"in_progress t.locked_at 5m"_s, u"fingerprint=t.payload_digest owner=t.locked_by"_s },
        { u"worker_claims"_s, u"t.claim_key"_s, u"-"_s,
            u"claimed=in_progress released=succeeded failed=failed_retryable"_s, {}, u"claimed_at=t.claimed_at"_s },
        { u"settlement_runs_dedup"_s, u"t.dedup_key"_s, u"-"_s,
            u"RUNNING=in_progress DONE=succeeded FAILED=failed_retryable"_s, u"-"_s, {} },
        { u"rate_guard_requests"_s, u"t.nonce"_s, u"client_ref=t.client_ref"_s,
            u"processing=in_progress succeeded=succeeded failed=failed_retryable"_s, u"in_progress t.created_at 15m"_s,
            u"fingerprint=t.body_md5"_s },
        { u"OutboxState"_s, u"t.\"OutboxId\""_s, u"-"_s, u"=succeeded =pending"_s, {},
            u"created_at=t.\"Created\" completed_at=t.\"Delivered\" owner= result_id="_s },
    };
    return all;
}

QString withForm(const Expression &expression)
{
    const QString form = expression.form == TimeForm::Native ? QString() : u':' + timeFormName(expression.form);
    return expression.sql + form + (expression.form == TimeForm::Zone ? u':' + expression.zone : QString());
}

QString sortedWords(const QString &text)
{
    QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    words.sort();
    return words.join(u' ');
}

QString statesOf(const Profile &profile, bool ownWords)
{
    QStringList words;
    for (const auto &[raw, state] : profile.states) {
        words.append((ownWords ? QString() : raw) + u'=' + stateName(state));
    }
    if (profile.nullState) {
        words.append(u"null="_s + stateName(*profile.nullState));
    }
    if (profile.otherStates) {
        words.append(u"*="_s + stateName(*profile.otherStates));
    }
    return sortedWords(words.join(u' '));
}

QString staleOf(const Profile &profile)
{
    QStringList rules;
    for (const TimeRule &rule : profile.stale.value_or(QList<TimeRule>())) {
        rules.append(stateName(rule.states.first()) + u' ' + rule.by.sql + u' ' + rule.after);
    }
    return rules.isEmpty() ? u"-"_s : rules.join(u", "_s);
}

QString scopeText(const Profile &profile)
{
    QStringList parts;
    for (const LabelledExpression &part : profile.scope) {
        parts.append(part.label + u'=' + part.value.sql);
    }
    return parts.isEmpty() ? u"-"_s : parts.join(u' ');
}

/// What differs from what is wanted, or nothing.
QStringList differences(const Profile &profile, const Wanted &wanted)
{
    QStringList wrong;
    const auto compare = [&wrong](const QString &what, const QString &is, const QString &should) {
        if (!should.isEmpty() && is != should) {
            wrong.append(u"%1 is %2, not %3"_s.arg(what, is, should));
        }
    };
    compare(u"key"_s, profile.key.sql, wanted.key);
    compare(u"scope"_s, scopeText(profile), wanted.scope);
    compare(u"states"_s, statesOf(profile, wanted.states.startsWith(u'=')), sortedWords(wanted.states));
    compare(u"stale"_s, staleOf(profile), wanted.stale);
    for (const QString &role : wanted.roles.split(u' ', Qt::SkipEmptyParts)) {
        const QString name = role.section(u'=', 0, 0);
        const auto known = roleFromName(name);
        const QString is = known ? withForm(profile.role(*known)) : u"no role"_s;
        if (is != role.section(u'=', 1)) {
            wrong.append(u"%1 is %2, not %3"_s.arg(name, is, role.section(u'=', 1)));
        }
    }
    return wrong;
}

} // namespace

/// Tables as services and libraries keep them (real_tables.sql), beside many that are none of these.
class DetectTablesTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void cleanupTestCase() { m_session.reset(); }
    void worked_data();
    void worked();
    void counted();
    void proposalsPassTheCheck_data();
    void proposalsPassTheCheck();
    void noOrdinaryTableIsNamed();

private:
    const Proposal *proposalOf(const QString &schema, const QString &table) const;
    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<Session> m_session;
    QList<Proposal> m_proposals;
};

void DetectTablesTest::initTestCase()
{
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->createDatabase(u"tables"_s);
    m_cluster->psqlFile(u"tables"_s, u"tests/sql/detect/real_tables.sql"_s);
    m_cluster->psqlFile(u"tables"_s, u"tests/support/ordinary_tables.sql"_s);
    m_cluster->psqlFile(u"tables"_s, u"tests/sql/detect/ordinary_rows.sql"_s);
    ConnectionSettings settings;
    settings.conninfo = m_cluster->conninfo(u"tables"_s);
    auto opened = Session::open(settings, {});
    QVERIFY2(opened.ok(), opened.ok() ? "" : qPrintable(opened.error().line()));
    m_session = std::move(*opened);
    const auto detected = detectTargets(*m_session);
    QVERIFY2(detected.ok(), detected.ok() ? "" : qPrintable(detected.error().line() + detected.error().detail));
    QVERIFY(detected->notSampled.isEmpty());
    m_proposals = detected->proposals;
}

const Proposal *DetectTablesTest::proposalOf(const QString &schema, const QString &table) const
{
    const auto found = std::find_if(m_proposals.cbegin(), m_proposals.cend(), [&](const Proposal &proposal) {
        return proposal.relation.schema == schema && proposal.relation.name == table;
    });
    return found == m_proposals.cend() ? nullptr : &*found;
}

void DetectTablesTest::worked_data()
{
    QTest::addColumn<int>("index");
    for (qsizetype i = 0; i < workedTables().size(); ++i) {
        QTest::newRow(qPrintable(workedTables().at(i).table)) << int(i);
    }
}

void DetectTablesTest::worked()
{
    QFETCH(int, index);
    const Wanted &wanted = workedTables().at(index);
    const Proposal *proposal = proposalOf(u"worked"_s, wanted.table);
    if (proposal == nullptr) {
        const auto relation = readRelation(*m_session, u"worked.\"%1\""_s.arg(wanted.table));
        const auto weak = proposeFor(*m_session, *relation);
        QFAIL(qPrintable(u"not proposed, %1 %: %2"_s.arg(weak->confidence)
                             .arg((weak->reasons + weak->doubts + differences(weak->profile, wanted)).join(u'\n'))));
    }
    const QStringList wrong = differences(proposal->profile, wanted);
    QVERIFY2(wrong.isEmpty(),
        qPrintable(wrong.join(u'\n') + u'\n' + QString::fromUtf8(profileToJson(proposal->profile))));
}

void DetectTablesTest::counted()
{
    int right = 0;
    QStringList wrong;
    for (const Wanted &wanted : countedTables()) {
        const Proposal *proposal = proposalOf(u"counted"_s, wanted.table);
        const QStringList differs
            = proposal == nullptr ? QStringList { u"not proposed"_s } : differences(proposal->profile, wanted);
        right += differs.isEmpty() ? 1 : 0;
        if (!differs.isEmpty()) {
            wrong.append(wanted.table + u": "_s + differs.join(u"; "_s));
        }
    }
    qInfo("of %d tables that nothing was made better on, %d are named and mapped", int(countedTables().size()), right);
    for (const QString &line : std::as_const(wrong)) {
        qInfo("%s", qPrintable(line));
    }
    const qsizetype all = countedTables().size() + workedTables().size();
    QVERIFY2(10 * (right + workedTables().size()) >= 9 * all, qPrintable(wrong.join(u'\n')));
}

void DetectTablesTest::proposalsPassTheCheck_data()
{
    QTest::addColumn<int>("index");
    for (qsizetype i = 0; i < m_proposals.size(); ++i) {
        QTest::newRow(qPrintable(m_proposals.at(i).relation.sql)) << int(i);
    }
}

/// As "targets check" does; it must survive being written to a file, too.
void DetectTablesTest::proposalsPassTheCheck()
{
    QFETCH(int, index);
    const Proposal &proposal = m_proposals.at(index);
    const auto profile = profileFromJson(profileToJson(proposal.profile), u"proposal.json"_s);
    QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().where + profile.error().line()));
    const auto findings = validateTarget(*m_session, *profile);
    QVERIFY2(findings.ok(), findings.ok() ? "" : qPrintable(findings.error().line()));
    for (const Finding &finding : *findings) {
        QVERIFY2(finding.severity != Finding::Severity::Problem, qPrintable(finding.jsonPath + finding.text));
        QVERIFY2(!finding.text.contains(u"type's label"), qPrintable(finding.text));
        QVERIFY2(finding.jsonPath != u"$.purge", qPrintable(finding.text)); // nothing cascades
    }
}

void DetectTablesTest::noOrdinaryTableIsNamed()
{
    QStringList named;
    for (const Proposal &proposal : m_proposals) {
        const bool helper = proposal.relation.name == u"rides" || proposal.relation.name == u"workers";
        if (proposal.relation.schema == u"ordinary" || helper) {
            named.append(
                u"%1 %2 %: %3"_s.arg(proposal.relation.sql).arg(proposal.confidence).arg(proposal.reasons.join(u' ')));
        }
    }
    QVERIFY2(named.isEmpty(), qPrintable(named.join(u'\n')));
    const auto relations = readRelations(*m_session, u"ordinary"_s);
    QVERIFY(relations.ok());
    QVERIFY2(relations->size() >= 40, qPrintable(QString::number(relations->size())));
}

QTEST_GUILESS_MAIN(DetectTablesTest)
#include "tst_detect_tables.moc"
