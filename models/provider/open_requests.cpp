// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/open_requests.h"

#include "models/format/csv_cell.h"
#include "models/keys/private_file.h"
#include "sql/keys/unseen.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kReferencesOfPage = 5'000;

QByteArray referenceLine(const sql::ProviderRow &row)
{
    const auto text = [](const sql::Cell &cell) { return cell.null || cell.failed() ? QString() : cell.text; };
    return csvCell(row.reference.text) + ',' + csvCell(row.at ? row.at->toRfc3339() : QString()) + ','
        + csvCell(text(row.amount)) + ',' + csvCell(text(row.currency)) + "\r\n";
}

} // namespace

QList<sql::ProviderState> notSettled()
{
    return { sql::ProviderState::Requested, sql::ProviderState::Sent, sql::ProviderState::Unknown };
}

sql::Result<OpenRequests> readOpenRequests(sql::Session &session, const sql::ProviderTarget &provider,
    sql::PageRequest request, const QList<sql::ProviderState> &states)
{
    request.filter.terms += provider.ofStates(states);
    TRY(const auto page, sql::readPage(session, provider.target(), request));
    OpenRequests open;
    open.now = page.now;
    open.notes = page.notes + provider.notRead();
    const QStringList unseen = sql::unseenNotes(provider.target());
    for (const QString &text : unseen) {
        open.notes += open.notes.contains(text) ? QStringList() : QStringList { text };
    }
    open.complete = unseen.isEmpty();
    for (const sql::KeyRecord &record : page.rows) {
        open.rows += provider.row(record);
    }
    if (page.more && !page.rows.isEmpty()) {
        const sql::KeyRecord &last = page.rows.constLast();
        open.next = sql::Cursor { last.orderValue, last.identity };
    }
    return open;
}

sql::Result<WrittenReferences> writeReferences(sql::Session &session, const sql::ProviderTarget &provider,
    sql::PageRequest request, const QList<sql::ProviderState> &states, const QString &path)
{
    WrittenReferences result { path };
    request.limit = kReferencesOfPage;
    TRY(writePrivateFile(path, [&](QIODevice &out) -> sql::Result<qint64> {
        qint64 bytes = out.write("reference,requested_at,amount,currency\r\n");
        for (bool more = true; more;) {
            TRY(const auto page, readOpenRequests(session, provider, request, states));
            for (const sql::ProviderRow &row : page.rows) {
                if (row.reference.null || row.reference.failed()) {
                    ++result.without;
                    continue;
                }
                const QByteArray line = referenceLine(row);
                if (out.write(line) != line.size()) {
                    return fileError(path, out.errorString(), false);
                }
                bytes += line.size();
                ++result.written;
            }
            result.complete = page.complete;
            more = page.next.has_value();
            if (more) {
                request.from = *page.next;
                request.now = page.now;
            }
        }
        return bytes;
    }));
    return result;
}

} // namespace idemdesk::models
