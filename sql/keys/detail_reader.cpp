// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/detail_reader.h"

#include "sql/keys/page_reader.h"
#include "sql/keys/resolve.h"
#include "sql/keys/retry_reader.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/profile/effect_links.h"
#include "sql/profile/expression_sql.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kMostEffectsShown = 100;

/// Reads one row's parts, each by a statement of its own: one that fails leaves the rest readable.
class DetailReader
{
public:
    DetailReader(Session &session, const Target &target, const Cells &identity, qint64 maxBytes)
        : m_session(session)
        , m_target(target)
        , m_identity(identity)
        , m_maxBytes(qMax<qint64>(1, maxBytes))
    {
    }

    Result<KeyDetail> read()
    {
        TRY(readRecord());
        TRY(m_detail.retry, readRetry(m_session, m_target, m_detail.record, m_detail.now));
        TRY(readColumns());
        for (qsizetype i = 0; i < m_target.profile.effects.size(); ++i) {
            const EffectSpec &effect = m_target.profile.effects.at(i);
            const QString fault = effectFault(m_target, i);
            TRY(auto result,
                fault.isEmpty() ? readEffect(effect)
                                : Result<EffectResult>(EffectResult { effect.type, effect.proves, {}, fault }));
            m_detail.effects.append(result);
        }
        TRY(countIntent());
        return m_detail;
    }

private:
    Result<void> readRecord()
    {
        Render render(m_target);
        RowMapper mapper(render, nullptr, m_maxBytes);
        const int since = mapper.add(m_target.profile.stale ? staleSince(render) : u"NULL::pg_catalog.timestamptz"_s);
        const QString sql = u"SELECT "_s + mapper.selectList() + render.from() + u" WHERE "_s
            + identityCondition(render, m_identity) + u" LIMIT 1"_s;
        const auto rows = m_session.all(render.finish(sql, {}));
        if (!rows && isRowsFault(rows.error())) {
            return saveRecord();
        }
        if (!rows) {
            return rows.error();
        }
        if (rows->isEmpty()) {
            return rowGone();
        }
        m_detail.record = mapper.record(rows->first());
        m_detail.now = Timestamp::parse(rows->first().at(mapper.nowColumn()).text).value_or(Timestamp());
        if (m_detail.record.stale.value_or(false)) {
            m_detail.staleSince = Timestamp::parse(rows->first().at(since).text);
        }
        return {};
    }

    /// Some expression fails on this row: one statement a column.
    Result<void> saveRecord()
    {
        TRY(const auto now, serverNow(m_session));
        m_detail.now = now;
        Cells cells;
        Render shape(m_target);
        const RowMapper mapper(shape, nullptr, m_maxBytes);
        for (qsizetype i = 0; i < mapper.columns().size(); ++i) {
            Render render(m_target);
            const RowMapper again(render, nullptr, m_maxBytes); // its binds belong to this statement
            const QString where = identityCondition(render, m_identity);
            const QString &column = again.columns().at(i);
            const QString sql = u"SELECT "_s + column + render.unusedBinds(column + where) + render.from()
                + u" WHERE "_s + where + u" LIMIT 1"_s;
            const auto rows = m_session.all(render.finish(sql, now));
            if (!rows && !isRowsFault(rows.error())) {
                return rows.error();
            }
            if (rows && rows->isEmpty()) {
                return rowGone();
            }
            Cell cell = rows ? rows->first().first() : Cell();
            cell.error = rows ? QString() : rows.error().why;
            cells.append(cell);
        }
        m_detail.record = mapper.record(cells);
        return {};
    }

    /// Every column's own value, large ones only in part: the size is known without reading them.
    Result<void> readColumns()
    {
        Render render(m_target);
        QStringList selected;
        for (const ColumnFacts &column : m_target.relation.columns) {
            if (!column.selectable) {
                continue;
            }
            const QString name = u"t."_s + quoteIdentifier(column.name);
            if (isShort(column)) {
                selected += name + u"::pg_catalog.text, NULL"_s;
                continue;
            }
            const QString text = name + u"::pg_catalog.text"_s;
            // left() detoasts only as far as it must for a text; octet_length() reads no value at all.
            const QString limit = QString::number(m_maxBytes);
            selected += u"pg_catalog.left("_s + text + u", "_s + limit + u"), CASE WHEN pg_catalog.length("_s + text
                + u") > "_s + limit + u" THEN pg_catalog.octet_length("_s + text + u") END"_s;
        }
        if (selected.isEmpty()) {
            return {};
        }
        const QString sql = u"SELECT "_s + selected.join(u", "_s) + render.from() + u" WHERE "_s
            + identityCondition(render, m_identity) + u" LIMIT 1"_s;
        TRY(const auto rows, m_session.all(render.finish(sql, {})));
        if (rows.isEmpty()) {
            return rowGone();
        }
        int at = 0;
        for (const ColumnFacts &column : m_target.relation.columns) {
            ColumnValue value { column.name, column.type, {} };
            if (column.selectable) {
                value.value = rows.first().at(at);
                const Cell bytes = rows.first().at(at + 1);
                value.value.fullBytes = bytes.null ? -1 : bytes.text.toLongLong();
                at += 2;
            } else {
                value.value.error = Tr::tr("This user may not read the column.");
            }
            m_detail.columns.append(value);
        }
        return {};
    }

