// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "ui/theme/console_style.h"
#include "ui/theme/fonts.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QHash>
#include <QHeaderView>
#include <QStyle>
#include <QToolTip>
#include <QWidget>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

Theme *theInstance = nullptr;

bool looksDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

bool evenDigits(const QFont &font)
{
    // Texts, not characters: of a character alone the font's features are not asked.
    const QFontMetricsF metrics(font);
    const QString digits = u"123456789"_s;
    const qreal width = metrics.horizontalAdvance(u"0"_s);
    return std::all_of(digits.cbegin(), digits.cend(),
        [&](QChar digit) { return qFuzzyCompare(metrics.horizontalAdvance(QString(digit)), width); });
}

/// The system's size stays, as people chose it.
void useFonts()
{
    loadFonts();
    QFont font = QApplication::font();
    font.setFamily(textFamily());
    QApplication::setFont(font);
    font.setWeight(QFont::DemiBold);
    QApplication::setFont(font, "QHeaderView");
}

/// Columns and rows keep what they show when its texts grow.
void scaleSections(QHeaderView *header, qreal factor)
{
    if (header->orientation() == Qt::Vertical) {
        header->setDefaultSectionSize(qRound(header->defaultSectionSize() * factor));
        return;
    }
    if (header->property(kFitsItself).toBool()) {
        return;
    }
    // The last one is as wide as the room that is left, and would ask for all of it next time.
    const bool stretches = header->stretchLastSection();
    header->setStretchLastSection(false);
    for (int section = 0; section < header->count(); ++section) {
        if (!header->isSectionHidden(section)) {
            header->resizeSection(section, qRound(header->sectionSize(section) * factor));
        }
    }
    header->setStretchLastSection(stretches);
}

Scheme schemeOf(models::Theme choice, bool systemDark)
{
    switch (choice) {
    case models::Theme::System:
        return systemDark ? Scheme::Dark : Scheme::Light;
    case models::Theme::Light:
        return Scheme::Light;
    case models::Theme::Dark:
        return Scheme::Dark;
    case models::Theme::ContrastLight:
        return Scheme::ContrastLight;
    case models::Theme::ContrastDark:
        return Scheme::ContrastDark;
    }
    return Scheme::Light;
}

} // namespace

Theme::Theme(QApplication *application)
    : QObject(application)
    , m_systemDark(looksDark(QApplication::palette()))
{
    theInstance = this;
    application->installEventFilter(this);
    m_usualSize = QApplication::font().pointSizeF();
    QApplication::setStyle(new ConsoleStyle);
    useFonts();
}

Theme::~Theme()
{
    theInstance = nullptr;
}

Theme *Theme::instance()
{
    return theInstance;
}

void Theme::apply(models::Theme choice)
{
    m_choice = choice;
    setScheme(schemeOf(choice, m_desktopDark.value_or(m_systemDark)));
}

void Theme::setDesktopDark(std::optional<bool> dark)
{
    m_desktopDark = dark;
    if (schemeOf(m_choice, dark.value_or(m_systemDark)) != m_scheme) {
        apply(m_choice);
    }
}

void Theme::setZoom(int percent)
{
    const qreal factor = qreal(percent) / m_zoom;
    if (percent == std::exchange(m_zoom, percent)) {
        return;
    }
    QFont font = QApplication::font();
    font.setPointSizeF(m_usualSize * percent / 100);
    QApplication::setFont(font);
    font.setWeight(QFont::DemiBold);
    QApplication::setFont(font, "QHeaderView");
    // A title or a figure has a size of its own, which follows nobody.
    for (QWidget *widget : QApplication::allWidgets()) {
        QFont own = widget->font();
        if (widget->testAttribute(Qt::WA_SetFont) && (own.resolveMask() & QFont::SizeResolved) != 0) {
            own.setPointSizeF(own.pointSizeF() * factor);
            widget->setFont(own);
        }
        if (auto *header = qobject_cast<QHeaderView *>(widget)) {
            scaleSections(header, factor);
        }
    }
    emit changed();
}

