// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/enum_table.h"
#include "sql/types/key_record.h"

#include <QString>
#include <optional>

namespace idemdesk::sql {

/// What a row tells of its effect at a provider.
struct ProviderRow {
    KeyRecord record;
    Cell reference; ///< NULL: not known yet
    Cell amount; ///< a decimal text; NULL also where the profile names none
    Cell currency;
    Cell status; ///< raw
    ProviderState state = ProviderState::Unknown;
    std::optional<Timestamp> at; ///< when the provider was asked
};

/// What a statement says of one request.
enum class ProviderWord {
    Happened,
    DidNotHappen,
    Twice, ///< more than one line says that it happened
    AmountDiffers,
    CurrencyDiffers,
    OnlyProvider, ///< no row here has the reference
    NotInStatement, ///< the statement covers its time and does not name it
    Contradictory ///< its lines say different things: it happened and was taken back, it failed and goes on
};
QString providerWordName(ProviderWord word); ///< as the database and --json write it
std::optional<ProviderWord> providerWordFromName(const QString &name);

/// What one person recorded of one request: that person's word, whatever the line says.
struct ProviderEvidence {
    Cells identity; ///< of the row here; empty: there is none
    QString key;
    QString reference;
    ProviderWord says = ProviderWord::Happened;
    qint64 line = 0; ///< from 1; 0: none
    QString text; ///< the line, hostile
    QString detail; ///< a sentence
    std::optional<Timestamp> from; ///< of NotInStatement: what the statement covers
    std::optional<Timestamp> to;
    std::optional<Timestamp> lineAt; ///< the latest moment that the line may mean; of DidNotHappen the first
    QString amount; ///< of the row here when it was compared, as the server printed it; empty: NULL
    QString currency; ///< the same, in capitals

    QString provider;
    QString file;
    QString fileSha; ///< hex
    QString reason;
    QString who; ///< the login
    Timestamp at; ///< by the server's clock; of what was recorded again, the first time
    Timestamp knownSince; ///< when this file was first recorded of the table: it says nothing of what came later
};

/// What was recorded of one row.
struct ProviderWords {
    QList<ProviderEvidence> words; ///< the newest first, each once
    bool more = false; ///< there are others, which were not read
};

/// The longest texts that the database takes.
inline constexpr qsizetype kMostProviderText = 4'000;
inline constexpr qsizetype kMostProviderReference = 1'000;
inline constexpr qsizetype kMostProviderWords = 1'000; ///< of one call

} // namespace idemdesk::sql
