// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/audit_export.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// Spreadsheets run what begins like a formula, also behind blanks.
QByteArray csvCell(const QString &text)
{
    QString cell = text;
    const QString trimmed = text.trimmed();
    if (!trimmed.isEmpty() && u"=+-@|"_s.contains(trimmed.front())) {
        cell.prepend(u'\'');
    }
    if (cell.contains(u'"') || cell.contains(u',') || cell.contains(u'\n') || cell.contains(u'\r')) {
        cell.replace(u'"', u"\"\""_s);
        cell = u'"' + cell + u'"';
    }
    return cell.toUtf8();
}

} // namespace

QByteArray auditText(const QList<sql::AuditRow> &rows, AuditFormat format)
{
    if (format == AuditFormat::Json) {
        QJsonArray array;
        for (const sql::AuditRow &row : rows) {
            const auto text = [](const QString &value) { return value.isEmpty() ? QJsonValue() : QJsonValue(value); };
            array.append(QJsonObject { { u"seq"_s, row.seq }, { u"at"_s, row.at.toRfc3339() }, { u"who"_s, row.who }, { u"role"_s, row.role },
                { u"pid"_s, row.pid }, { u"address"_s, text(row.address) }, { u"application"_s, text(row.application) }, { u"action"_s, text(row.action) },
                { u"batch"_s, row.batch > 0 ? QJsonValue(row.batch) : QJsonValue() }, { u"what"_s, row.what }, { u"target"_s, text(row.target) },
                { u"facts"_s, QJsonDocument::fromJson(row.factsJson).object() }, { u"hash"_s, row.hash }, { u"previous_hash"_s, row.previousHash } });
        }
        return QJsonDocument(array).toJson();
    }
    QByteArray out = "seq,at,who,role,address,application,what,target,action,batch,facts,hash,previous_hash\r\n";
    for (const sql::AuditRow &row : rows) {
        const QStringList cells { QString::number(row.seq), row.at.toRfc3339(), row.who, row.role, row.address, row.application, row.what, row.target,
            row.action, row.batch > 0 ? QString::number(row.batch) : QString(), QString::fromUtf8(row.factsJson), row.hash, row.previousHash };
        QByteArrayList line;
        for (const QString &cell : cells) {
            line.append(csvCell(cell));
        }
        out += line.join(',') + "\r\n";
    }
    return out;
}

} // namespace idemdesk::models
