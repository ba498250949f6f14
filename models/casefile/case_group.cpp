// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_group.h"

#include "models/casefile/case_file.h"

#include <algorithm>

namespace idemdesk::models {

namespace {

/// How a match of another member stands to one intent of the case.
enum class Relation {
    Apart, ///< nothing tells that they belong together
    Same, ///< the same charge, as replication brings it
    OtherResult, ///< the same key was carried out there with another result
    OtherCharge ///< another key with a charge of the same customer and amount, within an hour
};

Relation relationOf(const CaseRow &row, const StoredCharge &charge, const ElsewhereMatch &match)
{
    const sql::KeyRecord &record = row.detail.record;
    const bool sameKey = match.table == row.target.profile.name && match.key == row.key && match.scope == record.scope;
    const bool told = !charge.number.isEmpty() && !match.charge.number.isEmpty();
    const bool bothDone = record.state == sql::KeyState::Succeeded && match.state == sql::KeyState::Succeeded;
    if (told && charge.number == match.charge.number && record.state == match.state) {
        return Relation::Same;
    }
    if (sameKey && bothDone && told) {
        return Relation::OtherResult;
    }
    return bothDone && charge.repeats(match.charge) ? Relation::OtherCharge : Relation::Apart;
}

/// The gravest relation to any intent of the case: what is the same as one may repeat none.
Relation relationOf(const CaseFile &file, const QList<StoredCharge> &charges, const ElsewhereMatch &match)
{
    Relation gravest = Relation::Apart;
    for (qsizetype i = 0; i < file.rows.size(); ++i) {
        if (!isIntent(file, file.rows.at(i))) {
            continue;
        }
        const Relation relation = relationOf(file.rows.at(i), charges.at(i), match);
        if (relation == Relation::Same) {
            return relation;
        }
        gravest = std::max(gravest, relation);
    }
    return gravest;
}

} // namespace

QList<MemberFact> memberFacts(const CaseFile &file)
{
    QList<StoredCharge> charges;
    for (const CaseRow &row : file.rows) {
        charges += storedCharge(row.target, row.detail.record, row.masked);
    }
    QList<MemberFact> facts;
    for (const ElsewhereMember &member : file.group.others) {
        MemberFact fact { member.label, member.searched, member.why };
        for (const ElsewhereMatch &match : member.matches) {
            switch (relationOf(file, charges, match)) {
            case Relation::Apart:
                ++fact.apart;
                break;
            case Relation::Same:
                ++fact.same;
                break;
            case Relation::OtherResult:
                fact.otherResults += match.key;
                break;
            case Relation::OtherCharge:
                fact.otherCharges += match.key;
                break;
            }
        }
        facts += fact;
    }
    return facts;
}

} // namespace idemdesk::models
