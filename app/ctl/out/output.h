// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/line/command.h"
#include "sql/types/error.h"
#include "sql/types/timestamp.h"

#include <QByteArrayList>
#include <QJsonObject>
#include <optional>

namespace idemdesk::app {

/// Of the shapes of what --json writes. A field that is renamed, removed or changes its meaning makes it higher; a new
/// field does not.
inline constexpr int kShapesVersion = 1;

/// How the present command's output goes out.
struct OutputStyle {
    bool json = false;
    bool wide = false; ///< nothing is cut
    bool verbose = false; ///< what the server said in its own words, too
    bool again = false; ///< one of several, on a terminal in the place of the one before
    QStringList columns; ///< of tables; empty: all
};

void setOutputStyle(const OutputStyle &style);
const OutputStyle &outputStyle();

/// Text on stdout as it is (JSON, tables whose cells are escaped already). On a terminal it is held back for the pager
/// until the command ends or flushOutput() is called.
void print(const QString &text);
/// The number of the error with which standard output took not all of what was printed; 0: it took all so far.
int printError();
/// A line on stderr, control characters escaped; after what was printed.
void note(const QString &text);
/// Shows what was held back. Before something that takes long, or a question.
void flushOutput();
/// Says an error on stderr in its three parts and gives the exit status that fits its kind. Under --json it is the
/// document as well, where none was printed yet.
Exit fail(const sql::Error &error);
/// The exit status that fits an error of this kind.
Exit exitOf(sql::ErrorKind kind);
/// Its parts, as documents have them.
QJsonObject errorJson(const sql::Error &error);
/// The same of an error that is an answer: what was looked for is known not to be there.
Exit failAbsent(const sql::Error &error);
/// The command line is not well formed: what is wrong, what to write instead, and why.
sql::Error usageError(const QString &what, const QString &todo = {}, const QString &why = {});
/// Refuses a command line: fail() with usageError().
Exit misused(const QString &what, const QString &todo = {});

/// An aligned table, fitted to the terminal, with the columns that were asked for. With `sentences` the last column is
/// text to read, which is never cut.
QString table(const QStringList &header, const QList<QStringList> &rows, bool sentences = false);
/// The same where the columns of these titles hold text to read.
QString table(const QStringList &header, const QList<QStringList> &rows, const QStringList &texts);
/// Nothing where each column that --columns asks for has one of these titles; else what to say. For a command that must
/// not begin with a wrong one.
std::optional<sql::Error> unknownColumn(const QStringList &titles);
/// A moment in a table: how long ago on a terminal, else exactly.
QString timeCell(const sql::Timestamp &time);
QString timeCell(const std::optional<sql::Timestamp> &time);
/// The server's time, by which timeCell() counts.
void setServerNow(const sql::Timestamp &now);
/// How many characters a line of text may have; a large number where nothing is fitted.
int lineWidth();

/// Of what may be missing, for a document: null where the text is empty.
QJsonValue textOrNull(const QString &text);
/// One document under --json, with the version of its shape. A list that ends here says so: "next" is null.
void printJson(QJsonObject document);
/// The same of items that are JSON already, whose numbers keep their text; `rest` is what stands beside them.
void printJsonItems(const QByteArrayList &items, const QJsonObject &rest = {});

/// After the command: shows what is left, and gives the exit status to end with.
Exit endOutput(Exit status);

} // namespace idemdesk::app
