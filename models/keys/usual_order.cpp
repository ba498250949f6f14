// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/usual_order.h"

#include "sql/keys/order.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

sql::OrderLabel usualOrder(const sql::Target &target, const sql::Filter &filter)
{
    const QList<sql::OrderChoice> choices = sql::orderChoices(target);
    const auto served = [&choices](const QString &label) {
        const auto found = std::find_if(choices.cbegin(), choices.cend(),
            [&label](const sql::OrderChoice &one) { return one.label == label && one.isTime && one.indexServes; });
        return found == choices.cend() ? nullptr : &*found;
    };
    for (const QString &label : { sql::roleName(sql::Role::CreatedAt), sql::roleName(sql::Role::ClaimedAt) }) {
        const sql::OrderChoice *choice = served(label);
        if (filter.terms.isEmpty() && choice != nullptr) {
            return choice->descending ? label : u'-' + label;
        }
    }
    const sql::OrderLabel label = sql::defaultOrder(target, filter);
    const sql::OrderChoice *choice = served(label);
    return filter.terms.isEmpty() && choice != nullptr && !choice->descending ? u'-' + label : label;
}

} // namespace idemdesk::models
