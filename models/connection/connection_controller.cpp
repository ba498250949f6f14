// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/connection_controller.h"

#include "models/async.h"
#include "models/connection/connection_fields.h"
#include "models/connection/primary_link.h"
#include "models/connection/target_finder.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/lanes/database.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"

#include <chrono>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kFindDeadlineMs = 120'000; // of every schema and profile
constexpr qint64 kNoticedSkewMicros = 2'000'000;

bool sameTable(const TargetEntry &a, const TargetEntry &b)
{
    return a.target.relation.oid == b.target.relation.oid;
}

/// A table is there once: what a person adds stands in for what was there of it.
bool givesWay(const TargetEntry &known, const TargetEntry &added)
{
    return known.target.profile.name == added.target.profile.name || sameTable(known, added);
}

} // namespace

ConnectionController::ConnectionController(QString profileFolder, QObject *parent)
    : QObject(parent)
    , m_profileFolder(std::move(profileFolder))
{
    m_retryTimer.setInterval(std::chrono::seconds(1));
    connect(&m_retryTimer, &QTimer::timeout, this, &ConnectionController::retryTick);
    connect(&m_finding, &Request::changed, this, &ConnectionController::targetsChanged);
}

ConnectionController::~ConnectionController()
{
    // What is under way ends as the database goes, while everything else is still there, and nobody is told any more.
    blockSignals(true);
    m_finding.setDatabase(nullptr);
    m_database.reset();
}

void ConnectionController::connectTo(const sql::ConnectionSettings &settings)
{
    disconnectNow();
    m_settings = settings;
    m_settings.password.clear();
    m_database = std::make_unique<sql::Database>(settings);
    m_finding.setDatabase(m_database.get());
    connect(m_database.get(), &sql::Database::stateChanged, this, &ConnectionController::onState);
    connect(m_database.get(), &sql::Database::factsChanged, this, &ConnectionController::factsChanged);
    emit databaseChanged();
    m_database->open();
    emit stateChanged();
}

void ConnectionController::disconnectNow()
{
    if (m_database == nullptr) {
        return;
    }
    m_finding.setDatabase(nullptr);
    m_retryTimer.stop();
    m_everConnected = m_loaded = false;
    m_targets.clear();
    m_archives.clear();
    m_extra.clear();
    m_problems.clear();
    m_settings = {};
    // Told before it goes, so that nobody asks it for anything while it closes.
    std::unique_ptr<sql::Database> old = std::exchange(m_database, nullptr);
    old->disconnect(this);
    emit databaseChanged();
    emit targetsChanged();
    emit stateChanged();
    emit factsChanged();
}

void ConnectionController::reconnectNow()
{
    if (m_database != nullptr) {
        m_database->reconnectNow();
    }
}

sql::Database *ConnectionController::database() const
{
    return m_database.get();
}

sql::LinkState ConnectionController::state() const
{
    return m_database == nullptr ? sql::LinkState::Disconnected : m_database->state();
}

const sql::ServerFacts &ConnectionController::facts() const
{
    return m_database == nullptr ? m_noFacts : m_database->facts();
}

std::optional<sql::Error> ConnectionController::error() const
{
    return m_database == nullptr ? std::nullopt : m_database->linkError();
}

bool ConnectionController::singleConnection() const
{
    return m_database != nullptr && m_database->singleConnection();
}

int ConnectionController::retryInMs() const
{
    return m_database == nullptr ? 0 : m_database->retryInMs();
}

QString ConnectionController::title() const
{
    if (m_database == nullptr) {
        return {};
    }
    const sql::ServerFacts &known = facts();
    if (known.database.isEmpty()) {
        return conninfoSummary(m_settings.conninfo);
    }
    return placeText(known);
}

QStringList ConnectionController::notices() const
{
    QStringList sentences;
    if (singleConnection()) {
        sentences.append(tr("The server has too few free connections. The console works with a single one, so counts "
                            "and lists wait for each other."));
    }
    if (const QString clock = clockWarning(); !clock.isEmpty()) {
        sentences.append(clock);
    }
    for (const QString &warning : facts().warnings) {
        sentences.append(displayText(warning, kToolTipChars));
    }
    return sentences;
}

