// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/report/report_page.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kPdfDpi = 96;

} // namespace

QString reportText(const QString &text, int most)
{
    return displayText(text, most).toHtmlEscaped();
}

QString reportRow(const QStringList &cells, const char16_t *tag)
{
    QString html = u"<tr>"_s;
    for (const QString &cell : cells) {
        html += u"<%1>%2</%1>"_s.arg(QString::fromUtf16(tag), cell);
    }
    return html + u"</tr>"_s;
}

QString reportTable(const QStringList &header, const QStringList &rows)
{
    return u"<table border=\"1\" cellspacing=\"0\" cellpadding=\"4\" width=\"100%\">"_s
        + (header.isEmpty() ? QString() : reportRow(header, u"th")) + rows.join(QString()) + u"</table>"_s;
}

QString reportHeading(const QString &text)
{
    return u"<h2>%1</h2>"_s.arg(text.toHtmlEscaped());
}

QString reportParagraph(const QString &text)
{
    return u"<p>%1</p>"_s.arg(reportText(text));
}

QString reportPage(const QString &title, const QString &body)
{
    return u"<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>%1</title><style>body { font-family: "
           u"sans-serif; font-size: 10pt; } "
           "code { font-family: monospace; } th { text-align: left; } td, th { vertical-align: top; }"
           "</style></head><body>"_s.arg(reportText(title, 120))
        + body + u"</body></html>\n"_s;
}

bool writeReportPdf(const QString &title, const QString &html, QIODevice *device)
{
    QPdfWriter writer(device);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(15, 15, 15, 18), QPageLayout::Millimeter);
    writer.setResolution(kPdfDpi);
    writer.setTitle(title);
    writer.setCreator(u"Idemdesk"_s);
    QTextDocument document;
    document.documentLayout()->setPaintDevice(&writer);
    document.setHtml(html);
    const QSizeF page(writer.width(), writer.height());
    document.setPageSize(page);
    QPainter painter;
    if (!painter.begin(&writer)) {
        return false;
    }
    const int pages = document.pageCount();
    for (int i = 0; i < pages; ++i) {
        if (i > 0 && !writer.newPage()) {
            return false;
        }
        painter.save();
        painter.translate(0, -i * page.height());
        document.drawContents(&painter, QRectF(0, i * page.height(), page.width(), page.height()));
        painter.restore();
        painter.drawText(QRectF(0, page.height() + 8, page.width(), 20), Qt::AlignRight,
            Tr::tr("Page %1 of %2").arg(i + 1).arg(pages));
    }
    return painter.end();
}

} // namespace idemdesk::models
