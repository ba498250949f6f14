// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_controller.h"

#include "models/alerts/alert_board.h"
#include "models/alerts/alert_rules.h"
#include "models/format/labels.h"
#include "sql/lanes/database.h"
#include "sql/local/local_samples.h"
#include "sql/session/server_clock.h"
#include "sql/trends/minute_series.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kAlertDeadlineMs = 20'000;
constexpr int kPeriodMs = 60'000;

struct Judgement {
    QList<AlertModel::Entry> entries;
    std::optional<sql::Error> error; ///< of one target; the others are judged all the same
};

sql::Result<sql::MinuteSet> localMinutes(
    sql::Session &session, const QString &target, const QList<sql::AlertRule> &rules, const sql::LocalPlace &place)
{
    TRY(const auto now, sql::serverNow(session));
    TRY(const auto samples, sql::LocalSamples::open(place));
    return samples->minutes(target, alertMetrics(rules), alertSpan(rules), now);
}

sql::Result<Judgement> judgeTargets(
    sql::Session &session, const QList<TargetEntry> &targets, const sql::LocalPlace &place)
{
    Judgement judgement;
    QList<AlertSource> sources;
    QList<sql::Profile> profiles; ///< by sources
    for (const TargetEntry &target : targets) {
        const auto rules = alertRules(target.target);
        if (!rules) {
            judgement.error = rules.error();
            continue;
        }
        if (rules->isEmpty()) {
            continue;
        }
        TRY(const auto minutes,
            target.registration
                ? sql::readMinutes(session, target.registration->name, alertMetrics(*rules), alertSpan(*rules))
                : localMinutes(session, target.target.profile.name, *rules, place));
        sources.append({ *rules, minutes });
        profiles.append(target.target.profile);
    }
    const QList<JudgedAlert> alerts = judgedTogether(sources);
    for (const JudgedAlert &alert : alerts) {
        const sql::Profile &profile = profiles.at(alert.source);
        const bool several = alert.everyTable && sources.size() > 1;
        judgement.entries.append({ profile.name, several ? AlertController::tr("Every table") : targetTitle(profile),
            alert.status, several ? QString() : targetPlace(profile),
            alertDay(alert.status.rule, sources.at(alert.source).minutes), std::nullopt,
            sources.at(alert.source).minutes.now });
    }
    return judgement;
}

} // namespace

AlertController::AlertController(QObject *parent)
    : QObject(parent)
    , m_model(new AlertModel(this))
{
    connect(&m_timer, &QTimer::timeout, this, &AlertController::refresh);
    m_timer.start(kPeriodMs);
}

const std::optional<sql::Error> &AlertController::error() const
{
    return m_judging.error() ? m_judging.error() : m_ruleError;
}

AlertController::~AlertController() = default;

void AlertController::setDatabase(sql::Database *database)
{
    if (m_judging.setDatabase(database)) {
        setTargets({});
    }
}

void AlertController::setTargets(const QList<TargetEntry> &targets, const QList<TargetProblem> &problems)
{
    m_judging.drop();
    m_judging.clearError();
    m_ruleError.reset();
    m_problems = problems;
    m_targets.clear();
    std::copy_if(targets.cbegin(), targets.cend(), std::back_inserter(m_targets), [this](const TargetEntry &entry) {
        return entry.target.relation.oid != 0 && (entry.registration.has_value() || m_place.kept());
    });
    m_judged = false;
    m_firing.clear();
    if (m_targets.isEmpty()) {
        m_model->setEntries({});
    }
    emit changed();
    refresh();
}

void AlertController::refresh()
{
    if (m_judging.busy() || m_targets.isEmpty()) {
        return;
    }
    m_judging.ask(
        { sql::LaneKind::Background, kAlertDeadlineMs },
        [targets = m_targets, place = m_place](sql::Session &session) { return judgeTargets(session, targets, place); },
        [this](const sql::Result<Judgement> &result) {
            m_ruleError = result ? result->error : std::nullopt;
            if (result) {
                accept(result->entries);
            } else {
                emit changed();
            }
        });
}

