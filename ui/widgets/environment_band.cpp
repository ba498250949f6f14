// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/environment_band.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "sql/types/tr.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QLabel>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kPlaceChars = 600;

} // namespace

QString notMarkedText()
{
    return Tr::tr("Not marked", "a connection's environment");
}

QColor notMarkedGround()
{
    constexpr double kSlate = 0.22; // neither of the colours that say what it is, nor the window's own
    return mixed(themeColor(Token::Window), themeColor(Token::Text), kSlate);
}

QLabel *environmentBand(sql::Environment environment, const QString &connection, QWidget *parent)
{
    const auto token = tokenOf(environment);
    if (!token && connection.isEmpty()) {
        return nullptr;
    }
    const QString marked = token ? models::environmentLabel(environment) : notMarkedText();
    auto *band = plainLabel(marked.toUpper() + u" · "_s + models::displayText(connection, kPlaceChars), parent);
    band->setObjectName(u"dialogEnvironment"_s);
    band->setWordWrap(true); // a group has several places
    band->setAutoFillBackground(true);
    band->setContentsMargins(2 * kGrid, kGrid, 2 * kGrid, kGrid);
    QPalette colors = band->palette();
    colors.setColor(QPalette::Window, token ? themeColor(*token) : notMarkedGround());
    colors.setColor(QPalette::WindowText, themeColor(token ? Token::OnEnvironment : Token::Text));
    band->setPalette(colors);
    return band;
}

} // namespace idemdesk::ui
