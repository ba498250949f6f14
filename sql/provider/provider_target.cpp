// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/provider/provider_target.h"

#include "sql/keys/resolve.h"
#include "sql/keys/value_fit.h"
#include "sql/profile/binder.h"
#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

#include <QUuid>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// No author can give a field such a label: a blank is no part of a word of the filter.
const QString kReferenceLabel = u"provider reference"_s;
const QString kAmountLabel = u"provider amount"_s;
const QString kCurrencyLabel = u"provider currency"_s;
const QString kStatusLabel = u"provider status"_s;
const QString kStateLabel = u"provider state"_s;
const QString kAtLabel = u"provider at"_s;
const QString kExternalLabel = u"provider external"_s;
const QString kYes = u"yes"_s;

FieldSpec providerField(const QString &label, const QString &sql, FieldType type)
{
    FieldSpec field;
    field.label = label;
    field.value.sql = sql;
    field.value.column = plainColumn(sql);
    field.type = type;
    return field;
}

/// How far the request got, as a text: for the few conditions that the raw status cannot say by itself.
QString stateSql(const ProviderSpec &spec)
{
    const auto name = [](ProviderState state) { return quoteLiteral(providerStateName(state)); };
    const QString raw = u"(("_s + spec.status + u")::pg_catalog.text)"_s;
    QString cases;
    for (const auto &[text, state] : spec.states) {
        cases += u" WHEN "_s + raw + u" = "_s + quoteLiteral(text) + u" THEN "_s + name(state);
    }
    return u"CASE WHEN "_s + raw + u" IS NULL THEN "_s + name(spec.nullState.value_or(ProviderState::Unknown)) + cases
        + u" ELSE "_s + name(spec.otherStates.value_or(ProviderState::Unknown)) + u" END"_s;
}

/// Whether the effect of the row's scope may be outside, where some policy says that it is local; else empty.
QString externalSql(const Profile &profile)
{
    const bool some = std::any_of(profile.policies.cbegin(), profile.policies.cend(),
        [](const PolicySpec &policy) { return policy.effect == u"local"; });
    if (!some) {
        return {};
    }
    QString cases;
    for (const PolicySpec &policy : profile.policies) {
        QStringList parts;
        for (const LabelledExpression &part : profile.scope) {
            if (policy.match.contains(part.label)) {
                parts += u"("_s + part.value.sql + u")::pg_catalog.text = "_s
                    + quoteLiteral(policy.match.value(part.label));
            }
        }
        cases += u" WHEN "_s + (parts.isEmpty() ? u"true"_s : parts.join(u" AND "_s)) + u" THEN "_s
            + (policy.effect == u"local" ? u"'no'"_s : u"'yes'"_s);
    }
    return u"CASE"_s + cases + u" ELSE 'yes' END"_s;
}

bool isPlainTime(const Expression &at)
{
    return at.form == TimeForm::Native && at.plus.isEmpty() && at.when.isEmpty();
}

FilterTerm ownTerm(const QString &label, const QStringList &values, FilterOperator op = FilterOperator::Equal)
{
    FilterTerm term;
    term.field = FilterField::Own;
    term.label = label;
    term.op = op;
    term.values = values;
    return term;
}

Profile slimmed(const Profile &whole)
{
    Profile profile = whole;
    profile.roles.removeIf([](const std::pair<const Role &, Expression &> &role) {
        return role.first != Role::Status && role.first != Role::CreatedAt;
    });
    profile.fields.clear();
    profile.orders.clear();
    profile.stale.reset();
    profile.purge.clear();
    profile.retry.reset();
    profile.effects.clear();
    profile.recover.clear();
    profile.requeue.clear();
    profile.reclassify.clear();
    profile.businessReferences.clear();
    profile.fingerprintRecipe.reset();
    profile.advisoryLock.clear();
    return profile;
}

