// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/open_request_list.h"

#include "models/format/labels.h"
#include "models/keys/key_cells.h"
#include "models/provider/provider_words.h"
#include "models/provider/statement_words.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// A reference or an amount; what failed is said as such.
QString requestCell(const sql::Cell &cell)
{
    return cell.failed() ? OpenRequestList::tr("cannot be read: %1").arg(cell.error)
        : cell.null      ? QString()
                         : cell.text;
}

QString requestScope(const sql::ProviderRow &request)
{
    QStringList parts;
    for (const sql::Cell &part : request.record.scope) {
        parts += part.null ? u"–"_s : part.text;
    }
    return parts.join(u" / "_s);
}

} // namespace

OpenRequestList::OpenRequestList(QObject *parent)
    : RowModel(parent)
{
}

void OpenRequestList::setRequests(const QList<sql::ProviderRow> &rows, const sql::Timestamp &now, bool more)
{
    m_now = now;
    updateRows(rows, [](const sql::ProviderRow &a, const sql::ProviderRow &b) { return a.record.sameRow(b.record); });
    setMore(more);
}

void OpenRequestList::setScopeTitle(const QString &title)
{
    m_scopeTitle = title;
}

void OpenRequestList::addRequests(const QList<sql::ProviderRow> &rows, bool more)
{
    appendRows(rows, more);
}

bool OpenRequestList::keyIsReference() const
{
    return std::all_of(m_rows.cbegin(), m_rows.cend(), [](const sql::ProviderRow &row) {
        return !row.reference.null && !row.reference.failed() && row.reference.text == row.record.key.text;
    });
}

bool OpenRequestList::anyAmount() const
{
    return std::any_of(m_rows.cbegin(), m_rows.cend(),
        [](const sql::ProviderRow &row) { return row.amount.failed() || !row.amount.null; });
}

QString OpenRequestList::agesText(const sql::ProviderRow &request) const
{
    return request.at && request.at->finite() ? TimeFormat::age(*request.at, m_now) : QString();
}

std::span<const OpenRequestList::ColumnSpec> OpenRequestList::columns()
{
    using Model = OpenRequestList;
    using Row = sql::ProviderRow;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Key"); },
            .text = [](const Model &, const Row &row) { return row.record.key.text; } },
        { .title = [] { return tr("Reference"); },
            .text =
                [](const Model &, const Row &row) {
                    return row.reference.null ? tr("none yet", "no reference") : requestCell(row.reference);
                },
            .help = [] { return tr("By what the provider knows the request."); } },
        { .title = [] { return tr("With the provider"); },
            .text = [](const Model &, const Row &row) { return providerStateText(row.state); },
            .help = [] { return tr("How far the request got, as the row here says."); } },
        { .title = [] { return tr("Requested at"); },
            .text = [](const Model &model,
                        const Row &row) { return row.at ? model.timeFormat().text(*row.at) : tr("not known"); },
            .toolTip =
                [](const Model &model, const Row &row) {
                    return row.at ? model.timeFormat().toolTip(*row.at, model.m_now) : tr("not known");
                },
            .time = true },
        { .title = [] { return tr("Age"); },
            .text = [](const Model &model, const Row &row) { return model.agesText(row); },
            .alignment = kNumber },
        { .title = [] { return tr("Amount"); },
            .text = [](const Model &,
                        const Row &row) { return moneyText(requestCell(row.amount), requestCell(row.currency)); },
            .alignment = kNumber },
        { .title = [] { return tr("State here"); },
            .text = [](const Model &, const Row &row) { return recordStateText(row.record); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant OpenRequestList::itemData(const sql::ProviderRow &request, int column, int role) const
{
    if (column == Key && role == DetailRole) {
        return namedScope(m_scopeTitle, requestScope(request));
    }
    if (column == Provider && role == DetailRole) {
        return request.status.null ? tr("no status") : displayText(tr("status %1").arg(requestCell(request.status)));
    }
    if (column == State && role == StateRole) {
        return int(request.record.state);
    }
    if (column == State && role == StaleRole && request.record.stale) {
        return *request.record.stale;
    }
    if (column == State && role == ExpiredRole && request.record.expired) {
        return *request.record.expired;
    }
    return {};
}

} // namespace idemdesk::models

#include "moc_open_request_list.cpp"
