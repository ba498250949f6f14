// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_keys.h"

#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/groups/group_page.h"
#include "models/groups/group_session.h"
#include "models/keys/key_cells.h"
#include "models/keys/usual_order.h"
#include "sql/keys/order.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/unseen.h"
#include "sql/lanes/database.h"
#include "sql/regions/value_ranks.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kGroupPageDeadlineMs = 60'000;

/// A member's page with the order it came in.
struct OrderedPage {
    sql::KeyPage page;
    sql::ResolvedOrder order;
};

} // namespace

GroupKeysModel::GroupKeysModel(GroupSession *session, QObject *parent)
    : RowModelBase(parent)
    , m_session(session)
{
    connect(this, &GroupKeysModel::moreWanted, this, &GroupKeysModel::readMore);
    connect(session, &GroupSession::memberChanged, this, [this](int member) {
        // A lane would wait for its server: the others are not held up by that.
        if (m_session->state(member) == GroupSession::MemberState::Failed) {
            giveUp(member);
        }
        emit changed();
    });
}

GroupKeysModel::~GroupKeysModel() = default;

sql::Result<void> GroupKeysModel::ask(const QString &targetName, const QString &filter)
{
    for (int member = 0; member < m_session->size(); ++member) {
        if (const TargetEntry *entry = m_session->target(member, targetName)) {
            TRY(parseFilter(filter, vocabularyOf(entry->target.profile, timeFormat().zone())));
        }
    }
    m_target = targetName;
    m_filter = filter;
    begin();
    return {};
}

void GroupKeysModel::refresh()
{
    if (!m_target.isEmpty()) {
        begin();
    }
}

void GroupKeysModel::begin()
{
    m_ranking.drop();
    m_ranking.clearError();
    m_pending = 0;
    beginResetModel();
    m_rows.clear();
    m_parts.clear(); // with their requests: no older answer comes
    m_columns.clear();
    m_order.clear();
    for (int member = 0; member < m_session->size(); ++member) {
        addMember(member);
    }
    setMore(std::any_of(m_parts.cbegin(), m_parts.cend(), [](const Part &part) { return part.more; }));
    endResetModel();
    readMore();
}

void GroupKeysModel::addMember(int member)
{
    Part part;
    part.member = member;
    part.request = std::make_unique<Request>(u"group/keys"_s);
    const TargetEntry *entry = m_session->target(member, m_target);
    if (!m_session->answered(member)) {
        part.error = m_session->error(member).value_or(
            sql::makeError(sql::ErrorKind::Unreachable, tr("It has not answered yet.")));
    } else if (entry == nullptr) {
        part.error = m_session->whyNoTarget(member, m_target);
    } else {
        part.target = entry->target;
        const auto filter = parseFilter(m_filter, vocabularyOf(part.target.profile, timeFormat().zone()));
        if (filter) {
            part.filter = *filter;
        } else {
            part.error = filter.error();
        }
    }
    part.more = !part.error;
    if (part.more && m_columns.isEmpty()) {
        // All members are read in one order: what one of them would choose for itself, another might not.
        m_order = usualOrder(part.target, part.filter);
        const auto choices = sql::orderChoices(part.target);
        m_orderIsTime = std::any_of(choices.cbegin(), choices.cend(), [this](const sql::OrderChoice &choice) {
            return choice.isTime && (choice.label == m_order || u'-' + choice.label == m_order);
        });
        m_columns = keyColumns(part.target);
    }
    part.request->setDatabase(m_session->database(member));
    m_parts.push_back(std::move(part));
}

void GroupKeysModel::readMore()
{
    if (!busy()) {
        m_goal = m_rows.size() + kPage;
        readParts();
    }
}

void GroupKeysModel::readParts()
{
    for (Part &part : m_parts) {
        part.page.rows.clear();
        m_pending += part.more && !part.error ? 1 : 0;
    }
    if (m_pending == 0) {
        setMore(false);
        emit changed();
        return;
    }
    // A page of each would be read and mostly thrown away. Half as much again as its share fills most pages at once.
    m_share = std::min(kPage, kPage * 3 / (2 * m_pending) + 1);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (m_parts.at(i).more && !m_parts.at(i).error) {
            readPart(i);
        }
    }
    emit changed();
}

