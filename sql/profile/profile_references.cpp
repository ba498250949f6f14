// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/profile_codec.h"
#include "sql/types/cache_key.h"
#include "sql/types/conflict.h"
#include "sql/types/filter.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

void checkPolicyLabels(ProfileReading &reading, const Profile &profile)
{
    QStringList labels;
    for (const LabelledExpression &part : profile.scope) {
        labels.append(part.label);
    }
    for (qsizetype i = 0; i < profile.policies.size(); ++i) {
        const QMap<QString, QString> &match = profile.policies.at(i).match;
        for (auto it = match.keyBegin(); it != match.keyEnd(); ++it) {
            if (!labels.contains(*it)) {
                reading.failAt(jsonPath(jsonPath(jsonPath(u"$.policies"_s, i), u"match"_s), *it),
                    u"the label “"_s + *it + u"”"_s,
                    labels.isEmpty() ? u"no label, as the scope is empty"_s
                                     : u"a label of the scope: "_s + labels.join(u", "_s));
            }
        }
    }
}

void checkEffectTypes(ProfileReading &reading, const Profile &profile)
{
    QStringList types;
    for (const EffectSpec &effect : profile.effects) {
        types.append(effect.type);
    }
    const std::pair<QString, const QList<ActionRule> *> kinds[] { { u"recover"_s, &profile.recover },
        { u"requeue"_s, &profile.requeue }, { u"reclassify"_s, &profile.reclassify }, { u"align"_s, &profile.align } };
    for (const auto &[name, rules] : kinds) {
        for (qsizetype i = 0; i < rules->size(); ++i) {
            const QString place = jsonPath(jsonPath(u"$.actions"_s, name), i);
            const std::pair<QString, QString> used[] { { u"needs_effect"_s, rules->at(i).needsEffect },
                { u"forbids_effect"_s, rules->at(i).forbidsEffect } };
            for (const auto &[key, type] : used) {
                if (!type.isEmpty() && !types.contains(type)) {
                    reading.failAt(
                        jsonPath(place, key), u"the text “"_s + type + u"”"_s, u"the type of an entry of “effects”"_s);
                }
            }
        }
    }
}

/// A word of a rule needs what it is about.
void checkRetryWords(ProfileReading &reading, const Profile &profile)
{
    const QList<RetryRule> rules = profile.retry.value_or(QList<RetryRule>());
    for (qsizetype i = 0; i < rules.size(); ++i) {
        const RetryRule &rule = rules.at(i);
        const QString place = jsonPath(u"$.retry"_s, i);
        const auto missing = [&](const QString &path, const QString &word, const QString &what) {
            reading.failAt(path, u"the word “"_s + word + u"”"_s, what);
        };
        for (qsizetype at = 0; at < rule.facts.size(); ++at) {
            const RetryFact fact = rule.facts.at(at);
            const QString path = jsonPath(jsonPath(place, u"is"_s), at);
            const QString word = retryFactName(fact);
            if (fact == RetryFact::Stale && !profile.stale) {
                missing(path, word, u"a rule of “stale”, which says what stale is"_s);
            } else if (fact == RetryFact::LeaseRunning && !profile.has(Role::LeaseUntil)) {
                missing(path, word, u"the role lease_until"_s);
            } else if (fact == RetryFact::Expired && !profile.has(Role::ExpiresAt)) {
                missing(path, word, u"the role expires_at"_s);
            } else if (fact == RetryFact::AttemptsSpent && !profile.has(Role::Attempts)) {
                missing(path, word, u"the role attempts, and max_attempts in a policy"_s);
            }
        }
        if (rule.untilLease() && !profile.has(Role::LeaseUntil)) {
            missing(jsonPath(place, u"until"_s), rule.until, u"the role lease_until"_s);
        }
    }
}

