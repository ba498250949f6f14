// SPDX-License-Identifier: GPL-3.0-or-later
// What a case file says of the requests behind its intents.
#include "models/casefile/case_file.h"

#include "models/diff/diff_words.h"
#include "models/diff/json_diff.h"
#include "models/fingerprint/why_different.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(CaseFile)
};

struct Request {
    QString name;
    QByteArray payload;
};

/// The stored requests, whole ones only, and then those that were refused.
QList<Request> requestsOf(const CaseFile &file)
{
    QList<Request> requests;
    for (const CaseRow &row : file.rows) {
        const sql::Cell payload = row.detail.record.role(sql::Role::RequestPayload);
        if (!payload.null && !payload.failed() && !payload.partial() && !row.masks(sql::Role::RequestPayload)) {
            requests.append({ row.key, payload.text.toUtf8() });
        }
    }
    for (const sql::ConflictRecord &conflict : file.conflicts) {
        if (!conflict.incomingPayload.isEmpty() && !masksAny(file, sql::Role::RequestPayload)) {
            requests.append({ Tr::tr("the refused request"), conflict.incomingPayload.toUtf8() });
        }
    }
    return requests;
}

} // namespace

QString payloadDifference(const CaseFile &file)
{
    const QList<Request> requests = requestsOf(file);
    if (requests.size() < 2) {
        return {};
    }
    const Request &first = requests.at(0);
    const Request &second = requests.at(1);
    const auto a = JsonSource::read(first.payload);
    const auto b = JsonSource::read(second.payload);
    const QString between = Tr::tr("Between %1 and %2:").arg(first.name, second.name) + u' ';
    if (!a || !b) {
        return between + (first.payload == second.payload ? Tr::tr("Both are the same, byte for byte.") : Tr::tr("They differ, and at least one is not JSON."));
    }
    const JsonDiff diff = diffJson(*a, *b);
    return between + summaryOf(diff) + u' ' + whyHashesDiffer(*a, *b, diff, std::nullopt);
}

} // namespace idemdesk::models
