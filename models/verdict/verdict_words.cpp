// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/verdict/verdict.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString kindWord(VerdictKind kind)
{
    switch (kind) {
    case VerdictKind::OneEffect:
        return u"one_effect"_s;
    case VerdictKind::SeveralEffects:
        return u"several_effects"_s;
    case VerdictKind::SeveralIntents:
        return u"several_intents"_s;
    case VerdictKind::ConflictRefused:
        return u"conflict_refused"_s;
    case VerdictKind::NothingDone:
        return u"nothing_done"_s;
    case VerdictKind::Unfinished:
        return u"unfinished"_s;
    case VerdictKind::Stuck:
        return u"stuck"_s;
    case VerdictKind::EvidenceMissing:
        return u"evidence_missing"_s;
    }
    return {};
}

QString certaintyWord(Certainty certainty)
{
    switch (certainty) {
    case Certainty::Open:
        return u"open"_s;
    case Certainty::Likely:
        return u"likely"_s;
    case Certainty::Proven:
        return u"proven"_s;
    }
    return {};
}

QString certaintyName(Certainty certainty)
{
    switch (certainty) {
    case Certainty::Open:
        return Tr::tr("Not proven");
    case Certainty::Likely:
        return Tr::tr("Likely");
    case Certainty::Proven:
        return Tr::tr("Proven");
    }
    return {};
}

QString outcomeName(VerdictKind kind)
{
    switch (kind) {
    case VerdictKind::OneEffect:
        return Tr::tr("Done once");
    case VerdictKind::SeveralEffects:
    case VerdictKind::SeveralIntents:
        return Tr::tr("Done more than once");
    case VerdictKind::ConflictRefused:
        return Tr::tr("Reused key, refused");
    case VerdictKind::NothingDone:
        return Tr::tr("Nothing done");
    case VerdictKind::Unfinished:
        return Tr::tr("In progress");
    case VerdictKind::Stuck:
        return Tr::tr("Stuck");
    case VerdictKind::EvidenceMissing:
        return Tr::tr("Not known");
    }
    return {};
}

QString factSign(FactSign sign)
{
    switch (sign) {
    case FactSign::Yes:
        return u"✓"_s;
    case FactSign::No:
        return u"✗"_s;
    case FactSign::Unknown:
        break;
    }
    return u"?"_s;
}

QString factWord(FactSign sign)
{
    switch (sign) {
    case FactSign::Yes:
        return Tr::tr("Shown");
    case FactSign::No:
        return Tr::tr("Speaks against it");
    case FactSign::Unknown:
        break;
    }
    return Tr::tr("Not known");
}

QStringList openSentences(const Verdict &verdict)
{
    QStringList sentences;
    for (const OpenPoint &point : verdict.open) {
        sentences += point.sentence;
    }
    return sentences;
}

} // namespace idemdesk::models
