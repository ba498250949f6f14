// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"
#include "sql/types/profile.h"

#include <QColor>

namespace idemdesk::ui {

/// Every colour of the console by its meaning; there is no colour literal elsewhere.
enum class Token {
    Window,
    Base,
    AlternateBase,
    Text,
    MutedText, ///< secondary text, at least 4.5:1 on Base and Window
    Border,
    Accent, ///< the one accent: selection, links, default buttons
    OnAccent,
    Danger, ///< red only for danger
    Warning,
    Pending,
    InProgress,
    Stale,
    Succeeded,
    FailedRetryable,
    FailedFinal,
    Unknown,
    EnvironmentDevelopment,
    EnvironmentTest,
    EnvironmentStaging,
    EnvironmentProduction,
    OnEnvironment ///< text on an environment's colour
};
inline constexpr int kTokenCount = static_cast<int>(Token::OnEnvironment) + 1;

QColor tokenColor(Token token, bool dark);
/// Of a chart's series by its place; eight that the colour-blind can tell apart (after Okabe and Ito), then they begin again.
QColor seriesColor(int number, bool dark);
Token tokenOf(sql::KeyState state, bool stale);
/// Nothing for Unmarked.
std::optional<Token> tokenOf(sql::Environment environment);

/// `part` of `over` (0 to 1) mixed into `under`.
QColor mixed(const QColor &under, const QColor &over, double part);
/// Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, relative luminance).
double contrast(const QColor &a, const QColor &b);
/// What a badge of this colour is filled with.
QColor badgeFill(const QColor &color, const QColor &base, bool dark);

} // namespace idemdesk::ui
