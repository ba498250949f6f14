// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/finding_spool.h"

#include "models/keys/private_file.h"
#include "sql/types/tr.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr QDataStream::Version kSpoolVersion = QDataStream::Qt_6_4;

sql::Error spoolError(const QString &why)
{
    return sql::makeError(sql::ErrorKind::File, Tr::tr("What was found in the statement could not be kept."), why,
        Tr::tr("Make room in the folder for temporary files."));
}

void putTime(QDataStream &out, const std::optional<sql::Timestamp> &time)
{
    out << time.has_value();
    if (time) {
        out << quint8(time->kind) << time->micros;
    }
}

std::optional<sql::Timestamp> takeTime(QDataStream &in)
{
    bool there = false;
    in >> there;
    if (!there) {
        return std::nullopt;
    }
    quint8 kind = 0;
    sql::Timestamp time;
    in >> kind >> time.micros;
    time.kind = static_cast<sql::Timestamp::Kind>(kind);
    return time;
}

void putHere(QDataStream &out, const std::optional<sql::HereRow> &here)
{
    out << here.has_value();
    if (here) {
        out << here->reference << here->identity << here->scope << here->key << here->amount << here->currency
            << qint32(here->state) << qint32(here->provider) << here->stale.has_value() << here->stale.value_or(false);
    }
}

std::optional<sql::HereRow> takeHere(QDataStream &in)
{
    bool there = false;
    in >> there;
    if (!there) {
        return std::nullopt;
    }
    sql::HereRow here;
    qint32 state = 0;
    qint32 provider = 0;
    bool told = false;
    bool stale = false;
    in >> here.reference >> here.identity >> here.scope >> here.key >> here.amount >> here.currency >> state >> provider
        >> told >> stale;
    here.state = static_cast<sql::KeyState>(state);
    here.provider = static_cast<sql::ProviderState>(provider);
    here.stale = told ? std::optional(stale) : std::nullopt;
    return here;
}

} // namespace

sql::Result<std::shared_ptr<FindingSpool>> FindingSpool::open()
{
    const std::shared_ptr<FindingSpool> spool(new FindingSpool);
    return spool->m_folder.isValid()
        ? sql::Result<std::shared_ptr<FindingSpool>>(spool)
        : sql::Result<std::shared_ptr<FindingSpool>>(spoolError(spool->m_folder.errorString()));
}

sql::Result<void> FindingSpool::fill(const std::function<sql::Result<void>()> &find)
{
    const auto written = writePrivateFile(path(), [&](QIODevice &out) -> sql::Result<qint64> {
        m_out.setDevice(&out);
        m_out.setVersion(kSpoolVersion);
        const auto found = find();
        m_out.setDevice(nullptr);
        return found ? sql::Result<qint64>(m_size) : sql::Result<qint64>(found.error());
    });
    return written ? sql::Result<void>() : sql::Result<void>(written.error());
}

sql::Result<void> FindingSpool::add(const StatementFinding &finding)
{
    m_out << qint32(finding.kind) << finding.reference << finding.lines << finding.text << finding.allLines
          << finding.statementAmount << finding.statementCurrency << finding.detail;
    putHere(m_out, finding.here);
    putTime(m_out, finding.askedAt);
    putTime(m_out, finding.coveredFrom);
    putTime(m_out, finding.coveredTo);
    putTime(m_out, finding.lineAt);
    ++m_size;
    return m_out.status() == QDataStream::Ok ? sql::Result<void>()
                                             : sql::Result<void>(spoolError(m_out.device()->errorString()));
}

sql::Result<void> FindingSpool::each(const std::function<sql::Result<void>(const StatementFinding &)> &onFinding) const
{
    QFile file(path());
    if (!file.open(QIODevice::ReadOnly)) {
        return spoolError(file.errorString());
    }
    QDataStream in(&file);
    in.setVersion(kSpoolVersion);
    for (qint64 i = 0; i < m_size; ++i) {
        StatementFinding finding;
        qint32 kind = 0;
        in >> kind >> finding.reference >> finding.lines >> finding.text >> finding.allLines >> finding.statementAmount
            >> finding.statementCurrency >> finding.detail;
        finding.kind = static_cast<StatementFindingKind>(kind);
        finding.here = takeHere(in);
        finding.askedAt = takeTime(in);
        finding.coveredFrom = takeTime(in);
        finding.coveredTo = takeTime(in);
        finding.lineAt = takeTime(in);
        if (in.status() != QDataStream::Ok) {
            return spoolError(file.errorString());
        }
        TRY(onFinding(finding));
    }
    return {};
}

} // namespace idemdesk::models
