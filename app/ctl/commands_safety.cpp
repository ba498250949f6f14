// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/out/terminal.h"
#include "models/help/help_pages.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

/// A row of a table of Markdown, without its bars.
QStringList cellsOf(const QString &row)
{
    QStringList cells = row.mid(1, row.size() - 2).split(u'|');
    for (QString &cell : cells) {
        cell = cell.trimmed();
    }
    return cells;
}

/// Markdown as it reads on a terminal: paragraphs in lines that fit, and of a table's row what was tried, then below it
/// what holds.
QString fittedPage(const QString &markdown, int width)
{
    constexpr int kIndent = 4;
    const QString below = u'\n' + QString(kIndent, u' ');
    QString text;
    QString paragraph;
    const auto endParagraph = [&] {
        text += paragraph.isEmpty() ? QString() : wrapped(paragraph.trimmed(), width) + u'\n';
        paragraph.clear();
    };
    const QStringList lines = markdown.split(u'\n');
    for (const QString &line : lines) {
        if (line.startsWith(u'|')) {
            const QStringList cells = cellsOf(line);
            if (!line.startsWith(u"|--"_s)) {
                text += wrapped(cells.constFirst(), width) + below
                    + wrapped(cells.mid(1).join(u' '), width - kIndent).replace(u"\n"_s, below) + u'\n';
            }
        } else if (line.isEmpty() || line.startsWith(u'#')) {
            endParagraph();
            text += line + u'\n';
        } else {
            paragraph += line + u' ';
        }
    }
    endParagraph();
    return text.trimmed() + u'\n';
}

Exit runSafety(const Context &)
{
    const QString page = models::safetyPage();
    print(Terminal::instance().width() > 0 ? fittedPage(page, lineWidth()) : page);
    return Exit::Done;
}

} // namespace

Command safetyCommand()
{
    return { .name = u"safety"_s,
        .summary = Tr::tr("what the console can hold, what is found afterwards, and what nobody can hold"),
        .about = Tr::tr("Says what the console can hold, what is found afterwards, and what no console can hold: a "
                        "superuser, the owner of a table."),
        .examples = { { Tr::tr("Read the page:"), u"safety"_s },
            { Tr::tr("Look for what it says of approvals:"), u"safety | grep -i approv"_s } },
        .run = runSafety };
}

} // namespace idemdesk::app
