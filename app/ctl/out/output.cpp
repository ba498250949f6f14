// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/out/output.h"

#include "app/ctl/line/command_line.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/out/capture.h"
#include "app/ctl/out/table_text.h"
#include "app/ctl/out/terminal.h"
#include "models/format/display_text.h"
#include "models/format/time_format.h"
#include "sql/types/tr.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <memory>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Error;
using sql::ErrorKind;

namespace {

constexpr qsizetype kUncut = std::numeric_limits<qsizetype>::max();

/// What one call of the program has to say.
struct Out {
    OutputStyle style;
    QString held; ///< for the pager
    QString heldNotes;
    bool printed = false; ///< anything on stdout
    QString firstNote;
    QStringList known; ///< columns of the tables so far
    QStringList found; ///< of those asked for
    QStringList leftOut;
    std::optional<sql::Timestamp> now;
};

/// What one command says on a thread whose words are caught.
struct Catching {
    Out out;
    Captured said;
};

thread_local Catching *catching = nullptr;

Out &out()
{
    static Out state;
    return catching != nullptr ? catching->out : state;
}

int unwritten = 0; ///< why standard output took not all

void write(std::FILE *file, const QByteArray &bytes)
{
    const auto size = static_cast<std::size_t>(bytes.size());
    if (std::fwrite(bytes.constData(), 1, size, file) != size && file == stdout) {
        unwritten = errno; // main() asks whether all went out
    }
}

} // namespace

int printError()
{
    return unwritten;
}

Exit exitOf(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Usage:
        return Exit::Usage;
    case ErrorKind::NotSaid:
        return Exit::Unknown;
    case ErrorKind::Privilege:
    case ErrorKind::Refused:
    case ErrorKind::Authentication:
        return Exit::Refused;
    default:
        return Exit::Failed;
    }
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

void setOutputStyle(const OutputStyle &style)
{
    out() = Out();
    out().style = style;
}

const OutputStyle &outputStyle()
{
    return out().style;
}

void print(const QString &text)
{
    out().printed = out().printed || !text.isEmpty();
    if (catching != nullptr) {
        catching->said.text += text;
        return;
    }
    if (Terminal::instance().isTerminal() && !out().style.json) {
        out().held += text;
    } else {
        write(stdout, text.toUtf8());
    }
}

void note(const QString &text)
{
    if (catching != nullptr) {
        catching->said.notes += text;
        return;
    }
    QStringList lines = text.split(u'\n');
    for (QString &line : lines) {
        line = models::displayText(line, kUncut);
        const int width = Terminal::instance().noteWidth();
        if (width > 0 && !line.startsWith(u' ')) { // what is indented shows a place in a text
            line = wrapped(line, width);
        }
    }
    QString shown = lines.join(u'\n');
    if (!shown.endsWith(u'\n')) {
        shown += u'\n';
    }
    if (out().firstNote.isEmpty()) {
        out().firstNote = text.trimmed();
    }
    if (out().held.isEmpty()) {
        static_cast<void>(std::fflush(stdout)); // where both go to one file, a note stands between lines
        write(stderr, shown.toUtf8());
    } else {
        out().heldNotes += shown;
    }
}

void flushOutput()
{
    if (catching != nullptr) {
        return;
    }
    const QByteArray text = std::exchange(out().held, {}).toUtf8();
    if (out().style.again && Terminal::instance().isTerminal()) {
        write(stdout, "\x1b[H\x1b[J" + text); // the same place, without what stood there
    } else if (!text.isEmpty() && !page(text)) {
        write(stdout, text);
    }
    if (std::fflush(stdout) != 0) {
        unwritten = errno; // as with fwrite()
    }
    write(stderr, std::exchange(out().heldNotes, {}).toUtf8());
}

QJsonObject errorJson(const Error &error)
{
    return { { u"what"_s, error.what }, { u"why"_s, textOrNull(error.why) }, { u"todo"_s, textOrNull(error.todo) },
        { u"sqlstate"_s, textOrNull(error.sqlState) }, { u"detail"_s, textOrNull(error.detail) } };
}

Exit fail(const Error &error)
{
    const Exit status = exitOf(error.kind);
    if (catching != nullptr) {
        catching->said.error = catching->said.error.value_or(error);
        return status;
    }
    if (out().style.json && !out().printed) {
        printJson({ { u"error"_s, errorJson(error) } });
    }
    note(u"idemdeskctl: "_s + error.line());
    if (!error.where.isEmpty()) {
        note(Tr::tr("Where: %1").arg(error.where));
    }
    if (out().style.verbose && !error.sqlState.isEmpty()) {
        note(Tr::tr("SQLSTATE: %1").arg(error.sqlState));
    }
    if (out().style.verbose && !error.detail.isEmpty()) {
        note(error.detail);
    }
    return status;
}

Exit failAbsent(const Error &error)
{
    if (catching != nullptr) {
        catching->said.absent = true;
    }
    return fail(error);
}

Error usageError(const QString &what, const QString &todo, const QString &why)
{
    return makeError(ErrorKind::Usage, what, why, todo);
}

Exit misused(const QString &what, const QString &todo)
{
    return fail(usageError(what, todo));
}

namespace {

QString fitted(const QStringList &header, const QList<QStringList> &rows, bool sentences, const QStringList &texts)
{
    if (catching != nullptr) {
        catching->said.tables.append({ header, rows, sentences, texts });
        return capturedTableMark(catching->said.tables.size() - 1);
    }
    const OutputStyle &style = out().style;
    const Terminal &terminal = Terminal::instance();
    const bool whole = style.wide || !style.columns.isEmpty();
    const FittedTable made = tableText(
        header, rows, sentences, { whole ? 0 : terminal.width(), terminal.colours(), style.columns, texts });
    for (const QString &title : header) {
        out().known += columnWord(title);
    }
    out().found += made.found;
    out().leftOut += made.leftOut;
    return made.text;
}

} // namespace

