// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/recipe_search.h"

#include "models/fingerprint/fingerprint_text.h"
#include "models/fingerprint/recipe_orders.h"
#include "sql/types/tr.h"

#include <QElapsedTimer>
#include <QHash>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct Body {
    QString form;
    QByteArray bytes;
};

class Search
{
public:
    Search(const RecipeQuestion &question, FingerprintReading reading, const JsonSource *json)
        : m_question(question)
        , m_reading(std::move(reading))
        , m_json(json)
    {
        m_timer.start();
    }

    RecipeAnswer run()
    {
        gatherBodies();
        QStringList given;
        for (const QString &name : RequestParts::names()) {
            if (m_question.parts.values.contains(name)) {
                given += name;
            }
        }
        const QList<PartOrder> orders = partOrders(given);
        const QList<Digest> whole = algorithmsFor(m_reading, false);
        const QList<Digest> cut = algorithmsFor(m_reading, true);
        const QList<Recipe> shapes = shapedRecipes(given);
        m_answer.planned = qint64(orders.size() + shapes.size()) * m_bodies.size() * whole.size()
            + 2 * m_bodies.size() * (whole.size() + cut.size());
        // What is in use first, with every form; then hashes cut short; then few parts in every shape and order, more
        // of them only then. The likely forms first.
        const bool found = inUse(orders, whole) || alone(cut) || everyShape(shapes, whole, 1)
            || everyOrder(orders, whole, true) || everyShape(shapes, whole, 0) || everyOrder(orders, whole, false);
        m_answer.complete = found || !m_stopped;
        return m_answer;
    }

private:
    void gatherBodies()
    {
        QHash<QByteArray, int> seen;
        for (const CanonicalForm &form : canonicalForms()) {
            if ((form.needsJson() && m_json == nullptr) || stop()) {
                continue;
            }
            const QByteArray bytes = canonicalBytes(form, m_question.payload, m_json);
            if (!seen.contains(bytes)) {
                seen.insert(bytes, 0);
                m_bodies.append({ form.id, bytes });
            }
        }
    }

    bool stop()
    {
        m_stopped
            = m_stopped || m_timer.elapsed() > m_question.budgetMs || (m_question.cancelled && m_question.cancelled());
        return m_stopped;
    }

    bool attempt(const PartOrder &order, const Body &body, Digest algorithm, bool lineFeed)
    {
        if (stop()) {
            return false;
        }
        const Recipe recipe { order.parts, order.separator, lineFeed, body.form, algorithm };
        const bool alone = order.parts.size() == 1 && !lineFeed;
        return made(recipe, alone ? body.bytes : recipeBytes(recipe, body.bytes, m_question.parts));
    }

    bool made(const Recipe &recipe, const QByteArray &bytes)
    {
        ++m_answer.tried;
        if (!reproduces(m_reading, digestOf(bytes, recipe.algorithm))) {
            return false;
        }
        m_answer.recipe = recipe;
        return true;
    }

    /// Shapes of the body alone and with one part, or of more: in each the likely forms first.
    bool everyShape(const QList<Recipe> &shapes, const QList<Digest> &algorithms, int few)
    {
        constexpr qsizetype fewParts = 2;
        for (const auto &[first, end] : { std::pair(qsizetype(0), middle()), std::pair(middle(), m_bodies.size()) }) {
            for (const Recipe &shape : shapes) {
                for (qsizetype i = first; i < end && (shape.order.size() <= fewParts) == (few > 0); ++i) {
                    if (tryShape(shape, m_bodies[i], algorithms)) {
                        return true;
                    }
                }
                if (m_stopped) {
                    return false;
                }
            }
        }
        return false;
    }

    /// The same bytes serve every hash, unless what is within is hashed by it, too.
    bool tryShape(const Recipe &shape, const Body &body, const QList<Digest> &algorithms)
    {
        QByteArray bytes;
        for (const Digest algorithm : algorithms) {
            if (stop()) {
                return false;
            }
            Recipe recipe = shape;
            recipe.form = body.form;
            recipe.algorithm = algorithm;
            recipe.innerAlgorithm = shape.inner == Recipe::Inner::Nothing ? Digest::Sha256 : algorithm;
            if (bytes.isEmpty() || shape.inner != Recipe::Inner::Nothing) {
                bytes = recipeBytes(recipe, body.bytes, m_question.parts);
            }
            if (made(recipe, bytes)) {
                return true;
            }
            recipe.innerAlgorithm = algorithm == Digest::Sha256 ? Digest::Md5 : Digest::Sha256;
            if (shape.inner == Recipe::Inner::Body && made(recipe, recipeBytes(recipe, body.bytes, m_question.parts))) {
                return true;
            }
        }
        return false;
    }

