// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_file.h"

#include "models/connection/connection_fields.h"
#include "sql/profile/codec_values.h"
#include "sql/types/tr.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using namespace sql::codec;
using sql::ConnectionGroup;
using sql::GroupKind;
using sql::GroupMember;
using sql::JsonNode;
using sql::ProfileReading;

constexpr qint64 kMostGroupBytes = 1024 * 1024; // a group is some hundred bytes; a wrong file shall not take long

Codec<ConnectionGroup> version()
{
    return { [](ProfileReading &reading, const JsonNode &node, ConnectionGroup * /*to*/) {
                if (node.kind != JsonNode::Kind::Number || node.text != u"1") {
                    reading.fail(node, u"1, the version of groups that this program knows"_s);
                }
            },
        [](const ConnectionGroup & /*from*/) { return JsonNode::ofNumber(u"1"_s); }, R"({"const":1})",
        u"1, the version of this format"_s, false };
}

Codec<QString> conninfo()
{
    Codec<QString> codec = text();
    codec.read = [](ProfileReading &reading, const JsonNode &node, QString *to) {
        *to = reading.text(node);
        if (to->isEmpty()) {
            return;
        }
        if (const auto good = checkConninfo(*to); !good) {
            // What stood there may hold the password.
            reading.failAt(node.path, Tr::tr("a conninfo with a password, or one that libpq does not understand"),
                u"libpq's key=value text, a URI or service=NAME, without a password"_s);
        }
    };
    return codec;
}

/// What names a member in every line and in the audit logs.
Codec<QString> label()
{
    Codec<QString> codec = text();
    codec.read = [](ProfileReading &reading, const JsonNode &node, QString *to) {
        *to = reading.text(node);
        if (!to->isEmpty() && !isMemberLabel(*to)) {
            reading.failAt(node.path, Tr::tr("another text"),
                u"a label of at most 60 letters, digits and signs, without blanks around it and without commas"_s);
        }
    };
    return codec;
}

const Codec<ConnectionGroup> &groupCodec()
{
    static const Codec<GroupMember> member = objectOf<GroupMember>({
        field(u"label"_s, &GroupMember::label, label(), Required),
        field(u"conninfo"_s, &GroupMember::conninfo, conninfo(), Required),
    });
    static const Codec<ConnectionGroup> group = objectOf<ConnectionGroup>(
        {
            { u"idemdesk_group"_s, version(), Required },
            field(u"name"_s, &ConnectionGroup::name, text(), Required),
            field(u"kind"_s, &ConnectionGroup::kind,
                choice<GroupKind>({ { u"regions"_s, GroupKind::Regions }, { u"shards"_s, GroupKind::Shards },
                                      { u"replicas"_s, GroupKind::Replicas } },
                    u"regions, shards or replicas"_s),
                Required),
            field(u"members"_s, &ConnectionGroup::members,
                distinct(listOf(member, true), u"each label once"_s, u"label"_s), Required),
        },
        [](ProfileReading &reading, const JsonNode &node, ConnectionGroup *to) {
            if (to->members.size() == 1) {
                reading.failMember(node, u"members"_s, u"at least two members"_s);
            }
        });
    return group;
}

} // namespace

bool isMemberLabel(const QString &label)
{
    constexpr qsizetype kMostChars = 60;
    const QList<uint> points = label.toUcs4();
    return !points.isEmpty() && points.size() <= kMostChars && label.trimmed() == label
        && std::all_of(points.cbegin(), points.cend(), [](uint point) {
               return point != u',' && (QChar::isPrint(point) || point == u' ')
                   && QChar::category(point) != QChar::Other_Format;
           });
}

sql::Result<ConnectionGroup> groupFromJson(const QByteArray &json, const QString &fileName)
{
    TRY(const auto tree, sql::parseJson(json, fileName));
    ConnectionGroup group;
    ProfileReading reading;
    groupCodec().read(reading, tree, &group);
    if (!reading.fault()) {
        return group;
    }
    sql::Error error = sql::makeError(sql::ErrorKind::Usage, Tr::tr("The group cannot be used."),
        Tr::tr("There stood %1; expected %2.").arg(reading.fault()->found, reading.fault()->expected),
        Tr::tr("Correct the file."));
    error.where = fileName + u": "_s + reading.fault()->path;
    return error;
}

sql::Result<ConnectionGroup> groupFromFile(const QString &path)
{
    const QString name = QFileInfo(path).fileName();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return sql::makeError(sql::ErrorKind::File, Tr::tr("The group %1 could not be read.").arg(name),
            file.errorString() + u'.', Tr::tr("Check the path and its rights."));
    }
    const QByteArray json = file.read(kMostGroupBytes + 1);
    if (json.size() > kMostGroupBytes) {
        return sql::makeError(sql::ErrorKind::File, Tr::tr("The group %1 could not be read.").arg(name),
            Tr::tr("It is larger than 1 MiB."), Tr::tr("Pick a group file."));
    }
    return groupFromJson(json, name);
}

QByteArray groupToJson(const ConnectionGroup &group)
{
    return sql::writeJson(groupCodec().write(group), 2) + '\n';
}

QByteArray groupSchema()
{
    return groupCodec().schema;
}

} // namespace idemdesk::models
