// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/format/shell_word.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString shellWord(const QString &text)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_./:@%+=-]+$"_s);
    return plain.match(text).hasMatch() ? text : u'\'' + QString(text).replace(u"'"_s, u"'\\''"_s) + u'\'';
}

} // namespace idemdesk::models
