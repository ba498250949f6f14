// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/statement_memory.h"

#include <QSettings>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// A name may hold slashes, which settings take for groups.
QString placeOf(const QString &provider)
{
    return u"providers/"_s + QString::fromLatin1(QUrl::toPercentEncoding(provider)) + u"/map"_s;
}

} // namespace

StatementMap rememberedMap(const QSettings &settings, const QString &provider)
{
    const QStringList texts = settings.value(placeOf(provider)).toStringList();
    const auto map = texts.isEmpty() ? sql::Result<StatementMap>(StatementMap()) : statementMapFrom(texts);
    return map ? *map : StatementMap();
}

bool rememberMap(QSettings *settings, const QString &provider, const StatementMap &map)
{
    settings->setValue(placeOf(provider), map.toTexts());
    settings->sync();
    return settings->status() == QSettings::NoError;
}

} // namespace idemdesk::models
