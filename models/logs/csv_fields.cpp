// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/csv_fields.h"

namespace idemdesk::models {

std::optional<QByteArrayList> csvFields(const QByteArray &record, char separator)
{
    QByteArrayList fields;
    QByteArray field;
    bool quoted = false;
    for (qsizetype i = 0; i < record.size(); ++i) {
        const char c = record[i];
        if (quoted) {
            if (c != '"') {
                field += c;
            } else if (i + 1 < record.size() && record[i + 1] == '"') {
                field += '"';
                ++i;
            } else {
                quoted = false;
            }
        } else if (c == '"' && field.isEmpty()) {
            quoted = true;
        } else if (c == separator) {
            fields.append(field);
            field.clear();
        } else {
            field += c;
        }
    }
    fields.append(field);
    return quoted ? std::nullopt : std::make_optional(fields);
}

} // namespace idemdesk::models
