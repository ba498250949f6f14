// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/tokens.h"

#include <array>
#include <cmath>

namespace idemdesk::ui {

namespace {

struct Colors {
    Token token;
    QRgb light;
    QRgb dark;
    QRgb contrastLight;
    QRgb contrastDark;
};

constexpr std::array kColors {
    Colors { Token::Window, 0xf5f6f8, 0x16191f, 0xffffff, 0x000000 },
    Colors { Token::Rail, 0xeceef2, 0x111419, 0xf2f2f2, 0x000000 },
    Colors { Token::Base, 0xffffff, 0x1d2129, 0xffffff, 0x000000 },
    Colors { Token::AlternateBase, 0xf4f6f9, 0x232932, 0xffffff, 0x000000 },
    Colors { Token::GroupHead, 0xe6ebf1, 0x2f3743, 0xe6e6e6, 0x1f1f1f },
    Colors { Token::Sunken, 0xeff2f6, 0x14171c, 0xf2f2f2, 0x101010 },
    Colors { Token::Raised, 0xffffff, 0x262c36, 0xffffff, 0x101010 },
    Colors { Token::Text, 0x18202b, 0xe6e9ef, 0x000000, 0xffffff },
    Colors { Token::MutedText, 0x566273, 0xa3aebd, 0x262626, 0xe2e2e2 },
    Colors { Token::DisabledText, 0x656f7c, 0x8d98a7, 0x4d4d4d, 0xb8b8b8 },
    Colors { Token::Border, 0xdde1e8, 0x323945, 0x000000, 0xffffff },
    Colors { Token::ControlBorder, 0x848f9f, 0x6d7989, 0x000000, 0xffffff },
    Colors { Token::DisabledBorder, 0xdde1e8, 0x323945, 0x7c7c7c, 0x6e6e6e },
    Colors { Token::Accent, 0x2458d3, 0x82adff, 0x00309c, 0x9fc5ff },
    Colors { Token::AccentFill, 0x2458d3, 0x3f6fe0, 0x00309c, 0x9fc5ff },
    Colors { Token::OnAccent, 0xffffff, 0xffffff, 0xffffff, 0x000000 },
    Colors { Token::Selection, 0xdbe6fd, 0x2b3f66, 0xbcd4ff, 0x10357d },
    Colors { Token::Danger, 0xb42318, 0xff9b90, 0x8d0b00, 0xffb3ab },
    Colors { Token::DangerFill, 0xb42318, 0xc93a2e, 0x8d0b00, 0xffb3ab },
    Colors { Token::OnDanger, 0xffffff, 0xffffff, 0xffffff, 0x000000 },
    Colors { Token::Warning, 0x8a4b08, 0xf5b94a, 0x633300, 0xffd27a },
    Colors { Token::Pending, 0x475569, 0xc3cedd, 0x2b3442, 0xdbe4f0 }, // slate
    Colors { Token::InProgress, 0x1d4ed8, 0x93c0fd, 0x0b2f9e, 0xb4d4ff }, // blue
    Colors { Token::Stale, 0x8a4b08, 0xf8bd3b, 0x633300, 0xffd27a }, // amber
    Colors { Token::Succeeded, 0x166534, 0x83e0a3, 0x064a20, 0xa6f0bf }, // green
    Colors { Token::FailedRetryable, 0xa23b0a, 0xfdb17a, 0x7a2600, 0xffc9a0 }, // orange
    Colors { Token::FailedFinal, 0xb42318, 0xffa39a, 0x8d0b00, 0xffb9b2 }, // red
    Colors { Token::Unknown, 0x6527d0, 0xc9b8ff, 0x47109f, 0xdccfff }, // violet
    Colors { Token::EnvironmentDevelopment, 0x2f6f4f, 0x2f6f4f, 0x1f5338, 0x1f5338 },
    Colors { Token::EnvironmentTest, 0x2c5f9e, 0x2c5f9e, 0x1c4778, 0x1c4778 },
    Colors { Token::EnvironmentStaging, 0x84510c, 0x84510c, 0x653c05, 0x653c05 },
    Colors { Token::EnvironmentProduction, 0xb3261e, 0xb3261e, 0x8f140d, 0x8f140d },
    Colors { Token::OnEnvironment, 0xffffff, 0xffffff, 0xffffff, 0xffffff },
};

constexpr bool inOrder()
{
    for (std::size_t place = 0; place < kColors.size(); ++place) {
        if (kColors[place].token != static_cast<Token>(place)) {
            return false;
        }
    }
    return kColors.size() == kTokenCount;
}
static_assert(inOrder(), "every token has its colours, in the order of the enumeration");

double luminance(const QColor &color)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

QColor tokenColor(Token token, Scheme scheme)
{
    const Colors &colors = kColors[static_cast<std::size_t>(token)];
    switch (scheme) {
    case Scheme::Light:
        return QColor(colors.light);
    case Scheme::Dark:
        return QColor(colors.dark);
    case Scheme::ContrastLight:
        return QColor(colors.contrastLight);
    case Scheme::ContrastDark:
        return QColor(colors.contrastDark);
    }
    return {};
}

QColor seriesColor(int number, Scheme scheme)
{
    // The first four have one hue in both schemes: blue, orange, violet, green.
    static constexpr std::array<QRgb, 8> kLight { 0x2458e6, 0xd44a00, 0x5a007c, 0x208f62, 0x6b2400, 0x7f78af, 0x404653,
        0x000000 };
    static constexpr std::array<QRgb, 8> kDark { 0x77ccff, 0xdd6600, 0x8877ff, 0x88aa77, 0xffcc00, 0x009999, 0x80ffee,
        0xf4ffb0 };
    const auto &colors = isDark(scheme) ? kDark : kLight;
    return QColor(colors[static_cast<std::size_t>(number) % colors.size()]);
}

Token tokenOf(sql::KeyState state, bool stale)
{
    if (stale) {
        return Token::Stale;
    }
    switch (state) {
    case sql::KeyState::Pending:
        return Token::Pending;
    case sql::KeyState::InProgress:
        return Token::InProgress;
    case sql::KeyState::Succeeded:
        return Token::Succeeded;
    case sql::KeyState::FailedRetryable:
        return Token::FailedRetryable;
    case sql::KeyState::FailedFinal:
        return Token::FailedFinal;
    case sql::KeyState::Unknown:
        return Token::Unknown;
    }
    return Token::Unknown;
}

std::optional<Token> tokenOf(sql::Environment environment)
{
    switch (environment) {
    case sql::Environment::Unmarked:
        return std::nullopt;
    case sql::Environment::Development:
        return Token::EnvironmentDevelopment;
    case sql::Environment::Test:
        return Token::EnvironmentTest;
    case sql::Environment::Staging:
        return Token::EnvironmentStaging;
    case sql::Environment::Production:
        return Token::EnvironmentProduction;
    }
    return std::nullopt;
}

QColor mixed(const QColor &under, const QColor &over, double part)
{
    const auto mix = [part](float a, float b) { return static_cast<float>(a + (b - a) * part); };
    return QColor::fromRgbF(
        mix(under.redF(), over.redF()), mix(under.greenF(), over.greenF()), mix(under.blueF(), over.blueF()));
}

double contrast(const QColor &a, const QColor &b)
{
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor badgeFill(const QColor &color, const QColor &base, Scheme scheme)
{
    return isStrong(scheme) ? base : mixed(base, color, isDark(scheme) ? 0.16 : 0.10);
}

QColor badgeFrame(const QColor &color, const QColor &base, double part, Scheme scheme)
{
    return isStrong(scheme) ? color : mixed(base, color, part);
}

} // namespace idemdesk::ui
