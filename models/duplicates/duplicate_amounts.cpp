// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_amounts.h"

#include "models/duplicates/duplicate_rows.h"
#include "sql/lanes/database.h"

namespace idemdesk::models {

namespace {

constexpr int kAmountsDeadlineMs = 20'000;
constexpr qsizetype kGroupsAtOnce = 10; // between them the keys of the selected group have their turn

sql::Result<QStringList> readAmounts(
    sql::Session &session, const sql::Target &target, const QList<sql::DuplicateGroup> &groups)
{
    QStringList amounts;
    for (const sql::DuplicateGroup &group : groups) {
        TRY(const auto keys, readDuplicateKeys(session, target, keysOf(group, group.sample.size())));
        amounts += sharedAmount(keys);
    }
    return amounts;
}

} // namespace

DuplicateAmounts::DuplicateAmounts(DuplicateModel *model, QObject *parent)
    : QObject(parent)
    , m_model(model)
{
}

void DuplicateAmounts::setDatabase(sql::Database *database)
{
    if (m_reading.setDatabase(database)) {
        m_left.clear();
    }
}

void DuplicateAmounts::drop()
{
    m_reading.drop();
    m_left.clear();
}

void DuplicateAmounts::read()
{
    const sql::Profile &profile = m_model->target().profile;
    const bool stored = profile.has(sql::Role::RequestPayload) || profile.has(sql::Role::ResponseBody);
    m_left = stored ? m_model->rows() : QList<sql::DuplicateGroup>();
    readNext();
}

void DuplicateAmounts::readNext()
{
    const QList<sql::DuplicateGroup> groups = m_left.first(std::min(kGroupsAtOnce, m_left.size()));
    m_left = m_left.mid(groups.size());
    if (groups.isEmpty()) {
        m_reading.drop();
        return;
    }
    m_reading.ask(
        { sql::LaneKind::Background, kAmountsDeadlineMs },
        [target = m_model->target(), groups](sql::Session &session) { return readAmounts(session, target, groups); },
        [this, groups](const sql::Result<QStringList> &amounts) {
            if (!amounts) {
                m_left.clear(); // what takes so long for these takes as long for the rest
                return;
            }
            m_model->addAmounts(groups, *amounts);
            readNext();
        });
}

} // namespace idemdesk::models

#include "moc_duplicate_amounts.cpp"
