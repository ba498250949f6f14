// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/export_rows.h"
#include "sql/keys/key_json.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/value_fit.h"
#include "sql/types/spreadsheet.h"

#include <QHash>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

enum class CellForm { Text, Number, Time, Flag, State, Fault, Hidden };

struct CsvColumn {
    QByteArray title;
    QString sql;
    CellForm form = CellForm::Text;
    bool ofState = false; ///< follows from the state
};

/// "2026-11-20 12:34:56.1234+00" as RFC 3339 in UTC with microseconds; other texts (infinity, BC) as they are.
void appendTime(QByteArray &out, const char *text, qsizetype size)
{
    constexpr qsizetype kSeconds = 19; // up to and with the seconds
    const bool usual = size >= kSeconds + 3 && text[4] == '-' && text[10] == ' ' && text[13] == ':'
        && qstrncmp(text + size - 3, "+00", 3) == 0 && (text[kSeconds] == '.' || size == kSeconds + 3);
    if (!usual) {
        appendCsvCell(out, text, size, true);
        return;
    }
    out.append(text, 10);
    out += 'T';
    out.append(text + 11, 8);
    out += '.';
    const qsizetype digits = size == kSeconds + 3 ? 0 : size - kSeconds - 4;
    out.append(text + kSeconds + 1, digits);
    out.append("000000", 6 - digits);
    out += 'Z';
}

/// The state of each raw status, looked up once a text.
class StateNames
{
public:
    explicit StateNames(const Target &target)
        : m_target(target)
        , m_null(stateName(stateOf(target, {})).toUtf8())
    {
    }

    const QByteArray &of(const char *text, qsizetype size, bool null)
    {
        if (null) {
            return m_null;
        }
        const QByteArray raw = QByteArray::fromRawData(text, size);
        auto found = m_names.constFind(raw);
        if (found == m_names.constEnd()) {
            if (m_names.size() > 1'000) {
                m_names.clear(); // an open vocabulary must not fill the memory
            }
            const QByteArray name = stateName(stateOf(m_target, Cell::of(QString::fromUtf8(text, size)))).toUtf8();
            found = QHash<QByteArray, QByteArray>::const_iterator(m_names.insert(QByteArray(text, size), name));
        }
        return *found;
    }

private:
    const Target &m_target;
    const QByteArray m_null;
    QHash<QByteArray, QByteArray> m_names;
};

QList<CsvColumn> columnsOf(Render &render)
{
    const Target &target = render.target();
    const Profile &profile = target.profile;
    QList<CsvColumn> columns;
    const auto plain = [](const Expression &expression) { return u"("_s + expression.sql + u")"_s; };
    for (qsizetype i = 0; i < profile.scope.size(); ++i) {
        columns.append({ profile.scope.at(i).label.toUtf8(), plain(profile.scope.at(i).value),
            isNumberType(target.scopeTypes.value(i)) ? CellForm::Number : CellForm::Text });
    }
    columns.append({ "key", plain(profile.key), isNumberType(target.keyType) ? CellForm::Number : CellForm::Text });
    columns.append({ "state",
        profile.has(Role::Status) ? plain(profile.role(Role::Status)) : u"NULL::pg_catalog.text"_s, CellForm::State });
    if (const auto stale = staleCondition(render)) {
        columns.append({ "stale", u"COALESCE("_s + *stale + u", false)"_s, CellForm::Flag, true });
    }
    if (const auto expired = expiredCondition(render)) {
        columns.append({ "expired", u"COALESCE("_s + *expired + u", false)"_s, CellForm::Flag, true });
    }
    return columns;
}

void appendRoles(const Target &target, QList<CsvColumn> *columns)
{
    // Bodies and payloads do not fit a table; the JSON Lines form has them.
    for (auto it = target.profile.roles.cbegin(); it != target.profile.roles.cend(); ++it) {
        if (isLargeRole(it.key())) {
            continue;
        }
        CsvColumn column { roleName(it.key()).toUtf8(), u"("_s + it->sql + u")"_s };
        if (isTimeRole(it.key())) {
            column.sql = timeColumn(target, *it);
            column.form = CellForm::Time;
        } else if (it.key() == Role::ErrorMessage) {
            column.sql = u"pg_catalog.left("_s + column.sql + u"::pg_catalog.text, 8192)"_s;
        } else if (isNumberType(target.roleTypes.value(it.key()))) {
            column.form = CellForm::Number;
        } else if (target.roleTypes.value(it.key()).typeName == u"bool") {
            column.form = CellForm::Flag;
        }
        columns->append(column);
    }
}

void appendFields(const Target &target, QList<CsvColumn> *columns)
{
    for (const FieldSpec &field : target.profile.fields) {
        const QString sql = u"("_s + field.value.sql + u")"_s;
        columns->append(field.type == FieldType::Time
                ? CsvColumn { field.label.toUtf8(), timeColumn(target, field.value), CellForm::Time }
                : field.type == FieldType::Number
                ? CsvColumn { field.label.toUtf8(), sql, CellForm::Number }
                : CsvColumn { field.label.toUtf8(), u"pg_catalog.left("_s + sql + u"::pg_catalog.text, 8192)"_s });
    }
}

