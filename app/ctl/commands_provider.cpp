// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/commands_provider.h"

#include "app/ctl/key_cursor.h"
#include "app/ctl/key_table.h"
#include "app/ctl/opened_target.h"
#include "models/keys/key_links.h"
#include "models/provider/open_requests.h"
#include "sql/keys/key_json.h"
#include "sql/provider/provider_target.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostOpenRows = 10'000; // of one page; more is asked for with --after

QStringList providerStateNames()
{
    QStringList names;
    for (const sql::ProviderState state : sql::kAllOf<sql::ProviderState>) {
        names += sql::providerStateName(state);
    }
    return names;
}

/// Those of --state, else all that are not settled.
QList<sql::ProviderState> wantedStates(const Context &context)
{
    QList<sql::ProviderState> states;
    for (const QString &name : context.values(u"state"_s)) {
        states += sql::providerStateFromName(name).value_or(sql::ProviderState::Unknown);
    }
    return states.isEmpty() ? models::notSettled() : states;
}

sql::Result<sql::PageRequest> openRequest(const Context &context, const sql::ProviderTarget &provider)
{
    sql::PageRequest request;
    TRY(request.filter, filterOf(context, provider.target()));
    request.order = context.value(u"order"_s);
    request.limit = context.number(u"limit"_s);
    if (context.has(u"after"_s)) {
        TRY(const auto place, placeAfter(context, provider.target()));
        const auto cursor = sql::Cursor::fromText(place);
        if (!cursor) {
            return noPlace();
        }
        request.from = *cursor;
    }
    return request;
}

QJsonValue cellJson(const sql::Cell &cell)
{
    return cell.failed() ? QJsonValue(QJsonObject { { u"error"_s, cell.error } })
        : cell.null      ? QJsonValue()
                         : QJsonValue(cell.text);
}

QByteArray openJson(const sql::Target &target, const sql::ProviderRow &row, const sql::Timestamp &now)
{
    const auto link = models::providerLink(target.profile, row);
    const QJsonObject provider { { u"state"_s, sql::providerStateName(row.state) },
        { u"status"_s, cellJson(row.status) }, { u"reference"_s, cellJson(row.reference) },
        { u"amount"_s, cellJson(row.amount) }, { u"currency"_s, cellJson(row.currency) },
        { u"at"_s, row.at ? QJsonValue(row.at->toRfc3339()) : QJsonValue() },
        { u"age_seconds"_s,
            row.at && row.at->finite() ? QJsonValue((now.micros - row.at->micros) / sql::kMicros) : QJsonValue() },
        { u"link"_s, link ? QJsonValue(link->toString(QUrl::FullyEncoded)) : QJsonValue() } };
    return "{\"record\":" + sql::keyToJson(target, row.record)
        + ",\"provider\":" + QJsonDocument(provider).toJson(QJsonDocument::Compact) + '}';
}

void printOpen(const sql::ProviderTarget &provider, const QList<sql::ProviderRow> &rows)
{
    const sql::Profile &profile = provider.target().profile;
    QStringList header;
    for (const sql::LabelledExpression &part : profile.scope) {
        header += part.label.toUpper();
    }
    header += { Tr::tr("KEY"), Tr::tr("STATE"), Tr::tr("PROVIDER"), Tr::tr("ASKED"), Tr::tr("REFERENCE"),
        Tr::tr("AMOUNT") };
    const bool linked = !provider.spec().link.isEmpty();
    header += linked ? QStringList { Tr::tr("LINK") } : QStringList();
    QList<QStringList> lines;
    for (const sql::ProviderRow &row : rows) {
        const sql::KeyRecord &record = row.record;
        QStringList cells;
        for (const sql::Cell &part : record.scope) {
            cells += valueText(part);
        }
        const QString state = row.state == sql::ProviderState::Unknown
            ? Tr::tr("%1 (unknown)").arg(valueText(row.status))
            : sql::providerStateName(row.state);
        const QString currency = row.currency.null ? QString() : u' ' + valueText(row.currency);
        cells += { valueText(record.key), stateText(record), state, timeCell(row.at), valueText(row.reference),
            valueText(row.amount) + (row.amount.null ? QString() : currency) };
        if (linked) {
            const auto link = models::providerLink(profile, row);
            cells += link ? link->toString(QUrl::FullyEncoded) : u"–"_s;
        }
        lines += cells;
    }
    print(table(header, lines));
}

