// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/key_cursor.h"

#include "sql/types/tr.h"

#include <QCryptographicHash>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

QString listingMark(const Context &context, const sql::Target &target)
{
    constexpr qsizetype kDigits = 12; // no secret
    const QStringList listing { target.profile.name, target.profile.relation, context.value(u"order"_s),
        context.value(u"filter"_s).simplified() };
    return QString::fromLatin1(
        QCryptographicHash::hash(listing.join(QChar(0)).toUtf8(), QCryptographicHash::Sha256).toHex().left(kDigits));
}

} // namespace

QString markedPlace(const Context &context, const sql::Target &target, const QString &place)
{
    return listingMark(context, target) + u'.' + place;
}

sql::Result<QString> placeAfter(const Context &context, const sql::Target &target)
{
    const QString written = context.value(u"after"_s);
    const QString mark = written.section(u'.', 0, 0);
    if (mark == written) {
        return noPlace();
    }
    if (mark != listingMark(context, target)) {
        return usageError(Tr::tr("This cursor is of another order, filter or table."),
            Tr::tr("Give --after with the options of the page that it came from, or begin without it."));
    }
    return written.section(u'.', 1);
}

sql::Error noPlace()
{
    return usageError(Tr::tr("--after takes the “next” of an earlier page."));
}

} // namespace idemdesk::app