/// What is wrong with a row, in a table whose profile can fail on one: each of them has that column.
void appendFault(const ExportPlan &plan, QList<CsvColumn> *columns)
{
    if (plan.target.trial.isEmpty()) {
        return;
    }
    columns->append({ "fault", plan.target.trial, CellForm::Fault });
    if (plan.placed()) {
        for (const QString &column : ExportPlan::placeColumns()) {
            columns->append({ {}, column, CellForm::Hidden });
        }
    }
}

class CsvFormatter
{
public:
    CsvFormatter(const ExportPlan &plan, const QList<CsvColumn> &columns)
        : m_plan(plan)
        , m_states(plan.target)
        , m_columns(columns)
    {
    }

    QByteArray header() const
    {
        QByteArray out;
        for (const CsvColumn &column : m_columns) {
            if (column.form == CellForm::Hidden) {
                break;
            }
            if (!out.isEmpty()) {
                out += ',';
            }
            appendCsvCell(out, column.title.constData(), column.title.size(), false);
        }
        return out + "\r\n";
    }

    void append(QByteArray &out, const PGresult *rows, int row)
    {
        const QString fault = faultOf(rows, row);
        for (int i = 0; i < m_columns.size() && m_columns.at(i).form != CellForm::Hidden; ++i) {
            if (i > 0) {
                out += ',';
            }
            const CellForm form = m_columns.at(i).form;
            if (!fault.isEmpty() && form == CellForm::State) {
                out += stateName(KeyState::Unknown).toUtf8();
            } else if (!fault.isEmpty() && form == CellForm::Fault) {
                const QByteArray text = fault.toUtf8();
                appendCsvCell(out, text.constData(), text.size(), false);
            } else if (fault.isEmpty() || !m_columns.at(i).ofState) { // else if it is stale or expired is not known
                appendCell(out, form, rows, row, i);
            }
        }
        out += "\r\n";
    }

private:
    QString faultOf(const PGresult *rows, int row) const
    {
        if (m_plan.unreadable.many) {
            return m_plan.unreadable.faultOf(0, {});
        }
        const int place = static_cast<int>(m_columns.size()) - 2;
        if (!m_plan.placed()
            || PQgetisnull(rows, row, place - 1) == 0) { // the trial is left out on a row that fails it
            return {};
        }
        return m_plan.unreadable.faultOf(
            QByteArray(PQgetvalue(rows, row, place)).toUInt(), QString::fromLatin1(PQgetvalue(rows, row, place + 1)));
    }

    void appendCell(QByteArray &out, CellForm form, const PGresult *rows, int row, int column)
    {
        const bool null = PQgetisnull(rows, row, column) == 1;
        const char *text = PQgetvalue(rows, row, column);
        const qsizetype size = PQgetlength(rows, row, column);
        if (form == CellForm::State) {
            out += m_states.of(text, size, null);
        } else if (null || form == CellForm::Fault) {
            return;
        } else if (form == CellForm::Flag) {
            out += *text == 't' ? "true" : "false";
        } else if (form == CellForm::Time) {
            appendTime(out, text, size);
        } else {
            appendCsvCell(out, text, size, form == CellForm::Number);
        }
    }

    const ExportPlan &m_plan;
    StateNames m_states;
    const QList<CsvColumn> m_columns;
};

Result<void> writeBatches(CursorBatches &batches, CsvFormatter &formatter, ExportSink &sink)
{
    QByteArray bytes;
    while (true) {
        TRY(auto batch, batches.next());
        const PgResultPtr rows = std::move(batch);
        const int count = PQntuples(rows.get());
        if (count == 0) {
            return {};
        }
        bytes.resize(0); // keeps its memory
        for (int row = 0; row < count; ++row) {
            formatter.append(bytes, rows.get(), row);
        }
        batches.setBytes(count, bytes.size());
        if (!sink.write(bytes, count)) {
            return sink.error();
        }
    }
}

} // namespace

Result<void> exportCsv(Session &session, const ExportPlan &plan, ExportSink &sink)
{
    // One transaction: every segment of the order sees the rows at about the same time, and cursors need one.
    if (const auto begun = session.begin(); !begun) {
        return begun;
    }
    bool first = true;
    for (const Segment segment : segmentsOf(plan.order, false)) {
        Render render(plan.target);
        QList<CsvColumn> columns = columnsOf(render);
        appendRoles(plan.target, &columns);
        appendFields(plan.target, &columns);
        appendFault(plan, &columns);
        QStringList selected;
        for (const CsvColumn &column : std::as_const(columns)) {
            selected += column.sql;
        }
        CsvFormatter formatter(plan, columns);
        if (first && !sink.write(formatter.header(), 0)) {
            session.rollback();
            return sink.error();
        }
        first = false;
        const auto statement = segmentStatement(
            render, selected.join(u", "_s), { plan.filter, plan.order, segment, {}, false, 0, 0, plan.now });
        Result<void> done = statement ? Result<void>() : Result<void>(statement.error());
        if (statement) {
            CursorBatches batches(session, *statement);
            done = batches.open();
            done = done ? writeBatches(batches, formatter, sink) : Result<void>(render.located(done.error()));
        }
        if (!done) {
            session.rollback();
            return done;
        }
    }
    return session.commit();
}

} // namespace idemdesk::sql
