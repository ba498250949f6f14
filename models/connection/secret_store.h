// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

namespace idemdesk::models {

/// Where passwords are kept: the system keychain (implemented in app). Every call returns at once; `done` is called
/// later on the GUI thread, unless `context` is gone by then.
class SecretStore
{
public:
    virtual ~SecretStore() = default;

    virtual bool available() const = 0; ///< false: no keychain service; passwords live for this session only
    /// Nothing in the Result: no such secret.
    virtual void get(const QString &id, QObject *context, std::function<void(sql::Result<std::optional<QString>>)> done)
        = 0;
    virtual void set(
        const QString &id, const QString &secret, QObject *context, std::function<void(sql::Result<void>)> done)
        = 0;
    virtual void remove(const QString &id, QObject *context, std::function<void(sql::Result<void>)> done) = 0;
};

} // namespace idemdesk::models
