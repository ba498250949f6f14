// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/group_option.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/opened_target.h"
#include "app/ctl/out/terminal.h"
#include "models/format/quantities.h"
#include "models/regions/region_compare.h"
#include "models/regions/region_export.h"
#include "models/regions/region_words.h"
#include "sql/lanes/database.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostListed = 20'000;
constexpr int kMostSettleSeconds = 3'600;

using Labels = std::array<QString, 2>;

QStringList kindNames()
{
    QStringList names;
    for (const models::DifferenceKind kind : sql::kAllOf<models::DifferenceKind>) {
        names += models::differenceName(kind);
    }
    return names;
}

/// The two members that --between names, or all there are.
sql::Result<std::array<sql::GroupMember, 2>> sidesOf(const Context &context, const sql::ConnectionGroup &group)
{
    if (group.kind == sql::GroupKind::Shards) {
        return usageError(Tr::tr("Shards are not compared: each holds keys of its own."));
    }
    QStringList labels = context.value(u"between"_s).split(u',', Qt::SkipEmptyParts);
    if (labels.isEmpty() && group.members.size() == 2) {
        labels = { group.members.at(0).label, group.members.at(1).label };
    }
    QStringList known;
    for (const sql::GroupMember &member : group.members) {
        known += member.label;
    }
    if (labels.size() != 2 || labels.at(0) == labels.at(1) || group.member(labels.at(0)) == nullptr
        || group.member(labels.at(1)) == nullptr) {
        return usageError(Tr::tr("Two members of the group are compared at a time."),
            Tr::tr("Name them, as --between %1.").arg(known.mid(0, 2).join(u',')),
            Tr::tr("The members are: %1.").arg(known.join(u", "_s)));
    }
    return std::array { *group.member(labels.at(0)), *group.member(labels.at(1)) };
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

void printOutcome(const Context &context, const models::CompareOutcome &outcome, const Labels &labels)
{
    print(models::compareSummary(outcome, labels) + u'\n');
    const QList<models::RegionDifference> all = wanted(context, outcome);
    const QList<models::RegionDifference> differences = all.mid(0, context.number(u"limit"_s));
    if (!differences.isEmpty()) {
        QStringList header;
        for (const sql::LabelledExpression &part : outcome.targets[0].profile.scope) {
            header += part.label.toUpper();
        }
        header += { Tr::tr("KEY"), Tr::tr("DIFFERENCE"), labels[0].toUpper(), labels[1].toUpper(), Tr::tr("PROPOSAL") };
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
        print(u'\n' + table(header, rows, QStringList { Tr::tr("DIFFERENCE"), Tr::tr("PROPOSAL") }));
    }
    if (differences.size() < all.size()) {
        note(Tr::tr("%1 of %2 are listed; --limit lists more.")
                 .arg(models::countText(differences.size()), models::countText(all.size())));
    }
    const QStringList advice = models::compareAdvice(outcome, labels);
    if (!advice.isEmpty()) {
        print(u'\n' + advice.join(u'\n') + u'\n');
    }
}

sql::Result<models::CompareOutcome> compared(const Context &context, const std::array<sql::GroupMember, 2> &members)
{
    std::array<std::unique_ptr<sql::Database>, 2> databases;
    std::array<models::CompareSide, 2> sides;
    for (std::size_t side = 0; side < members.size(); ++side) {
        databases.at(side) = std::make_unique<sql::Database>(memberSettings(context, members.at(side)));
        sides.at(side) = { members.at(side).label, databases.at(side).get(),
            [&context](sql::Session &session) -> sql::Result<sql::Target> {
                TRY(const auto opened, targetIn(context, session));
                return opened.target;
            } };
    }
    models::RegionCompare compare(sides, { context.value(u"filter"_s), context.number(u"settle"_s) * 1'000 });
    Interrupt interrupt([&compare] { compare.cancel(); });
    std::optional<sql::Result<models::CompareOutcome>> answer;
    QObject::connect(&compare, &models::RegionCompare::finished, &compare,
        [&answer](const sql::Result<models::CompareOutcome> &outcome) {
            answer = outcome;
            QCoreApplication::exit();
        });
    QObject::connect(&compare, &models::RegionCompare::phaseChanged, &compare,
        [told = Terminal::instance().noteWidth() > 0](models::RegionCompare::Phase phase) {
            if (told) {
                note(models::phaseText(phase));
            }
        });
    for (const std::unique_ptr<sql::Database> &database : databases) {
        database->open();
    }
    compare.start();
    QCoreApplication::exec();
    return *answer;
}

Exit runCompare(const Context &context)
{
    TRY_OR(fail, const auto group, groupOf(context));
    TRY_OR(fail, const auto members, sidesOf(context, group));
    if (context.target().isEmpty()) {
        return fail(context.profile().error());
    }
    (void)context.profile().ok(); // asks here what a person must confirm, before both sides want it at once
    const auto outcome = compared(context, members);
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
    if (context.json()) {
        printOutcomeJson(context, *outcome, labels);
    } else {
        printOutcome(context, *outcome, labels);
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
                 "--kind results."),
        .options = QList { groupOption(),
                       Option::text(u"between"_s, Tr::tr("LABEL,LABEL"),
                           Tr::tr("Which two members of the group. Not needed where it has only two.")) }
            + targetOptions()
            + QList { jsonOption(),
                filterOption(Tr::tr("Only keys that match on either side, in the language of “keys”.")),
                Option::word(u"kind"_s, kindNames(), Tr::tr("List only differences of this kind.")),
                Option::number(u"limit"_s, 1, kMostListed, Tr::tr("List so many keys at most."), u"1000"_s),
                Option::number(u"settle"_s, 0, kMostSettleSeconds,
                    Tr::tr("Wait so many seconds for replication. 0: do not wait."), u"10"_s) },
        .examples = { { Tr::tr("What differs between two regions:"),
                          u"compare --group payments.json --target app.idempotency_request"_s },
            { Tr::tr("What was done twice, for the people who must undo one of them:"),
                u"compare --group payments.json --target app.idempotency_request --kind results --json"_s } },
        .run = runCompare };
}

} // namespace idemdesk::app
