// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/key_columns.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kHelpChars = 300;
constexpr const char *kContext = "idemdesk::models::KeyColumns";

/// Everything that does not depend on the target. Title and help are of the first role where none is given.
struct Descriptor {
    KeyColumn value {};
    const char16_t *name = nullptr; ///< its id; a part of the scope and a field have their label after it
    const char *title = nullptr; ///< null: the role's
    const char *help = nullptr;
    std::optional<sql::Role> role;
    std::optional<sql::Role> otherRole; ///< the column is there if the profile has either, and is made of both
    int width = 0;
    bool visible = false;
    bool number = false;
    bool monospace = false;
    int rank = 10; ///< see KeyColumnSpec
};

using sql::Role;

constexpr sql::EnumNames<Descriptor> kDescriptors { {
    { KeyColumn::ScopePart, u"scope", nullptr,
        QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "A part of the domain that the key is unique in."), {}, {},
        116, true, false, false, 1 },
    { KeyColumn::Key, u"key", QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "Key"),
        QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "The idempotency key or message id."), {}, {}, 240, true,
        false, true, 0 },
    { KeyColumn::State, u"state", QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "State"),
        QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "What the row stands for; the raw status is in the tooltip."),
        {}, {}, 130, true, false, false, 0 },
    { KeyColumn::Attempts, u"attempts", nullptr, nullptr, Role::Attempts, {}, 76, true, true, false, 4 },
    { KeyColumn::Age, u"age", QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "Age"),
        QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "Time since the key was created, by the server's clock."),
        Role::CreatedAt, Role::ClaimedAt, 90, true, true, false, 2 },
    { KeyColumn::Lease, u"lease", QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "Lease"), nullptr, Role::LeaseUntil,
        {}, 110, true, true, false, 3 },
    { KeyColumn::Owner, u"owner", nullptr, nullptr, Role::Owner, {}, 120, true, false, false, 6 },
    { KeyColumn::Expires, u"expires", nullptr, nullptr, Role::ExpiresAt, {}, 110, true, true, false, 8 },
    { KeyColumn::Result, u"result", QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "Result"),
        QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "What the request made, as type and id."), Role::ResultType,
        Role::ResultId, 180, true, false, false, 7 },
    { KeyColumn::Error, u"error", QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "Error"), nullptr, Role::ErrorCode,
        Role::ErrorMessage, 220, true, false, false, 5 },
    { KeyColumn::Status, u"status", QT_TRANSLATE_NOOP("idemdesk::models::KeyColumns", "Raw status"), nullptr,
        Role::Status, {}, 110, false, false, false },
    { KeyColumn::Created, u"created", nullptr, nullptr, Role::CreatedAt, {}, 150, false, true, false },
    { KeyColumn::Updated, u"updated", nullptr, nullptr, Role::UpdatedAt, {}, 150, false, true, false },
    { KeyColumn::Claimed, u"claimed", nullptr, nullptr, Role::ClaimedAt, {}, 150, false, true, false },
    { KeyColumn::Completed, u"completed", nullptr, nullptr, Role::CompletedAt, {}, 150, false, true, false },
    { KeyColumn::Heartbeat, u"heartbeat", nullptr, nullptr, Role::HeartbeatAt, {}, 150, false, true, false },
    { KeyColumn::Fingerprint, u"fingerprint", nullptr, nullptr, Role::Fingerprint, {}, 160, false, false, true },
    { KeyColumn::Code, u"code", nullptr, nullptr, Role::ResponseCode, {}, 90, false, true, false },
    { KeyColumn::Own, u"field", nullptr, nullptr, {}, {}, 120, true, false, false, 9 },
} };

/// A text of the table, else what the role says.
QString textOr(const char *text, const std::optional<sql::Role> &role, QString (*ofRole)(sql::Role))
{
    return text != nullptr ? QCoreApplication::translate(kContext, text) : role ? ofRole(*role) : QString();
}

/// One column for each field of the profile's own.
void appendFields(const sql::Profile &profile, const KeyColumnSpec &form, QList<KeyColumnSpec> *columns)
{
    for (int i = 0; i < profile.fields.size(); ++i) {
        const sql::FieldSpec &field = profile.fields.at(i);
        KeyColumnSpec spec = form;
        spec.part = i;
        spec.id += u':' + field.label;
        spec.title = labelTitle(field.label);
        spec.help = displayText(field.value.sql, kHelpChars);
        spec.time = field.type == sql::FieldType::Time;
        spec.number = field.type != sql::FieldType::Text;
        columns->append(spec);
    }
}

} // namespace

std::optional<sql::Role> shownRole(KeyColumn column)
{
    return kDescriptors[column].otherRole ? std::nullopt : kDescriptors[column].role;
}

QString orderOf(const KeyColumnSpec &column, const sql::Profile &profile)
{
    if (column.column == KeyColumn::Key) {
        return profile.keyIsIdentity() ? u"identity"_s : QString();
    }
    const auto role = column.column == KeyColumn::Age ? std::optional(sql::Role::CreatedAt) : shownRole(column.column);
    const bool own = column.column == KeyColumn::Own;
    if (!own && !role) {
        return {};
    }
    // An order of the profile's own over the same value stands for the role's or the field's.
    const sql::Expression value = own ? profile.fields.at(column.part).value : profile.role(*role);
    for (const sql::OrderSpec &order : profile.orders) {
        if (order.value == value) {
            return order.label;
        }
    }
    return own ? profile.fields.at(column.part).label : sql::roleName(*role);
}

QList<KeyColumnSpec> keyColumns(const sql::Target &target)
{
    QList<KeyColumnSpec> columns;
    const auto &scope = target.profile.scope;
    for (const Descriptor &descriptor : kDescriptors) {
        const bool wanted = !descriptor.role || target.profile.has(*descriptor.role)
            || (descriptor.otherRole && target.profile.has(*descriptor.otherRole));
        if (!wanted) {
            continue;
        }
        KeyColumnSpec spec;
        spec.column = descriptor.value;
        spec.id = QString::fromUtf16(descriptor.name);
        spec.title = textOr(descriptor.title, descriptor.role, roleTitle);
        spec.help = textOr(descriptor.help, descriptor.role, roleHelp);
        spec.width = descriptor.width;
        spec.visible = descriptor.visible;
        spec.number = descriptor.number;
        spec.monospace = descriptor.monospace;
        spec.rank = descriptor.rank;
        spec.time = descriptor.value == KeyColumn::Age
            || (descriptor.role && !descriptor.otherRole && sql::isTimeRole(*descriptor.role));
        if (spec.column == KeyColumn::Own) {
            appendFields(target.profile, spec, &columns);
            continue;
        }
        if (spec.column != KeyColumn::ScopePart) {
            columns.append(spec);
            continue;
        }
        for (int part = 0; part < scope.size(); ++part) {
            KeyColumnSpec ofPart = spec;
            ofPart.part = part;
            ofPart.id += u':' + scope.at(part).label;
            ofPart.title = labelTitle(scope.at(part).label);
            columns.append(ofPart);
        }
    }
    return columns;
}

} // namespace idemdesk::models
