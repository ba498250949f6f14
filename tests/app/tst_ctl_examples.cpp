// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

namespace {

// A command line, typed up to its last word and Tab, in a zsh with the completions of ~/.zfunc. What is then run says
// its words.
const QByteArray kTypeInZsh = R"(
zmodload zsh/zpty
zpty shell "TERM=xterm zsh -f -i"
zpty -w shell 'PS1=; fpath=(~/.zfunc $fpath); autoload -Uz compinit && compinit -u -D; idemdeskctl() { print -r "RAN<$*>" }'
zpty -w shell "$1"$'\t'
zpty -r shell answer "*RAN<${${(z)1}[2]}*>*"
print -r -- "$answer"
zpty -d shell
)";

} // namespace

/// The examples that help gives of commands that need no database, run as they are written, in a home of their own.
class CtlExamplesTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_home;

    /// In bash, where idemdeskctl is a word; nothing of the person's own is read or written.
    ProgramRun shell(const QString &program, const QStringList &arguments) const
    {
        ProgramCall call { privateEnvironment(m_home->filePath(u"data"_s)), {}, m_home->path(), 180'000 };
        call.environment.insert(u"HOME"_s, m_home->path());
        call.environment.insert(u"IDEMDESK_CLUSTERS"_s, m_home->path()); // a demo that somebody has stays as it is
        call.environment.insert(
            u"PATH"_s, QFileInfo(QStringLiteral(IDEMDESKCTL)).path() + u':' + call.environment.value(u"PATH"_s));
        for (const QString &name : { u"XDG_CONFIG_HOME"_s, u"ZDOTDIR"_s }) {
            call.environment.remove(name);
        }
        return runProgram(program, arguments, call);
    }
    ProgramRun typed(const QString &line) const { return shell(u"bash"_s, { u"-c"_s, line }); }
    QStringList examples(const QString &command) const
    {
        QStringList lines;
        const QStringList help
            = QString::fromUtf8(typed(u"idemdeskctl help "_s + command).out).section(u"Examples:\n"_s, 1).split(u'\n');
        for (const QString &line : help) {
            if (line.startsWith(u"    idemdeskctl "_s)) {
                lines += line.trimmed();
            }
        }
        return lines;
    }

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_home = std::make_unique<QTemporaryDir>();
        // The server's account goes through it to its cluster.
        QFile::setPermissions(m_home->path(), QFile::permissions(m_home->path()) | QFile::ReadOther | QFile::ExeOther);
    }

    void demoRunsAndLeavesNothing()
    {
        const QStringList lines = examples(u"demo"_s);
        QVERIFY(lines.size() >= 2);
        for (const QString &line : lines) {
            const ProgramRun run = typed(line);
            QVERIFY2(run.status == 0, qPrintable(line + u": "_s + run.err));
        }
        const ProgramRun after = typed(u"idemdeskctl demo status --json"_s);
        QCOMPARE(after.json().value(u"running"_s), QJsonValue(false));
    }

    void completionCompletes_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("word");
        QTest::newRow("a command") << u"idemdeskctl dupl"_s << u"duplicates"_s;
        QTest::newRow("a word of a command") << u"idemdeskctl audit ver"_s << u"verify"_s;
        QTest::newRow("an option") << u"idemdeskctl keys --lim"_s << u"--limit"_s;
        QTest::newRow("a word of an option") << u"idemdeskctl export --format js"_s << u"jsonl"_s;
    }
    void completionCompletes()
    {
        QFETCH(QString, line);
        QFETCH(QString, word);
        const QStringList folders { u".local/share/bash-completion/completions"_s, u".zfunc"_s,
            u".config/fish/completions"_s };
        for (const QString &folder : folders) {
            QVERIFY(QDir(m_home->path()).mkpath(folder));
        }
        const QStringList lines = examples(u"completion"_s);
        QCOMPARE(lines.size(), folders.size());
        for (const QString &example : lines) {
            const ProgramRun run = typed(example);
            QVERIFY2(run.status == 0, qPrintable(example + u": "_s + run.err));
        }
        const ProgramRun bash = typed(
            u". ~/.local/share/bash-completion/completions/idemdeskctl; COMP_WORDS=(%1); "
            "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _idemdeskctl; printf '%s\\n' \"${COMPREPLY[@]}\""_s.arg(line));
        QVERIFY2(bash.out.split('\n').contains(word.toUtf8()), bash.said().constData());

        const ProgramRun fish = shell(u"fish"_s, { u"-c"_s, u"complete -C '%1'"_s.arg(line) });
        QVERIFY2(fish.out.startsWith(word.toUtf8()), fish.said().constData());

        QFile script(m_home->filePath(u"type.zsh"_s));
        QVERIFY(script.open(QIODevice::WriteOnly) && script.write(kTypeInZsh) > 0);
        script.close();
        const ProgramRun zsh = shell(u"zsh"_s, { u"-f"_s, script.fileName(), line });
        const QRegularExpression ran(
            u"RAN<[^$>]*\\b%1"_s.arg(QRegularExpression::escape(QString(word).remove(u"--"_s))));
        QVERIFY2(QString::fromUtf8(zsh.out).contains(ran), zsh.said().constData());
    }
};

QTEST_GUILESS_MAIN(CtlExamplesTest)
#include "tst_ctl_examples.moc"
