// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/help/help_pages.h"

#include "models/help/made_tables.h"
#include "models/help/profile_reference.h"

#include <QFile>
#include <QHash>
#include <algorithm>

using namespace Qt::StringLiterals;

// Q_INIT_RESOURCE must stand outside of namespaces.
static void keepHelpResources()
{
    Q_INIT_RESOURCE(help_pages);
}

namespace idemdesk::models {

namespace {

QString helpFile(const QString &name)
{
    keepHelpResources();
    QFile file(u":/idemdesk/help/%1.md"_s.arg(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Puts what the program knows best itself where a page asks for it, so that the page cannot differ from it.
QString withMadeTables(QString page)
{
    const std::pair<QString, QString (*)()> tables[] = {
        { u"<!-- made: profile -->"_s, profileReference },
        { u"<!-- made: alerts -->"_s, alertTable },
        { u"<!-- made: metrics -->"_s, metricTable },
        { u"<!-- made: codes -->"_s, errorCodeTable },
        { u"<!-- made: runbooks -->"_s, runbookTable },
    };
    for (const auto &[mark, make] : tables) {
        if (page.contains(mark)) {
            page.replace(mark, make().trimmed());
        }
    }
    return page;
}

HelpTopic readTopic(const QString &id, const QString &summary)
{
    HelpTopic topic { id, {}, summary, withMadeTables(helpFile(id)) };
    topic.title = topic.markdown.section(u'\n', 0, 0).mid(2).trimmed();
    return topic;
}

/// What index.md lists, as "- [Title](id.md): summary": ids with their summaries.
QList<std::pair<QString, QString>> indexed()
{
    QList<std::pair<QString, QString>> topics;
    const QStringList lines = helpFile(u"index"_s).split(u'\n');
    for (const QString &line : lines) {
        const qsizetype from = line.indexOf(u"]("_s);
        const qsizetype to = line.indexOf(u".md): "_s);
        if (line.startsWith(u"- ["_s) && from > 0 && to > from) {
            topics.append({ line.mid(from + 2, to - from - 2), line.mid(to + 6).trimmed() });
        }
    }
    return topics;
}

QList<HelpTopic> readTopics()
{
    QList<HelpTopic> topics;
    const auto list = indexed();
    for (const auto &[id, summary] : list) {
        topics += readTopic(id, summary);
    }
    return topics;
}

/// What fields.md says of fields, and which page it names for dialogs.
struct FieldTexts {
    QHash<QString, QString> fields;
    QHash<QString, QString> topics;
};

FieldTexts readFields()
{
    FieldTexts texts;
    const QStringList lines = helpFile(u"fields"_s).split(u'\n');
    for (const QString &line : lines) {
        const QStringList cells = line.split(u'|');
        if (cells.size() != 4) {
            continue;
        }
        const QStringList names = cells.at(1).split(u',');
        for (const QString &name : names) {
            const QString text = cells.at(2).trimmed();
            const QString topic = text.section(u"]("_s, 1).section(u".md)"_s, 0, 0);
            (topic.isEmpty() ? texts.fields : texts.topics)
                .insert(name.trimmed().remove(u'`'), topic.isEmpty() ? text : topic);
        }
    }
    return texts;
}

const FieldTexts &fieldTexts()
{
    static const FieldTexts texts = readFields();
    return texts;
}

} // namespace

const QList<HelpTopic> &helpTopics()
{
    static const QList<HelpTopic> topics = readTopics();
    return topics;
}

QStringList helpTopicIds()
{
    QStringList ids;
    const auto list = indexed();
    for (const auto &[id, summary] : list) {
        ids += id;
    }
    return ids;
}

const HelpTopic *helpTopic(const QString &id)
{
    const QList<HelpTopic> &topics = helpTopics();
    const auto found
        = std::find_if(topics.cbegin(), topics.cend(), [&id](const HelpTopic &topic) { return topic.id == id; });
    return found == topics.cend() ? nullptr : &*found;
}

QString safetyPage()
{
    return helpFile(u"safety"_s);
}

QString fieldHelp(const QString &objectName)
{
    const QHash<QString, QString> &texts = fieldTexts().fields;
    if (const auto whole = texts.constFind(objectName); whole != texts.cend()) {
        return *whole;
    }
    // Fields that a form makes for several things share a text: "purgeState_*", "*Reason".
    for (qsizetype length = objectName.size() - 1; length > 0; --length) {
        for (const QString &part : { objectName.left(length) + u'*', u'*' + objectName.right(length) }) {
            if (const auto shared = texts.constFind(part); shared != texts.cend()) {
                return *shared;
            }
        }
    }
    return {};
}

QString dialogTopic(const QString &objectName)
{
    return fieldTexts().topics.value(objectName, u"start"_s);
}

} // namespace idemdesk::models