QString ConnectionController::clockWarning() const
{
    const qint64 skew = facts().clockSkewMicros;
    if (qAbs(skew) < kNoticedSkewMicros) {
        return {};
    }
    const QString size = durationText(qAbs(skew) / 1'000'000);
    return skew > 0
        ? tr("The server's clock is %1 ahead of this computer's; ages and leases are shown by the server's clock.")
              .arg(size)
        : tr("The server's clock is %1 behind this computer's; ages and leases are shown by the server's clock.")
              .arg(size);
}

const TargetEntry *ConnectionController::target(const QString &profileName) const
{
    for (const QList<TargetEntry> *list : { &m_targets, &m_archives }) {
        for (const TargetEntry &entry : *list) {
            if (entry.target.profile.name == profileName) {
                return &entry;
            }
        }
    }
    return nullptr;
}

void ConnectionController::onState(sql::LinkState state)
{
    if (state == sql::LinkState::Connected) {
        m_everConnected = true;
        m_retryTimer.stop();
        if (!m_loaded && !targetsLoading()) {
            refreshTargets();
        }
    } else if (state == sql::LinkState::Reconnecting || state == sql::LinkState::Failed) {
        m_retryTimer.start();
    }
    emit stateChanged();
}

void ConnectionController::refreshTargets()
{
    m_finding.ask(
        { sql::LaneKind::Background, kFindDeadlineMs },
        [folder = m_profileFolder](sql::Session &session) { return findTargets(session, folder); },
        [this](const sql::Result<FoundTargets> &found) {
            if (!found) {
                TargetProblem problem;
                problem.error = found.error();
                m_problems = { problem };
                return;
            }
            m_loaded = true;
            acceptTargets(found->targets, found->problems);
            m_archives = found->archives;
        });
}

void ConnectionController::acceptTargets(const QList<TargetEntry> &found, const QList<TargetProblem> &problems)
{
    m_targets = found;
    m_extra.removeIf([&found](const TargetEntry &extra) {
        return std::any_of(found.cbegin(), found.cend(), [&extra](const TargetEntry &entry) {
            return entry.registration && sameTable(entry, extra)
                && sql::profileToJson(entry.target.profile) == sql::profileToJson(extra.target.profile);
        });
    });
    for (const TargetEntry &extra : std::as_const(m_extra)) {
        m_targets.removeIf([&extra](const TargetEntry &entry) { return givesWay(entry, extra); });
        m_targets.append(extra);
    }
    m_problems = problems;
}

void ConnectionController::addProfile(
    const sql::Profile &profile, TargetSource source, const QString &file, bool confirmed)
{
    if (m_database == nullptr) {
        return;
    }
    if (!confirmed) {
        sql::Error error
            = sql::makeError(sql::ErrorKind::Refused, tr("The profile %1 was not used.").arg(displayText(profile.name)),
                tr("Its SQL has not been confirmed."), tr("Read the SQL shown and confirm it first."));
        emit targetFailed(profile.name, error);
        return;
    }
    auto future = m_database->run(
        sql::LaneKind::Background, { {}, 60'000, true }, [profile](sql::Session &session) -> sql::Result<sql::Target> {
            if (session.facts().superuser) {
                return superuserRefusal(profile.name);
            }
            return sql::bindTarget(session, profile);
        });
    whenDone(future, this, [this, profile, source, file](const sql::Result<sql::Target> &bound) {
        if (!bound.ok()) {
            emit targetFailed(profile.name, bound.error());
            return;
        }
        TargetEntry entry;
        entry.target = *bound;
        entry.target.confirmed = true;
        entry.source = source;
        entry.file = file;
        const auto older = [&entry](const TargetEntry &known) { return givesWay(known, entry); };
        m_extra.removeIf(older);
        m_extra.append(entry);
        m_targets.removeIf(older);
        m_targets.append(entry);
        emit targetsChanged();
        emit targetAdded(entry.target.profile.name);
    });
}

void ConnectionController::forgetProfile(const QString &profileName)
{
    m_extra.removeIf([&profileName](const TargetEntry &extra) { return extra.target.profile.name == profileName; });
    refreshTargets();
}

sql::Result<sql::Profile> ConnectionController::profileIn(const QString &path)
{
    return sql::profileFromFile(path);
}

void ConnectionController::addProfileFile(const QString &path, bool confirmed)
{
    const auto profile = profileIn(path);
    if (!profile.ok()) {
        emit targetFailed(path, profile.error());
        return;
    }
    addProfile(*profile, TargetSource::File, path, confirmed);
}

} // namespace idemdesk::models

#include "moc_connection_controller.cpp"
