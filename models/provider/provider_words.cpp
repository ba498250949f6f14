// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/provider_words.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

#include <QStringList>

namespace idemdesk::models {

QString providerWordText(sql::ProviderWord word)
{
    switch (word) {
    case sql::ProviderWord::Happened:
        return Tr::tr("It happened");
    case sql::ProviderWord::DidNotHappen:
        return Tr::tr("It did not happen");
    case sql::ProviderWord::Twice:
        return Tr::tr("It happened more than once");
    case sql::ProviderWord::AmountDiffers:
        return Tr::tr("It happened with another amount");
    case sql::ProviderWord::CurrencyDiffers:
        return Tr::tr("It happened in another currency");
    case sql::ProviderWord::OnlyProvider:
        return Tr::tr("No row here has its reference");
    case sql::ProviderWord::Contradictory:
        return Tr::tr("Its lines say different things");
    case sql::ProviderWord::NotInStatement:
        break;
    }
    return Tr::tr("It is not in the statement, which was vouched to be complete");
}

QString providerStateText(sql::ProviderState state)
{
    switch (state) {
    case sql::ProviderState::Requested:
        return Tr::tr("Requested");
    case sql::ProviderState::Sent:
        return Tr::tr("Sent");
    case sql::ProviderState::Confirmed:
        return Tr::tr("Confirmed");
    case sql::ProviderState::Failed:
        return Tr::tr("Failed");
    case sql::ProviderState::Unknown:
        break;
    }
    return Tr::tr("Not known");
}

namespace {

/// "Reference “r-1”, up to TIME.", or what of it is known.
QString subjectText(const sql::ProviderEvidence &word, bool masked)
{
    const QString reference = masked ? QString() : displayText(word.reference, 80);
    const QString time = word.lineAt ? word.lineAt->toRfc3339() : QString();
    if (reference.isEmpty()) {
        return time.isEmpty() ? QString() : Tr::tr("Time of the line: %1.").arg(time);
    }
    return time.isEmpty() ? Tr::tr("Reference “%1”.").arg(reference)
                          : Tr::tr("Reference “%1”, time of the line %2.").arg(reference, time);
}

} // namespace

QString evidenceBrief(const sql::ProviderEvidence &word)
{
    const QString says = providerWordText(word.says);
    const QString file = displayText(word.file, 60);
    return word.line > 0 ? Tr::tr("Provider: %1 (%2, line %3)").arg(says, file, QString::number(word.line))
                         : Tr::tr("Provider: %1 (%2)").arg(says, file);
}

QString evidenceText(const sql::ProviderEvidence &word, bool masked)
{
    const QString file = displayText(word.file);
    const QString provider = displayText(word.provider);
    const QString source = word.line > 0
        ? Tr::tr("by line %1 of “%2” of %3").arg(QString::number(word.line), file, provider)
        : Tr::tr("by “%1” of %2").arg(file, provider);
    QStringList sentences { Tr::tr("%1, %2.").arg(providerWordText(word.says), source), subjectText(word, masked),
        Tr::tr("Recorded by %1.").arg(displayText(word.who)) };
    sentences.removeAll(QString());
    return sentences.join(u' ');
}

} // namespace idemdesk::models
