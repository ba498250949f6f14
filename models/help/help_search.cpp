// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/help/help_search.h"

#include "models/help/help_pages.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kExcerpt = 160;
constexpr std::size_t kHelpRanks = 4; // see rankOf()

/// What stands under one heading of a page.
struct HelpPart {
    QString heading;
    QStringList lines;
};

QList<HelpPart> helpParts(const HelpTopic &topic)
{
    QList<HelpPart> parts { { topic.title, {} } };
    const QStringList lines = topic.markdown.split(u'\n');
    for (const QString &line : lines) {
        if (line.startsWith(u'#')) {
            const QString heading = plainMarkdown(line.mid(line.indexOf(u' ') + 1));
            if (heading != topic.title) {
                parts.append({ heading, {} });
            }
        } else if (!line.startsWith(u"|--"_s) && !line.trimmed().isEmpty()) {
            parts.last().lines += plainMarkdown(line);
        }
    }
    return parts;
}

bool holdsAll(const QString &text, const QStringList &words)
{
    return std::all_of(words.cbegin(), words.cend(),
        [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool startsWord(const QString &text, const QString &word)
{
    const QRegularExpression start(u"(?<!\\w)"_s + QRegularExpression::escape(word),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
    return text.contains(start);
}

bool startsAll(const QString &text, const QStringList &words)
{
    return std::all_of(words.cbegin(), words.cend(), [&text](const QString &word) { return startsWord(text, word); });
}

/// How far up a part belongs: a heading before a text, and words that begin so before words that only hold it. "Lease"
/// is not a release. Nothing where it does not hold all of the words.
std::optional<int> rankOf(const HelpPart &part, const QStringList &words)
{
    const QString whole = part.heading + u'\n' + part.lines.join(u'\n');
    if (!holdsAll(whole, words)) {
        return std::nullopt;
    }
    return startsAll(part.heading, words) ? 0 : startsAll(whole, words) ? 1 : holdsAll(part.heading, words) ? 2 : 3;
}

/// The line with the most of the words; the first one where all are in the heading.
QString excerptOf(const HelpPart &part, const QStringList &words)
{
    QString best = part.lines.value(0);
    qsizetype most = 0;
    for (const QString &line : part.lines) {
        const auto weight = [&line](qsizetype sum, const QString &word) {
            return sum + (startsWord(line, word) ? 2 : line.contains(word, Qt::CaseInsensitive) ? 1 : 0);
        };
        const qsizetype found = std::accumulate(words.cbegin(), words.cend(), qsizetype(0), weight);
        if (found > most) {
            most = found;
            best = line;
        }
    }
    return best.size() <= kExcerpt ? best : best.left(kExcerpt - 1).trimmed() + u'…';
}

} // namespace

QString plainMarkdown(const QString &line)
{
    static const QRegularExpression link(u"\\[([^\\]]*)\\]\\([^)]*\\)"_s);
    static const QRegularExpression lead(u"^\\s*(?:[-*] |\\d+\\. |\\| *)"_s);
    QString text = line;
    text.replace(link, u"\\1"_s).replace(lead, QString());
    text.remove(u"**"_s).remove(u'`').replace(u" | "_s, u" – "_s);
    if (text.endsWith(u'|')) {
        text.chop(1);
    }
    return text.trimmed();
}

QList<HelpHit> searchHelp(const QString &words)
{
    const QStringList wanted = words.simplified().split(u' ', Qt::SkipEmptyParts);
    std::array<QList<HelpHit>, kHelpRanks> ranked;
    if (wanted.isEmpty()) {
        return {};
    }
    for (const HelpTopic &topic : helpTopics()) {
        const QList<HelpPart> parts = helpParts(topic);
        for (const HelpPart &part : parts) {
            if (const auto rank = rankOf(part, wanted)) {
                ranked.at(std::size_t(*rank)).append({ topic.id, topic.title, part.heading, excerptOf(part, wanted) });
            }
        }
    }
    QList<HelpHit> hits;
    for (const QList<HelpHit> &some : ranked) {
        hits += some;
    }
    return hits;
}

} // namespace idemdesk::models
