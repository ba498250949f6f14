// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/json/payload_text.h"

#include "models/background.h"
#include "models/format/display_text.h"

namespace idemdesk::models {

namespace {

constexpr qsizetype kLongestLine = 1'000; // a text view takes a minute to lay out one line of a megabyte
constexpr qsizetype kMostShown = 262'144;

/// The text in lines a text view can bear, and no more of them than it lays out in a moment.
void fold(const QString &text, PayloadText *out)
{
    out->lines.reserve(text.size() + text.size() / kLongestLine + 1);
    qsizetype inLine = 0;
    int lines = 1;
    for (const QChar unit : text) {
        const bool folds = inLine >= kLongestLine && unit != u'\n' && !unit.isLowSurrogate();
        if ((folds || unit == u'\n') && ++lines > PayloadText::kMostLines) {
            out->whole = false;
            return;
        }
        if (folds) {
            out->lines += u'\n';
            inLine = 0;
        }
        inLine = unit == u'\n' ? 0 : inLine + 1;
        out->lines += unit;
    }
}

} // namespace

PayloadText payloadText(const QString &text, bool parse)
{
    PayloadText out;
    QString shown = text;
    if (parse) {
        const auto parsed = JsonDocument::parse(text);
        out.json = parsed.ok();
        if (parsed.ok()) {
            out.document = *parsed;
            shown = prettyJson(text);
        } else {
            out.fault = parsed.error().why;
        }
    }
    fold(displayBlock(shown.left(kMostShown)), &out);
    return out;
}

QFuture<sql::Result<PayloadText>> payloadTextLater(const QString &text, bool parse)
{
    return later<PayloadText>([text, parse] { return sql::Result<PayloadText>(payloadText(text, parse)); });
}

} // namespace idemdesk::models
