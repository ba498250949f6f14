// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/action.h"
#include "sql/types/health.h"

#include <QSet>
#include <array>

namespace idemdesk::models {

/// What needs a person first.
inline constexpr std::array kHealthLevels { sql::HealthLevel::Problem, sql::HealthLevel::Advice,
    sql::HealthLevel::Unknown, sql::HealthLevel::Nothing, sql::HealthLevel::Good };

/// "Problem", "Advice", "Not known", "Good".
QString healthLevelLabel(sql::HealthLevel level);

/// The keys that the finding is about, as a filter; empty where none says it.
QString healthFilter(const sql::HealthFinding &finding);
/// What stands above the SQL that mends it: where a column is added, that this is half of the work.
QString healthFixTitle(const sql::HealthFinding &finding);

/// What puts the keys of a finding right on the page Recovery.
struct HealthRecovery {
    sql::ActionVerb verb = sql::ActionVerb::Recover;
    QString filter; ///< of these keys; empty where the page cannot
};

/// By the rules of the profile: one frees final failures by a requeue, another by a reclassification.
HealthRecovery healthRecovery(const sql::HealthFinding &finding, const sql::Profile &profile);

/// One finding, and the table it is about.
struct HealthEntry {
    QString target; ///< profile name
    QString title; ///< of the target, with its name in the database
    sql::HealthFinding finding;
    QString shownTitle = {}; ///< of the target alone; empty: it is its name
    QString place = {}; ///< its name in the database
};

/// Findings of the health reports, one a row, of all tables or of one; worst first, those of one check together. What
/// is good is hidden until it is asked for.
class HealthModel final : public RowModel<HealthModel, HealthEntry>
{
    Q_OBJECT

public:
    enum Column { Level, Question, Table, Seen, ColumnCount };
    using Entry = HealthEntry;

    explicit HealthModel(QObject *parent = nullptr);
    void setReports(const QList<Entry> &entries);
    /// Empty: all tables.
    void setTarget(const QString &target);
    const QString &target() const { return m_target; }
    void showLevel(sql::HealthLevel level, bool shown);
    bool shows(sql::HealthLevel level) const { return m_levels.contains(level); }
    qsizetype count(sql::HealthLevel level) const; ///< also of hidden ones, of the tables shown
    qsizetype problems() const; ///< of all tables
    bool hidesWhatIsWrong() const; ///< of the tables shown, by showLevel()

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const Entry &entry, int column, int role) const;

private:
    void choose();

    bool isOfTarget(const Entry &entry) const { return m_target.isEmpty() || entry.target == m_target; }

    QList<Entry> m_all;
    QString m_target;
    QSet<sql::HealthLevel> m_levels { sql::HealthLevel::Problem, sql::HealthLevel::Advice, sql::HealthLevel::Unknown };
};

} // namespace idemdesk::models
