// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTest>

using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

namespace {

struct HelpRun {
    int status = -1;
    QString out;
    QString err;
};

} // namespace

/// How the terminal program explains itself and reads its command line: all of it from one table of commands.
class CtlHelpTest final : public QObject
{
    Q_OBJECT

    static HelpRun call(const QString &program, const QStringList &arguments)
    {
        ProgramCall how { privateEnvironment() };
        how.environment.insert(u"COLUMNS"_s, u"80"_s);
        const ProgramRun run = runProgram(program, arguments, how);
        return { run.status, QString::fromUtf8(run.out), run.err };
    }
    static HelpRun ctl(const QStringList &arguments) { return call(QStringLiteral(IDEMDESKCTL), arguments); }

    /// The words in the first column of the list.
    static QStringList commands()
    {
        static const QRegularExpression line(u"^  ([a-z]+)  +\\S"_s, QRegularExpression::MultilineOption);
        QStringList names;
        for (auto it = line.globalMatch(ctl({ u"help"_s }).out); it.hasNext();) {
            names += it.next().captured(1);
        }
        return names;
    }

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void everyCommandExplainsItself_data()
    {
        QTest::addColumn<QString>("command");
        const QStringList all = commands();
        QVERIFY(all.size() >= 30);
        for (const QString &command : all) {
            QTest::newRow(qPrintable(command)) << command;
        }
    }
    void everyCommandExplainsItself()
    {
        QFETCH(QString, command);
        const HelpRun run = ctl({ u"help"_s, command });
        QCOMPARE(run.status, 0);
        QCOMPARE(ctl({ command, u"--help"_s }).out, run.out);
        QVERIFY(run.out.startsWith(u"Usage: idemdeskctl "_s + command));
        const QString examples = run.out.section(u"Examples:\n"_s, 1);
        const QStringList lines
            = examples.split(u'\n', Qt::SkipEmptyParts).filter(QRegularExpression(u"^    idemdeskctl "_s));
        QVERIFY2(lines.size() >= 2, qPrintable(run.out));
        for (const QString &line : run.out.section(u"Examples:\n"_s, 0, 0).split(u'\n')) {
            QVERIFY2(line.size() <= 80, qPrintable(line));
        }
        // What the examples use is what the command knows; behind a pipe or a > other programs begin.
        for (const QString &line : lines) {
            QStringList words = QProcess::splitCommand(QString(line).replace(QChar(u'\''), QChar(u'"')).trimmed());
            const qsizetype end = words.indexOf(QRegularExpression(u"^([|>]|&&)$"_s));
            words = words.mid(1, end < 0 ? -1 : end - 1);
            const HelpRun parsed = ctl(words + QStringList { u"--help"_s });
            QVERIFY2(parsed.status == 0, qPrintable(line + u": "_s + parsed.err));
        }
    }