void AlertController::accept(const QList<AlertModel::Entry> &judged)
{
    QList<AlertModel::Entry> timed = judged;
    keepSince(m_model->rows(), &timed);
    const QList<AlertModel::Entry> entries = withAcknowledged(timed);
    QSet<QString> firing;
    for (const AlertModel::Entry &entry : entries) {
        if (entry.status.state != sql::AlertState::Firing) {
            continue;
        }
        const QString name = entry.target + u'\n' + entry.status.rule.id;
        firing.insert(name);
        if (m_judged && !entry.acknowledged && !m_firing.contains(name)) {
            raise(entry);
        }
    }
    m_firing = firing;
    m_judged = true;
    show(entries);
}

void AlertController::raise(const AlertModel::Entry &entry)
{
    emit raised(entry.status.rule.title,
        tr("%1: %2 (%3)").arg(entry.title, alertValueText(entry.status), alertLimitText(entry.status.rule)));
}

void AlertController::show(const QList<AlertModel::Entry> &entries)
{
    m_model->setEntries(entries);
    emit changed();
}

void AlertController::keepIn(Settings *settings, const QString &connection)
{
    m_settings = settings;
    m_connection = connection;
}

/// Another window of this connection may have written meanwhile.
QList<SavedAcknowledgement> AlertController::kept() const
{
    return m_settings != nullptr ? m_settings->acknowledgements(m_connection) : QList<SavedAcknowledgement>();
}

namespace {

/// Worse than when a person acknowledged it: it fires by now, or its value has doubled.
bool isWorse(const AlertEntry &entry, const SavedAcknowledgement &then)
{
    return (entry.status.state == sql::AlertState::Firing && then.state != sql::alertStateName(entry.status.state))
        || alertGrade(entry.status) > then.grade;
}

bool isAbout(const SavedAcknowledgement &acknowledged, const AlertEntry &entry)
{
    return acknowledged.target == entry.target && acknowledged.rule == entry.status.rule.id;
}

} // namespace

/// What ended or got worse is no longer acknowledged. Without data it is not known to have ended.
QList<AlertModel::Entry> AlertController::withAcknowledged(QList<AlertModel::Entry> entries)
{
    const QList<SavedAcknowledgement> all = kept();
    for (AlertModel::Entry &entry : entries) {
        entry.acknowledged.reset();
        const auto known = std::find_if(
            all.cbegin(), all.cend(), [&entry](const SavedAcknowledgement &one) { return isAbout(one, entry); });
        if (known == all.cend() || entry.status.state == sql::AlertState::Unknown) {
            continue;
        }
        if (entry.status.state == sql::AlertState::Quiet) {
            forget(entry);
        } else if (isWorse(entry, *known)) {
            forget(entry);
            m_firing.remove(entry.target + u'\n' + entry.status.rule.id); // and is said anew
        } else {
            entry.acknowledged = *known;
        }
    }
    return entries;
}

void AlertController::forget(const AlertModel::Entry &entry)
{
    QList<SavedAcknowledgement> all = kept();
    all.removeIf([&entry](const SavedAcknowledgement &one) { return isAbout(one, entry); });
    if (m_settings != nullptr) {
        m_settings->setAcknowledgements(m_connection, all);
    }
}

void AlertController::acknowledge(const AlertEntry &alert, const QString &note)
{
    const AlertGroup group = alert.group();
    if (m_settings == nullptr || (group != AlertGroup::Firing && group != AlertGroup::OverLimit)) {
        return;
    }
    const QString by = m_judging.database() != nullptr ? m_judging.database()->facts().user : QString();
    QList<SavedAcknowledgement> all = kept();
    all.append({ alert.target, alert.status.rule.id, by, QDateTime::currentDateTimeUtc().toString(Qt::ISODate), note,
        sql::alertStateName(alert.status.state), alertGrade(alert.status) });
    m_settings->setAcknowledgements(m_connection, all);
    show(withAcknowledged(m_model->rows()));
}

void AlertController::withdraw(const AlertEntry &alert)
{
    forget(alert);
    show(withAcknowledged(m_model->rows()));
}

qsizetype AlertController::unacknowledged() const
{
    const auto &rows = m_model->rows();
    return std::count_if(rows.cbegin(), rows.cend(),
        [](const AlertEntry &entry) { return entry.status.state == sql::AlertState::Firing && !entry.acknowledged; });
}

qsizetype AlertController::firing() const
{
    const auto &rows = m_model->rows();
    return std::count_if(rows.cbegin(), rows.cend(),
        [](const AlertEntry &entry) { return entry.status.state == sql::AlertState::Firing; });
}

} // namespace idemdesk::models

#include "moc_alert_controller.cpp"
