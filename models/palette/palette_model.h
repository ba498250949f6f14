// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/palette/fuzzy_match.h"
#include "models/table/row_model.h"

namespace idemdesk::models {

/// Something one can go to or do.
struct PaletteEntry {
    enum class Kind { Key, Page, Table, View, Action }; ///< in this order where they fit alike
    Kind kind = Kind::Action;
    QString id; ///< means something to who made the entry
    QString title;
    QString detail; ///< which of its name it is; searched, too
    QString keys; ///< of the keyboard, where it has some
    QString icon; ///< a name of the icons in resources/icons; may be empty
    QString group; ///< what it stands under while nothing is typed
};

/// Everything one can go to or do that fits what was typed, best first: by the fit of its title, then of its detail,
/// then the kind, then the shorter title. With nothing typed all of them stand in the order they were given in. Keys
/// that the database has stand first: they are exactly what was typed.
class PaletteModel final : public RowModel<PaletteModel, PaletteEntry>
{
    Q_OBJECT

public:
    enum Column { Title, ColumnCount };

    explicit PaletteModel(QObject *parent = nullptr);
    void setEntries(const QList<PaletteEntry> &entries);
    void setTyped(const QString &typed);
    QString typed() const { return m_typed; }
    void setKeys(const QList<PaletteEntry> &keys); ///< that were found for what is typed; the next text drops them

    static QString kindText(PaletteEntry::Kind kind);
    bool headed(const PaletteEntry &entry) const; ///< the heading above it says what it is
    static std::span<const ColumnSpec> columns();
    /// TitleRole and DetailRole are safe to show, SpansRole has the characters that fit (QList<int>). HeadingRole is
    /// the group's name at the first entry of each, while nothing is typed; else it is invalid.
    QVariant itemData(const PaletteEntry &entry, int column, int role) const;

private:
    void rank();
    QVariant headingOf(const PaletteEntry &entry) const;

    QList<PaletteEntry> m_entries;
    QList<PaletteEntry> m_keys;
    QString m_typed;
};

} // namespace idemdesk::models
