// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/help/profile_reference.h"

#include "models/format/labels.h"
#include "models/help/made_tables.h"
#include "sql/json/json_tree.h"
#include "sql/types/profile.h"
#include "sql/types/tr.h"

#include <QFile>
#include <QHash>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::JsonNode;

QString textOf(const JsonNode &node, const QString &name)
{
    const JsonNode *member = node.member(name);
    return member != nullptr && member->isText() ? member->text : QString();
}

/// What a pattern of the schema stands for, in words.
QString patternWords(const QString &pattern)
{
    if (pattern == u"^[0-9]+[smhdwy]$") {
        return Tr::tr("a length of time, such as `15m`, `2h` or `7d`");
    }
    if (pattern == u"^-?[0-9]+[smhdwy]$") {
        return Tr::tr("a length of time, also negative, such as `-15m`");
    }
    if (pattern == u"^/") {
        return Tr::tr("a JSON pointer, such as `/items/*/id`");
    }
    if (pattern.startsWith(u"^(epoch_ms"_s)) {
        return Tr::tr("`epoch_ms`, `epoch_s`, `utc`, `iso` or `zone:` with a name");
    }
    if (pattern == u"^[0-9A-Z]{5}$") {
        return Tr::tr("an SQLSTATE, such as `40001`");
    }
    if (pattern == u"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$") {
        return Tr::tr("a name of letters, digits, `.`, `_` and `-`");
    }
    return Tr::tr("a text that matches `%1`").arg(pattern);
}

/// Walks the schema: one table for each object, those with a name of their own once.
class Walk
{
public:
    explicit Walk(const JsonNode &schema)
        : m_defs(schema.member(u"$defs"_s))
    {
        table(Tr::tr("Keys of a profile"), {}, schema);
    }

    QString text()
    {
        // What was met on the way follows, each met once; describing it may meet more.
        for (qsizetype i = 0; i < m_met.size(); ++i) {
            const Met met = m_met.at(i);
            table(met.heading, met.path, *met.schema);
        }
        return m_text;
    }

private:
    struct Met {
        QString heading;
        QString path;
        const JsonNode *schema;
    };

    const JsonNode *defined(const QString &reference) const
    {
        return m_defs == nullptr ? nullptr : m_defs->member(reference.section(u'/', -1));
    }

    QString section(const QString &heading, const QString &path, const JsonNode &schema)
    {
        bool known = false;
        for (const Met &met : std::as_const(m_met)) {
            known = known || met.heading == heading;
        }
        if (!known) {
            m_met.append({ heading, path, &schema });
        }
        return Tr::tr("an object, see “%1”").arg(heading);
    }

    QString values(const JsonNode &list) const
    {
        QStringList words;
        for (const JsonNode &one : list.items) {
            words += u'`' + one.text + u'`';
        }
        return words.size() == 1 ? words.constFirst() : Tr::tr("one of %1").arg(words.join(u", "_s));
    }

    QString reference(const QString &name, const JsonNode &schema, const QString &path)
    {
        static const QHash<QString, QString> headings {
            { u"labelled"_s, Tr::tr("A label and its expression") },
            { u"recipePart"_s, Tr::tr("A part of a recipe") },
            { u"staleRule"_s, Tr::tr("A rule for stuck keys") },
            { u"purgeRule"_s, Tr::tr("A rule for purging") },
            { u"action"_s, Tr::tr("A rule for an action") },
            { u"retryRule"_s, Tr::tr("A rule for retries") },
        };
        if (name == u"sql") {
            return Tr::tr("an SQL expression over `t`");
        }
        if (name == u"span") {
            return Tr::tr("a length of time, or an SQL expression over `t`");
        }
        if (name == u"time") {
            const JsonNode *forms = schema.member(u"anyOf"_s);
            return Tr::tr("an SQL expression over `t`, or %1")
                .arg(section(Tr::tr("A time"), path, forms->items.constLast()));
        }
        return headings.contains(name) ? section(headings.value(name), path, schema) : kind(schema, path);
    }

