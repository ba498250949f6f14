// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/private_home.h"

#include <QDir>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

QString privateHome()
{
    static const QTemporaryDir home(QDir::tempPath() + u"/idt-home-XXXXXX"_s);
    static const bool set = home.isValid() && qputenv("XDG_DATA_HOME", home.filePath(u"data"_s).toLocal8Bit())
        && qputenv("XDG_CONFIG_HOME", home.filePath(u"config"_s).toLocal8Bit());
    if (!set) {
        qFatal("no folder for what this test keeps: %s", qPrintable(home.errorString()));
    }
    return home.path();
}

} // namespace idemdesk::tests
