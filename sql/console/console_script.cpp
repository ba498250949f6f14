// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/console/console_script.h"

#include "sql/profile/sql_scanner.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

// Q_INIT_RESOURCE must stand outside of namespaces.
static void keepConsoleResources()
{
    Q_INIT_RESOURCE(idemdesk_console);
}

namespace idemdesk::sql {

namespace {

const QString kFolder = QStringLiteral(":/idemdesk/console");

bool onlyComments(const QString &statement)
{
    SqlScanner scanner(statement);
    SqlToken token;
    while (scanner.next(&token)) {
        const QString text = statement.mid(token.begin, token.end - token.begin).trimmed();
        const bool comment
            = token.piece == SqlToken::Piece::Opaque && (text.startsWith(u"--"_s) || text.startsWith(u"/*"_s));
        if (!comment && !text.isEmpty()) {
            return false;
        }
    }
    return true;
}

ConsoleSchema readConsoleSchema()
{
    static const QRegularExpression numbered(u"^(\\d{3})_(\\w+)\\.sql$"_s);
    keepConsoleResources();
    ConsoleSchema schema;
    const QStringList subjects = QDir(kFolder + u"/schema"_s).entryList(QDir::Files, QDir::Name);
    for (const QString &file : subjects) {
        schema.whole += consoleText(u"schema/"_s + file) + u'\n';
    }
    const QStringList upgrades = QDir(kFolder + u"/upgrades"_s).entryList(QDir::Files, QDir::Name);
    for (const QString &file : upgrades) {
        if (const auto match = numbered.match(file); match.hasMatch()) {
            schema.upgrades.append(
                { match.captured(1).toInt(), match.captured(2), consoleText(u"upgrades/"_s + file) });
        }
    }
    return schema;
}

} // namespace

QString consoleText(const QString &file)
{
    keepConsoleResources();
    QFile source(kFolder + u'/' + file);
    return source.open(QIODevice::ReadOnly) ? QString::fromUtf8(source.readAll()) : QString();
}

const ConsoleSchema &consoleSchema()
{
    static const ConsoleSchema schema = readConsoleSchema();
    return schema;
}

QStringList scriptStatements(const QString &script)
{
    QStringList statements;
    qsizetype begin = 0;
    const auto take = [&](qsizetype end) {
        const QString statement = script.mid(begin, end - begin).trimmed();
        if (!statement.isEmpty() && !onlyComments(statement)) {
            statements += statement;
        }
    };
    SqlScanner scanner(script);
    SqlToken token;
    while (scanner.next(&token)) {
        if (token.piece == SqlToken::Piece::Symbol && script.at(token.begin) == u';') {
            take(token.begin);
            begin = token.end;
        }
    }
    take(script.size());
    return statements;
}

QMap<QString, QString> consoleFunctionBodies(const ConsoleSchema &schema)
{
    static const QRegularExpression function(u"^CREATE FUNCTION idemdesk\\.(\\w+)\\(.*?\\$fn\\$(.*?)\\$fn\\$;"_s,
        QRegularExpression::DotMatchesEverythingOption | QRegularExpression::MultilineOption);
    QMap<QString, QString> bodies;
    auto matches = function.globalMatch(schema.whole);
    while (matches.hasNext()) {
        const auto match = matches.next();
        bodies.insert(match.captured(1), match.captured(2));
    }
    return bodies;
}

QString trampolineBody(const ConsoleSchema &schema)
{
    return schema.whole.section(u"$trampoline$"_s, 1, 1);
}

} // namespace idemdesk::sql
