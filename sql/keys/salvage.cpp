// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/page_reader.h"

#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Rows that are read cell by cell; with more of them the rest is not tried.
constexpr int kMostBroken = 100;

/// Reads columns of rows known by their identity, narrowing down to the cells that fail.
class Salvage
{
public:
    Salvage(Session &session, const Target &target, const Timestamp &now, const QList<Cells> &identities)
        : m_session(session)
        , m_target(target)
        , m_now(now)
        , m_identities(identities)
    {
    }

    /// The doubtful columns of the rows from `from` to `to`: halves the rows until it knows which fail, then asks those
    /// column by column.
    Result<void> read(const QList<int> &columns, qsizetype from, qsizetype to, QList<Cells> *out)
    {
        if (m_broken.size() >= kMostBroken) {
            m_gaveUp = true;
            mark(columns, from, to, m_lastError, out);
            return {};
        }
        const auto rows = ask(columns, from, to);
        if (rows) {
            for (qsizetype i = 0; i < rows->size(); ++i) {
                for (qsizetype column = 0; column < columns.size(); ++column) {
                    (*out)[from + i][columns.at(column)] = rows->at(i).at(column);
                }
            }
            return {};
        }
        if (!isRowsFault(rows.error())) {
            return rows.error();
        }
        m_lastError = rows.error().why;
        if (to - from == 1) {
            m_broken.insert(from);
            return columns.size() == 1 ? (mark(columns, from, to, m_lastError, out), Result<void>())
                                       : readCells(columns, from, out);
        }
        const qsizetype middle = (from + to) / 2;
        const auto left = read(columns, from, middle, out);
        return left ? read(columns, middle, to, out) : left;
    }

    bool isBroken(qsizetype row) const { return m_broken.contains(row); }
    bool gaveUp() const { return m_gaveUp; }

    /// Several columns at once; an error if any fails on any row.
    Result<QList<Cells>> ask(const QList<int> &columns, qsizetype from, qsizetype to)
    {
        Render render(m_target);
        RowMapper mapper(render, m_order, 0);
        QStringList arrays;
        QStringList names;
        QStringList matches;
        QString selected;
        for (qsizetype i = 0; i < m_target.profile.identity.size(); ++i) {
            bool anyNull = false;
            for (qsizetype row = from; row < to; ++row) {
                anyNull = anyNull || m_identities.at(row).at(i).null;
            }
            const ExpressionType &type = m_target.identityTypes.value(i);
            arrays += render.bind(arrayOf(i, from, to), type.castType + u"[]"_s);
            const QString name = u"i"_s + QString::number(i);
            const QString column = u"t."_s + quoteIdentifier(m_target.profile.identity.at(i));
            names += name;
            const QString equal = column + operatorSql(type.operatorSchema, u"="_s) + u"w."_s + name;
            matches += anyNull ? u"("_s + equal + u" OR ("_s + column + u" IS NULL AND w."_s + name + u" IS NULL))"_s
                               : equal;
        }
        for (const int column : columns) {
            selected += u", "_s + mapper.columns().at(column);
        }
        // DISTINCT ON: an identity that is not unique gives its first row.
        selected += render.unusedBinds(selected + arrays.join(u' '));
        const QString sql = u"SELECT DISTINCT ON (w.n) w.n"_s + selected + u" FROM unnest("_s + arrays.join(u", "_s)
            + u") WITH ORDINALITY AS w("_s + names.join(u", "_s) + u", n) LEFT JOIN "_s + m_target.relation.sql
            + u" t ON "_s + matches.join(u" AND "_s) + u" ORDER BY w.n"_s;
        auto rows = m_session.all(render.finish(sql, m_now));
        if (!rows) {
            return rows;
        }
        for (Cells &cells : *rows) {
            cells.removeFirst();
        }
        return rows;
    }

    void setOrder(const ResolvedOrder *order) { m_order = order; }

private:
    /// One row on which some column fails.
    Result<void> readCells(const QList<int> &columns, qsizetype row, QList<Cells> *out)
    {
        for (const int column : columns) {
            const auto cell = ask({ column }, row, row + 1);
            if (!cell && !isRowsFault(cell.error())) {
                return cell.error();
            }
            if (cell) {
                (*out)[row][column] = cell->first().first();
            } else {
                (*out)[row][column].error = cell.error().why;
            }
        }
        return {};
    }

    void mark(const QList<int> &columns, qsizetype from, qsizetype to, const QString &error, QList<Cells> *out)
    {
        for (qsizetype row = from; row < to; ++row) {
            m_broken.insert(row);
            for (const int column : columns) {
                (*out)[row][column].error = error;
            }
        }
    }

    QString arrayOf(qsizetype part, qsizetype from, qsizetype to) const
    {
        QString out = u"{"_s;
        for (qsizetype row = from; row < to; ++row) {
            const Cell &cell = m_identities.at(row).at(part);
            out += row > from ? u","_s : QString();
            out += cell.null ? u"NULL"_s : arrayLiteral({ cell.text }).mid(1).chopped(1);
        }
        return out + u'}';
    }

    Session &m_session;
    const Target &m_target;
    const Timestamp m_now;
    const QList<Cells> &m_identities;
    const ResolvedOrder *m_order = nullptr;
    QSet<qsizetype> m_broken;
    QString m_lastError;
    bool m_gaveUp = false;
};

/// Plain columns cannot fail; expressions may.
bool risky(const Target &target, const QString &column)
{
    if (column == u"$now") {
        return false;
    }
    Expression expression;
    expression.sql = column;
    return plainColumnFacts(target, expression) == nullptr;
}

} // namespace

Result<SalvagedRows> salvageRows(
    Session &session, const Target &target, const Target &filtered, const SegmentRequest &request, const Timestamp &now)
{
    QStringList names;
    for (const QString &name : target.profile.identity) {
        names += u"t."_s + quoteIdentifier(name);
    }
    Render render(filtered);
    TRY(const auto statement, segmentStatement(render, names.join(u", "_s), request));
    const auto identities = session.all(statement);
    if (!identities) {
        return render.located(identities.error()); // the filter or the order itself fails
    }
    if (identities->isEmpty()) {
        return SalvagedRows {};
    }
    Render columnsRender(target);
    const RowMapper mapper(columnsRender, &request.order, 0);
    QList<int> safe;
    QList<int> doubtful;
    for (int i = 0; i < mapper.columns().size(); ++i) {
        (risky(target, mapper.columns().at(i)) ? doubtful : safe).append(i);
    }
    Salvage salvage(session, target, now, *identities);
    salvage.setOrder(&request.order);
    QList<Cells> cells(identities->size(), Cells(mapper.columns().size()));
    TRY(const auto plain, salvage.ask(safe, 0, identities->size()));
    for (qsizetype row = 0; row < plain.size(); ++row) {
        for (qsizetype i = 0; i < safe.size(); ++i) {
            cells[row][safe.at(i)] = plain.at(row).at(i);
        }
    }
    if (!doubtful.isEmpty()) {
        TRY(salvage.read(doubtful, 0, identities->size(), &cells));
    }
    SalvagedRows saved;
    saved.gaveUp = salvage.gaveUp();
    for (qsizetype row = 0; row < cells.size(); ++row) {
        KeyRecord record = mapper.record(cells.at(row));
        record.identity = identities->at(row);
        saved.rows.append(record);
        saved.broken.append(salvage.isBroken(row));
    }
    return saved;
}

} // namespace idemdesk::sql
