// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/key_table.h"

#include "app/ctl/out/output.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

QString valueText(const sql::Cell &cell)
{
    return cell.failed() ? u"!"_s + cell.error : cell.null ? u"–"_s : cell.text;
}

QString stateText(const sql::KeyRecord &record)
{
    QString text = sql::stateName(record.state);
    if (record.stale.value_or(false)) {
        text += u" (stuck)"_s;
    } else if (record.expired.value_or(false)) {
        text += u" (expired)"_s;
    }
    return text;
}

QString keyTable(const sql::Target &target, const QList<sql::KeyRecord> &rows, const QStringList &members)
{
    static constexpr sql::Role kShown[] = { sql::Role::Attempts, sql::Role::CreatedAt, sql::Role::LeaseUntil,
        sql::Role::Owner, sql::Role::ExpiresAt, sql::Role::ResultType, sql::Role::ResultId, sql::Role::ErrorCode };
    QStringList header = members.isEmpty() ? QStringList() : QStringList { Tr::tr("MEMBER") };
    for (const auto &part : target.profile.scope) {
        header += part.label.toUpper();
    }
    header += { Tr::tr("KEY"), Tr::tr("STATE") };
    for (const sql::Role role : kShown) {
        if (target.profile.has(role)) {
            header += sql::roleName(role).toUpper();
        }
    }
    for (const sql::FieldSpec &field : target.profile.fields) {
        header += field.label.toUpper();
    }
    QList<QStringList> lines;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        const sql::KeyRecord &record = rows.at(row);
        QStringList cells = members.mid(row, 1);
        for (const sql::Cell &part : record.scope) {
            cells += valueText(part);
        }
        cells += { valueText(record.key), stateText(record) };
        for (const sql::Role role : kShown) {
            if (target.profile.has(role)) {
                const auto time = sql::isTimeRole(role) ? record.time(role) : std::nullopt;
                cells += time ? timeCell(*time) : valueText(record.role(role));
            }
        }
        for (qsizetype i = 0; i < target.profile.fields.size(); ++i) {
            const sql::Cell cell = record.fields.value(i);
            const auto time = target.profile.fields.at(i).type == sql::FieldType::Time && !cell.null
                ? sql::Timestamp::parse(cell.text)
                : std::nullopt;
            cells += time ? timeCell(*time) : valueText(cell);
        }
        lines += cells;
    }
    return table(header, lines);
}

} // namespace idemdesk::app
