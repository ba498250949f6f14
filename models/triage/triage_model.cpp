// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/triage/triage_model.h"

#include "models/actions/action_words.h"
#include "models/background.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/format/time_format.h"
#include "models/triage/frozen_set.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// One text for the identity's values; a NUL stands in no text of a server.
QString identityText(const TriageModel::Row &row)
{
    QString text;
    for (const sql::Cell &cell : row.facts.record.identity) {
        text += (cell.null ? u"-"_s : u'+' + cell.text) + QChar(u'\0');
    }
    return text;
}

constexpr std::size_t kGroups = std::size_t(TriageGroup::Running) + 1;

TriageGroup groupOfClass(TriageClass cls)
{
    switch (cls) {
    case TriageClass::SafeToRetry:
        return TriageGroup::SafeToRetry;
    case TriageClass::EffectHappened:
        return TriageGroup::EffectHappened;
    case TriageClass::Abandoned:
        return TriageGroup::Abandoned;
    case TriageClass::Running:
        return TriageGroup::Running;
    case TriageClass::NeedsReview:
        break;
    }
    return TriageGroup::NeedsReview;
}

/// Nothing: keys of several classes stand in it.
std::optional<TriageClass> classOfGroup(TriageGroup group)
{
    for (const TriageClass cls : { TriageClass::Running, TriageClass::EffectHappened, TriageClass::SafeToRetry,
             TriageClass::Abandoned, TriageClass::NeedsReview }) {
        if (groupOfClass(cls) == group) {
            return cls;
        }
    }
    return std::nullopt;
}

/// Who tried it how often: "3 attempts · worker-7".
QString workText(const sql::KeyRecord &record)
{
    QStringList parts;
    bool whole = false;
    const int attempts = record.role(sql::Role::Attempts).text.toInt(&whole);
    if (whole) {
        parts += TriageModel::tr("%n attempt(s)", nullptr, attempts);
    }
    if (const sql::Cell owner = record.role(sql::Role::Owner); !owner.null && !owner.text.isEmpty()) {
        parts += displayText(owner.text, 60);
    }
    return parts.join(u" · "_s);
}

/// Thousands of rows take 20 ms to free, which the window need not wait for.
void freeLater(QList<TriageModel::Row> rows)
{
    if (!rows.isEmpty()) {
        inBackground([rows = std::move(rows)]() mutable { rows.clear(); });
    }
}

} // namespace

TriageGroup triageGroupOf(const TriageRow &row)
{
    return row.fresh ? TriageGroup::TooFresh : groupOfClass(row.judgement.cls);
}

QString triageGroupName(TriageGroup group)
{
    const auto cls = classOfGroup(group);
    return cls ? triageClassName(*cls) : u"too_fresh"_s;
}

QString triageGroupLabel(TriageGroup group)
{
    const auto cls = classOfGroup(group);
    return cls ? triageClassLabel(*cls) : TriageModel::tr("Too fresh");
}

TriageModel::TriageModel(QObject *parent)
    : RowModel(parent)
{
}

void TriageModel::setJudged(const QList<Row> &rows, const sql::Timestamp &now)
{
    rememberChoices();
    beginResetModel();
    freeLater(std::exchange(m_rows, rows));
    m_now = now;
    m_givenChecked = std::any_of(rows.cbegin(), rows.cend(), [](const Row &row) { return row.checked; });
    // Thousands of rows about which nobody decided anything stay shared with their maker.
    if (!m_keptIn.isEmpty() || !m_takenOut.isEmpty()) {
        for (Row &row : m_rows) {
            const QString identity = row.may ? identityText(row) : QString();
            row.checked = row.may && (m_keptIn.contains(identity) || (row.checked && !m_takenOut.contains(identity)));
        }
    }
    endResetModel();
    emit checksChanged();
}

void TriageModel::clear()
{
    beginResetModel();
    freeLater(std::exchange(m_rows, {}));
    m_takenOut.clear();
    m_keptIn.clear();
    m_givenChecked = false;
    endResetModel();
    emit checksChanged();
}

bool TriageModel::anyChosen() const
{
    return !m_takenOut.isEmpty() || !m_keptIn.isEmpty()
        || std::any_of(m_rows.cbegin(), m_rows.cend(),
            [this](const Row &row) { return row.may && row.checked != m_givenChecked; });
}