/// The profile with what it says of the provider as fields behind its own, and the time asked among its orders.
Profile withProviderFields(Profile profile)
{
    const ProviderSpec spec = *profile.provider;
    const Expression at = spec.at.present() ? spec.at : profile.role(Role::CreatedAt);
    FieldSpec asked = providerField(kAtLabel, timestamptzSql(at), FieldType::Time);
    if (isPlainTime(at)) {
        asked.value = at; // as it is stored, so that its index serves
    }
    profile.fields.append(providerField(kReferenceLabel, spec.reference, FieldType::Text));
    profile.fields.append(providerField(kStatusLabel, spec.status, FieldType::Text));
    profile.fields.append(providerField(kStateLabel, stateSql(spec), FieldType::Text));
    profile.fields.append(asked);
    if (!spec.amount.isEmpty()) {
        profile.fields.append(providerField(kAmountLabel, spec.amount, FieldType::Number));
    }
    if (!spec.currency.isEmpty()) {
        profile.fields.append(providerField(kCurrencyLabel, spec.currency, FieldType::Text));
    }
    if (const QString external = externalSql(profile); !external.isEmpty()) {
        profile.fields.append(providerField(kExternalLabel, external, FieldType::Text));
    }
    OrderSpec order;
    order.label = kAtLabel;
    order.value = asked.value;
    profile.orders.append(order);
    return profile;
}

/// What binding said against one of the profile's own places.
const Finding *findingAt(const QList<Finding> &findings, const QString &path)
{
    const auto found = std::find_if(findings.cbegin(), findings.cend(), [&path](const Finding &finding) {
        return finding.severity == Finding::Severity::Problem && finding.jsonPath == path;
    });
    return found == findings.cend() ? nullptr : &*found;
}

} // namespace

Result<ProviderTarget> ProviderTarget::bind(Session &session, const Target &target, bool slim)
{
    if (!target.profile.provider) {
        return makeError(ErrorKind::NotSaid,
            Tr::tr("The profile “%1” says nothing of a provider.").arg(target.profile.name), {},
            Tr::tr("Add “provider” to it: the reference, and how far a request got."));
    }
    TRY(Target bound, bindTarget(session, withProviderFields(slim ? slimmed(target.profile) : target.profile)));
    bound.registered = target.registered;
    bound.confirmed = target.confirmed;
    ProviderTarget provider;
    provider.m_target = bound;
    provider.m_whole = target;
    provider.findPlaces();
    TRY(provider.checkRead());
    return provider;
}

void ProviderTarget::findPlaces()
{
    const std::pair<const QString &, int &> places[]
        = { { kReferenceLabel, m_reference }, { kStatusLabel, m_status }, { kAtLabel, m_at },
              { kAmountLabel, m_amount }, { kCurrencyLabel, m_currency }, { kExternalLabel, m_external } };
    for (const auto &[label, place] : places) {
        const FieldSpec *field = m_target.profile.field(label);
        place = field == nullptr ? -1 : static_cast<int>(field - m_target.profile.fields.constData());
    }
}

Result<void> ProviderTarget::checkRead()
{
    const std::pair<QString, bool> parts[] = { { u"reference"_s, m_reference >= 0 }, { u"status"_s, m_status >= 0 },
        { u"at"_s, m_at >= 0 }, { u"amount"_s, spec().amount.isEmpty() || m_amount >= 0 },
        { u"currency"_s, spec().currency.isEmpty() || m_currency >= 0 } };
    for (const auto &[name, there] : parts) {
        if (there) {
            continue;
        }
        const Finding *finding = findingAt(m_target.findings, u"$.provider."_s + name);
        const QString why = finding == nullptr ? QString() : finding->text;
        if (name != u"amount" && name != u"currency") {
            return makeError(ErrorKind::MissingObject,
                Tr::tr("“provider.%1” of the profile “%2” cannot be read.").arg(name, m_target.profile.name), why,
                Tr::tr("Have the right granted, or fix the profile."));
        }
        m_notRead += Tr::tr("“provider.%1” of the profile cannot be read, so it is not compared. %2")
                         .arg(name, why)
                         .trimmed();
    }
    return {};
}

ProviderRow ProviderTarget::row(const KeyRecord &record) const
{
    ProviderRow row;
    row.record = record;
    const auto cell = [&record](int place) { return place < 0 ? Cell() : record.fields.value(place); };
    row.reference = cell(m_reference);
    if (!row.reference.null && !row.reference.failed()) {
        row.reference.text = referenceForm(row.reference.text);
    }
    row.amount = cell(m_amount);
    row.currency = cell(m_currency);
    row.status = cell(m_status);
    row.state = row.status.failed() ? ProviderState::Unknown
                                    : spec().stateOf(row.status.null ? std::nullopt : std::optional(row.status.text));
    const Cell at = cell(m_at);
    row.at = at.null || at.failed() ? std::nullopt : Timestamp::parse(at.text);
    return row;
}

