// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/tokens.h"

#include <array>
#include <cmath>

namespace idemdesk::ui {

namespace {

struct Pair {
    QRgb light;
    QRgb dark;
};

constexpr std::array<Pair, kTokenCount> kColors { {
    { 0xfff3f5f8, 0xff1b1f26 }, // Window
    { 0xffffffff, 0xff232830 }, // Base
    { 0xfff8f9fb, 0xff272d36 }, // AlternateBase
    { 0xff1b2430, 0xffe4e8ee }, // Text
    { 0xff566273, 0xffa3aebd }, // MutedText
    { 0xffd3d9e2, 0xff3b434f }, // Border
    { 0xff0b62c4, 0xff6cb0ff }, // Accent
    { 0xffffffff, 0xff0d1420 }, // OnAccent
    { 0xffb42318, 0xffff9b90 }, // Danger
    { 0xff8a4b08, 0xfff5b94a }, // Warning
    { 0xff475569, 0xffc3cedd }, // Pending: slate
    { 0xff1d4ed8, 0xff93c0fd }, // InProgress: blue
    { 0xff8a4b08, 0xfff8bd3b }, // Stale: amber
    { 0xff166534, 0xff83e0a3 }, // Succeeded: green
    { 0xffa23b0a, 0xfffdb17a }, // FailedRetryable: orange
    { 0xffb42318, 0xffffa39a }, // FailedFinal: red
    { 0xff6527d0, 0xffc9b8ff }, // Unknown: violet
    { 0xff2f6f4f, 0xff2f6f4f }, // EnvironmentDevelopment
    { 0xff2c5f9e, 0xff2c5f9e }, // EnvironmentTest
    { 0xff84510c, 0xff84510c }, // EnvironmentStaging
    { 0xffb3261e, 0xffb3261e }, // EnvironmentProduction
    { 0xffffffff, 0xffffffff }, // OnEnvironment
} };

double luminance(const QColor &color)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

QColor tokenColor(Token token, bool dark)
{
    const Pair &pair = kColors[static_cast<std::size_t>(token)];
    return QColor::fromRgb(dark ? pair.dark : pair.light);
}

QColor seriesColor(int number, bool dark)
{
    static constexpr QRgb kLight[] = { 0x0072b2, 0xd55e00, 0x007a5a, 0xb0578d, 0x8a6d00, 0x3b7fb8, 0x5b4a9e, 0x2f2f2f };
    static constexpr QRgb kDark[] = { 0x56b4e9, 0xe98a4b, 0x35c39a, 0xdd9cc3, 0xd9c34c, 0x8fc8f0, 0xa99be8, 0xd8d8d8 };
    constexpr int kColors = 8;
    return QColor(dark ? kDark[number % kColors] : kLight[number % kColors]);
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
    return QColor::fromRgbF(mix(under.redF(), over.redF()), mix(under.greenF(), over.greenF()), mix(under.blueF(), over.blueF()));
}

double contrast(const QColor &a, const QColor &b)
{
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor badgeFill(const QColor &color, const QColor &base, bool dark)
{
    return mixed(base, color, dark ? 0.16 : 0.10);
}

} // namespace idemdesk::ui