void GroupKeysModel::readPart(std::size_t number)
{
    Part &part = m_parts[number];
    sql::PageRequest request;
    request.filter = part.filter;
    request.order = m_order;
    request.from = part.from;
    request.limit = m_share;
    const bool asked = part.request->ask(
        { sql::LaneKind::Read, kGroupPageDeadlineMs },
        [target = part.target, request](sql::Session &session) -> sql::Result<OrderedPage> {
            OrderedPage read;
            TRY(read.order, sql::resolveOrder(target, request.order, request.filter));
            TRY(read.page, sql::readPage(session, target, request));
            return read;
        },
        [this, number](const sql::Result<OrderedPage> &read) {
            Part &of = m_parts[number];
            if (read) {
                of.page = read->page;
                of.order = read->order;
                of.now = read->page.now;
                of.more = read->page.more;
            } else {
                of.error = read.error();
            }
            if (--m_pending == 0) {
                rank();
            }
        });
    if (!asked) {
        part.error = m_session->error(part.member).value_or(abandonedError());
        if (--m_pending == 0) {
            rank();
        }
    }
}

/// The first member that answered says how the values of all sort. Where it dies over that, the next one is asked.
void GroupKeysModel::rank()
{
    QList<sql::SortValues> values;
    Part *judge = nullptr;
    for (Part &part : m_parts) {
        if (part.error) {
            continue;
        }
        judge = judge == nullptr && !part.page.rows.isEmpty() ? &part : judge;
        for (const sql::KeyRecord &record : std::as_const(part.page.rows)) {
            values += sql::sortValues(part.order, record);
        }
    }
    if (judge == nullptr) {
        merge({});
        return;
    }
    m_ranking.setDatabase(m_session->database(judge->member));
    const bool asked = m_ranking.ask(
        { sql::LaneKind::Read, kGroupPageDeadlineMs },
        [order = judge->order, values](
            sql::Session &session) -> sql::Result<QList<qint64>> { return sql::rankValues(session, order, values); },
        [this, member = judge->member](const sql::Result<QList<qint64>> &ranks) {
            if (ranks) {
                merge(*ranks);
            } else {
                m_parts[std::size_t(member)].error = ranks.error();
                rank();
            }
        });
    if (!asked) {
        judge->error = m_session->error(judge->member).value_or(abandonedError());
        rank();
    }
}

void GroupKeysModel::merge(const QList<qint64> &ranks)
{
    QList<QList<qint64>> byMember;
    QList<bool> mores;
    qsizetype from = 0;
    for (const Part &part : m_parts) {
        const qsizetype count = part.error ? 0 : part.page.rows.size();
        byMember += ranks.mid(from, count);
        from += count;
        mores += part.more && !part.error;
    }
    const MergedPage page = mergePages(byMember, mores, m_goal - m_rows.size());
    setAsked(true); // whoever asks for more while these go in would get them twice
    append(page);
    QList<qsizetype> taken(byMember.size(), 0);
    for (const MergedPage::Place &place : page.rows) {
        ++taken[place.member];
    }
    for (qsizetype i = 0; i < byMember.size(); ++i) {
        // Rows that were read and have no place yet come again with the next page.
        m_parts[std::size_t(i)].more = mores.at(i) || taken.at(i) < byMember.at(i).size();
        m_parts[std::size_t(i)].page.rows.clear();
    }
    setMore(page.more);
    if (page.more && m_rows.size() < m_goal && !page.rows.isEmpty()) { // one member holds most of what comes next
        readParts();
        return;
    }
    emit changed();
}

void GroupKeysModel::append(const MergedPage &page)
{
    QList<Row> added;
    bool joined = false; // a row that stands already
    for (const MergedPage::Place &place : page.rows) {
        Part &part = m_parts[std::size_t(place.member)];
        const sql::KeyRecord &record = part.page.rows.at(place.row);
        part.from = { record.orderValue, record.identity };
        Row *last = !added.isEmpty() ? &added.last() : m_rows.isEmpty() ? nullptr : &m_rows.last();
        if (m_paired && last != nullptr && last->member != part.member && !last->others.contains(part.member)
            && alike(last->record, record)) {
            last->others += part.member;
            joined = joined || added.isEmpty();
        } else {
            added.append({ part.member, record, {} });
        }
    }
    if (joined) {
        const int row = int(m_rows.size()) - 1;
        emit dataChanged(index(row, kMemberColumn), index(row, kMemberColumn));
    }
    if (!added.isEmpty()) {
        beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + added.size()) - 1);
        m_rows += added;
        endInsertRows();
    }
}

