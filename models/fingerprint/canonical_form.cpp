// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/canonical_form.h"

#include "sql/types/tr.h"

#include <QHash>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Type = JsonDocument::Type;
using Form = CanonicalForm;

struct Member {
    int node = -1;
    QString name;
};

QByteArray quoted(const QString &text, Form::Escapes escapes)
{
    QByteArray out = "\"";
    const auto escape
        = [&out](char16_t unit) { out += "\\u" + QByteArray::number(uint(unit), 16).rightJustified(4, '0'); };
    QString run;
    const auto flush = [&] {
        out += run.toUtf8();
        run.clear();
    };
    for (const QChar c : text) {
        const char16_t unit = c.unicode();
        static constexpr char16_t kShort[] = u"\b\f\n\r\t\"\\";
        const auto *known = unit == 0 ? nullptr : std::char_traits<char16_t>::find(kShort, 7, unit);
        const bool ascii = unit >= 0x20 && unit < 0x7F;
        if (known != nullptr) {
            flush();
            out += '\\';
            out += "bfnrt\"\\"[known - kShort];
        } else if (unit == u'/' && escapes == Form::Escapes::Php) {
            flush();
            out += "\\/";
        } else if (unit < 0x20
            || (!ascii && escapes != Form::Escapes::Least && !(unit == 0x7F && escapes == Form::Escapes::Php))) {
            flush();
            escape(unit);
        } else {
            run += c;
        }
    }
    flush();
    return out + '"';
}

/// An index of an array, as JavaScript moves them to the front: "0", "17", no leading zero, below 2^32 - 1.
bool isIndex(const QString &name, quint32 *value)
{
    bool ok = false;
    *value = name.toUInt(&ok);
    return ok && *value != 0xFFFFFFFFU && QString::number(*value) == name;
}

bool before(const Member &a, const Member &b, Form::Keys keys)
{
    switch (keys) {
    case Form::Keys::CodeUnits:
        return a.name < b.name;
    case Form::Keys::CodePoints:
        return a.name.toUtf8() < b.name.toUtf8();
    case Form::Keys::CaseInsensitive:
        return a.name.toLower() < b.name.toLower();
    case Form::Keys::Jsonb: {
        const QByteArray left = a.name.toUtf8();
        const QByteArray right = b.name.toUtf8();
        return left.size() != right.size() ? left.size() < right.size() : left < right;
    }
    case Form::Keys::AsWritten:
        break;
    }
    return false;
}

/// An object's members as a parser that keeps the last of a name at the place of the first hands them on, then sorted.
std::vector<Member> membersOf(
    const JsonSource &json, int object, const Form &form, const QSet<QString> *topNames = nullptr)
{
    const JsonDocument &document = json.document();
    std::vector<Member> members;
    QHash<QString, std::size_t> places;
    for (int row = 0; row < document.childCount(object); ++row) {
        const int node = document.child(object, row);
        const QString name = document.name(node);
        if (topNames != nullptr && !topNames->contains(name)) {
            continue;
        }
        if (document.duplicateName(node)) {
            if (const auto found = places.constFind(name); found != places.cend()) {
                members[*found].node = node;
                continue;
            }
            places.insert(name, members.size());
        }
        members.push_back({ node, name });
    }
    if (form.keys != Form::Keys::AsWritten && (object == 0 || !form.topOnly)) {
        std::stable_sort(members.begin(), members.end(),
            [&form](const Member &a, const Member &b) { return before(a, b, form.keys); });
    }
    if (form.integerKeysFirst) {
        std::stable_sort(members.begin(), members.end(), [](const Member &a, const Member &b) {
            quint32 left = 0;
            quint32 right = 0;
            const bool leftIs = isIndex(a.name, &left);
            const bool rightIs = isIndex(b.name, &right);
            return leftIs != rightIs ? leftIs : leftIs && left < right;
        });
    }
    return members;
}

QByteArray scalar(const JsonSource &json, int node, const Form &form)
{
    switch (json.type(node)) {
    case Type::Number:
        return writtenNumber(json.rawText(node), form.numbers);
    case Type::String:
        return quoted(json.document().value(node), form.escapes);
    default:
        return json.rawText(node).toByteArray();
    }
}

struct OpenContainer {
    int node = 0;
    std::vector<Member> children;
    std::size_t next = 0;
};

