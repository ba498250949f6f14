// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/conflicts/conflict_requests.h"

#include "models/casefile/case_masking.h"
#include "sql/keys/detail_reader.h"
#include "sql/lanes/database.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kStoredRequestDeadlineMs = 20'000;
constexpr qint64 kStoredRequestBytes = 64 * 1024; // a received one is recorded up to that size

QStringList namesOfEntry(const TargetEntry &entry)
{
    return namesOf(entry.target, entry.registration ? entry.registration->name : QString());
}

ConflictRequests receivedAlone(const sql::ConflictRecord &conflict, const QString &why)
{
    CaseFile file;
    file.conflicts = { conflict };
    return { requestsOf(file), why };
}

/// Why the table need not be asked; empty where it must be. entry: the table that the record means, or null.
QString whyNotStored(const sql::ConflictRecord &conflict, const TargetEntry *entry)
{
    if (!conflict.key) {
        return Tr::tr("The stored request is not known: the log does not name the key.");
    }
    if (conflict.target.isEmpty()) {
        return Tr::tr("The stored request is not known: the record does not name the table.");
    }
    if (entry == nullptr) {
        return Tr::tr("The stored request is not known: its table is not among those read.");
    }
    const sql::Profile &profile = entry->target.profile;
    if (!profile.has(sql::Role::RequestPayload)) {
        return Tr::tr("The stored request is not kept.");
    }
    return maskedNames(profile, {}).contains(sql::roleName(sql::Role::RequestPayload))
        ? Tr::tr("The profile masks requests.")
        : QString();
}

sql::Result<ConflictRequests> readConflictRequests(
    sql::Session &session, const TargetEntry &entry, const sql::ConflictRecord &conflict)
{
    CaseRow row;
    row.target = entry.target;
    row.key = *conflict.key;
    row.names = namesOfEntry(entry);
    row.masked = maskedNames(entry.target.profile, {});
    TRY(const auto records, sql::rowsWithKey(session, row.target, row.key, {}));
    QList<sql::KeyRecord> fitting;
    for (const sql::KeyRecord &record : records) {
        if (isOf(conflict, row.key, row.names, record.scope)) {
            fitting += record;
        }
    }
    if (fitting.size() != 1) {
        return receivedAlone(conflict,
            fitting.isEmpty() ? Tr::tr("The stored request is not known: no row of this key was found.")
                              : Tr::tr("The stored request is not known: several rows fit the record."));
    }
    row.detail.record = fitting.constFirst();
    TRY(row.request, sql::readPayload(session, row.target, row.detail.record.identity, {}, kStoredRequestBytes));
    CaseFile file;
    file.rows = { row };
    file.conflicts = { conflict };
    return ConflictRequests { requestsOf(file),
        row.request->tooLarge      ? Tr::tr("The stored request is too large to be shown here. Get the verdict first.")
            : row.request->payload ? QString()
                                   : Tr::tr("The stored request is not kept.") };
}

} // namespace

const CaseRequest *ConflictRequests::stored() const
{
    const auto found = std::find_if(requests.cbegin(), requests.cend(),
        [](const CaseRequest &request) { return !request.refused && !request.tooLarge; });
    return found == requests.cend() ? nullptr : &*found;
}

ConflictRequestReader::ConflictRequestReader(QObject *parent)
    : QObject(parent)
{
}

void ConflictRequestReader::setDatabase(sql::Database *database)
{
    if (m_reading.setDatabase(database)) {
        clear();
    }
}

void ConflictRequestReader::read(const sql::ConflictRecord &conflict, const QList<TargetEntry> &targets)
{
    m_reading.drop();
    const TargetEntry *found = nullptr;
    for (const TargetEntry &entry : targets) {
        found = namesOfEntry(entry).contains(conflict.target) ? &entry : found;
    }
    const QString why = whyNotStored(conflict, found);
    if (!why.isEmpty()) {
        m_conflict = conflict.id;
        take(receivedAlone(conflict, why));
        return;
    }
    if (std::exchange(m_conflict, conflict.id) != conflict.id) { // the same one read again keeps what is shown
        take(receivedAlone(conflict, tr("Reading…")));
    }
    m_reading.ask(
        { sql::LaneKind::Background, kStoredRequestDeadlineMs },
        [entry = *found, conflict](sql::Session &session) { return readConflictRequests(session, entry, conflict); },
        [this, conflict](const sql::Result<ConflictRequests> &answer) {
            take(answer ? *answer
                        : receivedAlone(
                            conflict, tr("The stored request could not be read. %1").arg(answer.error().line())));
        });
}

void ConflictRequestReader::clear()
{
    m_reading.drop();
    m_conflict.clear();
    take({});
}

void ConflictRequestReader::take(const ConflictRequests &requests)
{
    m_requests = requests;
    emit changed();
}

} // namespace idemdesk::models

#include "moc_conflict_requests.cpp"
