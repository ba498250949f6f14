// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <memory>

namespace idemdesk::tests {

/// Who took a server's place: listens on 127.0.0.1, offers no encryption, asks whoever comes for a password, and keeps
/// what it is sent in answer. Works in a thread of its own.
class PasswordThief
{
public:
    enum class Asks { ClearText, Md5, Scram };

    explicit PasswordThief(Asks asks);
    ~PasswordThief();
    PasswordThief(const PasswordThief &) = delete;
    PasswordThief &operator=(const PasswordThief &) = delete;

    int port() const;
    int asked() const; ///< how often it came to the question for the password
    QByteArray loot() const; ///< all bytes that were sent in answer to the question, of all connections

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace idemdesk::tests
