// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"
#include "sql/types/profile.h"

#include <QColor>
#include <array>

namespace idemdesk::ui {

/// How bright the window is, and how strong its contrasts.
enum class Scheme { Light, Dark, ContrastLight, ContrastDark };
inline constexpr std::array kAllSchemes { Scheme::Light, Scheme::Dark, Scheme::ContrastLight, Scheme::ContrastDark };
inline constexpr bool isDark(Scheme scheme)
{
    return scheme == Scheme::Dark || scheme == Scheme::ContrastDark;
}
inline constexpr bool isStrong(Scheme scheme)
{
    return scheme == Scheme::ContrastLight || scheme == Scheme::ContrastDark;
}

/// Every colour of the console by its meaning; there is no colour literal elsewhere.
enum class Token {
    Window,
    Rail, ///< ground of the list of pages, one step behind Window
    Base,
    AlternateBase, ///< every other row of a list
    GroupHead, ///< ground of the heading of a group of rows, told from both kinds of rows
    Sunken, ///< ground of what is quoted, such as an example to type; a Border stands around it
    Raised, ///< what lies above the page: menus, tool tips
    Text,
    MutedText, ///< secondary text, at least 4.5:1 on Base and Window
    DisabledText, ///< of what cannot be pressed now: quieter than MutedText, yet at least 4.5:1 on Base and Window
    Border, ///< between areas; says nothing by itself
    ControlBorder, ///< around what can be typed into or pressed: at least 3:1 on Window and Base
    DisabledBorder, ///< around what cannot be pressed now: quieter than ControlBorder, also in strong contrasts
    Accent, ///< the one accent: links, focus, ticks
    AccentFill, ///< of the one primary button
    OnAccent, ///< text on AccentFill
    Selection, ///< ground of what is selected; text on it is Text
    Danger, ///< red only for danger
    DangerFill, ///< of the button that takes something away
    OnDanger,
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

QColor tokenColor(Token token, Scheme scheme);
/// Of a chart's series by its place; eight, then they begin again. Each two of them differ by at least 30 (ΔE of CIE
/// 1976), also as deuteranopes and protanopes see them, and by 4:1 from the ground: thin lines are paler than their
/// pen. Neighbours differ in lightness, too. The first two numbers' hues are alike in light and dark.
QColor seriesColor(int number, Scheme scheme);
Token tokenOf(sql::KeyState state, bool stale);
/// Nothing for Unmarked.
std::optional<Token> tokenOf(sql::Environment environment);

/// `part` of `over` (0 to 1) mixed into `under`.
QColor mixed(const QColor &under, const QColor &over, double part);
/// Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, relative luminance).
double contrast(const QColor &a, const QColor &b);
/// What a badge of this colour is filled with.
QColor badgeFill(const QColor &color, const QColor &base, Scheme scheme);
/// The line around a badge or a notice of this colour: `part` of it, and the whole where contrasts are strong, as
/// nothing is filled there.
QColor badgeFrame(const QColor &color, const QColor &base, double part, Scheme scheme);

} // namespace idemdesk::ui
