// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/types/profile.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

bool isDuration(const QString &text)
{
    static const QRegularExpression form(u"^\\d+[smhdwy]$"_s);
    return form.match(text).hasMatch();
}

std::optional<qint64> durationSeconds(const QString &text)
{
    const bool negative = text.startsWith(u'-');
    const QString bare = negative ? text.mid(1) : text;
    if (!isDuration(bare)) {
        return std::nullopt;
    }
    bool ok = false;
    const qint64 amount = bare.chopped(1).toLongLong(&ok);
    qint64 unit = 1;
    switch (bare.back().unicode()) {
    case u'm':
        unit = 60;
        break;
    case u'h':
        unit = 3600;
        break;
    case u'd':
        unit = 86'400;
        break;
    case u'w':
        unit = qint64(7) * 86'400;
        break;
    case u'y':
        unit = qint64(365) * 86'400;
        break;
    default:
        break;
    }
    // PostgreSQL's interval ends near 178,000,000 years; beyond 10,000 years the profile is a slip of the pen.
    constexpr qint64 kMost = 10'000LL * 365 * 86'400;
    if (!ok || amount > kMost / unit) {
        return std::nullopt;
    }
    return negative ? -amount * unit : amount * unit;
}

const FieldSpec *Profile::field(const QString &label) const
{
    const auto found = std::find_if(
        fields.cbegin(), fields.cend(), [&label](const FieldSpec &field) { return field.label == label; });
    return found == fields.cend() ? nullptr : &*found;
}

std::optional<KeyState> CacheSpec::stateOf(const QString &value) const
{
    const auto found
        = std::find_if(values.cbegin(), values.cend(), [&value](const auto &entry) { return entry.first == value; });
    return found != values.cend() ? std::optional(found->second) : otherValues;
}

KeyState Profile::stateOf(const std::optional<QString> &rawStatus) const
{
    if (!has(Role::Status)) {
        return otherStates.value_or(KeyState::Unknown);
    }
    if (!rawStatus) {
        return nullState.value_or(KeyState::Unknown);
    }
    for (const auto &[raw, state] : states) {
        if (raw == *rawStatus) {
            return state;
        }
    }
    return otherStates.value_or(KeyState::Unknown);
}

const QStringList &recipePartNames()
{
    static const QStringList all { u"method"_s, u"path"_s, u"url"_s, u"query"_s, u"key"_s, u"operation"_s, u"version"_s,
        u"client"_s, u"authorization"_s, u"kind"_s, u"content_type"_s, u"header"_s };
    return all;
}

QString recipePartPath(const QString &part)
{
    return u"$.fingerprint_recipe.parts."_s + part + u".sql"_s;
}

QString Profile::businessReferencePath(qsizetype index) const
{
    const QString path = u"$.business_reference"_s;
    return businessReferencesListed || businessReferences.size() > 1 ? path + u'[' + QString::number(index) + u']'
                                                                     : path;
}

bool RetryRule::httpIsNumber() const
{
    bool number = false;
    http.toInt(&number);
    return number;
}

QList<std::pair<QString, QString>> Profile::retryExpressions() const
{
    QList<std::pair<QString, QString>> all;
    const QList<RetryRule> rules = retry.value_or(QList<RetryRule>());
    for (qsizetype i = 0; i < rules.size(); ++i) {
        const RetryRule &rule = rules.at(i);
        const QString place = QStringLiteral("$.retry[%1]").arg(i);
        if (!rule.when.isEmpty()) {
            all.append({ place + QStringLiteral(".when"), rule.when });
        }
        if (!rule.until.isEmpty() && !rule.untilLease()) {
            all.append({ place + QStringLiteral(".until"), rule.until });
        }
        if (!rule.http.isEmpty() && !rule.httpIsNumber()) {
            all.append({ place + QStringLiteral(".http"), rule.http });
        }
    }
    return all;
}

ProviderState ProviderSpec::stateOf(const std::optional<QString> &raw) const
{
    if (!raw) {
        return nullState.value_or(ProviderState::Unknown);
    }
    for (const auto &[text, state] : states) {
        if (text == *raw) {
            return state;
        }
    }
    return otherStates.value_or(ProviderState::Unknown);
}

QList<std::pair<QString, QString>> Profile::sideExpressions() const
{
    QList<std::pair<QString, QString>> all;
    for (qsizetype i = 0; i < businessReferences.size(); ++i) {
        all.append({ businessReferencePath(i), businessReferences.at(i) });
    }
    const QMap<QString, RecipePart> parts = fingerprintRecipe.value_or(StoredRecipe()).parts;
    for (const QString &part : recipePartNames()) {
        if (const RecipePart source = parts.value(part); source.isSql) {
            all.append({ recipePartPath(part), source.text });
        }
    }
    if (provider) {
        const std::pair<QString, QString> told[] = { { u"reference"_s, provider->reference },
            { u"amount"_s, provider->amount }, { u"currency"_s, provider->currency }, { u"status"_s, provider->status },
            { u"at"_s, provider->at.sql }, { u"at.when"_s, provider->at.when } };
        for (const auto &[part, sql] : told) {
            if (!sql.isEmpty()) {
                all.append({ u"$.provider."_s + part, sql });
            }
        }
    }
    return all;
}

} // namespace idemdesk::sql