/// Without recursion, so that depth costs no stack.
QByteArray treeBytes(const Form &form, const JsonSource &json)
{
    QByteArray out;
    std::vector<OpenContainer> open;
    QSet<QString> topNames;
    if (form.onlyTopNames && json.type(0) == Type::Object) {
        for (int row = 0; row < json.document().childCount(0); ++row) {
            topNames.insert(json.document().name(json.document().child(0, row)));
        }
    }
    const auto write = [&](int node) {
        const Type type = json.type(node);
        if (type < Type::Array) {
            out += scalar(json, node, form);
            return;
        }
        OpenContainer container { node, {}, 0 };
        if (type == Type::Object) {
            container.children = membersOf(json, node, form, form.onlyTopNames ? &topNames : nullptr);
        } else {
            for (int row = 0; row < json.document().childCount(node); ++row) {
                container.children.push_back({ json.document().child(node, row), {} });
            }
        }
        // PHP reads an object as an array and writes an empty one as such.
        const bool braces = type == Type::Object && !(form.escapes == Form::Escapes::Php && container.children.empty());
        out += braces ? '{' : '[';
        open.push_back(std::move(container));
    };
    write(0);
    while (!open.empty()) {
        OpenContainer &top = open.back();
        const bool object = json.type(top.node) == Type::Object;
        if (top.next == top.children.size()) {
            out += object && !(form.escapes == Form::Escapes::Php && top.children.empty()) ? '}' : ']';
            open.pop_back();
            continue;
        }
        if (top.next > 0) {
            out += form.spaced ? ", " : ",";
        }
        const Member member = top.children[top.next++];
        if (object) {
            out += quoted(member.name, form.escapes) + (form.spaced ? ": " : ":");
        }
        write(member.node);
    }
    return out;
}

QByteArray valuesJoined(const Form &form, const JsonSource &json)
{
    const JsonDocument &document = json.document();
    QByteArrayList values;
    if (document.type(0) == Type::Object) {
        for (int row = 0; row < document.childCount(0); ++row) {
            const int node = document.child(0, row);
            values += json.isContainer(node) ? json.compact(node) : document.value(node).toUtf8();
        }
    }
    return values.join(form.joint);
}

/// As a form in an address: letters, digits and "-._" stay, a blank is a plus.
QByteArray percentEncoded(const QByteArray &text)
{
    return text.toPercentEncoding(" ", "~").replace(' ', '+');
}

QByteArray pairsJoined(const Form &form, const JsonSource &json)
{
    const JsonDocument &document = json.document();
    QByteArrayList pairs;
    if (document.type(0) == Type::Object) {
        for (const Member &member : membersOf(json, 0, form)) {
            const QByteArray value
                = json.isContainer(member.node) ? json.compact(member.node) : document.value(member.node).toUtf8();
            const QByteArray name = member.name.toUtf8();
            pairs += form.percent ? percentEncoded(name) + '=' + percentEncoded(value) : name + '=' + value;
        }
    }
    return pairs.join(form.joint);
}

} // namespace

QByteArray jsonText(const QString &text, const CanonicalForm &form)
{
    return quoted(text, form.escapes);
}

const QList<CanonicalForm> &canonicalForms()
{
    using W = Form::Whole;
    using K = Form::Keys;
    using E = Form::Escapes;
    using N = NumberStyle;
    static const QList<Form> forms {
        { u"raw"_s, W::Bytes },
        { u"stable-json"_s, W::Tree, K::CodeUnits },
        { u"compact"_s, W::Tokens },
        { u"javascript"_s, W::Tree, K::AsWritten, true },
        { u"python-sorted"_s, W::Tree, K::CodePoints, false, true, E::Ascii, N::Python },
        { u"raw-trimmed"_s, W::TrimmedBytes },
        { u"sorted-exact-numbers"_s, W::Tree, K::CodeUnits, false, false, E::Least, N::AsWritten },
        { u"python-sorted-compact"_s, W::Tree, K::CodePoints, false, false, E::Ascii, N::Python },
        { u"case-insensitive"_s, W::Tree, K::CaseInsensitive, true },
        { u"php"_s, W::Tree, K::AsWritten, false, false, E::Php, N::Php },
        { u"jsonb"_s, W::Tree, K::Jsonb, false, true, E::Least, N::Numeric },
        { u"python"_s, W::Tree, K::AsWritten, false, true, E::Ascii, N::Python },
        { u"python-compact"_s, W::Tree, K::AsWritten, false, false, E::Ascii, N::Python },
        { u"python-sorted-utf8"_s, W::Tree, K::CodePoints, false, true, E::Least, N::Python },
        { u"python-sorted-compact-utf8"_s, W::Tree, K::CodePoints, false, false, E::Least, N::Python },
        { u"python-compact-utf8"_s, W::Tree, K::AsWritten, false, false, E::Least, N::Python },
        { u"php-sorted"_s, W::Tree, K::CodePoints, false, false, E::Php, N::Php },
        { u"jsonb-compact"_s, W::Tree, K::Jsonb, false, false, E::Least, N::Numeric },
        { u"values"_s, W::Values },
        { u"values-colon"_s, W::Values, K::AsWritten, false, false, E::Least, N::AsWritten, ":" },
        { u"values-bar"_s, W::Values, K::AsWritten, false, false, E::Least, N::AsWritten, "|" },
        { u"values-lines"_s, W::Values, K::AsWritten, false, false, E::Least, N::AsWritten, "\n" },
        { u"top-sorted"_s, W::Tree, K::CodeUnits, true, false, E::Least, N::EcmaScript, {}, true },
        { u"replacer"_s, W::Tree, K::CodeUnits, false, false, E::Least, N::EcmaScript, {}, false, true },
        { u"python-top-sorted"_s, W::Tree, K::CodePoints, false, true, E::Ascii, N::Python, {}, true },
        { u"python-top-sorted-compact"_s, W::Tree, K::CodePoints, false, false, E::Ascii, N::Python, {}, true },
        { u"php-top-sorted"_s, W::Tree, K::CodePoints, false, false, E::Php, N::Php, {}, true },
        { u"pairs"_s, W::Pairs, K::AsWritten, false, false, E::Least, N::AsWritten, "&" },
        { u"pairs-sorted"_s, W::Pairs, K::CodePoints, false, false, E::Least, N::AsWritten, "&" },
        { u"query"_s, W::Pairs, K::AsWritten, false, false, E::Least, N::AsWritten, "&", false, false, true },
        { u"query-sorted"_s, W::Pairs, K::CodePoints, false, false, E::Least, N::AsWritten, "&", false, false, true },
    };
    return forms;
}

