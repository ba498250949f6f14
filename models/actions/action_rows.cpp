// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_rows.h"

#include "models/actions/action_words.h"
#include "models/async.h"
#include "models/format/display_text.h"
#include "sql/actions/action_gateway.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kItemsPage = 500;

} // namespace

ActionRows::ActionRows(sql::Database *database, QString action, QObject *parent)
    : QAbstractTableModel(parent)
    , m_database(database)
    , m_action(std::move(action))
{
}

bool ActionRows::canFetchMore(const QModelIndex &parent) const { return !parent.isValid() && m_more && !m_busy; }

void ActionRows::fetchMore(const QModelIndex &parent)
{
    if (!canFetchMore(parent) || m_database == nullptr) {
        return;
    }
    m_busy = true;
    const int batch = m_items.isEmpty() ? 0 : m_items.constLast().batch;
    const int ordinal = m_items.isEmpty() ? 0 : m_items.constLast().ordinal;
    auto future = m_database->run(sql::LaneKind::Background, { QString(), 30'000, true },
        [id = m_action, batch, ordinal](sql::Session &session) { return sql::readItems(session, id, batch, ordinal, kItemsPage); });
    whenDone(future, this, [this](const sql::Result<QList<sql::ActionItem>> &result) {
        m_busy = false;
        if (!result) {
            m_error = result.error();
            m_more = false;
        } else {
            m_more = result->size() >= kItemsPage;
            if (!result->isEmpty()) {
                beginInsertRows({}, int(m_items.size()), int(m_items.size() + result->size()) - 1);
                m_items += *result;
                endInsertRows();
            }
        }
        emit changed();
    });
}

int ActionRows::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_items.size()); }

int ActionRows::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ActionRows::text(const sql::ActionItem &item, int column) const
{
    switch (column) {
    case Identity: {
        QStringList parts;
        for (const sql::Cell &cell : item.identity) {
            parts += cell.null ? u"–"_s : cell.text;
        }
        return parts.isEmpty() ? tr("(hidden from this login)") : parts.join(u" / "_s);
    }
    case Outcome:
        return outcomeLabel(item.outcome);
    case Change:
        return changeText(item);
    case PutBack:
        return item.restoredBy.isEmpty() ? QString() : tr("Yes");
    default:
        return {};
    }
}

QVariant ActionRows::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const sql::ActionItem &item = m_items.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayText(text(item, index.column()));
    case Qt::ToolTipRole:
        return index.column() == Outcome ? outcomeHelp(item.outcome) : displayText(text(item, index.column()), kToolTipChars);
    default:
        return {};
    }
}

QVariant ActionRows::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Identity:
        return tr("Key");
    case Outcome:
        return tr("Outcome");
    case Change:
        return tr("Change");
    case PutBack:
        return tr("Put back");
    default:
        return {};
    }
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
        return ActionRows::tr("The row is there again.");
    }
    return changes.isEmpty() ? item.detail : changes.join(u"; "_s);
}

} // namespace idemdesk::models

#include "moc_action_rows.cpp"
