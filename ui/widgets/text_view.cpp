// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_view.h"

#include "ui/theme/theme.h"

#include <QPlainTextEdit>

namespace idemdesk::ui {

void setUpText(QPlainTextEdit *text, const QString &objectName, const QString &accessibleName)
{
    text->setObjectName(objectName);
    text->setAccessibleName(accessibleName);
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
}

void setUpCode(QPlainTextEdit *text, const QString &objectName, const QString &accessibleName)
{
    setUpText(text, objectName, accessibleName);
    text->setFont(Theme::monospace());
}

} // namespace idemdesk::ui
