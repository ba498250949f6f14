// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/primary_link.h"

#include "models/format/display_text.h"
#include "sql/activity/replication.h"
#include "sql/lanes/database.h"
#include "sql/session/conninfo.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kPrimaryNameMs = 5'000;
constexpr int kPrimaryAgainMs = 15'000;

} // namespace

sql::Result<sql::ConnectionSettings> primarySettings(const sql::ConnectionSettings &settings)
{
    sql::ConnectionSettings where = settings;
    TRY(auto words, sql::parseConninfo(where.conninfo));
    const auto wanted = std::find_if(
        words.begin(), words.end(), [](const auto &word) { return word.first == u"target_session_attrs"; });
    if (wanted != words.end() && (wanted->second == u"prefer-standby" || wanted->second == u"any")) {
        wanted->second = u"primary"_s;
        where.conninfo = sql::composeConninfo(words);
    }
    return where;
}

QString placeText(const sql::ServerFacts &facts)
{
    QString host = facts.host.isEmpty() ? facts.serverAddress : facts.host;
    if (!facts.port.isEmpty()) {
        host += u':' + facts.port;
    }
    return PrimaryLink::tr("%1 on %2 as %3")
        .arg(displayText(facts.database), displayText(host), displayText(facts.user));
}

PrimaryLink::PrimaryLink(QObject *parent)
    : QObject(parent)
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &PrimaryLink::retry);
}

PrimaryLink::~PrimaryLink() = default;

void PrimaryLink::follow(sql::Database *reading)
{
    if (m_reading == reading) {
        return;
    }
    if (m_reading != nullptr) {
        m_reading->disconnect(this);
    }
    m_primary.reset();
    m_again.stop();
    m_name.clear();
    m_asked = false;
    m_reading = reading;
    m_naming.setDatabase(reading);
    if (reading != nullptr) {
        connect(reading, &sql::Database::factsChanged, this, &PrimaryLink::look);
        look();
    }
    emit changed();
}

/// A connection to the primary stays once it is there: an action may be under way on it.
void PrimaryLink::look()
{
    if (m_primary == nullptr && m_reading->state() == sql::LinkState::Connected && m_reading->facts().standby) {
        const auto settings = primarySettings(m_reading->settings());
        if (settings && settings->conninfo != m_reading->settings().conninfo) {
            m_primary = std::make_unique<sql::Database>(*settings);
            connect(m_primary.get(), &sql::Database::stateChanged, this, &PrimaryLink::onState);
            connect(m_primary.get(), &sql::Database::factsChanged, this, &PrimaryLink::changed);
            m_primary->open();
        }
        askName();
    }
    emit changed();
}

/// One that was never reached is not tried again by itself.
void PrimaryLink::onState()
{
    if (m_primary->state() == sql::LinkState::Failed) {
        m_again.start(kPrimaryAgainMs);
    }
    emit changed();
}

void PrimaryLink::retry()
{
    if (m_primary != nullptr && m_primary->state() == sql::LinkState::Failed) {
        m_again.stop();
        m_primary->reconnectNow();
        emit changed();
    }
}

void PrimaryLink::askName()
{
    if (std::exchange(m_asked, true)) {
        return;
    }
    m_naming.ask(
        { sql::LaneKind::Background, kPrimaryNameMs },
        [](sql::Session &session) -> sql::Result<QString> { return sql::primaryOf(session); },
        [this](const sql::Result<QString> &name) {
            m_name = name ? *name : QString();
            emit changed();
        });
}

sql::Database *PrimaryLink::database() const
{
    if (m_primary != nullptr) {
        return m_primary->state() == sql::LinkState::Connected || m_primary->state() == sql::LinkState::Reconnecting
            ? m_primary.get()
            : nullptr;
    }
    return m_reading != nullptr && !m_reading->facts().standby ? m_reading.data() : nullptr;
}

bool PrimaryLink::looking() const
{
    return m_primary != nullptr ? m_primary->state() == sql::LinkState::Connecting
                                : m_reading != nullptr && m_reading->facts().standby && m_naming.busy();
}

QString PrimaryLink::whyNone() const
{
    if (m_reading == nullptr || database() != nullptr || looking()) {
        return {};
    }
    const QString name = displayText(m_name, 80);
    if (m_primary != nullptr) {
        const QString why = m_primary->linkError() ? m_primary->linkError()->line() : QString();
        return name.isEmpty() ? tr("Its primary does not answer. %1").arg(why)
                              : tr("Its primary %1 does not answer. %2").arg(name, why);
    }
    return name.isEmpty() ? tr("Which server is its primary, this login may not see.")
                          : tr("Its primary is %1.").arg(name);
}

QString PrimaryLink::place() const
{
    if (m_primary != nullptr && m_primary->state() == sql::LinkState::Connected) {
        const sql::ServerFacts &facts = m_primary->facts();
        return facts.host + u':' + facts.port;
    }
    return m_name;
}

} // namespace idemdesk::models

#include "moc_primary_link.cpp"
