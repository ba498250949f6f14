// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/diff/json_diff_pairs.h"

#include "models/diff/sequence_align.h"

#include <QHash>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Type = JsonDocument::Type;

bool sameNamesInOrder(const JsonSource &a, int nodeA, const JsonSource &b, int nodeB, int count)
{
    const JsonDocument &left = a.document();
    const JsonDocument &right = b.document();
    for (int row = 0; row < count; ++row) {
        if (a.rawName(left.child(nodeA, row)) != b.rawName(right.child(nodeB, row))) {
            return false;
        }
    }
    return true;
}

QByteArray composed(const QByteArray &utf8)
{
    return QString::fromUtf8(utf8).normalized(QString::NormalizationForm_C).toUtf8();
}

/// Pairs what has no partner yet, the last of a name with the last. `composing`: the same letters will do.
void pairByName(const JsonSource &a, int nodeA, const JsonSource &b, int nodeB, bool composing, ChildPairs &pairs,
    std::vector<bool> &takenB)
{
    QHash<QByteArray, QList<int>> rows;
    const auto nameOf = [composing](const JsonSource &source, int node) {
        const QByteArray name = source.decodedName(node);
        return composing ? composed(name) : name;
    };
    for (int row = 0; row < int(takenB.size()); ++row) {
        if (!takenB[std::size_t(row)]) {
            rows[nameOf(b, b.document().child(nodeB, row))].append(row);
        }
    }
    if (rows.isEmpty()) {
        return;
    }
    for (int row = int(pairs.partner.size()) - 1; row >= 0; --row) {
        if (pairs.partner[std::size_t(row)] >= 0) {
            continue;
        }
        const auto found = rows.find(nameOf(a, a.document().child(nodeA, row)));
        if (found != rows.end() && !found->isEmpty()) {
            const int other = found->takeLast();
            pairs.partner[std::size_t(row)] = other;
            takenB[std::size_t(other)] = true;
        }
    }
}

/// The hash of each element's member `name`; empty unless every element has exactly one such scalar and no two the
/// same.
std::vector<quint64> identities(const JsonSource &source, int array, const QByteArray &name)
{
    const JsonDocument &document = source.document();
    const QByteArray quoted = '"' + name + '"';
    std::vector<quint64> hashes;
    QSet<quint64> seen;
    for (int row = 0; row < document.childCount(array); ++row) {
        const int element = document.child(array, row);
        if (document.type(element) != Type::Object) {
            return {};
        }
        int found = -1;
        for (int i = 0; i < document.childCount(element); ++i) {
            const int member = document.child(element, i);
            if (source.rawName(member) == quoted) {
                found = member;
                break;
            }
        }
        if (found < 0 || (document.type(found) != Type::String && document.type(found) != Type::Number)
            || document.duplicateName(found) || seen.contains(source.hash(found))) {
            return {};
        }
        seen.insert(source.hash(found));
        hashes.push_back(source.hash(found));
    }
    return hashes;
}

struct Labels {
    std::vector<quint64> a;
    std::vector<quint64> b;
    bool identity = false;
};

Labels labelsOf(const JsonSource &a, int nodeA, const JsonSource &b, int nodeB)
{
    static const QByteArrayList candidates { "id", "_id", "uuid", "key", "sku", "code", "item_id", "itemId", "line_id",
        "lineId", "product_id", "productId", "reference", "ref", "number", "name" };
    Labels labels;
    for (const QByteArray &name : candidates) {
        labels.a = identities(a, nodeA, name);
        labels.b = labels.a.empty() ? std::vector<quint64>() : identities(b, nodeB, name);
        const QSet<quint64> known(labels.a.begin(), labels.a.end());
        const bool shared
            = std::any_of(labels.b.begin(), labels.b.end(), [&known](quint64 hash) { return known.contains(hash); });
        if (shared) {
            labels.identity = true;
            return labels;
        }
    }
    labels.a.clear();
    labels.b.clear();
    for (int row = 0; row < a.document().childCount(nodeA); ++row) {
        labels.a.push_back(a.hash(a.document().child(nodeA, row)));
    }
    for (int row = 0; row < b.document().childCount(nodeB); ++row) {
        labels.b.push_back(b.hash(b.document().child(nodeB, row)));
    }
    return labels;
}

/// Between two anchors, elements of one type meet by place.
void pairByPlace(
    const JsonSource &a, int nodeA, const JsonSource &b, int nodeB, ChildPairs &pairs, std::vector<bool> &takenB)
{
    std::vector<bool> anchor(takenB.size(), false);
    for (std::size_t row = 0; row < pairs.partner.size(); ++row) {
        if (pairs.partner[row] >= 0 && !pairs.moved[row]) {
            anchor[std::size_t(pairs.partner[row])] = true;
        }
    }
    int next = 0;
    for (std::size_t row = 0; row < pairs.partner.size(); ++row) {
        if (pairs.partner[row] >= 0) {
            next = pairs.moved[row] ? next : pairs.partner[row] + 1;
            continue;
        }
        // A later element's anchor ends the gap; the place of an element that moved here is stepped over.
        while (next < int(takenB.size()) && takenB[std::size_t(next)] && !anchor[std::size_t(next)]) {
            ++next;
        }
        if (next >= int(takenB.size()) || takenB[std::size_t(next)]) {
            continue;
        }
        const Type left = a.type(a.document().child(nodeA, int(row)));
        const Type right = b.type(b.document().child(nodeB, next));
        if (left == right || (left < Type::Array && right < Type::Array)) {
            pairs.partner[row] = next;
            takenB[std::size_t(next)] = true;
            ++next;
        }
    }
}

} // namespace

ChildPairs pairMembers(const JsonSource &a, int nodeA, const JsonSource &b, int nodeB)
{
    const int countA = a.document().childCount(nodeA);
    const int countB = b.document().childCount(nodeB);
    ChildPairs pairs;
    pairs.partner.resize(std::size_t(countA), -1);
    pairs.moved.resize(std::size_t(countA), false);
    if (countA == countB && sameNamesInOrder(a, nodeA, b, nodeB, countA)) {
        for (int row = 0; row < countA; ++row) {
            pairs.partner[std::size_t(row)] = row;
        }
        return pairs;
    }
    std::vector<bool> takenB(std::size_t(countB), false);
    pairByName(a, nodeA, b, nodeB, false, pairs, takenB);
    pairByName(a, nodeA, b, nodeB, true, pairs, takenB);
    int last = -1;
    for (const int row : pairs.partner) {
        if (row >= 0) {
            pairs.reordered = pairs.reordered || row < last;
            last = row;
        }
    }
    return pairs;
}

ChildPairs pairElements(const JsonSource &a, int nodeA, const JsonSource &b, int nodeB)
{
    const Labels labels = labelsOf(a, nodeA, b, nodeB);
    ChildPairs pairs;
    pairs.partner = alignInOrder(labels.a, labels.b);
    const std::vector<int> moved = pairMoved(labels.a, labels.b, pairs.partner);
    pairs.moved.resize(labels.a.size(), false);
    std::vector<bool> takenB(labels.b.size(), false);
    for (std::size_t row = 0; row < labels.a.size(); ++row) {
        if (moved[row] >= 0) {
            pairs.partner[row] = moved[row];
            pairs.moved[row] = true;
        }
        if (pairs.partner[row] >= 0) {
            takenB[std::size_t(pairs.partner[row])] = true;
        }
    }
    if (!labels.identity) {
        pairByPlace(a, nodeA, b, nodeB, pairs, takenB);
    }
    return pairs;
}

} // namespace idemdesk::models
