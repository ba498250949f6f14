// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/profile/json_tree.h"
#include "sql/types/profile.h"

#include <optional>

namespace idemdesk::sql {

/// Turns a JSON tree into a Profile and keeps the first fault it meets: which place, what stood there, what was
/// expected. Works through the whole tree even after a fault; the caller looks at fault() once, at the end.
class ProfileReader
{
public:
    Profile read(const JsonNode &root);

    struct Fault {
        QString path;
        QString found;
        QString expected;
    };
    const std::optional<Fault> &fault() const { return m_fault; }

private:
    /// What most expressions may name beside the row.
    inline static const QStringList kNowOnly { QStringLiteral("now") };
    /// States that a rule can name.
    inline static const QList<KeyState> kKnown { KeyState::Pending, KeyState::InProgress, KeyState::Succeeded,
        KeyState::FailedRetryable, KeyState::FailedFinal };

    static QString shown(const JsonNode &node); ///< what stands there, for a message
    static QString names(const QList<KeyState> &states);
    void fail(const JsonNode &node, const QString &expected);
    void failAt(const QString &path, const QString &found, const QString &expected);
    void keepExtra(const JsonNode &parent, const QString &name, const JsonNode &value);

    /// Checks that node is an object with only these keys, and keeps its x_ ones.
    bool object(const JsonNode &node, const QStringList &keys);
    const JsonNode *list(const JsonNode &parent, const QString &name, bool required);
    QString text(const JsonNode &parent, const QString &name, bool required);
    QString textOf(const JsonNode &node);
    QString sqlOf(const JsonNode &node, const QStringList &variables);
    QString sql(const JsonNode &parent, const QString &name, const QStringList &variables, bool required);
    bool flag(const JsonNode &parent, const QString &name);
    QStringList texts(const JsonNode &parent, const QString &name, bool required);
    QList<KeyState> states(const JsonNode &parent, const QString &name, const QList<KeyState> &allowed);
    QString duration(const JsonNode &parent, const QString &name, bool signedOne);
    QString durationOrSql(const JsonNode &parent, const QString &name);

    Expression timeExpression(const JsonNode &node);
    Expression timeMembers(const JsonNode &node);
    void timeForm(const JsonNode &node, Expression *expression);

    void readHead(const JsonNode &root);
    void readRoles(const JsonNode &root);
    void readStates(const JsonNode &root);
    QList<LabelledExpression> labelled(const JsonNode &root, const QString &name);
    TimeRule timeRule(const JsonNode &node, const QList<KeyState> &allowed);
    void readStale(const JsonNode &root);
    void readPurge(const JsonNode &root);
    void readActions(const JsonNode &root);
    ActionRule actionRule(const JsonNode &node);
    void readSet(const JsonNode &node, ActionRule *rule);
    void readOrders(const JsonNode &root);
    void readEffects(const JsonNode &root);
    void readPolicies(const JsonNode &root);
    PolicySpec policy(const JsonNode &node);
    void checkReferences(const JsonNode &root);
    void readExtras(const JsonNode &root);
    void readBusinessReference(const JsonNode &root);
    void readRecipe(const JsonNode &root);

    Profile m_profile;
    std::optional<Fault> m_fault;
};

} // namespace idemdesk::sql