QString table(const CapturedTable &captured)
{
    return fitted(captured.header, captured.rows, captured.sentences, captured.texts);
}

QString table(const QStringList &header, const QList<QStringList> &rows, bool sentences)
{
    return fitted(header, rows, sentences, {});
}

QString table(const QStringList &header, const QList<QStringList> &rows, const QStringList &texts)
{
    return fitted(header, rows, false, texts);
}

QString timeCell(const sql::Timestamp &time)
{
    const bool exact = !Terminal::instance().isTerminal() || out().style.wide || !out().style.columns.isEmpty();
    if (exact || !out().now || !time.finite()) {
        return time.toRfc3339();
    }
    const QString age = models::TimeFormat::age(time, *out().now);
    return *out().now < time ? age : Tr::tr("%1 ago").arg(age);
}

QString timeCell(const std::optional<sql::Timestamp> &time)
{
    return time ? timeCell(*time) : QString();
}

void setServerNow(const sql::Timestamp &now)
{
    out().now = now;
}

int lineWidth()
{
    constexpr int kAny = 100'000;
    const int width = Terminal::instance().width();
    return width > 0 && !out().style.wide ? width : kAny;
}

namespace {

/// The same JSON, in which nothing steers a terminal or turns its text round: such characters stand only in strings.
QString seenJson(const QString &json)
{
    QString seen;
    seen.reserve(json.size());
    for (const QChar c : json) {
        const bool control = c.unicode() >= 0x7f && c.unicode() <= 0x9f;
        if (control || c.category() == QChar::Other_Format || c.category() == QChar::Separator_Line
            || c.category() == QChar::Separator_Paragraph) {
            seen += u"\\u"_s + QString::number(c.unicode(), 16).rightJustified(4, u'0');
        } else {
            seen += c;
        }
    }
    return seen;
}

} // namespace

void printJson(QJsonObject document)
{
    if (catching != nullptr) {
        const QJsonArray items = document.take(u"items"_s).toArray();
        for (const QJsonValue &item : items) {
            catching->said.items += QJsonDocument(item.toObject()).toJson(QJsonDocument::Compact);
        }
        catching->said.rest = document;
        return;
    }
    document.insert(u"version"_s, kShapesVersion);
    if (document.contains(u"items"_s) && !document.contains(u"next"_s)) {
        document.insert(u"next"_s, QJsonValue());
    }
    print(seenJson(QString::fromUtf8(QJsonDocument(document).toJson(QJsonDocument::Indented))));
}

void printJsonItems(const QByteArrayList &items, const QJsonObject &rest)
{
    if (catching != nullptr) {
        catching->said.items = items;
        catching->said.rest = rest;
        return;
    }
    QJsonObject beside = rest;
    beside.insert(u"version"_s, kShapesVersion);
    if (!beside.contains(u"next"_s)) {
        beside.insert(u"next"_s, QJsonValue());
    }
    print(seenJson(u"{\"items\":["_s + QString::fromUtf8(items.join(",\n")) + u"],"_s
        + QString::fromUtf8(QJsonDocument(beside).toJson(QJsonDocument::Compact)).sliced(1) + u'\n'));
}

Capture::Capture(const OutputStyle &style)
    : m_before(catching)
{
    auto now = std::make_unique<Catching>();
    now->out.style = style;
    catching = now.release();
}

Capture::~Capture()
{
    delete std::exchange(catching, static_cast<Catching *>(m_before));
}

Captured Capture::take()
{
    return std::exchange(catching->said, {});
}

bool capturing()
{
    return catching != nullptr;
}

QString capturedTableMark(qsizetype index)
{
    return QChar(0x1e) + QString::number(index) + QChar(0x1e);
}

namespace {

sql::Error noColumn(const QString &name, const QStringList &known)
{
    const QString near = didYouMean(columnWord(name), known);
    const QString all = Tr::tr("The columns are: %1.").arg(known.join(u", "_s));
    return usageError(Tr::tr("There is no column “%1”.").arg(name), near.isEmpty() ? all : near + u' ' + all);
}

} // namespace

std::optional<sql::Error> unknownColumn(const QStringList &titles)
{
    QStringList known;
    for (const QString &title : titles) {
        known += columnWord(title);
    }
    known.removeDuplicates();
    for (const QString &name : std::as_const(out().style.columns)) {
        if (!known.contains(columnWord(name))) {
            return noColumn(name, known);
        }
    }
    return {};
}

Exit endOutput(Exit status)
{
    Out &now = out();
    if (!now.style.columns.isEmpty() && !now.known.isEmpty()) {
        for (const QString &name : std::as_const(now.style.columns)) {
            if (!now.found.contains(name)) {
                now.known.removeDuplicates();
                return fail(noColumn(name, now.known));
            }
        }
    }
    if (!now.leftOut.isEmpty()) {
        note(Tr::tr("No room for: %1. --wide shows every column whole, --columns chooses.")
                 .arg(now.leftOut.join(u", "_s)));
    }
    if (now.style.json && !now.printed && status != Exit::Done) {
        // Whatever was said only in words so far.
        printJson({ { u"error"_s, errorJson(makeError(ErrorKind::Other, now.firstNote)) } });
    }
    if (now.style.again && now.printed && !now.style.json && !Terminal::instance().isTerminal()) {
        print(u"\n"_s);
    }
    flushOutput();
    return status;
}

} // namespace idemdesk::app
