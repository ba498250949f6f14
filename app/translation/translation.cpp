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

namespace {

/// lupdate writes contexts without the namespaces that tr() puts before them at run time: both are looked up.
class PluralTranslator final : public QTranslator
{
public:
    using QTranslator::QTranslator;

    QString translate(const char *context, const char *source, const char *disambiguation, int n) const override
    {
        const QByteArray whole(context);
        const QByteArray last = whole.mid(whole.lastIndexOf(':') + 1);
        for (const QByteArray &name : { whole, last }) {
            if (QString text = QTranslator::translate(name.constData(), source, disambiguation, n); !text.isEmpty()) {
                return text;
            }
        }
        return {};
    }
};

} // namespace

void installTranslations()
{
    initTranslationResources();
    auto *translator = new PluralTranslator(QCoreApplication::instance());
    if (translator->load(u":/i18n/idemdesk_en.qm"_s)) {
        QCoreApplication::installTranslator(translator);
    } else {
        qWarning("The built-in translations cannot be loaded.");
    }
}

} // namespace idemdesk::app
