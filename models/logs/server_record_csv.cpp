// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/csv_fields.h"
#include "models/logs/server_record.h"

namespace idemdesk::models {

std::optional<ServerRecord> recordFromCsv(const QByteArray &line)
{
    enum Column {
        Time,
        User,
        Database,
        Pid,
        From,
        Session,
        SessionLine,
        Tag,
        Start,
        VirtualId,
        TransactionId,
        Severity,
        State,
        Message,
        Detail,
        Hint,
        InternalQuery,
        InternalPosition,
        Context,
        Query,
        QueryPosition,
        Location,
        Application
    };
    constexpr qsizetype leastColumns = 23; // PostgreSQL 12 and before; later ones have more
    constexpr qsizetype mostColumns = 40;
    const auto fields = csvFields(line);
    if (!fields || fields->size() < leastColumns || fields->size() > mostColumns || fields->at(State).size() != 5) {
        return std::nullopt;
    }
    ServerRecord record;
    const auto text = [&](Column column) { return decodedText(fields->at(column), &record.otherEncoding); };
    record.time = text(Time);
    record.user = text(User);
    record.database = text(Database);
    record.session = text(Session);
    record.sessionLine = text(SessionLine);
    record.application = text(Application);
    record.sqlState = text(State);
    record.message = text(Message);
    record.detail = text(Detail);
    record.context = text(Context);
    record.statement = text(Query);
    return record;
}

} // namespace idemdesk::models
