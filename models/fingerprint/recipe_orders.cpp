// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/recipe_orders.h"

#include <algorithm>

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

} // namespace idemdesk::models
