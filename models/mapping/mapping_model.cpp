// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/mapping_model.h"

#include "models/format/labels.h"
#include "sql/types/statement.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr QLatin1StringView kScope { "scope/" };

QString columnSql(const QString &name)
{
    return u"t."_s + sql::quoteIdentifier(name);
}

/// The column that an expression plainly is, as a profile may write it: t.status, t."Status".
QString plainColumn(const QString &sqlText, const sql::RelationFacts &relation)
{
    for (const sql::ColumnFacts &column : relation.columns) {
        if (sqlText == columnSql(column.name) || sqlText == "t."_L1 + column.name) {
            return column.name;
        }
    }
    return {};
}

} // namespace

MappingModel::MappingModel(QObject *parent)
    : RowModel(parent)
{
}

void MappingModel::setProfile(const sql::Profile &profile, const sql::RelationFacts &relation)
{
    beginResetModel();
    m_relation = relation;
    m_rows.clear();
    const auto lineOf
        = [](const QString &id, const QString &title, const QString &help, const sql::Expression &expression) {
              Line line;
              line.id = id;
              line.title = title;
              line.help = help;
              line.sql = expression.sql;
              line.form = expression.form;
              line.zone = expression.zone;
              return line;
          };
    Line key = lineOf(u"key"_s, tr("Key"), tr("The idempotency key or message id."), profile.key);
    key.required = true;
    m_rows.append(key);
    for (const sql::LabelledExpression &scope : profile.scope) {
        m_rows.append(lineOf(kScope + scope.label, tr("Scope: %1").arg(displayText(scope.label, 60)),
            tr("A part of the domain that the key is unique in."), scope.value));
    }
    for (const sql::Role role : sql::kAllOf<sql::Role>) {
        m_rows.append(lineOf(sql::roleName(role), roleTitle(role), roleHelp(role), profile.role(role)));
    }
    endResetModel();
}

sql::Profile MappingModel::applied(const sql::Profile &base) const
{
    sql::Profile profile = base;
    profile.scope.clear();
    profile.roles.clear();
    const auto expressionOf = [this](const Line &line, const sql::Expression &before) {
        if (line.sql == before.sql && line.form == before.form && line.zone == before.zone) {
            return before;
        }
        sql::Expression expression;
        expression.sql = line.sql;
        expression.form = line.form;
        expression.zone = line.zone;
        expression.column = plainColumn(line.sql, m_relation);
        return expression;
    };
    for (const Line &line : m_rows) {
        if (line.id == "key"_L1) {
            profile.key = expressionOf(line, base.key);
        } else if (line.id.startsWith(kScope)) {
            const QString label = line.id.mid(kScope.size());
            sql::Expression before;
            for (const sql::LabelledExpression &part : base.scope) {
                if (part.label == label) {
                    before = part.value;
                }
            }
            if (!line.sql.isEmpty()) {
                profile.scope.append({ label, expressionOf(line, before) });
            }
        } else if (const auto role = sql::roleFromName(line.id); role && !line.sql.isEmpty()) {
            profile.roles.insert(*role, expressionOf(line, base.role(*role)));
        }
    }
    return profile;
}

void MappingModel::setSamples(const QStringList &ids, const QList<sql::Cells> &samples)
{
    for (int i = 0; i < ids.size() && i < samples.size(); ++i) {
        for (int row = 0; row < m_rows.size(); ++row) {
            Line &line = m_rows[row];
            if (line.id != ids.at(i)) {
                continue;
            }
            line.sample = samples.at(i);
            line.failed = !line.sample.isEmpty() && line.sample.constFirst().failed();
            line.note = line.failed ? line.sample.constFirst().error : QString();
            sayRowAnew(row);
        }
    }
}

namespace {

bool isAbout(const MappingModel::Line &line, const QString &jsonPath)
{
    const QString path = line.id == "key"_L1 ? u"$.key"_s : u"$.roles."_s + line.id;
    return jsonPath == path || jsonPath.startsWith(path + u'.');
}

} // namespace

