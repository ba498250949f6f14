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

PayloadOrigin originOf(const QString &type)
{
    return type == u"jsonb" ? PayloadOrigin::Jsonb : type == u"json" ? PayloadOrigin::JsonText : PayloadOrigin::Bytes;
}

/// The bytes as they were stored; PostgreSQL prints a bytea in hex.
QByteArray bytesOf(const QString &text, const QString &type)
{
    return type == u"bytea" ? QByteArray::fromHex(text.sliced(std::min<qsizetype>(2, text.size())).toLatin1()) : text.toUtf8();
}

} // namespace

QList<CaseRequest> caseRequests(const CaseFile &file)
{
    QList<CaseRequest> requests;
    for (const CaseRow &row : file.rows) {
        const sql::Cell payload = row.detail.record.role(sql::Role::RequestPayload);
        if (!payload.null && !payload.failed() && !payload.partial() && !row.masks(sql::Role::RequestPayload)) {
            requests.append({ row.key, bytesOf(payload.text, row.payloadType), row.masks(sql::Role::Fingerprint) ? QString() : row.detail.record.role(sql::Role::Fingerprint).text, row.key,
                originOf(row.payloadType), row.diffIgnore });
        }
    }
    for (const sql::ConflictRecord &conflict : file.conflicts) {
        const bool whole = !conflict.incomingPayload.isEmpty() && conflict.incomingPayload.size() < sql::kMostPayloadChars;
        if (whole && !masksAny(file, sql::Role::RequestPayload)) {
            const QString key = conflict.key.value_or(QString());
            requests.append({ Tr::tr("the refused request of %1").arg(key), conflict.incomingPayload.toUtf8(), masksAny(file, sql::Role::Fingerprint) ? QString() : conflict.incomingHash, key, PayloadOrigin::Unknown, file.rows.isEmpty() ? QStringList() : file.rows.constFirst().diffIgnore });
        }
    }
    return requests;
}

QString payloadDifference(const CaseFile &file)
{
    const QList<CaseRequest> requests = caseRequests(file);
    if (requests.size() < 2) {
        return {};
    }
    const CaseRequest &first = requests.at(0);
    const CaseRequest &second = requests.at(1);
    const auto a = JsonSource::read(first.payload);
    const auto b = JsonSource::read(second.payload);
    const QString between = Tr::tr("Between %1 and %2:").arg(first.name, second.name) + u' ';
    if (!a || !b) {
        return between + (first.payload == second.payload ? Tr::tr("Both are the same, byte for byte.") : Tr::tr("They differ, and at least one is not JSON."));
    }
    const auto rules = ignoreRules(first.ignore); // the profile's reader has checked them
    const JsonDiff diff = diffJson(*a, *b, rules ? *rules : QList<QStringList>());
    return between + summaryOf(diff) + u' ' + whyHashesDiffer(*a, *b, diff, std::nullopt);
}

} // namespace idemdesk::models
