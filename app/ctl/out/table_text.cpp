// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/out/table_text.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

#include <QHash>
#include <QRegularExpression>
#include <algorithm>
#include <limits>
#include <numeric>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr qsizetype kGap = 2; // blanks between columns
constexpr qsizetype kLeastCell = 19; // a cell with less tells nothing; a time to the second has so many
constexpr qsizetype kLeastText = 28; // of a column with sentences
constexpr qsizetype kMostStrip = 3; // lines of a cell with sentences beside others; with more it stands below its row
constexpr qsizetype kIndent = 4;

using Widths = QList<qsizetype>;

qsizetype total(const Widths &widths)
{
    return std::accumulate(widths.cbegin(), widths.cend(), qsizetype(0)) + kGap * (widths.size() - 1);
}

Widths naturalWidths(const QList<QStringList> &lines, qsizetype columns)
{
    Widths widths(columns, 0);
    for (const QStringList &line : lines) {
        for (qsizetype i = 0; i < columns && i < line.size(); ++i) {
            widths[i] = std::max(widths[i], line[i].size());
        }
    }
    return widths;
}

/// Takes from the widest of the first `count` columns until all fits, or until none can give more.
void shrink(Widths *widths, qsizetype count, qsizetype room)
{
    while (total(*widths) > room) {
        const auto widest = std::max_element(widths->begin(), widths->begin() + count);
        if (widest == widths->begin() + count || *widest <= kLeastCell) {
            return;
        }
        --*widest;
    }
}

/// How wide each column is; fewer than there are where the last ones found no room.
Widths fittedWidths(Widths widths, bool sentences, qsizetype room)
{
    if (room <= 0 || total(widths) <= room) {
        return widths;
    }
    if (sentences) {
        const qsizetype natural = widths.constLast();
        widths.last() = std::min(natural, kLeastText);
        shrink(&widths, widths.size() - 1, room);
        widths.last() = std::clamp(room - (total(widths) - widths.constLast()), std::min(natural, kLeastText), natural);
        return widths;
    }
    for (;;) {
        Widths fitted = widths;
        shrink(&fitted, fitted.size(), room);
        if (total(fitted) <= room || fitted.size() == 1) {
            return fitted;
        }
        widths.removeLast();
    }
}

/// The same where several columns hold text to read (true in `texts`): they share what the others leave. The first one,
/// of times, gives nothing.
Widths sharedWidths(Widths widths, const QList<bool> &texts, qsizetype room)
{
    constexpr qsizetype kLeastShared = 14;
    struct Step {
        bool text;
        qsizetype least;
    };
    for (const Step step : { Step { true, kLeastText }, Step { false, kLeastCell }, Step { true, kLeastShared } }) {
        while (room > 0 && total(widths) > room) {
            qsizetype widest = -1;
            for (qsizetype i = 1; i < widths.size(); ++i) {
                if (texts.at(i) == step.text && (widest < 0 || widths.at(i) > widths.at(widest))) {
                    widest = i;
                }
            }
            if (widest < 0 || widths.at(widest) <= step.least) {
                break;
            }
            --widths[widest];
        }
    }
    return widths;
}

/// Where that does not do, the last columns that hold no text are left out.
Widths textWidths(Widths natural, const QList<bool> &texts, qsizetype room)
{
    for (;;) {
        const Widths widths = sharedWidths(natural, texts, room);
        if (room <= 0 || total(widths) <= room || widths.size() <= 2 || texts.at(widths.size() - 1)) {
            return widths;
        }
        natural.removeLast();
    }
}

/// The text in lines of at most `width` characters, broken between words where there are any.
QStringList brokenLines(const QString &text, qsizetype width)
{
    QStringList lines;
    QString rest = text;
    while (rest.size() > width) {
        const qsizetype blank = rest.lastIndexOf(u' ', width);
        const qsizetype end = blank > 0 ? blank : width;
        lines += rest.left(end);
        rest = rest.mid(blank > 0 ? end + 1 : end);
    }
    return lines << rest;
}

/// What a word in a cell means to who looks over the table: 31 red, 33 yellow, 32 green; 0: nothing.
int colourOf(const QString &cell)
{
    static const QHash<QString, int> colours {
        { u"failed_final"_s, 31 },
        { u"problem"_s, 31 },
        { u"red"_s, 31 },
        { u"firing"_s, 31 },
        { u"failed_retryable"_s, 33 },
        { u"in_progress (stuck)"_s, 33 },
        { u"warning"_s, 33 },
        { u"amber"_s, 33 },
        { u"unknown"_s, 33 },
        { u"succeeded"_s, 32 },
        { u"good"_s, 32 },
        { u"quiet"_s, 32 },
    };
    return colours.value(cell);
}

/// A cell that is too long: of a time the fraction goes, of anything else the middle, as both ends tell keys apart.
QString shortened(const QString &cell, qsizetype width)
{
    static const QRegularExpression time(u"^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d+Z$"_s);
    constexpr qsizetype kToTheSecond = 19;
    if (width >= kToTheSecond && time.match(cell).hasMatch()) {
        return width > kToTheSecond ? cell.left(kToTheSecond) + u'Z' : cell.left(kToTheSecond);
    }
    return models::middleElided(cell, width);
}

QString coloured(const QString &text, int colour)
{
    return colour == 0 ? text : u"\x1b[%1m"_s.arg(colour) + text + u"\x1b[0m"_s;
}