    /// Words of other programs lead to a line that this one takes.
    void wordsOfOtherProgramsAreKnown_data()
    {
        QTest::addColumn<QString>("line");
        for (const auto &[word, line] : std::initializer_list<std::pair<const char *, QString>> {
                 { "alerts", u"check --alerts"_s }, { "health", u"check"_s }, { "status", u"check"_s },
                 { "stuck", u"triage"_s }, { "stale", u"triage"_s }, { "list", u"keys"_s }, { "search", u"find"_s },
                 { "undo", u"actions undo"_s }, { "history", u"actions"_s }, { "locks", u"activity"_s },
                 { "sessions", u"activity"_s }, { "install", u"console install"_s }, { "verify", u"audit verify"_s },
                 { "register", u"targets add"_s }, { "tables", u"targets"_s } }) {
            QTest::newRow(word) << line;
        }
    }
    void wordsOfOtherProgramsAreKnown()
    {
        QFETCH(QString, line);
        const HelpRun run = ctl({ QString::fromLatin1(QTest::currentDataTag()) });
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains(u"“idemdeskctl %1” does that."_s.arg(line)), qPrintable(run.err));
        const HelpRun there = ctl(line.split(u' ') + QStringList { u"--help"_s });
        QVERIFY2(there.status == 0 && there.err.isEmpty(), qPrintable(there.err));
    }

    void wrongLinesAreKindlyRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("a command misspelt") << QStringList { u"keyz"_s } << u"Did you mean “keys”?"_s;
        QTest::newRow("an option misspelt")
            << QStringList { u"keys"_s, u"--limt"_s, u"5"_s } << u"Did you mean --limit?"_s;
        QTest::newRow("an option misspelt before the command")
            << QStringList { u"--conect"_s, u"x"_s, u"keys"_s } << u"Did you mean --connect?"_s;
        QTest::newRow("a word misspelt") << QStringList { u"audit"_s, u"verfy"_s } << u"Did you mean “verify”?"_s;
        QTest::newRow("a choice misspelt")
            << QStringList { u"export"_s, u"--format"_s, u"jsnol"_s } << u"Did you mean “jsonl”?"_s;
        QTest::newRow("no number") << QStringList { u"audit"_s, u"--limit"_s, u"abc"_s } << u"from 1 to 1,000,000"_s;
        QTest::newRow("zero") << QStringList { u"actions"_s, u"--limit"_s, u"0"_s } << u"from 1 to 10,000"_s;
        QTest::newRow("too many") << QStringList { u"keys"_s, u"--limit"_s, u"99999999999999999999"_s }
                                  << u"from 1 to 10,000"_s;
        QTest::newRow("a number with more behind it")
            << QStringList { u"keys"_s, u"--limit=5x"_s } << u"“5x” does not fit --limit"_s;
        QTest::newRow("a value missing") << QStringList { u"keys"_s, u"--limit"_s } << u"--limit N"_s;
        QTest::newRow("a value too many") << QStringList { u"keys"_s, u"--json=yes"_s } << u"--json takes no value"_s;
        QTest::newRow("given twice") << QStringList { u"keys"_s, u"--limit=5"_s, u"--limit=6"_s } << u"given twice"_s;
        QTest::newRow("a time without offset")
            << QStringList { u"audit"_s, u"--since"_s, u"2026-01-01T00:00:00"_s } << u"with its offset"_s;
        QTest::newRow("a length of nothing")
            << QStringList { u"duplicates"_s, u"--since"_s, u"0d"_s } << u"30m, 2h or 7d"_s;
        QTest::newRow("for another word")
            << QStringList { u"audit"_s, u"verify"_s, u"--format"_s, u"csv"_s } << u"goes with “audit export”"_s;
        QTest::newRow("an argument missing") << QStringList { u"show"_s } << u"KEY is missing"_s;
        QTest::newRow("an argument too many")
            << QStringList { u"show"_s, u"a"_s, u"b"_s } << u"“b” is one word too many"_s;
        QTest::newRow("an empty argument") << QStringList { u"find"_s, QString() } << u"KEY is empty"_s;
        QTest::newRow("an empty value") << QStringList { u"complaint"_s, u"--customer"_s, QString() }
                                        << u"--customer is empty"_s;
        QTest::newRow("an empty value behind =")
            << QStringList { u"keys"_s, u"--columns="_s } << u"--columns is empty"_s;
        QTest::newRow("only options") << QStringList { u"--wide"_s } << u"A command is missing"_s;
    }
    void wrongLinesAreKindlyRefused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const HelpRun run = ctl(arguments);
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains(says), qPrintable(run.err));
        QVERIFY2(run.err.count(u'\n') <= 2, qPrintable(run.err)); // a sentence, not the whole usage
        QCOMPARE(run.out, QString());
    }

    /// Options stand before or after the command, with = or a blank, and "--" ends them.
    void optionsStandAnywhere_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QString a = QStringLiteral(IDEMDESK_SOURCE_DIR "/.clang-format");
        QTest::newRow("behind") << QStringList { u"diff"_s, a, a, u"--stored-as"_s, u"bytes"_s };
        QTest::newRow("before the command") << QStringList { u"--stored-as"_s, u"bytes"_s, u"diff"_s, a, a };
        QTest::newRow("with =") << QStringList { u"diff"_s, u"--stored-as=bytes"_s, a, a };
        QTest::newRow("before --") << QStringList { u"diff"_s, u"--stored-as=bytes"_s, u"--"_s, a, a };
    }
    void optionsStandAnywhere()
    {
        QFETCH(QStringList, arguments);
        const HelpRun run = ctl(arguments);
        QVERIFY2(run.status == 0, qPrintable(run.err));
    }

    /// The manual page knows every command and every option of each, and formats without a warning.
    void manualIsComplete()
    {
        const HelpRun page = ctl({ u"help"_s, u"--man"_s });
        QCOMPARE(page.status, 0);
        static const QRegularExpression option(u"^  (?:-\\w, )?--([a-z-]+)"_s, QRegularExpression::MultilineOption);
        for (const QString &command : commands()) {
            QVERIFY2(page.out.contains(u"\n.SS "_s + command), qPrintable(command));
            for (auto it = option.globalMatch(ctl({ u"help"_s, command }).out); it.hasNext();) {
                const QString name = it.next().captured(1);
                QVERIFY2(page.out.contains(u"\\-\\-"_s + QString(name).replace(u"-"_s, u"\\-"_s)),
                    qPrintable(command + u" --"_s + name));
            }
        }
        for (const QString &word :
            { u"IDEMDESK_CONNECT"_s, u"IDEMDESK_TARGET"_s, u"NO_COLOR"_s, u"attempts"_s, u"retries"_s }) {
            QVERIFY2(page.out.contains(word), qPrintable(word));
        }
    }

    void helpPagesFitATerminal_data()
    {
        QTest::addColumn<QString>("topic");
        static const QRegularExpression words(u"--topic.*?One of: ([a-z, ]+)\\."_s,
            QRegularExpression::DotMatchesEverythingOption | QRegularExpression::CaseInsensitiveOption);
        const QString help = ctl({ u"help"_s, u"help"_s }).out.simplified();
        const QStringList topics = words.match(help).captured(1).split(u", "_s, Qt::SkipEmptyParts);
        QVERIFY2(topics.size() > 15, qPrintable(help));
        for (const QString &topic : topics) {
            QTest::newRow(qPrintable(topic)) << topic;
        }
    }
    void helpPagesFitATerminal()
    {
        QFETCH(QString, topic);
        const HelpRun page = ctl({ u"help"_s, u"--topic"_s, topic });
        QCOMPARE(page.status, 0);
        QVERIFY(page.out.startsWith(u"# "_s));
        const QStringList lines = page.out.split(u'\n');
        for (const QString &line : lines) {
            const bool asTyped = line.startsWith(u"    "_s) || !line.trimmed().contains(u' ');
            QVERIFY2(asTyped || line.size() <= 80, qPrintable(line));
            QVERIFY2(!line.contains(u".md)"_s) && !line.contains(u"**"_s), qPrintable(line));
        }
    }

    void aPageThatIsNotThereIsNamed()
    {
        const HelpRun page = ctl({ u"help"_s, u"--topic"_s, u"filtre"_s });
        QCOMPARE(page.status, 2);
        QVERIFY2(page.err.contains(u"filter"_s), qPrintable(page.err));
    }

    void completionIsAScript_data()
    {
        QTest::addColumn<QString>("shell");
        QTest::newRow("bash") << u"bash"_s;
        QTest::newRow("zsh") << u"zsh"_s;
        QTest::newRow("fish") << u"fish"_s;
    }
    void completionIsAScript()
    {
        QFETCH(QString, shell);
        const HelpRun script = ctl({ u"completion"_s, shell });
        QCOMPARE(script.status, 0);
        for (const QString &command : commands()) {
            QVERIFY2(script.out.contains(command), qPrintable(command));
        }
        QVERIFY(script.out.contains(u"unverified-password"_s)); // tst_ctl_examples has it complete words
    }
};

QTEST_GUILESS_MAIN(CtlHelpTest)
#include "tst_ctl_help.moc"
