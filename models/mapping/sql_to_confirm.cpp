// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/sql_to_confirm.h"

#include "models/format/display_text.h"

#include <limits>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Piece = std::pair<QString, QString>; ///< place in the profile, SQL

void addExpression(QList<Piece> *pieces, const QString &place, const sql::Expression &expression)
{
    if (!expression.sql.isEmpty()) {
        pieces->append({ place, expression.sql });
    }
    if (!expression.when.isEmpty()) {
        pieces->append({ place + ".when"_L1, expression.when });
    }
}

void addRules(QList<Piece> *pieces, const QString &place, const QList<sql::TimeRule> &rules)
{
    for (const sql::TimeRule &rule : rules) {
        addExpression(pieces, place + ".by"_L1, rule.by);
        if (!rule.after.isEmpty() && !sql::isDuration(rule.after)) {
            pieces->append({ place + ".after"_L1, rule.after });
        }
        if (!rule.when.isEmpty()) {
            pieces->append({ place + ".when"_L1, rule.when });
        }
    }
}

void addActions(QList<Piece> *pieces, const QString &place, const QList<sql::ActionRule> &rules)
{
    for (const sql::ActionRule &rule : rules) {
        for (const auto &[column, value] : rule.set) {
            pieces->append({ place + u'.' + column, value });
        }
        if (rule.second) { // no SQL of its own, but which table is changed is to be confirmed, too
            pieces->append({ place + ".second."_L1 + rule.second->relation, rule.second->match });
            for (const auto &[column, value] : rule.second->set) {
                pieces->append({ place + ".second."_L1 + column, value });
            }
        }
    }
}

QList<Piece> piecesOf(const sql::Profile &profile)
{
    QList<Piece> pieces;
    addExpression(&pieces, u"key"_s, profile.key);
    for (const sql::LabelledExpression &part : profile.scope) {
        addExpression(&pieces, u"scope."_s + part.label, part.value);
    }
    for (auto role = profile.roles.cbegin(); role != profile.roles.cend(); ++role) {
        addExpression(&pieces, u"roles."_s + sql::roleName(role.key()), role.value());
    }
    addRules(&pieces, u"stale"_s, profile.stale.value_or(QList<sql::TimeRule>()));
    addRules(&pieces, u"purge"_s, profile.purge);
    for (const sql::OrderSpec &order : profile.orders) {
        addExpression(&pieces, u"orders."_s + order.label, order.value);
    }
    for (const sql::LabelledExpression &alias : profile.aliases) {
        addExpression(&pieces, u"aliases."_s + alias.label, alias.value);
    }
    for (const sql::FieldSpec &field : profile.fields) {
        addExpression(&pieces, u"fields."_s + field.label, field.value);
    }
    for (const sql::EffectSpec &effect : profile.effects) {
        pieces.append({ u"effects."_s + effect.type, effect.sql });
    }
    for (const sql::PolicySpec &policy : profile.policies) {
        for (const QString &text : { policy.maxAttempts, policy.staleAfter }) {
            if (!text.isEmpty() && !sql::isDuration(text)) {
                pieces.append({ u"policies"_s, text });
            }
        }
    }
    if (!profile.advisoryLock.isEmpty()) {
        pieces.append({ u"advisory_lock"_s, profile.advisoryLock });
    }
    for (const auto &list : { profile.retryExpressions(), profile.sideExpressions() }) {
        for (const auto &[place, text] : list) {
            pieces.append({ place.mid(2), text }); // without its "$."
        }
    }
    addActions(&pieces, u"actions.recover"_s, profile.recover);
    addActions(&pieces, u"actions.requeue"_s, profile.requeue);
    addActions(&pieces, u"actions.reclassify"_s, profile.reclassify);
    addActions(&pieces, u"actions.align"_s, profile.align);
    if (profile.drill) { // on a database for development it is run for good, not only read
        const sql::DrillSpec &drill = *profile.drill;
        const QStringList statements
            = QStringList { drill.claim, drill.effects, drill.expire } + drill.perform + drill.cleanup;
        for (const QString &statement : statements) {
            if (!statement.isEmpty()) {
                pieces.append({ u"drill, run and committed"_s, statement });
            }
        }
    }
    return pieces;
}

} // namespace

QStringList expressionsOf(const sql::Profile &profile)
{
    QStringList expressions;
    for (const Piece &piece : piecesOf(profile)) {
        expressions.append(piece.second);
    }
    expressions.removeDuplicates();
    return expressions;
}

QString confirmationText(const sql::Profile &profile)
{
    QStringList lines { u"relation: "_s + displayText(profile.relation) };
    for (const auto &[place, text] : piecesOf(profile)) {
        lines.append(displayText(place) + u": "_s + displayText(text, std::numeric_limits<int>::max()));
    }
    // No SQL, but a table that is read as well, and where a person may be led.
    if (profile.history) {
        lines.append(u"history: "_s + displayText(profile.history->relation));
    }
    for (const sql::LinkSpec &link : profile.links) {
        lines.append(u"links."_s + displayText(link.label) + u": "_s + displayText(link.url));
    }
    return lines.join(u'\n');
}

} // namespace idemdesk::models