QString ProviderTarget::referenceForm(const QString &text) const
{
    const ExpressionType &type = m_target.fieldTypes.at(m_reference);
    if (type.typeName == u"uuid") {
        const QUuid uuid = QUuid::fromString(text.trimmed());
        return uuid.isNull() ? text : uuid.toString(QUuid::WithoutBraces);
    }
    if (type.typeName == u"citext") {
        return text.toLower();
    }
    if (type.typeName == u"bpchar") { // padded with blanks that mean nothing
        QString bare = text;
        while (bare.endsWith(u' ')) {
            bare.chop(1);
        }
        return bare;
    }
    if (isIntegerType(type)) {
        bool whole = false;
        const qint64 number = text.trimmed().toLongLong(&whole);
        return whole ? QString::number(number) : text;
    }
    return text;
}

bool ProviderTarget::mayBeReference(const QString &text) const
{
    return !misfit(m_target.fieldTypes.at(m_reference), text);
}

bool ProviderTarget::referenceServed() const
{
    return isSmall(m_target.relation) || indexLeads(m_target.relation, plainColumn(spec().reference), true)
        || std::any_of(m_target.relation.indexes.cbegin(), m_target.relation.indexes.cend(),
            [this](const IndexFacts &index) { // of an expression, as the server prints it
                const auto bare
                    = [](QString sql) { return sql.remove(u"t."_s).remove(u' ').remove(u'(').remove(u')'); };
                return index.valid && index.columnNumbers.value(0, -1) == 0
                    && bare(index.columns.value(0)) == bare(spec().reference);
            });
}

OrderLabel ProviderTarget::timeOrder() const
{
    const Expression at = spec().at.present() ? spec().at : m_target.profile.role(Role::CreatedAt);
    return isPlainTime(at) && (isSmall(m_target.relation) || indexLeads(m_target.relation, plainColumn(at.sql), false))
        ? kAtLabel
        : u"identity"_s;
}

QList<FilterTerm> ProviderTarget::notLocal() const
{
    return m_external < 0 ? QList<FilterTerm>() : QList { ownTerm(kExternalLabel, { kYes }) };
}

QList<FilterTerm> ProviderTarget::ofStates(const QList<ProviderState> &states) const
{
    const ExpressionType type = m_target.fieldTypes.value(m_status);
    QStringList wanted;
    QStringList others;
    for (const auto &[raw, state] : spec().states) {
        if (!misfit(type, raw)) { // else no row has it
            (states.contains(state) ? wanted : others) += raw;
        }
    }
    const bool unmapped = states.contains(spec().otherStates.value_or(ProviderState::Unknown));
    const bool null = states.contains(spec().nullState.value_or(ProviderState::Unknown));
    QList<FilterTerm> terms = notLocal();
    if (unmapped && null && others.isEmpty()) {
        return terms;
    }
    if (unmapped && null) { // what is in none of the others; a row without a status is in none, too
        FilterTerm term = ownTerm(kStatusLabel, others);
        term.negated = true;
        return terms += term;
    }
    if (!unmapped && !null && !wanted.isEmpty()) {
        return terms += ownTerm(kStatusLabel, wanted);
    }
    QStringList names;
    for (const ProviderState state : states) {
        names += providerStateName(state);
    }
    return terms += ownTerm(kStateLabel, names);
}

QList<FilterTerm> ProviderTarget::withReferences(const QStringList &references) const
{
    return { ownTerm(kReferenceLabel, references) };
}

QList<FilterTerm> ProviderTarget::askedBetween(const Timestamp &from, const Timestamp &to) const
{
    QList<FilterTerm> terms = notLocal();
    terms += ownTerm(kAtLabel, { from.toRfc3339() }, FilterOperator::GreaterOrEqual);
    terms += ownTerm(kAtLabel, { to.toRfc3339() }, FilterOperator::LessOrEqual);
    return terms;
}

} // namespace idemdesk::sql
