// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/profile_codec.h"

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
        { u"requeue"_s, &profile.requeue }, { u"reclassify"_s, &profile.reclassify } };
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

} // namespace

void checkReferences(ProfileReading &reading, const JsonNode &root, const Profile &profile)
{
    checkPolicyLabels(reading, profile);
    for (const QString &column : profile.identityStable) {
        if (!profile.identity.contains(column)) {
            reading.failMember(root, u"identity_stable"_s, u"only columns of “identity” (not "_s + column + u")"_s);
        }
    }
    checkEffectTypes(reading, profile);
}

} // namespace idemdesk::sql
