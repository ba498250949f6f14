// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QtGlobal>
#include <utility>
#include <variant>

namespace idemdesk::sql {

/// A value or an Error. Never both, never neither. std::expected is C++23 and clang 14 lacks it.
template <typename T> class [[nodiscard]] Result
{
public:
    Result(T value)
        : m_value(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_value(std::in_place_index<1>, std::move(error))
    {
    }

    bool ok() const { return m_value.index() == 0; }
    explicit operator bool() const { return ok(); }

    const T &value() const
    {
        Q_ASSERT(ok());
        return *std::get_if<0>(&m_value);
    }
    T &value()
    {
        Q_ASSERT(ok());
        return *std::get_if<0>(&m_value);
    }
    const T &operator*() const { return value(); }
    T &operator*() { return value(); }
    const T *operator->() const { return &value(); }
    T *operator->() { return &value(); }

    const Error &error() const
    {
        Q_ASSERT(!ok());
        return *std::get_if<1>(&m_value);
    }

private:
    std::variant<T, Error> m_value;
};

/// Success, or an Error.
template <> class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
        , m_failed(true)
    {
    }
    bool ok() const { return !m_failed; }
    explicit operator bool() const { return ok(); }
    const Error &error() const
    {
        Q_ASSERT(m_failed);
        return m_error;
    }

private:
    Error m_error;
    bool m_failed = false;
};

/// The same answer, its failure told as what the caller had set out to do.
template <typename T> Result<T> failed(const QString &what, Result<T> result)
{
    return result ? std::move(result) : Result<T>(failed(what, result.error()));
}

} // namespace idemdesk::sql

// Hands a failure on to the caller; else goes on with the value.
//
//     TRY(const auto row, session.one(statement));     row is the value itself
//     TRY(m_now, serverNow(session));                  into what is there already
//     TRY(session.begin());                            for its success alone
//     TRY_OR(fail, const auto row, …);                 what is handed on is fail(error)
//
// It is a statement of its own, in braces where it is all that an if or a loop has. A comma of the expression stands in
// parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot stand in any, nor a function that is named
#define TRY(...) IDEMDESK_TRY_PICK(__VA_ARGS__, IDEMDESK_TRY_VALUE, IDEMDESK_TRY_DONE, )(, __VA_ARGS__)
#define TRY_OR(handler, ...)                                                                                           \
    IDEMDESK_TRY_PICK(__VA_ARGS__, IDEMDESK_TRY_VALUE, IDEMDESK_TRY_DONE, )(handler, __VA_ARGS__)

#define IDEMDESK_TRY_PICK(first, second, chosen, ...) chosen
#define IDEMDESK_TRY_VALUE(handler, declaration, expression)                                                           \
    IDEMDESK_TRY_VALUE_AS(IDEMDESK_TRY_NAME(__COUNTER__), handler, declaration, expression)
#define IDEMDESK_TRY_VALUE_AS(tried, handler, declaration, expression)                                                 \
    auto tried = (expression);                                                                                         \
    if (!tried) {                                                                                                      \
        return handler(tried.error());                                                                                 \
    }                                                                                                                  \
    declaration = std::move(*tried)
#define IDEMDESK_TRY_DONE(handler, expression) IDEMDESK_TRY_DONE_AS(IDEMDESK_TRY_NAME(__COUNTER__), handler, expression)
#define IDEMDESK_TRY_DONE_AS(tried, handler, expression)                                                               \
    do {                                                                                                               \
        if (const auto tried = (expression); !tried) {                                                                 \
            return handler(tried.error());                                                                             \
        }                                                                                                              \
    } while (false)
#define IDEMDESK_TRY_NAME(number) IDEMDESK_TRY_JOIN(number)
#define IDEMDESK_TRY_JOIN(number) tried##number // no two names are the same, so that one may stand within another
// NOLINTEND(bugprone-macro-parentheses)