Exit runOpen(const Context &context)
{
    TRY_OR(fail, const auto opened, openTarget(context));
    TRY_OR(fail, const auto provider, sql::ProviderTarget::bind(*opened.session, opened.target, false));
    const auto request = openRequest(context, provider);
    if (!request) {
        return failFilter(context, request.error());
    }
    const auto open = models::readOpenRequests(*opened.session, provider, *request, wantedStates(context));
    if (!open) {
        return failFilter(context, open.error());
    }
    setServerNow(open->now);
    for (const QString &text : open->notes) {
        note(text);
    }
    const QString next = open->next ? markedPlace(context, provider.target(), open->next->toText()) : QString();
    const Exit exit = open->rows.isEmpty() && !open->complete ? Exit::Unknown : Exit::Done;
    if (context.json()) {
        QByteArrayList items;
        for (const sql::ProviderRow &row : open->rows) {
            items += openJson(opened.target, row, open->now);
        }
        printJsonItems(items,
            { { u"next"_s, textOrNull(next) }, { u"notes"_s, QJsonArray::fromStringList(open->notes) },
                { u"complete"_s, open->complete } });
        return exit;
    }
    if (open->rows.isEmpty()) {
        print((exit == Exit::Unknown ? Tr::tr("No key was found in what could be looked at; not all could.")
                                     : Tr::tr("No key waits for the provider."))
            + u'\n');
        return exit;
    }
    printOpen(provider, open->rows);
    if (!next.isEmpty()) {
        note(Tr::tr("More follow: --after %1").arg(next));
    }
    return exit;
}

Exit runProvider(const Context &context)
{
    const bool file = !context.positional().isEmpty();
    for (const QString &option : { u"state"_s, u"filter"_s, u"order"_s, u"after"_s }) {
        if (file && context.has(option)) {
            return misused(Tr::tr("--%1 is for the list of keys, not for a statement.").arg(option),
                Tr::tr("Leave it out, or leave out the file."));
        }
    }
    const QList<Option> ofStatements = statementOptions();
    for (const Option &option : ofStatements) {
        if (!file && context.has(option.name())) {
            return misused(Tr::tr("--%1 is for a statement, and none was named.").arg(option.name()),
                Tr::tr("Write “idemdeskctl provider FILE …”."));
        }
    }
    return file ? runStatement(context) : runOpen(context);
}

} // namespace

Command providerCommand()
{
    return { .name = u"provider"_s,
        .synopsis = u"[FILE]"_s,
        .summary = Tr::tr("keys that wait for a provider; a provider's statement beside the keys"),
        .about = Tr::tr(
            "Without a file: the keys whose effect is outside the database and not settled, as the profile's "
            "“provider” "
            "says. Each has its reference, the time when the provider was asked, how far it got, and a link.\n\n"
            "With a file, CSV or JSON Lines: what the provider's statement says of the keys. Differences are listed: "
            "only "
            "with the provider, only here, another amount or currency, twice with the provider. So is what the "
            "provider "
            "finished and this table did not. Amounts are compared as decimal numbers, digit by digit.\n\n"
            "“Only here” is said of the time alone that the statement covers: from its first line to shortly before "
            "its "
            "last one. A line that cannot be read might be the one that is missed, so then nothing is called "
            "missing.\n\n"
            "Which column means what is said with --map, and is remembered for that provider. Without it the names of "
            "the "
            "columns decide. --preview shows how the first lines are read.\n\n"
            "--record writes what was found into the database as evidence: the file with its SHA-256, the line, the "
            "login "
            "and the reason. It is one person's word. “triage” shows it with that name, and a key is then recovered as "
            "any other, one by one.\n\n"
            "Where no index leads with the reference the table is read once, row by row."),
        .arguments = { { u"FILE"_s, Tr::tr("A provider's statement. Without it: what is not settled."), 0, 1, {} } },
        .options = connectOptions() + targetOptions()
            + QList { jsonOption(), filterOption(Tr::tr("List only keys that match.")),
                Option::word(u"state"_s, providerStateNames(),
                    Tr::tr("List keys in this state with the provider; else all that are not settled."))
                    .manyTimes(),
                Option::text(u"order"_s, Tr::tr("LABEL"),
                    Tr::tr("Order by this label of the profile, or “identity”; a leading “-” turns it.")),
                Option::number(u"limit"_s, 1, kMostOpenRows,
                    Tr::tr("At most so many keys; of a statement, so many of each difference."), u"200"_s),
                Option::text(u"after"_s, Tr::tr("CURSOR"), Tr::tr("Continue after the “next” of an earlier page.")) }
            + statementOptions(),
        .examples
        = { { Tr::tr("What the provider has not answered for:"), u"provider --target app.idempotency_request"_s },
            { Tr::tr("How a statement would be read:"),
                u"provider statement.csv --target app.idempotency_request --preview"_s },
            { Tr::tr("Compare it, and record what was found:"),
                u"provider statement.csv --target app.idempotency_request --provider acme --map reference='Merchant "
                u"reference' "
                "--map amount_minor=Amount --map currency=Currency --map time='Created (UTC)' "
                "--record --reason 'statement of 20 November'"_s } },
        .run = runProvider };
}

} // namespace idemdesk::app
