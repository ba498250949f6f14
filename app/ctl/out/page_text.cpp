// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/out/page_text.h"

#include "app/ctl/line/help_text.h"

#include <QRegularExpression>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kBelow = 4; // columns, of a row's other cells
constexpr int kHanging = 2; // columns, of an item's further lines

/// Words without the signs of Markdown that only a window can show.
QString plainWords(QString text)
{
    static const QRegularExpression link(u"\\[([^\\]]*)\\]\\([^)]*\\)"_s);
    return text.replace(link, u"\\1"_s).remove(u"**"_s);
}

QString hanging(const QString &text, int width, int columns)
{
    return wrapped(text, width - columns).replace(u'\n', u'\n' + QString(columns, u' '));
}

QString tableRow(const QString &line, int width)
{
    static const QRegularExpression bar(u"(?<!\\\\)\\|"_s);
    QStringList cells;
    const QStringList parts = line.mid(1, line.size() - 2).split(bar);
    for (QString cell : parts) {
        cells += cell.replace(u"\\|"_s, u"|"_s).trimmed();
    }
    return wrapped(cells.constFirst(), width) + u'\n' + QString(kBelow, u' ')
        + hanging(cells.mid(1).join(u' '), width, kBelow) + u'\n';
}

/// Puts a page together line by line.
class PageWriter
{
public:
    explicit PageWriter(int width)
        : m_width(width)
    {
    }

    void add(const QString &line)
    {
        static const QRegularExpression item(u"^(?:- |\\d+\\. )"_s);
        if (line.startsWith(u'|')) {
            end();
            m_text += line.startsWith(u"|--"_s) ? QString() : tableRow(plainWords(line), m_width);
        } else if (line.startsWith(u"    "_s)) {
            end();
            m_text += line + u'\n';
        } else if (line.isEmpty() || line.startsWith(u'#')) {
            end();
            m_text += line + u'\n';
        } else {
            if (item.match(line).hasMatch()) {
                end();
                m_item = true;
            }
            m_paragraph += line + u' ';
        }
    }

    QString text()
    {
        end();
        return m_text.trimmed() + u'\n';
    }

private:
    void end()
    {
        const QString words = plainWords(m_paragraph.trimmed());
        if (!words.isEmpty()) {
            m_text += (m_item ? hanging(words, m_width, kHanging) : wrapped(words, m_width)) + u'\n';
        }
        m_paragraph.clear();
        m_item = false;
    }

    int m_width;
    QString m_text;
    QString m_paragraph;
    bool m_item = false;
};

} // namespace

QString pageText(const QString &markdown, int width)
{
    PageWriter writer(width);
    const QStringList lines = markdown.split(u'\n');
    for (const QString &line : lines) {
        writer.add(line);
    }
    return writer.text();
}

} // namespace idemdesk::app
