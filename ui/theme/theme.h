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
    ~Theme() override;
    static Theme *instance();

    void apply(models::Theme choice);
    bool dark() const { return m_dark; }
    QColor color(Token token) const { return tokenColor(token, m_dark); }

    static QFont monospace(); ///< for keys, hashes and payloads
    static QFont title(); ///< one size up
    /// The font itself where its digits are equally wide, else the monospace one in its size: numbers line up in columns.
    static QFont figures(const QFont &font);

signals:
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QPalette palette() const;
    void setDark(bool dark);

    models::Theme m_choice = models::Theme::System;
    bool m_systemDark;
    bool m_dark = false;
    bool m_asking = false; ///< while the system's own palette is looked at
};

/// The colour of a token in the theme in force; light where there is no Theme (tests).
QColor themeColor(Token token);
bool themeDark();

} // namespace idemdesk::ui
