// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/health_model.h"

#include <algorithm>
#include <tuple>

namespace idemdesk::models {

QString healthLevelLabel(sql::HealthLevel level)
{
    switch (level) {
    case sql::HealthLevel::Problem:
        return HealthModel::tr("Problem");
    case sql::HealthLevel::Advice:
        return HealthModel::tr("Suggestion");
    case sql::HealthLevel::Unknown:
        return HealthModel::tr("Not known");
    case sql::HealthLevel::Nothing:
        return HealthModel::tr("No data");
    case sql::HealthLevel::Good:
        break;
    }
    return HealthModel::tr("Good");
}

QString healthFixTitle(const sql::HealthFinding &finding)
{
    const bool column = finding.id == u"fingerprint" || finding.id == u"stale_rule" || finding.id == u"retryable_final";
    return column ? HealthModel::tr("Step 1 of 2 (run as owner). Then have the service write it.")
                  : HealthModel::tr("Suggested fix (run as owner)");
}

QString healthFilter(const sql::HealthFinding &finding)
{
    const bool unmapped = finding.id == u"states" || finding.id == u"unreadable";
    return unmapped && finding.level == sql::HealthLevel::Problem ? QStringLiteral("state:unknown") : QString();
}

HealthRecovery healthRecovery(const sql::HealthFinding &finding, const sql::Profile &profile)
{
    if (!finding.recoverable) {
        return {};
    }
    if (finding.id != u"retryable_final") {
        return { sql::ActionVerb::Recover, QStringLiteral("state:in_progress,failed_retryable") };
    }
    const auto freesFinals = [](const QList<sql::ActionRule> &rules) {
        return std::any_of(rules.cbegin(), rules.cend(), [](const sql::ActionRule &rule) {
            return rule.from.contains(sql::KeyState::FailedFinal) && rule.to != sql::KeyState::FailedFinal;
        });
    };
    const bool reclassify = !freesFinals(profile.requeue) && freesFinals(profile.reclassify);
    // Those that a retry would have survived, as the finding counts them, and not every failure that is final.
    const QString passing = profile.has(sql::Role::ErrorCode)
        ? QStringLiteral("error:40001,40P01,55P03,57P01,57P02,57P03,57P04,57P05,08000,08001,08003,08004,08006,08007,"
                         "08P01,53000,53100,53200,53300,53400")
        : QStringLiteral("error:~\"could not serialize access\",\"deadlock detected\"");
    return { reclassify ? sql::ActionVerb::Reclassify : sql::ActionVerb::Requeue,
        QStringLiteral("state:failed_final ") + passing };
}

HealthModel::HealthModel(QObject *parent)
    : RowModel(parent)
{
}

void HealthModel::setReports(const QList<Entry> &entries)
{
    m_all = entries;
    std::stable_sort(m_all.begin(), m_all.end(), [](const Entry &a, const Entry &b) {
        return std::tie(a.finding.level, a.finding.id) < std::tie(b.finding.level, b.finding.id);
    });
    choose();
}

void HealthModel::setTarget(const QString &target)
{
    if (target != m_target) {
        m_target = target;
        choose();
    }
}

void HealthModel::choose()
{
    QList<Entry> shown;
    std::copy_if(m_all.cbegin(), m_all.cend(), std::back_inserter(shown),
        [this](const Entry &entry) { return isOfTarget(entry) && m_levels.contains(entry.finding.level); });
    setRows(shown);
}

void HealthModel::showLevel(sql::HealthLevel level, bool shown)
{
    if (shown != m_levels.contains(level)) {
        shown ? void(m_levels.insert(level)) : void(m_levels.remove(level));
        choose();
    }
}

qsizetype HealthModel::count(sql::HealthLevel level) const
{
    return std::count_if(m_all.cbegin(), m_all.cend(),
        [this, level](const Entry &entry) { return isOfTarget(entry) && entry.finding.level == level; });
}

bool HealthModel::hidesWhatIsWrong() const
{
    return std::any_of(m_all.cbegin(), m_all.cend(), [this](const Entry &entry) {
        return isOfTarget(entry) && entry.finding.level != sql::HealthLevel::Good && !shows(entry.finding.level);
    });
}

qsizetype HealthModel::problems() const
{
    return std::count_if(m_all.cbegin(), m_all.cend(),
        [](const Entry &entry) { return entry.finding.level == sql::HealthLevel::Problem; });
}

std::span<const HealthModel::ColumnSpec> HealthModel::columns()
{
    using Model = HealthModel;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Level"); },
            .text = [](const Model &, const Entry &entry) { return healthLevelLabel(entry.finding.level); } },
        { .title = [] { return tr("Finding"); },
            .text = [](const Model &, const Entry &entry) { return entry.finding.title; } },
        { .title = [] { return tr("Table"); }, .text = [](const Model &, const Entry &entry) { return entry.title; } },
        { .title = [] { return tr("What was seen"); },
            .text = [](const Model &, const Entry &entry) { return entry.finding.seen; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant HealthModel::itemData(const Entry &entry, int column, int role) const
{
    if (column == Table && role == TitleRole && !entry.shownTitle.isEmpty()) {
        return displayText(entry.shownTitle);
    }
    if (column == Table && role == DetailRole) {
        return displayText(entry.place);
    }
    return role == LevelRole ? QVariant(int(entry.finding.level)) : QVariant();
}

} // namespace idemdesk::models

#include "moc_health_model.cpp"