/// Of the newest reading alone: a key that was acted on, and is stuck again next week, is not checked by itself. Where
/// nothing is read in between, as while the table is registered anew, what was decided stays.
void TriageModel::rememberChoices()
{
    if (m_rows.isEmpty()) {
        return;
    }
    m_keptIn.clear();
    for (const Row &row : std::as_const(m_rows)) {
        if (row.may && row.checked) {
            m_keptIn.insert(identityText(row));
        } else if (row.may && m_givenChecked) {
            m_takenOut.insert(identityText(row));
        }
    }
}

void TriageModel::checkAll(bool checked)
{
    for (Row &row : m_rows) {
        row.checked = row.may && checked && (!row.fresh || row.checked);
    }
    if (!m_rows.isEmpty()) {
        emit dataChanged(index(0, 0), index(int(m_rows.size()) - 1, 0), { Qt::CheckStateRole });
    }
    emit checksChanged();
}

void TriageModel::checkGroup(TriageGroup group, bool checked)
{
    for (Row &row : m_rows) {
        if (row.may && triageGroupOf(row) == group) {
            row.checked = checked && (!row.fresh || row.checked);
        }
    }
    if (!m_rows.isEmpty()) {
        emit dataChanged(index(0, 0), index(int(m_rows.size()) - 1, 0), { Qt::CheckStateRole });
    }
    emit checksChanged();
}

int TriageModel::checkedCount() const
{
    return int(std::count_if(m_rows.cbegin(), m_rows.cend(), [](const Row &row) { return row.checked; }));
}

int TriageModel::mayCount() const
{
    return int(std::count_if(m_rows.cbegin(), m_rows.cend(), [](const Row &row) { return row.may; }));
}

QList<TriageTally> TriageModel::tallies() const
{
    std::array<TriageTally, kGroups> tallies;
    std::array<QHash<QString, int>, kGroups> reasons;
    for (const Row &row : m_rows) { // thousands: once for all groups
        const auto place = std::size_t(triageGroupOf(row));
        TriageTally &tally = tallies.at(place);
        ++tally.keys;
        tally.may += row.may ? 1 : 0;
        tally.together += row.may && !row.fresh ? 1 : 0;
        tally.open += row.may && !row.fresh && !row.checked ? 1 : 0;
        tally.checked += row.checked ? 1 : 0;
        if (!row.may && !row.judgement.reasons.isEmpty()) {
            ++reasons.at(place)[row.judgement.reasons.constLast()];
        }
    }
    for (std::size_t place = 0; place < tallies.size(); ++place) {
        tallies.at(place).group = static_cast<TriageGroup>(place);
        int most = 0;
        for (auto it = reasons.at(place).cbegin(); it != reasons.at(place).cend(); ++it) {
            if (*it > most) {
                most = *it;
                tallies.at(place).whyNot = it.key();
            }
        }
    }
    return { tallies.cbegin(), tallies.cend() };
}

QList<sql::TriageFacts> TriageModel::checkedFacts() const
{
    QList<sql::TriageFacts> facts;
    for (const Row &row : m_rows) {
        if (row.checked) {
            facts.append(row.facts);
        }
    }
    return facts;
}

QString TriageModel::becomesText() const
{
    QList<std::pair<QString, int>> counts; // a handful, in the order of the rows
    for (const Row &row : m_rows) {
        if (!row.checked) {
            continue;
        }
        const QString to = proposedText(row.judgement);
        const auto found
            = std::find_if(counts.begin(), counts.end(), [&to](const auto &count) { return count.first == to; });
        if (found == counts.end()) {
            counts.append({ to, 1 });
        } else {
            ++found->second;
        }
    }
    QStringList parts;
    for (const auto &[to, keys] : std::as_const(counts)) {
        parts += tr("%1 → %2", "how many keys, their new state").arg(countText(keys), to);
    }
    return parts.join(u" · "_s);
}

