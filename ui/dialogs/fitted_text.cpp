// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/fitted_text.h"

#include <QAbstractTextDocumentLayout>
#include <QPlainTextEdit>
#include <QTextDocument>
#include <algorithm>

namespace idemdesk::ui {

void fitToLines(QPlainTextEdit *text, int most)
{
    const auto fit = [text, most] {
        // This layout counts its height in lines.
        const int lines = std::clamp(int(text->document()->documentLayout()->documentSize().height()), 1, most);
        const int around = 2 * int(text->document()->documentMargin()) + 2 * text->frameWidth();
        text->setFixedHeight(lines * text->fontMetrics().lineSpacing() + around + 2);
    };
    QObject::connect(text->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, text, fit);
    fit();
}

} // namespace idemdesk::ui
