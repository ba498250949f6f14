// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/session/conninfo.h"

#include "sql/types/tr.h"

#include <QRegularExpression>
#include <libpq-fe.h>
#include <memory>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

bool secret(const QString &keyword)
{
    return keyword == "password"_L1 || keyword == "sslpassword"_L1;
}

Error refused(const QString &why, const QString &todo)
{
    return makeError(ErrorKind::Usage, Tr::tr("These connection settings cannot be used."), why, todo);
}

} // namespace

Result<QList<std::pair<QString, QString>>> parseConninfo(const QString &conninfo)
{
    if (conninfo.contains(QChar(0))) {
        return refused(Tr::tr("The text holds a NUL character."), Tr::tr("Type it anew."));
    }
    char *message = nullptr;
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
        PQconninfoParse(conninfo.toUtf8().constData(), &message), &PQconninfoFree);
    if (options == nullptr) {
        // libpq quotes the text it did not understand, and that may be a password.
        const QString reason = message == nullptr ? QString() : maskConninfo(QString::fromUtf8(message).trimmed());
        PQfreemem(message);
        return refused(Tr::tr("libpq does not understand them: %1").arg(reason),
            Tr::tr("Write keywords and values (host=… dbname=…), a URI (postgresql://…) or service=…."));
    }
    QList<std::pair<QString, QString>> found;
    for (const PQconninfoOption *option = options.get(); option->keyword != nullptr; ++option) {
        if (option->val == nullptr) {
            continue;
        }
        const QString keyword = QString::fromUtf8(option->keyword);
        if (secret(keyword)) {
            return refused(Tr::tr("They contain a password, which would show in process lists and settings files."),
                Tr::tr("Leave it out: keep it in ~/.pgpass or a service file. The window has a field for it, and the "
                       "keychain."));
        }
        found.append({ keyword, QString::fromUtf8(option->val) });
    }
    return found;
}

QString composeConninfo(const QList<std::pair<QString, QString>> &settings)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_./:,+@%-]+$"_s);
    QStringList parts;
    for (const auto &[keyword, value] : settings) {
        if (value.isEmpty()) {
            continue;
        }
        QString text = value;
        if (!plain.match(value).hasMatch()) {
            text.replace(u'\\', R"(\\)"_L1).replace(u'\'', R"(\')"_L1);
            text = u'\'' + text + u'\'';
        }
        parts.append(keyword + u'=' + text);
    }
    return parts.join(u' ');
}

QString maskConninfo(const QString &conninfo)
{
    QString text = conninfo;
    static const QRegularExpression keyValue(uR"(\b((?:ssl)?password)(\s*=\s*)('(?:[^'\\]|\\.)*(?:'|$)|[^\s&"]+))"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression uri(uR"((://[^/?#\s:@]*:)([^/?#\s]*)@)"_s);
    text.replace(keyValue, u"\\1\\2***"_s);
    text.replace(uri, u"\\1***@"_s);
    return text;
}

} // namespace idemdesk::sql