QString MappingModel::labelOf(const QString &jsonPath) const
{
    const auto line = std::find_if(
        m_rows.cbegin(), m_rows.cend(), [&jsonPath](const Line &known) { return isAbout(known, jsonPath); });
    return line != m_rows.cend() ? line->title : QString();
}

void MappingModel::setFindings(const QList<sql::Finding> &findings)
{
    for (Line &line : m_rows) {
        for (const sql::Finding &finding : findings) {
            if (isAbout(line, finding.jsonPath)) {
                line.note = finding.text;
                line.failed = finding.severity == sql::Finding::Severity::Problem;
            }
        }
    }
    sayAllAnew();
}

void MappingModel::addScopePart(const QString &label)
{
    const QString id = kScope + label.trimmed();
    int at = 1;
    for (const Line &line : std::as_const(m_rows)) {
        if (line.id == id) {
            return;
        }
        at += line.id.startsWith(kScope) ? 1 : 0;
    }
    if (label.trimmed().isEmpty() || m_rows.isEmpty()) {
        return;
    }
    beginInsertRows({}, at, at);
    Line line;
    line.id = id;
    line.title = tr("Scope: %1").arg(displayText(label.trimmed(), 60));
    line.help = tr("A part of the domain that the key is unique in.");
    m_rows.insert(at, line);
    endInsertRows();
    emit edited(id);
}

void MappingModel::removeScopePart(int part)
{
    const int row = part + 1;
    if (part < 0 || row >= m_rows.size() || !m_rows.at(row).id.startsWith(kScope)) {
        return;
    }
    const QString id = m_rows.at(row).id;
    beginRemoveRows({}, row, row);
    m_rows.removeAt(row);
    endRemoveRows();
    emit edited(id);
}

namespace {

QString sampleText(const sql::Cells &sample)
{
    QStringList values;
    for (const sql::Cell &cell : sample) {
        if (!cell.failed()) {
            values.append(cell.null ? u"NULL"_s : cellText(cell, 60));
        }
    }
    values.removeDuplicates();
    return values.join(u"  ·  ");
}

} // namespace

std::span<const MappingModel::ColumnSpec> MappingModel::columns()
{
    using Model = MappingModel;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Role"); },
            .text = [](const Model &, const Line &line) { return line.title; },
            .toolTip = [](const Model &, const Line &line) { return line.help; } },
        { .title = [] { return tr("SQL (t is the row)"); },
            .text = [](const Model &, const Line &line) { return line.sql; } },
        { .title = [] { return tr("Values found"); },
            .text = [](const Model &, const Line &line) { return sampleText(line.sample); } },
        { .title = [] { return tr("Note"); }, .text = [](const Model &, const Line &line) { return line.note; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant MappingModel::itemData(const Line &line, int column, int role) const
{
    const auto shown = [&] { return displayText(columns()[std::size_t(column)].text(*this, line)); };
    switch (role) {
    case Qt::EditRole:
        return column == Sql ? line.sql : shown();
    case Qt::AccessibleTextRole:
        return QString(line.title + u": "_s + shown());
    case LineRole:
        return line.id;
    case FailedRole:
        return line.failed;
    case RequiredRole:
        return line.required;
    case ColumnNamesRole: {
        QStringList names;
        for (const sql::ColumnFacts &known : m_relation.columns) {
            names.append(columnSql(known.name));
        }
        return names;
    }
    default:
        return {};
    }
}

bool MappingModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != Sql || role != Qt::EditRole) {
        return false;
    }
    Line &line = m_rows[index.row()];
    QString text = value.toString().trimmed();
    if (m_relation.column(text) != nullptr) {
        text = columnSql(text); // a bare column name is what people type
    }
    if (text == line.sql) {
        return true;
    }
    line.sql = text;
    line.form = sql::TimeForm::Native; // the old column's way of keeping time says nothing of the new one
    line.zone.clear();
    line.sample.clear();
    line.note.clear();
    line.failed = false;
    sayRowAnew(index.row());
    emit edited(line.id);
    return true;
}

Qt::ItemFlags MappingModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = RowModel::flags(index);
    return index.isValid() && index.column() == Sql ? flags | Qt::ItemIsEditable : flags;
}

} // namespace idemdesk::models

#include "moc_mapping_model.cpp"
