// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/known_library.h"

#include "sql/profile/profile_json.h"
#include "sql/profile/relation_name.h"
#include "sql/types/statement.h"

#include <QRegularExpression>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Columns of its table that a profile reads or writes.
QSet<QString> columnsOf(const Profile &profile, const QString &json)
{
    static const QRegularExpression read(u"\\bt\\.([a-z_][a-z0-9_]*)"_s);
    QSet<QString> columns(profile.guard.cbegin(), profile.guard.cend());
    columns += QSet<QString>(profile.identity.cbegin(), profile.identity.cend());
    for (auto it = read.globalMatch(json); it.hasNext();) {
        columns += it.next().captured(1);
    }
    for (const QList<ActionRule> *rules : { &profile.recover, &profile.requeue, &profile.reclassify }) {
        for (const ActionRule &rule : *rules) {
            for (const auto &[column, value] : rule.set) {
                columns += column;
            }
        }
    }
    return columns;
}

} // namespace

std::optional<Profile> knownLibrary(const RelationFacts &relation)
{
    for (const Profile &preset : presetProfiles()) {
        const auto name = parseRelationName(preset.relation);
        if (!preset.extra.contains(u"x_library"_s) || !name || name->name != relation.name || relation.isView()) {
            continue;
        }
        QString json = QString::fromUtf8(profileToJson(preset));
        const QSet<QString> columns = columnsOf(preset, json);
        const bool fits = std::all_of(columns.cbegin(), columns.cend(),
            [&relation](const QString &column) { return relation.column(column) != nullptr; });
        if (!fits) {
            continue;
        }
        if (name->schema == relation.schema) {
            return preset;
        }
        // Its other tables lie in the same schema. As the text stands in JSON, what is quoted in SQL is escaped there.
        const QString schema = quoteIdentifier(relation.schema).replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
        json.replace(name->schema + u'.', schema + u'.');
        auto moved = profileFromJson(json.toUtf8(), preset.name);
        if (moved) {
            static const QRegularExpression other(u"[^A-Za-z0-9._-]+"_s);
            moved->name = (preset.name + u'-' + QString(relation.schema).replace(other, u"-"_s)).left(63);
            return *moved;
        }
    }
    return std::nullopt;
}

} // namespace idemdesk::sql
