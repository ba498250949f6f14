// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/translation/translation.h"

#include <QCoreApplication>
#include <QTranslator>

using namespace Qt::StringLiterals;

// A static library's resources must be asked for by name, outside any namespace.
static void initTranslationResources()
{
    Q_INIT_RESOURCE(translations);
}

namespace idemdesk::app {

void installTranslations()
{
    initTranslationResources();
    auto *translator = new QTranslator(QCoreApplication::instance());
    if (translator->load(u":/i18n/idemdesk_en.qm"_s)) {
        QCoreApplication::installTranslator(translator);
    } else {
        qWarning("The built-in translations cannot be loaded.");
    }
}

} // namespace idemdesk::app
