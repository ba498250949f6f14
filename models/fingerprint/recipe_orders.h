// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/fingerprint/recipe.h"

namespace idemdesk::models {

/// A selection of parts in an order, and what stands between.
struct PartOrder {
    QStringList parts;
    QByteArray separator;
    bool known = false; ///< in use by a library: tried first

    friend bool operator==(const PartOrder &a, const PartOrder &b)
    {
        return a.parts == b.parts && a.separator == b.separator;
    }
};

/// Selections and orders of the parts given, the likeliest first: those in use, the body alone, then every selection:
/// of up to three parts in every order with the body anywhere, of more in the usual order with the body first or last.
QList<PartOrder> partOrders(const QStringList &given);

/// Other ways in which parts stand together, without form and hash, those of few parts first: lists and objects of
/// JSON, name=value, and hashes of what is hashed.
QList<Recipe> shapedRecipes(const QStringList &given);

} // namespace idemdesk::models
