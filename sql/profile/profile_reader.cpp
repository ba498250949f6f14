// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/profile_reader.h"

#include "sql/profile/expression_sql.h"
#include "sql/profile/relation_name.h"
#include "sql/types/statement.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QStringList kTopKeys { u"idemdesk_profile"_s, u"name"_s, u"title"_s, u"kind"_s, u"relation"_s, u"identity"_s,
    u"identity_stable"_s, u"scope"_s, u"key"_s, u"roles"_s, u"states"_s, u"stale"_s, u"guard"_s, u"actions"_s, u"purge"_s,
    u"orders"_s, u"aliases"_s, u"effects"_s, u"policies"_s, u"advisory_lock"_s };
const QStringList kReservedKeys { u"masking"_s, u"fingerprint_recipe"_s, u"diff_ignore"_s, u"business_reference"_s,
    u"alerts"_s, u"links"_s, u"history"_s };
const QList<KeyState> kWaiting { KeyState::Pending, KeyState::InProgress };
constexpr int kFormatVersion = 1;

} // namespace

void ProfileReader::timeForm(const JsonNode &node, Expression *expression)
{
    const QString as = text(node, u"as"_s, false);
    if (as.isEmpty()) {
        return;
    }
    if (as == u"epoch_ms") {
        expression->form = TimeForm::EpochMs;
    } else if (as == u"epoch_s") {
        expression->form = TimeForm::EpochS;
    } else if (as == u"utc") {
        expression->form = TimeForm::Utc;
    } else if (as == u"iso") {
        expression->form = TimeForm::Iso;
    } else if (as.startsWith(u"zone:") && as.size() > 5) {
        expression->form = TimeForm::Zone;
        expression->zone = as.mid(5);
    } else {
        fail(*node.member(u"as"_s), u"epoch_ms, epoch_s, utc, iso, or zone: and a time zone's name"_s);
    }
}

/// "column" or "sql" with "as", "plus" and "when"; the caller has checked the object's keys.
Expression ProfileReader::timeMembers(const JsonNode &node)
{
    Expression expression;
    const QString column = text(node, u"column"_s, false);
    const QString written = sql(node, u"sql"_s, kNowOnly, false);
    if (column.isEmpty() == written.isEmpty()) {
        fail(node, u"either “column” or “sql” in it"_s);
        return expression;
    }
    expression.sql = column.isEmpty() ? written : u"t."_s + quoteIdentifier(column);
    expression.column = column.isEmpty() ? plainColumn(written) : column;
    timeForm(node, &expression);
    expression.plus = duration(node, u"plus"_s, true);
    expression.when = sql(node, u"when"_s, kNowOnly, false);
    return expression;
}

Expression ProfileReader::timeExpression(const JsonNode &node)
{
    if (node.isObject()) {
        object(node, { u"column"_s, u"sql"_s, u"as"_s, u"plus"_s, u"when"_s });
        return timeMembers(node);
    }
    Expression expression;
    if (!node.isText()) {
        fail(node, u"an SQL expression of a timestamptz over t, or an object with “column” or “sql”, and “as”"_s);
        return expression;
    }
    expression.sql = sqlOf(node, kNowOnly);
    expression.column = plainColumn(expression.sql);
    return expression;
}

void ProfileReader::readHead(const JsonNode &root)
{
    static const QRegularExpression nameForm(u"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"_s);
    m_profile.name = text(root, u"name"_s, true);
    if (!m_profile.name.isEmpty() && !nameForm.match(m_profile.name).hasMatch()) {
        fail(*root.member(u"name"_s), u"a name of letters, digits, dots, dashes and underscores, at most 63"_s);
    }
    m_profile.title = text(root, u"title"_s, false);
    if (m_profile.title.isEmpty()) {
        m_profile.title = m_profile.name;
    }
    const QString kind = text(root, u"kind"_s, true);
    if (const auto known = kindFromName(kind)) {
        m_profile.kind = *known;
    } else if (!kind.isEmpty()) {
        fail(*root.member(u"kind"_s), u"one of request, inbox, outbox, lease, job"_s);
    }
    m_profile.relation = text(root, u"relation"_s, true);
    if (!m_profile.relation.isEmpty() && !parseRelationName(m_profile.relation)) {
        fail(*root.member(u"relation"_s), u"a table's name with its schema and its quoting, such as sales.\"InboxState\""_s);
    }
    m_profile.identity = texts(root, u"identity"_s, true);
    m_profile.identityStable = texts(root, u"identity_stable"_s, false);
    m_profile.guard = texts(root, u"guard"_s, false);
    m_profile.key.sql = sql(root, u"key"_s, kNowOnly, true);
    m_profile.key.column = plainColumn(m_profile.key.sql);
    m_profile.advisoryLock = sql(root, u"advisory_lock"_s, kNowOnly, false);
}

void ProfileReader::readRoles(const JsonNode &root)
{
    const JsonNode *node = root.member(u"roles"_s);
    if (node == nullptr || node->isNull()) {
        return;
    }
    QStringList keys;
    for (int i = 0; i < kRoleCount; ++i) {
        keys.append(roleName(static_cast<Role>(i)));
    }
    if (!object(*node, keys)) {
        return;
    }
    for (const auto &[name, value] : node->members) {
        const auto role = roleFromName(name);
        if (!role || value.isNull()) {
            continue;
        }
        Expression expression;
        if (isTimeRole(*role)) {
            expression = timeExpression(value);
        } else {
            expression.sql = sqlOf(value, kNowOnly);
            expression.column = plainColumn(expression.sql);
        }
        m_profile.roles.insert(*role, expression);
    }
}

