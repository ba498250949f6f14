// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/json_out.h"

#include "app/ctl/out/output.h"
#include "sql/profile/profile_json.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

QJsonValue timeOrNull(const std::optional<sql::Timestamp> &time)
{
    return time ? QJsonValue(time->toRfc3339()) : QJsonValue();
}

} // namespace

QString severityName(sql::Finding::Severity severity)
{
    switch (severity) {
    case sql::Finding::Severity::Note:
        return u"note"_s;
    case sql::Finding::Severity::Warning:
        return u"warning"_s;
    case sql::Finding::Severity::Problem:
        return u"problem"_s;
    }
    return {};
}

QJsonObject jsonOf(const sql::Proposal &proposal)
{
    return {
        { u"relation"_s, proposal.profile.relation },
        { u"kind"_s, sql::kindName(proposal.profile.kind) },
        { u"confidence"_s, proposal.confidence },
        { u"reasons"_s, QJsonArray::fromStringList(proposal.reasons) },
        { u"doubts"_s, QJsonArray::fromStringList(proposal.doubts) },
        { u"profile"_s, QJsonDocument::fromJson(sql::profileToJson(proposal.profile)).object() },
    };
}

QJsonArray jsonOf(const sql::Cells &identity)
{
    QJsonArray values;
    for (const sql::Cell &cell : identity) {
        values.append(cell.null ? QJsonValue() : QJsonValue(cell.text));
    }
    return values;
}

QJsonObject jsonOf(const sql::Finding &finding)
{
    return {
        { u"severity"_s, severityName(finding.severity) },
        { u"path"_s, finding.jsonPath },
        { u"text"_s, finding.text },
    };
}

QJsonObject jsonOf(const sql::BackendActivity &backend)
{
    QJsonArray locks;
    for (const sql::SessionLock &lock : backend.locks) {
        locks.append(QJsonObject { { u"type"_s, lock.type }, { u"mode"_s, lock.mode }, { u"object"_s, lock.object },
            { u"granted"_s, lock.granted } });
    }
    QJsonArray blockers;
    for (const int pid : backend.blockedBy) {
        blockers.append(pid);
    }
    return {
        { u"pid"_s, backend.pid },
        { u"user"_s, backend.user },
        { u"application"_s, backend.application },
        { u"client"_s, backend.client },
        { u"state"_s, backend.state },
        { u"wait"_s, backend.waitEvent },
        { u"query"_s, backend.query },
        { u"transaction_start"_s, timeOrNull(backend.transactionStart) },
        { u"query_start"_s, timeOrNull(backend.queryStart) },
        { u"locks"_s, locks },
        { u"blocked_by"_s, blockers },
    };
}

} // namespace idemdesk::app
