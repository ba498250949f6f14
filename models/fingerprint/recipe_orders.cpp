// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/recipe_orders.h"

#include <algorithm>
#include <numeric>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

const QString &body()
{
    static const QString name = QString::fromLatin1(kBodyPart);
    return name;
}

void addInUse(QList<PartOrder> &orders, const QStringList &given)
{
    const QList<PartOrder> inUse {
        { { body() }, {}, true },
        { { u"method"_s, u"path"_s, body() }, ":", true },
        { { u"key"_s, u"path"_s, u"method"_s, body(), u"authorization"_s }, {}, true },
        { { u"key"_s, u"path"_s, u"method"_s, body() }, {}, true },
        { { u"client"_s, body() }, {}, true },
        { { body(), u"operation"_s, u"version"_s }, {}, true },
        { { u"method"_s, u"url"_s, body() }, ":", true },
        { { u"method"_s, u"path"_s, u"query"_s, body() }, "\n", true },
        { { u"method"_s, u"path"_s, body() }, "\n", true },
        { { u"method"_s, u"path"_s, body() }, "|", true },
    };
    for (const PartOrder &order : inUse) {
        const bool all = std::all_of(order.parts.begin(), order.parts.end(),
            [&given](const QString &part) { return part == body() || given.contains(part); });
        if (all) {
            orders.append(order);
        }
    }
}

void addAround(QList<PartOrder> &orders, const QStringList &parts, bool everywhere)
{
    static const QByteArrayList separators { "", ":", "|", "\n" };
    for (qsizetype place = 0; place <= parts.size(); ++place) {
        if (!everywhere && place > 0 && place < parts.size()) {
            continue;
        }
        QStringList all = parts;
        all.insert(place, body());
        for (const QByteArray &separator : separators) {
            orders.append({ all, separator, false });
        }
    }
}

} // namespace

QList<PartOrder> partOrders(const QStringList &given)
{
    QList<PartOrder> orders;
    addInUse(orders, given);
    const qsizetype inUse = orders.size();
    QList<PartOrder> rest;
    QList<int> masks;
    for (int mask = 1; mask < (1 << given.size()); ++mask) {
        masks.append(mask);
    }
    std::stable_sort(masks.begin(), masks.end(),
        [](int a, int b) { return qPopulationCount(quint32(a)) < qPopulationCount(quint32(b)); });
    for (const int mask : masks) {
        QStringList chosen;
        for (qsizetype i = 0; i < given.size(); ++i) {
            if ((mask & (1 << i)) != 0) {
                chosen += given[i];
            }
        }
        if (chosen.size() > 3) {
            addAround(rest, chosen, false);
            continue;
        }
        QList<qsizetype> places(chosen.size());
        std::iota(places.begin(), places.end(), 0);
        do {
            QStringList permuted;
            for (const qsizetype place : places) {
                permuted += chosen[place];
            }
            addAround(rest, permuted, true);
        } while (std::next_permutation(places.begin(), places.end()));
    }
    for (const PartOrder &order : rest) {
        if (!orders.first(inUse).contains(order)) {
            orders.append(order);
        }
    }
    return orders;
}

namespace {

/// The parts to stand around the body: none, one, two or three of them, and all.
QList<QStringList> selectionsOf(const QStringList &given)
{
    constexpr int most = 3;
    QList<QStringList> selections;
    for (int size = 0; size <= most; ++size) {
        for (int mask = 0; mask < (1 << given.size()); ++mask) {
            if (qPopulationCount(quint32(mask)) != uint(size)) {
                continue;
            }
            QStringList chosen;
            for (qsizetype i = 0; i < given.size(); ++i) {
                chosen += (mask & (1 << i)) != 0 ? QStringList { given[i] } : QStringList();
            }
            selections.append(chosen);
        }
    }
    if (given.size() > most) {
        selections.append(given);
    }
    return selections;
}

void addInner(QList<Recipe> &recipes, const Recipe &plain)
{
    using Written = Recipe::InnerForm;
    const bool alone = plain.order.size() == 1;
    for (const QByteArray &separator : alone ? QByteArrayList { "" } : QByteArrayList { "", ":", "\n", "|" }) {
        for (const Written form : alone ? QList<Written> { Written::Hex, Written::Bytes, Written::Base64 }
                                        : QList<Written> { Written::Hex }) {
            Recipe recipe = plain;
            recipe.separator = separator;
            recipe.inner = Recipe::Inner::Body;
            recipe.innerForm = form;
            recipes.append(recipe);
            recipe.inner = Recipe::Inner::EveryPart;
            if (!alone) {
                recipes.append(recipe);
            }
        }
    }
}

void addNamedShape(QList<Recipe> &recipes, const Recipe &plain, const QString &bodyName)
{
    Recipe recipe = plain;
    recipe.labels = plain.order;
    recipe.labels.replace(recipe.labels.indexOf(body()), bodyName);
    recipe.shape = Recipe::Shape::Object;
    recipes.append(recipe);
    recipe.shape = Recipe::Shape::Named;
    const bool alone = plain.order.size() == 1;
    for (const QByteArray &separator : alone ? QByteArrayList { "" } : QByteArrayList { "&", "\n", ";", "|" }) {
        recipe.separator = separator;
        recipes.append(recipe);
    }
}

} // namespace

QList<Recipe> shapedRecipes(const QStringList &given)
{
    QList<Recipe> recipes;
    for (const QStringList &chosen : selectionsOf(given)) {
        QList<QStringList> orders { chosen + QStringList { body() } };
        if (!chosen.isEmpty()) {
            orders.append(QStringList { body() } + chosen);
        }
        QStringList byName = orders.first();
        byName.sort();
        if (!orders.contains(byName)) {
            orders.append(byName);
        }
        for (const QStringList &order : std::as_const(orders)) {
            Recipe recipe;
            recipe.order = order;
            addInner(recipes, recipe);
            recipe.shape = Recipe::Shape::List;
            recipes.append(recipe);
            recipe.shape = Recipe::Shape::Joined;
            for (const QString &name : { body(), u"payload"_s, u"data"_s }) {
                addNamedShape(recipes, recipe, name);
            }
        }
    }
    return recipes;
}

} // namespace idemdesk::models
