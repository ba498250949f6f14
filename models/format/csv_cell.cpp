// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/format/csv_cell.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QByteArray csvCell(const QString &text)
{
    QString cell = text;
    const QString trimmed = text.trimmed();
    if (!trimmed.isEmpty() && u"=+-@|"_s.contains(trimmed.front())) {
        cell.prepend(u'\'');
    }
    if (cell.contains(u'"') || cell.contains(u',') || cell.contains(u'\n') || cell.contains(u'\r')) {
        cell.replace(u'"', u"\"\""_s);
        cell = u'"' + cell + u'"';
    }
    return cell.toUtf8();
}

} // namespace idemdesk::models
