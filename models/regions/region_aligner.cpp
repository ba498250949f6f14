// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/region_aligner.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/lanes/database.h"
#include "sql/regions/side_reader.h"

#include <QUuid>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kAlignLookMs = 60'000;

QString newId()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

} // namespace

RegionAligner::RegionAligner(QString journalPath, QObject *parent)
    : QObject(parent)
    , m_journalPath(std::move(journalPath))
{
}

RegionAligner::~RegionAligner() = default;

void RegionAligner::plan(const QList<RegionDifference> &differences, const std::array<AlignSide, 2> &sides)
{
    if (m_running) {
        return;
    }
    m_differences = differences;
    m_sides = sides;
    std::array<std::optional<sql::CompiledTarget>, 2> compiled;
    for (std::size_t side = 0; side < compiled.size(); ++side) {
        if (sides.at(side).registered && sides.at(side).whyNot.isEmpty()) {
            compiled.at(side) = sides.at(side).compiled;
        }
    }
    m_plan = planAlign(differences, compiled, { sides[0].label, sides[1].label });
    for (AlignLeft &left : m_plan.left) {
        const int side = 1 - differences.at(left.difference).keep;
        const AlignSide *loser = side == 0 || side == 1 ? &sides.at(std::size_t(side)) : nullptr;
        if (loser != nullptr && loser->registered && !loser->whyNot.isEmpty()) {
            left.why = loser->whyNot; // it is registered there: that is not what stands against it
        }
    }
    m_lines = {};
    m_failed = false;
    emit changed();
}

qsizetype RegionAligner::steps(int side) const
{
    return std::count_if(
        m_plan.steps.cbegin(), m_plan.steps.cend(), [side](const AlignStep &step) { return step.side == side; });
}

void RegionAligner::run(const QString &group, const QString &reason, const QString &ticket, bool throttled)
{
    if (m_running || m_plan.steps.isEmpty()) {
        return;
    }
    m_request = {};
    m_request.verb = sql::ActionVerb::Align;
    m_request.reason = reason;
    m_request.ticket = ticket;
    m_request.group = sql::ActionGroup { newId(), group, {} };
    m_throttled = throttled;
    m_running = true;
    m_cancelled = m_failed = false;
    m_lines = {};
    begin(0);
}

/// The keys of one side; the other one stands there.
void RegionAligner::begin(int side)
{
    m_runner.reset();
    m_side = side;
    if (side > 1 || m_cancelled) {
        m_running = false;
        emit changed();
        emit ended();
        return;
    }
    if (steps(side) == 0) {
        begin(side + 1);
        return;
    }
    m_look = {};
    m_lines.at(std::size_t(side)) = tr("reading both sides again");
    emit changed();
    look(side, 0);
}

void RegionAligner::look(int side, int of)
{
    QList<sql::HashedKey> keys;
    for (const AlignStep &step : std::as_const(m_plan.steps)) {
        if (step.side == side) {
            const sql::KeyRecord &record = m_differences.at(step.difference).record();
            keys.append({ record.scope, record.key });
        }
    }
    const AlignSide &read = m_sides.at(std::size_t(of));
    m_look.columns.at(std::size_t(of))
        = alignColumns(read.target.profile, m_sides.at(std::size_t(1 - of)).target.profile);
    m_reading.setDatabase(read.database);
    const bool asked = m_reading.ask(
        { sql::LaneKind::Read, kAlignLookMs },
        [target = read.target, keys, columns = m_look.columns.at(std::size_t(of))](
            sql::Session &session) { return sql::readSameKeys(session, target, keys, columns); },
        [this, side, of](const sql::Result<QList<sql::SideRow>> &rows) {
            if (!rows) {
                close(tr("%1 could not be read: %2")
                          .arg(displayText(m_sides.at(std::size_t(of)).label, 40), rows.error().line()),
                    true);
            } else {
                m_look.rows.at(std::size_t(of)) = *rows;
                of == 0 ? look(side, 1) : start(side);
            }
        });
    if (!asked) {
        close(tr("The connection is gone."), true);
    }
}

