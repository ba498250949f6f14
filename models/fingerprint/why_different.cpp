// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/why_different.h"

#include "models/diff/diff_words.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString dataChanged(const JsonSource &first, const JsonSource &second, const JsonDiff &diff)
{
    constexpr qsizetype mostNamed = 3;
    QStringList named;
    const QList<JsonChange> changes = changesOf(diff, first, second, 200, 60);
    for (const JsonChange &change : changes) {
        if (!change.formOnly && !change.ignored && named.size() < mostNamed) {
            named += changeInWords(change);
        }
    }
    const int more = diff.counts.data() - int(named.size());
    QString text = named.join(u", "_s);
    if (more > 0) {
        text += Tr::tr(", and %n more differences", nullptr, more);
    }
    const bool onlyMoved = diff.counts.moved == diff.counts.data();
    return onlyMoved
        ? Tr::tr("%1: the same elements in another order, which may or may not be the same command.").arg(text)
        : Tr::tr("%1: different request.").arg(text);
}

} // namespace

QString whyHashesDiffer(const JsonSource &first, const JsonSource &second, const JsonDiff &diff,
    const std::optional<Recipe> &recipe, bool formLost)
{
    if (diff.sameBytes && !formLost) {
        return Tr::tr("Both payloads are the same, byte for byte. If the hashes differ, something outside of the "
                      "payload differs, such as method, path or headers.");
    }
    const CanonicalForm *form = recipe ? canonicalForm(recipe->form) : nullptr;
    const bool alike = form != nullptr
        && canonicalBytes(*form, first.text(), &first) == canonicalBytes(*form, second.text(), &second);
    if (alike) {
        return Tr::tr("The service hashes %1, and that is the same for both payloads. If the hashes differ, something "
                      "outside of the payload differs.")
            .arg(formInWords(*form));
    }
    if (!diff.sameData()) {
        return dataChanged(first, second, diff);
    }
    if (formLost && diff.counts.ignored == 0) {
        return Tr::tr("Both requests hold the same data. A jsonb column does not keep the form in which a request was "
                      "sent. Whether they differed in form, or only outside of the payload, cannot be told.");
    }
    if (diff.counts.ignored > 0 && (formLost || diff.counts.form == 0)) {
        return recipe ? Tr::tr("Only fields that your rules ignore differ, but the service hashes them, too.")
                      : Tr::tr("Only fields that your rules ignore differ; a service that hashes them, too, takes the "
                               "requests for two commands.");
    }
    const QString same
        = Tr::tr("Both requests hold the same data; only in form differ: %1.").arg(formsInWords(diff.forms));
    if (form == nullptr) {
        return same + u' '
            + Tr::tr("A service that hashes raw bytes takes them for two commands; which recipe it uses is not known.");
    }
    if (diff.forms == DiffForm::KeyOrder && hashesRawBytes(*recipe)) {
        return Tr::tr("The retry sent the same data with the keys in another order; the service hashes raw bytes.");
    }
    if (hashesRawBytes(*recipe)) {
        return same + u' ' + Tr::tr("The service hashes raw bytes.");
    }
    return same + u' ' + Tr::tr("The service hashes %1, which keeps that difference.").arg(formInWords(*form));
}

} // namespace idemdesk::models
