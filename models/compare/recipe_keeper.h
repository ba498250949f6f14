// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "models/fingerprint/recipe.h"
#include "models/request/request.h"

#include <QObject>

namespace idemdesk::models {

/// "method=POST path=/v1/charges", blanks between the parts, a value with blanks in double quotes. Error: Usage.
sql::Result<RequestParts> requestParts(const QString &text);
/// The text for these parts; a part that it cannot hold, such as one with a blank and a quotation mark, is left out.
QString partsText(const RequestParts &parts);

/// Tries a recipe that was found on the stored rows of a table, and keeps it in the table's profile. Lives on the GUI
/// thread.
class RecipeKeeper final : public QObject
{
    Q_OBJECT

public:
    explicit RecipeKeeper(QObject *parent = nullptr);

    void setDatabase(sql::Database *database);
    /// Makes the fingerprints of up to a thousand rows again; changed() follows. Parts of the request are taken from
    /// each row where the profile knows them (the key), else they are the same for all.
    void check(const TargetEntry &entry, const Recipe &recipe, const RequestParts &parts);
    void clear();
    bool busy() const { return m_checking.busy(); }
    const QStringList &words() const { return m_words; } ///< what came of it, whole sentences
    const std::optional<sql::Error> &error() const { return m_checking.error(); }

    bool canSave() const
    {
        return m_profile.has_value() && m_matching > 0;
    } ///< at least one row has the fingerprint that the recipe makes
    QString file() const { return m_file; } ///< the profile's own; empty where it has none
    QString profileName() const { return m_profile ? m_profile->name : QString(); }
    /// Writes the profile with the recipe in it; the file appears only when it is whole. Says where to.
    sql::Result<sql::Profile> save(const QString &path);

signals:
    void changed();

private:
    Request m_checking { QStringLiteral("recipe") };
    std::optional<sql::Profile> m_profile; ///< with the recipe
    QString m_file;
    QStringList m_words;
    qint64 m_matching = 0;
};

} // namespace idemdesk::models
