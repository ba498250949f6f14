// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_overview.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/groups/group_session.h"
#include "models/overview/summary_cells.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

GroupOverviewModel::GroupOverviewModel(GroupSession *session, QObject *parent)
    : RowModelBase(parent)
    , m_session(session)
{
    for (int member = 0; member < session->size(); ++member) {
        m_members.push_back(std::make_unique<OverviewController>());
        m_answered.push_back(false);
        OverviewController *one = m_members.back().get();
        connect(one, &OverviewController::summariesChanged, this, [this, member] { sayMember(member); });
        connect(one, &OverviewController::busyChanged, this, [this, member] { sayMember(member); });
        takeMember(member);
    }
    takeNames();
    connect(session, &GroupSession::memberChanged, this, [this](int member) {
        takeMember(member);
        takeNames();
        sayMember(member);
    });
    connect(session, &GroupSession::databaseChanged, this,
        [this](int member) { m_members.at(std::size_t(member))->setDatabase(m_session->database(member)); });
}

void GroupOverviewModel::takeMember(int member)
{
    OverviewController *one = m_members.at(std::size_t(member)).get();
    one->setDatabase(m_session->database(member));
    const bool before = m_answered.at(std::size_t(member));
    m_answered[std::size_t(member)] = m_session->answered(member);
    if (!m_session->answered(member)) {
        return; // what was seen last is not shown either: entry() asks whether it answers
    }
    QList<sql::Target> targets;
    for (const TargetEntry &entry : m_session->targets(member)) {
        targets += entry.target;
    }
    const QList<OverviewEntry> &known = one->model()->rows(); // in an order of its own
    const bool same = targets.size() == known.size()
        && std::all_of(targets.cbegin(), targets.cend(), [&known](const sql::Target &target) {
               return std::any_of(known.cbegin(), known.cend(), [&target](const OverviewEntry &entry) {
                   return target.profile.name == entry.target.profile.name
                       && target.relation.oid == entry.target.relation.oid;
               });
           });
    if (!same || targets.isEmpty()) {
        one->setTargets(targets); // which counts them
    } else if (!before) {
        one->refresh(); // it was away: what it told before is old
    }
}

void GroupOverviewModel::takeNames()
{
    QStringList names = m_session->targetNames();
    for (int member = 0; member < m_session->size(); ++member) {
        for (const TargetProblem &problem : m_session->problems(member)) {
            if (!problem.profileName.isEmpty() && !names.contains(problem.profileName)) {
                names += problem.profileName;
            }
        }
    }
    if (names != m_names) {
        beginResetModel();
        m_names = names;
        endResetModel();
    }
}

void GroupOverviewModel::sayMember(int member)
{
    if (!m_names.isEmpty()) {
        emit dataChanged(index(0, 0), index(int(m_names.size()) - 1, columnOf(member, Keys)));
    }
    emit headerDataChanged(Qt::Horizontal, columnOf(member, States), columnOf(member, Keys));
    emit changed();
}

void GroupOverviewModel::refresh()
{
    for (int member = 0; member < m_session->size(); ++member) {
        if (m_session->answered(member)) {
            m_members.at(std::size_t(member))->refresh();
        }
    }
    emit changed();
}

bool GroupOverviewModel::busy() const
{
    return std::any_of(m_members.cbegin(), m_members.cend(), [](const auto &one) { return one->busy(); });
}

const OverviewEntry *GroupOverviewModel::entry(int row, int member) const
{
    if (!m_session->answered(member)) {
        return nullptr;
    }
    const OverviewModel *model = m_members.at(std::size_t(member))->model();
    return model->row(model->rowOf(target(row)));
}

QString GroupOverviewModel::whyNone(int row, int member) const
{
    switch (m_session->state(member)) {
    case GroupSession::MemberState::Opening:
        return tr("Not answered yet");
    case GroupSession::MemberState::Failed:
        return tr("No answer");
    case GroupSession::MemberState::Answered:
        break;
    }
    const OverviewEntry *of = entry(row, member);
    if (of == nullptr) {
        return m_session->whyNoTarget(member, target(row)).kind == sql::ErrorKind::MissingObject
            ? tr("No such table")
            : tr("Could not be read");
    }
    return of->error ? tr("Could not be read") : of->summary ? QString() : tr("Counting…");
}

const sql::TargetSummary *GroupOverviewModel::summary(int row, int member) const
{
    const OverviewEntry *of = entry(row, member);
    return of != nullptr && of->summary && !of->error ? &*of->summary : nullptr;
}

QString GroupOverviewModel::partText(int row, int member, Part part) const
{
    const sql::TargetSummary *told = summary(row, member);
    if (told == nullptr) {
        return part == States ? whyNone(row, member) : QString();
    }
    switch (part) {
    case States: {
        QStringList texts;
        for (const StateShare &share : OverviewModel::shares(*entry(row, member))) {
            texts += share.text;
        }
        return texts.isEmpty() ? tr("No keys") : texts.join(u" · "_s);
    }
    case Stuck:
        return told->stale.kind == sql::RowCount::Kind::Unknown ? u"–"_s : countText(told->stale);
    case Keys:
        return countText(told->rows);
    case PartCount:
        break;
    }
    return {};
}