void RegionAligner::start(int side)
{
    const AlignSide &loser = m_sides.at(std::size_t(side));
    m_set = freezeAlign(side, m_plan.steps, m_differences, m_look, loser.compiled, loser.target.profile);
    if (m_set.rows.isEmpty()) {
        close(tr("nothing was done: each key changed since it was planned"), true);
        return;
    }
    m_request.id = newId();
    m_request.target = loser.registered->name;
    m_request.profileSha = loser.registered->profileSha;
    m_request.rows = m_set.rows;
    m_request.group->member = loser.label;
    m_request.winner = m_sides.at(std::size_t(1 - side)).label;
    m_runner = std::make_unique<ActionRunner>(loser.database, m_journalPath);
    m_runner->setThrottled(m_throttled);
    connect(m_runner.get(), &ActionRunner::changed, this, &RegionAligner::onRunner, Qt::QueuedConnection);
    connect(m_runner.get(), &ActionRunner::ended, this, &RegionAligner::onRunner, Qt::QueuedConnection);
    m_runner->start(m_request);
}

void RegionAligner::onRunner()
{
    using Stage = ActionRunner::Stage;
    if (m_runner == nullptr || !m_running) {
        return;
    }
    const sql::ActionRecord &action = m_runner->action();
    switch (m_runner->stage()) {
    case Stage::Ended: {
        QString line
            = tr("%1: %2", "state of an action, its outcome").arg(actionStateLabel(action.state), outcomeText(action));
        if (!m_set.left.isEmpty()) {
            line += u' ' + tr("%n key(s) changed since they were planned.", nullptr, int(m_set.left.size()));
        }
        close(line,
            action.state != sql::ActionState::Finished || rowsSkipped(action.counts) > 0 || !m_set.left.isEmpty());
        return;
    }
    case Stage::Asking:
        close(tr("another person must approve it; see the audit page of this member"), true);
        return;
    case Stage::Stopped:
    case Stage::Paused:
        close(m_runner->error() ? m_runner->error()->line() : actionStateLabel(action.state), true);
        return;
    case Stage::Idle:
    case Stage::Starting:
    case Stage::Running:
    case Stage::Holding:
    case Stage::Finding:
    case Stage::Pausing:
    case Stage::Cancelling:
        m_lines.at(std::size_t(m_side))
            = tr("%1 of %2", "keys")
                  .arg(countText(rowsDone(action.counts) + rowsSkipped(action.counts)), countText(m_set.rows.size()));
        emit changed();
        return;
    }
}

/// This side is over; the next one is tried whatever became of it.
void RegionAligner::close(const QString &line, bool failed)
{
    m_lines.at(std::size_t(m_side)) = line;
    m_failed = m_failed || failed;
    begin(m_side + 1);
}

void RegionAligner::cancel()
{
    m_cancelled = true;
    if (m_runner != nullptr) {
        m_runner->cancel();
    } else if (m_running) {
        m_reading.drop();
        close(tr("stopped before anything was done"), true);
    }
}

void RegionAligner::forget()
{
    m_reading.drop();
    m_runner.reset();
    m_running = false;
    m_plan = {};
    m_differences.clear();
    m_sides = {};
    emit changed();
}

QStringList RegionAligner::lines() const
{
    QStringList lines;
    for (std::size_t side = 0; side < m_sides.size(); ++side) {
        if (!m_lines.at(side).isEmpty()) {
            lines += tr("%1: %2", "a member of the group, how it stands there")
                         .arg(displayText(m_sides.at(side).label, 40), displayText(m_lines.at(side), kToolTipChars));
        }
    }
    return lines;
}

} // namespace idemdesk::models

#include "moc_region_aligner.cpp"
