// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringView>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace idemdesk::sql {

/// Whether an enum has an enumerator of this value. The language cannot say it, but the compilers write such a value as
/// its name and any other as a cast of a number: "Role::Status", "(Role)18".
template <auto Value> consteval bool isEnumerator()
{
    const std::string_view text = __PRETTY_FUNCTION__; // ends in the value and a bracket
    return text[text.find_last_not_of("0123456789", text.size() - 2)] != ')';
}

template <typename Enum, int From = 0> consteval std::size_t countEnumerators()
{
    if constexpr (isEnumerator<static_cast<Enum>(From)>()) {
        return countEnumerators<Enum, From + 1>();
    }
    return From;
}

/// How many enumerators there are; they count from 0 without a gap.
template <typename Enum> inline constexpr std::size_t kEnumCount = countEnumerators<Enum>();

/// All of them, in their order.
template <typename Enum>
inline constexpr auto kAllOf = [] {
    std::array<Enum, kEnumCount<Enum>> all {};
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<Enum>(i);
    }
    return all;
}();

/// What is to be known of each enumerator, one entry each, in their order. An entry says in its member `value` whose it
/// is. A table that lacks one, or has it elsewhere, does not compile.
template <typename Entry> class EnumTable
{
public:
    using Enum = decltype(Entry::value);
    static constexpr std::size_t kCount = kEnumCount<Enum>;

    template <std::size_t N>
    requires(N == kCount) consteval EnumTable(const Entry (&entries)[N])
    {
        for (std::size_t i = 0; i < N; ++i) {
            if (entries[i].value != static_cast<Enum>(i)) {
                throw "an entry stands at another enumerator's place";
            }
            m_entries[i] = entries[i];
        }
    }

    constexpr const Entry &operator[](Enum value) const { return m_entries[static_cast<std::size_t>(value)]; }
    constexpr auto begin() const { return m_entries.begin(); }
    constexpr auto end() const { return m_entries.end(); }

private:
    std::array<Entry, kCount> m_entries {};
};

/// One enumerator and its name.
template <typename E> struct EnumName {
    E value {};
    const char16_t *name = nullptr;
};

/// The names of an enum as profiles, --json and the server write them; a name that is empty or given twice does not
/// compile. Entries may say more than the name.
template <typename Entry> class EnumNames : public EnumTable<Entry>
{
public:
    using typename EnumTable<Entry>::Enum;

    template <std::size_t N>
    requires(N == kEnumCount<Enum>) consteval EnumNames(const Entry (&entries)[N])
        : EnumTable<Entry>(entries)
    {
        for (std::size_t i = 0; i < N; ++i) {
            if (entries[i].name == nullptr || entries[i].name[0] == u'\0') {
                throw "an enumerator has no name";
            }
            for (std::size_t other = 0; other < i; ++other) {
                if (std::u16string_view(entries[i].name) == entries[other].name) {
                    throw "two enumerators have one name";
                }
            }
        }
    }

    QString nameOf(Enum value) const { return QString::fromUtf16((*this)[value].name); }
    /// Nothing for a text that is none of the names.
    std::optional<Enum> find(QStringView name) const
    {
        for (const Entry &entry : *this) {
            if (name == QStringView(entry.name)) {
                return entry.value;
            }
        }
        return std::nullopt;
    }
};

} // namespace idemdesk::sql