/// What a field is called must be its own word in a filter, in an export and among the orders.
void checkFieldLabels(ProfileReading &reading, const Profile &profile)
{
    QStringList taken = takenFieldLabels(profile);
    for (qsizetype i = 0; i < profile.fields.size(); ++i) {
        const QString &label = profile.fields.at(i).label;
        if (taken.contains(label, Qt::CaseInsensitive)) {
            reading.failAt(jsonPath(jsonPath(u"$.fields"_s, i), u"label"_s), u"the label “"_s + label + u"”"_s,
                u"a word that is no field of the filter, no role and no part of the scope"_s);
        }
        taken += label;
    }
}

/// Each name in braces must be one of these; `words` says which there are.
void checkLink(
    ProfileReading &reading, const QString &path, const QString &url, const QStringList &known, const QString &words)
{
    static const QRegularExpression place(u"\\{([^{}]+)\\}"_s);
    for (auto match = place.globalMatch(url); match.hasNext();) {
        const QString name = match.next().captured(1);
        if (!known.contains(name)) {
            reading.failAt(path, u"the name {"_s + name + u'}', words);
        }
    }
}

/// Each name in a link must be something that a row or a log can have.
void checkLinks(ProfileReading &reading, const Profile &profile)
{
    QStringList known { u"key"_s };
    for (const Role role : kAllOf<Role>) {
        known += roleName(role);
    }
    for (const LabelledExpression &part : profile.scope) {
        known += part.label;
    }
    for (const FieldSpec &field : profile.fields) {
        known += field.label;
    }
    for (qsizetype i = 0; i < profile.links.size(); ++i) {
        checkLink(reading, jsonPath(jsonPath(u"$.links"_s, i), u"url"_s), profile.links.at(i).url,
            known + logAttributeNames(),
            u"{key}, a role, a part of the scope, a field, or one of "_s + logAttributeNames().join(u", "_s));
    }
    if (profile.provider) {
        known += { u"reference"_s, u"amount"_s, u"currency"_s };
        checkLink(reading, u"$.provider.link"_s, profile.provider->link, known,
            u"{reference}, {amount}, {currency}, {key}, a role, a part of the scope, or a field"_s);
    }
}

/// What is only with the provider, and what only here, is told by time.
void checkProvider(ProfileReading &reading, const Profile &profile)
{
    if (profile.provider && !profile.provider->at.present() && !profile.has(Role::CreatedAt)) {
        reading.failAt(u"$.provider"_s, u"neither “at” nor the role created_at"_s,
            u"“at”, the time when the provider was asked"_s);
    }
}

void checkCacheKey(ProfileReading &reading, const Profile &profile)
{
    QString expected;
    if (profile.cache && !profile.cache->key.isEmpty() && !CacheKeyForm::read(profile.cache->key, profile, &expected)) {
        reading.failAt(u"$.cache.key"_s, u"the text “"_s + profile.cache->key + u"”"_s, expected);
    }
}

} // namespace

QStringList takenFieldLabels(const Profile &profile)
{
    QStringList taken { u"identity"_s, u"stale"_s, u"expired"_s, u"fault"_s };
    for (const FilterField field : kAllOf<FilterField>) {
        taken += QString::fromUtf16(filterFieldFacts(field).name);
        taken += QString::fromUtf16(filterFieldFacts(field).alias);
    }
    for (const Role role : kAllOf<Role>) {
        taken += roleName(role);
    }
    for (const LabelledExpression &part : profile.scope) {
        taken += part.label;
    }
    return taken;
}

void checkReferences(ProfileReading &reading, const JsonNode &root, const Profile &profile)
{
    checkPolicyLabels(reading, profile);
    for (const QString &column : profile.identityStable) {
        if (!profile.identity.contains(column)) {
            reading.failMember(root, u"identity_stable"_s, u"only columns of “identity” (not "_s + column + u")"_s);
        }
    }
    checkEffectTypes(reading, profile);
    checkFieldLabels(reading, profile);
    checkLinks(reading, profile);
    checkProvider(reading, profile);
    checkRetryWords(reading, profile);
    checkCacheKey(reading, profile);
}

} // namespace idemdesk::sql
