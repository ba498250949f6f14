// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/approval_preview.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/triage/frozen_set.h"
#include "sql/actions/triage_reader.h"
#include "sql/lanes/database.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kApprovalDeadlineMs = 60'000; // a whole table may have to be read; the request itself waits for a person
constexpr qsizetype kNamedScopes = 4;
constexpr qsizetype kNamedWarnings = 3; // the gravest come first
constexpr int kPreviewScopeChars = 60;

struct WantedPurge {
    QList<sql::KeyState> states;
    sql::Timestamp cutoff;
};

/// Nothing where the request names scopes, or a state or cutoff that this console does not know.
std::optional<WantedPurge> wantedPurge(const sql::ActionRecord &action)
{
    const QJsonObject plan = QJsonDocument::fromJson(action.planJson).object();
    const auto cutoff = sql::Timestamp::parse(plan.value(u"cutoff"_s).toString());
    const QJsonValue scopes = plan.value(u"scopes"_s);
    if (action.verb != sql::ActionVerb::Purge || action.state != sql::ActionState::Requested || !cutoff
        || scopes.isArray() || scopes.isDouble()) {
        return std::nullopt;
    }
    WantedPurge wanted { {}, *cutoff };
    const QJsonArray names = plan.value(u"states"_s).toArray();
    for (const QJsonValue &name : names) {
        const auto state = sql::stateFromName(name.toString());
        if (!state) {
            return std::nullopt;
        }
        wanted.states += *state;
    }
    return wanted.states.isEmpty() ? std::nullopt : std::optional(wanted);
}

/// "create_order 60,123 · refund 4,000 · 3 more: 12", those with most rows first.
QString largestFirst(const QMap<QString, qint64> &rows)
{
    QList<std::pair<qint64, QString>> sorted;
    for (auto each = rows.cbegin(); each != rows.cend(); ++each) {
        sorted.append({ -each.value(), each.key() });
    }
    std::sort(sorted.begin(), sorted.end());
    QStringList parts;
    qint64 rest = 0;
    for (qsizetype i = 0; i < sorted.size(); ++i) {
        if (i < kNamedScopes) {
            parts += u"%1 %2"_s.arg(sorted.at(i).second, countText(-sorted.at(i).first));
        } else {
            rest -= sorted.at(i).first;
        }
    }
    if (rest > 0) {
        parts += ApprovalPreview::tr("%Ln more: %1", "scopes, and their rows", int(sorted.size() - kNamedScopes))
                     .arg(countText(rest));
    }
    return parts.join(u" · "_s);
}

} // namespace

ApprovalPreview::ApprovalPreview(QObject *parent)
    : QObject(parent)
{
    connect(&m_counting, &Request::changed, this, &ApprovalPreview::changed);
}

ApprovalPreview::~ApprovalPreview() = default;

void ApprovalPreview::setDatabase(sql::Database *database)
{
    if (m_counting.setDatabase(database)) {
        m_action.clear();
        m_plan.reset();
    }
}

void ApprovalPreview::look(const sql::ActionRecord &action, const std::optional<sql::Target> &target)
{
    const auto wanted = wantedPurge(action);
    const QString id = wanted ? action.id : QString();
    if (m_action == id && m_readable == target.has_value()) {
        return;
    }
    m_readable = target.has_value();
    m_action = id;
    m_planned = action.plannedRows;
    m_plan.reset();
    m_counting.drop();
    m_counting.clearError();
    if (wanted && target) {
        m_counting.ask(
            { sql::LaneKind::Background, kApprovalDeadlineMs },
            [target = *target, wanted = *wanted](sql::Session &session) {
                return sql::planPurge(session, target, wanted.states, std::nullopt, wanted.cutoff);
            },
            [this](const sql::Result<sql::PurgePlan> &plan) { m_plan = plan ? std::optional(*plan) : std::nullopt; });
    }
}

QList<QStringList> ApprovalPreview::lines(const TimeFormat &format) const
{
    if (m_action.isEmpty()) {
        return {};
    }
    if (!m_plan) {
        const QString why = !m_readable ? tr("Not counted: this connection does not read the table.")
            : m_counting.busy() || !m_counting.error()
            ? tr("Counting… The request says %1.").arg(countText(m_planned))
            : tr("Not counted: %1").arg(displayText(m_counting.error()->line(), kToolTipChars));
        return { { tr("Rows now"), why } };
    }
    QMap<QString, qint64> states;
    QMap<QString, qint64> scopes;
    std::optional<sql::Timestamp> oldest;
    std::optional<sql::Timestamp> newest;
    for (const sql::PurgeGroup &group : m_plan->groups) {
        states[stateLabel(group.state)] += group.rows;
        scopes[group.scope.isEmpty() ? tr("All keys") : displayText(scopeText(group.scope), kPreviewScopeChars)]
            += group.rows;
        oldest = !oldest || (group.oldest && *group.oldest < *oldest) ? group.oldest : oldest;
        newest = !newest || (group.newest && *newest < *group.newest) ? group.newest : newest;
    }
    QList<QStringList> lines;
    if (m_plan->rows != m_planned || m_plan->rows == 0) {
        lines += QStringList { tr("Rows now"),
            tr("%1; the request says %2").arg(countText(m_plan->rows), countText(m_planned)) };
    }
    if (m_plan->rows > 0) {
        lines += { { tr("By state"), largestFirst(states) }, { tr("By scope"), largestFirst(scopes) } };
    }
    if (oldest && newest) {
        lines += QStringList { tr("Expired"),
            tr("from %1 to %2", "times").arg(format.text(*oldest), format.text(*newest)) };
    }
    return lines;
}

QStringList ApprovalPreview::warnings(const QString &action) const
{
    QStringList warnings;
    const bool counted = m_plan && m_action == action;
    for (const QString &warning : counted ? m_plan->warnings.mid(0, kNamedWarnings) : QStringList()) {
        warnings += displayText(warning, kToolTipChars);
    }
    return warnings;
}

} // namespace idemdesk::models

#include "moc_approval_preview.cpp"
