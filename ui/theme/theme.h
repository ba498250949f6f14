// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/settings.h"
#include "ui/theme/tokens.h"

#include <QFont>
#include <QObject>
#include <QPalette>

class QApplication;

namespace idemdesk::ui {

inline constexpr int kRowHeight = 28; ///< pixels; compact rows 22
inline constexpr int kCompactRowHeight = 22;
inline constexpr int kGrid = 4; ///< pixels; every spacing is a multiple

/// Fusion with the console's own palette, light or dark. Dark is the person's choice, or what the system's palette says
/// (Qt 6.4 has no colour scheme to ask).
class Theme final : public QObject
{
    Q_OBJECT

public:
    explicit Theme(QApplication *application);
    static Theme *instance();

    void apply(models::Theme choice);
    bool dark() const { return m_dark; }
    QColor color(Token token) const { return tokenColor(token, m_dark); }

    static QFont monospace(); ///< for keys, hashes and payloads
    static QFont title(); ///< one size up

signals:
    void changed();

private:
    QPalette palette() const;

    QApplication *m_application;
    bool m_systemDark;
    bool m_dark = false;
};

/// The colour of a token in the theme in force; light where there is no Theme (tests).
QColor themeColor(Token token);
bool themeDark();

} // namespace idemdesk::ui
