// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QString>

namespace idemdesk::sql {

/// Texts by their names as a JSON object of texts. What no jsonb takes (NUL) is left out.
QJsonObject jsonOfTexts(const QMap<QString, QString> &texts);

/// The other way round; numbers and flags as their texts, nothing of what is no object.
QMap<QString, QString> textsOfJson(const QByteArray &json);

} // namespace idemdesk::sql