QString GroupOverviewModel::total() const
{
    const QString answered = tr("%1 of %2 members answered.").arg(m_session->answeredCount()).arg(m_session->size());
    if (m_session->kind() != sql::GroupKind::Shards || m_names.isEmpty()) {
        return answered;
    }
    sql::RowCount all { sql::RowCount::Kind::Exact, 0 };
    bool whole = m_session->answeredCount() == m_session->size();
    for (int member = 0; member < m_session->size(); ++member) {
        whole = whole && m_session->knowsAll(member);
    }
    for (int row = 0; row < rowCount(); ++row) {
        for (int member = 0; member < m_session->size(); ++member) {
            const OverviewEntry *of = entry(row, member);
            if (of != nullptr && !of->target.profile.stale) {
                continue; // such a table has no stuck keys, and its row says so
            }
            const sql::TargetSummary *told = summary(row, member);
            all.rows += told != nullptr ? std::max<qint64>(0, told->stale.rows) : 0;
            whole = whole && told != nullptr && told->stale.kind == sql::RowCount::Kind::Exact;
        }
    }
    all.kind = whole ? sql::RowCount::Kind::Exact : sql::RowCount::Kind::AtLeast;
    return tr("%1 stuck in all shards.").arg(countText(all)) + u' ' + answered;
}

QList<StateShare> GroupOverviewModel::shares() const
{
    QList<StateShare> all;
    for (int row = 0; row < rowCount(); ++row) {
        for (int member = 0; member < m_session->size(); ++member) {
            if (summary(row, member) != nullptr) {
                all += OverviewModel::shares(*entry(row, member));
            }
        }
    }
    return all;
}

bool GroupOverviewModel::seesStuck(const QString &target) const
{
    const auto row = int(m_names.indexOf(target));
    for (int member = 0; row >= 0 && member < m_session->size(); ++member) {
        const sql::TargetSummary *told = summary(row, member);
        if (told != nullptr && told->stale.kind != sql::RowCount::Kind::Unknown && told->stale.rows > 0) {
            return true;
        }
    }
    return false;
}

int GroupOverviewModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_names.size());
}

int GroupOverviewModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : 1 + m_session->size() * PartCount;
}

QVariant GroupOverviewModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const QString &name = m_names.at(index.row());
    if (index.column() == 0) {
        switch (role) {
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole:
        case Qt::ToolTipRole:
            return displayText(m_session->targetTitle(name), kToolTipChars);
        case TargetNameRole:
            return name;
        default:
            return {};
        }
    }
    const int member = memberOf(index.column());
    const Part part = partOf(index.column());
    const OverviewEntry *of = entry(index.row(), member);
    const sql::TargetSummary *told = summary(index.row(), member);
    const QString text = displayText(partText(index.row(), member, part));
    switch (role) {
    case Qt::DisplayRole:
        return text;
    case Qt::AccessibleTextRole:
        return QString(displayText(m_session->label(member)) + u": "_s + text);
    case Qt::ToolTipRole: {
        const auto &error = m_session->error(member) ? m_session->error(member)
            : of != nullptr                          ? of->error
                                                     : std::nullopt;
        if (!error && part == Stuck && text == u"–"_s) {
            return tr("Not counted, or its profile cannot tell what is stuck.");
        }
        return displayText(error ? error->line() : partText(index.row(), member, States), kToolTipChars);
    }
    case Qt::TextAlignmentRole:
        return part == States ? QVariant() : QVariant(int(Qt::AlignRight | Qt::AlignVCenter));
    case SharesRole:
        return part == States && told != nullptr ? QVariant::fromValue(OverviewModel::shares(*of)) : QVariant();
    case RawRole:
        return part == States || told == nullptr ? QVariant()
            : part == Stuck                      ? QVariant(told->stale.rows)
                                                 : QVariant(told->rows.rows);
    case FilterTextRole:
        return part == Stuck ? summaryFilter(SummaryColumn::Stale) : QString();
    case TargetNameRole:
        return name;
    default:
        return {};
    }
}

QVariant GroupOverviewModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    if (section == 0) {
        return role == Qt::DisplayRole ? QVariant(tr("Table")) : QVariant();
    }
    const QString label = displayText(m_session->label(memberOf(section)));
    const Part part = partOf(section);
    const QString title = part == States ? label : part == Stuck ? tr("Stuck") : tr("Keys");
    switch (role) {
    case Qt::DisplayRole:
        return title;
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole:
        return part == States ? tr("%1: keys by state").arg(label) : tr("%1: %2").arg(label, title);
    case Qt::TextAlignmentRole:
        return part == States ? QVariant() : QVariant(int(Qt::AlignRight | Qt::AlignVCenter));
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_group_overview.cpp"
