// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/json/json_tree.h"

#include <QMap>
#include <optional>

namespace idemdesk::sql {

/// What comes up while a profile is read: the first fault, and what is kept as it was written. Reading goes on after a
/// fault; whoever began it looks at fault() once, at the end.
class ProfileReading
{
public:
    struct Fault {
        QString path;
        QString found;
        QString expected;
    };
    const std::optional<Fault> &fault() const { return m_fault; }
    /// As Profile::extra.
    const QMap<QString, QByteArray> &kept() const { return m_kept; }

    void fail(const JsonNode &node, const QString &expected);
    void failAt(const QString &path, const QString &found, const QString &expected);
    /// At a member of an object, which may be missing.
    void failMember(const JsonNode &object, const QString &name, const QString &expected);
    void keep(const JsonNode &parent, const QString &name, const JsonNode &value);

    /// Whether node is an object. A key that is none of these is a fault, and one that begins with x_ is kept.
    bool object(const JsonNode &node, const QStringList &keys);
    /// A text that is not blank, or an empty one after a fault.
    QString text(const JsonNode &node);
    /// One SQL expression that stands for itself and names no other variables.
    QString sql(const JsonNode &node, const QStringList &variables);

private:
    std::optional<Fault> m_fault;
    QMap<QString, QByteArray> m_kept;
};

} // namespace idemdesk::sql
