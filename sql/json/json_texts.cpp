// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/json/json_texts.h"

#include <QJsonDocument>

namespace idemdesk::sql {

QJsonObject jsonOfTexts(const QMap<QString, QString> &texts)
{
    QJsonObject object;
    for (auto it = texts.cbegin(); it != texts.cend(); ++it) {
        object.insert(it.key(), QString(it.value()).remove(QChar(0)));
    }
    return object;
}

QMap<QString, QString> textsOfJson(const QByteArray &json)
{
    QMap<QString, QString> texts;
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    for (auto it = object.begin(); it != object.end(); ++it) {
        texts.insert(it.key(), it->toVariant().toString());
    }
    return texts;
}

} // namespace idemdesk::sql
