// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPlainTextEdit;

namespace idemdesk::ui {

/// Makes a text as high as its lines, up to so many; more of them scroll.
void fitToLines(QPlainTextEdit *text, int most);

} // namespace idemdesk::ui
