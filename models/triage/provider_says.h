// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/triage.h"

#include <QStringList>

namespace idemdesk::models {

/// What people recorded of the provider's statements about one key, taken together.
struct ProviderSays {
    enum class Verdict {
        Nothing,
        Happened,
        DidNotHappen,
        Outdated, ///< all that was said is about another request, or an earlier attempt
        Unclear ///< it does not agree, or not all of it could be read: a person has to look
    };
    Verdict verdict = Verdict::Nothing;
    QStringList reasons; ///< whole sentences, each word with who recorded it; safe to show
    QString brief; ///< the latest word about the request as it is now, with where it stands; empty: none
};

/// effectFound: a query of the profile found an effect of the key. masked: references are left out. The first reasons
/// are the words, in their order, one each. Pure.
ProviderSays whatProviderSays(const sql::TriageFacts &facts, bool effectFound, bool masked = false);

/// Why the key is not to run again, whoever decides: a statement says that it happened, or did; empty: none does. A
/// word about another reference is left out.
QString whyNotAgain(const sql::TriageFacts &facts);

} // namespace idemdesk::models
