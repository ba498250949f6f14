// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <functional>

namespace idemdesk::app {

class Context;

/// Exit statuses of the terminal program (DESIGN 5, contract).
enum class Exit { Done = 0, Failed = 1, Usage = 2, Refused = 3, Skipped = 4, Unknown = 5 };

/// One option as the table of commands knows it: parser, help, man page and completion are made from it.
struct Option {
    /// What its value must be. A value that is not is refused before anything is read.
    enum class Takes {
        Nothing,
        Text,
        Number, ///< a whole number from `least` to `most`
        MayNumber, ///< the same, or nothing: then its fallback
        Time, ///< with its offset: nobody could tell otherwise which moment it is
        Length, ///< of time: 30m, 2h, 7d
        TimeOrLength, ///< a moment, or so long before now
        Word ///< one of `words`
    };

    QStringList names; ///< without dashes; a short one has one letter
    QString help; ///< what it does, in whole sentences
    Takes takes = Takes::Nothing;
    QString value; ///< what help calls its value
    QString fallback; ///< its value where it is not given
    QStringList words;
    qint64 least = 0;
    qint64 most = 0; ///< of a text: characters; 0: any number
    bool repeats = false;
    bool mayBeEmpty = false; ///< an empty text means something, as the defaults of libpq do
    QStringList goesWith; ///< the words after the command that it belongs to; empty: always

    static Option flag(const QString &name, const QString &help);
    static Option text(const QString &name, const QString &value, const QString &help, const QString &fallback = {});
    static Option number(
        const QString &name, qint64 least, qint64 most, const QString &help, const QString &fallback = {});
    static Option word(
        const QString &name, const QStringList &words, const QString &help, const QString &fallback = {});
    static Option time(const QString &name, const QString &help);
    static Option length(const QString &name, const QString &help, const QString &fallback = {});
    static Option timeOrLength(const QString &name, const QString &help, const QString &fallback = {});
    /// The same with one thing changed.
    Option with(const QStringList &commandWords) const;
    Option manyTimes() const;
    Option alsoNamed(const QString &name) const;
    Option orEmpty() const;
    Option atMost(qint64 characters) const;

    QString name() const { return names.constLast(); }
    /// "--limit N", "-o FILE".
    QString synopsis() const;
};

/// What stands after the command beside options.
struct Argument {
    QString name; ///< KEY, FILE
    QString help;
    int least = 1;
    int most = 1;
    QStringList words; ///< it is one of these; empty: any text
};

struct Example {
    QString says;
    QString line; ///< what follows "idemdeskctl "
};

struct Command {
    QString name;
    QString synopsis; ///< what may follow the name beside options; empty: nothing
    QString summary; ///< one line in the list of commands
    QString about; ///< paragraphs of the manual, parted by empty lines
    QList<Argument> arguments;
    QList<Option> options;
    QList<Example> examples;
    std::function<Exit(const Context &)> run;
    /// Its words that only read, so that --watch may repeat them; an empty one stands for none. Nothing: it changes
    /// something.
    QStringList watched;
    bool tables = true; ///< what it writes is tables, of which columns can be chosen

    const Option *option(const QString &called) const;
};

/// Options that several commands share.
QList<Option> connectOptions();
/// What a command is about without --target.
enum class TargetScope { One, Every };
QList<Option> targetOptions(TargetScope without = TargetScope::One);
Option jsonOption();
/// How tables are written.
QList<Option> tableOptions();
Option verboseOption();
Option watchOption(const QStringList &words);
Option filterOption(const QString &help);
Option outputOption(const QString &help);
QList<Option> reasonOptions();

} // namespace idemdesk::app