    qsizetype middle() const
    {
        constexpr qsizetype likelyForms = 5;
        return std::min(likelyForms, m_bodies.size());
    }

    bool inUse(const QList<PartOrder> &orders, const QList<Digest> &algorithms)
    {
        for (const PartOrder &order : orders) {
            for (const Body &body : std::as_const(m_bodies)) {
                for (const Digest algorithm : algorithms) {
                    if (order.known
                        && (attempt(order, body, algorithm, false)
                            || (order.parts.size() == 1 && attempt(order, body, algorithm, true)))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    bool alone(const QList<Digest> &algorithms)
    {
        const PartOrder order { { QString::fromLatin1(kBodyPart) }, {}, true };
        for (const Body &body : std::as_const(m_bodies)) {
            for (const Digest algorithm : algorithms) {
                if (attempt(order, body, algorithm, false)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// With the likely forms, or with the others.
    bool everyOrder(const QList<PartOrder> &orders, const QList<Digest> &algorithms, bool likely)
    {
        const qsizetype first = likely ? 0 : middle();
        const qsizetype end = likely ? middle() : m_bodies.size();
        for (const Digest algorithm : algorithms) {
            for (const PartOrder &order : orders) {
                for (qsizetype i = first; i < end && !order.known; ++i) {
                    if (attempt(order, m_bodies[i], algorithm, false)) {
                        return true;
                    }
                }
                if (m_stopped) {
                    return false;
                }
            }
        }
        return false;
    }

    const RecipeQuestion &m_question;
    FingerprintReading m_reading;
    const JsonSource *m_json = nullptr;
    QList<Body> m_bodies;
    RecipeAnswer m_answer;
    QElapsedTimer m_timer;
    bool m_stopped = false;
};

QStringList reasonsFor(const RecipeQuestion &question, const JsonSource *json, const RecipeAnswer &answer)
{
    QStringList reasons;
    const bool jsonb = question.origin == PayloadOrigin::Jsonb
        || (question.origin == PayloadOrigin::Unknown && json != nullptr && looksLikeJsonb(question.payload, *json));
    if (jsonb) {
        reasons += question.origin == PayloadOrigin::Jsonb
            ? Tr::tr("The payload was stored as jsonb, which reorders keys, drops repeated ones and writes 1e2 as 100. "
                     "A hash of the bytes as sent cannot be reproduced from it.")
            : Tr::tr("The payload looks like the text of a jsonb value. If it was stored as jsonb, the hash of the "
                     "bytes as sent cannot be reproduced.");
    } else if (json == nullptr) {
        reasons += Tr::tr("The payload is not readable JSON, so only its bytes as they are were tried.");
    }
    QStringList missing;
    for (const QString &name : RequestParts::names()) {
        if (!question.parts.values.contains(name)) {
            missing += name;
        }
    }
    if (!missing.isEmpty()) {
        reasons += Tr::tr("A hash that covers something not given cannot be found; not given are: %1.")
                       .arg(missing.join(u", "_s));
    }
    if (!answer.complete) {
        reasons += Tr::tr("The search stopped at its limit of time: %1 of about %2 combinations were tried.")
                       .arg(QString::number(answer.tried), QString::number(answer.planned));
    }
    reasons += Tr::tr(
        "A hash with a secret (HMAC), of chosen fields, or of a payload changed since cannot be found this way.");
    return reasons;
}

} // namespace

bool looksLikeJsonb(const QByteArray &payload, const JsonSource &json)
{
    const CanonicalForm *form = canonicalForm(u"jsonb"_s);
    return form != nullptr && json.type(0) == JsonDocument::Type::Object && json.document().childCount(0) > 1
        && canonicalBytes(*form, payload, &json) == payload;
}

sql::Result<RecipeAnswer> findRecipe(const RecipeQuestion &question)
{
    const auto reading = readFingerprint(question.fingerprint);
    if (!reading) {
        return sql::makeError(sql::ErrorKind::Usage, Tr::tr("This fingerprint is not a hash that can be looked for."),
            Tr::tr("It is %1.").arg(describeFingerprint(question.fingerprint)),
            Tr::tr("Give it in hex, base64, as a bytea or a uuid."));
    }
    const auto json = JsonSource::read(question.payload);
    const JsonSource *source = json ? &*json : nullptr;
    RecipeAnswer answer = Search(question, *reading, source).run();
    if (!answer.recipe) {
        answer.reasons = reasonsFor(question, source, answer);
    }
    return answer;
}

} // namespace idemdesk::models