/// One row as lines; only columns of text to read have more than one.
QString rowText(
    const QStringList &cells, const Widths &widths, const QList<bool> &texts, const TableFit &fit, bool heading)
{
    QList<QStringList> columns;
    qsizetype height = 1;
    for (qsizetype i = 0; i < widths.size(); ++i) {
        const QString cell = cells.value(i);
        const bool tooLong = fit.width > 0 && cell.size() > widths.at(i);
        columns += !tooLong ? QStringList { cell }
            : texts.at(i)   ? brokenLines(cell, widths.at(i))
                            : QStringList { shortened(cell, widths.at(i)) };
        height = std::max(height, columns.constLast().size());
    }
    QString text;
    for (qsizetype line = 0; line < height; ++line) {
        QString row;
        for (qsizetype i = 0; i < widths.size(); ++i) {
            const QString cell = columns.at(i).value(line);
            const QString blanks
                = i + 1 == widths.size() ? QString() : QString(widths.at(i) + kGap - cell.size(), u' ');
            const int bold = 1;
            const int colour = heading ? bold : line == 0 ? colourOf(cells.value(i)) : 0;
            row += coloured(cell, !fit.colours || cell.isEmpty() ? 0 : colour) + blanks;
        }
        while (row.endsWith(u' ')) {
            row.chop(1);
        }
        text += row + u'\n';
    }
    return text;
}

/// Whether the sentences of the last column are better read below their rows than beside them.
bool standsBelow(const Widths &natural, const Widths &widths, qsizetype room)
{
    return room > 0 && widths.size() > 1
        && (total(widths) > room || (widths.size() > 2 && natural.constLast() > kMostStrip * widths.constLast()));
}

/// A row whose sentences stand below it; those of the row before are not said again.
QString rowWithTextBelow(const QStringList &cells, const QString &before, const Widths &widths,
    const QList<bool> &texts, const TableFit &fit, bool heading)
{
    QString text = rowText(cells, widths, texts, fit, heading);
    const QString &below = cells.constLast();
    const QStringList lines = !heading && !below.isEmpty() && below == before ? QStringList { Tr::tr("as above") }
                                                                              : brokenLines(below, fit.width - kIndent);
    for (const QString &line : lines) {
        text += QString(kIndent, u' ') + coloured(line, heading && fit.colours ? 1 : 0) + u'\n';
    }
    return text;
}

/// The columns that the person asked for, or all of them, but those without any content where the others lack the room.
QList<qsizetype> chosenColumns(
    const QStringList &header, const QList<QStringList> &rows, const TableFit &fit, FittedTable *fitted)
{
    QList<qsizetype> chosen;
    for (const QString &name : fit.columns) {
        for (qsizetype i = 0; i < header.size(); ++i) {
            if (columnWord(header.at(i)) == columnWord(name)) {
                chosen += i;
                fitted->found += name;
                break;
            }
        }
    }
    if (!fit.columns.isEmpty()) {
        return chosen;
    }
    const bool tight
        = fit.width > 0 && total(naturalWidths(QList<QStringList> { header } + rows, header.size())) > fit.width;
    for (qsizetype i = 0; i < header.size(); ++i) {
        const bool empty = !rows.isEmpty()
            && std::all_of(rows.cbegin(), rows.cend(), [i](const QStringList &row) { return row.value(i).isEmpty(); });
        if (!tight || !empty) {
            chosen += i;
        }
    }
    return chosen;
}

} // namespace

QString columnWord(const QString &title)
{
    return title.toLower().replace(u' ', u'-').replace(u'_', u'-');
}

FittedTable tableText(const QStringList &header, const QList<QStringList> &rows, bool sentences, const TableFit &fit)
{
    FittedTable fitted;
    const QList<qsizetype> chosen = chosenColumns(header, rows, fit, &fitted);
    if (chosen.isEmpty()) {
        return fitted;
    }
    QList<QStringList> lines;
    for (qsizetype row = -1; row < rows.size(); ++row) {
        const QStringList &from = row < 0 ? header : rows.at(row);
        QStringList cells;
        for (const qsizetype column : chosen) {
            cells += models::displayText(from.value(column), std::numeric_limits<qsizetype>::max());
        }
        lines += cells;
    }
    const bool text = sentences && chosen.constLast() == header.size() - 1;
    QList<bool> texts;
    for (const qsizetype column : chosen) {
        texts += fit.texts.contains(header.at(column));
    }
    const bool several = texts.contains(true);
    const Widths natural = naturalWidths(lines, chosen.size());
    Widths widths = several ? textWidths(natural, texts, fit.width) : fittedWidths(natural, text, fit.width);
    texts.last() = texts.constLast() || text;
    if (text && !several && standsBelow(natural, widths, fit.width)) {
        widths = fittedWidths(natural.mid(0, natural.size() - 1), false, fit.width);
        for (qsizetype row = 0; row < lines.size(); ++row) {
            const QString before = row > 1 ? lines.at(row - 1).constLast() : QString();
            fitted.text += rowWithTextBelow(lines.at(row), before, widths, texts, fit, row == 0);
        }
        return fitted;
    }
    for (qsizetype i = widths.size(); i < chosen.size(); ++i) {
        fitted.leftOut += columnWord(header.at(chosen.at(i)));
    }
    for (qsizetype row = 0; row < lines.size(); ++row) {
        fitted.text += rowText(lines.at(row), widths, texts, fit, row == 0);
    }
    return fitted;
}

} // namespace idemdesk::app
