// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/complaint/complaint_model.h"

#include "models/format/labels.h"
#include "models/keys/key_cells.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString complaintScope(const sql::Cells &scope)
{
    QStringList parts;
    for (const sql::Cell &part : scope) {
        parts += part.null ? u"–"_s : part.text;
    }
    return parts.join(u" / "_s);
}

} // namespace

ComplaintModel::ComplaintModel(QObject *parent)
    : RowModel(parent)
{
}

void ComplaintModel::setAnswer(const ComplaintAnswer &answer, const QList<sql::Target> &targets)
{
    QList<ComplaintRow> rows;
    for (const Candidate &candidate : answer.candidates) {
        rows.append({ candidate, false });
    }
    m_targets = targets;
    setRows(rows);
    emit pickedChanged();
}

void ComplaintModel::setMembers(const QStringList &labels, int own)
{
    m_members = labels;
    m_own = own;
}

bool ComplaintModel::elsewhere(int number) const
{
    const Candidate *of = candidate(number);
    return of != nullptr && of->member != m_own;
}

const Candidate *ComplaintModel::candidate(int number) const
{
    const ComplaintRow *found = row(number);
    return found != nullptr ? &found->candidate : nullptr;
}

QList<int> ComplaintModel::picked() const
{
    QList<int> numbers;
    for (int number = 0; number < m_rows.size(); ++number) {
        if (m_rows.at(number).picked) {
            numbers += number;
        }
    }
    return numbers;
}

void ComplaintModel::pick(int number, bool on)
{
    if (number >= 0 && number < m_rows.size() && m_rows.at(number).picked != on && !elsewhere(number)) {
        m_rows[number].picked = on;
        emit dataChanged(index(number, Began), index(number, Began), { Qt::CheckStateRole });
        emit pickedChanged();
    }
}

QString ComplaintModel::customerText(const Candidate &candidate)
{
    const auto isCustomer = [&](const sql::Cell &part) { return part.text == candidate.charge.customer; };
    const sql::Cells &scope = candidate.record.scope;
    return std::any_of(scope.begin(), scope.end(), isCustomer) ? QString() : candidate.charge.customer;
}

bool ComplaintModel::namesCustomers() const
{
    return std::any_of(
        m_rows.begin(), m_rows.end(), [](const ComplaintRow &row) { return !customerText(row.candidate).isEmpty(); });
}

QString ComplaintModel::beganText(const sql::KeyRecord &record, bool exact) const
{
    for (const sql::Role role : { sql::Role::CreatedAt, sql::Role::ClaimedAt, sql::Role::UpdatedAt }) {
        if (const auto at = record.time(role)) {
            return exact ? timeFormat().exact(*at) : timeFormat().text(*at);
        }
    }
    return tr("not known");
}

QString ComplaintModel::beganTip(const Candidate &candidate) const
{
    const QString exact = beganText(candidate.record, true);
    return candidate.member == m_own ? exact
                                     : exact + u'\n'
            + tr("Its verdict is given in %1: select it, then Show in %1.", "a member of a group")
                  .arg(m_members.value(candidate.member));
}

std::span<const ComplaintModel::ColumnSpec> ComplaintModel::columns()
{
    using Model = ComplaintModel;
    using Row = ComplaintRow;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Began"); },
            .text = [](const Model &model, const Row &row) { return model.beganText(row.candidate.record, false); },
            .toolTip = [](const Model &model, const Row &row) { return model.beganTip(row.candidate); },
            .time = true },
        { .title = [] { return tr("Member"); },
            .text = [](const Model &model, const Row &row) { return model.m_members.value(row.candidate.member); } },
        { .title = [] { return tr("Table"); },
            .text = [](const Model &model,
                        const Row &row) { return targetLabel(model.m_targets.value(row.candidate.target).profile); } },
        { .title = [] { return tr("Scope"); },
            .text = [](const Model &, const Row &row) { return complaintScope(row.candidate.record.scope); } },
        { .title = [] { return tr("Customer"); },
            .text = [](const Model &, const Row &row) { return customerText(row.candidate); } },
        { .title = [] { return tr("Amount"); },
            .text = [](const Model &, const Row &row) { return row.candidate.context.amount; },
            .alignment = kNumber },
        { .title = [] { return tr("Match"); },
            .text = [](const Model &, const Row &row) { return row.candidate.context.match; } },
        { .title = [] { return tr("State"); },
            .text = [](const Model &, const Row &row) { return recordStateText(row.candidate.record); } },
        { .title = [] { return tr("Key"); },
            .text = [](const Model &, const Row &row) { return row.candidate.record.key.text; } },
        { .title = [] { return tr("Result"); },
            .text = [](const Model &, const Row &row) { return recordResultText(row.candidate.record); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant ComplaintModel::itemData(const ComplaintRow &row, int column, int role) const
{
    if (column == Table && (role == TitleRole || role == DetailRole)) {
        const sql::Profile profile = m_targets.value(row.candidate.target).profile;
        return displayText(role == TitleRole ? targetTitle(profile) : targetPlace(profile));
    }
    if (column == Member && role == DetailRole) {
        return row.candidate.member == m_own ? QString() : tr("verdict only there");
    }
    if (column == Key && role == DetailRole) {
        return displayText(recordResultText(row.candidate.record));
    }
    if (column == Match && role == DetailRole) {
        return displayText(row.candidate.context.where);
    }
    if (column == Match && role == HitRole) {
        return displayText(row.candidate.context.hit);
    }
    if (column == State && role == StateRole) {
        return int(row.candidate.record.state);
    }
    if (column == State && role == StaleRole) {
        return row.candidate.record.stale.value_or(false);
    }
    if (column == State && role == ExpiredRole) {
        return row.candidate.record.expired.value_or(false);
    }
    return role == Qt::CheckStateRole && column == Began && row.candidate.member == m_own
        ? QVariant(row.picked ? Qt::Checked : Qt::Unchecked)
        : QVariant();
}

bool ComplaintModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || index.column() != Began || row(index.row()) == nullptr
        || elsewhere(index.row())) {
        return false;
    }
    pick(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags ComplaintModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = RowModel::flags(index);
    return index.isValid() && index.column() == Began && !elsewhere(index.row()) ? flags | Qt::ItemIsUserCheckable
                                                                                 : flags;
}

} // namespace idemdesk::models

#include "moc_complaint_model.cpp"
