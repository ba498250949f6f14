// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/audit_export.h"

#include "models/async.h"
#include "models/format/csv_cell.h"
#include "models/json/json_document.h"
#include "sql/types/tr.h"

#include <QBuffer>

#include <algorithm>
#include <limits>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kPart = 5'000; // rows

QByteArray csvLine(const sql::AuditRow &row)
{
    const QStringList cells { QString::number(row.seq), row.at.toRfc3339(), row.who, row.role, QString::number(row.pid),
        row.address, row.application, row.action, row.batch > 0 ? QString::number(row.batch) : QString(), row.what,
        row.target, QString::fromUtf8(row.factsJson), row.itemsSha, row.previousHash, row.hash };
    constexpr int kApplication = 6; // is never NULL: nothing in it is an empty text
    QByteArrayList line;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        line.append(i == kApplication && cells.at(i).isEmpty() ? QByteArray("\"\"") : csvCell(cells.at(i)));
    }
    return line.join(',') + "\r\n";
}

bool isJsonObject(const QByteArray &text)
{
    const auto document = JsonDocument::parse(QString::fromUtf8(text));
    return document.ok() && document->type(JsonDocument::kRoot) == JsonDocument::Type::Object;
}

/// Facts go in as they are: a number read and written again would not be the one that was hashed.
QByteArray jsonObject(const sql::AuditRow &row)
{
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
    const auto text = [&json](const char *name, const QString &value, bool emptyIsNull) {
        json.Key(name);
        if (value.isEmpty() && emptyIsNull) {
            json.Null();
            return;
        }
        const QByteArray bytes = value.toUtf8();
        json.String(bytes.constData(), rapidjson::SizeType(bytes.size()));
    };
    json.StartObject();
    json.Key("seq");
    json.Int64(row.seq);
    text("at", row.at.toRfc3339(), false);
    text("who", row.who, false);
    text("role", row.role, false);
    json.Key("pid");
    json.Int(row.pid);
    text("address", row.address, true);
    text("application", row.application, false);
    text("action", row.action, true);
    json.Key("batch");
    row.batch > 0 ? json.Int(row.batch) : json.Null();
    text("what", row.what, false);
    text("target", row.target, true);
    if (isJsonObject(row.factsJson)) {
        json.Key("facts");
        json.RawValue(row.factsJson.constData(), size_t(row.factsJson.size()), rapidjson::kObjectType);
    } else {
        text("facts", QString::fromUtf8(row.factsJson),
            false); // no server of ours says so; the file stays JSON all the same
    }
    text("items_sha", row.itemsSha, true);
    text("previous_hash", row.previousHash, false);
    text("hash", row.hash, false);
    json.EndObject();
    return QByteArray(buffer.GetString(), qsizetype(buffer.GetSize()));
}

} // namespace

AuditWriter::AuditWriter(QIODevice *out, AuditFormat format)
    : m_out(out)
    , m_format(format)
{
}

bool AuditWriter::write(const QByteArray &bytes)
{
    return m_out->write(bytes) == bytes.size();
}

bool AuditWriter::begin()
{
    return m_format == AuditFormat::JsonLines
        || write(QByteArray(
            "seq,at,who,role,pid,address,application,action,batch,what,target,facts,items_sha,previous_hash,hash\r\n"));
}

bool AuditWriter::rows(const QList<sql::AuditRow> &rows)
{
    QByteArray bytes;
    for (const sql::AuditRow &row : rows) {
        bytes += m_format == AuditFormat::JsonLines ? jsonObject(row) + '\n' : csvLine(row);
    }
    return write(bytes);
}

QByteArray auditText(const QList<sql::AuditRow> &rows, AuditFormat format)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    AuditWriter writer(&buffer, format);
    writer.begin();
    writer.rows(rows);
    return buffer.data();
}

sql::Result<qint64> writeTrail(sql::Session &session, sql::AuditFilter filter, QIODevice &out, AuditFormat format)
{
    AuditWriter writer(&out, format);
    bool written = writer.begin();
    const qint64 most = filter.limit > 0 ? filter.limit : std::numeric_limits<qint64>::max();
    qint64 count = 0;
    while (written && count < most) {
        filter.limit = int(std::min<qint64>(kPart, most - count));
        TRY(const auto rows, sql::readAudit(session, filter));
        if (session.cancelled()) {
            return abandonedError();
        }
        written = writer.rows(rows);
        count += rows.size();
        if (rows.size() < filter.limit) {
            break;
        }
        filter.before = rows.constLast().seq;
    }
    if (!written) {
        return sql::makeError(sql::ErrorKind::File, Tr::tr("The audit log could not be written."), out.errorString());
    }
    return count;
}

} // namespace idemdesk::models