int Theme::scaled(int pixels)
{
    return theInstance != nullptr ? qRound(pixels * theInstance->m_zoom / 100.0) : pixels;
}

void Theme::setScheme(Scheme scheme)
{
    m_scheme = scheme;
    QApplication::setPalette(palette());
    QToolTip::setPalette(palette());
    emit changed();
}

bool Theme::eventFilter(QObject *watched, QEvent *event)
{
    // The platform says so when its theme changed. Its palette shows only while the program's own is taken back.
    if (event->type() == QEvent::ThemeChange && watched->isWindowType() && !m_asking) {
        m_asking = true;
        QApplication::setPalette(QPalette());
        m_systemDark = looksDark(QApplication::palette());
        m_asking = false;
        apply(m_choice);
    }
    return QObject::eventFilter(watched, event);
}

QPalette Theme::palette() const
{
    QPalette palette;
    const QColor text = color(Token::Text);
    const QColor muted = color(Token::MutedText);
    palette.setColor(QPalette::Window, color(Token::Window));
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, color(Token::Base));
    palette.setColor(QPalette::AlternateBase, color(Token::AlternateBase));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, muted);
    palette.setColor(QPalette::Button, mixed(color(Token::Base), text, 0.04));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, color(Token::Danger));
    palette.setColor(QPalette::ToolTipBase, color(Token::Raised));
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, color(Token::Selection));
    palette.setColor(QPalette::HighlightedText, text);
    palette.setColor(QPalette::Link, color(Token::Accent));
    palette.setColor(QPalette::LinkVisited, color(Token::Accent));
    palette.setColor(QPalette::Light, mixed(color(Token::Base), text, dark() ? 0.10 : 0.0));
    palette.setColor(QPalette::Midlight, mixed(color(Token::Window), text, 0.05));
    palette.setColor(QPalette::Mid, mixed(color(Token::Window), text, 0.25));
    palette.setColor(QPalette::Dark, mixed(color(Token::Window), text, dark() ? 0.35 : 0.30));
    palette.setColor(QPalette::Shadow, dark() ? QColor(Qt::black) : mixed(color(Token::Window), text, 0.6));
    const QColor faint = color(Token::DisabledText);
    for (const QPalette::ColorRole role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText }) {
        palette.setColor(QPalette::Disabled, role, faint);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, color(Token::Border));
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, muted);
    // The selection stays readable, and quieter, where the list has not the focus.
    palette.setColor(QPalette::Inactive, QPalette::Highlight, mixed(color(Token::Base), color(Token::Selection), 0.75));
    palette.setColor(QPalette::Inactive, QPalette::HighlightedText, text);
    return palette;
}

QFont Theme::monospace()
{
    QFont font(fixedFamily());
    font.setPointSizeF(QApplication::font().pointSizeF());
    font.setStyleHint(QFont::Monospace);
    return font;
}

QFont Theme::heading()
{
    QFont font = QApplication::font();
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont Theme::title()
{
    QFont font = heading();
    font.setPointSizeF(font.pointSizeF() * 1.35);
    return font;
}

QFont Theme::display()
{
    QFont font = heading();
    font.setPointSizeF(font.pointSizeF() * 2.2);
    return font;
}

QFont Theme::figures(const QFont &font)
{
    static QHash<QString, bool> known; // asked for every cell that is painted
    auto even = known.constFind(font.family());
    if (even == known.constEnd()) {
        even = QHash<QString, bool>::const_iterator(known.insert(font.family(), evenDigits(font)));
    }
    if (*even) {
        return font;
    }
    QFont fixed = monospace();
    fixed.setPointSizeF(font.pointSizeF());
    return fixed;
}

QColor themeColor(Token token)
{
    return tokenColor(token, themeScheme());
}

Scheme themeScheme()
{
    return theInstance != nullptr ? theInstance->scheme() : Scheme::Light;
}

} // namespace idemdesk::ui