void ProfileReader::readStates(const JsonNode &root)
{
    const JsonNode *node = root.member(u"states"_s);
    if (node == nullptr || !node->isObject() || node->members.isEmpty()) {
        failAt(u"$.states"_s, node == nullptr ? u"nothing"_s : shown(*node),
            u"an object that gives raw statuses their state"_s);
        return;
    }
    bool ended = false;
    for (const auto &[raw, value] : node->members) {
        const auto state = value.isText() ? stateFromName(value.text) : std::nullopt;
        if (!state) {
            fail(value, u"one of "_s + names(QList<KeyState>(kKnown) << KeyState::Unknown));
            continue;
        }
        if (raw == u"*") {
            m_profile.otherStates = state;
            ended = true;
        } else if (raw == u"null") {
            m_profile.nullState = state;
        } else if (ended) {
            failAt(value.path, u"an entry after “*”"_s, u"“*” as the last entry"_s);
        } else if (!m_profile.has(Role::Status)) {
            failAt(value.path, u"a raw status"_s, u"only “*”, as the profile has no status role"_s);
        } else {
            m_profile.states.append({ raw, *state });
        }
    }
}

QList<LabelledExpression> ProfileReader::labelled(const JsonNode &root, const QString &name)
{
    static const QRegularExpression form(u"^[\\p{L}_][\\p{L}\\p{N}_.-]*$"_s);
    QList<LabelledExpression> parts;
    const JsonNode *node = list(root, name, false);
    QSet<QString> labels;
    for (const JsonNode &item : node != nullptr ? node->items : QList<JsonNode>()) {
        if (!object(item, { u"label"_s, u"sql"_s })) {
            continue;
        }
        LabelledExpression part;
        part.label = text(item, u"label"_s, true);
        // A part of the scope is named in filters, label:value; an alias is only shown.
        const bool named = name == u"scope";
        if (!part.label.isEmpty()
            && ((named && !form.match(part.label).hasMatch()) || labels.contains(part.label))) {
            fail(*item.member(u"label"_s),
                named ? u"a word that no other part has as its label"_s
                      : u"a label that no other entry has"_s);
        }
        labels.insert(part.label);
        part.value.sql = sql(item, u"sql"_s, kNowOnly, true);
        part.value.column = plainColumn(part.value.sql);
        parts.append(part);
    }
    return parts;
}

Profile ProfileReader::read(const JsonNode &root)
{
    if (!root.isObject()) {
        fail(root, u"an object that begins with “idemdesk_profile”: 1"_s);
        return m_profile;
    }
    const JsonNode *version = root.member(u"idemdesk_profile"_s);
    bool whole = false;
    const int number = version != nullptr && version->kind == JsonNode::Kind::Number ? version->text.toInt(&whole) : 0;
    if (!whole || number < 1) {
        failAt(u"$.idemdesk_profile"_s, version == nullptr ? u"nothing"_s : shown(*version), u"the format's version, 1"_s);
        return m_profile;
    }
    if (number > kFormatVersion) {
        fail(*version, u"at most version %1: the profile was made for a newer console"_s.arg(kFormatVersion));
        return m_profile;
    }
    object(root, kTopKeys + kReservedKeys);
    for (const QString &name : kReservedKeys) {
        if (const JsonNode *node = root.member(name)) {
            keepExtra(root, name, *node);
        }
    }
    readHead(root);
    m_profile.scope = labelled(root, u"scope"_s);
    m_profile.aliases = labelled(root, u"aliases"_s);
    readRoles(root);
    readStates(root);
    readStale(root);
    readActions(root);
    readPurge(root);
    readOrders(root);
    readEffects(root);
    readPolicies(root);
    readExtras(root);
    checkReferences(root);
    return m_profile;
}

TimeRule ProfileReader::timeRule(const JsonNode &node, const QList<KeyState> &allowed)
{
    TimeRule rule;
    if (!object(node, { u"states"_s, u"status"_s, u"by"_s, u"after"_s, u"when"_s })) {
        return rule;
    }
    rule.states = states(node, u"states"_s, allowed);
    rule.status = texts(node, u"status"_s, false);
    const JsonNode *by = node.member(u"by"_s);
    if (by != nullptr && !by->isNull()) {
        rule.by = timeExpression(*by);
    }
    rule.after = durationOrSql(node, u"after"_s);
    rule.when = sql(node, u"when"_s, kNowOnly, false);
    if (!rule.by.present() && rule.when.isEmpty()) {
        fail(node, u"“by” (with “after”) or “when” in the rule"_s);
    } else if (!rule.by.present() && !rule.after.isEmpty()) {
        fail(*node.member(u"after"_s), u"“by” beside “after”"_s);
    }
    return rule;
}

void ProfileReader::readStale(const JsonNode &root)
{
    const JsonNode *node = root.member(u"stale"_s);
    if (node == nullptr || node->isNull()) {
        return;
    }
    if (!node->isList() || node->items.isEmpty()) {
        fail(*node, u"a list with at least one rule, or null where staleness cannot be told"_s);
        return;
    }
    m_profile.stale.emplace();
    for (const JsonNode &item : node->items) {
        m_profile.stale->append(timeRule(item, kWaiting));
    }
}

void ProfileReader::readPurge(const JsonNode &root)
{
    const JsonNode *node = root.member(u"purge"_s);
    if (node == nullptr || node->isNull()) {
        return;
    }
    if (!node->isList() && !node->isObject()) {
        fail(*node, u"a rule, a list of rules, or null"_s);
        return;
    }
    const QList<JsonNode> rules = node->isList() ? node->items : QList<JsonNode> { *node };
    for (const JsonNode &item : rules) {
        m_profile.purge.append(timeRule(item, kKnown));
    }
}

} // namespace idemdesk::sql
