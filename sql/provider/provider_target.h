// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/filter.h"
#include "sql/types/key_page.h"
#include "sql/types/provider.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// A target whose rows tell what its profile says of the provider: they are fields behind the profile's own, so that
/// pages, filters and orders know them. Reads only.
class ProviderTarget
{
public:
    /// Binds it again with them. `slim`: without roles and fields that only people look at, for millions of rows.
    /// Error: NotSaid where the profile has no “provider”; MissingObject or Privilege where reference or status cannot
    /// be read.
    static Result<ProviderTarget> bind(Session &session, const Target &target, bool slim);

    const Target &target() const { return m_target; }
    /// What it was bound from: with the rules and fields that a slim one is without.
    const Target &whole() const { return m_whole; }
    const ProviderSpec &spec() const { return *m_target.profile.provider; }
    /// What the profile names and cannot be read; whole sentences.
    const QStringList &notRead() const { return m_notRead; }
    bool hasAmount() const { return m_amount >= 0; }
    bool hasCurrency() const { return m_currency >= 0; }

    ProviderRow row(const KeyRecord &record) const;
    /// The row's reference, or the statement's, in one form: a uuid has several.
    QString referenceForm(const QString &text) const;
    /// False where no row can have it, as its column takes no such text.
    bool mayBeReference(const QString &text) const;

    /// A usable index has the reference first.
    bool referenceServed() const;
    /// The order by which time is walked: that of the time asked where an index serves it or the table is small, else
    /// the identity's.
    OrderLabel timeOrder() const;

    /// Rows with one of these states, of scopes whose effect is not local.
    QList<FilterTerm> ofStates(const QList<ProviderState> &states) const;
    /// Rows with one of these references, each in its form.
    QList<FilterTerm> withReferences(const QStringList &references) const;
    /// Rows that were asked from `from` to `to`, both included.
    QList<FilterTerm> askedBetween(const Timestamp &from, const Timestamp &to) const;

private:
    ProviderTarget() = default;
    void findPlaces();
    Result<void> checkRead();
    QList<FilterTerm> notLocal() const;

    Target m_target;
    Target m_whole;
    QStringList m_notRead;
    int m_reference = -1; ///< places among the fields, -1: not there
    int m_amount = -1;
    int m_currency = -1;
    int m_status = -1;
    int m_at = -1;
    int m_external = -1;
};

} // namespace idemdesk::sql
