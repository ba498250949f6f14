// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/enum_table.h"

#include <QByteArray>
#include <QByteArrayList>

namespace idemdesk::sql {

/// All that is ever said to a Redis. Nothing else can be: no command has another way to be made.
enum class RedisVerb { Auth, Select, ClientSetName, Info, Scan, Get, Pttl, Type, StrLen, Exists, Eval };

/// One command. All of them change nothing, but for release().
class RedisCommand
{
public:
    static RedisCommand auth(const QByteArray &user, const QByteArray &password); ///< user: may be empty
    static RedisCommand select(int database);
    static RedisCommand setName(const QByteArray &name);
    static RedisCommand info(const QByteArray &section);
    /// Names that match, of about so many that are looked at.
    static RedisCommand scan(const QByteArray &cursor, const QByteArray &pattern, int count);
    /// Of one entry.
    static RedisCommand get(const QByteArray &name);
    static RedisCommand pttl(const QByteArray &name);
    static RedisCommand type(const QByteArray &name);
    static RedisCommand strLen(const QByteArray &name);
    static RedisCommand exists(const QByteArray &name);
    /// Deletes an entry where its value is still this one, and nobody wrote it again since it had so much time to live
    /// (milliseconds; -1: it never expires). By the one script that is ever sent; it answers "deleted", "changed" or
    /// "gone".
    static RedisCommand release(const QByteArray &name, const QByteArray &value, qint64 ttlMs);

    RedisVerb verb() const { return m_verb; }
    /// As it is sent.
    QByteArray bytes() const;

private:
    RedisCommand(RedisVerb verb, QByteArrayList arguments);

    RedisVerb m_verb;
    QByteArrayList m_arguments;
};

} // namespace idemdesk::sql
