// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace idemdesk::app {

/// What stands at the other end of standard output.
class Terminal
{
public:
    /// Reads it once, when first asked for.
    static const Terminal &instance();

    bool isTerminal() const { return m_isTerminal; }
    /// In characters: COLUMNS where it is set, else the terminal's; 0 where there is none, so that nothing is fitted.
    int width() const { return m_width; }
    int height() const { return m_height; }
    /// Of standard error, when that is a terminal; else 0.
    int noteWidth() const { return m_noteWidth; }
    /// On a terminal that takes colours, unless NO_COLOR is set.
    bool colours() const { return m_colours; }

private:
    Terminal();

    bool m_isTerminal;
    bool m_colours;
    int m_width = 0;
    int m_height;
    int m_noteWidth = 0;
};

/// Shows a text that is longer than the terminal in $PAGER ("less" where it is not set), and returns once the person
/// has left it. False where it fits, where nobody looks, or where the pager cannot be started: then it is for the
/// caller to print.
bool page(const QByteArray &text);

} // namespace idemdesk::app
