// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/held_elsewhere.h"

#include "models/format/display_text.h"
#include "models/regions/bucket_search.h"
#include "sql/regions/side_reader.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kAskedAtOnce = 500; // whole rows come back, so that many are held
constexpr int kLabelCharacters = 60;
constexpr int kWhyCharacters = 300;

/// The same SQL finds a key on both sides.
bool alikeNamed(const sql::Profile &here, const sql::Profile &there)
{
    return here.key.sql == there.key.sql
        && std::equal(here.scope.cbegin(), here.scope.cend(), there.scope.cbegin(), there.scope.cend(),
            [](const sql::LabelledExpression &one, const sql::LabelledExpression &other) {
                return one.value.sql == other.value.sql;
            });
}

bool alikeMarked(const sql::Profile &here, const sql::Profile &there)
{
    const auto one = here.roles.constFind(sql::Role::Fingerprint);
    const auto other = there.roles.constFind(sql::Role::Fingerprint);
    return one != here.roles.cend() && other != there.roles.cend() && one->sql == other->sql;
}

/// What one row there says against changing the key here; empty: nothing.
QString against(const FrozenKey &here, const sql::KeyRecord &there, bool marked, const QString &label)
{
    using sql::KeyState;
    if (there.state == KeyState::Succeeded && here.state != KeyState::Succeeded) {
        return Tr::tr("Already succeeded in %1: align the key instead.").arg(label);
    }
    if (marked && !(here.fingerprint == there.role(sql::Role::Fingerprint))) {
        return Tr::tr("Another request in %1: its fingerprint differs.").arg(label);
    }
    switch (there.state) {
    case KeyState::Unknown:
        return Tr::tr("In %1 its state is not known.").arg(label);
    case KeyState::FailedFinal:
        return here.state == KeyState::FailedFinal ? QString() : Tr::tr("Failed for good in %1.").arg(label);
    case KeyState::Pending:
    case KeyState::InProgress:
        return there.stale.value_or(false) ? QString() : Tr::tr("May still be running in %1.").arg(label);
    case KeyState::Succeeded:
    case KeyState::FailedRetryable:
        break;
    }
    return {};
}

/// What the table there takes for the same key may be spelt otherwise.
QString spelling(const QString &intent)
{
    return intent.toCaseFolded();
}

} // namespace

sql::Result<QHash<QString, QString>> againstChanging(sql::Session &session, const sql::Profile &here,
    const sql::Target &there, const QList<FrozenKey> &keys, const QString &label)
{
    if (!alikeNamed(here, there.profile)) {
        return sql::makeError(sql::ErrorKind::Refused,
            Tr::tr("Its profile reads scope or key by other SQL, so no key can be looked up."));
    }
    const bool marked = alikeMarked(here, there.profile);
    const QString shown = displayText(label, kLabelCharacters);
    QHash<QString, QString> found;
    for (qsizetype from = 0; from < keys.size() && !session.cancelled(); from += kAskedAtOnce) {
        QList<sql::HashedKey> wanted;
        QMultiHash<QString, const FrozenKey *> spelt;
        for (qsizetype i = from; i < std::min(from + kAskedAtOnce, keys.size()); ++i) {
            const FrozenKey &key = keys.at(i);
            wanted.append({ key.scope, key.key, 0, 0 });
            spelt.insert(spelling(intentText(key.scope, key.key)), &key);
        }
        TRY(const auto rows, sql::readSameKeys(session, there, wanted));
        for (const sql::SideRow &row : rows) {
            const auto meant = spelt.values(spelling(intentText(row.record.scope, row.record.key)));
            if (meant.isEmpty()) {
                return sql::makeError(sql::ErrorKind::Refused,
                    Tr::tr("It spells a key otherwise: “%1”.").arg(displayText(row.record.key.text, kLabelCharacters)));
            }
            for (const FrozenKey *key : meant) {
                const QString intent = intentText(key->scope, key->key);
                const QString why = against(*key, row.record, marked, shown);
                if (!why.isEmpty() && !found.contains(intent)) {
                    found.insert(intent, why);
                }
            }
        }
    }
    if (session.cancelled()) {
        return sql::makeError(sql::ErrorKind::Cancelled, Tr::tr("It was stopped."));
    }
    return found;
}

void leaveToRegions(FrozenSet *set, const sql::CompiledTarget &compiled, const QList<RegionWord> &words)
{
    QStringList notAsked;
    for (const RegionWord &word : words) {
        if (word.notAsked) {
            notAsked += Tr::tr("%1 was not asked: %2")
                            .arg(displayText(word.label, kLabelCharacters),
                                displayText(word.notAsked->line(), kWhyCharacters));
        }
    }
    leaveOut(set, compiled, [&](const FrozenKey &key) {
        if (key.key.null) {
            return Tr::tr("Without a key it cannot be looked for in the other regions.");
        }
        const QString intent = intentText(key.scope, key.key);
        for (const RegionWord &word : words) {
            if (const QString why = word.against.value(intent); !why.isEmpty()) {
                return why;
            }
        }
        return notAsked.value(0);
    });
}

} // namespace idemdesk::models
