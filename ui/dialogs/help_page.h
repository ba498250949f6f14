// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTextDocument;

namespace idemdesk::ui {

/// Gives a page that was read from Markdown the window's fonts, colours and tables.
void styleHelpPage(QTextDocument *page);

} // namespace idemdesk::ui
