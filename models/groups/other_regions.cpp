// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/other_regions.h"

#include "models/groups/group_session.h"
#include "sql/lanes/database.h"

#include <algorithm>

namespace idemdesk::models {

namespace {

constexpr int kHeldMs = 600'000; // of up to 100,000 keys on a busy server

} // namespace

OtherRegions::OtherRegions(GroupSession *group, int member, QObject *parent)
    : QObject(parent)
    , m_group(group)
{
    for (int number = 0; number < group->size(); ++number) {
        if (number == member) {
            continue;
        }
        m_others.push_back(std::make_unique<Other>());
        Other *other = m_others.back().get();
        other->member = number;
        connect(&other->primary, &PrimaryLink::changed, this, [this, other] {
            if (other->waiting) {
                go(other);
            }
        });
    }
    connect(group, &GroupSession::memberChanged, this, [this](int changed) {
        for (const auto &other : m_others) {
            if (other->member != changed) {
                continue;
            }
            if (other->waiting) {
                go(other.get());
            } else if (other->asking.busy() && m_group->state(changed) == GroupSession::MemberState::Failed) {
                other->asking.drop(); // its lane would wait for the server, and the plan with it
                miss(other.get(), *m_group->error(changed));
            }
        }
    });
}

OtherRegions::~OtherRegions() = default;

void OtherRegions::ask(const QString &target, const sql::Profile &here, const QList<FrozenKey> &keys)
{
    stop();
    m_target = target;
    m_here = here;
    m_keys = keys;
    m_open = true;
    for (const auto &other : m_others) {
        other->waiting = true;
        other->primary.retry();
    }
    // Those that fail at once would have answered before the caller waits.
    QMetaObject::invokeMethod(
        this,
        [this] {
            for (const auto &other : m_others) {
                if (other->waiting) {
                    go(other.get());
                }
            }
        },
        Qt::QueuedConnection);
}

void OtherRegions::stop()
{
    m_open = false;
    for (const auto &other : m_others) {
        other->waiting = false;
        other->asking.cancel();
        other->asking.drop();
        other->word.reset();
    }
}

/// Once the member has answered and its primary is found; else it waits for them.
void OtherRegions::go(Other *other)
{
    using State = GroupSession::MemberState;
    const State state = m_group->state(other->member);
    if (state == State::Opening) {
        return;
    }
    if (state == State::Failed) {
        miss(other, *m_group->error(other->member));
        return;
    }
    const TargetEntry *entry = m_group->target(other->member, m_target);
    if (entry == nullptr) {
        miss(other, m_group->whyNoTarget(other->member, m_target)); // it may be there under another name
        return;
    }
    other->primary.follow(m_group->database(other->member));
    if (!other->waiting || other->primary.looking()) {
        return; // what follow() tells may have asked already
    }
    if (other->primary.database() == nullptr) {
        miss(other,
            sql::makeError(
                sql::ErrorKind::Refused, tr("It is a standby, which may be behind."), other->primary.whyNone()));
        return;
    }
    askOne(other, entry->target);
}

void OtherRegions::askOne(Other *other, const sql::Target &there)
{
    other->waiting = false;
    other->asking.setDatabase(other->primary.database());
    other->asking.ask(
        { sql::LaneKind::Background, kHeldMs },
        [there, here = m_here, keys = m_keys, label = m_group->label(other->member)](
            sql::Session &session) { return againstChanging(session, here, there, keys, label); },
        [this, other](const sql::Result<QHash<QString, QString>> &against) {
            if (against) {
                take(other, *against);
            } else {
                miss(other, against.error());
            }
        });
}

void OtherRegions::take(Other *other, const QHash<QString, QString> &against)
{
    other->waiting = false;
    other->word = RegionWord { m_group->label(other->member), against, {} };
    tellWhenAll();
}

void OtherRegions::miss(Other *other, const sql::Error &why)
{
    other->waiting = false;
    other->word = RegionWord { m_group->label(other->member), {}, why };
    tellWhenAll();
}

void OtherRegions::tellWhenAll()
{
    QList<RegionWord> words;
    for (const auto &other : m_others) {
        if (!other->word) {
            return;
        }
        words += *other->word;
    }
    if (m_open) {
        m_open = false;
        m_keys.clear();
        emit answered(words);
    }
}

} // namespace idemdesk::models

#include "moc_other_regions.cpp"
