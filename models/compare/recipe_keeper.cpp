// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/recipe_keeper.h"

#include "models/fingerprint/recipe_check.h"
#include "models/keys/private_file.h"
#include "sql/lanes/database.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kRecipeKeepDeadlineMs = 60'000;
constexpr int kRows = 1'000;

} // namespace

sql::Result<RequestParts> requestParts(const QString &text)
{
    static const QRegularExpression form(u"\\G\\s*(\\w+)=(?:\"([^\"]*)\"|(\\S*))(?=\\s|$)"_s);
    RequestParts parts;
    qsizetype at = 0;
    while (!QStringView(text).sliced(at).trimmed().isEmpty()) {
        const auto match = form.match(text, at);
        if (!match.hasMatch() || !RequestParts::names().contains(match.captured(1))) {
            return sql::makeError(sql::ErrorKind::Usage,
                Tr::tr("“%1” is not part of a request.").arg(text.sliced(at).trimmed().left(60)), {},
                Tr::tr("Write NAME=VALUE with blanks between, such as method=POST path=/v1/charges. Names are: %1.")
                    .arg(RequestParts::names().join(u", "_s)));
        }
        parts.values.insert(match.captured(1),
            (match.captured(2).isNull() || match.captured(2).isEmpty() ? match.captured(3) : match.captured(2))
                .toUtf8());
        at = match.capturedEnd();
    }
    return parts;
}

QString partsText(const RequestParts &parts)
{
    static const QRegularExpression blank(u"\\s"_s);
    QStringList texts;
    for (const QString &name : RequestParts::names()) {
        if (!parts.values.contains(name)) {
            continue;
        }
        const QString value = QString::fromUtf8(parts.values.value(name));
        const bool plain = !value.contains(blank) && !value.startsWith(u'"');
        if (plain || !value.contains(u'"')) {
            texts += name + (plain ? u"="_s + value : u"=\""_s + value + u'"');
        }
    }
    return texts.join(u' ');
}

RecipeKeeper::RecipeKeeper(QObject *parent)
    : QObject(parent)
{
    connect(&m_checking, &Request::changed, this, &RecipeKeeper::changed);
}

void RecipeKeeper::setDatabase(sql::Database *database)
{
    if (m_checking.setDatabase(database)) {
        clear();
    }
}

void RecipeKeeper::clear()
{
    m_checking.drop();
    m_checking.clearError();
    m_profile.reset();
    m_words.clear();
    m_matching = 0;
    emit changed();
}

void RecipeKeeper::check(const TargetEntry &entry, const Recipe &recipe, const RequestParts &parts)
{
    clear();
    if (m_checking.database() == nullptr) {
        return;
    }
    QMap<QString, sql::RecipePart> sources;
    for (const QString &part : recipe.order) {
        if (part == QLatin1String(kBodyPart)) {
            continue;
        }
        const bool ofRow = part == u"key" && !entry.target.profile.key.sql.isEmpty();
        sources.insert(
            part, { ofRow, ofRow ? entry.target.profile.key.sql : QString::fromUtf8(parts.values.value(part)) });
    }
    const auto profile = profileWithRecipe(entry.target.profile, recipe, sources);
    if (!profile) {
        m_checking.fail(profile.error());
        return;
    }
    m_file = entry.file;
    m_checking.ask(
        { sql::LaneKind::Background, kRecipeKeepDeadlineMs },
        [profile = *profile](sql::Session &session) -> sql::Result<RecipeCheck> {
            TRY(const auto target, sql::bindTarget(session, profile));
            return checkStoredRecipe(session, target, kRows);
        },
        [this, profile = *profile](const sql::Result<RecipeCheck> &check) {
            if (check) {
                m_profile = profile;
                m_matching = check->matching;
                m_words = recipeCheckInWords(*check);
            }
        });
}

sql::Result<sql::Profile> RecipeKeeper::save(const QString &path)
{
    sql::Error error = sql::makeError(sql::ErrorKind::File, tr("The recipe was not saved."));
    if (!m_profile) {
        error.why = tr("It was not checked yet.");
        return error;
    }
    if (const auto written = writePrivateFile(path, sql::profileToJson(*m_profile)); !written) {
        error.why = written.error().why;
        error.todo = tr("Choose another folder, or free space there.");
        return error;
    }
    return *m_profile;
}

} // namespace idemdesk::models

#include "moc_recipe_keeper.cpp"