const CanonicalForm *canonicalForm(const QString &id)
{
    const auto &forms = canonicalForms();
    const auto found = std::find_if(forms.begin(), forms.end(), [&id](const Form &form) { return form.id == id; });
    return found == forms.end() ? nullptr : &*found;
}

QString formInWords(const CanonicalForm &form)
{
    switch (form.whole) {
    case Form::Whole::Bytes:
        return Tr::tr("the bytes as sent");
    case Form::Whole::TrimmedBytes:
        return Tr::tr("the bytes as sent, without blanks at the ends");
    case Form::Whole::Tokens:
        return Tr::tr("the JSON as sent, without blanks between values");
    case Form::Whole::Values:
        return form.joint.isEmpty()
            ? Tr::tr("the top-level values one after another")
            : Tr::tr("the top-level values joined by %1")
                  .arg(form.joint == "\n" ? Tr::tr("a line feed") : QString::fromLatin1(form.joint));
    case Form::Whole::Pairs:
        return form.percent ? Tr::tr("the top-level values as name=value, escaped as in an address (%1)").arg(form.id)
                            : Tr::tr("the top-level values as name=value (%1)").arg(form.id);
    case Form::Whole::Tree:
        break;
    }
    static const QHash<QString, const char *> known {
        { u"stable-json"_s,
            QT_TRANSLATE_NOOP("idemdesk::models::CanonicalForm", "JSON with sorted keys (stable JSON, RFC 8785)") },
        { u"javascript"_s,
            QT_TRANSLATE_NOOP(
                "idemdesk::models::CanonicalForm", "JSON as JavaScript writes it, keys in the order sent") },
        { u"sorted-exact-numbers"_s,
            QT_TRANSLATE_NOOP("idemdesk::models::CanonicalForm", "JSON with sorted keys, numbers as written") },
        { u"python-sorted"_s,
            QT_TRANSLATE_NOOP("idemdesk::models::CanonicalForm",
                "JSON as Python writes it with sorted keys (Powertools for Python)") },
        { u"case-insensitive"_s,
            QT_TRANSLATE_NOOP("idemdesk::models::CanonicalForm",
                "JSON with keys sorted without regard to case (Powertools for TypeScript)") },
        { u"php"_s,
            QT_TRANSLATE_NOOP("idemdesk::models::CanonicalForm", "JSON as PHP writes it, keys in the order sent") },
        { u"php-sorted"_s, QT_TRANSLATE_NOOP("idemdesk::models::CanonicalForm", "JSON as PHP writes it, keys sorted") },
        { u"top-sorted"_s,
            QT_TRANSLATE_NOOP("idemdesk::models::CanonicalForm", "JSON with only the outermost keys sorted") },
        { u"replacer"_s,
            QT_TRANSLATE_NOOP("idemdesk::models::CanonicalForm",
                "JSON.stringify with its sorted top-level keys, which drops other keys within") },
        { u"php-top-sorted"_s,
            QT_TRANSLATE_NOOP(
                "idemdesk::models::CanonicalForm", "JSON as PHP writes it, only the outermost keys sorted") },
        { u"jsonb"_s, QT_TRANSLATE_NOOP("idemdesk::models::CanonicalForm", "the text of a jsonb value") },
        { u"jsonb-compact"_s,
            QT_TRANSLATE_NOOP("idemdesk::models::CanonicalForm", "the text of a jsonb value, without blanks") },
    };
    if (const auto found = known.constFind(form.id); found != known.cend()) {
        return Tr::tr(*found);
    }
    return Tr::tr("JSON as Python writes it (%1)").arg(form.id);
}

QByteArray canonicalBytes(const CanonicalForm &form, const QByteArray &payload, const JsonSource *json)
{
    switch (form.whole) {
    case Form::Whole::Bytes:
        return payload;
    case Form::Whole::TrimmedBytes:
        return payload.trimmed();
    case Form::Whole::Tokens:
        return json == nullptr ? QByteArray() : json->compact(0);
    case Form::Whole::Values:
        return json == nullptr ? QByteArray() : valuesJoined(form, *json);
    case Form::Whole::Pairs:
        return json == nullptr ? QByteArray() : pairsJoined(form, *json);
    case Form::Whole::Tree:
        break;
    }
    return json == nullptr ? QByteArray() : treeBytes(form, *json);
}

} // namespace idemdesk::models
