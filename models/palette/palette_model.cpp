// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/palette/palette_model.h"

#include "sql/types/tr.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kPaletteTitleChars = 120;

struct Ranked {
    PaletteEntry entry;
    FuzzyMatch match;
    bool byDetail = false;
};

std::optional<Ranked> ranked(const PaletteEntry &entry, const QString &typed)
{
    if (const auto title = fuzzyMatch(typed, entry.title)) {
        return Ranked { entry, *title, false };
    }
    const auto detail = fuzzyMatch(typed, entry.detail);
    // Letters scattered over a name that stands beside are no reason that anybody would see.
    return detail && detail->fit != Fit::Letters ? std::optional(Ranked { entry, *detail, true }) : std::nullopt;
}

} // namespace

PaletteModel::PaletteModel(QObject *parent)
    : RowModel(parent)
{
}

QString PaletteModel::kindText(PaletteEntry::Kind kind)
{
    switch (kind) {
    case PaletteEntry::Kind::Key:
        return Tr::tr("Key");
    case PaletteEntry::Kind::Page:
        return Tr::tr("Page");
    case PaletteEntry::Kind::Table:
        return Tr::tr("Table");
    case PaletteEntry::Kind::View:
        return Tr::tr("View");
    case PaletteEntry::Kind::Action:
        return Tr::tr("Action");
    }
    return {};
}

std::span<const PaletteModel::ColumnSpec> PaletteModel::columns()
{
    static const std::array<ColumnSpec, ColumnCount> kColumns { {
        { [] { return Tr::tr("Name"); }, [](const PaletteModel &, const PaletteEntry &entry) { return entry.title; } },
    } };
    return kColumns;
}

QVariant PaletteModel::itemData(const PaletteEntry &entry, int, int role) const
{
    switch (role) {
    case TitleRole:
        return displayText(entry.title, kPaletteTitleChars);
    case DetailRole:
        return displayText(entry.detail, kPaletteTitleChars);
    case Qt::AccessibleTextRole: {
        QStringList words { kindText(entry.kind), displayText(entry.title, kPaletteTitleChars) };
        for (const QString &more : { entry.detail, entry.keys }) {
            if (!more.isEmpty()) {
                words += displayText(more, kPaletteTitleChars);
            }
        }
        return words.join(u", "_s);
    }
    case HeadingRole:
        return headingOf(entry);
    case SpansRole: {
        const auto match = fuzzyMatch(m_typed, displayText(entry.title, kPaletteTitleChars));
        return QVariant::fromValue(match ? match->places : QList<int>());
    }
    default:
        return {};
    }
}

QVariant PaletteModel::headingOf(const PaletteEntry &entry) const
{
    if (entry.group.isEmpty() || !m_typed.trimmed().isEmpty()) {
        return {}; // the best fit stands first then, of whichever group it is
    }
    const qsizetype at = &entry - rows().constData();
    return at > 0 && rows().at(at - 1).group == entry.group ? QVariant() : QVariant(entry.group);
}

bool PaletteModel::headed(const PaletteEntry &entry) const
{
    using Kind = PaletteEntry::Kind;
    return m_typed.trimmed().isEmpty() && !entry.group.isEmpty()
        && (entry.kind == Kind::Page || entry.kind == Kind::Action);
}

void PaletteModel::setEntries(const QList<PaletteEntry> &entries)
{
    m_entries = entries;
    rank();
}

void PaletteModel::setTyped(const QString &typed)
{
    m_typed = typed;
    m_keys.clear();
    rank();
}

void PaletteModel::setKeys(const QList<PaletteEntry> &keys)
{
    m_keys = keys;
    rank();
}

void PaletteModel::rank()
{
    if (m_typed.trimmed().isEmpty()) {
        setRows(m_entries);
        return;
    }
    QList<Ranked> found;
    for (const PaletteEntry &entry : std::as_const(m_entries)) {
        if (const auto fits = ranked(entry, m_typed)) {
            found.append(*fits);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const Ranked &a, const Ranked &b) {
        const auto order = [](const Ranked &each) {
            return std::tuple(each.byDetail, each.match.fit, each.match.gaps, each.entry.kind, each.entry.title.size());
        };
        return order(a) < order(b);
    });
    QList<PaletteEntry> rows = m_keys;
    for (const Ranked &each : std::as_const(found)) {
        rows.append(each.entry);
    }
    setRows(rows);
}

} // namespace idemdesk::models

#include "moc_palette_model.cpp"
