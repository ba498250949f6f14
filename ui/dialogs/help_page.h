// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QTextEdit>

class QTextDocument;

namespace idemdesk::ui {

/// Gives a page that was read from Markdown the window's fonts, colours and tables.
void styleHelpPage(QTextDocument *page);
/// Every place of the page where one of the words stands, in any case, with the look of a hit.
QList<QTextEdit::ExtraSelection> helpMarks(QTextDocument *page, const QString &words);

} // namespace idemdesk::ui