    static bool isShort(const ColumnFacts &column)
    {
        static const QStringList types { u"uuid"_s, u"int2"_s, u"int4"_s, u"int8"_s, u"bool"_s, u"float4"_s,
            u"float8"_s, u"timestamptz"_s, u"timestamp"_s, u"date"_s, u"time"_s, u"interval"_s, u"inet"_s };
        return types.contains(column.typeName) || !column.enumLabels.isEmpty();
    }

    /// Where row security applies, what this login may see of the evidence is shown, and that there may be more.
    Result<EffectResult> readEffect(const EffectSpec &effect)
    {
        bool hidden = false;
        auto whole = [&] {
            const WholeRows asked(m_session);
            return readEffect(effect, &hidden);
        }();
        if (!whole || !hidden) {
            return whole;
        }
        auto seen = readEffect(effect, &hidden);
        if (seen) {
            seen->error = whole->error;
            seen->unlinked = false;
        }
        return seen;
    }

    /// The profile's query over this row. What fails is evidence that cannot be read, not an error of the page.
    Result<EffectResult> readEffect(const EffectSpec &effect, bool *hidden)
    {
        EffectResult out { effect.type, effect.proves, {}, {} };
        Render render(m_target);
        const QString sql = u"SELECT e.idemdesk_e->>'id', e.idemdesk_e->>'at', e.idemdesk_e->>'state', "_s
            + kEffectFound + u", "_s + missingLinksSql(effect, m_target.relation) + render.from()
            + u" LEFT JOIN LATERAL ("_s + effectRowsSql(effect) + u") e ON true WHERE "_s
            + identityCondition(render, m_identity) + u" LIMIT "_s + QString::number(kMostEffectsShown);
        const auto rows = m_session.all(render.finish(sql, m_detail.now));
        if (!rows) {
            const ErrorKind kind = rows.error().kind;
            if (kind == ErrorKind::ConnectionLost || kind == ErrorKind::Cancelled || kind == ErrorKind::Superseded) {
                return rows.error();
            }
            out.error = rows.error().line();
            *hidden = rows.error().rowsHidden;
            return out;
        }
        if (rows->isEmpty()) { // not looked at is not the same as not there
            out.error = rowGone().line();
        }
        for (const Cells &cells : *rows) {
            if (cells.at(3).text != kEffectThere) {
                const bool isVoid = cells.at(3).text == kEffectVoid;
                out.unlinked = out.rows.isEmpty() && (isVoid || !cells.at(4).text.isEmpty());
                out.error = !out.unlinked ? QString() : isVoid ? voidEffect() : cannotBeKnown(cells.at(4).text);
                continue;
            }
            out.unlinked = false;
            out.error.clear();
            EffectRow row { effect.type, effect.proves, cells.at(0), cells.at(1), cells.at(2) };
            if (const auto at
                = row.at.null ? std::nullopt : Timestamp::parse(QString(row.at.text).replace(u'T', u' '))) {
                row.at.text = at->toRfc3339();
            }
            out.rows.append(row);
        }
        return out;
    }

    /// Rows with the same scope and key (a partitioned table may have several).
    Result<void> countIntent()
    {
        if (m_target.identityUnique && identityIsIntent()) {
            return {};
        }
        Render render(m_target);
        QStringList parts;
        const KeyRecord &record = m_detail.record;
        const auto match = [&](const Expression &expression, const ExpressionType &type, const Cell &cell) {
            if (!cell.failed()) {
                const QString sql = u"("_s + expression.sql + u")"_s;
                parts += cell.null ? sql + u" IS NULL"_s
                                   : sql + operatorSql(type.operatorSchema, u"="_s) + render.bind(cell, type.castType);
            }
        };
        match(m_target.profile.key, m_target.keyType, record.key);
        for (qsizetype i = 0; i < m_target.profile.scope.size(); ++i) {
            match(m_target.profile.scope.at(i).value, m_target.scopeTypes.value(i), record.scope.value(i));
        }
        if (parts.isEmpty()) {
            return {};
        }
        const auto row = m_session.one(render.finish(u"SELECT pg_catalog.count(*) FROM (SELECT 1"_s + render.from()
                + u" WHERE "_s + parts.join(u" AND "_s) + u" LIMIT 1000) x"_s,
            m_detail.now));
        if (!row) {
            return isRowsFault(row.error()) ? Result<void>() : Result<void>(row.error());
        }
        m_detail.rowsOfIntent = row->first().text.toInt();
        return {};
    }