    QString alternatives(const JsonNode &list, const QString &path)
    {
        QStringList words;
        for (const JsonNode &one : list.items) {
            if (textOf(one, u"type"_s) != u"null") { // every optional key may be null: said once on top
                words += kind(one, path);
            }
        }
        words.removeDuplicates();
        return words.join(Tr::tr(", or "));
    }

    QString object(const JsonNode &schema, const QString &path)
    {
        if (schema.member(u"properties"_s) != nullptr) {
            return section(u'`' + path + u'`', path, schema);
        }
        const JsonNode *each = schema.member(u"additionalProperties"_s);
        return each != nullptr && each->isObject()
            ? Tr::tr("an object; each value is %1").arg(kind(*each, path + u".*"_s))
            : Tr::tr("an object");
    }

    QString kind(const JsonNode &schema, const QString &path)
    {
        if (const QString name = textOf(schema, u"$ref"_s); !name.isEmpty()) {
            const JsonNode *target = defined(name);
            return target == nullptr ? name : reference(name.section(u'/', -1), *target, path);
        }
        if (const JsonNode *list = schema.member(u"anyOf"_s); list != nullptr) {
            return alternatives(*list, path);
        }
        if (const JsonNode *list = schema.member(u"enum"_s); list != nullptr) {
            return values(*list);
        }
        if (const JsonNode *one = schema.member(u"const"_s); one != nullptr) {
            return u'`' + one->text + u'`';
        }
        const QString type = textOf(schema, u"type"_s);
        if (type == u"array") {
            const JsonNode *each = schema.member(u"items"_s);
            return each == nullptr ? Tr::tr("a list") : Tr::tr("a list: %1").arg(kind(*each, path + u"[]"_s));
        }
        if (type == u"object") {
            return object(schema, path);
        }
        if (type == u"string") {
            const QString pattern = textOf(schema, u"pattern"_s);
            return pattern.isEmpty() ? Tr::tr("a text") : patternWords(pattern);
        }
        return type == u"boolean" ? Tr::tr("`true` or `false`")
            : type == u"integer"  ? Tr::tr("a whole number")
            : type == u"number"   ? Tr::tr("a number")
                                  : Tr::tr("anything; nothing uses it yet");
    }

    /// A description of the key itself, else of what it refers to; of a role, what the window says of it.
    QString meaning(const JsonNode &schema, const QString &path) const
    {
        if (path.startsWith(u"roles."_s) && path.count(u'.') == 1) {
            const auto role = sql::roleFromName(path.section(u'.', 1));
            return role ? roleHelp(*role) : QString();
        }
        return textOf(schema, u"description"_s);
    }

    void table(const QString &heading, const QString &path, const JsonNode &schema)
    {
        QStringList required;
        if (const JsonNode *list = schema.member(u"required"_s); list != nullptr) {
            for (const JsonNode &one : list->items) {
                required += one.text;
            }
        }
        QString rows;
        for (const auto &[name, member] : schema.member(u"properties"_s)->members) {
            const QString place = path.isEmpty() ? name : path + u'.' + name;
            const QString must = required.contains(name) ? Tr::tr(" (required)") : QString();
            rows += markdownRow({ u'`' + name + u'`' + must, kind(member, place), meaning(member, place) });
        }
        const QString about = path.isEmpty() ? QString() : textOf(schema, u"description"_s);
        m_text += u"\n## "_s + heading + u"\n\n"_s + (about.isEmpty() ? QString() : about + u"\n\n"_s)
            + markdownRow({ Tr::tr("Key"), Tr::tr("Value"), Tr::tr("Meaning") }) + u"|---|---|---|\n"_s + rows;
    }

    const JsonNode *m_defs;
    QList<Met> m_met;
    QString m_text;
};

} // namespace

QString profileReference()
{
    QFile file(u":/idemdesk/profiles/profile.schema.json"_s);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const auto schema = sql::parseJson(file.readAll(), file.fileName());
    return schema.ok() ? Walk(*schema).text() : QString();
}

} // namespace idemdesk::models
