// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/triage/triage_controller.h"

#include "models/actions/action_plan.h"
#include "models/filter/filter_parser.h"
#include "models/retries/cause_controller.h"
#include "sql/actions/compile.h"
#include "sql/actions/registered_profile.h"
#include "sql/actions/triage_reader.h"
#include "sql/lanes/database.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kTriageDeadlineMs = 120'000;

/// A judged page and, for a target that is not registered, the rules it would have.
struct Reading {
    QList<TriageModel::Row> rows;
    sql::Timestamp now;
    bool more = false;
    int unreadable = 0;
    QStringList notes;
    sql::CompiledTarget compiled;
};

/// Keys that are named, whatever the filter; else those that match it, and of these all or the stuck ones.
struct WantedKeys {
    sql::Filter filter;
    QList<sql::Cells> identities;
    bool stuckOnly = false;
    bool picked() const { return !identities.isEmpty(); } ///< one by one, by a person
};

/// "stale" is no state, but goes well with one: "state:stale" names none.
bool namesStates(const sql::Filter &filter)
{
    return std::any_of(filter.terms.cbegin(), filter.terms.cend(), [](const sql::FilterTerm &term) {
        return term.field == sql::FilterField::State && !term.negated
            && std::any_of(term.values.cbegin(), term.values.cend(),
                [](const QString &value) { return sql::stateFromName(value).has_value(); });
    });
}

/// picked: somebody picked these keys one by one, so what of them may go comes checked; else nothing does.
QList<TriageModel::Row> judgedRows(const sql::Target &target, const sql::CompiledTarget &compiled,
    const sql::TriagePage &page, sql::ActionVerb verb, bool picked)
{
    QList<TriageModel::Row> rows;
    rows.reserve(page.rows.size());
    for (const sql::TriageFacts &facts : page.rows) {
        TriageModel::Row row { facts, judgeTriage(target, facts, compiled), false, false };
        if (verb == sql::ActionVerb::Recover) {
            row.may = row.judgement.bulk && row.judgement.rule >= 0;
            row.fresh = row.may && !picked && stuckForAMoment(facts, page.now);
        } else {
            const FrozenSet set = freeze(target, compiled, { { facts }, false, page.now, {} }, verb);
            row.may = !set.rows.isEmpty();
            row.judgement.rule = row.may ? set.rows.first().rule : -1;
            row.judgement.proposed = row.may ? compiled.rules.at(set.rows.first().rule).to : std::nullopt;
            if (!row.may) {
                row.judgement.reasons = { set.skipped.first().why };
                row.judgement.cls = set.skipped.first().cls;
            }
        }
        row.checked = row.may && picked;
        rows.append(row);
    }
    return rows;
}

/// On the lane's thread, the judging too: thousands of keys take longer than the window may stand still.
sql::Result<Reading> readTriageKeys(
    sql::Session &session, const TargetEntry &entry, const WantedKeys &wanted, sql::ActionVerb verb, int limit)
{
    Reading reading;
    reading.compiled = entry.compiled;
    if (reading.compiled.json.isEmpty()) {
        TRY(reading.compiled, sql::compileTarget(session, entry.target));
    }
    if (entry.registration) {
        TRY(sql::requireAsProfiled(session, entry.target, *entry.registration));
    }
    TRY(const auto page,
        wanted.identities.isEmpty() ? sql::readTriage(session, entry.target, wanted.filter, wanted.stuckOnly, limit)
                                    : sql::readTriageOf(session, entry.target, wanted.identities));
    reading.rows = judgedRows(entry.target, reading.compiled, page, verb, wanted.picked());
    sortByGroup(&reading.rows);
    reading.now = page.now;
    reading.more = page.more;
    reading.unreadable = page.unreadable;
    reading.notes = page.notes;
    return reading;
}

} // namespace

TriageController::TriageController(QObject *parent)
    : QObject(parent)
    , m_model(new TriageModel(this))
    , m_causes(new CauseController(this))
{
    connect(m_model, &TriageModel::checksChanged, this, &TriageController::changed);
    connect(&m_reading, &Request::changed, this, &TriageController::changed);
}

TriageController::~TriageController() = default;

void TriageController::setDatabase(sql::Database *database)
{
    m_causes->setDatabase(database);
    if (m_reading.setDatabase(database)) {
        replaceTarget({});
    }
}

void TriageController::setTarget(const TargetEntry &entry)
{
    m_target = entry;
    m_causes->setTarget(entry.target);
    m_filterText.clear();
    m_identities.clear();
    m_beyond = 0;
    m_statesNamed = m_choiceEnded = false;
    forget(true);
}

void TriageController::replaceTarget(const TargetEntry &entry)
{
    const bool ended = m_choiceEnded || !m_identities.isEmpty() || m_model->anyChosen();
    setTarget(entry);
    m_choiceEnded = ended;
}