    bool identityIsIntent() const
    {
        QStringList intent;
        const auto add = [&](const Expression &expression) {
            const ColumnFacts *facts = plainColumnFacts(m_target, expression);
            intent += facts != nullptr ? facts->name : QString();
        };
        add(m_target.profile.key);
        for (const LabelledExpression &part : m_target.profile.scope) {
            add(part.value);
        }
        const QStringList &identity = m_target.profile.identity;
        return std::all_of(
            identity.cbegin(), identity.cend(), [&](const QString &name) { return intent.contains(name); });
    }

    Session &m_session;
    const Target &m_target;
    const Cells m_identity;
    const qint64 m_maxBytes;
    KeyDetail m_detail;
};

} // namespace

QString identityCondition(Render &render, const Cells &identity)
{
    const Target &target = render.target();
    QStringList parts;
    for (qsizetype i = 0; i < target.profile.identity.size(); ++i) {
        const QString column = u"t."_s + quoteIdentifier(target.profile.identity.at(i));
        const ExpressionType type = columnType(target.relation, target.profile.identity.at(i));
        const Cell value = identity.value(i);
        parts += value.null ? column + u" IS NULL"_s
                            : column + operatorSql(type.operatorSchema, u"="_s) + render.bind(value, type.castType);
    }
    return parts.isEmpty() ? u"false"_s : parts.join(u" AND "_s);
}

Error rowGone()
{
    return makeError(ErrorKind::MissingObject, Tr::tr("This key is no longer in the table."),
        Tr::tr("It was purged, or its identity changed, since the list was read."), Tr::tr("Refresh the list."));
}

Result<KeyDetail> readDetail(Session &session, const Target &target, const Cells &identity, qint64 maxBytes)
{
    const Target trying = tryingEach(target); // the row's state is the one it has everywhere
    return DetailReader(session, trying, identity, maxBytes).read();
}

Result<QList<KeyRecord>> rowsWithKey(
    Session &session, const Target &target, const QString &key, const QMap<QString, QString> &scope)
{
    Filter filter;
    FilterTerm term;
    term.field = FilterField::Key;
    term.values = { key };
    filter.terms.append(term);
    for (auto it = scope.cbegin(); it != scope.cend(); ++it) {
        FilterTerm part;
        part.field = FilterField::Scope;
        part.label = it.key();
        part.values = { it.value() };
        filter.terms.append(part);
    }
    PageRequest request;
    request.filter = filter;
    request.order = u"identity"_s;
    request.limit = 1000;
    auto page = readPage(session, target, request);
    if (!page) {
        // No text was typed as a filter: positions would mean nothing.
        Error error = page.error();
        error.position = -1;
        error.length = 0;
        return error;
    }
    return page->rows;
}

Result<qint64> saveColumn(
    Session &session, const Target &target, const Cells &identity, const QString &column, QIODevice &out)
{
    constexpr qint64 kChunk = 1024 * 1024;
    const ColumnFacts *facts = target.relation.column(column);
    if (facts == nullptr || !facts->selectable) {
        return makeError(ErrorKind::MissingObject, Tr::tr("The table has no readable column “%1”.").arg(column));
    }
    qint64 bytes = 0;
    for (qint64 from = 1;; from += kChunk) {
        Render render(target);
        const QString sql = u"SELECT pg_catalog.substr(t."_s + quoteIdentifier(column) + u"::pg_catalog.text, "_s
            + QString::number(from) + u", "_s + QString::number(kChunk) + u")"_s + render.from() + u" WHERE "_s
            + identityCondition(render, identity) + u" LIMIT 1"_s;
        TRY(const auto rows, session.all(render.finish(sql, {})));
        if (rows.isEmpty()) {
            return rowGone();
        }
        const QString text = rows.first().first().text;
        const QByteArray part = text.toUtf8();
        if (out.write(part) != part.size()) {
            return makeError(ErrorKind::File, Tr::tr("The value could not be written."), out.errorString());
        }
        bytes += part.size();
        if (text.toUcs4().size() < kChunk) {
            return bytes;
        }
    }
}

} // namespace idemdesk::sql
