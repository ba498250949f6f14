// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/compare_run.h"
#include "app/ctl/group_option.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/opened_target.h"
#include "models/format/quantities.h"
#include "models/regions/compensation.h"
#include "models/regions/region_export.h"
#include "models/regions/region_words.h"
#include "sql/types/tr.h"

#include <QDateTime>
#include <QFileInfo>
#include <QJsonArray>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostListed = 20'000;

using Labels = std::array<QString, 2>;

QStringList kindNames()
{
    QStringList names;
    for (const models::DifferenceKind kind : sql::kAllOf<models::DifferenceKind>) {
        names += models::differenceName(kind);
    }
    return names;
}

QJsonObject linkJson(const models::CompareLink &link, const Labels &labels)
{
    return { { u"from"_s, labels.at(link.from) }, { u"to"_s, labels.at(link.to) },
        { u"subscription"_s, link.subscription.name }, { u"enabled"_s, link.subscription.enabled },
        { u"running"_s, link.subscription.running }, { u"copying"_s, link.subscription.copying },
        { u"apply_errors"_s,
            link.subscription.applyErrors ? QJsonValue(*link.subscription.applyErrors) : QJsonValue() },
        { u"slot"_s, textOrNull(link.subscription.slot) },
        { u"slot_active"_s, link.slot ? QJsonValue(link.slot->active) : QJsonValue() },
        { u"lag_bytes"_s, link.slot ? QJsonValue(link.slot->lagBytes) : QJsonValue() }, { u"passed"_s, link.passed } };
}

/// Whether all was looked at, and nothing may only be late.
bool isKnown(const models::CompareOutcome &outcome)
{
    return outcome.all && outcome.notes.isEmpty()
        && std::none_of(outcome.differences.cbegin(), outcome.differences.cend(),
            [](const models::RegionDifference &found) { return found.onItsWay; });
}

/// Those of the kind that was asked for.
QList<models::RegionDifference> wanted(const Context &context, const models::CompareOutcome &outcome)
{
    const auto kind = models::differenceFromName(context.value(u"kind"_s));
    QList<models::RegionDifference> differences = outcome.differences;
    differences.removeIf(
        [kind](const models::RegionDifference &difference) { return kind && difference.kind != *kind; });
    return differences; // the gravest first
}

void printOutcomeJson(const Context &context, const models::CompareOutcome &outcome, const Labels &labels)
{
    QJsonArray items;
    const QList<models::RegionDifference> all = wanted(context, outcome);
    const QList<models::RegionDifference> differences = all.mid(0, context.number(u"limit"_s));
    for (const models::RegionDifference &difference : differences) {
        items.append(models::differenceJson(difference, outcome.targets, labels));
    }
    QJsonArray sides;
    for (std::size_t side = 0; side < labels.size(); ++side) {
        sides.append(QJsonObject { { u"label"_s, labels.at(side) }, { u"rows"_s, outcome.rows.at(side) } });
    }
    QJsonArray links;
    for (const models::CompareLink &link : outcome.links) {
        links.append(linkJson(link, labels));
    }
    printJson({ { u"target"_s, outcome.targets[0].profile.name }, { u"sides"_s, sides }, { u"items"_s, items },
        { u"next"_s, QJsonValue() }, { u"differences"_s, outcome.estimated },
        { u"all"_s, outcome.all && differences.size() == all.size() }, { u"settled"_s, outcome.settled },
        { u"replication"_s, links },
        { u"advice"_s, QJsonArray::fromStringList(models::compareAdvice(outcome, labels)) },
        { u"notes"_s, QJsonArray::fromStringList(outcome.notes) }, { u"complete"_s, isKnown(outcome) } });
}

QString sideCell(const QList<sql::SideRow> &rows)
{
    QStringList states;
    for (const sql::SideRow &row : rows) {
        states += sql::stateName(row.record.state);
    }
    return states.isEmpty() ? u"–"_s : states.join(u", "_s);
}

QStringList titlesOf(const models::CompareOutcome &outcome, const Labels &labels)
{
    QStringList titles;
    for (const sql::LabelledExpression &part : outcome.targets[0].profile.scope) {
        titles += part.label.toUpper();
    }
    return titles << Tr::tr("KEY") << Tr::tr("DIFFERENCE") << labels[0].toUpper() << labels[1].toUpper()
                  << Tr::tr("PROPOSAL");
}