void TriageController::renewTarget(const TargetEntry &entry)
{
    m_target = entry;
    m_causes->setTarget(entry.target);
    forget(false);
}

void TriageController::forget(bool choices)
{
    m_reading.drop();
    m_reading.clearError();
    m_loaded = m_more = false;
    m_unreadable = 0;
    m_notes.clear();
    if (choices) {
        m_model->clear();
    } else {
        m_model->setJudged({}, {});
    }
    emit changed();
}

void TriageController::setVerb(sql::ActionVerb verb)
{
    if (m_verb != verb) {
        m_verb = verb;
        forget(true);
    }
}

void TriageController::read(const QString &filterText)
{
    if (m_reading.database() == nullptr || m_target.target.relation.oid == 0) {
        return;
    }
    m_filterText = filterText;
    m_identities.clear();
    m_beyond = 0;
    m_choiceEnded = false;
    const auto filter = parseFilter(filterText, vocabularyOf(m_target.target.profile, m_zone));
    if (!filter) {
        m_reading.fail(filter.error());
        return;
    }
    m_statesNamed = namesStates(*filter);
    ask(*filter);
}

void TriageController::readChosen(const QList<sql::Cells> &identities)
{
    if (m_reading.database() == nullptr || m_target.target.relation.oid == 0 || identities.isEmpty()) {
        return;
    }
    m_filterText.clear();
    m_statesNamed = m_choiceEnded = false;
    m_identities = identities.first(std::min<qsizetype>(identities.size(), kMostKeys));
    m_beyond = identities.size() - m_identities.size();
    m_model->clear(); // also what was checked before: these were picked one by one
    ask({});
}

bool TriageController::stuckOnly() const
{
    return m_verb == sql::ActionVerb::Recover && m_identities.isEmpty() && !m_statesNamed;
}

void TriageController::refresh()
{
    if (m_identities.isEmpty()) {
        read(m_filterText);
    } else {
        ask({});
    }
}

void TriageController::ask(const sql::Filter &filter)
{
    m_reading.ask(
        { sql::LaneKind::Background, kTriageDeadlineMs },
        [entry = m_target, wanted = WantedKeys { filter, m_identities, stuckOnly() }, verb = m_verb](
            sql::Session &session) { return readTriageKeys(session, entry, wanted, verb, kMostKeys); },
        [this](const sql::Result<Reading> &result) {
            if (result) {
                m_loaded = true;
                m_target.compiled = result->compiled;
                m_more = result->more;
                m_unreadable = result->unreadable;
                m_notes = result->notes;
                m_model->setJudged(result->rows, result->now);
            }
        });
}

void TriageController::cancel()
{
    m_reading.cancel();
}

FrozenSet TriageController::chosen() const
{
    FrozenSetBuilder builder(m_target.compiled, m_model->rows().size());
    for (const TriageModel::Row &row : m_model->rows()) {
        if (row.checked) {
            builder.take(row.facts, row.judgement.rule,
                m_verb == sql::ActionVerb::Recover ? std::optional(row.judgement.cls) : std::nullopt);
        } else {
            builder.leave(row.facts, row.judgement.cls,
                row.may ? tr("Not selected.") : row.judgement.reasons.value(row.judgement.reasons.size() - 1));
        }
    }
    return builder.finish();
}

FrozenSet TriageController::chosenOne(int row, const std::optional<sql::KeyState> &to) const
{
    return row >= 0 && row < m_model->rows().size()
        ? freezeOne(m_target.target, m_target.compiled, m_model->rows().at(row).facts, m_verb, to)
        : FrozenSet();
}

QList<std::optional<sql::KeyState>> TriageController::choices(int row) const
{
    return row >= 0 && row < m_model->rows().size()
        ? choicesFor(m_target.target, m_target.compiled, m_model->rows().at(row).facts, m_verb)
        : QList<std::optional<sql::KeyState>>();
}

bool TriageController::hasRules(sql::ActionVerb verb) const
{
    const sql::Profile &profile = m_target.target.profile;
    switch (verb) {
    case sql::ActionVerb::Requeue:
        return !profile.requeue.isEmpty();
    case sql::ActionVerb::Reclassify:
        return !profile.reclassify.isEmpty();
    case sql::ActionVerb::Recover:
        return !profile.recover.isEmpty();
    case sql::ActionVerb::Align: // it goes by another region's row
    case sql::ActionVerb::Purge:
    case sql::ActionVerb::Undo:
    case sql::ActionVerb::Detach:
    case sql::ActionVerb::Attach:
    case sql::ActionVerb::Drop:
    case sql::ActionVerb::Limit:
    case sql::ActionVerb::Adopt:
        break; // these go by no rule of this kind
    }
    return false;
}

} // namespace idemdesk::models

#include "moc_triage_controller.cpp"
