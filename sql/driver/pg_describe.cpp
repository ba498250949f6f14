// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_describe.h"

#include "sql/driver/pg_exchange.h"
#include "sql/driver/pg_text.h"

#include <cstring>

namespace idemdesk::sql {

namespace {

bool queue(PGconn *connection, const QStringList &before, const QByteArray &sql)
{
    const auto bare = [connection](const QByteArray &statement) {
        return PQsendQueryParams(connection, statement.constData(), 0, nullptr, nullptr, nullptr, nullptr, 0) == 1;
    };
    if (PQenterPipelineMode(connection) != 1) {
        return false;
    }
    for (const QString &statement : before) {
        if (!bare(statement.toUtf8())) {
            return false;
        }
    }
    return PQsendPrepare(connection, "", sql.constData(), 0, nullptr) == 1
        && PQsendDescribePrepared(connection, "") == 1 && (before.isEmpty() || bare("COMMIT"))
        && PQpipelineSync(connection) == 1;
}

void read(const PGresult *result, PgDescription *description)
{
    for (int i = 0; i < PQnparams(result); ++i) {
        description->parameterTypes.append(PQparamtype(result, i));
    }
    for (int i = 0; i < PQnfields(result); ++i) {
        const char *name = PQfname(result, i);
        description->columnTypes.append(PQftype(result, i));
        description->columnNames.append(decodeText(name, qsizetype(std::strlen(name))));
    }
}

} // namespace

bool describeOn(const std::shared_ptr<PgLink> &link, const QByteArray &sql, PgDescription *description)
{
    link->abandonStream();
    if (!link->alive()) {
        link->failure = connectionGone();
        return false;
    }
    const bool alone = link->transactionStatus() == PQTRANS_IDLE;
    const QStringList before = alone ? link->envelope.before : QStringList();
    PgFailure failure;
    if (!queue(link->connection(), before, sql) || !link->flush()) {
        failure = failureOf(link->connection());
        failure.connectionLost = true; // half a pipeline is queued: of no more use
        link->drop();
    } else {
        const int described = int(before.size()) + 1; // after the prologue and the Parse
        link->readPipeline(
            0,
            [&](int number, PGresult *result) {
                if (number == described) {
                    read(result, description);
                }
            },
            &failure);
    }
    if (failure.present() && alone && link->alive() && link->transactionStatus() != PQTRANS_IDLE) {
        PgExchange rollback(link);
        if (rollback.send("ROLLBACK", {}, false)) {
            rollback.drain();
        }
    }
    if (failure.present()) {
        failure.connectionLost = failure.connectionLost || !link->alive();
        link->failure = failure;
    }
    link->settled();
    return !failure.present();
}

} // namespace idemdesk::sql