/// As far as the list tells them.
bool GroupKeysModel::alike(const sql::KeyRecord &a, const sql::KeyRecord &b) const
{
    return a.key == b.key && a.scope == b.scope && a.state == b.state && a.stale == b.stale && a.expired == b.expired
        && a.fault == b.fault && std::all_of(m_columns.cbegin(), m_columns.cend(), [&a, &b](const KeyColumnSpec &spec) {
               return keyCellRaw(a, spec) == keyCellRaw(b, spec) && keyCellError(a, spec) == keyCellError(b, spec);
           });
}

QString GroupKeysModel::labels(const Row &row) const
{
    QStringList labels;
    for (const int member : QList<int> { row.member } + row.others) {
        labels += displayText(m_session->label(member));
    }
    return labels.join(u", "_s);
}

void GroupKeysModel::giveUp(int member)
{
    if (std::size_t(member) >= m_parts.size() || m_parts.at(std::size_t(member)).error) {
        return;
    }
    Part &part = m_parts[std::size_t(member)];
    part.error = m_session->error(member).value_or(abandonedError());
    if (part.request->busy()) {
        part.request->drop();
        if (--m_pending == 0) {
            rank();
        }
    } else if (m_ranking.busy()) { // its rows go out of what is being put into order
        m_ranking.drop();
        rank();
    }
}

int GroupKeysModel::answered() const
{
    return int(std::count_if(m_parts.cbegin(), m_parts.cend(), [](const Part &part) { return !part.error; }));
}

QStringList GroupKeysModel::notes() const
{
    QStringList notes;
    for (const Part &part : m_parts) {
        const QString label = displayText(m_session->label(part.member));
        if (part.error) {
            notes += tr("%1: %2").arg(label, displayText(part.error->line(), kToolTipChars));
            continue;
        }
        QStringList own = part.page.notes + sql::unseenNotes(part.target);
        own.removeDuplicates();
        for (const QString &note : std::as_const(own)) {
            notes += tr("%1: %2").arg(label, displayText(note, kToolTipChars));
        }
    }
    return notes;
}

bool GroupKeysModel::outdated() const
{
    return std::any_of(m_parts.cbegin(), m_parts.cend(), [this](const Part &part) {
        return part.error && m_session->target(part.member, m_target) != nullptr && m_session->answered(part.member);
    });
}

const GroupKeysModel::Row *GroupKeysModel::row(int number) const
{
    return number >= 0 && number < m_rows.size() ? &m_rows.at(number) : nullptr;
}

QString GroupKeysModel::filterOf(int row) const
{
    const Row *of = this->row(row);
    return of == nullptr || of->record.key.null ? QString() : u"key:"_s + quoteFilterValue(of->record.key.text);
}

bool GroupKeysModel::showsTime(int column) const
{
    return column > 0 && column <= m_columns.size() && m_columns.at(column - 1).time;
}

int GroupKeysModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int GroupKeysModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() || m_columns.isEmpty() ? 0 : int(m_columns.size()) + 1;
}

QVariant GroupKeysModel::memberData(const Row &row, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return labels(row);
    case Qt::AccessibleTextRole:
        return tr("Member: %1").arg(labels(row));
    default:
        return {};
    }
}

QVariant GroupKeysModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Row &of = m_rows.at(index.row());
    if (index.column() == kMemberColumn) {
        return memberData(of, role);
    }
    const KeyColumnSpec &spec = m_columns.at(index.column() - 1);
    const sql::Timestamp &now = m_parts.at(std::size_t(of.member)).now; // each member by its own clock
    switch (role) {
    case Qt::DisplayRole:
        return keyCellText(of.record, spec, timeFormat(), now);
    case Qt::ToolTipRole:
        return keyCellToolTip(of.record, spec, timeFormat(), now);
    case Qt::AccessibleTextRole:
        return QString(spec.title + u": "_s + keyCellText(of.record, spec, timeFormat(), now));
    case Qt::TextAlignmentRole:
        return spec.number ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case RawRole:
        return keyCellRaw(of.record, spec);
    case StateRole:
        return int(of.record.state);
    case StaleRole:
        return of.record.stale ? QVariant(*of.record.stale) : QVariant();
    case ExpiredRole:
        return of.record.expired ? QVariant(*of.record.expired) : QVariant();
    case ErrorRole:
        return keyCellError(of.record, spec);
    default:
        return {};
    }
}

QVariant GroupKeysModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    if (section == kMemberColumn) {
        return role == Qt::DisplayRole ? QVariant(tr("Member")) : QVariant();
    }
    return keyColumnHeading(m_columns.at(section - 1), role);
}

} // namespace idemdesk::models

#include "moc_group_keys.cpp"
