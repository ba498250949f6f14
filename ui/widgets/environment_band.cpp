// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/environment_band.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QLabel>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

QLabel *environmentBand(sql::Environment environment, const QString &connection, QWidget *parent)
{
    const auto token = tokenOf(environment);
    if (!token) {
        return nullptr;
    }
    auto *band = plainLabel(
        models::environmentLabel(environment).toUpper() + u" · "_s + models::displayText(connection, 120), parent);
    band->setObjectName(u"dialogEnvironment"_s);
    band->setAutoFillBackground(true);
    band->setContentsMargins(2 * kGrid, kGrid, 2 * kGrid, kGrid);
    QPalette colors = band->palette();
    colors.setColor(QPalette::Window, themeColor(*token));
    colors.setColor(QPalette::WindowText, themeColor(Token::OnEnvironment));
    band->setPalette(colors);
    return band;
}

} // namespace idemdesk::ui
