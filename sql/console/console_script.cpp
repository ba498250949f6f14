// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/console/console_script.h"

#include "sql/profile/sql_scanner.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

// Q_INIT_RESOURCE must stand outside of namespaces.
static void keepConsoleResources() { Q_INIT_RESOURCE(idemdesk_console); }

namespace idemdesk::sql {

namespace {

const QString kFolder = QStringLiteral(":/idemdesk/console");

bool onlyComments(const QString &statement)
{
    SqlScanner scanner(statement);
    SqlToken token;
    while (scanner.next(&token)) {
        const QString text = statement.mid(token.begin, token.end - token.begin).trimmed();
        const bool comment = token.piece == SqlToken::Piece::Opaque && (text.startsWith(u"--"_s) || text.startsWith(u"/*"_s));
        if (!comment && !text.isEmpty()) {
            return false;
        }
    }
    return true;
}

} // namespace

QString consoleText(const QString &file)
{
    keepConsoleResources();
    QFile source(kFolder + u'/' + file);
    return source.open(QIODevice::ReadOnly) ? QString::fromUtf8(source.readAll()) : QString();
}

QList<Migration> consoleMigrations()
{
    keepConsoleResources();
    static const QRegularExpression numbered(u"^(\\d{3})_(\\w+)\\.sql$"_s);
    QList<Migration> migrations;
    const QStringList files = QDir(kFolder).entryList(QDir::Files, QDir::Name);
    for (const QString &file : files) {
        if (const auto match = numbered.match(file); match.hasMatch()) {
            migrations.append({ match.captured(1).toInt(), match.captured(2), consoleText(file) });
        }
    }
    return migrations;
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

QMap<QString, QString> consoleFunctionBodies()
{
    static const QRegularExpression change(
        u"^CREATE (?:OR REPLACE )?FUNCTION idemdesk\\.(\\w+)\\(.*?\\$fn\\$(.*?)\\$fn\\$;|"
        "^ALTER FUNCTION idemdesk\\.(\\w+)\\([^;]*\\) RENAME TO (\\w+);"_s,
        QRegularExpression::DotMatchesEverythingOption | QRegularExpression::MultilineOption);
    QMap<QString, QString> bodies;
    for (const Migration &migration : consoleMigrations()) {
        auto matches = change.globalMatch(migration.sql);
        while (matches.hasNext()) {
            const auto match = matches.next();
            if (match.hasCaptured(3)) {
                bodies.insert(match.captured(4), bodies.take(match.captured(3)));
            } else {
                bodies.insert(match.captured(1), match.captured(2));
            }
        }
    }
    return bodies;
}

} // namespace idemdesk::sql
