// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/settings.h"
#include "ui/theme/tokens.h"

#include <QFont>
#include <QObject>
#include <QPalette>
#include <optional>

class QApplication;

namespace idemdesk::ui {

inline constexpr int kRowHeight = 28; ///< pixels; compact rows 22
inline constexpr int kCompactRowHeight = 22;
inline constexpr int kGrid = 4; ///< pixels; every spacing is a multiple
inline constexpr int kCellPadding = 12; ///< pixels on each side of a cell's text, and of its heading's
/// A property of a header whose table sets the widths of its columns itself when texts grow.
inline constexpr char kFitsItself[] = "idemdeskFitsItself";
/// A property of a list whose rows are chosen whole: a selected row needs no mark around its current cell.
inline constexpr char kMarksRows[] = "idemdeskMarksRows";
inline constexpr int kControlHeight = 32; ///< pixels, of fields and buttons at the usual size of texts
inline constexpr int kRadius = 6; ///< pixels, of buttons, fields and cards

/// The console's fonts, style and palette. Dark is the person's choice, or what the desktop says, or else what its
/// palette is (Qt 6.4 has no colour scheme to ask).
class Theme final : public QObject
{
    Q_OBJECT

public:
    explicit Theme(QApplication *application);
    ~Theme() override;
    static Theme *instance();

    void apply(models::Theme choice);
    /// What the desktop says it is, beside its palette; nothing where it says nothing. Counts for who follows it.
    void setDesktopDark(std::optional<bool> dark);
    /// Percent of the size of texts that the desktop has. All texts follow, those with a size of their own, too.
    void setZoom(int percent);
    static int scaled(int pixels); ///< of a width or height that is meant for texts of the usual size
    Scheme scheme() const { return m_scheme; }
    bool dark() const { return isDark(m_scheme); }
    QColor color(Token token) const { return tokenColor(token, m_scheme); }

    static QFont monospace(); ///< for keys, hashes and payloads
    static QFont heading(); ///< of a part of a page: the size of the text, in half bold
    static QFont title(); ///< of a page or a dialog: one size up
    static QFont display(); ///< of a figure that is read from two metres
    /// The font itself where its digits are equally wide, else the monospace one in its size: numbers line up in
    /// columns.
    static QFont figures(const QFont &font);

signals:
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QPalette palette() const;
    void setScheme(Scheme scheme);

    models::Theme m_choice = models::Theme::System;
    qreal m_usualSize; ///< points, of the desktop's texts
    int m_zoom = 100;
    bool m_systemDark; ///< by the platform's palette
    std::optional<bool> m_desktopDark;
    Scheme m_scheme = Scheme::Light;
    bool m_asking = false; ///< while the system's own palette is looked at
};

/// The colour of a token in the theme in force; light where there is no Theme (tests).
QColor themeColor(Token token);
Scheme themeScheme();

} // namespace idemdesk::ui