void printOutcome(const Context &context, const models::CompareOutcome &outcome, const Labels &labels)
{
    print(wrapped(models::compareSummary(outcome, labels), lineWidth()) + u'\n');
    const QList<models::RegionDifference> all = wanted(context, outcome);
    const QList<models::RegionDifference> differences = all.mid(0, context.number(u"limit"_s));
    if (!differences.isEmpty()) {
        QList<QStringList> rows;
        for (const models::RegionDifference &difference : differences) {
            QStringList cells;
            for (const sql::Cell &part : difference.record().scope) {
                cells += part.null ? u"–"_s : part.text;
            }
            cells += { difference.record().key.text, models::differenceText(difference.kind),
                sideCell(difference.rows[0]), sideCell(difference.rows[1]),
                difference.onItsWay ? Tr::tr("Still on its way, or being worked on: look again.")
                                    : models::ruleText(difference, labels) };
            rows += cells;
        }
        print(u'\n' + table(titlesOf(outcome, labels), rows, true));
    }
    if (differences.size() < all.size()) {
        note(Tr::tr("%1 of %2 are listed; --limit lists more.")
                 .arg(models::countText(differences.size()), models::countText(all.size())));
    }
    const QStringList advice = models::compareAdvice(outcome, labels);
    if (!advice.isEmpty()) {
        print(u"\n"_s);
        for (const QString &line : advice) {
            print(wrapped(line, lineWidth()) + u'\n');
        }
    }
}

/// Why the file of --output cannot be written, if so.
std::optional<sql::Error> misnamed(const QString &path)
{
    if (!path.isEmpty() && !models::isCompensationName(path)) {
        return usageError(Tr::tr("The compensation list is HTML, PDF, JSON or CSV."), {},
            Tr::tr("Name a file that ends so with -o."));
    }
    if (QFileInfo::exists(path)) {
        return usageError(Tr::tr("The file %1 is there already.").arg(path), {},
            Tr::tr("Choose another name; nothing is overwritten."));
    }
    return {};
}

Exit runCompare(const Context &context)
{
    const QString path = context.value(u"output"_s);
    if (const auto error = misnamed(path)) {
        return fail(*error);
    }
    TRY_OR(fail, const auto group, groupOf(context));
    TRY_OR(fail, const auto members, sidesOf(context, group));
    if (context.target().isEmpty()) {
        return fail(context.profile().error());
    }
    (void)context.profile().ok(); // asks here what a person must confirm, before both sides want it at once
    const auto outcome = compared(context, members, nullptr);
    if (!outcome) {
        return failFilter(context, outcome.error());
    }
    for (const sql::Target &target : outcome->targets) {
        warnOfProblems(target.findings);
    }
    for (const QString &text : outcome->notes) {
        note(text);
    }
    const Labels labels { members[0].label, members[1].label };
    if (const auto error = unknownColumn(titlesOf(*outcome, labels)); error && !context.json()) {
        return fail(*error);
    }
    if (context.json()) {
        printOutcomeJson(context, *outcome, labels);
    } else {
        printOutcome(context, *outcome, labels);
    }
    if (!path.isEmpty()) {
        TRY_OR(fail,
            models::writeCompensation(models::compensationOf(*outcome, labels, QDateTime::currentDateTimeUtc()), path));
        note(Tr::tr("Written to %1.").arg(path));
    }
    return isKnown(*outcome) ? Exit::Done : Exit::Unknown;
}

} // namespace

Command compareCommand()
{
    return { .name = u"compare"_s,
        .synopsis = {},
        .summary = Tr::tr("compare one table in two databases, key by key"),
        .about
        = Tr::tr("Finds the keys that are not the same in two databases of a group: missing on one side, in another "
                 "state, asked for something else, or done twice with different results. Each server sums up its own "
                 "keys; only those that differ are sent.\n\n"
                 "Where logical replication runs between the two, it waits once until that has brought what was on its "
                 "way. What still changes is marked, and is no difference yet.\n\n"
                 "A proposal follows the usual rules: success stands, then the later writer, then the first label. "
                 "Nothing is changed. Keys that succeeded twice are never proposed for overwriting: list them with "
                 "--kind results. With -o they are written as a case file, for the people who must reverse one of the "
                 "two effects."),
        .options = compareOptions()
            + QList { Option::word(u"kind"_s, kindNames(), Tr::tr("List only differences of this kind.")),
                Option::number(u"limit"_s, 1, kMostListed, Tr::tr("List so many keys at most."), u"1000"_s),
                outputOption(Tr::tr("Write what succeeded twice to this new file, which ends in .html, .pdf, .json or "
                                    ".csv.")) },
        .examples = { { Tr::tr("What differs between two regions:"),
                          u"compare --group payments.json --target app.idempotency_request"_s },
            { Tr::tr("What was done twice, for the people who must reverse one of the effects:"),
                u"compare --group payments.json --target app.idempotency_request --kind results -o twice.pdf"_s } },
        .run = runCompare };
}

} // namespace idemdesk::app
