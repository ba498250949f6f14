// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/anchor_store.h"

#include "models/keys/private_file.h"
#include "sql/types/tr.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kLockMs = 2'000;

QString nameOf(const QString &systemId, quint32 databaseOid)
{
    return systemId + u'/' + QString::number(databaseOid);
}

} // namespace

AnchorStore::AnchorStore(QString path)
    : m_path(std::move(path))
{
    load();
}

void AnchorStore::load()
{
    const auto bytes = readPrivateFile(m_path);
    if (bytes && !*bytes) {
        return;
    }
    const QJsonDocument document = bytes ? QJsonDocument::fromJson(**bytes) : QJsonDocument();
    m_readable = document.isObject();
    const QJsonArray written = document.object().value(u"anchors"_s).toArray();
    for (const QJsonValue &value : written) {
        sql::AuditAnchor anchor;
        anchor.systemId = value[u"system"_s].toString();
        anchor.databaseOid = quint32(value[u"database_oid"_s].toInteger());
        anchor.database = value[u"database"_s].toString();
        anchor.seq = value[u"seq"_s].toInteger();
        anchor.hash = value[u"hash"_s].toString();
        anchor.at = sql::Timestamp::parse(value[u"at"_s].toString().replace(u'T', u' ').replace(u'Z', u"+00"_s))
                        .value_or(sql::Timestamp());
        if (anchor.seq > 0 && !anchor.hash.isEmpty()) {
            m_anchors.insert(nameOf(anchor.systemId, anchor.databaseOid), anchor);
        }
    }
}

QString AnchorStore::defaultPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/anchors.json"_s;
}

std::optional<sql::AuditAnchor> AnchorStore::anchorOf(const QString &systemId, quint32 databaseOid) const
{
    const auto it = m_anchors.constFind(nameOf(systemId, databaseOid));
    return it == m_anchors.constEnd() ? std::nullopt : std::optional(*it);
}

sql::Result<void> AnchorStore::keep(const sql::AuditAnchor &anchor)
{
    QDir().mkpath(QFileInfo(m_path).absolutePath());
    // Another console of this user may have noted other databases meanwhile.
    QLockFile lock(m_path + u".lock"_s);
    lock.tryLock(kLockMs);
    load();
    m_anchors.insert(nameOf(anchor.systemId, anchor.databaseOid), anchor);
    QJsonArray written;
    for (const sql::AuditAnchor &each : std::as_const(m_anchors)) {
        written.append(QJsonObject { { u"system"_s, each.systemId }, { u"database_oid"_s, qint64(each.databaseOid) },
            { u"database"_s, each.database }, { u"seq"_s, each.seq }, { u"hash"_s, each.hash },
            { u"at"_s, each.at.toRfc3339() } });
    }
    sql::Error error;
    if (m_readable) {
        const auto kept = writePrivateFile(m_path, QJsonDocument(QJsonObject { { u"anchors"_s, written } }).toJson());
        if (kept) {
            return {};
        }
        error = kept.error();
    }
    error.kind = sql::ErrorKind::File;
    error.what = Tr::tr("The newest row of the audit log could not be noted on this computer.");
    error.why = m_readable ? Tr::tr("%1: %2").arg(m_path, error.why)
                           : Tr::tr("%1 is there and cannot be read; it is not overwritten.").arg(m_path);
    error.todo = Tr::tr("Without the note, nobody can tell later whether the audit log was cut off or rewritten.");
    return error;
}

} // namespace idemdesk::models
