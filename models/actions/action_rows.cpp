// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_rows.h"

#include "models/actions/action_words.h"
#include "sql/actions/action_gateway.h"
#include "sql/lanes/database.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kItemsPage = 500;
constexpr int kItemsDeadlineMs = 30'000;

constexpr qsizetype kFactsShown = 6; // of a whole row: the first that say something
constexpr qsizetype kShownValueChars = 40;

/// A row that went, or came back, as a whole; null: it was changed, or is hidden.
const sql::Cells *wholeRow(const sql::ActionItem &item)
{
    const bool gone = item.after.isEmpty() && !item.before.isEmpty();
    const bool back = item.before.isEmpty() && !item.after.isEmpty() && item.detail.isEmpty();
    return gone ? &item.before : back ? &item.after : nullptr;
}

/// "status completed · created_at 2026-11-04 …": what is known of the row beside its key.
QString rowFacts(const sql::ActionItem &item, const sql::Cells &values)
{
    QStringList facts;
    for (qsizetype i = 0; i < std::min(item.columns.size(), values.size()) && facts.size() < kFactsShown; ++i) {
        const sql::Cell &value = values.at(i);
        if (!value.null && !value.text.isEmpty() && !item.identity.contains(value)) {
            const QString text = value.text.simplified();
            facts += item.columns.at(i) + u' '
                + (text.size() > kShownValueChars ? text.left(kShownValueChars) + u'…' : text);
        }
    }
    return facts.join(u" · "_s);
}

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
        [id = m_action, batch, ordinal](sql::Session &session) -> sql::Result<Page> {
            Page page;
            if (batch == 0) {
                TRY(page.action, sql::readAction(session, id));
            }
            TRY(page.items, sql::readItems(session, id, batch, ordinal, kItemsPage));
            return page;
        },
        [this](const sql::Result<Page> &result) {
            if (result) {
                m_record = result->action ? result->action : m_record;
                appendRows(result->items, result->items.size() >= kItemsPage);
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
        { .title = [] { return tr("State"); },
            .text = [](const ActionRows &model, const Item &item) { return model.stateText(item); },
            .toolTip = [](const ActionRows &, const Item &item) { return outcomeHelp(item.outcome); } },
        { .title = [] { return tr("Values"); },
            .text = [](const ActionRows &, const Item &item) { return valuesText(item); },
            .toolTip = [](const ActionRows &, const Item &item) { return changeText(item); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

bool ActionRows::oneState() const
{
    return m_record && m_rows.size() > 1
        && std::count_if(m_record->counts.cbegin(), m_record->counts.cend(), [](qint64 rows) { return rows > 0; }) == 1
        && std::all_of(m_rows.cbegin(), m_rows.cend(), [this](const sql::ActionItem &item) {
               return item.outcome == m_rows.constFirst().outcome && item.detail == m_rows.constFirst().detail
                   && item.restoredBy.isEmpty();
           });
}

QString ActionRows::stateText(const sql::ActionItem &item) const
{
    const bool undo = m_record && m_record->verb == sql::ActionVerb::Undo && item.detail.isEmpty();
    QString label = undo ? outcomeLabel(item.outcome, m_record->verb) : outcomeLabel(item.outcome, item.detail);
    label.replace(0, 1, label.left(1).toUpper()); // by itself, not in a sentence
    return item.restoredBy.isEmpty() ? label : tr("%1, restored", "outcome").arg(label);
}

/// In the shapes and colours of a key's state: what was done, what stays for a person to look at.
QVariant ActionRows::itemData(const sql::ActionItem &item, int column, int role) const
{
    if (column != State || (role != StateRole && role != StaleRole)) {
        return {};
    }
    const bool done = rowsDone({ { item.outcome, 1 } }) > 0;
    return role == StateRole ? QVariant(int(done ? sql::KeyState::Succeeded : sql::KeyState::InProgress))
                             : QVariant(!done);
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
        return ActionRows::tr("The row is back in the table.");
    }
    return changes.isEmpty() ? item.detail : changes.join(u"; "_s);
}

QString valuesText(const sql::ActionItem &item)
{
    const sql::Cells *whole = wholeRow(item);
    const QString facts = whole != nullptr ? rowFacts(item, *whole) : QString();
    return facts.isEmpty() ? changeText(item) : facts;
}

} // namespace idemdesk::models

#include "moc_action_rows.cpp"
