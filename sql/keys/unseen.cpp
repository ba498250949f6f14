// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/unseen.h"

#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

QString rowsHiddenNote()
{
    return Tr::tr("Row security hides rows of this table from this login: you may see only part of the rows.");
}

QString statusLeftOut(const Target &target)
{
    for (const Finding &finding : target.findings) {
        if (finding.severity == Finding::Severity::Problem && finding.jsonPath == u"$.roles.status"_s) {
            return finding.text;
        }
    }
    return {};
}

QStringList unseenNotes(const Target &target)
{
    QStringList notes;
    if (target.relation.rowSecurity) {
        notes += rowsHiddenNote();
    }
    if (!target.hiddenBeside.isEmpty()) {
        notes += Tr::tr("Row security hides rows of %1 from this login: what is looked up there may be missing.")
                     .arg(target.hiddenBeside.join(u", "_s));
    }
    if (!statusLeftOut(target).isEmpty()) {
        notes += Tr::tr("The status cannot be read, so every row counts as unknown.");
    }
    return notes;
}

} // namespace idemdesk::sql
