// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/palette/key_lookup.h"

#include "models/filter/filter_parser.h"
#include "models/format/labels.h"
#include "models/keys/key_cells.h"
#include "sql/keys/count_reader.h"
#include "sql/keys/page_reader.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kPauseMs = 200;
constexpr int kLookupDeadlineMs = 5'000; // of all tables together
constexpr int kMostRowsOfKey = 3; // of one table: one key may be several rows

struct Looked {
    QList<FoundKey> found;
    QStringList leftOut;
};

QString scopeLine(const sql::KeyRecord &record, const sql::Profile &profile)
{
    QStringList parts;
    for (qsizetype part = 0; part < record.scope.size() && part < profile.scope.size(); ++part) {
        parts += record.scope.at(part).text;
    }
    return parts.join(u" · "_s);
}

sql::Result<Looked> lookInto(sql::Session &session, const QList<sql::Target> &targets, const QString &key)
{
    Looked looked;
    for (const sql::Target &target : targets) {
        const auto filter = parseFilter(u"key:"_s + quoteFilterValue(key), {});
        if (!filter) {
            return filter.error();
        }
        const QString title = targetLabel(target.profile);
        const auto cost = sql::filterCost(session, target, *filter, {});
        if (cost && cost->slow) {
            looked.leftOut += title;
            continue;
        }
        sql::PageRequest request;
        request.filter = *filter;
        request.limit = kMostRowsOfKey;
        const auto page = cost ? sql::readPage(session, target, request) : sql::Result<sql::KeyPage>(cost.error());
        if (!page && page.error().position >= 0) {
            continue; // of another type than this table's keys, so it is none of them
        }
        if (!page && page.error().kind == sql::ErrorKind::Privilege) {
            looked.leftOut += title;
            continue;
        }
        if (!page) {
            return page.error();
        }
        for (const sql::KeyRecord &record : page->rows) {
            looked.found.append({ target.profile.name, title, record.key.text, scopeLine(record, target.profile),
                recordStateText(record) });
        }
    }
    return looked;
}

} // namespace

KeyLookup::KeyLookup(QObject *parent)
    : QObject(parent)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &KeyLookup::ask);
    connect(&m_asking, &Request::changed, this, &KeyLookup::changed);
}

KeyLookup::~KeyLookup() = default;

void KeyLookup::setDatabase(sql::Database *database)
{
    m_asking.setDatabase(database);
}

void KeyLookup::setTargets(const QList<TargetEntry> &targets)
{
    m_targets.clear();
    for (const TargetEntry &entry : targets) {
        m_targets.append(entry.target);
    }
}

void KeyLookup::look(const QString &text)
{
    m_text = text.trimmed();
    m_asking.drop();
    m_asking.clearError();
    m_found.clear();
    m_leftOut.clear();
    if (m_text.isEmpty() || m_targets.isEmpty() || m_asking.database() == nullptr) {
        m_pause.stop();
    } else {
        m_pause.start();
    }
    emit changed();
}

void KeyLookup::ask()
{
    m_asking.ask(
        { sql::LaneKind::Read, kLookupDeadlineMs },
        [targets = m_targets, key = m_text](sql::Session &session) { return lookInto(session, targets, key); },
        [this](const sql::Result<Looked> &looked) {
            m_found = looked ? looked->found : QList<FoundKey>();
            m_leftOut = looked ? looked->leftOut : QStringList();
        });
}

} // namespace idemdesk::models

#include "moc_key_lookup.cpp"
