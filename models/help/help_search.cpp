// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/help/help_search.h"

#include "models/help/help_pages.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kExcerpt = 160;

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

/// The line with the most of the words; the first one where all are in the heading.
QString excerptOf(const HelpPart &part, const QStringList &words)
{
    QString best = part.lines.value(0);
    qsizetype most = 0;
    for (const QString &line : part.lines) {
        const qsizetype found = std::count_if(words.cbegin(), words.cend(),
            [&line](const QString &word) { return line.contains(word, Qt::CaseInsensitive); });
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
    QList<HelpHit> inHeading;
    QList<HelpHit> inText;
    if (wanted.isEmpty()) {
        return {};
    }
    for (const HelpTopic &topic : helpTopics()) {
        const QList<HelpPart> parts = helpParts(topic);
        for (const HelpPart &part : parts) {
            const bool headed = holdsAll(part.heading, wanted);
            if (headed || holdsAll(part.heading + u'\n' + part.lines.join(u'\n'), wanted)) {
                (headed ? inHeading : inText).append({ topic.id, topic.title, part.heading, excerptOf(part, wanted) });
            }
        }
    }
    return inHeading + inText;
}

} // namespace idemdesk::models
