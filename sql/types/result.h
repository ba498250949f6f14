// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QtGlobal>
#include <utility>
#include <variant>

namespace idemdesk::sql {

/// A value or an Error. Never both, never neither. std::expected is C++23 and clang 14 lacks it.
template <typename T>
class [[nodiscard]] Result
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
template <>
class [[nodiscard]] Result<void>
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

} // namespace idemdesk::sql
