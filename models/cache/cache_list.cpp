// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cache_list.h"

#include "models/cache/cache_words.h"
#include "models/format/labels.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString scopeOf(const sql::CacheFinding &finding)
{
    QStringList parts;
    for (const sql::Cell &part : finding.scope) {
        parts += part.null ? u"–"_s : part.text;
    }
    return parts.join(u" / "_s);
}

/// The states of several have no room in a cell.
QString rowsCell(const sql::CacheFinding &finding)
{
    const auto rows = finding.rows.size();
    return rows > 1 ? Tr::tr("%n row(s)", nullptr, int(rows)) : cacheRowsText(finding.rows);
}

} // namespace

CacheList::CacheList(QObject *parent)
    : RowModel(parent)
{
}

void CacheList::setFindings(const QList<sql::CacheFinding> &findings)
{
    m_all = findings;
    sift();
}

void CacheList::showOnly(const QList<sql::CacheFindingKind> &kinds)
{
    if (m_kinds != kinds) {
        m_kinds = kinds;
        sift();
    }
}

void CacheList::sift()
{
    QList<sql::CacheFinding> shown = m_all;
    if (!m_kinds.isEmpty()) {
        shown.removeIf([this](const sql::CacheFinding &finding) { return !m_kinds.contains(finding.kind); });
    }
    setRows(shown);
}

std::span<const CacheList::ColumnSpec> CacheList::columns()
{
    using Finding = sql::CacheFinding;
    static const ColumnSpec kColumns[] = {
        { [] { return Tr::tr("Finding"); },
            [](const CacheList &, const Finding &finding) { return cacheFindingText(finding.kind); },
            [](const CacheList &, const Finding &finding) { return cacheFindingMeaning(finding.kind); } },
        { [] { return Tr::tr("Key"); }, [](const CacheList &, const Finding &finding) { return finding.key.text; } },
        { [] { return Tr::tr("Scope"); }, [](const CacheList &, const Finding &finding) { return scopeOf(finding); } },
        { [] { return Tr::tr("Row"); }, [](const CacheList &, const Finding &finding) { return rowsCell(finding); },
            [](const CacheList &, const Finding &finding) { return cacheRowsText(finding.rows); } },
        { [] { return Tr::tr("Cached"); },
            [](const CacheList &, const Finding &finding) {
                return finding.cached ? stateLabel(*finding.cached) : cacheValueText(finding.entry);
            },
            [](const CacheList &, const Finding &finding) { return cacheValueText(finding.entry); } },
        { [] { return Tr::tr("Time to live"); },
            [](const CacheList &, const Finding &finding) { return cacheTtlText(finding.entry); }, nullptr, kNumber },
    };
    return kColumns;
}

QVariant CacheList::itemData(const sql::CacheFinding &finding, int column, int role) const
{
    if (column == Finding && role == LevelRole) {
        return int(cacheFindingLevel(finding.kind));
    }
    if (column == Finding && role == Qt::AccessibleTextRole) {
        return QString(cacheFindingText(finding.kind) + u", "_s + cacheFindingMeaning(finding.kind));
    }
    if (column == Row && finding.rows.size() == 1) {
        const sql::KeyRecord &row = finding.rows.constFirst();
        return role == StateRole  ? QVariant(int(row.state))
            : role == StaleRole   ? QVariant(row.stale.value_or(false))
            : role == ExpiredRole ? QVariant(row.expired.value_or(false))
                                  : QVariant();
    }
    return column == Cached && role == StateRole && finding.cached ? QVariant(int(*finding.cached)) : QVariant();
}

} // namespace idemdesk::models

#include "moc_cache_list.cpp"
