// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_rows.h"

#include "models/actions/action_words.h"
#include "sql/actions/action_gateway.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kItemsPage = 500;
constexpr int kItemsDeadlineMs = 30'000;

QString identityCells(const sql::Cells &identity)
{
    QStringList parts;
    for (const sql::Cell &cell : identity) {
        parts += cell.null ? u"–"_s : cell.text;
    }
    return parts.isEmpty() ? ActionRows::tr("(hidden from this login)") : parts.join(u" / "_s);
}

} // namespace

ActionRows::ActionRows(sql::Database *database, QString action, QObject *parent)
    : RowModel(parent)
    , m_action(std::move(action))
{
    m_reading.setDatabase(database);
    setMore(true);
    connect(this, &ActionRows::moreWanted, this, &ActionRows::readMore);
    connect(&m_reading, &Request::changed, this, &ActionRows::changed);
}

void ActionRows::readMore()
{
    const int batch = m_rows.isEmpty() ? 0 : m_rows.constLast().batch;
    const int ordinal = m_rows.isEmpty() ? 0 : m_rows.constLast().ordinal;
    const bool asked = m_reading.ask(
        { sql::LaneKind::Background, kItemsDeadlineMs },
        [id = m_action, batch, ordinal](
            sql::Session &session) { return sql::readItems(session, id, batch, ordinal, kItemsPage); },
        [this](const sql::Result<QList<sql::ActionItem>> &result) {
            if (result) {
                appendRows(*result, result->size() >= kItemsPage);
            } else {
                setMore(false);
            }
        });
    if (!asked) {
        moreFailed();
    }
}

std::span<const ActionRows::ColumnSpec> ActionRows::columns()
{
    using Item = sql::ActionItem;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Key"); },
            .text = [](const ActionRows &, const Item &item) { return identityCells(item.identity); } },
        { .title = [] { return tr("Outcome"); },
            .text = [](const ActionRows &, const Item &item) { return outcomeLabel(item.outcome, item.detail); },
            .toolTip = [](const ActionRows &, const Item &item) { return outcomeHelp(item.outcome); } },
        { .title = [] { return tr("Change"); },
            .text = [](const ActionRows &, const Item &item) { return changeText(item); } },
        { .title = [] { return tr("Put back"); },
            .text
            = [](const ActionRows &, const Item &item) { return item.restoredBy.isEmpty() ? QString() : tr("Yes"); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QString changeText(const sql::ActionItem &item)
{
    const auto text = [](const sql::Cell &cell) { return cell.null ? u"–"_s : cell.text; };
    QStringList changes;
    for (qsizetype i = 0; i < item.columns.size() && i < item.before.size() && i < item.after.size(); ++i) {
        if (!(item.before.at(i) == item.after.at(i))) {
            changes += u"%1: %2 → %3"_s.arg(item.columns.at(i), text(item.before.at(i)), text(item.after.at(i)));
        }
    }
    if (changes.isEmpty() && item.after.isEmpty() && !item.before.isEmpty()) {
        return ActionRows::tr("The row was removed.");
    }
    if (changes.isEmpty() && item.before.isEmpty() && !item.after.isEmpty() && item.detail.isEmpty()) {
        return ActionRows::tr("Restored.");
    }
    return changes.isEmpty() ? item.detail : changes.join(u"; "_s);
}

} // namespace idemdesk::models

#include "moc_action_rows.cpp"