std::span<const TriageModel::ColumnSpec> TriageModel::columns()
{
    using Model = TriageModel;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return u"✓"_s; }, .text = [](const Model &, const Row &) { return QString(); } },
        { .title = [] { return tr("Class"); },
            .text = [](const Model &, const Row &row) { return triageClassLabel(row.judgement.cls); },
            .toolTip = [](const Model &, const Row &row) { return row.judgement.reasons.join(u' '); } },
        { .title = [] { return tr("Key and scope"); },
            .text =
                [](const Model &, const Row &row) {
                    const sql::Cell &key = row.facts.record.key;
                    return key.failed() ? key.error : key.text;
                } },
        { .title = [] { return tr("Stuck for"); },
            .text =
                [](const Model &model, const Row &row) {
                    return row.facts.staleSince ? TimeFormat::age(*row.facts.staleSince, model.m_now) : QString();
                },
            .alignment = kNumber },
        { .title = [] { return tr("Scope"); },
            .text =
                [](const Model &, const Row &row) {
                    const sql::Cells &scope = row.facts.record.scope;
                    return scope.isEmpty() ? QString() : scopeText(scope);
                } },
        { .title = [] { return tr("State"); },
            .text = [](const Model &, const Row &row) { return stateLabel(row.facts.record.state); } },
        { .title = [] { return tr("Becomes"); },
            .text = [](const Model &, const Row &row) { return proposedText(row.judgement); } },
        { .title = [] { return tr("Attempts"); },
            .text = [](const Model &, const Row &row) { return row.facts.record.role(sql::Role::Attempts).text; },
            .alignment = kNumber },
        { .title = [] { return tr("Owner"); },
            .text = [](const Model &, const Row &row) { return row.facts.record.role(sql::Role::Owner).text; } },
        { .title = [] { return tr("Why"); }, // what decided it; all of them are in the tooltip
            .text =
                [](const Model &, const Row &row) {
                    return row.judgement.brief.isEmpty() ? row.judgement.reasons.value(row.judgement.reasons.size() - 1)
                                                         : row.judgement.brief;
                },
            .toolTip = [](const Model &, const Row &row) { return row.judgement.reasons.join(u' '); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant TriageModel::itemData(const Row &row, int column, int role) const
{
    switch (role) {
    case Qt::AccessibleTextRole:
        return column == Pick ? QVariant(!row.may ? tr("cannot be selected")
                       : row.checked              ? tr("selected")
                                                  : tr("not selected"))
            : column == Key
            ? QVariant(displayText(u"%1, %2"_s.arg(row.facts.record.key.text, scopeText(row.facts.record.scope))))
            : QVariant();
    case Qt::CheckStateRole:
        return column == Pick && row.may ? QVariant(row.checked ? Qt::Checked : Qt::Unchecked) : QVariant();
    case DetailRole:
        return column == Key     ? QVariant(displayText(scopeText(row.facts.record.scope)))
            : column == StaleFor ? QVariant(workText(row.facts.record))
                                 : QVariant();
    case StateRole:
        return column != Proposed    ? QVariant(static_cast<int>(row.facts.record.state))
            : row.judgement.proposed ? QVariant(static_cast<int>(*row.judgement.proposed))
                                     : QVariant();
    case StaleRole:
        return column != Proposed && row.facts.record.stale.value_or(false);
    case ExpiredRole:
        return row.facts.expired;
    case ClassRole:
        return static_cast<int>(row.judgement.cls);
    default:
        return {};
    }
}

bool TriageModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || index.column() != Pick || !checkIndex(index, CheckIndexOption::IndexIsValid)
        || !m_rows.at(index.row()).may) {
        return false;
    }
    const bool checked = value.toInt() == Qt::Checked;
    m_rows[index.row()].checked = checked;
    emit dataChanged(index, index, { Qt::CheckStateRole });
    emit checksChanged();
    return true;
}

Qt::ItemFlags TriageModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = RowModel::flags(index);
    if (index.isValid() && index.column() == Pick && m_rows.at(index.row()).may) {
        flags |= Qt::ItemIsUserCheckable;
    }
    return flags;
}

void sortByGroup(QList<TriageRow> *rows)
{
    std::stable_sort(rows->begin(), rows->end(), [](const TriageRow &a, const TriageRow &b) {
        const TriageGroup first = triageGroupOf(a);
        const TriageGroup second = triageGroupOf(b);
        return first != second ? first < second : a.may && !b.may;
    });
}

QString proposedText(const TriageJudgement &judgement)
{
    if (judgement.rule < 0) {
        return u"–"_s;
    }
    return judgement.proposed ? stateLabel(*judgement.proposed) : TriageModel::tr("Deleted");
}

} // namespace idemdesk::models

#include "moc_triage_model.cpp"
