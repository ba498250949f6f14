// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace idemdesk::ui {

// The program brings its fonts, so that it looks alike on every desktop: Inter for texts and JetBrains Mono for keys,
// hashes and payloads, both under the SIL Open Font License 1.1.

/// Makes the fonts known to the program, once.
void loadFonts();
QString textFamily();
QString fixedFamily();

/// The font with digits of one width by default, which it has as a feature that Qt 6.4 cannot ask for: the feature
/// "tnum" of the table GSUB gets the name of one that every shaper applies (OpenType 1.9, feature list table). The
/// family is then called Idesk. Anything that is no such font is given back as it is.
QByteArray withTabularFigures(const QByteArray &font);

} // namespace idemdesk::ui
